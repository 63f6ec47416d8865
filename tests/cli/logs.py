"""Logs and rules to try the program on. The rules are a user's own, so that no change of the built-in ones matters."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from wirecheck.cli.app import program

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"
RULES = {
    "own-role": """
        name: own-role
        code: OWN201
        title: Roles are user or model
        severity: error
        doc: |
          Nobody else may speak.

          Say user or model.
        given: content
        where: {container: contents}
        check: {shape: {role: [user, model]}}
        message: "role {role}"
        help: "Say user."
        server: ["Please use a valid role: user, model."]
        examples:
          good:
            - {name: user, model: gemini-3.6-flash, log: '> {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}'}
          bad:
            - name: nobody
              model: gemini-3.6-flash
              log: '> {"contents": [{"role": "nobody", "parts": [{"text": "x"}]}]}'
              finds: ["1: role nobody"]
    """,
    "own-smile": """
        name: own-smile
        code: OWN202
        title: Texts smile
        severity: info
        doc: A text without a smile is sad.
        given: part
        where: {container: contents, "value.text|exists": true}
        check: {shape: {"value.text|ends": ":)"}}
        message: "no smile in {value.text}"
    """,
}


def write_rules(folder: Path, **changed: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in {**RULES, **changed}.items():
        lines = text.strip("\n").splitlines()
        indent = len(lines[0]) - len(lines[0].lstrip())
        (folder / f"{name}.yaml").write_text("\n".join(line[indent:] for line in lines) + "\n", encoding="utf-8")
    return folder


def content(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def exchange(*contents: dict[str, Any], status: int = 200, error: str = "") -> str:
    body: Any = {"error": {"message": error}} if error else {"candidates": [{"content": content("model", "ok :)")}]}
    request = {"method": "POST", "url": URL, "body": {"contents": list(contents)}}
    return json.dumps({"request": request, "response": {"status": status, "body": body}})


GOOD = exchange(content("user", "hi :)"))
SAD = exchange(content("user", "hi"))
BAD = exchange(content("nobody", "hi :)"), status=400, error="Please use a valid role: user, model.")
TOLERATED = exchange(content("nobody", "hi :)"))


def calling(args: dict[str, Any], **properties: str) -> str:
    """A request that declares a function with such properties, and a reply that calls it."""
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in properties.items()}}
    declared = {"name": "look_up", "description": "Looks a word up.", "parametersJsonSchema": schema}
    part = {"functionCall": {"name": "look_up", "args": args, "id": "c1"}, "thoughtSignature": "c2lnbg=="}
    body = {"contents": [content("user", "hi :)")], "tools": [{"functionDeclarations": [declared]}]}
    request = {"method": "POST", "url": URL, "body": body}
    reply = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return json.dumps({"request": request, "response": {"status": 200, "body": {"candidates": [reply]}}})


CALLING = calling({"word": "hello", "times": 2}, word="string", times="integer")


@contextmanager
def deep(folder: Path, levels: int = 1100) -> Iterator[Path]:
    """A folder so deep in this one. It is removed afterwards, for what removes folders recursively could not."""
    paths = [folder.joinpath(*["d"] * level) for level in range(1, levels + 1)]
    for path in paths:
        path.mkdir()
    try:
        yield paths[-1]
    finally:
        for path in reversed(paths):
            for file in path.iterdir():
                file.unlink()
            path.rmdir()


class Desk:
    """A folder with own rules, settings that select only them, and a runner that works in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_rules(folder / "own")
        self.settings("")

    def settings(self, more: str) -> None:
        text = f'select = ["own-*"]\nrules = ["own"]\n{more}\n'
        (self.folder / "wirecheck.toml").write_text(text, encoding="utf-8")

    def write(self, name: str, *lines: str) -> str:
        (self.folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return name

    def run(self, *arguments: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
        quiet = {"GITHUB_ACTIONS": "", "FORCE_COLOR": "", "NO_COLOR": "", "COLUMNS": "", "GITHUB_STEP_SUMMARY": ""}
        return CliRunner().invoke(program, list(arguments), input=stdin, env={**quiet, **(env or {})})

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run("lint", *arguments, "--output-format", "json").stdout)

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")
