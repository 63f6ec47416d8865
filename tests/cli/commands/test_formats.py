"""What is read, listed."""

from tests.cli.logs import Desk
from wirecheck.cli.commands.formats import LINES
from wirecheck.sources import FORMATS as OF_LINES
from wirecheck.sources.formats.known_formats import FORMATS


def test_every_format_is_listed(desk: Desk) -> None:
    result = desk.run("formats", env={"COLUMNS": "400"})
    assert result.exit_code == 0
    for known in FORMATS:
        assert (f"\n{known.name} " in result.stdout) is bool(known.module)
        assert known.title in result.stdout
        assert (known.where if known.module else known.instead) in result.stdout


def test_every_form_of_lines_is_listed() -> None:
    assert set(LINES) == set(OF_LINES)


def test_the_names_are_those_that_lint_takes(desk: Desk) -> None:
    (desk.folder / "x.yaml").write_text("interactions: []\n")
    for known in FORMATS:
        result = desk.run("lint", "x.yaml", "--input-format", known.name)
        assert ("unknown value" in result.stderr) is not bool(known.module)
