"""How the contents of a request are broken: shape, roles, order, pairing and ids."""

from typing import Any

from tests.breaks.table import (
    Break,
    Json,
    Steps,
    answering,
    answering_alone,
    answering_first,
    anywhere,
    at,
    calling,
    halves,
    part_of,
    parts,
    several,
    texts,
    whole,
    with_ids,
)
from wirecheck.dialects.vocabulary.field_names import written

CALL, ANSWER = "functionCall", "functionResponse"


def put(kind: str, key: str, value: Any, found: Any = part_of) -> Any:
    """A key of the first call or response gets a value; None takes it away."""

    def do(body: Json, n: int) -> Steps:
        half = halves(body["contents"][n], kind)[0]
        half.pop(key, None) if value is None else half.update({key: value})
        return "contents", n, *found(body["contents"][n], kind)

    return do


def inside(do: Any, *steps: str) -> Any:
    """The same break, found further in."""
    return lambda body, n: (*do(body, n), *steps)


def role(value: str | None) -> Any:
    def do(body: Json, n: int) -> Steps:
        content = body["contents"][n]
        content.pop("role") if value is None else content.update(role=value)
        return "contents", n

    return do


def user_calls(body: Json, n: int) -> Steps:
    body["contents"][n]["role"] = "user"
    return "contents", n, *at(body["contents"][n], CALL)


def empty(body: Json, n: int) -> Steps:
    body["contents"][n]["parts"] = []
    return "contents", n


def content_for_parts(body: Json, n: int) -> Steps:
    content = body["contents"][n]
    body["contents"][n] = {"role": content["role"], "content": "what was said"}
    return "contents", n


def nothing_in_a_part(body: Json, n: int) -> Steps:
    parts(body["contents"][n]).append({})
    return "contents", n, "parts", len(parts(body["contents"][n])) - 1


def text_into_a_call(body: Json, n: int) -> Steps:
    steps = at(body["contents"][n], CALL)
    parts(body["contents"][n])[int(steps[1])]["text"] = "I will call it."
    return "contents", n, *steps[:2]


def arguments(body: Json, n: int) -> Steps:
    (call, *_) = halves(body["contents"][n], CALL)
    call.pop("args", None)
    call["arguments"] = "{}"
    return "contents", n, *at(body["contents"][n], CALL)


def bare_answer(body: Json, n: int) -> Steps:
    key = at(body["contents"][n], ANSWER)[2]
    body["contents"][n] = {str(key): halves(body["contents"][n], ANSWER)[0]}
    return "contents", n


def only_the_model(body: Json, n: int) -> Steps:
    body["contents"] = [{"role": "model", "parts": [{"text": "Hello."}]}]
    return "contents", 0


def the_model_last(body: Json, n: int) -> Steps:
    body["contents"].append({"role": "model", "parts": [{"text": "Sure:"}]})
    return "contents", len(body["contents"]) - 1


def without_the_user_before(body: Json, n: int) -> Steps:
    del body["contents"][:n]
    return "contents", 0, *part_of(body["contents"][0], CALL)


def text_before_the_call(body: Json, n: int) -> Steps:
    body["contents"].insert(n, {"role": "model", "parts": [{"text": "Let me see."}]})
    return "contents", n + 1, *part_of(body["contents"][n + 1], CALL)


def without_the_call(body: Json, n: int) -> Steps:
    del body["contents"][n - 1]
    return "contents", n - 1, *part_of(body["contents"][n - 1], ANSWER)


def words_before_an_answer(body: Json, n: int) -> Steps:
    body["contents"].insert(n, {"role": "user", "parts": [{"text": "wait"}]})
    return "contents", n + 1, *part_of(body["contents"][n + 1], ANSWER)


def words_for_an_answer(body: Json, n: int) -> Steps:
    body["contents"][n] = {"role": "user", "parts": [{"text": "never mind"}]}
    return "contents", n - 1, *part_of(body["contents"][n - 1], CALL)


def one_answer_less(body: Json, n: int) -> Steps:
    lost = parts(body["contents"][n]).pop()
    calls = halves(body["contents"][n - 1], CALL)
    name = lost[written(lost, ANSWER)].get("id"), lost[written(lost, ANSWER)]["name"]
    which = next(m for m, call in enumerate(calls) if (call.get("id"), call["name"]) == name)
    last = which if name[0] else len(calls) - 1
    return "contents", n - 1, *part_of(body["contents"][n - 1], CALL, last)


