"""Who reads the logs: wirecheck, parsers that only parse, and the query about pairs that others can answer.

jq and duckdb get the one question they are good at: does each turn have as many answers as calls (in a Live session,
an answer for each id)? They print what is wrong. wirecheck asks all its rules and says where. Each is a command.
"""

import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

PARSE = "import sys, {0}\nfor path in sys.argv[1:]:\n for line in open(path, 'rb'): {0}.loads(line)"
DUCKDB = (
    "import sys, duckdb\nduckdb.sql('SET threads = 1')\nprint(duckdb.execute(sys.argv[1], [sys.argv[2:]]).fetchall())"
)
LINT = [sys.executable, "-m", "wirecheck", "lint", "--isolated", "-q"]

BODY = {"exchanges": ".request.body", "strings": ".request.body | fromjson", "records": ".body // empty"}
JQ_TURNS = """
(BODY).contents as $c | range(1; $c | length) as $i
| [$c[$i - 1].parts[] | .functionCall // empty] as $calls
| select($calls != [])
| [$c[$i].parts[] | .functionResponse // empty] as $answers
| select(($calls | length) != ($answers | length))
| [input_line_number, $i]
"""
JQ_LIVE = """
reduce inputs.data as $said ({};
  reduce $said.toolCall.functionCalls[]?.id as $id (.; .[$id] += 1)
  | reduce $said.toolResponse.functionResponses[]?.id as $id (.; .[$id] += -1)
  | reduce $said.toolCallCancellation.ids[]? as $id (.; .[$id] += -1))
| to_entries[] | select(.value != 0)
"""

CONTENTS = {
    "exchanges": "json->'$.request.body.contents[*]'",
    "strings": "(json->>'$.request.body')::JSON->'$.contents[*]'",
    "records": "json->'$.body.contents[*]'",
}
READ = "read_ndjson_objects($1, maximum_object_size = 50000000)"
SQL_TURNS = f"""
WITH histories AS (SELECT row_number() OVER () AS line, CONTENTS AS contents FROM {READ}),
  turns AS (SELECT line, unnest(contents) AS content, generate_subscripts(contents, 1) AS turn FROM histories),
  counted AS (SELECT line, turn, len(content->'$.parts[*].functionCall') AS calls,
                     len(content->'$.parts[*].functionResponse') AS answers FROM turns),
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

Command = Callable[[str, list[str]], list[str]]  # of the form of a log ("live", "records", …) and its files


class Rival(NamedTuple):
    command: Command
    there: Callable[[], bool] = lambda: True


def lint(jobs: int) -> Command:
    return lambda form, paths: [*LINT, "--jobs", str(jobs), *paths]


def parse(module: str) -> Command:
    return lambda form, paths: [sys.executable, "-c", PARSE.format(module), *paths]


def jq(form: str, paths: list[str]) -> list[str]:
    query = ["-n", JQ_LIVE] if form == "live" else [JQ_TURNS.replace("BODY", BODY[form])]
    return ["jq", "-c", *query, *paths]


def duckdb(form: str, paths: list[str]) -> list[str]:
    query = SQL_LIVE if form == "live" else SQL_TURNS.replace("CONTENTS", CONTENTS[form])
    return [sys.executable, "-c", DUCKDB, query, *paths]


RIVALS = {
    "orjson": Rival(parse("orjson")),
    "wirecheck": Rival(lint(1)),
    "2 processes": Rival(lint(2)),
    "json": Rival(parse("json")),
    "jq": Rival(jq, lambda: shutil.which("jq") is not None),
    "duckdb": Rival(duckdb, lambda: find_spec("duckdb") is not None),
}
