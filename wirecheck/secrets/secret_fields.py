"""Which strings of a value are secrets by their names: keys of JSON, headers, cookies, and pairs of a name and a value.

Told of the value piece by piece, whatever it is written in: JSON, YAML, or what mitmproxy writes.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from wirecheck.secrets.credentials import is_credential, kind_of
from wirecheck.secrets.secret_forms import COOKIE_KIND, PASSWORD_KIND

# How keys of credentials in JSON end; `_` matches `_`, `-` and nothing.
NAMES = tuple(
    name.replace("_", sign)
    for sign in ("_", "-", "")
    for name in (
        *("authorization", "cookie", "password", "passwd", "passphrase", "pwd", "secret", "credential"),
        *("api_key", "private_key", "secret_key", "access_key", "encryption_key", "signing_key", "ssh_key"),
        *("access_token", "refresh_token", "id_token", "auth_token", "bearer_token", "session_token"),
        *("connection_string", "subscription_key"),
    )
)
IS_SECRET = re.compile(rf"(?:{'|'.join(NAMES)})(?:s|[-_]?string|[-_]?value)?$")
# Names that stand for other things as well: what is under them is a secret if it looks like one.
MAY_BE_SECRET = re.compile(r"(?:.*[-_.])?(?:token|pass|auth)")
LOOKS_SECRET = re.compile(r"(?=[^\d]{0,400}\d)(?=[^a-zA-Z]{0,400}[a-zA-Z])[\w.~+/=:-]{16,400}")
# What the members of an object or list are, by the key that it stands under.
HEADERS = re.compile(r"(?:.*[-_.])?(?:(?:raw|req|request|response|resp)?headers|query_?(?:string|params|parameters)?)")
COOKIES = re.compile(r"(?:.*[-_.])?(?:set-?)?cookies")
NAMING, NAMED = ("name", "key"), ("value", "values", "val")
LONGEST = 100  # characters of a name
DEEPEST = 200  # levels that are told apart


class Level:
    """An object or a list that is open."""

    __slots__ = ("count", "is_list", "is_map", "judged_as", "key", "name", "role", "slot", "waiting")

    def __init__(self, is_list: bool, role: str, key: str = "") -> None:
        self.is_list, self.role, self.key = is_list, role, key
        self.is_map = False  # whether it stands under a key of its own, and not in a list
        self.judged_as = ""  # the role of the pair whose value it is
        self.name: str | None = None  # of the pair that it is
        self.slot: Any = None  # where that stands
        self.waiting: list[tuple[Any, str]] = []  # where values stand whose name has not come yet, and they
        self.count = 0  # strings in a list


class FieldNames:
    """Follows one value. `learn` is told each header and query parameter that is a credential."""

    def __init__(self, learn: Callable[[str, str], None] | None = None) -> None:
        self._levels = [Level(True, "")]
        self._over = 0  # how many levels too deep
        self._learn = learn
        self.late: list[tuple[Any, str]] = []  # where secrets stand that were not known as such before, and their kind

    def begin(self, is_list: bool) -> None:
        if len(self._levels) > DEEPEST:
            self._over += 1
            return
        top = self._levels[-1]
        made = Level(is_list, top.role if top.is_list else _role(top.key), top.key if is_list else "")
        if top.role == "value":
            made.role, made.name, made.judged_as = "value", top.name, top.judged_as
        elif not top.is_list and top.key in NAMED and top.name is not None:
            made.role, made.name, made.judged_as = "value", top.name, top.role
        elif not top.is_list and top.role == "headers":  # the values of one header, or with what it is compared
            made.role, made.name, made.judged_as = "value", top.key, top.role
        made.is_map = not (is_list or top.is_list)
        self._levels.append(made)

    def end(self) -> None:
        if self._over:
            self._over -= 1
        elif len(self._levels) > 1:
            level = self._levels.pop()
            if level.role == "headers" and level.slot is not None and level.count == 0:
                # No pair after all, but a parameter called `key`.
                self.late.append((level.slot, kind_of("key")))

    def key(self, name: str) -> None:
        if not self._over:
            self._levels[-1].key = name[-LONGEST:].lower()

    def hides_numbers(self) -> bool:
        """Whether a number under the key that was told last would be a secret."""
        key = self._levels[-1].key
        return is_secret(key[-40:]) and kind_of(key) == PASSWORD_KIND

    def value(self, value: str, slot: Any = None) -> str:
        """The kind of secret that a string is by its name; "" if it is none. `slot` is what `late` calls it."""
        top = self._levels[-1]
        if self._over or not value:
            return ""
        if top.role == "value":
            return self._judged(top.name or "", top.judged_as, value)
        if top.is_list:
            return self._item(top, value)
        if top.role == "cookies":
            return self._cookie(top, value)
        if top.key in NAMING and top.name is None:
            return self._named(top, value, slot)
        if top.key in NAMED:
            top.count += 1
            if top.name is None:
                top.waiting.append((slot, value))
                return ""
            return self._judged(top.name, top.role, value)
        return self._judged(top.key, top.role, value)

    def _item(self, top: Level, value: str) -> str:
        if top.role == "cookies":
            return COOKIE_KIND
        if top.role != "headers":
            return self._judged(top.key, "", value)
        if ": " in value and not top.count % 2:  # a header in one piece
            return ""
        top.count += 1
        if top.count % 2:
            top.name = value[-LONGEST:].lower()
            return ""
        return self._judged(top.name or "", "headers", value)

    def _cookie(self, top: Level, value: str) -> str:
        """Of pairs the value is secret, of an object under the name of cookies every member."""
        if top.is_map or top.key in NAMED:
            if self._learn is not None:
                self._learn("cookie", f"c={value}")
            return COOKIE_KIND
        return ""

    def _named(self, top: Level, value: str, slot: Any) -> str:
        top.name = value[-LONGEST:].lower()
        if top.key == "key" and LOOKS_SECRET.fullmatch(value):
            top.slot = slot
        for waiting, held in top.waiting:
            if kind := self._judged(top.name, top.role, held):
                self.late.append((waiting, kind))
        return ""

    def _judged(self, name: str, role: str, value: str) -> str:
        if role == "headers":
            if not is_credential(name):
                return ""
            if self._learn is not None:
                self._learn(name, value)
            return kind_of(name)
        looks = MAY_BE_SECRET.fullmatch(name) and LOOKS_SECRET.fullmatch(value.strip())
        return kind_of(name) if looks or is_secret(name[-40:]) else ""


@lru_cache(maxsize=1024)
def is_secret(key: str) -> bool:
    return IS_SECRET.search(key) is not None


@lru_cache(maxsize=1024)
def _role(key: str) -> str:
    return "headers" if HEADERS.fullmatch(key) else "cookies" if COOKIES.fullmatch(key) else ""
