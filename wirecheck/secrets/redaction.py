"""Removes keys, tokens and other credentials from records.

Of headers and of queries only what is known to be harmless is kept. JSON stays JSON, and bodies without secrets stay
byte for byte.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from wirecheck.secrets import credentials
from wirecheck.secrets.json_walk import letters
from wirecheck.secrets.plain_text import PlainText, unquoted
from wirecheck.wire.records import Body, Closed, Frame, Opened, Replied

Written = Opened | Replied | Frame | Closed

MOST = 60  # known credentials


class Redaction:
    """Redacts the records of one log, and remembers its secrets."""

    def __init__(self) -> None:
        self._secrets = PlainText(MOST)

    def scrubbed(self, record: Written) -> Written:
        if isinstance(record, Opened):
            self.learn(record.headers)
            self._secrets.learn(credentials.of_url(record.url))
            return replace(
                record,
                method=self.text(record.method),
                url=self.text(credentials.url(record.url)),
                headers=self._headers(record.headers),
                body=record.body and self._body(record.body),
            )
        if isinstance(record, Replied):
            self.learn(record.headers)
            return replace(record, headers=self._headers(record.headers))
        if isinstance(record, Frame):
            return replace(record, body=self._body(record.body))
        return replace(record, reason=self.text(record.reason))

    def learn(self, headers: Mapping[str, str]) -> None:
        """Learns the credentials in headers that are not logged themselves."""
        self._secrets.learn(credentials.of_headers(headers))

    def text(self, text: str) -> str:
        """The text without known secrets and without what looks like one."""
        return self._secrets.text(text)

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        kept = credentials.headers(headers)
        if self._secrets.is_clean(unquoted("\n".join((*kept, *kept.values())))):
            return kept
        return {self.text(name): self.text(value) for name, value in kept.items()}

    def _body(self, body: Body) -> Body:
        secrets = self._secrets
        if body.form == "bytes":  # ASCII is found in bytes of any kind
            return replace(body, raw=self.text(body.raw.decode("latin-1")).encode("latin-1"))
        if secrets.is_clean(unquoted(letters(body.raw))):
            return body
        text = secrets.in_json(body.raw.decode())  # also for text, which may be truncated JSON
        return replace(body, raw=(text if body.form == "json" else self.text(text)).encode())
