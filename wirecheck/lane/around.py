"""What stands around the contents of a usual request: what its URL says, the tools, and the rest, as forms.

Names of models that no rule tells apart are one form; tools are known by their functions, one by one.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from wirecheck.dialects.address import Address, address
from wirecheck.dialects.application import MARK
from wirecheck.lane import usual
from wirecheck.lane.forms import Odd, look
from wirecheck.lane.usual import Body, Opened, Request
from wirecheck.models import Models
from wirecheck.talk.conversation import Kind, kind_of
from wirecheck.talk.facts import FACTS
from wirecheck.talk.toolbox import Toolbox, Toolboxes

# Facts that hang on what stands around the contents alone. Those about fields may.
OF_AROUND = frozenset(("request", "tool", "declaration", "schema"))
VERBS = frozenset(("generateContent", "streamGenerateContent"))
FEW = 4096  # URLs, and lists of tools
Key = tuple[Any, ...]
Entries = tuple[tuple[int, ...], ...]  # of tools: digests of the functions that each declares
Kin = Callable[[str | None, Collection[str]], Key]  # what rules about such facts make of the name of a model


class Lead(Struct, frozen=True, eq=False):
    """What the URL of a usual request says: which histories it may go on from, and numbers for what rules see of it
    where they look at a finding, around contents, at a reply, and at contents."""

    kind: Kind
    number: int
    around: int
    reply: int
    contents: int
    where: Address
    kept: bool  # in our own log: places there are others
    band: str | None
    alias: bool  # of a model: its band is that of the model that last replied


class Around(Struct, frozen=True, eq=False):
    """What stands around contents: what the URL says, the tools, and the rest.

    Of tools the `entries` are told where each function is judged by itself: where they are functions alone, and no
    configuration speaks of them.
    """

    lead: Lead
    rest: Key
    entries: Entries | None
    digest: int  # of its bytes, but for the URL
    tools: int
    toolbox: Toolbox

    @property
    def form(self) -> Key:
        return self.lead.number, *self.rest, self.tools

    @property
    def pieces(self) -> list[Key]:
        """The forms of its pieces: nothing is wrong with all of it, where nothing is with each."""
        if self.entries is None:
            return [self.form]
        around, sizes = self.lead.around, tuple(map(len, self.entries))
        return [(around, *self.rest, sizes), *[(around, each) for entry in self.entries for each in entry]]


class Surroundings:
    """Those that were met lately. What is known of URLs and tools is true of all files."""

    def __init__(self, models: Models, kin: Kin) -> None:
        self._models, self._kin = models, kin
        self._toolboxes = Toolboxes()
        self._leads: dict[tuple[str, bool], Lead | None] = {}
        self._named: dict[tuple[Address, str, bool], Lead] = {}
        self._contexts: dict[Any, int] = {}
        self._entries: dict[int, Entries | None] = {}  # by a digest of the tools

    def begin(self, toolboxes: Toolboxes) -> None:
        """Another file begins."""
        self._toolboxes = toolboxes

    def of(self, request: Request | Opened, body: Body) -> Around:
        """What stands around the contents of this request. Raises Odd."""
        kept = type(request) is Opened
        lead = self._leads.get((request.url, kept)) or self._lead(request.url, kept)
        if lead is None or request.method != "POST" or not body.contents or MARK[0] in (request.headers or ()):
            raise Odd
        system, tools = bytes(body.system_instruction), bytes(body.tools)
        toolbox = self._toolboxes.of(tools or b"null")
        settings = xxh3_64_intdigest(b"\0".join((body.tool_config, body.generation_config, body.safety_settings)))
        rest, digest = (settings, look(usual.content(system)).form if system else None), xxh3_64_intdigest(tools)
        if digest not in self._entries:
            self._entries[digest] = self._new_entries(tools, toolbox)
        entries = None if body.tool_config else self._entries[digest]
        return Around(lead, rest, entries, xxh3_64_intdigest(system, digest ^ settings), digest, toolbox)

    def known_as(self, around: Around, model: str | None) -> Around:
        """The same, where the name in the URL stands for this model."""
        where, kept = around.lead.where, around.lead.kept
        band = self._models.band(model, where.protocol)
        if band is None:
            return around
        if (where, band, kept) not in self._named:
            self._named[where, band, kept] = self._new_lead(where, band, kept)
        return replace(around, lead=self._named[where, band, kept])

    def _new_entries(self, tools: bytes, toolbox: Toolbox) -> Entries | None:
        """The functions that are declared, one by one; None where tools are anything else, or names are."""
        if len(self._entries) > FEW:
            self._entries.clear()
        with suppress(*usual.UNUSUAL):
            entries = tuple([tuple(map(xxh3_64_intdigest, one.functions)) for one in usual.tools(tools or b"[]")])
            if len(toolbox.names) == sum(map(len, entries)) and toolbox.kinds in ((), ("functionDeclarations",)):
                return entries
        return None

    def _lead(self, url: str, kept: bool) -> Lead | None:
        if (url, kept) not in self._leads:
            if len(self._leads) > FEW:
                self._leads.clear()
                self._named.clear()
            where = address(url, self._models)
            known = where.verb in VERBS and where.surface != "unknown" and where.model
            self._leads[url, kept] = self._new_lead(where, None, kept) if known else None
        return self._leads[url, kept]

    def _new_lead(self, where: Address, replied: str | None, kept: bool) -> Lead:
        own, model, verb = self._models.band(where.model, where.protocol), where.model, where.verb
        kind, band = kind_of(where.protocol, where.surface, own or model, where.version, True), own or replied
        around, others = self._kin(model, sorted({*OF_AROUND, "field"})), self._kin(model, sorted({*FACTS} - OF_AROUND))
        contexts = (
            (kind, band, kept, "all", verb, model),
            (kind, band, kept, "around", verb, around),
            (kind, band, kept, "reply", verb, others),
            (kind, band, kept, "contents", others),
        )
        one, two, three, four = [self._contexts.setdefault(each, len(self._contexts)) for each in contexts]
        return Lead(kind, one, two, three, four, where, kept, band, own is None)
