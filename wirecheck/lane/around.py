"""What stands around the contents of a usual request: what its URL says, the tools, and the rest, as forms.

Names of models that no rule tells apart are one form; tools are known by their functions, one by one.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import count
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from wirecheck.dialects.address import Address, address
from wirecheck.lane import blank, usual
from wirecheck.lane.blank import Content
from wirecheck.lane.forms import look, number
from wirecheck.lane.learnt import Learnt
from wirecheck.lane.usual import Odd
from wirecheck.models import Models
from wirecheck.talk.conversation import Kind, kind_of
from wirecheck.talk.facts import FACTS
from wirecheck.talk.toolbox import Toolbox, Toolboxes

# Facts that hang on what stands around the contents alone. Those about fields may.
OF_AROUND = frozenset(("request", "tool", "declaration", "schema"))
OF_DECLARED = frozenset(("declaration", "schema", "field"))
VERBS = frozenset(("generateContent", "streamGenerateContent"))
FEW = 4096  # URLs
MANY = 1 << 16  # functions of tools, and parts of system instructions
Key = tuple[Any, ...]
Layout = str  # what holds a request: in our own log, and where the body is a text, places are others; see layout_of
LAYOUTS = {
    "exchange": ("/request/body", "", False),
    "text": ("/request/body", "", True),
    "opened": ("/body", "", False),
}
Entries = tuple[tuple[int, ...], ...]  # of tools: digests of the functions that each declares
Kin = Callable[[str | None, Collection[str]], Key]  # what rules about such facts make of the name of a model


class Wider(Struct, frozen=True, eq=False):
    """Numbers for what rules see where bands are not told apart: around contents; and where surfaces and versions are
    not either: of a function that is declared there, at a reply, and at contents."""

    around: int
    declared: int
    reply: int
    contents: int


class Lead(Struct, frozen=True, eq=False):
    """What the URL of a usual request says: which histories it may go on from, and numbers for what rules see of it
    where they look at a finding, around contents, at a reply, and at contents."""

    kind: Kind
    number: int
    around: int
    reply: int
    contents: int
    wider: Wider
    where: Address
    layout: Layout
    band: str | None
    alias: bool  # of a model: its band is that of the model that last replied


class Around(Struct, frozen=True, eq=False):
    """What stands around contents: what the URL says, the tools, and the rest.

    Of tools the `entries` are told where each function is judged by itself: where they are functions alone, and no
    configuration speaks of them.
    """

    lead: Lead
    form: Key
    rest: Key
    tools: int  # a digest of them
    entries: Entries | None

    @property
    def pieces(self) -> list[tuple[Key, Key]]:
        """The forms of its pieces, and wider ones: nothing is wrong with all of it where nothing is with each."""
        around, wider = self.lead.around, self.lead.wider
        if self.entries is None:
            return [(self.form, (wider.around, *self.form[1:]))]
        whole = *self.rest, number(("sizes", *map(len, self.entries)))
        declared = [((around, each), (wider.declared, each)) for entry in self.entries for each in entry]
        return [((around, *whole), (wider.around, *whole)), *declared]


class Setting(Struct, frozen=True, eq=False):
    """What stands around contents, but for the tools. Where these are `configured`, they are judged as a whole."""

    lead: Lead
    rest: Key
    configured: bool

    def around(self, tools: int, entries: Entries | None) -> Around:
        """The same with tools of this digest."""
        form = self.lead.number, *self.rest, tools
        return Around(self.lead, form, self.rest, tools, None if self.configured else entries)


class Surroundings:
    """Those that were met lately. What is known of URLs and tools is true of all files."""

    def __init__(self, models: Models, kin: Kin) -> None:
        self._models, self._kin = models, kin
        self._toolboxes = Toolboxes()
        self._leads: Learnt[tuple[str, Layout], tuple[Lead | None]] = Learnt(FEW)
        self._named: Learnt[tuple[Address, str, Layout], Lead] = Learnt(FEW)
        self._contexts: Learnt[Any, int] = Learnt(FEW)
        self._count = count()  # a context that was forgotten gets a new number
        self._entries: Learnt[int, tuple[Entries | None]] = Learnt(MANY)  # by a digest of the tools
        self._systems: Learnt[Content, int] = Learnt(MANY)

    def begin(self, toolboxes: Toolboxes) -> None:
        """Another file begins."""
        self._toolboxes = toolboxes

    def toolbox(self, digest: int) -> Toolbox | None:
        """The one of tools of this digest, if it is still known."""
        return self._toolboxes.known(digest)

    def tools(self, written: bytes) -> tuple[Toolbox, Entries | None]:
        """The one of these tools, and their entries."""
        toolbox = self._toolboxes.of(written or b"null")
        if (known := self._entries.get(toolbox.digest)) is None:
            known = (_entries(toolbox, written),)
            self._entries.add(toolbox.digest, known, 1 + len(toolbox.declared))
        return toolbox, known[0]

    def setting(self, url: str, layout: Layout, system: Content | None, configured: tuple[bytes, ...]) -> Setting:
        """What is told by a URL, a system instruction, and configuration as it is written: first that of the tools.
        Raises Odd, or what parsing raises."""
        lead, form = self._lead(url, layout), None if system is None else self._system(system)
        return Setting(lead, (xxh3_64_intdigest(b"\0".join(configured)), form), configured[0] != b"")

    def _system(self, system: Content) -> int:
        """The form of a system instruction. One that is signed is odd."""
        if (known := self._systems.get(system)) is None:
            if (seen := look(system)).signed:
                raise Odd
            known = self._systems.add(system, seen.form, blank.weight((system,)))
        return known

    def known_as(self, around: Around, model: str | None) -> Around:
        """The same, where the name in the URL stands for this model."""
        return self.of_band(around, self._models.band(model, around.lead.where.protocol))

    def of_band(self, around: Around, band: str | None) -> Around:
        """The same, where the name in the URL stands for a model of this band."""
        if band is None or band == around.lead.band:
            return around
        key = around.lead.where, band, around.lead.layout
        lead = self._named.get(key) or self._named.add(key, self._new_lead(*key))
        return replace(around, lead=lead, form=(lead.number, *around.form[1:]))

    def _lead(self, url: str, layout: Layout) -> Lead:
        if (one := self._leads.get((url, layout))) is None:
            where = address(url, self._models)
            known = where.verb in VERBS and where.surface != "unknown" and where.model
            one = self._leads.add((url, layout), (self._new_lead(where, None, layout) if known else None,))
        if one[0] is None:
            raise Odd
        return one[0]

    def _new_lead(self, where: Address, replied: str | None, layout: Layout) -> Lead:
        own, model, verb = self._models.band(where.model, where.protocol), where.model, where.verb
        band, rest = own or replied, (where.version, True, LAYOUTS[layout])
        kind = kind_of(where.protocol, where.surface, own or model, *rest)
        around, others = self._kin(model, sorted({*OF_AROUND, "field"})), self._kin(model, sorted({*FACTS} - OF_AROUND))
        seen = ("around", verb, around), ("reply", verb, others), ("contents", others)
        contexts = (("all", verb, model), *seen)
        one, two, three, four = [self._number((kind, band, layout, *each)) for each in contexts]
        return Lead(kind, one, two, three, four, self._wider(where, layout, seen), where, layout, band, own is None)

    def _wider(self, where: Address, layout: Layout, seen: tuple[Key, Key, Key]) -> Wider:
        around, reply, contents = seen
        declared = "declared", self._kin(where.model, sorted(OF_DECLARED))
        # Which fields may stand around contents hangs on surface and version. All others that are usual stand anywhere.
        wide = (where.surface, where.version, *around), declared, reply, contents
        return Wider(*[self._number((layout, *each)) for each in wide])

    def _number(self, context: Any) -> int:
        known = self._contexts.get(context)
        return self._contexts.add(context, next(self._count)) if known is None else known


def _entries(toolbox: Toolbox, tools: bytes) -> Entries | None:
    """The functions that are declared, one by one; None where tools are anything else, or names are."""
    with suppress(*usual.UNUSUAL):
        entries = tuple([tuple(map(xxh3_64_intdigest, one.functions)) for one in usual.tools(tools or b"[]")])
        if len(toolbox.names) == sum(map(len, entries)) and toolbox.kinds in ((), ("functionDeclarations",)):
            return entries
    return None
