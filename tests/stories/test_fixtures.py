"""The stories of fixtures/: what each shows, and what is found in it.

`python -m tests.stories.test_fixtures` writes conversation.txt and findings.txt anew, for a reader to compare.
"""

import re
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from wirecheck import Inspector, Reader, lint, load
from wirecheck.cli.app import program
from wirecheck.data.shipped import models

if TYPE_CHECKING:
    from wirecheck.talk.facts import Fact

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
STORIES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())
SOUND = [story for story in STORIES if story.endswith("-sound")]
PICTURES = {
    "conversation.txt": ["show"],
    "findings.txt": ["lint", "--output-format", "concise", "--min-severity", "info"],
}


def log(story: str) -> Path:
    return next((FIXTURES / story).glob("log.*"))


def picture(story: str, file: str) -> str:
    """What the program prints of a story. How many rules there are is not part of it."""
    plain = {"COLUMNS": "100", "FORCE_COLOR": "", "NO_COLOR": "1", "GITHUB_ACTIONS": ""}
    with chdir(FIXTURES / story):
        result = CliRunner().invoke(program, [*PICTURES[file], "--isolated", log(story).name], env=plain)
    return re.sub(r", \d+ rules ·", " ·", result.stdout)


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("file", PICTURES)
def test_a_story_is_told_as_it_was_approved(story: str, file: str) -> None:
    assert picture(story, file) == (FIXTURES / story / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("story", STORIES)
def test_something_is_wrong_in_every_story_but_the_sound_ones(story: str) -> None:
    found = {finding.severity for finding in lint(log(story))}
    assert bool(found & {"warning", "error"}) == (story not in SOUND)


@pytest.mark.parametrize("story", SOUND)
def test_a_sound_story_is_silent_whatever_the_server_said(story: str) -> None:
    assert [finding.rule for finding in lint(log(story), predict=True) if finding.severity != "info"] == []


def test_every_band_and_every_surface_has_a_sound_story() -> None:
    heard: list[Fact] = []
    inspector = Inspector(load(), listen=heard.append)
    for record in Reader([str(log(story)) for story in SOUND]):
        inspector.feed(record)
    assert {fact.context.band for fact in heard} >= set(models().bands)
    assert {fact.context.surface for fact in heard} >= set(models().surfaces)


if __name__ == "__main__":
    for each in STORIES:
        for name in PICTURES:
            (FIXTURES / each / name).write_text(picture(each, name), encoding="utf-8")
