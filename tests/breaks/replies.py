"""How replies are broken: candidates, finish reasons, streams."""

from collections.abc import Callable

from tests.breaks.table import Damage, Json, Steps

ERROR = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}


def first(chunks: list[Json]) -> Json:
    return chunks[0]["candidates"][0]  # type: ignore[no-any-return]


def last(chunks: list[Json]) -> Json:
    return chunks[-1]["candidates"][0]  # type: ignore[no-any-return]


def no_candidates(chunks: list[Json]) -> Steps | None:
    if len(chunks) > 1:
        return None
    chunks[0]["candidates"] = []
    return (0,)


def nothing_at_all(chunks: list[Json]) -> Steps:
    chunks[0]["candidates"] = [{"index": 0}]
    return 0, "candidates", 0


def nothing_said(chunks: list[Json]) -> Steps:
    del chunks[1:]
    first(chunks).update(content={"role": "model"}, finishReason="STOP")
    return (0,)


def nothing_said_in_time(chunks: list[Json]) -> Steps:
    nothing_said(chunks)
    first(chunks)["finishReason"] = "MAX_TOKENS"
    return (0,)


def cut_short(chunks: list[Json]) -> Steps:
    del chunks[1:]
    call = {"functionCall": {"name": "now", "args": {}}}
    first(chunks).update(content={"role": "model", "parts": [call]}, finishReason="MAX_TOKENS")
    return (0,)


def by_number(chunks: list[Json]) -> Steps:
    last(chunks)["finishReason"] = 1
    return len(chunks) - 1, "candidates", 0


def another_role(chunks: list[Json]) -> Steps:
    first(chunks)["content"]["role"] = "assistant"
    return 0, "candidates", 0, "content"


def snake(chunks: list[Json]) -> Steps:
    chunks[0]["model_version"] = chunks[0].pop("modelVersion", "m")
    return (0,)


def wrong_sum(chunks: list[Json]) -> Steps:
    chunks[-1]["usageMetadata"] = {"promptTokenCount": 2, "candidatesTokenCount": 2, "totalTokenCount": 9}
    return (0,)


def no_finish(chunks: list[Json]) -> Steps | None:
    del last(chunks)["finishReason"]
    return (0,) if len(chunks) == 1 else None


def no_finish_of_a_stream(chunks: list[Json]) -> Steps | None:
    del last(chunks)["finishReason"]
    return (0,) if len(chunks) > 1 else None


def error_in_the_middle(chunks: list[Json]) -> Steps | None:
    chunks[-1] = ERROR
    return (len(chunks) - 1,) if len(chunks) > 1 else None


def more_after_the_end(chunks: list[Json]) -> Steps | None:
    if len(chunks) < 2:
        return None
    chunks[-2]["candidates"][0]["finishReason"] = "STOP"
    last(chunks)["content"] = {"role": "model", "parts": [{"text": "And more."}]}
    return len(chunks) - 1, "candidates", 0


def ended_by(reason: str) -> Callable[[list[Json]], Steps]:
    def do(chunks: list[Json]) -> Steps:
        last(chunks).update(finishReason=reason, finishMessage="It is so.")
        return (0,)

    return do


def malformed(chunks: list[Json]) -> Steps:
    del chunks[1:]
    chunks[0]["candidates"] = [
        {"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(default_api.f(", "index": 0}
    ]
    return (0,)


def another_id(chunks: list[Json]) -> Steps | None:
    chunks[-1]["responseId"] = "another"
    return (0,) if len(chunks) > 1 else None


def half_a_call(chunks: list[Json]) -> Steps:
    """A call whose arguments are streamed and never come to their end."""
    first(chunks)["content"] = {"role": "model", "parts": [{"functionCall": {"name": "now", "willContinue": True}}]}
    for chunk in chunks[1:]:
        chunk["candidates"][0]["content"] = {"role": "model", "parts": [{"text": ""}]}
    return (0,)


BREAKS = (
    Damage("no candidates", "response-no-candidates", no_candidates),
    Damage("a candidate of nothing", "candidate-content-missing", nothing_at_all),
    Damage("nothing said", "candidate-empty-content", nothing_said),
    Damage("nothing said in time", "max-tokens-before-answer", nothing_said_in_time),
    Damage("a call cut short", "finish-reason-not-tool-signal", cut_short, ("undeclared-function-called",)),
    Damage("a finish reason by its number", "integer-enum-encoding", by_number),
    Damage("the role assistant", "reply-role-not-model", another_role),
    Damage("snake_case", "reply-snake-case", snake),
    Damage("a wrong sum", "reply-token-counts", wrong_sum),
    Damage("no finish reason", "finish-reason-missing", no_finish),
    Damage("a stream without a finish reason", "stream-missing-finish", no_finish_of_a_stream),
    Damage("an error in the middle", "stream-error-mid-body", error_in_the_middle),
    Damage("more after the end", "content-after-finish", more_after_the_end),
    Damage("a call that cannot be read", "finish-malformed-function-call", malformed),
    Damage("a call nobody declared", "finish-unexpected-tool-call", ended_by("UNEXPECTED_TOOL_CALL")),
    Damage("a finish reason of another API", "finish-reason-unknown", ended_by("tool_calls")),
    Damage("another responseId", "stream-chunk-shape", another_id),
    Damage("half a call", "partial-args-incomplete", half_a_call),
)
