"""The examples in the documentation of the public names do what they show."""

import doctest
import importlib
from pathlib import Path

import pytest

MODULES = ["wirecheck", "wirecheck.api", "wirecheck.inspector", "wirecheck.finding"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_do_what_they_show(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
