"""The page of a close code of Live sessions: its meaning, its known reasons, and the rules that report each.

Meanings come from the tables of talk/sessions/closes.py, reasons of rules from their `server` texts.
"""

from collections.abc import Sequence

from wirecheck.finding import SEVERITIES
from wirecheck.rules.language.rule import Rule
from wirecheck.rules.pages.vague_page import wordless
from wirecheck.rules.server_word.texts import HOLE, LIVE, even
from wirecheck.talk.sessions.closes import CLOSES, CODES, KnownClose

MOST = 4  # rules named with a reason
MORE = """`wirecheck explain "REASON"` lists the rules of a reason, `wirecheck explain CODE` shows the page of one."""


def close_page(asked: str, rules: Sequence[Rule]) -> str | None:
    """The page in Markdown; None where the term is no close code."""
    code = int(asked) if asked.isascii() and asked.isdigit() and len(asked) == 4 else None
    if code not in CODES:
        return None
    live = [rule for rule in rules if rule.code.startswith(LIVE)]
    rows = [(row, _tell(live, row)) for row in CLOSES if row.code == code]
    rows.sort(key=lambda told: len(told[1]), reverse=True)
    listed = [f"- `{row.text}`{_named(told)}" for row, told in rows]
    silent = wordless(code, rules)
    said = [CODES[code], "", *listed, "", *(["Without a reason:", "", *silent, ""] if silent else []), MORE]
    said = said if listed else [CODES[code]]
    return "\n".join([f"# {code}", "", *said, ""])


def _tell(rules: Sequence[Rule], row: KnownClose) -> list[Rule]:
    """The rules that report a reason, the most severe first."""
    found = [rule for rule in rules if any(_alike(text, row.text) for text in (*rule.server, *rule.says))]
    return sorted(found, key=lambda rule: (-_level(rule), rule.code))


def _level(rule: Rule) -> int:
    cases = [rule.severity] if isinstance(rule.severity, str) else [case["is"] for case in rule.severity]
    return max((SEVERITIES.index(each) for each in cases if each in SEVERITIES), default=0)


def _alike(text: str, reason: str) -> bool:
    """Whether a rule's text contains the longest piece of a reason, or is part of it."""
    piece = even(max(reason.split(HOLE), key=len))
    return piece in even(text) or even(text) in even(reason)


def _named(rules: Sequence[Rule]) -> str:
    more = f" and {len(rules) - MOST} more" if len(rules) > MOST else ""
    return f": {', '.join(f'{rule.code} {rule.name}' for rule in rules[:MOST])}{more}" if rules else ""
