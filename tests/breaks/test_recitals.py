"""Sound conversations whose last call is recited otherwise than it was made: found once, in its place."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from wirecheck import Inspector, Reader, load
from wirecheck.finding import Finding

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
OLD = ("currency-old-model-sound", "library-vertex-sound", "restaurant-firebase-sound")  # up to 2.5
NEW = ("calendar-stream-sound", "code-search-sound", "gate-photo-vertex-sound", "trains-alias-sound")
Json = dict[str, Any]


def call_of(part: Json) -> Json:
    found: Json = part.get("functionCall") or part["function_call"]
    return found


def signature_of(part: Json) -> str:
    return next(key for key in part if key in ("thoughtSignature", "thought_signature"))


def cut(part: Json) -> None:
    part[signature_of(part)] = part[signature_of(part)][:28]


def unsign(part: Json) -> None:
    del part[signature_of(part)]


def misplace(part: Json) -> None:
    call_of(part)["thoughtSignature"] = part.pop(signature_of(part))


def stand_in(part: Json) -> None:
    part[signature_of(part)] = "skip_thought_signature_validator"


def rename(part: Json) -> None:
    call_of(part)["name"] += "_v2"


def change(part: Json) -> None:
    call_of(part)["args"] = {"changed": True}


# What is done to the part, the rule that finds it, and where in the part. Up to 2.5 no signatures are asked.
BREAKS: dict[str, tuple[Callable[[Json], None], str, tuple[str, ...]]] = {
    "signature dropped": (unsign, "missing-thought-signature", NEW),
    "signature in the call": (misplace, "misplaced-thought-signature", NEW),
    "signature cut": (cut, "corrupted-thought-signature", NEW),
    "stand-in": (stand_in, "thought-signature-replaced", NEW),
    "renamed": (rename, "recited-call-renamed", OLD + NEW),
    "other arguments": (change, "recited-args-changed", OLD + NEW),
}
# A response bears the name of its call.
BESIDE = {"renamed": "function-response-name-mismatch"}
CASES = [(name, story) for name, (_, _, stories) in BREAKS.items() for story in stories]


def broken(story: str, name: str) -> tuple[list[Json], str]:
    """The lines of a story, with the last call that is recited broken, and where that stands."""
    lines = [json.loads(line) for line in (FIXTURES / story / "log.jsonl").read_text().splitlines()]
    outer = lines[-1]["request"]["body"]
    contents = (outer.get("request") or outer)["contents"]
    turn = max(n for n, content in enumerate(contents) if content["role"] == "model")
    at = next(n for n, part in enumerate(contents[turn]["parts"]) if "functionCall" in part or "function_call" in part)
    BREAKS[name][0](contents[turn]["parts"][at])
    return lines, f"{'/request' if 'request' in outer else ''}/contents/{turn}/parts/{at}"


def found(lines: list[Json], folder: Path) -> list[Finding]:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in deepcopy(lines)))
    inspector = Inspector(load(), predict=True)
    findings = [finding for record in Reader([str(path)]) for finding in inspector.feed(record)]
    return [finding for finding in findings + inspector.close() if finding.severity != "info"]


@pytest.mark.parametrize(("name", "story"), CASES)
def test_a_call_recited_otherwise_is_found_in_its_place(name: str, story: str, tmp_path: Path) -> None:
    lines, place = broken(story, name)
    findings = [one for one in found(lines, tmp_path) if one.rule != BESIDE.get(name)]
    assert [one.rule for one in findings] == [BREAKS[name][1]]
    assert findings[0].place.line == len(lines)
    assert findings[0].place.pointer.startswith(f"/request/body{place}")


@pytest.mark.parametrize("story", OLD + NEW)
def test_a_turn_cut_out_of_a_longer_history_is_found(story: str, tmp_path: Path) -> None:
    """Each story goes on with three more questions; then one turn of the middle is gone."""
    lines = [json.loads(line) for line in (FIXTURES / story / "log.jsonl").read_text().splitlines()]
    for n in range(4):
        lines.append(deepcopy(lines[-1]))
        outer = lines[-1]["request"]["body"]
        contents = (outer.get("request") or outer)["contents"]
        contents += [{"role": "model", "parts": [{"text": f"m{n}"}]}, {"role": "user", "parts": [{"text": f"u{n}"}]}]
        lines[-1]["response"] = said(f"m{n + 1}", lines[-1]["request"]["url"])
    lines[-5]["response"] = said("m0", lines[-1]["request"]["url"])
    assert found(lines, tmp_path) == []
    del contents[-6:-4]
    assert [finding.rule for finding in found(lines, tmp_path)] == ["history-content-gone"]


def said(text: str, url: str) -> Json:
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
    body: Json = {"candidates": [candidate]}
    wrapped = {"response": body} if "cloudcode" in url else body
    return {"status": 200, "headers": {"content-type": "application/json"}, "body": wrapped}
