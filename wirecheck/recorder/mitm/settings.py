"""The options of the addon (`--set wirecheck_log=…`): declared to mitmproxy, validated and loaded."""

from collections.abc import Sequence
from typing import Any

from mitmproxy.addonmanager import Loader
from mitmproxy.exceptions import OptionsError
from msgspec import Struct

from wirecheck.finding import SEVERITIES
from wirecheck.report import FORMATS
from wirecheck.rules import RuleError, Ruleset, load

PREFIX = "wirecheck_"
MOST_SEVERE_FIRST = tuple(reversed(SEVERITIES))


class Option(Struct, frozen=True):
    kind: Any
    default: Any
    help: str
    choices: tuple[str, ...] | None = None


OPTIONS = {
    "log": Option(str, "", "Write what is recorded to this log; it is continued, never overwritten."),
    "fail_on": Option(
        str, "warning", "The mildest severity that makes the exit code 1.", (*MOST_SEVERE_FIRST, "never")
    ),
    "min_severity": Option(str, "warning", "The mildest severity to tell of.", MOST_SEVERE_FIRST),
    "select": Option(Sequence[str], [], "Only these rules: names, codes, prefixes or globs."),
    "ignore": Option(Sequence[str], [], "Not these rules."),
    "rules": Option(Sequence[str], [], "More rules: files or directories of YAML files."),
    "report": Option(Sequence[str], [], "FORMAT=PATH: a report in a file; json-lines is written as it happens."),
    "enforce": Option(bool, False, "Answer requests that have errors, as the server would, instead of sending them."),
    "call_timeout": Option(int, 30, "Tell of a Live call that has waited so many seconds for its response; 0: never."),
    "all_hosts": Option(bool, False, "Record every host that speaks a Gemini dialect, not only Google's."),
    "host": Option(Sequence[str], [], "Record this server of an application, too."),
    "upstream": Option(str, "", "This server stands in for Google's, a gateway or one for tests: requests go there."),
    "keep_media": Option(bool, False, "Keep pictures and sound in the log instead of their type, length and hash."),
    "allow_empty": Option(bool, False, "Nothing to judge is no failure."),
    "settings": Option(str, "", "The file that these options come from, for the report to name."),
}


class Settings(Struct, frozen=True, kw_only=True):
    """All options, validated, and the rules loaded for them."""

    log: str
    fail_on: str
    min_severity: str
    report: tuple[tuple[str, str], ...]
    enforce: bool
    call_timeout: int
    all_hosts: bool
    host: tuple[str, ...]
    upstream: str
    keep_media: bool
    allow_empty: bool
    settings: str
    ruleset: Ruleset


def declare(loader: Loader) -> None:
    for name, option in OPTIONS.items():
        loader.add_option(PREFIX + name, option.kind, option.default, option.help, option.choices)


def read(options: Any) -> Settings:
    """Reads the options. Raises OptionsError where one is invalid."""
    given = {name: getattr(options, PREFIX + name) for name in OPTIONS}
    for name, option in OPTIONS.items():
        if option.choices and given[name] not in option.choices:
            raise OptionsError(f"{PREFIX}{name}: '{given[name]}' is none of {', '.join(option.choices)}")
    try:
        ruleset = load(user_paths=given.pop("rules"), select=given.pop("select"), ignore=given.pop("ignore"))
    except RuleError as error:
        raise OptionsError(str(error)) from None
    given["report"] = tuple(map(_target, given["report"]))
    given["host"] = tuple(given["host"])
    return Settings(**given, ruleset=ruleset)


def _target(value: str) -> tuple[str, str]:
    name, _, path = value.partition("=")
    if name not in FORMATS or not path:
        raise OptionsError(f"{PREFIX}report: '{value}' is not FORMAT=PATH with one of {', '.join(FORMATS)}")
    return name, path
