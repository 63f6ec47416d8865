"""Validates rule files before they are used: a user's own, and those of a checkout."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wirecheck.data import shipped
from wirecheck.data.regular_file import read_regular
from wirecheck.models import Models
from wirecheck.rules.engine.load import RuleError, builtin, lines, twice, without
from wirecheck.rules.engine.rulefile import problems
from wirecheck.rules.language.rule import Rule, page, rule
from wirecheck.rules.language.yamlfile import LARGEST, Document, FileProblem, UnreadableFile, read


def own(paths: Sequence[str]) -> list[Rule]:
    """A user's rules. Raises RuleError with the problems of all of them."""
    documents, found = _checked(paths, shipped.models())
    if found:
        raise RuleError(found)
    return list(map(_rule, documents))


def check(paths: Sequence[str] = ()) -> list[str]:
    """The problems of rule files, the built-in ones by default: one line each."""
    if not paths:
        return check_builtin()
    documents, found = _checked(paths, shipped.models())
    if not found:
        mine = list(map(_rule, documents))
        found = list(twice([*without(builtin(), mine), *mine]))
    return lines(found)


def check_builtin() -> list[str]:
    folder = shipped.checkout()
    if folder is None:
        return []  # the rules of a wheel were validated when it was built
    try:
        parse_builtin(folder)
    except RuleError as error:
        return list(error.problems)
    return list(twice(builtin()))


def parse_builtin(folder: str) -> dict[str, Any]:
    """The parsed rule files of a checkout, by path. Raises RuleError with all problems."""
    documents, found = _checked([folder], shipped.models())
    if found:
        raise RuleError([line.removeprefix(f"{shipped.root()}/") for line in lines(found)])
    return {os.path.relpath(document.path, shipped.root()): document.value for document in documents}


def _rule(document: Document) -> Rule:
    return rule(document.value, document.path, partial(page, document.value), builtin=False)


def _tell(found: list[FileProblem | str], error: OSError) -> None:
    found.append(f"{error.filename}: {error.strerror}")


def _checked(paths: Iterable[str], models: Models) -> tuple[list[Document], list[FileProblem | str]]:
    documents: list[Document] = []
    found: list[FileProblem | str] = []
    for path in paths:
        spelled = str(Path(path))
        files = shipped.rule_files(spelled, partial(_tell, found)) if os.path.isdir(spelled) else [spelled]
        for file in files:
            try:
                documents.append(document := read(read_regular(file, LARGEST), file))
                found += problems(document, models)
            except UnreadableFile as unfit:
                found.append(unfit.problem)
            except OSError as error:
                found.append(f"{file}: {error.strerror}")
        if not files:
            found.append(f"{path}: no rule files (*.yaml) in it")
    return documents, found
