"""A report with one of everything that a format has to show."""

from wirecheck.finding import CallName, Finding, Inner, Line, Place, Related, ServerWord
from wirecheck.report.report import Checked, Report, Skipped, count

COUNT_MISMATCH = Finding(
    rule="function-response-count-mismatch",
    code="WC303",
    severity="error",
    message="3 calls but 2 responses: get_weather (call_3) has none",
    place=Place("logs.jsonl", 17, "/request/body/contents/4"),
    help='Add {"functionResponse": {"id": "call_3", "name": "get_weather", "response": {…}}} to turn 4.',
    url="https://example.org/rules/function-response-count-mismatch",
    surface="gemini-api",
    model="gemini-3.6-flash",
    band="gemini-3.6",
    conversation="c3",
    turn=4,
    call=CallName("get_weather", "call_3"),
    related=(Related(Place("logs.jsonl", 16, "/response/body/candidates/0/content"), "the calls"),),
    repeated=12,
    server=ServerWord(
        "confirmed",
        400,
        "Please ensure that the number of function response parts is equal to the number of function call parts "
        "of the function call turn.",
    ),
    fingerprint="91f0c2d4a6b8e013",
    around=(
        Line(0, "user", "Hello"),
        Line(2, "user", "What is the weather in Rome, in Oslo and in Paris?"),
        Line(3, "model", 'get_weather(city="Rome")  id call_1'),
        Line(3, "model", 'get_weather(city="Oslo")  id call_2'),
        Line(3, "model", 'get_weather(city="Paris")  id call_3', "related", "3 calls"),
        Line(4, "user", '→ get_weather {"temp": 18}  id call_1'),
        Line(4, "user", '→ get_weather {"temp": 3}  id call_2', "here", "2 responses"),
        Line(7, "model", "It is 18 degrees in Rome."),
    ),
)
TOLERATED = Finding(
    rule="function-response-name-mismatch",
    code="WC312",
    severity="warning",
    message="the response to get_weather (call_1) is named get_wether",
    place=Place("sse.jsonl", 3, "/response/body", Inner("/candidates/0/content/parts/0", 2)),
    help="Name it get_weather.\nOr leave the name out.",
    url="https://example.org/rules/function-response-name-mismatch",
    related=(Related(Place("sse.jsonl", 2, "/request/body"), "the call"),),
    server=ServerWord("tolerated", 200),
    fingerprint="17d1",
)
CONVENTION = Finding(
    rule="tool-description-missing",
    code="WC610",
    severity="info",
    message="get_weather has no description",
    place=Place("logs.jsonl", 1, "/request/body/tools/0"),
    fingerprint="2c",
)
FINDINGS = (CONVENTION, COUNT_MISMATCH, TOLERATED)

WHY = {
    "function-response-count-mismatch": "Gemini wants one response for each call of a turn, all of them in the "
    "next turn. It counts before it looks at ids."
}
REPORT = Report(
    findings=FINDINGS,
    checked=Checked(
        files=2,
        lines=412,
        exchanges=206,
        frames=900,
        conversations=37,
        sessions=1,
        rules=180,
        skipped=(Skipped("logs.jsonl", 9, "a number", 4),),
        open_calls=1,
        unjudged={"embedContent": 2},
    ),
    summary=count(FINDINGS, suppressed=5),
    why=lambda name: WHY.get(name, ""),
)
