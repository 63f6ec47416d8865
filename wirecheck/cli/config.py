"""Settings: `[tool.wirecheck]` in pyproject.toml, or wirecheck.toml; the nearest one, upwards from the current folder.

Keys are the long options. Flags win. A wrong key or value is one line for its author.

Who runs wirecheck may never have seen a file that was only found: it came with a checkout, or lies in a folder that is
everybody's. So the search ends at the root of the repository and at what another user owns; no key writes a file; and
what a found file names to be read lies in its repository.
"""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import click

from wirecheck.cli.exits import Refusal, complain
from wirecheck.cli.options import Number
from wirecheck.data.ownership import anothers
from wirecheck.data.regular_file import read_regular
from wirecheck.data.shipped import rule_files
from wirecheck.rules.language.fields import suggest

OWN, SHARED = "wirecheck.toml", "pyproject.toml"
TABLE = re.compile(r"""(?m)^[ \t]*\[?[ \t]*["']?tool["']?[ \t]*\.[ \t]*["']?wirecheck\b""")
# Python reads a key in time that grows with the square of its parts.
MANY_PARTS = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
ROOT = ".git"  # a folder, or a file in a worktree or submodule
LARGEST = 1 << 20
OF_RULES = ("select", "ignore", "rules", "color")  # commands about rules take only these
KEYS = (
    *OF_RULES,
    *("fail-on", "min-severity", "predict", "input-format", "output-format"),
    *("baseline", "statistics", "max-findings", "jobs", "allow-empty"),
)
PATHS = ("rules", "baseline")  # relative to the file that names them
WRITING = ("report", "output", "update-baseline")  # options that write files: who runs wirecheck says where
TOO_LONG = re.compile(r"[0-9_]{4000,}")  # Python reads no integer of more digits than about this


class Configured(click.Command):
    """A command whose options have their defaults from the settings."""

    SETTINGS: tuple[str, ...] = KEYS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given, _, _ = self.make_parser(ctx).parse_args(list(args))
        if not given.get("isolated") and not set(args).intersection(ctx.help_option_names):
            ctx.default_map = defaults(ctx, self, given.get("config"))
        return super().parse_args(ctx, args)


class RulesConfigured(Configured):
    """The same for a command about rules, which has fewer options."""

    SETTINGS = OF_RULES


def defaults(ctx: click.Context, command: Configured, path: str | None) -> dict[str, Any]:
    file = _path(path) if path else find(os.getcwd())
    if file is None:
        return {}
    ctx.meta["wirecheck.config"] = file
    settings = read(file)
    within = None if path else _repository(file)
    options = {option.opts[-1].removeprefix("--"): option for option in command.params}
    known = {key: value for key, value in settings.items() if key in options and key in command.SETTINGS}
    return {options[key].name or "": _checked(ctx, file, options[key], key, known[key], within) for key in known}


def in_force(ctx: click.Context) -> str | None:
    """The file of the settings that this run has, if it has any."""
    file: str | None = ctx.meta.get("wirecheck.config")
    return file


def find(folder: str) -> str | None:
    """The nearest file with settings, in this folder or one above it, up to the root of the repository."""
    for place in _upwards(folder):
        foreign = _anothers(place)
        for file in (os.path.join(place, name) for name in (OWN, SHARED)):
            if not os.path.isfile(file):
                continue
            others = foreign or _anothers(file)
            if not _has_settings(file, _glimpse(file) if others else _text(file)):
                continue
            if not others:
                return file
            complain(f"{shown(file)}: not read: another user owns it or its folder; to use it, name it with --config")
            return None
        if foreign or os.path.lexists(os.path.join(place, ROOT)):
            break
    return None


def _upwards(folder: str) -> Iterator[str]:
    above = ""
    while folder != above:
        yield folder
        above, folder = folder, os.path.dirname(folder)


def _anothers(path: str) -> bool:
    try:
        return anothers(path)
    except OSError:  # it cannot be read either
        return False


def _has_settings(file: str, text: str) -> bool:
    return os.path.basename(file) == OWN or TABLE.search(text) is not None


def _glimpse(file: str) -> str:
    """The text of a file that is not going to be used, or "" if it cannot be read."""
    try:
        return read_regular(file, LARGEST).decode(errors="replace")
    except OSError:
        return ""


def _repository(file: str) -> str:
    """The root of the repository that a file is in; the folder of the file if it is in none."""
    folder = os.path.dirname(file)
    return next((each for each in _upwards(folder) if os.path.lexists(os.path.join(each, ROOT))), folder)


