"""The beginning of a file, and what formats are recognised by: its bytes, its first lines, the keys of its first value.

The keys are found without decoding the value: it is rarely complete in the beginning.
"""

import re
from functools import cached_property

HEAD = 1 << 14  # bytes that are looked at
DEEPEST = 5  # keys are told down to here
# A string may break off with the beginning: what is in it is not searched for others.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}:,]', re.DOTALL)
JSON_LINE = re.compile(rb'(?m)^[ \t]{0,99}(?:\[\s{0,99}){0,3}\{\s{0,99}"')


class Beginning:
    """The first bytes of a file."""

    def __init__(self, head: bytes) -> None:
        self.head = head[:HEAD]

    @cached_property
    def first_line(self) -> bytes:
        return next((line for line in self.head.splitlines() if line.strip()), b"")

    @cached_property
    def keys(self) -> frozenset[str]:
        """The paths of keys in the first JSON value, as in `log.entries[].request`, as far as it reaches."""
        return frozenset(_key_paths(self.head.lstrip())) if self.is_json else frozenset()

    @cached_property
    def is_json(self) -> bool:
        """Whether it begins as an object or a list does."""
        return self.head.lstrip()[:1] in (b"{", b"[")

    @cached_property
    def has_json_line(self) -> bool:
        """Whether a line of it begins as an object in JSON does, or a list of them."""
        return JSON_LINE.search(self.head) is not None

    def has(self, *paths: str) -> bool:
        if not self.is_json:
            return False
        if "keys" not in self.__dict__:  # finding them takes longer than seeing that the outer ones are nowhere
            outer = (path.partition(".")[0].removesuffix("[]") for path in paths)
            if not all([b'"%b"' % key.encode() in self.head for key in outer]):
                return False
        return self.keys.issuperset(paths)

    def is_yaml(self, *keys: str) -> bool:
        """Whether one of these keys stands at the left of a line, as at the top of a YAML file."""
        inside = [key.encode() for key in keys if f"{key}:".encode() in self.head]
        return any(re.search(rb"(?m)^%b:\s" % key, self.head) is not None for key in inside)

    def has_columns(self, *names: str) -> bool:
        """Whether the first line has these names between commas, as the first line of CSV does."""
        found = self.first_line
        return names[0].encode() in found and {
            each.strip(b' "').decode(errors="replace") for each in found.split(b",")
        } >= {*names}

    def has_line(self, begin: bytes) -> bool:
        """Whether a line begins so, which is a pattern."""
        return re.search(rb"(?m)^" + begin, self.head) is not None


def _key_paths(head: bytes) -> set[str]:
    """Reads token by token: `path` has a step for each value that is open, `last` the string that may be a key."""
    found, path, last = set[str](), list[str](), b""
    for token in TOKEN.finditer(head):
        sign = token[0]
        if sign == b":":
            if path and path[-1] != "[]":
                path[-1] = f".{last.decode(errors='replace')}"
                if len(path) <= DEEPEST:
                    found.add("".join(path).removeprefix("[]").removeprefix("."))
        elif sign in b"[{":
            path.append("[]" if sign == b"[" else "")
        elif sign in b"]}":
            if path:
                path.pop()
            if not path:
                break
        elif sign != b",":
            last = sign[1:-1]
    return found
