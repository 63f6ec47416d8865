"""What all output goes through: text without secrets, and text that a terminal may show.

Both take the text of other people, so no pattern backtracks: each runs in time linear in the text.
"""

import re
import unicodedata

REDACTED = "[redacted]"
# What stands between the name of a header and its value, in text and in JSON, also JSON in a string.
IS = r"[\"'\\]{0,4}\s{0,4}[:=]\s{0,4}[\"'\\]{0,4}"
QUERY = r"(?:[?&;#]|\\u0026)"
URL_VALUE = r"[^&\s\"'#\\<>]++"
# A hint is looked for first, in lower case; only where it stands is the pattern tried. What has no bound is
# possessive and begins where a word does, so that no run of characters is read twice.
SECRETS = tuple(
    (hint, re.compile(pattern), replacement)
    for hint, pattern, replacement in (
        (
            "private key",
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*+(?:-----END [A-Z ]{0,30}-----)?",
            REDACTED,
        ),
        ("aiza", r"AIza[\w-]{35}", REDACTED),
        ("aq.", r"(?<!\w)AQ\.[\w-]{20,}+", REDACTED),
        ("ya29.", r"ya29\.[\w.-]{10,}+", REDACTED),
        ("1//0", r"(?<!\w)1//0[\w-]{20,}+", REDACTED),
        ("gocspx-", r"GOCSPX-[\w-]{20,}+", REDACTED),
        ("auth_tokens/", r"auth_tokens/[\w.-]{4,}+", f"auth_tokens/{REDACTED}"),
        ("eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?", REDACTED),
        # Those of others: tools and gateways have them, and conversations are about them.
        ("sk-", r"(?<![\w-])sk-[\w-]{20,}+", REDACTED),
        *((f"gh{kind}_", rf"(?<!\w)gh{kind}_\w{{30,}}+", REDACTED) for kind in "opsur"),
        ("github_pat_", r"github_pat_\w{20,}+", REDACTED),
        ("glpat-", r"glpat-[\w-]{20,}+", REDACTED),
        ("xox", r"(?<!\w)xox[abeprs]-[\w-]{10,}+", REDACTED),
        ("hf_", r"(?<!\w)hf_\w{30,}+", REDACTED),
        ("akia", r"(?<!\w)AKIA[A-Z0-9]{16}(?!\w)", REDACTED),
        ("key=", rf"(?i)({QUERY}(?:api_?)?key=){URL_VALUE}", rf"\1{REDACTED}"),
        ("token=", rf"(?i)({QUERY}(?:access_|auth_|id_|refresh_)?token=){URL_VALUE}", rf"\1{REDACTED}"),
        ("authorization", rf"(?i)(authorization{IS})[^\"'\\\r\n]++", rf"\1{REDACTED}"),
        ("-api-key", rf"(?i)(x-(?:goog-)?api-key{IS})[^\"'\\\s,]++", rf"\1{REDACTED}"),
        ("bearer ", r"(?i)(\bbearer {1,4})[\w.~+/=-]{8,}+", rf"\1{REDACTED}"),
    )
)
SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
# Printable as Unicode sees it, blank as people see it.
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def scrub(text: str) -> str:
    """The text with keys, tokens and other credentials as `[redacted]`."""
    folded = text.lower()
    for hint, pattern, replacement in SECRETS:
        if hint in folded:
            text = pattern.sub(replacement, text)
    return text


def plain(text: str, width: int | None = None) -> str:
    """The text on one line and safe for a terminal: whatever cannot be seen is written as an escape.

    With a width it is cut to so many columns, the last of them `…`.
    """
    if width is not None:
        text = text[: 4 * width + 1]  # enough to cut from, accents counted
    if not text.isprintable() or not BLANKS.isdisjoint(text):
        text = "".join(map(_visible, text))
    return text if width is None else _cut(text, width)


def _visible(char: str) -> str:
    if char.isprintable() and char not in BLANKS:
        return char
    if char in SHORT:
        return SHORT[char]
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cut(text: str, width: int) -> str:
    if (len(text) if text.isascii() else sum(map(_columns, text))) <= width:
        return text
    room, kept = width - 1, 0
    for char in text:
        room -= _columns(char)
        if room < 0:
            break
        kept += 1
    return text[:kept] + "…" * (width > 0)


def _columns(char: str) -> int:
    """How many columns a terminal gives a character."""
    if char.isascii():
        return 1
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