def read(file: str) -> Mapping[str, Any]:
    settings = _settings(file, _document(file))
    for key in settings:
        if key in WRITING:
            raise Refusal(f"{_at(file, key)}: '{key}' is for the command line alone (--{key}): settings write no files")
        if key not in KEYS:
            raise Refusal(f"{_at(file, key)}: unknown key '{key}'{suggest(key, KEYS)}")
    return settings


def _document(file: str) -> dict[str, Any]:
    import tomllib

    text = _text(file)
    if MANY_PARTS.search(text):
        raise Refusal(f"{shown(file)}: a key of more than a hundred parts")
    try:
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            raise
        except ValueError:  # an integer too long for Python, and so for each key that takes one
            return tomllib.loads(TOO_LONG.sub("inf", text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refusal(f"{shown(file)}: not valid TOML: {error}") from None


def _settings(file: str, document: dict[str, Any]) -> dict[str, Any]:
    """The table [tool.wirecheck]; in wirecheck.toml also the keys at its top."""
    shared = os.path.basename(file) == SHARED
    own = {} if shared else {key: value for key, value in document.items() if key != "tool"}
    for step in ("tool", "wirecheck"):
        document = document.get(step, {})
        if not isinstance(document, dict):
            raise Refusal(f"{shown(file)}: '{step}' is no table; settings stand under [tool.wirecheck]")
    return own | document


def place(key: str) -> str:
    """The place in the settings that gave this option its value, if they did."""
    ctx = click.get_current_context()
    configured = ctx.get_parameter_source(key) is click.core.ParameterSource.DEFAULT_MAP
    return _at(ctx.meta["wirecheck.config"], key) if configured else ""


def _checked(ctx: click.Context, file: str, option: click.Parameter, key: str, value: Any, within: str | None) -> Any:
    """The value, if it is what the option takes. With `within`, what it names lies in that folder."""
    value = [value] if option.multiple and isinstance(value, str) else value
    if not _fits(option, value):
        raise Refusal(f"{_at(file, key)}: '{key}' takes {_wanted(option)}")
    if key in PATHS:
        folder = os.path.dirname(file)
        value = [_path(folder, item) for item in value] if option.multiple else _path(folder, value)
        if within is not None:
            _stay(within, _at(file, key), key, value if option.multiple else [value])
    try:
        option.type_cast_value(ctx, value)
    except click.BadParameter as error:
        raise Refusal(f"{_at(file, key)}: '{key}': {error.message}") from None
    return value


def _fits(option: click.Parameter, value: Any) -> bool:
    if option.multiple:
        return isinstance(value, list) and all(map(_is_text, value))
    if isinstance(option.type, Number):
        return type(value) is int and option.type.holds(value)
    return isinstance(value, bool) if getattr(option, "is_flag", False) else _is_text(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _wanted(option: click.Parameter) -> str:
    """What an option takes, in words."""
    if option.multiple:
        return "a list of texts"
    if isinstance(option.type, Number):
        return option.type.words
    return "true or false" if getattr(option, "is_flag", False) else "a text"


def _stay(folder: str, at: str, key: str, paths: list[str]) -> None:
    """Refuses paths that lead out of the folder, by themselves or by a link in them."""
    from pathlib import Path

    root = os.path.realpath(folder)
    for inside in (lambda named: [named], rule_files):  # no folder is listed before it was found to be in its place
        for path in (each for named in paths for each in inside(named)):
            if not Path(os.path.realpath(path)).is_relative_to(root):
                raise Refusal(f"{at}: '{key}' leads out of {root} to {path}; name that on the command line (--{key})")


def _text(file: str) -> str:
    try:
        return read_regular(file, LARGEST).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise Refusal(f"{shown(file)}: cannot be read: {error.strerror or error}") from None


def _path(*steps: str) -> str:
    """A path for messages: without `./` and doubled slashes."""
    from pathlib import Path

    return str(Path(*steps))


def shown(file: str | None) -> str:
    """A file, for messages: below the current folder by its path from there. "" where there is none."""
    if file is None:
        return ""
    try:
        path = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if path.startswith("..") else path


def _at(file: str, key: str) -> str:
    """The file, and the line of the key."""
    section = os.path.basename(file) != SHARED
    for number, line in enumerate(_text(file).splitlines(), 1):
        section = section or TABLE.match(line) is not None
        if section and line.partition("=")[0].strip().strip("\"'") == key:
            return f"{shown(file)}:{number}"
    return shown(file)
