"""The parts of a record that every dialect passes on unchanged."""

from wirecheck.dialects.messages import Hangup, Seen, Spot
from wirecheck.wire.records import Closed, Frame, Opened, Record, Site


def seen_of(record: Record) -> Seen:
    sender = record.sender if type(record) is Frame else "client" if type(record) is Opened else "server"
    return Seen(record.channel, record.origin, record.at, sender)


def hangup(record: Closed) -> Hangup:
    return Hangup(
        seen=seen_of(record),
        code=record.code,
        reason=record.reason,
        by=record.by,
        recorded=record.recorded,
        spot=Spot(Site(record.origin, record.pointer)),
    )
