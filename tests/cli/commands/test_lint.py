"""What lint says, and how it ends."""

import json
import os

import pytest

from tests.cli.logs import BAD, GOOD, SAD, TOLERATED, Desk
from wirecheck.report import FOR_PEOPLE, FORMATS

LOGS = {"good": (GOOD,), "sad": (SAD,), "bad": (BAD,), "tolerated": (TOLERATED,), "number": ("3",), "empty": ()}


@pytest.mark.parametrize(
    ("logs", "options", "code"),
    [
        ("good", "", 0),
        ("sad", "", 0),
        ("sad", "--fail-on info", 1),
        ("sad", "--fail-on info --min-severity error", 1),
        ("sad", "--min-severity info", 0),
        ("bad", "", 1),
        ("bad", "--fail-on error", 1),
        ("bad", "--fail-on never", 0),
        ("bad", "--ignore own-role", 0),
        ("bad", "--select OWN202", 0),
        ("bad", "--max-findings 0", 1),
        ("tolerated", "", 1),
        ("tolerated", "--fail-on error", 0),
        ("tolerated", "--fail-on error --predict", 1),
        ("good bad", "", 1),
        ("bad missing", "", 2),
        ("missing", "", 2),
        ("missing", "--allow-empty", 2),
        ("number", "", 2),
        ("number", "--allow-empty", 0),
        ("number good", "", 0),
        ("empty", "", 2),
        ("empty", "--allow-empty", 0),
        ("own", "", 2),
        ("own", "--allow-empty", 0),
        (".", "--fail-on error", 1),
        ("good", "--select no-such-rule", 2),
        ("good", "--select own-role --ignore OWN201", 2),
        ("good", "--rules missing.yaml", 2),
        ("good", "--output-format nosuch", 2),
        ("good", "--input-format nosuch", 2),
        ("good", "--config missing.toml", 2),
        ("good", "--update-baseline", 2),
        ("good", "-o .", 2),
        ("good", "--report json", 2),
        ("good", "--report nosuch=x", 2),
        ("", "", 2),
    ],
)
def test_the_exit_code_is_the_same_for_every_format(desk: Desk, logs: str, options: str, code: int) -> None:
    for name, lines in LOGS.items():
        desk.write(f"{name}.jsonl", *lines)
    paths = [f"{name}.jsonl" if name in (*LOGS, "missing") else name for name in logs.split()]
    for name in FORMATS if "format" not in options else ("json",):
        result = desk.run("lint", *paths, "--output-format", name, *options.split())
        assert result.exit_code == code, (name, result.output)
        assert "Traceback" not in result.output


def test_what_was_found_is_said_although_a_file_is_missing(desk: Desk) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "missing.jsonl")
    assert "own-role" in result.stdout
    assert "missing.jsonl: No such file or directory" in result.stderr


def test_nothing_to_judge_is_said_with_its_reasons(desk: Desk) -> None:
    result = desk.run("lint", desk.write("odd.jsonl", "3", "4", '{"level": "info"}'))
    assert "nothing in the input was traffic: 3 lines read" in result.stderr
    assert "nothing judged" in result.stdout
    assert "odd.jsonl:1: skipped, a number (2 lines)" in result.stderr
    assert "odd.jsonl:3: skipped" in result.stderr


def test_a_file_that_is_no_log_is_told_once_and_fails(desk: Desk) -> None:
    (desk.folder / "ls").write_bytes(b"\x7fELF" + bytes(range(256)) * 99)
    result = desk.run("lint", "ls")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("wirecheck: ls: a program, not a log: ")
    assert result.stdout.startswith("0 lines → 0 conversations")


WRAPPED = json.dumps({"event": {"sent": json.loads(GOOD)}})


@pytest.mark.parametrize(
    ("lines", "formats"),
    [
        ([WRAPPED], ["exchanges"]),
        ([json.dumps({"log": GOOD})], ["exchanges"]),
        (
            [json.dumps({"a": json.dumps({"b": {"contents": []}}), "c": [{"role": "user", "content": "x"}]})],
            ["bodies", "messages"],
        ),
        ([json.dumps({"a": {"contents": []}}), json.dumps({"b": {"messages": []}})], ["bodies", "messages"]),
        ([GOOD, WRAPPED], ["exchanges"]),
        ([GOOD], []),
        ([f"[{GOOD}]"], []),
        ([json.dumps({"request": {"contents": []}, "response": {"candidates": []}})], []),
        ([json.dumps({"request": {"contents": []}, "response": [{"candidates": []}]})], []),
        ([json.dumps({"request": {"sent": {"contents": []}}, "response": {"x": 1}})], ["bodies"]),
        ([json.dumps({"contents": []})], []),
        ([json.dumps({"from": "client", "data": {"setup": {}}})], []),
        ([json.dumps({"setup": {}})], []),
        ([json.dumps({"role": "user", "content": "hi"})], []),
        ([json.dumps([{"role": "user", "parts": []}])], []),
        ([json.dumps({"frames": [{"dir": "client", "data": {"setup": {}}}]})], []),
        (['{"v":1,"kind":"opened","channel":"1","method":"POST","url":"u","body":{}}'], []),
    ],
)
def test_what_was_found_by_searching_values_is_called_a_guess(desk: Desk, lines: list[str], formats: list[str]) -> None:
    log = desk.write("log.jsonl", *lines)
    said = desk.run("lint", log).stdout.splitlines()[-1]
    assert (f" · read as {', '.join(formats)}: a guess · " in said) == bool(formats)
    assert ("guess" in said) == bool(formats)
    assert desk.json(log)["checked"]["guesses"] == ([{"path": log, "formats": formats}] if formats else [])