def one_answer_more(body: Json, n: int) -> Steps:
    parts(body["contents"][n]).append(parts(body["contents"][n])[0])
    return "contents", n - 1, *part_of(body["contents"][n - 1], CALL)


def answers_apart(body: Json, n: int) -> Steps:
    first, *rest = parts(body["contents"][n])
    role = body["contents"][n]["role"]
    body["contents"][n : n + 1] = [{"role": role, "parts": [first]}, {"role": role, "parts": rest}]
    return "contents", n - 1, *part_of(body["contents"][n - 1], CALL)


def one_id_for_all(body: Json, n: int) -> Steps:
    for half in (*halves(body["contents"][n], CALL), *halves(body["contents"][n + 1], ANSWER)):
        half["id"] = "c1"
    return "contents", n, *part_of(body["contents"][n], CALL)


def no_telling_apart(body: Json, n: int) -> Steps:
    for half in (*halves(body["contents"][n], CALL), *halves(body["contents"][n + 1], ANSWER)):
        half.pop("id", None)
        half["name"] = "free_slots"
    return "contents", n, *part_of(body["contents"][n], CALL)


def openai_tools(body: Json, n: int) -> Steps:
    body["tools"] = [{"type": "function", "function": {"name": "now", "parameters": {"type": "object"}}}]
    return "tools", 0


BREAKS = (
    Break("no parts", "content-parts-empty", texts, empty),
    Break("content for parts", "parts-missing", texts, content_for_parts),
    Break("an empty part", "part-without-data", texts, nothing_in_a_part),
    Break("text in a call", "part-multiple-data", calling, text_into_a_call),
    Break("args as text", "function-args-not-object", calling, inside(put(CALL, "args", "{}", at), "args")),
    Break(
        "a response as text",
        "function-response-not-object",
        answering,
        inside(put(ANSWER, "response", "18", at), "response"),
    ),
    Break(
        "a response as a list",
        "function-response-not-object",
        answering,
        inside(put(ANSWER, "response", [18], at), "response"),
    ),
    Break("arguments of another API", "openai-style-call", calling, arguments),
    Break("a response for a content", "function-responses-not-in-content", answering_alone, bare_answer),
    Break("a role nobody has", "invalid-role", texts, role("robot")),
    # Without its role a content of the model is taken for one more of the user.
    Break("no role", "role-missing", anywhere, role(None), beside=("consecutive-same-role",)),
    Break("system among the contents", "system-role-in-contents", texts, role("system")),
    Break("the role tool", "tool-role", answering, role("tool")),
    Break("the role function", "function-role", answering, role("function")),
    Break("the user calls", "function-call-in-user-role", calling, user_calls),
    Break("the model answers", "function-response-in-model-role", answering, role("model")),
    Break("only the model", "single-turn-not-user", whole, only_the_model),
    Break("the model has the last word", "trailing-model-turn", whole, the_model_last),
    Break("a call without the user before it", "function-call-not-after-user", calling, without_the_user_before),
    Break("text of its own before a call", "function-call-not-after-user", calling, text_before_the_call),
    Break("a response without its call", "function-response-without-call", answering_first, without_the_call),
    Break("words before a response", "function-response-without-call", answering, words_before_an_answer),
    Break("words for a response", "unanswered-function-call", answering, words_for_an_answer),
    Break("a response less", "function-response-count-mismatch", several(ANSWER), one_answer_less),
    Break("a response more", "function-response-count-mismatch", answering, one_answer_more),
    Break("responses apart", "function-responses-split", several(ANSWER), answers_apart),
    Break("another id", "function-response-id-mismatch", with_ids(answering, ANSWER), put(ANSWER, "id", "zz")),
    Break("no id", "function-response-id-missing", with_ids(answering, ANSWER), put(ANSWER, "id", None)),
    Break("an empty name", "function-response-name-empty", answering, put(ANSWER, "name", "", at)),
    Break("a call without a name", "function-call-name-empty", calling, put(CALL, "name", "", at)),
    Break("another name", "function-response-name-mismatch", answering, put(ANSWER, "name", "tool_result")),
    Break("one id for all", "duplicate-function-call-id", several(CALL), one_id_for_all),
    Break("no telling apart", "ambiguous-parallel-calls", several(CALL), no_telling_apart),
    Break("tools of another API", "openai-style-tools", whole, openai_tools),
)
