"""The functions that built-in rules become, kept beside them.

To write and to compile them takes as long as to judge fifty requests. What is kept goes with the files that it was made
of, and serves the very rules that were read from these; any others become functions when they are asked.
"""

import marshal
from collections.abc import Mapping, Sequence

from msgspec import json

from wirecheck import shipped
from wirecheck.rules.rule import Rule
from wirecheck.rules.ruleset import Kept, Ruleset


def kept(rules: Sequence[Rule]) -> Mapping[str, Kept]:
    """What is kept of the built-in rules, by kinds of facts. In a checkout it is made anew where anything has changed:
    raises Unknown where a rule names what there is not."""
    code = shipped.code(lambda: _said(rules), lambda: compiled(rules))
    named = {rule.path: rule for rule in rules}
    found = {} if code is None else marshal.loads(code)
    return {kind: (tuple([named[path] for path in paths]), functions) for kind, (paths, functions) in found.items()}


def compiled(rules: Sequence[Rule]) -> bytes:
    return marshal.dumps(Ruleset(rules, shipped.models()).kept())


def _said(rules: Sequence[Rule]) -> bytes:
    """All that goes into the functions."""
    return json.encode([(each.path, each.given, each.where, each.check, each.options, each.severity) for each in rules])