def test_of_several_files_those_that_were_guessed_are_counted(desk: Desk) -> None:
    logs = [desk.write(f"{n}.jsonl", line) for n, line in enumerate((GOOD, WRAPPED, WRAPPED))]
    result = desk.run("lint", *logs, "-v")
    assert " · 2 of 3 files read as exchanges: a guess · " in result.stdout
    assert "1.jsonl: read as exchanges, which is a guess" in result.stderr
    assert " · read as exchanges: a guess · " in desk.run("show", logs[1]).stdout.replace("\n", " ")


def test_a_prefix_before_json_is_told_once(desk: Desk) -> None:
    log = desk.write("app.log", "12:00 INFO starting", f"12:01 INFO {BAD}", f"12:02 INFO {GOOD}")
    result = desk.run("lint", log)
    assert (result.exit_code, result.stdout.count("\n")) == (1, 2)
    assert result.stdout.startswith("app.log:2: error[OWN201 own-role] role nobody /request/body/contents/0")
    assert " · 1 line skipped · JSON after a prefix in 2 lines · " in result.stdout
    assert desk.json(log)["checked"]["prefixed"] == 2


def test_files_of_a_folder_that_are_no_logs_are_counted_and_named_on_demand(desk: Desk) -> None:
    desk.write("good.jsonl", GOOD)
    desk.write("package.json", "{}")
    (desk.folder / "a.png").write_bytes(b"x")
    result = desk.run("lint", ".", "-v")
    assert result.exit_code == 0
    assert " · 5 files passed over · " in result.stdout  # with the rules and settings of the desk
    assert "./package.json: passed over: by its name it is no log" in result.stderr
    assert desk.json(".")["checked"]["passed_over"] == {".yaml": 2, ".png": 1, ".json": 1, ".toml": 1}
    assert "a.png" not in desk.run("lint", ".").stderr


@pytest.mark.parametrize("several", [False, True])
def test_a_folder_without_logs_says_what_lies_there_and_fails(desk: Desk, several: bool) -> None:
    logs = [desk.write("good.jsonl", GOOD)] if several else []
    result = desk.run("lint", "own", *logs)
    assert (result.exit_code, result.stderr) == (2, "wirecheck: nothing to read in own: 2 .yaml\n")


OTHER = json.dumps({"request": {"url": "https://api.openai.com/v1/responses", "body": {"input": "x"}}, "response": {}})
CASSETTE = """interactions:
- request: {method: POST, uri: https://api.anthropic.com/v1/messages, body: '{"messages": []}'}
  response: {status: {code: 200}, body: {string: '{}'}}
"""


def test_files_of_other_hosts_alone_are_not_green(desk: Desk) -> None:
    (desk.folder / "cassette.yaml").write_text(CASSETTE, encoding="utf-8")
    result = desk.run("lint", desk.write("log.jsonl", OTHER, OTHER), "cassette.yaml")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == (
        "wirecheck: nothing in the input could be judged: "
        "requests to api.openai.com (2 ×), requests to api.anthropic.com (1 ×)"
    )
    assert "nothing judged · 3 not judged" in result.stdout
    assert desk.run("lint", "log.jsonl", "--allow-empty").exit_code == 0
    assert desk.run("lint", "log.jsonl", desk.write("good.jsonl", GOOD)).exit_code == 0


def test_a_mistake_that_is_recited_again_is_one_finding(desk: Desk) -> None:
    contents = [{"role": "nobody", "parts": [{"text": "hi :)"}]}]
    lines = []
    for turn in range(4):
        contents += [{"role": "model", "parts": [{"text": f"{turn} :)"}]}, {"role": "user", "parts": [{"text": ":)"}]}]
        request = {"url": "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent"}
        lines.append(json.dumps({"request": {**request, "body": {"contents": contents}}, "response": {"status": 200}}))
    (finding,) = desk.json(desk.write("log.jsonl", *lines))["findings"]
    assert (finding["line"], finding["repeated"]) == (1, 3)


def test_infos_are_counted_and_listed_only_on_demand(desk: Desk) -> None:
    log = desk.write("sad.jsonl", SAD)
    assert "1 info (not listed)" in desk.run("lint", log).stdout
    assert desk.json(log)["findings"] == []
    assert len(desk.json(log, "--min-severity", "info")["findings"]) == 1
    assert desk.json(log)["summary"]["info"] == 1


