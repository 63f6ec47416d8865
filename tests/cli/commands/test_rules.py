"""Rules as a user meets them: listed, tried, checked, explained."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.logs import RULES, Desk, write_rules
from wirecheck.talk.sessions.closes import CLOSES


def test_rules_are_listed(desk: Desk) -> None:
    result = desk.run("rules", "list", "--rules", "own", "--select", "own-*", env={"COLUMNS": "80"})
    assert [line.split("  ")[0] for line in result.stdout.splitlines()] == [
        "code",
        "------",
        "OWN201",
        "OWN202",
        "2 rules; `wirecheck explain CODE` shows the page of one",
    ]


@pytest.mark.parametrize(
    ("cases", "shown"),
    [
        ("{band: gemini-2, is: off}, {is: error}", "error; off (gemini-2)"),
        ("{where: {role: a}, is: info}, {where: {role: b}, is: info}, {is: off}", "info (in part)"),
        ("{where: {role: a}, is: off}, {band: gemini-2, is: info}", "info (gemini-2)"),
        ("{is: off}", "off"),
    ],
)
def test_a_severity_is_listed_in_a_few_words(desk: Desk, cases: str, shown: str) -> None:
    write_rules(
        desk.folder / "own", **{"own-role": RULES["own-role"].replace("severity: error", f"severity: [{cases}]")}
    )
    result = desk.run("rules", "list", "--rules", "own", "--select", "own-role", env={"COLUMNS": "120"})
    assert f"own-role  {shown}  " in result.stdout


def test_rules_are_listed_for_programs(desk: Desk) -> None:
    result = desk.run("rules", "list", "--rules", "own", "--select", "OWN", "--output-format", "json")
    assert [(rule["code"], rule["severity"]) for rule in json.loads(result.stdout)] == [
        ("OWN201", "error"),
        ("OWN202", "info"),
    ]


def seen(desk: Desk, **days: str) -> None:
    """Rules whose evidence was seen on these days."""
    for name, day in days.items():
        rule = name.replace("_", "-")
        text = (desk.folder / "own" / f"{rule}.yaml").read_text()
        (desk.folder / "own" / f"{rule}.yaml").write_text(
            text.replace("doc:", f"seen: {day}\nlinks: ['https://x.test/']\ndoc:", 1)
        )


@pytest.mark.parametrize(
    ("since", "codes"), [("2026-01-02", ["OWN202"]), ("2026-01-01", ["OWN201", "OWN202"]), ("2026-02-02", [])]
)
def test_rules_are_listed_by_the_day_of_their_evidence(desk: Desk, since: str, codes: list[str]) -> None:
    seen(desk, own_role="2026-01-01", own_smile="2026-02-01")
    result = desk.run("rules", "list", "--rules", "own", "--select", "OWN", "--since", since, "--output-format", "json")
    assert [rule["code"] for rule in json.loads(result.stdout)] == codes


def test_since_takes_a_date(desk: Desk) -> None:
    result = desk.run("rules", "list", "--since", "yesterday")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "Error: Invalid value for '--since': 'yesterday' is no date, as in 2026-03-01",
    )


def test_rules_with_old_evidence_are_listed_the_oldest_first(desk: Desk) -> None:
    today = datetime.now(UTC).date()
    seen(desk, own_role=str(today - timedelta(days=366)), own_smile=str(today - timedelta(days=365)))
    result = desk.run("rules", "stale", "--rules", "own", "--select", "OWN")
    assert (result.exit_code, [line.split("  ")[0] for line in result.stdout.splitlines()]) == (
        1,
        ["code", "------", "OWN201", "1 rule with evidence older than a year, or without a date"],
    )


def test_evidence_without_a_date_is_stale_and_what_has_none_is_not(desk: Desk) -> None:
    assert desk.run("rules", "stale", "--rules", "own", "--select", "OWN").exit_code == 0
    rule = desk.folder / "own" / "own-smile.yaml"
    rule.write_text(rule.read_text().replace("doc:", "links: ['https://x.test/']\ndoc:", 1))
    result = desk.run("rules", "stale", "--rules", "own", "--select", "OWN")
    assert (result.exit_code, "OWN202  own-smile  no date" in result.stdout) == (1, True)


def test_examples_that_behave(desk: Desk) -> None:
    result = desk.run("rules", "test", "own")
    assert (result.exit_code, result.stdout) == (0, "2 examples of 2 rules, 0 failures\n")


def test_examples_that_do_not(desk: Desk) -> None:
    write_rules(desk.folder / "own", **{"own-role": RULES["own-role"].replace("1: role nobody", "1: role somebody")})
    result = desk.run("rules", "test", "own")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "own/own-role.yaml: own-role: nobody",
        "  expected  1: role somebody",
        "  found     1: role nobody",
        "2 examples of 2 rules, 1 failure",
    ]


def test_rule_files_that_are_well_formed(desk: Desk) -> None:
    result = desk.run("rules", "check", "own")
    assert (result.exit_code, result.output) == (0, "own: nothing wrong\n")


@pytest.mark.parametrize(
    "command",
    [("rules", "check", "own"), ("rules", "test", "own"), ("lint", "x.jsonl"), ("explain", "OWN201", "--rules", "own")],
)
def test_what_is_wrong_with_a_rule_file_is_said_with_its_place(desk: Desk, command: tuple[str, ...]) -> None:
    write_rules(desk.folder / "own", **{"own-role": RULES["own-role"].replace("given:", "gven:")})
    result = desk.run(*command)
    assert result.exit_code == 2
    place = [line for line in result.output.splitlines() if "own-role.yaml:9:1" in line]
    assert place[0].endswith("unknown key 'gven', did you mean 'given'?")


@pytest.mark.parametrize(
    "what", ["own-role", "OWN201", "own201", "please use a VALID role", "400 Please use a valid role: user, model."]
)
def test_a_rule_is_explained_by_name_code_or_the_words_of_the_server(desk: Desk, what: str) -> None:
    result = desk.run("explain", what, "--rules", "own")
    assert result.exit_code == 0
    assert "OWN201" in result.stdout


def test_a_finish_reason_finds_the_rule_about_it(desk: Desk) -> None:
    assert desk.run("explain", "MALFORMED_FUNCTION_CALL").stdout.startswith("# finish-malformed-function-call\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("keepalive ping timeout", "WC731"),
        ("ValueError: FunctionResponse request must have an `id` field from the response", "WC709"),
        ("You exceeded your current quota", "WC776"),
        ("The service is currently unavailable.", "WC776"),
        ("Insufficient model resources", "WC776"),
    ],
)
def test_what_ends_a_live_session_finds_its_rule(desk: Desk, text: str, code: str) -> None:
    assert f"`{code}`" in desk.run("explain", text).stdout


CODES = {
    "1000": ["closed in peace", "WC739 go-away-ignored"],
    "1001": ["goes away"],
    "1005": ["no code"],
    "1006": ["No close was seen", "WC714 live-setup-complete-missing"],
    "1007": ["INVALID_ARGUMENT", "WC701 live-setup-not-first", "WC729 live-auth-rejected"],
    "1008": ["NOT_FOUND", "WC723 input-while-tool-pending", "WC730 live-model-not-live"],
    "1011": ["RESOURCE_EXHAUSTED", "WC731 live-client-keepalive-timeout", "WC776 live-server-ended"],
}


@pytest.mark.parametrize(("code", "said"), CODES.items(), ids=CODES)
def test_a_close_code_is_explained_by_its_reasons(desk: Desk, code: str, said: list[str]) -> None:
    page = desk.run("explain", code).stdout
    assert page.startswith(f"# {code}\n")
    assert all(words in page for words in said)
    reasons = [line for line in page.splitlines() if line.startswith("- `")]
    assert max(map(len, reasons), default=0) < 200  # of many rules only some are named


def test_every_reason_of_a_code_is_on_its_page_the_commonest_first(desk: Desk) -> None:
    for code in CODES:
        listed = [line[2:] for line in desk.run("explain", code).stdout.splitlines() if line.startswith("- `")]
        assert sorted(line.split("`")[1] for line in listed) == sorted(
            row.text for row in CLOSES if str(row.code) == code
        )
    assert listed[0].startswith("`Internal error`")
    assert desk.run("explain", "1999").exit_code == 2


def test_rules_of_the_settings_are_known(desk: Desk) -> None:
    assert desk.run("explain", "own-role").stdout.startswith("# own-role\n")
    assert desk.run("explain", "own-role", "--isolated").exit_code == 2
    listed = json.loads(desk.run("rules", "list", "--output-format", "json").stdout)
    assert [rule["name"] for rule in listed] == ["own-role", "own-smile"]
    desk.settings('output-format = "sarif"')  # of findings
    assert desk.run("rules", "list").exit_code == 0


@pytest.mark.parametrize("what", ["OWN2", "own2", "own-*", "OWN"])
def test_a_prefix_lists_its_rules(desk: Desk, what: str) -> None:
    result = desk.run("explain", what)
    assert result.stdout.splitlines() == [
        "2 rules; `wirecheck explain CODE` shows the page of one.",
        "OWN201  own-role: Roles are user or model",
        "OWN202  own-smile: Texts smile",
    ]


def test_a_prefix_lists_its_rules_in_the_order_of_their_codes(desk: Desk) -> None:
    codes = [line.split()[0] for line in desk.run("explain", "WC3").stdout.splitlines()[1:]]
    assert codes == sorted(codes)
    assert len(codes) > 9


@pytest.mark.parametrize(
    "text",
    [
        "Unable to submit request because function call",
        "Unable to submit request because function call  in the 2. content block is missing a . Learn more: https://x",
        "Unable to submit request because function call `default_api:f` in the 9. content block is missing a `thought",
    ],
)
def test_a_text_that_a_shell_or_a_log_cut_finds_its_rule(desk: Desk, text: str) -> None:
    assert "WC401" in "".join(desk.run("explain", text).stdout.splitlines(keepends=True)[:3])


def test_a_page_in_a_pipe_is_plain_markdown(desk: Desk) -> None:
    assert desk.run("explain", "OWN201", "--rules", "own").stdout.startswith("# own-role\n")


def test_a_page_on_a_screen_has_no_marks(desk: Desk) -> None:
    text = desk.run("explain", "OWN201", "--rules", "own", "--color", "always").stdout
    assert text.startswith("\x1b[1mown-role\x1b[0m\n")
    assert "**" not in text
    assert "```" not in text


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("own-rol", "unknown rule 'own-rol', did you mean 'own-role'?"),
        ("OWN203", "unknown rule 'OWN203', did you mean 'OWN20"),
        ("no-such-rule", "unknown rule 'no-such-rule'; `wirecheck rules list`"),
        ("unanswered", "; known: ix-unanswered-requires-action, unanswered-function-call; `wirecheck rules list`"),
        ("the dog ate it", "no rule is known for the text 'the dog ate it'"),
        ("INVALID_ARGUMENT", "record it (`wirecheck record -- COMMAND`)"),
        ("400", "record it (`wirecheck record -- COMMAND`)"),
    ],
)
def test_what_nobody_knows(desk: Desk, what: str, said: str) -> None:
    result = desk.run("explain", what, "--rules", "own")
    assert (result.exit_code, said in result.stderr) == (2, True)
