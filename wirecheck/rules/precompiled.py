"""What the functions of built-in rules compile to, kept beside them: to compile takes as long as to judge ten requests.

Functions are known by their text. So what was compiled of other rules, or by another wirecheck, is never wrong: it is
only of no use.
"""

import marshal
from collections.abc import Sequence

from wirecheck import shipped
from wirecheck.rules.code import KNOWN
from wirecheck.rules.rule import Rule
from wirecheck.rules.ruleset import Ruleset


def know(rules: Sequence[Rule]) -> None:
    """Know what is kept of these built-in rules. Where a checkout has other ones than are known, it is made anew, and
    Unknown raised where one of them names what there is not."""
    if (code := shipped.code(lambda: compiled(rules))) is not None:
        KNOWN.update(marshal.loads(code))


def compiled(rules: Sequence[Rule]) -> bytes:
    """All that may have to be asked of facts, as it is kept."""
    return marshal.dumps(dict(function.compiled() for function in Ruleset(rules, shipped.models()).functions()))