def test_the_limit_hides_findings_and_counts_them(desk: Desk) -> None:
    log = desk.write("bad.jsonl", BAD, BAD.replace("hi", "ho"), BAD.replace("hi", "hu"))
    result = desk.run("lint", log, "--max-findings", "1")
    assert result.stdout.count("own-role") == 1
    assert "3 errors · 2 more not listed" in result.stdout


def test_no_rules_are_not_green(desk: Desk) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--ignore", "own-*")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "wirecheck: no rule is left to judge by: --ignore takes away all that --select picks\n"


def test_a_file_is_read_once_however_it_is_named(desk: Desk) -> None:
    desk.write("bad.jsonl", BAD)
    os.symlink("bad.jsonl", "link.jsonl")
    report = desk.json("bad.jsonl", "bad.jsonl", "./bad.jsonl", "link.jsonl")
    assert (report["checked"]["files"], report["summary"]["error"]) == (1, 1)
    assert report["findings"][0]["path"] == "bad.jsonl"


def test_rules_are_read_once_however_they_are_named(desk: Desk) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--rules", "own", "--rules", "own", "--rules", "./own")
    assert (result.exit_code, "2 rules" in result.stdout) == (1, True)


def test_reports_in_files_have_no_colour_unless_it_is_asked_for(desk: Desk) -> None:
    log, env = desk.write("bad.jsonl", BAD), {"FORCE_COLOR": "1"}
    for more, coloured in (([], False), (["--color", "always"], True)):
        desk.run("lint", log, "--output-format", "full", "-o", "out", "--report", "table=beside", *more, env=env)
        assert [("\x1b" in desk.read(name)) for name in ("out", "beside")] == [coloured, coloured]


def test_standard_input_is_a_log(desk: Desk) -> None:
    result = desk.run("lint", "-", stdin=BAD)
    assert result.stdout.startswith("<stdin>:1: error[OWN201 own-role] role nobody")


def test_statistics_count_by_rule_in_place_of_the_findings(desk: Desk) -> None:
    log = desk.write("bad.jsonl", BAD, BAD.replace("hi", "ho"), SAD)
    lines = desk.run("lint", log, "--statistics").stdout.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["2", "error", "OWN201", "own-role"],
        ["1", "info", "OWN202", "own-smile"],
    ]
    assert len(lines) == 3


@pytest.mark.parametrize("name", FORMATS)
def test_the_last_line_says_what_was_checked(desk: Desk, name: str) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "--output-format", name)
    said = result.stdout if name in FOR_PEOPLE else result.stderr
    assert said.splitlines()[-1] == "1 line → 1 exchange → 1 conversation, 2 rules · 1 error · settings: wirecheck.toml"


def test_quiet_says_findings_only(desk: Desk) -> None:
    result = desk.run("lint", desk.write("bad.jsonl", BAD), "-q")
    assert len(result.output.splitlines()) == 1


def test_verbose_says_what_was_not_judged(desk: Desk) -> None:
    result = desk.run("lint", desk.write("log.jsonl", GOOD, "3"), "-v")
    assert "log.jsonl:2: skipped, a number (1 line)" in result.stderr


def test_several_reports_of_one_run(desk: Desk) -> None:
    log = desk.write("bad.jsonl", BAD)
    result = desk.run("lint", log, "-o", "out.txt", "--report", "json=out.json", "--report", "table=out.table")
    assert (result.exit_code, result.stdout) == (1, "")
    assert json.loads(desk.read("out.json"))["summary"]["error"] == 1
    assert desk.read("out.txt").startswith("bad.jsonl:1: error[OWN201")
    assert "own-role" in desk.read("out.table")


def test_why_a_rule_matters_is_told_once(desk: Desk) -> None:
    log = desk.write("bad.jsonl", BAD, BAD.replace("hi", "ho"))
    text = desk.run("lint", log, "--output-format", "full").stdout
    assert text.count("Nobody else may speak.") == 1
    assert text.count("repair: Say user.") == 2


@pytest.mark.parametrize(
    ("env", "first"), [({"GITHUB_ACTIONS": "true"}, "::error title=OWN201 own-role"), ({}, "bad.jsonl:1: error")]
)
def test_auto_is_the_format_for_whoever_reads(desk: Desk, env: dict[str, str], first: str) -> None:
    assert desk.run("lint", desk.write("bad.jsonl", BAD), env=env).stdout.startswith(first)


def test_github_gets_a_summary_of_the_job(desk: Desk) -> None:
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"}
    desk.run("lint", desk.write("bad.jsonl", BAD), env=env)
    assert "| bad.jsonl&#58;1 | error | OWN201 own-role | role nobody |" in desk.read("summary.md")


def test_the_server_confirms_or_tolerates(desk: Desk) -> None:
    found = desk.json(desk.write("log.jsonl", BAD, TOLERATED.replace("hi", "ho")))["findings"]
    assert [(each["severity"], each["server"]["verdict"]) for each in found] == [
        ("error", "confirmed"),
        ("warning", "tolerated"),
    ]
