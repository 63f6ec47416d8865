"""Marks flows with findings for mitmproxy: marker, comment, and codes for the filter `~meta`."""

from mitmproxy.flow import Flow

from wirecheck.finding import Finding, milder_than
from wirecheck.report.screen import clean

MARKERS = {"error": ":red_circle:", "warning": ":yellow_circle:", "info": ":large_blue_circle:"}
KEY = "wirecheck"
MOST = 20  # lines of a comment; a long session may have thousands of findings


def mark(flow: Flow, findings: list[Finding]) -> None:
    """Sets the marker of the worst finding so far, and adds a line a finding to the comment."""
    for finding in findings:
        # The marker of a milder finding is replaced, but not one that a user set.
        milder = [MARKERS[severity] for severity in milder_than(finding.severity)]
        if flow.marked in ("", *milder):
            flow.marked = MARKERS[finding.severity]
        known = str(flow.metadata.get(KEY, "")).split()
        line = clean(f"{finding.severity}[{finding.code} {finding.rule}] {finding.message}", 300)
        if len(known) < MOST and line not in flow.comment.split("\n"):  # a saved flow may have been judged before
            flow.comment = f"{flow.comment}\n{line}" if flow.comment else line
            flow.metadata[KEY] = " ".join((*known, finding.code))  # metadata is saved with the flow, so plain text
