"""Fields that stand where the API has none of that name, and values of another kind than their field's.

Looks for them in a content, in what stands around the contents, and in a frame of a Live client; a sound one costs a
look-up a key. What another
rule tells of (calls and tools in the style of OpenAI, signatures within calls) is left to it. Knows no values but what
kind they are, of enums the words, and of base64 only whether it begins like a URL.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from wirecheck.dialects.content import DATA
from wirecheck.dialects.live.live import LOOSE_ANSWERS
from wirecheck.dialects.messages import Content, Spot, Step
from wirecheck.dialects.vocabulary.chat_field_tables import CHAT
from wirecheck.dialects.vocabulary.field_names import camel, keys_of, told_keys
from wirecheck.dialects.vocabulary.field_tables import HTTP, NO_MIME, FieldTables, Why, limits, table
from wirecheck.talk.facts import Context, FieldFact

MOST = 20  # of one content, or around the contents of one request
# Names that other APIs have where Gemini has another one, or none.
FOREIGN = {
    **dict.fromkeys(("type", "cacheControl", "refusal", "annotations", "parallelToolCalls", "strict"), ""),
    "messages": "contents",
    "system": "systemInstruction",
    "systemPrompt": "systemInstruction",
    "prompt": "contents",
    "input": "contents",
    "stream": "the method streamGenerateContent",
    "stop": "generationConfig.stopSequences",
    "maxTokens": "generationConfig.maxOutputTokens",
    "maxCompletionTokens": "generationConfig.maxOutputTokens",
    "responseFormat": "generationConfig.responseMimeType",
    "reasoningEffort": "generationConfig.thinkingConfig",
    "thinking": "generationConfig.thinkingConfig",
    "toolChoice": "toolConfig.functionCallingConfig",
    "imageUrl": "fileData",
    "inputSchema": "parametersJsonSchema",
    "toolUseId": "id",
    "isError": "response.error",
}
# A body with one of these and nothing of Gemini's is another API's as a whole: its contents are told to be missing.
WITHOUT = frozenset(("messages", "prompt"))
CONTENT = frozenset(("role", "parts"))  # what shows that a value is a content
# And what one of them is called in a call or a response.
HALVES = {
    "functionResponse": {
        "result": "response",
        "output": "response",
        "content": "response",
        "error": "response.error",
        "callId": "id",
        "toolCallId": "id",
    },
    "functionCall": {"input": "args", "parameters": "args", "callId": "id", "toolCallId": "id"},
}
# Keys other rules tell of. With a key of FORMS a message is another API's as a whole, and told of as such.
OTHERS = {
    "content": {"toolCalls", "toolCallId"},
    "functionCall": {"thoughtSignature"},
    "functionResponse": {"thoughtSignature"},
    "frame": set(LOOSE_ANSWERS),
}
# A message without this key is told of as a whole, whatever stands in its place.
NEEDED = {"toolResponse": "functionResponses"}
FORMS = {
    "functionCall": {"arguments"},
    "functionDeclaration": {"function"},
    "tool": {"type", "function", "name", "description", "parameters", "parametersJsonSchema", "inputSchema", "strict"},
}
# Lists whose items other rules tell of, where they are no objects.
TOLD = {"content*", "part*", "functionResponse*", "tool*"}
# Kinds of which every value of this type is sound.
SOUND: Mapping[str | None, type] = {"text": str, "one": bool, "number": int, "whole": int}
# What belongs into a field, by its kind.
BELONGS = {
    "text": "a text",
    "mime": "a text",
    "signature": "a text",
    "bytes": "base64 as a text",
    "number": "a number",
    "whole": "a whole number",
}

# Of requests, by protocol and surface ("" for any). What other servers take in the words of OpenAI is theirs to say.
TABLES = {("generate-content", ""): HTTP, ("chat", "openai-compat"): CHAT}

LIMITED = {"version": "; it came with Gemini 3"}


class FieldFlaw(NamedTuple):
    """A field that is not as it should be, the message it stands in, and why it is not."""

    steps: tuple[Step, ...]
    message: str
    why: Why
    value: Any = None  # where it is not what belongs there

    @property
    def name(self) -> str:
        """The field as written; of an item in a list, that of the list."""
        return next(step for step in reversed(self.steps) if type(step) is str)


def in_content(content: Content, turn: int, context: Context) -> Iterable[FieldFact]:
    """Those of a content of a request. One that is no content at all is told of elsewhere."""
    if context.protocol != "generate-content" or content.shape not in ("list", "object"):
        return ()
    content = content.full
    walk = FieldWalk(HTTP, context)
    walk.message(content.value, "content", ())
    return walk.facts(content.spot, turn) if walk.found else ()


def around(body: Mapping[str, Any], contents: int, spot: Spot, context: Context) -> Iterable[FieldFact]:
    """Those around the contents, where the body is a request: one that was not kept in the log is none."""
    tables = TABLES.get((context.protocol, context.surface)) or TABLES.get((context.protocol, ""))
    if tables is None:
        return ()
    kept = contents or not tables.messages["request"].keys().isdisjoint(keys_of(body)) or _misnamed(body, context)
    if not kept:
        return ()
    walk = FieldWalk(tables, context)
    walk.message(body, "request", ())
    return walk.facts(spot, None) if walk.found else ()


def _misnamed(body: Mapping[str, Any], context: Context) -> bool:
    """Whether contents stand under another name, in a body without a field of Gemini's. Gateways may want them so."""
    if not context.whole or context.surface == "unknown" or not WITHOUT.isdisjoint(body):
        return False
    firsts = (value[0] if type(value) is list and value else value for value in body.values())
    return any(not CONTENT.isdisjoint(first) for first in firsts if type(first) is dict)


