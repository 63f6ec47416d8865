"""A line cut into what stands around its contents, the contents that were not heard, and the reply.

What stands around the contents is the same in most lines of a client, byte for byte. So it is remembered by its bytes,
and a line that has it is cut where it begins and ends: only the contents and the reply are parsed. The pieces fit
together as they did where it was seen first; if each is valid in its place, so is the line.
"""

from typing import Any

from msgspec import Raw, Struct
from xxhash import xxh3_64_intdigest

from wirecheck.dialects.address import address
from wirecheck.lane import usual
from wirecheck.lane.forms import Odd, look
from wirecheck.lane.usual import Body, Response
from wirecheck.rules import Ruleset
from wirecheck.talk.threads import Kind, kind_of
from wirecheck.talk.toolbox import Toolbox, Toolboxes

HEARD = b"0"  # stands where a history was that is known
CONTENTS, REPLY = b'"contents":', b'"response":'
VERBS = frozenset(("generateContent", "streamGenerateContent"))
FEW = 4096  # URLs, and what stands around contents
ALIKE = 4  # of those, such as begin alike
MARK = 24  # bytes that are looked for
LONG = 1 << 17  # a line longer than this, its history left out, takes the long way
GAP = 8  # bytes between two contents, at most: a comma, and blanks


class Lead(Struct, frozen=True, eq=False):
    """What the URL of a usual request says: which histories it may go on from, and numbers for what rules see of it:
    all, all but the name of a model that none of them asks for, and of that what replies share with requests."""

    kind: Kind
    number: int
    reply: int
    kin: int


class Around(Struct, frozen=True, eq=False):
    """What stands around contents: all of it as a form, the functions declared in it, and what the URL says."""

    lead: Lead
    form: tuple[Any, ...]
    toolbox: Toolbox


class Setting(Struct, frozen=True, eq=False):
    """The bytes from the end of the contents to the reply."""

    around: Around
    after: bytes


class Cut(Struct, eq=False):
    """A line in pieces. `end` is where its contents end, where that is known."""

    around: Around
    tail: tuple[bytes, ...]
    response: Response
    end: int | None = None


class Cutter:
    """Cuts the lines of one file. What it knows of URLs is true of all files."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._leads: dict[str, Lead | None] = {}
        self._contexts: dict[Any, int] = {}
        self._settings: dict[bytes, list[Setting]] = {}
        self._seen: dict[tuple[Any, ...], int] = {}

    def begin(self, toolboxes: Toolboxes) -> None:
        self._toolboxes = toolboxes
        self._settings.clear()

    def cut(self, line: bytes, start: int, past: int) -> Cut:
        """The line without the `past` bytes of its contents that were heard. Raises Odd, or what parsing raises."""
        for setting in self._settings.get(line[:start], ()):
            if (cut := _cut(line, start, past, setting)) is not None:
                return cut
        short = line if not past else line[:start] + HEARD + line[start + past :]
        if len(short) > LONG:
            raise Odd
        exchange = usual.exchange(short)
        request, body = exchange.request, exchange.request.body
        lead = self._leads.get(request.url) or self._lead(request.url)
        if lead is None or request.method != "POST" or not body.contents or (past and bytes(body.contents[0]) != HEARD):
            raise Odd
        toolbox = self._toolboxes.of(bytes(body.tools) or b"null")
        cut = Cut(Around(lead, _form(body), toolbox), _tail(body.contents, past), exchange.response)
        self._remember(line, start, past, cut)
        return cut

    def _remember(self, line: bytes, start: int, past: int, cut: Cut) -> None:
        """What stands around contents is worth remembering when it is seen again."""
        if len(self._seen) > FEW:
            self._seen.clear()
            self._settings.clear()
        times = self._seen[cut.around.form] = self._seen.get(cut.around.form, 0) + 1
        if times < 2:
            return
        cut.end = end_of(line, start + past, cut.tail)
        if cut.end is None or (at := line.find(REPLY, cut.end)) < 0:
            return
        setting = Setting(cut.around, line[cut.end : at + len(REPLY)])
        if _cut(line, start, past, setting) is not None:
            alike = self._settings.setdefault(line[:start], [])
            alike[:] = [setting, *alike[: ALIKE - 1]]

    def _lead(self, url: str) -> Lead | None:
        if url not in self._leads:
            if len(self._leads) > FEW:
                self._leads.clear()
            self._leads[url] = self._new_lead(url)
        return self._leads[url]

    def _new_lead(self, url: str) -> Lead | None:
        where = address(url, self._rules.models)
        band = self._rules.models.band(where.model, where.protocol)
        if where.verb not in VERBS or where.surface == "unknown" or not band:
            return None
        kind, kin = kind_of(where.protocol, where.surface, band, where.version, True), self._rules.kin(where.model)
        contexts = ((kind, where.verb, where.model), (kind, where.verb, kin), (kind, kin))
        return Lead(kind, *[self._contexts.setdefault(each, len(self._contexts)) for each in contexts])


def beginning(line: bytes) -> int:
    """Where the first content of a history stands. Within a text the quotes of the key would be escaped."""
    at = line.find(CONTENTS)
    if at < 0:
        return -1
    at += len(CONTENTS)
    while line[at : at + 1] == b" ":
        at += 1
    return at + 1 if line[at : at + 1] == b"[" else -1


def end_of(line: bytes, at: int, tail: tuple[bytes, ...]) -> int | None:
    """Where contents that begin here end, if there is no more than a comma and a blank between them."""
    for raw in tail:
        found = line.find(raw, at, at + len(raw) + GAP)
        if found < 0:
            return None
        at = found + len(raw)
    return at


def _cut(line: bytes, start: int, past: int, setting: Setting) -> Cut | None:
    """The line, if this stands in it around the contents."""
    begin, after = start + past, setting.after
    end = line.find(after[:MARK], begin)
    if end < 0 or len(line) - begin > LONG or not line.startswith(after, end):
        return None
    rest = line[end + len(after) :].rstrip()
    if rest[-1:] != b"}" or (past and line[begin : begin + 1] not in (b",", b"]")):
        return None
    contents = line[start:end] if not past else HEARD + line[begin:end]
    try:
        tail, response = usual.contents(b"[%b]" % contents), usual.response(rest[:-1])
    except usual.UNUSUAL:
        return None
    return Cut(setting.around, _tail(tail, past), response, end)


def _tail(contents: list[Raw], past: int) -> tuple[bytes, ...]:
    tail = tuple([bytes(raw) for raw in contents])
    return tail[1:] if past else tail


def _form(body: Body) -> tuple[Any, ...]:
    system = body.system_instruction
    raw = b"\0".join((body.tools, body.tool_config, body.generation_config, body.safety_settings))
    return xxh3_64_intdigest(raw), None if system is None else look(system).form
