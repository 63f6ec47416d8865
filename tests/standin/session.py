"""What the Live server says to each message of a session. No frames and no sockets."""

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.standin.mind import Json, calls
from tests.standin.wishes import Wishes, texts, wishes


@dataclass
class Session:
    """One session: what was set up, and what the last prompt asked for."""

    tools: Any = None
    asked: Wishes = field(default_factory=Wishes)

    def hear(self, message: Json) -> Iterator[Json]:
        """Clients write keys in both cases, google-genai even within one message."""
        for key, value in message.items():
            answer = ANSWERS.get(key.replace("_", "").lower())
            if answer is not None and isinstance(value, dict):
                yield from answer(self, value)

    def _setup(self, value: Json) -> Iterator[Json]:
        self.tools = value.get("tools")
        yield {"setupComplete": {}}

    def _content(self, value: Json) -> Iterator[Json]:
        if value.get("turnComplete", value.get("turn_complete")):
            yield from self._prompt((value.get("turns") or [{}])[-1])

    def _realtime(self, value: Json) -> Iterator[Json]:
        if "text" in value:
            yield from self._prompt(value)

    def _prompt(self, value: Any) -> Iterator[Json]:
        self.asked = wishes(" ".join(texts(value)))
        made = [part["functionCall"] for part in calls(self.tools, self.asked)]
        if not made:
            yield from self._speech()
            return
        yield {"toolCall": {"functionCalls": made}}
        if self.asked.cancel:
            yield {"toolCallCancellation": {"ids": [call["id"] for call in made]}}

    def _speech(self, _: Any = None) -> Iterator[Json]:
        for _number in range(self.asked.frames):
            yield {"serverContent": {"modelTurn": {"parts": [self._part()]}}}
        yield {"serverContent": {"generationComplete": True}}
        yield {"serverContent": {"turnComplete": True}}

    def _part(self) -> Json:
        if not self.asked.size:
            return {"text": self.asked.say}
        audio = base64.b64encode(bytes(self.asked.size)).decode()
        return {"inlineData": {"mimeType": "audio/pcm;rate=24000", "data": audio}}


ANSWERS: dict[str, Callable[[Session, Any], Iterator[Json]]] = {
    "setup": Session._setup,
    "clientcontent": Session._content,
    "realtimeinput": Session._realtime,
    "toolresponse": Session._speech,
}
