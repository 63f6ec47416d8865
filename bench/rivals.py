"""Who reads the logs: parsers that only parse, and the query about pairs that others can answer.

jq and duckdb get the one question they are good at: does each turn have as many answers as calls (in a Live session,
an answer for each id)? They print what is wrong. wirecheck asks all its rules and says where. Each is a command.
"""

import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

# A line that is no JSON, in a log of somebody's own, is passed over.
PARSE = """
import sys, {0}
for path in sys.argv[1:]:
    for line in open(path, "rb"):
        try:
            {0}.loads(line)
        except ValueError:
            pass
"""
DUCKDB = (
    "import sys, duckdb\nduckdb.sql('SET threads = 1')\nprint(duckdb.execute(sys.argv[1], [sys.argv[2:]]).fetchall())"
)

BODY = {
    "exchanges": ".request.body.contents",
    "strings": ".request.body | fromjson | .contents",
    "records": ".body // empty | .contents",
    # Of many programs: bodies as JSON or as texts of it, requests within requests, keys in two spellings.
    "any": """(.request.body? // .body? // .)
  | if type == "object" and (.string | type) == "string" then .string else . end
  | if type == "string" then fromjson? // empty else . end
  | if type == "object" then .contents // .request.contents? // empty else empty end""",
}
JQ_TURNS = """
(CONTENTS) as $c | select($c | type == "array") | range(1; $c | length) as $i
| [$c[$i - 1].parts[]? | .functionCall // .function_call // empty] as $calls
| select($calls != [])
| [$c[$i].parts[]? | .functionResponse // .function_response // empty] as $answers
| select(($calls | length) != ($answers | length))
| [input_line_number, $i]
"""
JQ_LIVE = """
reduce (inputs | SAID) as $said ({};
  reduce $said.toolCall.functionCalls[]?.id as $id (.; .[$id] += 1)
  | reduce $said.toolResponse.functionResponses[]?.id as $id (.; .[$id] += -1)
  | reduce $said.toolCallCancellation.ids[]? as $id (.; .[$id] += -1))
| to_entries[] | select(.value != 0)
"""
SAID = {"frames": ".data", "sessions": ".frames[].data"}

CONTENTS = {
    "exchanges": "json->'$.request.body.contents[*]'",
    "strings": "(json->>'$.request.body')::JSON->'$.contents[*]'",
    "records": "json->'$.body.contents[*]'",
}
READ = "read_ndjson_objects($1, maximum_object_size = 50000000)"
SQL_TURNS = f"""
WITH histories AS (SELECT row_number() OVER () AS line, CONTENTS AS contents FROM {READ}),
  turns AS (SELECT line, unnest(contents) AS content, generate_subscripts(contents, 1) AS turn FROM histories),
  counted AS (SELECT line, turn, len(content->'$.parts[*].functionCall') + len(content->'$.parts[*].function_call')
    AS calls, len(content->'$.parts[*].functionResponse') + len(content->'$.parts[*].function_response')
    AS answers FROM turns),
  pairs AS (SELECT *, lead(answers) OVER (PARTITION BY line ORDER BY turn) AS answered FROM counted)
SELECT line, turn FROM pairs WHERE calls > 0 AND answered <> calls
"""
SQL_LIVE = f"""
WITH frames AS (SELECT json->'$.data' AS said FROM {READ}),
  moves AS (SELECT unnest(said->>'$.toolCall.functionCalls[*].id') AS id, 1 AS move FROM frames
    UNION ALL SELECT unnest(said->>'$.toolResponse.functionResponses[*].id'), -1 FROM frames
    UNION ALL SELECT unnest(said->>'$.toolCallCancellation.ids[*]'), -1 FROM frames)
SELECT id FROM moves GROUP BY id HAVING sum(move) <> 0
"""

Command = Callable[[str, list[str]], list[str]]  # of the form of a log ("frames", "records", …) and its files


class Rival(NamedTuple):
    command: Command
    there: Callable[[], bool] = lambda: True
    forms: frozenset[str] = frozenset((*BODY, *SAID))  # of logs that it can be asked about


def parse(module: str) -> Command:
    return lambda form, paths: [sys.executable, "-P", "-c", PARSE.format(module), *paths]


def jq(form: str, paths: list[str]) -> list[str]:
    asked = [JQ_TURNS.replace("CONTENTS", BODY[form])] if form in BODY else ["-n", JQ_LIVE.replace("SAID", SAID[form])]
    return ["jq", "-c", *asked, *paths]


def duckdb(form: str, paths: list[str]) -> list[str]:
    query = SQL_LIVE if form == "frames" else SQL_TURNS.replace("CONTENTS", CONTENTS[form])
    return [sys.executable, "-P", "-c", DUCKDB, query, *paths]


RIVALS = {
    "orjson": Rival(parse("orjson")),
    "json": Rival(parse("json")),
    "jq": Rival(jq, lambda: shutil.which("jq") is not None),
    "duckdb": Rival(duckdb, lambda: find_spec("duckdb") is not None, frozenset((*CONTENTS, "frames"))),
}


def commands(form: str, paths: list[str]) -> dict[str, list[str]]:
    """Of those that are installed and can be asked about such a log."""
    able = {name: rival for name, rival in RIVALS.items() if form in rival.forms and rival.there()}
    return {name: rival.command(form, paths) for name, rival in able.items()}
