"""Reports that hold any text wherever the text is other people's."""

from hypothesis import strategies as st

from wirecheck.finding import SEVERITIES, CallName, Finding, Inner, Line, Place, Related, ServerWord
from wirecheck.report.report import Checked, Report, Skipped, count

NASTY = [
    "\x1b[2J",
    "\n::error::x",
    "##[error]x",
    "\u202e",
    "\x9b1m",
    "\r",
    "%0A",
    "|",
    "<b>",
    "漢字",
    "é",
    "\u200b",
    "x" * 300,
]
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=8), max_size=3).map("".join)
some = st.none() | texts
pointers = st.lists(texts.map(lambda text: f"/{text}"), max_size=3).map("".join)
inners = st.none() | st.builds(Inner, pointers, st.none() | st.integers(0, 9))
places = st.builds(Place, texts.map(lambda text: text or "a"), st.integers(1, 10**6), pointers, inners)
lines = st.builds(Line, st.integers(0, 12), texts, texts, st.sampled_from(["", "here", "related"]), texts)

findings = st.builds(
    Finding,
    rule=st.sampled_from(["invalid-role", "function-response-count-mismatch"]),
    code=st.sampled_from(["WC201", "WC303"]),
    severity=st.sampled_from(SEVERITIES),
    message=texts,
    place=places,
    help=texts,
    url=st.just("https://example.org"),
    surface=some,
    model=some,
    band=some,
    conversation=some,
    turn=st.none() | st.integers(0, 99),
    call=st.none() | st.builds(CallName, some, some),
    related=st.lists(st.builds(Related, places, texts), max_size=2).map(tuple),
    repeated=st.integers(0, 3),
    server=st.builds(
        ServerWord,
        st.sampled_from(["confirmed", "tolerated", "unknown"]),
        st.none() | st.sampled_from([200, 400, 1007]),
        some,
    ),
    fingerprint=st.text("0123456789abcdef", min_size=16, max_size=16),
    around=st.lists(lines, max_size=4).map(tuple),
)


def reports() -> st.SearchStrategy[Report]:
    return st.lists(findings, max_size=2).map(_report)


def _report(found: list[Finding]) -> Report:
    skipped = tuple(Skipped(finding.place.path, finding.place.line, finding.message, 1) for finding in found)
    return Report(findings=tuple(found), checked=Checked(lines=9, skipped=skipped), summary=count(found))
