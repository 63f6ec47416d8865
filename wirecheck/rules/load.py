"""Rules from files: the built-in ones, a user's own, and which of them are asked for.

Built-in rules are not validated on each run (the tests and `wirecheck rules check` do that); a user's always are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wirecheck import shipped
from wirecheck.models import Models
from wirecheck.rules.fields import Unknown
from wirecheck.rules.rule import Rule, rule
from wirecheck.rules.ruleset import Ruleset
from wirecheck.rules.select import choose
from wirecheck.rules.yamlfile import Document, Problem, Unfit, read
from wirecheck.wire.scrub import plain

LONGEST = 500  # of a line about a problem


class RuleError(Exception):
    """Rules that cannot be used: one line a problem."""

    def __init__(self, problems: Iterable[Problem | str]) -> None:
        self.problems = tuple(_lines(problems))
        super().__init__("\n".join(self.problems))


def load(user_paths: Sequence[str] = (), select: Iterable[str] = (), ignore: Iterable[str] = ()) -> Ruleset:
    """The rules to judge by: built-in ones and those of user_paths, `select` (all by default) without `ignore`."""
    mine = own(user_paths) if user_paths else []
    rules = [*_without(builtin(), mine), *mine]
    if twice := list(_twice(rules)):
        raise RuleError(twice)
    try:
        chosen = choose(rules, list(select), list(ignore))
    except Unknown as unknown:
        raise RuleError([str(unknown)]) from None
    try:
        return Ruleset(chosen, shipped.models(), set(rules).difference(chosen))
    except Unknown as unknown:  # a built-in rule of a checkout, which nobody has checked yet
        raise RuleError(_check_builtin() or [str(unknown)]) from unknown


def builtin() -> list[Rule]:
    """The rules wirecheck comes with."""
    folder = shipped.checkout()
    if folder is None:
        return _rules(shipped.compiled("rules"))
    files = list(shipped.rule_files(folder))
    try:
        return _rules(shipped.parsed("rules", files, partial(_values, files, folder.parent)))
    except (Unfit, KeyError, TypeError, ValueError, AttributeError) as error:
        raise RuleError(_check_builtin() or [str(error)]) from error


def _rules(values: Mapping[str, Any]) -> list[Rule]:
    return [rule(value, path, builtin=True) for path, value in values.items()]


def _values(files: Iterable[Path], root: Path) -> dict[str, Any]:
    documents = [_read(file, str(file.relative_to(root))) for file in files]
    return {document.path: document.value for document in documents}


def own(paths: Sequence[str]) -> list[Rule]:
    """A user's rules. Raises RuleError with everything that is wrong with any of them."""
    documents, found = _checked(paths, shipped.models())
    if found:
        raise RuleError(found)
    return [rule(document.value, document.path, builtin=False) for document in documents]


def check(paths: Sequence[str] = ()) -> list[str]:
    """Everything that is wrong with rule files, the built-in ones by default: one line each."""
    if not paths:
        return _check_builtin()
    documents, found = _checked(paths, shipped.models())
    if not found:
        mine = [rule(document.value, document.path, builtin=False) for document in documents]
        found = list(_twice([*_without(builtin(), mine), *mine]))
    return _lines(found)


def _check_builtin() -> list[str]:
    folder = shipped.checkout()
    if folder is None:
        return []  # what the wheel carries was checked before it was built
    found = _checked([str(folder)], shipped.models())[1]
    return [line.removeprefix(f"{folder.parent}/") for line in _lines(found)] or list(_twice(builtin()))


def _checked(paths: Iterable[str], models: Models) -> tuple[list[Document], list[Problem | str]]:
    from wirecheck.rules.rulefile import problems

    documents: list[Document] = []
    found: list[Problem | str] = []
    for path in paths:
        files = list(_files(Path(path)))
        for file in files:
            try:
                documents.append(document := _read(file, str(file)))
                found += problems(document, models)
            except Unfit as unfit:
                found.append(unfit.problem)
            except OSError as error:
                found.append(f"{file}: {error.strerror}")
        if not files:
            found.append(f"{path}: no rule files (*.yaml) in it")
    return documents, found


def _lines(found: Iterable[Problem | str]) -> list[str]:
    """Problems as lines for a terminal, whatever a file has in its names."""
    return [plain(str(each), LONGEST) for each in found]


def _files(path: Path) -> Iterable[Path]:
    return shipped.rule_files(path) if path.is_dir() else (path,)


def _read(file: Path, path: str) -> Document:
    return read(file.read_bytes(), path)


def _without(rules: Sequence[Rule], mine: Sequence[Rule]) -> list[Rule]:
    """Built-in rules without those of which a user names the very file."""
    files = {Path(each.path).resolve() for each in mine}
    if not files:
        return list(rules)
    return [each for each in rules if (shipped.PACKAGE.parent / each.path).resolve() not in files]


def _twice(rules: Sequence[Rule]) -> Iterator[str]:
    """Rules with a name or code that is taken: none may stand in for another silently."""
    taken: dict[str, Rule] = {}
    for each in rules:
        for what, name in (("name", each.name), ("code", each.code)):
            first = taken.setdefault(name, each)
            if first is not each:
                yield f"{each.path}: the {what} '{name}' is taken by {first.path}"
