"""What is said is said in the words of the wire: no message shows how wirecheck names things inside."""

import re

import pytest

from wirecheck.rules import Rule, load

INSIDE = re.compile(r"\b(?:value|body|context|fact)\.[a-z]|(?:look first at|known cause in the request): nothing")


@pytest.mark.parametrize("rule", load().rules, ids=lambda rule: rule.name)
def test_messages_name_what_is_written(rule: Rule) -> None:
    assert not [line for each in rule.page().bad for line in each.finds if INSIDE.search(line)]
