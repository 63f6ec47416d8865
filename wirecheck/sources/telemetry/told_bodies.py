"""What a model was asked and what it said, in the bodies that Langfuse and LiteLLM keep of a call.

Each framework writes them in its own way: a body of the Gemini API, one in the style of OpenAI, messages alone, or what
the AI SDK passes on.
"""

from wirecheck.sources.formats.node import JsonNode, first
from wirecheck.sources.telemetry.composed_node import ComposedNode
from wirecheck.sources.telemetry.told_messages import ToldHistory, messages
from wirecheck.sources.telemetry.typed_messages import ToldMessage

TRACED = ("kwargs", "request")  # where a function that was traced has its arguments
REPLIES = (("candidates", "content"), ("choices", "message"))


def asked(written: JsonNode) -> ToldHistory:
    found = written.inner()
    for key in TRACED:
        if key in found and (found[key]["contents"] or found[key]["messages"]):
            found = found[key]
    return ToldHistory([("user", first(found["contents"], found["messages"], found["prompt"], found))])


def said(written: JsonNode) -> list[ToldMessage]:
    """One message, or none. Of several candidates the first is taken."""
    found = written.inner()
    for key, member in REPLIES:
        if (told := next(iter(found[key]), None)) is not None:
            return messages([("model", told[member])], one=True)
    if any(each["toolCallId"] and each["toolName"] for each in found):  # calls alone, as the AI SDK lists them
        found = ComposedNode(found.site, {"tool_calls": found})
    return messages([("model", found)], one=True)
