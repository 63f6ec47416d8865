"""A request that the server refused, out of what a tracer kept of it: its history, its model, and the error's text."""

from wirecheck.sources.agents.refusals import refusal
from wirecheck.sources.formats.building import exchange
from wirecheck.sources.formats.google_models import method_url
from wirecheck.sources.formats.node import JsonNode
from wirecheck.sources.telemetry.generation_messages import Messages, messages
from wirecheck.wire.records import Body, Record, Site


def refused_turn(at: Site, history: list[JsonNode], told: JsonNode, *, way: str, model: str) -> list[Record]:
    """The exchange, which stands at `at`, where this text holds the server's word; else nothing. What else the request
    held is not known, so it is no whole one."""
    found = refusal(told) if told else None
    if found is None:
        return []
    (status, reply), asked = found, messages(history)
    contents, url = all(message.is_content for message in asked), method_url(way, model)
    if not contents:  # another form of the same: the server is not known by it
        url = f"{method_url('', model).rpartition(':')[0]}/chat/completions"
    body = _together("contents" if contents else "messages", asked, at)
    return list(exchange(at, method="", url=url, body=body, status=status, status_site=told.site, reply=(reply,)))


def _together(key: str, asked: Messages, at: Site) -> Body:
    """A request with these messages, each of which stands where it was: in a text, or below this place."""
    first, places = asked[0].body.site, dict[tuple[str | int, ...], str]({(): ""})
    for n, message in enumerate(asked):
        site = message.body.site
        below = site.inner_pointer if first.inner else site.pointer.removeprefix(at.pointer)
        for steps, inside in ({(): "/"} if site.places is None else site.places).items():
            places[key, n, *steps] = below + inside
    written = b'{"%b":[%b]}' % (key.encode(), b",".join(message.body.raw for message in asked))
    pointer = first.pointer if first.inner else at.pointer
    return Body(written, Site(first.origin, pointer, first.inner, places=places))
