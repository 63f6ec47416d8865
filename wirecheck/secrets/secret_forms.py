"""What secrets look like: keys and tokens of known forms, and values under names that stand for secrets.

The patterns run on untrusted text, so none backtracks far: unbounded repeats are possessive, and each pattern takes
linear time.
"""

import re
from functools import cache

REDACTED = "[redacted]"
# Between the name of a header and its value, in text, in JSON, and in JSON within a string.
IS = r"[\"'\\]{0,4}\s{0,4}[:=]\s{0,4}[\"'\\]{0,4}"
QUERY = r"(?:[?&;#]|\\u0026)"
URL_VALUE = r"[^&\s\"'#\\<>]++"
TO_LINE_END = r"[^\"'\\\r\n]++"
BEGINS = r"(?:(?<![\w-])|(?<=\\[nrt]))"  # the beginning of a word, also after a line end escaped in JSON

# An opening quote, with backslashes before it in nested JSON. A quote inside the value has twice as many plus one.
OPEN = r"[bBfFrRuU]{0,2}(?P<slashes>\\{0,7})(?P<quote>[\"'])"
QUOTED = r"(?:[^\\\"']|(?:(?P=slashes)\\){2}|(?P=slashes){2}\\(?P=quote)|(?!(?P=slashes)(?P=quote))[\s\S])++"
LIST = r"\[[^\]]*+\]?+"
WORD = r"(?!(?:null|none|true|false)\b|[\[{(=])[^\s\"'\\,;&<>)\]}]++"
NUMBER = r"[\d.]++(?![^\s\"'\\,;&<>)\]}])"
# A word after `name: ` may be prose. If it contains a digit it is taken for a secret.
BEFORE_WORD = r"(?:\\{0,7}[\"']\s{0,4}(?:=>|[:=])\s{0,4}|\s{0,4}=>?\s{0,4}|:\s{0,4}(?=[^\s\d]{0,60}\d))"


def named(name: str, word: str = WORD) -> str:
    """Pattern for the value of a name: everything in quotes, else a list or a word."""
    key = rf"(?:{name})(?:\\{{0,7}}[\"'])?\s{{0,4}}(?:=>|:=|[:=])\s{{0,4}}"
    return rf"(?i)(?P<quoted>{key}{OPEN}){QUOTED}|(?P<list>{key}){LIST}|(?P<bare>(?:{name}){BEFORE_WORD}){word}"


VALUE = rf"\g<quoted>\g<list>\g<bare>{REDACTED}"
AFTER_NAME = rf"\1{REDACTED}"
TOKEN = rf"{BEGINS}token|(?:access|auth|bearer|refresh|security|session|(?<![a-z])id)[_-]?token"
KEY = rf"(?:access|api|private)[_-]?key|{BEGINS}x-[\w-]{{0,40}}key"
PEM = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*+(?:-----END [A-Z ]{0,30}-----)?"
# In a sentence `Basic` is followed by a plain word, without digits, padding or mixed case.
BASIC = r"(\b[Bb]asic {1,4})(?=[A-Za-z]{0,60}(?:[0-9=]|(?<=[a-z])[A-Z]))[A-Za-z0-9+/]{8,}+=*+"

# A hint (searched for in the lower-cased text), the pattern to run where it occurs, and the replacement.
FORMS = (
    ("private key", PEM, REDACTED),
    ("aiza", r"AIza[\w-]{35}", REDACTED),
    ("aq.", r"(?<!\w)AQ\.[\w-]{20,}+", REDACTED),
    ("ya29.", r"ya29\.[\w.-]{10,}+", REDACTED),
    ("1//0", r"(?<!\w)1//0[\w-]{20,}+", REDACTED),
    ("gocspx-", r"GOCSPX-[\w-]{20,}+", REDACTED),
    ("auth_tokens/", r"auth_tokens/[\w.-]{4,}+", f"auth_tokens/{REDACTED}"),
    ("eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?", REDACTED),
    ("sk-", rf"{BEGINS}sk-(?:(?:ant|proj|svcacct)-[\w-]{{6,}}+|[\w-]{{16,}}+)", REDACTED),
    *((f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{16,}}+", REDACTED) for kind in "oprsu"),
    ("github_pat_", r"github_pat_\w{16,}+", REDACTED),
    ("akia", r"AKIA[A-Z0-9]{12,}+", REDACTED),
    ("asia", r"ASIA[A-Z0-9]{12,}+", REDACTED),
    ("xox", rf"{BEGINS}xox[abeprs]-(?=[\w-]{{0,40}}\d)[\w-]{{8,}}+", REDACTED),
    ("hf_", rf"{BEGINS}hf_[A-Za-z0-9]{{16,}}+", REDACTED),
    ("k_live_", r"[rs]k_live_\w{8,}+", REDACTED),
    ("k_test_", r"[rs]k_test_\w{8,}+", REDACTED),
    ("glpat-", r"glpat-[\w-]{8,}+", REDACTED),
    ("://", r"(://[^\s/?#@:\"'\\<>]{0,100}+:)[^\s/?#\"'\\<>]{1,200}(?=@)", AFTER_NAME),
    ("key=", rf"(?i)({QUERY}(?:api_?)?key=){URL_VALUE}", AFTER_NAME),
    ("token=", rf"(?i)({QUERY}(?:access_|auth_|id_|refresh_)?token=){URL_VALUE}", AFTER_NAME),
    ("passw", named("passw(?:or)?d"), VALUE),
    ("passphrase", named("passphrase"), VALUE),
    ("pwd", named("pwd"), VALUE),
    ("secret", named("secret(?:[_-]?access)?(?:[_-]?key)?"), VALUE),
    ("token", named(TOKEN, rf"(?!{NUMBER}){WORD}"), VALUE),
    ("key", named(KEY), VALUE),
    ("credential", named("credentials?"), VALUE),
    ("cookie", named("cookie"), VALUE),
    ("cookie", rf"(?i)(cookie2?: {{0,4}})(?=[^\s=]{{1,100}}=){TO_LINE_END}", AFTER_NAME),
    ("authorization", named("authorization"), VALUE),
    ("authorization", rf"(?i)(authorization{IS}){TO_LINE_END}", AFTER_NAME),
    ("-key", rf"(?i)({BEGINS}x-[\w-]{{0,40}}key{IS})[^\"'\\\s,]++", AFTER_NAME),
    ("basic ", BASIC, AFTER_NAME),
    ("bearer ", r"(?i)(\bbearer {1,4})[\w.~+/=-]{8,}+", AFTER_NAME),
)
# Compiled when its hint occurs for the first time, which is rare.
compiled = cache(re.compile)
# Two filters before a pattern runs: a short sign that all hints of a group contain, then the hint.
SIGNS = ("key", "token", "/", "-", "_", ".", "")
SECRETS = {
    sign: [
        (hint, pattern, left)
        for hint, pattern, left in FORMS
        if sign == next(first for first in SIGNS if first in hint)
    ]
    for sign in SIGNS
}
