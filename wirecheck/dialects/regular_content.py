"""Contents of requests that decode strictly: what conversations hang on is at hand, the rest is read when asked for.

Most of what crosses the wire is like that, and of most of it nobody ever asks for more.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from msgspec import Raw, Struct

from wirecheck.cache import Cache
from wirecheck.dialects.address import Address
from wirecheck.dialects.content import read_content
from wirecheck.dialects.messages import Answer, Call, Chunk, Container, Content, Message, Part, Seen, Spot
from wirecheck.dialects.raw_json import decode, deep
from wirecheck.dialects.strict_types import ChunkSaid, Readers, readers
from wirecheck.dialects.vocabulary.stand_in_signatures import STAND_INS
from wirecheck.hashing import text_digest

ANALYSES, LONG = 2048, 4096  # analyses that are kept, and how many bytes their contents may have
LARGE = 1 << 20  # bytes
_REFERENCE = re.compile(rb'"(?:\$|\\u0024)(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)"')
BEGINNING = 100  # characters of a text that it is known again by


class Half(Struct, frozen=True, gc=False):
    """A call or an answer in a content: in which of its parts, and all that ties the two together."""

    part: int
    id: str | None
    name: str
    args: Any = None
    signature: str | None = None


class Signed(Struct, frozen=True, gc=False):
    """Another part with a signature, and what it is: a text, an empty one, a thought, or media."""

    part: int
    what: str
    signature: str


class Analysis(Struct, frozen=True):
    """A regular content wherever it stands. It does not hold its texts, which may be long, but how they begin."""

    role: Any
    outline: str
    parts: int
    calls: tuple[Half, ...] = ()
    answers: tuple[Half, ...] = ()
    signed: tuple[Signed, ...] = ()
    texts: tuple[str, ...] = ()
    beginning: str = ""  # of all of them together, thoughts left out
    words: int = 0
    camel: bool = True


def analysed(raw: bytes | Raw, readers: Readers) -> Analysis | None:
    """What a content says; None where it is not regular."""
    if deep(raw):
        return None
    for read, camel in ((readers.camel, True), (readers.snake, False)):
        try:
            analysis = _analysis(read(raw), camel=camel)
        except (ValueError, RecursionError):
            continue
        return None if analysis is not None and analysis.answers and refers(bytes(raw)) else analysis
    return None


def refers(raw: bytes) -> bool:
    """Whether a key may be `$ref`, anywhere."""
    return b'"$ref"' in raw or (b"\\u00" in raw and _REFERENCE.search(raw) is not None)


def _analysis(content: Any, *, camel: bool) -> Analysis | None:
    role, parts = content.role, content.parts
    calls, answers, signed, texts, outlines = list[Half](), list[Half](), list[Signed](), list[str](), [role]
    for n, part in enumerate(parts):
        outline = outline_of(part)
        if outline is None:
            return None
        outlines.append(outline)
        call, answer, text, signature = part.functionCall, part.functionResponse, part.text, part.thoughtSignature
        if call is not None:
            calls.append(Half(n, call.id, call.name, call.args, signature))
        elif signature is not None:
            signed.append(Signed(n, _what(part), signature))
        if answer is not None:
            answers.append(Half(n, answer.id, answer.name))
        if text:
            texts.append(text)
    words = text_digest("\n".join(texts)) if texts else 0
    beginnings = tuple([text[:BEGINNING] for text in texts])
    beginning = "".join([part.text[:BEGINNING] for part in parts if part.text and not part.thought])[:BEGINNING]
    told = tuple(calls), tuple(answers), tuple(signed)
    return Analysis(role, " ".join(map(str, outlines)), len(parts), *told, beginnings, beginning, words, camel)


def _what(part: Any) -> str:
    """What a signed part is, beside calls."""
    if part.thought:
        return "thought"
    data = _data(part)
    return "empty" if data == "text" and not part.text else data


def _data(part: Any) -> str:
    """The first of its data; a part without any counts as a text."""
    if part.text is not None:
        return "text"
    return "inlineData" if part.inlineData is not None else "fileData" if part.fileData is not None else "text"


def outline_of(part: Any) -> str | None:
    """All of a part but its wording that can matter: which fields it has, and which of them are empty. None where two
    kinds of data stand in one part, so that the order of keys could matter."""
    call, answer, text = part.functionCall, part.functionResponse, part.text
    data, file = part.inlineData, part.fileData
    if (call is None) + (answer is None) + (text is None) + (data is None) + (file is None) != 4:
        return None
    if text is not None:
        outline = "t" if text else "e"
    elif call is not None:
        outline = "c" if call.args is None else "ca" if call.args else "cA"
        if call.id is not None:
            outline += "i"
    elif answer is not None:
        if (told := _response(answer.response)) is None:
            return None
        outline = "r" + told if answer.id is None else "ri" + told
    else:
        outline = "m" if data is not None else "f"
    if part.thought is not None:
        outline += "T" if part.thought else "F"
    if part.thoughtSignature is not None:
        outline += "B" if part.thoughtSignature in STAND_INS else "S"
    return outline


def _response(response: dict[str, Raw]) -> str | None:
    """Which of the keys that rules ask for a response has; None where it has one that is seldom."""
    if not response:
        return "0"
    if len(response) > 1 and not ODD.isdisjoint(response):
        return None
    output, error = response.get("output"), response.get("error")
    return ("o" if output is not None else "") + ("x" if error is not None else "")


ODD = frozenset(("scheduling", "willContinue", "will_continue"))


class ContentReader:
    """Contents of requests, typed first and leniently after. What was read lately is known by the hash of its bytes."""

    def __init__(self, *, typed: bool = True) -> None:
        self.typed = typed
        self._analyses: Cache[tuple[Readers, int], Analysis] = Cache(ANALYSES)

    def read(self, raw: bytes, digest: int, spot: Spot, where: Address) -> Content:
        if self.typed and len(raw) < LARGE:  # a large one is not kept beside what is decoded of it
            key = readers(where.surface, where.version), digest
            if (analysis := self._analyses.get(key)) is None:
                analysis = analysed(raw, key[0])
                if analysis is not None and len(raw) < LONG:
                    self._analyses.put(key, analysis)
            if analysis is not None:
                return RegularContent(analysis, partial(_lenient, raw, spot), "contents", spot)
        return _lenient(raw, spot)


def _lenient(raw: bytes, spot: Spot) -> Content:
    return read_content(decode(raw), "contents", spot)


class RegularContent(Content):
    """A content of a request that decodes strictly."""

    __slots__ = ("_full", "_read", "analysis")

    def __init__(
        self, analysis: Analysis, read: Callable[[], Content], container: Container, spot: Spot, shape: str = "list"
    ) -> None:
        """`read` reads it leniently."""
        self.analysis, self._read = analysis, read
        self._full: Content | None = None
        self.role, self.speaker = analysis.role, analysis.role or "model"
        self.container, self.shape, self.spot, self.signed = container, shape, spot, False
        self.calls = tuple(map(self._call, analysis.calls)) if analysis.calls else ()
        self.answers = tuple(map(self._answer, analysis.answers)) if analysis.answers else ()

    def _call(self, half: Half) -> Call:
        value: dict[str, Any] = {"name": half.name}
        if half.args is not None:
            value["args"] = half.args
        if half.id is not None:
            value["id"] = half.id
        return Call(
            id=half.id,
            name=half.name,
            args=half.args,
            signed=half.signature is not None,
            keys=tuple(value),
            value=value,
            spot=Spot(self.spot.site, (*self.spot.steps, "parts", half.part)),
            member=("functionCall",) if self.analysis.camel else ("function_call",),
        )

    def _answer(self, half: Half) -> Answer:
        return Answer(
            id=half.id,
            name=half.name,
            spot=Spot(self.spot.site, (*self.spot.steps, "parts", half.part)),
            member=("functionResponse",) if self.analysis.camel else ("function_response",),
        )

    @property
    def outline(self) -> str:
        return self.analysis.outline

    @property
    def full(self) -> Content:
        """The same, read leniently."""
        if self._full is None:
            self._full = self._read()
        return self._full

    @property
    def keys(self) -> tuple[str, ...]:
        return self.full.keys

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.full.parts

    @property
    def value(self) -> Any:
        return self.full.value

    @property
    def texts(self) -> Sequence[str]:
        return self.analysis.texts

    @property
    def words(self) -> int:
        return self.analysis.words

    @property
    def beginning(self) -> str:
        return self.analysis.beginning

    @property
    def beside(self) -> int:
        return self.analysis.parts - len(self.calls) - len(self.answers)


def _content_of(read: Callable[[], Chunk]) -> Content:
    """The content of a chunk. It does not lead back to the chunk, or only the garbage collector could free the two."""
    content = read().candidates[0].content
    assert content is not None
    return content


class RegularChunk:
    """A reply, or one chunk of a reply, that decodes strictly: one candidate, and no field that nobody knows.

    `outline` is all of it that can matter to rules about the chunk, but for the wording.
    """

    __slots__ = (
        "_full",
        "_read",
        "content",
        "finish",
        "outline",
        "protocol",
        "said",
        "says",
        "seen",
        "size",
        "spot",
        "streamed",
        "surface",
    )
    error: ClassVar[None] = None
    interaction: ClassVar[None] = None

    def __init__(
        self,
        said: ChunkSaid,
        size: int,
        seen: Seen,
        surface: str,
        streamed: bool,
        spot: Spot,
        read: Callable[[], Chunk],
    ) -> None:
        """Of so many bytes. Raises ValueError where it is not regular after all."""
        self.said, self.size, self.seen, self.spot = said, size, seen, spot
        self.surface, self.streamed = surface, streamed
        self.protocol, self._read = "generate-content", read
        self._full: Chunk | None = None
        candidate = said.candidates[0]
        self.finish, content = candidate.finishReason, candidate.content
        if candidate.index:
            raise ValueError("not the first candidate")
        self.content: RegularContent | None = None
        self.outline: str = "no content"
        self.says = False  # whether it says anything to anybody: a text that is not empty, or data of any other kind
        if content is None:
            return
        parts = content.parts
        analysis = _analysis(content, camel=True) if parts else Analysis(content.role, "", 0)
        if analysis is None or analysis.answers:
            raise ValueError("two kinds of data in a part")
        self.outline = "no parts" if parts is None else analysis.outline
        self.says = any([part[0] != "e" for part in self.outline.split()[1:]]) if parts else False
        at = spot.to("candidates", 0, "content")
        self.content = RegularContent(
            analysis, partial(_content_of, read), "candidates", at, "missing" if parts is None else "list"
        )

    @property
    def full(self) -> Chunk:
        """The same, read leniently."""
        if self._full is None:
            self._full = self._read()
        return self._full

    @property
    def texts(self) -> list[str]:
        """The texts it says, thoughts left out."""
        parts = self.said.candidates[0].content.parts
        return [part.text for part in parts or () if part.text and not part.thought]


AnyChunk = Chunk | RegularChunk
AnyMessage = Message | RegularChunk
