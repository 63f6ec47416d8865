"""What the client of a Live connection sends by itself: content in turns, and input in real time.

Of audio and video the kind and no more is looked at. What is off is told once a connection, however long it goes on.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from wirecheck.dialects.messages import Spot
from wirecheck.dialects.vocabulary.field_names import get, keys_of, written
from wirecheck.models import UNLIMITED, Limits
from wirecheck.talk.facts import Context, Fact, InputFact, SetupFact
from wirecheck.talk.fields.unknown_in_frames import in_frame
from wirecheck.talk.schemas.toolbox import Toolbox
from wirecheck.talk.sessions.state_tables import CONSTRAINED

MEDIA = ("audio", "video", "mediaChunks")
_MOST = 64  # things told of one connection
Told = Iterator[InputFact]


class RealtimeInput:
    """What is remembered of the input of one connection."""

    def __init__(self) -> None:
        # Who marks where speech begins and ends: the client, the server (false), or nobody knows.
        self._manual: bool | None = None
        self._speaks = False  # the client marked a beginning, and no end
        self._streams = False  # audio comes in
        self._seeds = ""  # the history comes first: "awaited", then "begun"
        self._held = False  # a token may hold the setup
        self._unfinished: tuple[Spot, int] | None = None  # turns that were not said to be complete
        self._signal: tuple[str, Spot, int] | None = None  # the first mark of activity
        self._told: set[tuple[str, ...]] = set()
        self._limits: Limits = UNLIMITED

    @property
    def memo_key(self) -> Hashable:
        """Everything that decides what real-time input does here."""
        marks = self._unfinished is not None, self._signal is not None
        return self._manual, self._speaks, self._streams, self._seeds, marks, frozenset(self._told)

    def set_up(self, setup: Any, context: Context, limits: Limits) -> None:
        """`limits` are those of its model."""
        self._limits = limits
        self._held = context.method == CONSTRAINED
        if type(setup) is not dict or self._held:
            return
        self._manual = _at(setup, "realtimeInputConfig", "automaticActivityDetection", "disabled") is True
        seeds = _at(setup, "historyConfig", "initialHistoryInClientContent") is True
        self._seeds = "awaited" if seeds else ""

    def hear(self, says: str, value: Any, spot: Spot, turn: int, context: Context) -> Iterator[Fact]:
        """A frame of the client: what is wrong with it by itself, and with what came before it."""
        for fact in in_frame(value, spot, context, turn, self._limits):
            if says != "realtimeInput" or self._new(fact.why, fact.message, fact.name[:64]):
                yield fact
        given = get(value, says) if says in ("clientContent", "realtimeInput") else None
        if type(given) is dict:
            heard = self._content if says == "clientContent" else self._realtime
            for what, name, at in heard(given, spot.to(written(value, says)), turn):
                yield from self._tell(what, name, at, turn, context)

    def heard_back(self) -> None:
        """The model says something: it waits for nothing."""
        self._unfinished = None

    def left(self, context: Context) -> Told:
        """The session ended in peace, or nobody knows how."""
        if self._unfinished is not None:
            spot, turn = self._unfinished
            yield from self._tell("unfinished", "", spot, turn, context)

    def refused(self, context: Context) -> Told:
        """The session ended because activity was marked."""
        if self._signal is not None:
            name, spot, turn = self._signal
            yield from self._tell("signal", name, spot, turn, context)

    def _tell(self, what: str, name: str, spot: Spot, turn: int, context: Context) -> Told:
        if self._new(what, name):
            yield InputFact(context=context, spot=spot, turn=turn, what=what, name=name)

    def _new(self, *what: str) -> bool:
        """Whether it was not told yet: a stream of audio is one mistake."""
        new = what not in self._told and len(self._told) < _MOST
        if new:
            self._told.add(what)
        return new

    def _content(self, given: dict[str, Any], spot: Spot, turn: int) -> Iterator[tuple[str, str, Spot]]:
        complete = get(given, "turnComplete") is True
        if get(given, "turns") and not complete:
            self._unfinished = spot, turn
        elif complete:
            self._unfinished = None
        if self._seeds:
            self._seeds = "" if complete else "begun"
        elif not self._held:
            yield "unannounced", "clientContent", spot
        if self._streams and _in_words(turns := get(given, "turns")):
            yield "between", "clientContent", spot
        elif self._streams and complete and not turns:
            yield "completed", "clientContent", spot

    def _realtime(self, given: dict[str, Any], spot: Spot, turn: int) -> Iterator[tuple[str, str, Spot]]:
        self._unfinished = None
        if self._seeds == "begun":
            yield "unseeded", "", spot
        for name in keys_of(given):
            at = spot.to(written(given, name))
            if name in MEDIA:
                self._streams = self._streams or name == "audio"
                yield from _media(name, get(given, name), at)
            elif name in ("activityStart", "activityEnd"):
                yield from self._marked(name, at, turn)
            elif name == "audioStreamEnd":
                self._streams = False
                if self._manual:
                    yield "stream-end", name, at

    def _marked(self, name: str, spot: Spot, turn: int) -> Iterator[tuple[str, str, Spot]]:
        begins = name == "activityStart"
        self._signal = self._signal or (name, spot, turn)
        if self._manual is False:
            yield "signal", name, spot
        elif self._manual and begins is self._speaks:
            yield "again", name, spot
        self._speaks = begins
        self._streams = self._streams and begins


def setup_fact(setup: Mapping[str, Any], spot: Spot, context: Context, toolbox: Toolbox) -> SetupFact:
    modalities = _at(setup, "generationConfig", "responseModalities")
    named = modalities if type(modalities) is list else [modalities]
    trigger = _at(setup, "contextWindowCompression", "triggerTokens")
    path = get(setup, "model")
    return SetupFact(
        context=context,
        spot=spot,
        keys=keys_of(setup),
        path=path if type(path) is str else None,
        modalities=tuple([each.upper() for each in named if type(each) is str]),
        tools=toolbox.kinds,
        functions=len(toolbox.declared),
        trigger=int(trigger) if type(trigger) is int or _digits(trigger) else None,
        value=setup,
    )


def _in_words(turns: Any) -> bool:
    """Whether turns hold any text."""
    parts = [part for turn in _listed(turns) if type(turn) is dict for part in _listed(turn.get("parts"))]
    return any(type(part) is dict and get(part, "text") for part in parts)


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _digits(value: Any) -> bool:
    """A number as protobuf JSON writes large ones."""
    return type(value) is str and value.isascii() and value.isdigit() and len(value) < 19


def _media(name: str, given: Any, spot: Spot) -> Iterator[tuple[str, str, Spot]]:
    if name == "mediaChunks":
        yield "chunks", name, spot
    elif name == "audio" and type(given) is dict:
        kind = get(given, "mimeType")
        what, form = _format(kind[:64] if type(kind) is str else "")
        if what:
            yield what, form, spot


@lru_cache(maxsize=64)
def _format(kind: str) -> tuple[str, str]:
    """What is to be said of a kind of audio, and its name without what follows it."""
    form, _, more = kind.lower().replace(" ", "").partition(";")
    if form not in ("audio/pcm", ""):
        return "format", form
    return ("", form) if "rate=" in more else ("rate", form)


def _at(holder: Any, *path: str) -> Any:
    """What a path of keys leads to."""
    for key in path:
        holder = get(holder, key) if type(holder) is dict else None
    return holder
