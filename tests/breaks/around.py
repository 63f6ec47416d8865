"""How what stands around the contents is broken: fields, tools, schemas and settings."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.breaks.table import Break, Json, Steps, answering, halves, part_of, texts, whole
from wirecheck.dialects.vocabulary.field_names import written

TEXT = {"type": "string"}
MEDIA = {"mimeType": "image/png", "data": "iVBORw0KGgo="}
Do = Callable[[Json, int], Steps]


def setting(name: str, value: Any, *steps: str) -> Do:
    """A setting, beside those there are; found at it, or further in."""

    def do(body: Json, n: int) -> Steps:
        key = written(body, "generationConfig")
        body[key] = {**(body.get(key) or {}), name: value}
        return key, name, *steps

    return do


def put(name: str, value: Any) -> Do:
    """A field of the request."""

    def do(body: Json, n: int) -> Steps:
        body[name] = value
        return (name,)

    return do


def tool(entry: Any, *steps: str | int) -> Do:
    """One more tool."""

    def do(body: Json, n: int) -> Steps:
        body["tools"] = [*body.get("tools", ()), entry]
        return "tools", len(body["tools"]) - 1, *steps

    return do


def declared(declaration: Any, *steps: str | int) -> Do:
    """One more function."""
    return tool({"functionDeclarations": [declaration]}, "functionDeclarations", 0, *steps)


def schema(parameters: Any, *steps: str | int) -> Do:
    """One more function with these parameters."""
    return declared({"name": "extra_one", "description": "One.", "parameters": parameters}, "parameters", *steps)


def one(value: Any, *steps: str | int) -> Do:
    """Parameters of which one is like that."""
    return schema({"type": "OBJECT", "properties": {"x": value}}, "properties", "x", *steps)


def part(value: Json, *steps: str) -> Do:
    """One more part of a content that only says something."""

    def do(body: Json, n: int) -> Steps:
        body["contents"][n]["parts"].append(value)
        return "contents", n, "parts", len(body["contents"][n]["parts"]) - 1, *steps

    return do


def responded(key: str, value: Any, *steps: str) -> Do:
    """A field of the first response of a content."""

    def do(body: Json, n: int) -> Steps:
        content = body["contents"][n]
        half = halves(content, "functionResponse")[0]
        half.pop(key, None) if value is None else half.update({key: value})
        (_, m) = part_of(content, "functionResponse")
        return "contents", n, "parts", m, written(content["parts"][m], "functionResponse"), *steps

    return do


def twice(body: Json, n: int) -> Steps:
    for _ in range(2):
        found = declared({"name": "extra_one", "description": "One."})(body, n)
    return found


def key_of_a_content(body: Json, n: int) -> Steps:
    body["contents"][n]["cache_control"] = {"type": "ephemeral"}
    return "contents", n, "cache_control"


def users(body: Json) -> Iterator[int]:
    """Contents of the user that only say something."""
    return (n for n in texts(body) if body["contents"][n].get("role") == "user")


def without_functions(body: Json) -> Iterator[int]:
    """Requests that declare nothing."""
    return iter(() if body.get("tools") else (0,))


DEEP: Any = TEXT
for _ in range(40):
    DEEP = {"type": "OBJECT", "properties": {"x": DEEP}}
FIELDS = (
    Break("a key of another API", "unknown-field", texts, key_of_a_content),
    Break("a key of another API in a part", "unknown-field", texts, part({"text": "Hi", "id": "1"}, "id")),
    Break("a setting outside", "unknown-field", whole, put("max_tokens", 5)),
    Break("nothing but a type", "part-without-data", texts, part({"type": "tool_use", "name": "f", "input": {}})),
    Break("text and media in one", "part-multiple-data", users, part({"text": "See", "inlineData": MEDIA})),
    Break("two spellings", "field-name-style", users, part({"inlineData": MEDIA, "inline_data": MEDIA}, "inline_data")),
    Break(
        "a data URL", "invalid-base64", users,
        part({"inlineData": {**MEDIA, "data": "data:image/png;base64,iVBORw0KGgo="}}, "inlineData", "data"),
    ),
    Break("the end of a file's name", "mime-type", users,
          part({"inlineData": {**MEDIA, "mimeType": "image/jpg"}}, "inlineData", "mimeType")),
    Break("a signature of the user's", "thought-signature-on-user", users,
          part({"text": "Hi", "thoughtSignature": "RXA0Qw=="})),
    Break("a schema as a result", "function-response-ref", answering,
          responded("response", {"x": [{"$ref": "#/$defs/x"}]})),
    Break("a number for a text", "field-wrong-type", texts, part({"text": 5}, "text")),
    Break("a text for a content", "field-wrong-type", whole, put("systemInstruction", "Be brief.")),
    Break("a list of settings", "scalar-where-array-expected", whole, setting("thinkingConfig", [{}])),
    Break("what a session acts on", "nonblocking-fields-in-unary", answering,
          responded("scheduling", "SILENT", "scheduling")),
    Break("a response without a response", "function-response-missing-response", answering,
          responded("response", None)),
    Break("a number for a response", "function-response-not-object", answering, responded("response", 3, "response")),
)  # fmt: skip
TOOLS = (
    Break("a name with spaces", "function-name-invalid", whole, declared({"name": "a b", "description": "d"}, "name")),
    Break("a name that begins with a digit", "function-name-invalid", whole,
          declared({"name": "1a", "description": "d"}, "name")),
    Break("no name", "function-name-invalid", whole, declared({"description": "d"})),
    Break("declared twice", "duplicate-function-declaration", whole, twice),
    Break("no declarations", "empty-tool-entry", whole, tool({"functionDeclarations": []}, "functionDeclarations")),
    Break("an empty tool", "empty-tool-entry", whole, tool({})),
    Break("too many", "too-many-function-declarations", without_functions,
          tool({"functionDeclarations": [{"name": f"f{n}", "description": "d"} for n in range(513)]},
               "functionDeclarations")),
    Break("waits for nobody", "nonblocking-fields-in-unary", whole,
          declared({"name": "extra_one", "description": "d", "behavior": "NON_BLOCKING"}, "behavior")),
    Break("written twice", "parameters-and-json-schema", whole,
          declared({"name": "extra_one", "description": "d", "parametersJsonSchema": {},
                    "parameters": {"type": "OBJECT", "properties": {"x": TEXT}}}, "parameters")),
    Break("a mode for nothing", "function-calling-config-without-functions", without_functions,
          lambda body, n: (*put("toolConfig", {"functionCallingConfig": {"mode": "ANY"}})(body, n),
                           "functionCallingConfig")),
)  # fmt: skip
SCHEMAS = (
    Break("a dialect", "schema-unknown-keyword", whole,
          schema({"type": "OBJECT", "properties": {"x": TEXT}, "$schema": "x"}, "$schema")),
    Break("a constant", "schema-unknown-keyword", whole, one({**TEXT, "const": "a"}, "const")),
    Break("one of several", "schema-unknown-keyword", whole, one({"oneOf": [TEXT]}, "oneOf")),
    Break("an exclusive bound, deep in", "schema-unknown-keyword", whole,
          one({"type": "ARRAY", "items": {"type": "INTEGER", "exclusiveMinimum": 0}}, "items", "exclusiveMinimum")),
    Break("two types", "schema-type-list", whole, one({"type": ["string", "null"]}, "type")),
    Break("no type at all", "schema-type-invalid", whole, one({"type": ""}, "type")),
    Break("a type nobody knows", "schema-type-invalid", whole, one({"type": "any"}, "type")),
    Break("words without a type", "schema-type-missing", whole, one({"description": "y"})),
    Break("items beside alternatives", "schema-anyof-siblings", whole,
          one({"items": TEXT, "anyOf": [{"type": "ARRAY", "items": TEXT}, {"type": "NULL"}]})),
    Break("an open object", "schema-empty-object", whole, one({"type": "OBJECT", "properties": {}})),
    Break("a list of nothing", "schema-array-items-missing", whole, one({"type": "ARRAY"})),
    Break("items of a text", "schema-items-on-non-array", whole, one({**TEXT, "items": TEXT}, "items")),
    Break("an empty text in an enum", "schema-enum-empty", whole, one({**TEXT, "enum": ["a", ""]}, "enum", 1)),
    Break("an enum of nothing", "schema-enum-empty", whole, one({**TEXT, "format": "enum"}, "format")),
    Break("a reference to nothing", "schema-ref-undefined", whole,
          declared({"name": "extra_one", "description": "One.", "parametersJsonSchema": {"items": {"$ref": "#/x/y"}}},
                   "parametersJsonSchema", "items", "$ref")),
    Break("long lists", "schema-max-items", whole,
          schema({"type": "OBJECT", "properties": {"x": {"type": "ARRAY", "items": TEXT, "maxItems": 961}}})),
    Break("numbers in an enum", "schema-enum-non-string", whole, one({"type": "INTEGER", "enum": [1]}, "enum", 0)),
    Break("required and not there", "schema-required-undefined", whole,
          schema({"type": "OBJECT", "properties": {"x": TEXT}, "required": ["y"]}, "required", 0)),
    Break("properties of a text", "schema-properties-on-non-object", whole,
          one({**TEXT, "properties": {"y": TEXT}}, "properties")),
    Break("a format", "schema-format-unsupported", whole, one({**TEXT, "format": "uri"}, "format")),
    Break("a text for parameters", "schema-root-not-object", whole, schema(TEXT)),
    Break("no schema", "schema-not-object", whole, schema("x")),
    Break("deeper than deep", "schema-too-complex", whole,
          schema(DEEP, *("properties", "x") * 33)),
)  # fmt: skip
SETTINGS = (
    Break("a temperature nobody has", "temperature-range", whole, setting("temperature", 1000),
          ("sampling-params-ignored",)),
    Break("several candidates", "candidate-count", whole, setting("candidateCount", 2)),
    Break("a penalty", "penalty-params-unsupported", whole, setting("presencePenalty", 0.5)),
    Break("warm", "sampling-params-ignored", whole, setting("topK", 3)),
    Break("a budget and a level", "thinking-level-and-budget", whole,
          setting("thinkingConfig", {"thinkingLevel": "low", "thinkingBudget": 5}, "thinkingBudget")),
    Break("no tokens", "max-output-tokens", whole, setting("maxOutputTokens", 0)),
    Break("a size in pixels", "image-config", whole, setting("imageConfig", {"imageSize": "512x512"}, "imageSize")),
    Break("probabilities", "logprobs", whole, setting("responseLogprobs", True)),
)  # fmt: skip
BREAKS = (*FIELDS, *TOOLS, *SCHEMAS, *SETTINGS)
