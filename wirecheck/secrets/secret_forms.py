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
URL_VALUE = r"[^?&\s\"'#\\<>]++"
# What says that a token is one for Live is kept.
FOR_LIVE = r"(?:auth_tokens(?:/|%2[fF]))?+"
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


TOKEN = rf"{BEGINS}token|(?:access|auth|bearer|refresh|security|session|(?<![a-z])id)[_-]?token"
KEY = rf"(?:access|api|private)[_-]?key|{BEGINS}x-[\w-]{{0,40}}key"
PEM = r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*+(?:-----END [A-Z ]{0,30}-----)?"
# In a sentence `Basic` is followed by a plain word, without digits, padding or mixed case.
BASIC = r"(\b[Bb]asic {1,4})(?=[A-Za-z]{0,60}(?:[0-9=]|(?<=[a-z])[A-Z]))[A-Za-z0-9+/]{8,}+=*+"

# What a secret is called when it is counted.
KEY_KIND, TOKEN_KIND, BEARER_KIND, PASSWORD_KIND = "API key", "token", "bearer token", "password"
COOKIE_KIND, PRIVATE_KIND, SIGNATURE_KIND, SECRET_KIND = "cookie", "private key", "signature", "secret"
LOGIN_KIND = "login"

# A hint (searched for in the lower-cased text), the pattern to run where it occurs, and what is found by it. The group
# of a pattern that ends last is what is kept, before the secret.
# Those that give themselves away.
TOKENS = (
    ("private key", PEM, PRIVATE_KIND),
    ("age-secret-key-1", r"(?i)AGE-SECRET-KEY-1[a-z0-9]{20,}+", PRIVATE_KIND),
    # Google.
    ("aiza", r"AIza[\w-]{35}", KEY_KIND),
    ("aq.", r"(?<!\w)AQ\.[\w-]{20,}+", KEY_KIND),
    ("ya29.", r"ya29\.[\w.-]{10,}+", TOKEN_KIND),
    ("1//0", r"(?<!\w)1//0[\w-]{20,}+", TOKEN_KIND),
    ("4/0a", r"(?<![\w/.])4/0A[\w-]{30,}+", TOKEN_KIND),
    ("gocspx-", r"GOCSPX-[\w-]{20,}+", SECRET_KIND),
    ("auth_tokens/", r"(auth_tokens/)[\w.-]{4,}+", TOKEN_KIND),
    ("auth_tokens%2f", r"(?i)(auth_tokens%2f)[\w.%-]{4,}+", TOKEN_KIND),
    ("eyj", r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+)?", TOKEN_KIND),
    # Providers of models, and what agents are built with.
    ("sk-", rf"{BEGINS}sk-(?:(?:ant|proj|svcacct)-[\w-]{{6,}}+|[\w-]{{16,}}+)", KEY_KIND),
    ("hf_", rf"{BEGINS}hf_[A-Za-z0-9]{{16,}}+", TOKEN_KIND),
    ("gsk_", rf"{BEGINS}gsk_[A-Za-z0-9]{{20,}}+", KEY_KIND),
    ("xai-", rf"{BEGINS}xai-[A-Za-z0-9]{{20,}}+", KEY_KIND),
    ("pplx-", rf"{BEGINS}pplx-[A-Za-z0-9]{{20,}}+", KEY_KIND),
    ("tvly-", rf"{BEGINS}tvly-[A-Za-z0-9-]{{16,}}+", KEY_KIND),
    ("nvapi-", rf"{BEGINS}nvapi-[\w-]{{20,}}+", KEY_KIND),
    ("csk-", rf"{BEGINS}csk-[a-z0-9]{{20,}}+", KEY_KIND),
    ("tgp_v1_", rf"{BEGINS}tgp_v1_[\w-]{{20,}}+", KEY_KIND),
    ("pcsk_", rf"{BEGINS}pcsk_[A-Za-z0-9]{{4,}}_[A-Za-z0-9]{{20,}}+", KEY_KIND),
    ("jina_", rf"{BEGINS}jina_[A-Za-z0-9]{{20,}}[\w-]*+", KEY_KIND),
    ("r8_", rf"{BEGINS}r8_[A-Za-z0-9]{{30,}}+", TOKEN_KIND),
    ("lsv2_", rf"{BEGINS}lsv2_(?:pt|sk)_[a-f0-9]{{20,}}(?:_[a-f0-9]{{6,}}+)?", KEY_KIND),
    # Platforms of developers.
    *((f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{16,}}+", TOKEN_KIND) for kind in "oprsu"),
    ("github_pat_", r"github_pat_\w{16,}+", TOKEN_KIND),
    ("glpat-", r"glpat-[\w-]{8,}+", TOKEN_KIND),
    ("npm_", rf"{BEGINS}npm_(?=[A-Za-z]*+[0-9])[A-Za-z0-9]{{30,}}+", TOKEN_KIND),
    ("pypi-", rf"{BEGINS}pypi-AgE[\w-]{{30,}}+", TOKEN_KIND),
    ("dckr_pat_", rf"{BEGINS}dckr_pat_[\w-]{{20,}}+", TOKEN_KIND),
    ("akia", r"AKIA[A-Z0-9]{12,}+", KEY_KIND),
    ("asia", r"ASIA[A-Z0-9]{12,}+", KEY_KIND),
    ("accountkey=", r"(?i)(AccountKey=)[A-Za-z0-9+/]{20,}+={0,2}", KEY_KIND),
    ("dapi", rf"{BEGINS}dapi[a-f0-9]{{32}}(?![a-z0-9])(?:-\d)?", TOKEN_KIND),
    ("hvs.", rf"{BEGINS}hv[sb]\.[\w-]{{20,}}+", TOKEN_KIND),
    ("sbp_", rf"{BEGINS}sbp_[a-f0-9]{{30,}}+", TOKEN_KIND),
    ("sntry", rf"{BEGINS}sntry[su]_[\w+/-]{{20,}}+=*+", TOKEN_KIND),
    ("lin_", rf"{BEGINS}lin_(?:api|oauth)_[A-Za-z0-9]{{20,}}+", KEY_KIND),
    ("ntn_", rf"{BEGINS}ntn_[A-Za-z0-9]{{30,}}+", TOKEN_KIND),
    ("dop_v1_", rf"{BEGINS}dop_v1_[a-f0-9]{{30,}}+", TOKEN_KIND),
    ("figd_", rf"{BEGINS}figd_[\w-]{{20,}}+", TOKEN_KIND),
    ("pmak-", rf"{BEGINS}PMAK-[a-f0-9]{{20,}}-[a-f0-9]{{20,}}+", KEY_KIND),
    ("atatt3", rf"{BEGINS}ATATT3[\w=-]{{30,}}+", TOKEN_KIND),
    # Services that agents call.
    ("xox", rf"{BEGINS}xox[abeprs]-(?=[\w-]{{0,40}}\d)[\w-]{{8,}}+", TOKEN_KIND),
    ("xapp-", rf"{BEGINS}xapp-\d-[\w-]{{20,}}+", TOKEN_KIND),
    ("hooks.slack.com/", r"(hooks\.slack\.com/(?:services|workflows|triggers)/)[\w/-]{16,}+", SECRET_KIND),
    ("discord", r"(discord(?:app)?\.com/api/webhooks/\d{10,25}/)[\w-]{20,}+", SECRET_KIND),
    ("sg.", rf"{BEGINS}SG\.[\w-]{{16,40}}\.[\w-]{{20,}}+", KEY_KIND),
    (":aa", r"(?:(?<![\w:.-])|(?<=/bot))\d{8,12}:AA[\w-]{32,36}(?![\w-])", TOKEN_KIND),
    ("shp", rf"{BEGINS}shp(?:at|ca|pa|ss)_[a-fA-F0-9]{{20,}}+", TOKEN_KIND),
    ("whsec_", rf"{BEGINS}whsec_[A-Za-z0-9+/]{{16,}}+=*+", SECRET_KIND),
    ("k_live_", r"[rs]k_live_\w{8,}+", KEY_KIND),
    ("k_test_", r"[rs]k_test_\w{8,}+", KEY_KIND),
)
FORMS = (
    *TOKENS,
    # What stands beside a name, in a URL or on a command line.
    ("://", r"(://[^\s/?#@:\"'\\<>]{0,100}+:)[^\s/?#\"'\\<>]{1,200}(?=@(?!\d{1,5}(?![\w.:-])))", PASSWORD_KIND),
    ("key=", rf"(?i)({QUERY}(?:api_?)?key=){URL_VALUE}", KEY_KIND),
    ("token=", rf"(?i)({QUERY}(?:access_|auth_|id_|refresh_|x-amz-security-)?token={FOR_LIVE}){URL_VALUE}", TOKEN_KIND),
    ("signature=", rf"(?i)({QUERY}(?:x-(?:goog|amz)-)?signature=){URL_VALUE}", SIGNATURE_KIND),
    ("sig=", rf"(?i)({QUERY}sig=){URL_VALUE}", SIGNATURE_KIND),
    ("passw", named("passw(?:or)?d"), PASSWORD_KIND),
    ("passphrase", named("passphrase"), PASSWORD_KIND),
    ("pwd", named("pwd"), PASSWORD_KIND),
    ("secret", named("secret(?:[_-]?access)?(?:[_-]?key)?"), SECRET_KIND),
    ("token", named(TOKEN, rf"(?!{NUMBER}|auth_tokens){WORD}"), TOKEN_KIND),
    ("key", named(KEY), KEY_KIND),
    ("--", rf"(?i)({BEGINS}--(?:api-?key|token|password|secret)[ ]{{1,4}}[\"']?)(?!-)[^\s\"'\\]{{8,}}+", KEY_KIND),
    ("credential", named("credentials?"), SECRET_KIND),
    ("cookie", named("cookie"), COOKIE_KIND),
    ("cookie", rf"(?i)(cookie2?: {{0,4}})(?=[^\s=]{{1,100}}=){TO_LINE_END}", COOKIE_KIND),
    ("authorization", named("authorization"), TOKEN_KIND),
    ("authorization", rf"(?i)(authorization{IS}){TO_LINE_END}", TOKEN_KIND),
    ("-key", rf"(?i)({BEGINS}x-[\w-]{{0,40}}key{IS})[^\"'\\\s,]++", KEY_KIND),
    ("basic ", BASIC, LOGIN_KIND),
    ("bearer ", r"(?i)(\bbearer {1,4})[\w.~+/=-]{8,}+", BEARER_KIND),
    ("machine ", r"(\bmachine \S{1,200} login \S{1,200} password )\S++", PASSWORD_KIND),
    ("curl ", r"(\bcurl\b[^\n]{0,400}? (?:-u|--user)[ =][\"']?[^\s:\"'\\]{1,100}:)[^\s\"'\\]++", PASSWORD_KIND),
)
# Compiled when its hint occurs for the first time, which is rare.
compiled = cache(re.compile)
# Two filters before a pattern runs: a short sign that all hints of a group contain, then the hint.
SIGNS = ("key", "token", "/", "-", "_", ".", "")
SECRETS = {
    sign: [
        (hint, pattern, kind)
        for hint, pattern, kind in FORMS
        if sign == next(first for first in SIGNS if first in hint)
    ]
    for sign in SIGNS
}
