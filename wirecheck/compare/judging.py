"""From two sides of records to findings."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from wirecheck.compare.comparison import Compared, compare
from wirecheck.compare.listener import Listener
from wirecheck.compare.spoken import SpokenConversation
from wirecheck.finding import Finding
from wirecheck.inspector import Inspector
from wirecheck.rules import Ruleset
from wirecheck.wire.records import Record


def compare_records(log: Iterable[Record], wire: Iterable[Record], rules: Ruleset) -> list[Finding]:
    """What rules have to say of the differences between a log and what crossed the wire."""
    return list(findings(compare(heard(log, rules), heard(wire, rules)), rules))


def findings(compared: Compared, rules: Ruleset) -> Iterator[Finding]:
    for each in compared.differences:
        for miss in rules.judge(each.fact):
            yield replace(rules.finding(miss), around=each.around)


def heard(records: Iterable[Record], rules: Ruleset) -> list[SpokenConversation]:
    listener = Listener()
    # With known prefixes skipped, conversations that begin alike would lack their beginning.
    inspector = Inspector(Ruleset([], rules.models), listen=listener.hear, memo=False, pictures=False)
    for record in records:
        inspector.feed(record)
    inspector.close()
    return listener.conversations()
