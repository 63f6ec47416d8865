"""Settings: `[tool.wirecheck]` in pyproject.toml, or wirecheck.toml; the nearest one, upwards from the current folder.

Keys are the long options. Flags win. A wrong key or value is one line for its author.
"""

import os
from collections.abc import Mapping
from typing import Any

import click

from wirecheck.cli.exits import Refusal
from wirecheck.rules.language.fields import suggest

OF_RULES = ("select", "ignore", "rules", "color")  # commands about rules take only these
KEYS = (
    *OF_RULES,
    *("fail-on", "min-severity", "predict", "input-format", "output-format", "report"),
    *("baseline", "statistics", "max-findings", "jobs", "allow-empty"),
)
PATHS = ("rules", "baseline")  # relative to the file that names them


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
    options = {option.opts[-1].removeprefix("--"): option for option in command.params}
    known = {key: value for key, value in settings.items() if key in options and key in command.SETTINGS}
    return {options[key].name or "": _checked(ctx, file, options[key], key, value) for key, value in known.items()}


def find(folder: str) -> str | None:
    for name in ("wirecheck.toml", "pyproject.toml"):
        file = os.path.join(folder, name)
        if os.path.isfile(file) and (name == "wirecheck.toml" or "[tool.wirecheck" in _text(file)):
            return file
    above = os.path.dirname(folder)
    return find(above) if above != folder else None


def read(file: str) -> Mapping[str, Any]:
    import tomllib

    try:
        document = tomllib.loads(_text(file))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refusal(f"{_shown(file)}: not valid TOML: {error}") from None
    settings = _settings(file, document)
    for key in settings:
        if key not in KEYS:
            raise Refusal(f"{_at(file, key)}: unknown key '{key}'{suggest(key, KEYS)}")
    return settings


def _settings(file: str, document: dict[str, Any]) -> dict[str, Any]:
    """The table [tool.wirecheck]; in wirecheck.toml also the keys at its top."""
    shared = os.path.basename(file) == "pyproject.toml"
    own = {} if shared else {key: value for key, value in document.items() if key != "tool"}
    for step in ("tool", "wirecheck"):
        document = document.get(step, {})
        if not isinstance(document, dict):
            raise Refusal(f"{_shown(file)}: '{step}' is no table; settings stand under [tool.wirecheck]")
    return own | document


def place(key: str) -> str:
    """The place in the settings that gave this option its value, if they did."""
    ctx = click.get_current_context()
    configured = ctx.get_parameter_source(key) is click.core.ParameterSource.DEFAULT_MAP
    return _at(ctx.meta["wirecheck.config"], key) if configured else ""


def _checked(ctx: click.Context, file: str, option: click.Parameter, key: str, value: Any) -> Any:
    value = [value] if option.multiple and isinstance(value, str) else value
    if wanted := _other_than_wanted(option, key, value):
        raise Refusal(f"{_at(file, key)}: '{key}' takes {wanted}")
    if key in PATHS:
        folder = os.path.dirname(file)
        value = [_path(folder, item) for item in value] if option.multiple else _path(folder, value)
    try:
        option.type_cast_value(ctx, value)
    except click.BadParameter as error:
        raise Refusal(f"{_at(file, key)}: '{key}': {error.message}") from None
    return value


def _other_than_wanted(option: click.Parameter, key: str, value: Any) -> str:
    """What an option accepts, if this value is something else."""
    if option.multiple:
        return "" if isinstance(value, list) and all(isinstance(item, str) for item in value) else "a list of texts"
    if key in PATHS:
        return "" if isinstance(value, str) else "a text"
    return "one value" if isinstance(value, list | dict) else ""


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read()
    except OSError as error:
        raise Refusal(f"{_shown(file)}: cannot be read: {error.strerror or error}") from None


def _path(*steps: str) -> str:
    """A path for messages: without `./` and doubled slashes."""
    from pathlib import Path

    return str(Path(*steps))


def _shown(file: str) -> str:
    shown = os.path.relpath(file)
    return file if shown.startswith("..") else shown


def _at(file: str, key: str) -> str:
    """The file, and the line of the key."""
    section = os.path.basename(file) != "pyproject.toml"
    for number, line in enumerate(_text(file).splitlines(), 1):
        section = section or line.startswith("[tool.wirecheck")
        if section and line.partition("=")[0].strip().strip("\"'") == key:
            return f"{_shown(file)}:{number}"
    return _shown(file)
