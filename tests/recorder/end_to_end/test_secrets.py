"""No secret that goes in comes out: twenty kinds, in every place a client or a server can put them."""

import json
import subprocess
from collections.abc import Iterator

import pytest

from tests.recorder.end_to_end.run import WIRECHECK, Run, environment, serving
from tests.recorder.end_to_end.strewing import Mint, strew
from tests.standin import Standin


@pytest.fixture(scope="module")
def strewn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Mint]]:
    """One recording that everything went through."""
    with Standin(keep=False) as server, serving(tmp_path_factory.mktemp("secrets"), server.url) as run:
        mint = strew(run.url)
        run.end()
        yield run, mint


def test_no_secret_is_in_the_log(strewn: tuple[Run, Mint]) -> None:
    run, mint = strewn
    assert len(run.lines("opened")) > len(mint.where) * 0.9
    assert mint.seen(run.log.read_text()) == []


def test_no_secret_is_said_or_reported(strewn: tuple[Run, Mint]) -> None:
    run, mint = strewn
    assert len(run.live()) > 100
    assert mint.seen(run.err + run.out + json.dumps(run.live(), ensure_ascii=False)) == []


def test_what_hides_secrets_hides_no_finding(strewn: tuple[Run, Mint]) -> None:
    run, _ = strewn
    assert run.linted() == run.live()


@pytest.mark.parametrize(
    "command", [("show",), ("lint", "--output-format", "full"), ("lint", "--output-format", "json")]
)
def test_no_secret_is_in_what_is_made_of_the_log(strewn: tuple[Run, Mint], command: tuple[str, ...]) -> None:
    run, mint = strewn
    done = subprocess.run(
        [*WIRECHECK, *command, str(run.log)], capture_output=True, text=True, env=environment(run.folder)
    )
    assert done.stdout
    assert mint.seen(done.stdout + done.stderr) == []


def test_nothing_else_that_is_written_holds_a_secret(strewn: tuple[Run, Mint]) -> None:
    """Whatever is left in the home of whoever recorded."""
    run, mint = strewn
    files = [file for file in run.folder.rglob("*") if file.is_file()]
    assert run.log in files
    assert {file: mint.seen(file.read_text("latin-1")) for file in files} == {file: [] for file in files}