class FieldWalk:
    """A message and all messages in it, laid beside what a book knows of them."""

    def __init__(self, tables: FieldTables, context: Context) -> None:
        self._field_tables, self._context = tables, context
        self._tables = table(context.surface, context.version, tables)
        self.found: list[FieldFlaw] = []

    def message(self, value: Mapping[str, Any], message: str, steps: tuple[Step, ...]) -> None:
        known = self._tables[message]
        unknown = []
        for key, inner in value.items():
            kind = known.get(key)
            if inner is None or kind == "" or SOUND.get(kind) is type(inner):  # null is as good as absent
                continue
            name = key if key in known else camel(key)
            kind = known.get(name)
            if kind is None:
                unknown.append(key)
            elif name != key and value.get(name) is not None:
                self.found.append(FieldFlaw((*steps, key), message, "twice"))
            elif kind:
                self._inside(inner, kind, message, (*steps, key))
        if unknown:
            own = _own(unknown[:MOST], message, set(told_keys(value)))
            self.found += [FieldFlaw((*steps, key), message, "unknown") for key in own]

    def _inside(self, value: Any, kind: str, message: str, steps: tuple[Step, ...]) -> None:
        """A value whose field says what it holds."""
        if kind in self._tables:
            if type(value) is dict:
                self.message(value, kind, steps)
            elif kind not in NEEDED:
                self.found.append(FieldFlaw(steps, message, "list" if type(value) is list else "type", value))
        elif kind[-1] == "*":
            listed = type(value) is list
            for n, item in enumerate(value if listed else (value,)):
                at = (*steps, n) if listed else steps
                if type(item) is dict:
                    self.message(item, kind[:-1], at)
                elif item is not None and kind not in TOLD:
                    self.found.append(FieldFlaw(at, message, "type", item))
        elif why := self._single(value, kind):
            self.found.append(FieldFlaw(steps, message, why, value))

    def _single(self, value: Any, kind: str) -> Why | None:
        if kind in SINGLE:
            return SINGLE[kind](value)
        word = type(value) is str and not value.isdigit()
        return "enum" if word and value.upper() not in self._field_tables.enums[kind] else _one(value)

    def facts(self, spot: Spot, turn: int | None) -> Iterator[FieldFact]:
        for flaw in islice(self.found, MOST):
            why, hint = self._explained(flaw)
            yield FieldFact(
                context=self._context,
                spot=spot.to(*flaw.steps),
                turn=turn,
                message=flaw.message,
                name=flaw.name,
                why=why,
                hint=hint,
                value=flaw.value,
            )

    def _explained(self, flaw: FieldFlaw) -> tuple[Why, str]:
        if flaw.why == "twice":
            return flaw.why, camel(flaw.name)
        if flaw.why != "unknown":
            return flaw.why, self._belongs(flaw) if flaw.why in ("type", "enum") else ""
        key, context = flaw.name[:64], self._context
        return _why(self._field_tables, flaw.message, key, context.surface, context.version)

    def _belongs(self, flaw: FieldFlaw) -> str:
        kind = self._tables[flaw.message].get(camel(flaw.name), "")
        if words := self._field_tables.enums.get(kind):
            return f"; it takes {', '.join(words[1:])}"
        return f"; {BELONGS.get(kind, 'an object')} belongs there"


