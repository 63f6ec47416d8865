"""Rules from files: the built-in ones, a user's own, and which of them are asked for.

Built-in rules are not validated on each run (the tests and `wirecheck rules check` do that); a user's always are.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from wirecheck import shipped
from wirecheck.models import Models
from wirecheck.rules.fields import Unknown
from wirecheck.rules.rule import Rule, rule
from wirecheck.rules.ruleset import Ruleset
from wirecheck.rules.select import choose
from wirecheck.rules.yamlfile import Document, Problem, Unfit, read


class RuleError(Exception):
    """Rules that cannot be used: one line a problem."""

    def __init__(self, problems: Iterable[Problem | str]) -> None:
        self.problems = tuple(map(str, problems))
        super().__init__("\n".join(self.problems))


def load(user_paths: Iterable[str] = (), select: Iterable[str] = (), ignore: Iterable[str] = ()) -> Ruleset:
    """The rules to judge by: built-in ones and those of user_paths, `select` (all by default) without `ignore`."""
    rules = [*builtin(), *own(user_paths)]
    if twice := list(_twice(rules)):
        raise RuleError(twice)
    try:
        chosen = choose(rules, list(select), list(ignore))
    except Unknown as unknown:
        raise RuleError([str(unknown)]) from None
    try:
        return Ruleset(chosen, shipped.models())
    except Unknown as unknown:  # a built-in rule of a checkout, which nobody has checked yet
        raise RuleError(_blame() or [str(unknown)]) from unknown


def builtin() -> list[Rule]:
    """The rules wirecheck comes with."""
    folder = shipped.checkout()
    if folder is None:
        return [rule(each["rule"], each["path"], builtin=True) for each in shipped.compiled()["rules"]]
    try:
        documents = [_read(path, str(path.relative_to(folder.parent))) for path in shipped.rule_files(folder)]
        return [rule(document.value, document.path, builtin=True) for document in documents]
    except (Unfit, KeyError, TypeError, ValueError, AttributeError) as error:
        raise RuleError(_blame() or [str(error)]) from error


def own(paths: Iterable[str]) -> list[Rule]:
    """A user's rules. Raises RuleError with everything that is wrong with any of them."""
    documents, found = _checked(paths, shipped.models())
    if found:
        raise RuleError(found)
    return [rule(document.value, document.path, builtin=False) for document in documents]


def check(paths: Sequence[str] = ()) -> list[str]:
    """Everything that is wrong with rule files, the built-in ones by default: one line each."""
    folder = shipped.checkout()
    if not paths and folder is None:
        return []  # what the wheel carries was checked before it was built
    documents, found = _checked(paths or [str(folder)], shipped.models())
    if not found:
        rules = [rule(document.value, document.path, builtin=not paths) for document in documents]
        found = list(_twice([*(builtin() if paths else ()), *rules]))
    return list(map(str, found))


def _checked(paths: Iterable[str], models: Models) -> tuple[list[Document], list[Problem | str]]:
    from wirecheck.rules.rulefile import problems

    documents: list[Document] = []
    found: list[Problem | str] = []
    for path in paths:
        for file in (files := list(_files(Path(path)))):
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


def _files(path: Path) -> Iterable[Path]:
    return shipped.rule_files(path) if path.is_dir() else (path,)


def _read(file: Path, path: str) -> Document:
    return read(file.read_bytes(), path)


def _blame() -> list[str]:
    """What is wrong with the rules of a checkout that could not be loaded."""
    return list(map(str, _checked([str(shipped.checkout())], shipped.models())[1]))


def _twice(rules: Sequence[Rule]) -> Iterator[str]:
    """Rules with a name or code that is taken: none may stand in for another silently."""
    taken: dict[str, Rule] = {}
    for each in rules:
        for what, name in (("name", each.name), ("code", each.code)):
            first = taken.setdefault(name, each)
            if first is not each:
                yield f"{each.path}: the {what} '{name}' is taken by {first.path}"
