"""What LiteLLM logs of its calls: its standard payload, rows of its table of spend, and what a callback writes of the
request that was sent.

The first two hold messages in the style of OpenAI, whichever server was asked: an application's record, in which each
call recites its history. Where the server refused, the error's text is its own. The last are exchanges.
"""

from collections.abc import Iterator

from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.building import exchange, skipped
from wirecheck.sources.formats.file_format import OpenedFile
from wirecheck.sources.formats.google_models import ELSEWHERE, is_google, method_url
from wirecheck.sources.formats.json_values import rows
from wirecheck.sources.formats.node import JsonNode, first, short_text
from wirecheck.sources.reply_bodies import is_stream
from wirecheck.sources.telemetry.recited_calls import LlmCall, RecitedCalls
from wirecheck.sources.telemetry.told_bodies import asked, said
from wirecheck.sources.telemetry.told_messages import ToldHistory
from wirecheck.wire.records import Record

CONVERSES = ("completion", "generate_content", "anthropic_messages")  # in the names of calls that ask a model
NO_CONVERSATION = "a call of another kind than completions"
WITHOUT_MESSAGES = (
    "a call without its messages: LiteLLM logs them where `turn_off_message_logging` is off, and to its database where "
    "`store_prompts_in_spend_logs` is on"
)
REDACTED = b"redacted-by-litellm"
LONGEST, PEEK = 200, 64  # characters of a name, and of a text that is looked at


def payloads(file: OpenedFile) -> Iterator[Record]:
    """One a line, or lists of them. The log may stop anywhere: what is not answered in it may be later."""
    calls = RecitedCalls(whole=False)
    for row in rows(file, ("data",)):
        if isinstance(row, Record):
            yield row
        else:
            yield from _payload(row, calls)
    yield from calls.end()


def _payload(row: JsonNode, calls: RecitedCalls) -> Iterator[Record]:
    way, model = short_text(row["custom_llm_provider"], LONGEST), short_text(row["model"], LONGEST)
    kind = short_text(row["call_type"], LONGEST)
    if kind and not any(each in kind for each in CONVERSES):
        yield skipped(row.site, NO_CONVERSATION)
        return
    if not (is_google(model) if model or not way else way.startswith(("gemini", "vertex_ai"))):
        yield skipped(row.site, ELSEWHERE)
        return
    history = _history(row)
    if not history:
        yield skipped(row.site, WITHOUT_MESSAGES)
        return
    error = _error(row)
    refused = refusal(error) if error else None
    yield from calls.call(
        LlmCall(
            site=row.site,
            asked=history,
            said=said(row["response"]),
            group=short_text(row["session_id"], LONGEST),
            trace=short_text(first(row["trace_id"], row["id"], row["request_id"]), LONGEST),
            url="" if refused is None else method_url(way, model),
            refused=refused,
        )
    )


def _history(row: JsonNode) -> ToldHistory:
    """The messages, or the body of the request to the proxy."""
    sent = row["proxy_server_request"].inner()
    for found in (row["messages"].inner(), first(sent["body"], sent)):
        if (told := asked(found)) and not (len(told) == 1 and REDACTED in told):
            return told
    return ToldHistory(())


def _error(row: JsonNode) -> JsonNode:
    """Where the text of an error stands; a row of the table has it in `metadata`."""
    told = first(row["error_information"], row["metadata"].inner()["error_information"])
    return first(row["error_str"], told["error_message"])


def requests(file: OpenedFile) -> Iterator[Record]:
    """Bodies as they were sent and as they came back, put side by side by a callback."""
    for row in rows(file):
        if isinstance(row, Record):
            yield row
            continue
        body = first(row["raw_request"], row["complete_input_dict"]).body()
        url = short_text(first(row["api_base"], row["url"]), 2000)
        reply = row["original_response"]
        # Of a stream there is only a sentence that it has begun.
        came = bool(reply) and (not reply.inner().text or is_stream(reply.text[:PEEK].encode()))
        yield from exchange(
            row.site, method="POST" if url else "", url=url, body=body, reply=reply.bodies() if came else None
        )