def _own(unknown: list[str], message: str, keys: set[str]) -> list[str]:
    """The unknown keys of a message that no other rule tells of."""
    if not keys.isdisjoint(FORMS.get(message, ())) or NEEDED.get(message, "") not in {"", *keys}:
        return []
    if message == "part" and keys.isdisjoint(DATA):
        # A part without data is a mistake of its own, whatever it has instead.
        return [key for key in unknown if meant((key,))]
    return [key for key in unknown if camel(key) not in OTHERS.get(message, ())]


def _one(value: Any) -> Why | None:
    return "list" if type(value) is list else None


def _text(value: Any) -> Why | None:
    return None if type(value) is str else _one(value) or "type"


def _bytes(value: Any) -> Why | None:
    return "url" if type(value) is str and value[:5].lower() == "data:" else _text(value)


def _mime(value: Any) -> Why | None:
    """The type of a medium. Which of the sound ones a model takes changes with every release."""
    if type(value) is not str:
        return _text(value)
    kind, _, form = value.partition("/")
    return None if not value or (kind and form[:1] not in ("", "/") and value not in NO_MIME) else "mime"


def _signature(value: Any) -> Why | None:
    """What a server signed; not the value of a client that has it as a member."""
    return "json" if type(value) is str and value[:1] in ("{", "[") else _text(value)


def _number(value: Any) -> Why | None:
    """A number, which may be written as a text: proto3 JSON takes both."""
    return _one(value) or ("type" if _read(value) is None else None)


def _whole(value: Any) -> Why | None:
    number = _read(value)
    return _one(value) or ("type" if number is None or number % 1 != 0 else None)


def _read(value: Any) -> float | None:
    if type(value) is str and len(value) <= 400:
        try:
            return float(value)
        except ValueError:
            return None
    return value if type(value) in (int, float) else None


Reader = Callable[[Any], Why | None]
SINGLE: dict[str, Reader] = {
    "one": _one,
    "text": _text,
    "bytes": _bytes,
    "mime": _mime,
    "signature": _signature,
    "number": _number,
    "whole": _whole,
}


@lru_cache(maxsize=1024)
def _why(tables: FieldTables, message: str, key: str, surface: str, version: str | None) -> tuple[Why, str]:
    """Why a field is not known where it stands, and what is likely to be meant by it."""
    name = camel(key)
    if why := limits(surface, version, tables).get(message, {}).get(name):
        owners = [owner for owner, fields in tables.only.items() if name in fields.get(message, ())]
        only = "".join(f"; only {owner} has it" for owner in owners)
        return why, only if why == "surface" else LIMITED.get(why, "")
    known, homes = tables.messages[message], [each for each, fields in tables.messages.items() if name in fields]
    if any(_fold(key) == _fold(each) for each in known):
        return "misspelt", f"; did you mean '{next(each for each in known if _fold(key) == _fold(each))}'?"
    foreign = {**FOREIGN, **tables.foreign, **HALVES.get(message, {})}
    if (meant := foreign.get(name)) is not None:
        return "foreign", f"; Gemini has {meant}" if meant else "; it is of another API"
    if homes:
        below = [kind.rstrip("*") for kind in known.values()]
        nearest = [each for each in homes if each in below] or homes
        return "misplaced", f"; it belongs into {' or '.join(nearest[:2])}"
    if near := _near(name, frozenset(known)):
        return "misspelt", f"; did you mean '{near}'?"
    return "unknown", "; nothing known is like it"


def meant(keys: tuple[str, ...]) -> str:
    """The kind of data that one of the keys of a part nearly is, and is not."""
    return next((near for key in keys[:MOST] if key not in DATA and (near := _near(key[:64], DATA))), "")


@lru_cache(maxsize=1024)
def _near(key: str, known: frozenset[str]) -> str:
    from difflib import get_close_matches

    folded = {_fold(each): each for each in sorted(known)}
    near = get_close_matches(_fold(key), folded, 1, 0.8)
    return folded[near[0]] if near else ""


def _fold(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()
