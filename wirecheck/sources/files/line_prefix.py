"""Finds the JSON of a line that has something before it: a time, a level, the name of a container.

A prefix is short, holds no quotes and no open bracket, and ends with a space or a sign that separates. So a piece of
pretty-printed JSON has none, as `"request": {"contents": []}` or `[1, {"a": 1}]`.
"""

import re

LONGEST = 200  # bytes of a prefix
COLOUR = b"\x1b["
# Each repetition is bounded, and may not give back what it took: nothing is tried twice.
BEGIN = re.compile(rb'[ \t|:=>\])-](?=\{\s{0,9}+"|\[\s{0,9}+\{)')
VALUE = re.compile(rb"\s{0,99}+[\[{]\s{0,99}+[\"{}\]]")


def json_begin(line: bytes) -> int:
    """Where the JSON begins after a prefix; 0 where the line has none."""
    head = line[: LONGEST + 20]
    quote = head.find(b'"')
    found = BEGIN.search(head, 0, LONGEST)
    if found is None or 0 <= quote < found.end():
        return 0
    before = head[: found.end()]
    opened = before.count(b"[") - before.count(COLOUR)
    return found.end() if b"{" not in before and opened == before.count(b"]") else 0


def is_text(line: bytes) -> bool:
    """Whether a line was not meant as JSON: it neither begins as a value nor holds one after a prefix."""
    return VALUE.match(line) is None and not json_begin(line)
