"""Rows of the table to which Vertex AI logs requests and responses, as JSON: what the server took and what it answered.

`full_request` and `full_response` are the bodies, as JSON or as a text, whichever way the table was read. Older rows
have them in `request_payload` and `response_payload` alone: lists of texts.
"""

from collections.abc import Iterator

from wirecheck.sources.formats.building import exchange, skipped
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import ELSEWHERE, method_url
from wirecheck.sources.formats.json_values import rows
from wirecheck.sources.formats.node import JsonNode, JsonPieces, first, number, short_text
from wirecheck.wire.records import Record

LONGEST = 500  # characters of a name
# What asks a model that has only a number: one that was tuned, at an endpoint of its own.
UNNAMED = "https://aiplatform.googleapis.com/v1beta1/projects/-/locations/-/endpoints/-:generateContent"
WITHOUT_REQUEST = "a row without its request"


def records(file: OpenedFile) -> Iterator[Record]:
    for row in rows(file):
        yield from (row,) if isinstance(row, Record) else _exchange(row)


def _exchange(row: JsonNode) -> Iterator[Record]:
    model = short_text(first(row["model"], row["endpoint"]), LONGEST)
    asked = first(row["full_request"], next(iter(row["request_payload"]), row["full_request"]))
    answered = first(row["full_response"], row["response_payload"])
    if "publishers/" in model and "publishers/google/" not in model:
        yield skipped(row.site, ELSEWHERE)
    elif (body := asked.body()) is None:
        yield skipped(row.site, WITHOUT_REQUEST)
    else:
        failed = answered.inner()["error"]["code"]
        reply = answered if row["full_response"] else JsonPieces.of(answered)
        verb = short_text(row["api_method"], LONGEST)
        name = model.rpartition("/")[2] if "/endpoints/" not in model else ""
        yield from exchange(
            row.site,
            url=method_url("vertex-ai", name, streamed=verb.startswith("stream")) or UNNAMED,
            body=body,
            status=number(failed),
            status_site=failed.site,
            reply=reply.bodies() if answered else None,
        )
