"""The logs that speed is measured with: the same for a seed, sound, and wrong where that is asked for."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bench import rivals
from bench.__main__ import LIVE, LOGS, WIDE
from bench.agent import MISTAKES
from bench.logs import AT_ONCE, lines, work
from bench.measure import form
from bench.rivals import RIVALS
from bench.shares import BESIDE, CONFIG, MODELS, OTHERS, STATUS, SURFACES, TOOL_KINDS
from wirecheck import lint
from wirecheck.finding import Finding

SCALE, FEW = 0.0003, 2
HTTP = [*LOGS, "10"]  # numbers of turns are logs too
SHORT = [*HTTP, *LIVE]


def put(folder: Path, name: str, mistakes: int | None = 0, seed: int = 0, scale: float = SCALE) -> str:
    path = folder / f"{name}.jsonl"
    path.write_bytes(b"".join(lines(name, scale, seed, mistakes)))
    return str(path)


def found(path: str) -> list[Finding]:
    return [finding for finding in lint(path) if finding.severity != "info"]


def read(name: str, scale: float = SCALE, seed: int = 0, mistakes: int | None = None) -> list[Any]:
    return [json.loads(line) for line in lines(name, scale, seed, mistakes)]


@pytest.mark.parametrize("name", SHORT)
def test_a_log_is_the_same_for_the_same_seed(name: str) -> None:
    first, again, other = (b"".join(lines(name, SCALE, seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("name", SHORT)
def test_nothing_is_wrong_in_a_log(name: str, seed: int, tmp_path: Path) -> None:
    assert found(put(tmp_path, name, seed=seed)) == []


@pytest.mark.parametrize("name", HTTP)
def test_so_many_conversations_go_wrong_as_were_asked_for(name: str, tmp_path: Path) -> None:
    assert len({finding.conversation for finding in found(put(tmp_path, name, FEW))}) == FEW


@pytest.mark.parametrize("name", LIVE)
def test_so_many_calls_of_sessions_go_wrong_as_were_asked_for(name: str, tmp_path: Path) -> None:
    findings = found(put(tmp_path, name, FEW, scale=0.002))
    assert sum(each.rule == "tool-response-unknown-id" for each in findings) == FEW


def test_every_kind_of_mistake_is_found(tmp_path: Path) -> None:
    findings = found(put(tmp_path, "small", len(MISTAKES)))
    assert len({finding.conversation for finding in findings}) == len(MISTAKES)


def test_mixed_has_mistakes_of_itself(tmp_path: Path) -> None:
    assert len({finding.rule for finding in found(put(tmp_path, "mixed", None, scale=0.003))}) > 4


def test_conversations_interleave() -> None:
    asked = [line["request"]["body"]["contents"][0] for line in read("10", 0.001)]
    changes = sum(one != other for one, other in pairwise(asked))
    assert len({json.dumps(one) for one in asked}) > AT_ONCE
    assert changes > len(asked) / 2


def test_sessions_with_channels_interleave() -> None:
    for name in ("live.channel", "live.full", "live.records"):
        channels = [frame["channel"] for frame in read(name, 0.02)]
        assert sum(one != other for one, other in pairwise(channels)) > len(channels) / 4


# What a frame of a form has beside its data, and of a session.
KEYS = {
    "live": {"from", "data"},
    "live.at": {"at", "dir", "data"},
    "live.channel": {"channel", "direction", "data"},
    "live.full": {"channel", "url", "at", "from", "data"},
    "live.sessions": {"url", "frames", "close"},
}


@pytest.mark.parametrize("name", KEYS)
def test_frames_have_the_keys_of_their_form(name: str) -> None:
    assert {frozenset(line) for line in read(name)} == {frozenset(KEYS[name])}


def shapes(name: str) -> Counter[str]:
    """How the keys of lines are ordered, whatever their values."""
    return Counter(json.dumps(shape(line)) for line in read(name, 0.005))


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [[key, shape(each)] for key, each in value.items()]
    return [shape(each) for each in value] if isinstance(value, list) else type(value).__name__


@pytest.mark.parametrize("name", ["small", "mixed"])
def test_lines_are_no_copies_of_few_templates(name: str) -> None:
    counted = shapes(name)
    assert counted.most_common(1)[0][1] < counted.total() / 10
    assert len(counted) > counted.total() / 4


@pytest.fixture(scope="module")
def mixed() -> list[Any]:
    return read("mixed", 0.02)


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(each)


def url(line: Any) -> str:
    request = line["request"]
    return str(request["url"] if "url" in request else request["uri"])


def bodies(lines: list[Any]) -> Iterator[Any]:
    for side in (line[half]["body"] for line in lines for half in ("request", "response")):
        text = side["string"] if isinstance(side, dict) and isinstance(side.get("string"), str) else side
        try:
            yield json.loads(text) if isinstance(text, str) else text
        except ValueError:
            yield from (json.loads(data) for data in events(text))


def events(text: str) -> Iterator[str]:
    data = (line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: "))
    return (each for each in data if each != "[DONE]")


def test_mixed_has_all_surfaces_and_methods(mixed: list[Any]) -> None:
    hosts = {
        "gemini-api": "generativelanguage.googleapis.com",
        "vertex": "aiplatform.googleapis.com",
        "code-assist": "cloudcode-pa.googleapis.com",
        "firebase": "firebasevertexai.googleapis.com",
        "interactions": "/interactions",
        "openai-compat": "/chat/completions",
        "countTokens": ":countTokens",
        "embedContent": ":embedContent",
    }
    assert set(hosts) == set(SURFACES | OTHERS)
    asked = " ".join(map(url, mixed))
    assert [kind for kind, host in hosts.items() if host not in asked] == []
    assert ":generateContent" in asked
    assert ":streamGenerateContent?alt=sse" in asked
    assert ":streamGenerateContent " in asked


def test_the_smallest_mixed_log_has_all_models_and_surfaces() -> None:
    text = b"".join(lines("mixed", 0.0001)).decode()
    assert len(MODELS) >= 30
    assert [name for name in MODELS if f"{name}:" not in text and f'"{name}"' not in text] == []
    assert "cloudcode-pa" in text


PROMISED = """safetySettings labels cachedContent fileData inlineData systemInstruction generationConfig toolConfig
avgLogprobs logprobsResult safetyRatings groundingMetadata urlContextMetadata finishMessage serviceTier trafficType
cachedContentTokenCount createTime system_instruction generation_config function_call function_response"""


def test_mixed_has_all_keys(mixed: list[Any]) -> None:
    seen = Counter(key for body in bodies(mixed) for key in keys(body))
    assert [key for key in [*PROMISED.split(), *TOOL_KINDS, *CONFIG] if not seen[key]] == []
    beside = Counter(key for line in mixed for key in line)
    assert [key for key in BESIDE if not beside[key]] == []
    moments = [line["timestamp"] for line in mixed if "timestamp" in line]
    assert len({type(moment) for moment in moments}) == 3
    assert len({len(str(moment)) for moment in moments}) > 4


def test_mixed_is_refused_now_and_then(mixed: list[Any]) -> None:
    counted = Counter(line["response"]["status"] for line in mixed)
    assert set(STATUS) <= set(counted)
    assert 0.85 < counted[200] / counted.total() < 0.97


def test_large_lines_are_among_small_ones() -> None:
    *small, first, second, third = sorted(len(line) for line in lines("large", 0))
    assert 19_000_000 < first <= second <= third < 22_000_000
    assert max(small) < 5_000


def test_a_tiny_value_is_one_of_a_million() -> None:
    (line,) = read("tiny", 0)
    rows = line["request"]["body"]["contents"][2]["parts"][0]["functionResponse"]["response"]["rows"]
    assert sum(map(len, rows)) == 1_000_000


@pytest.mark.parametrize("name", WIDE)
def test_wide_logs_are_sound(name: str, tmp_path: Path) -> None:
    assert found(put(tmp_path, name)) == []


@pytest.mark.parametrize("rival", ["jq", "duckdb"])
@pytest.mark.parametrize("name", [*LOGS, *LIVE])
def test_rivals_answer_their_question(rival: str, name: str, tmp_path: Path) -> None:
    if not RIVALS[rival].there():
        pytest.skip(f"{rival} is not installed")
    if form(name) not in RIVALS[rival].forms:
        pytest.skip(f"{rival} is not asked about {name}")
    scale = 0.002 if name in LIVE else SCALE
    sound, wrong = (said(rival, name, [put(tmp_path, name, mistakes, scale=scale)]) for mistakes in (0, 20))
    assert sound in (b"", b"[]\n")
    assert wrong != sound


def said(rival: str, name: str, paths: list[str]) -> bytes:
    command = RIVALS[rival].command(form(name), paths)
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


@pytest.mark.parametrize("rival", ["jq", "duckdb"])
def test_rivals_read_all_files_of_a_log(rival: str, tmp_path: Path) -> None:
    if not RIVALS[rival].there():
        pytest.skip(f"{rival} is not installed")
    sound, wrong = (put(tmp_path, name, mistakes) for name, mistakes in (("10", 0), ("small", 20)))
    assert said(rival, "small", [sound, sound]) == said(rival, "small", [sound])
    assert said(rival, "small", [sound, wrong]) not in (b"", b"[]\n")


@pytest.mark.parametrize("rival", ["orjson", "json"])
def test_lines_that_are_no_json_are_passed_over(rival: str, tmp_path: Path) -> None:
    (path := tmp_path / "log.jsonl").write_text('{"a": 1}\nnonsense\n')
    assert subprocess.run(RIVALS[rival].command("any", [str(path)]), check=False).returncode == 0


def test_rivals_that_are_missing_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "jq" not in rivals.commands("exchanges", ["log.jsonl"])
    assert "orjson" in rivals.commands("exchanges", ["log.jsonl"])


def test_a_log_in_our_own_format_is_of_the_form_of_records() -> None:
    assert [form(name) for name in ("small.records", "mixed", "mixed.records", "10.records")] == [
        *("records", "any", "records", "records")
    ]
    assert [form(name) for name in ("live", "live.sessions", "live.records", "strings")] == [
        *("frames", "sessions", "frames", "strings")
    ]
    assert work("100").talk is not None


@pytest.mark.parametrize(
    "name", ["nonsense", "small/8", "small.else", "0", "long/-1", "tiny.records", "live.records.x"]
)
@pytest.mark.parametrize(("module", "argument"), [("bench", "logs"), ("bench.logs", "name")])
def test_a_log_that_is_not_there_is_said_to_be_none(module: str, argument: str, name: str) -> None:
    run = subprocess.run([sys.executable, "-m", module, name], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1] == f"python -m {module}: error: argument {argument}: there is no log {name!r}"
