"""Live sessions: audio both ways, transcripts, tools, interruptions. It knows no form of log."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bench.tools import Tool, args, declared, tools
from bench.words import Json, data, shuffled, text, token

HOST = "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage"
URL = f"{HOST}.v1beta.GenerativeService.BidiGenerateContent"
MODELS = (
    "gemini-2.5-flash-native-audio-preview-12-2025",
    "gemini-live-2.5-flash-preview",
    "gemini-3.1-flash-live-preview",
)
HEARD, SPOKEN = {"mimeType": "audio/pcm;rate=16000"}, {"mimeType": "audio/pcm;rate=24000"}

Said = tuple[str, Json]  # who, and what


@dataclass(frozen=True, slots=True)
class Session:
    number: int
    url: str
    said: Iterator[Said]


class Talk:
    """A session goes on in turns until there are so many frames. While there are mistakes to be made, one a turn, a
    call is answered with the id of nobody."""

    def __init__(self, rng: Random, frames: int, mistakes: list[None]) -> None:
        self.rng, self.frames, self.mistakes = rng, frames, mistakes
        self.tools: list[Tool] = tools(rng, 1, 6)
        self.size = rng.choice((320, 640, 1040, 1280, 3200))  # bytes of a frame's sound
        self.style = rng.choice(("google", "small"))
        self.heard, self.spoke = rng.random() < 0.7, rng.random() < 0.8  # there are transcripts
        self.mime_first = rng.random() < 0.5
        self.counts_first = rng.random() < 0.5
        self.resumes = rng.random() < 0.5

    def __iter__(self) -> Iterator[Said]:
        yield "client", {"setup": self._setup()}
        yield "server", {"setupComplete": {}}
        count = 2
        while count < self.frames:
            spoken = [*self._turn()]
            yield from spoken
            count += len(spoken)

    def _setup(self) -> Json:
        rng = self.rng
        setup: Json = {
            "generationConfig": {"responseModalities": ["AUDIO"]},
            "tools": [{"functionDeclarations": [declared(tool, self.style) for tool in self.tools]}],
        }
        if rng.random() < 0.7:
            setup["systemInstruction"] = {"parts": [{"text": text(rng, 5, 80)}], "role": "user"}
        if rng.random() < 0.4:
            voice = rng.choice(("Puck", "Kore", "Charon"))
            setup["generationConfig"]["speechConfig"] = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": voice}}}
        if self.heard:
            setup["inputAudioTranscription"] = {}
        if self.spoke:
            setup["outputAudioTranscription"] = {}
        if self.resumes:
            setup["sessionResumption"] = {}
        return {"model": f"models/{rng.choice(MODELS)}", **{key: setup[key] for key in shuffled(rng, [*setup])}}

    def _turn(self) -> Iterator[Said]:
        rng = self.rng
        yield from self._user_speaks()
        fate = rng.random()
        if self.mistakes or fate < 0.3:
            yield from self._answered()
        elif fate < 0.35:
            yield from self._cancelled()
        interrupted = rng.random() < 0.15
        yield from self._model_speaks(rng.randint(3, 12) if interrupted else rng.randint(15, 60))
        yield _content(interrupted=True) if interrupted else _content(generationComplete=True)
        over: Json = {"serverContent": {"turnComplete": True}}
        counted = {"usageMetadata": self._usage()}
        yield "server", {**counted, **over} if self.counts_first else {**over, **counted}
        if self.resumes and rng.random() < 0.5:
            yield "server", {"sessionResumptionUpdate": {"newHandle": token(rng, 32), "resumable": True}}

    def _sound(self, kind: Json) -> Json:
        size = self.size if self.rng.random() < 0.8 else self.rng.randint(2, self.size) // 2 * 2
        said = {"data": data(self.rng, size)}
        return {**kind, **said} if self.mime_first else {**said, **kind}

    def _user_speaks(self) -> Iterator[Said]:
        rng, each = self.rng, self.rng.randint(6, 15)
        for number in range(rng.randint(15, 50)):
            yield "client", {"realtimeInput": {"audio": self._sound(HEARD)}}
            if self.heard and number % each == each - 1:
                yield _content(inputTranscription={"text": text(rng, 1, 6)})

    def _model_speaks(self, frames: int) -> Iterator[Said]:
        rng, each = self.rng, self.rng.randint(4, 10)
        for number in range(frames):
            parts = [{"inlineData": self._sound(SPOKEN)}]
            yield _content(modelTurn={"role": "model", "parts": parts} if self.mime_first else {"parts": parts})
            if self.spoke and number % each == each - 1:
                yield _content(outputTranscription={"text": text(rng, 1, 8)})

    def _calls(self) -> list[Json]:
        called = self.rng.choices(self.tools, k=self.rng.choice((1, 1, 2)))
        return [
            {"name": tool.name, "args": args(self.rng, tool), "id": f"function-call-{token(self.rng, 12)}"}
            for tool in called
        ]

    def _answered(self) -> Iterator[Said]:
        calls = self._calls()
        yield "server", {"toolCall": {"functionCalls": calls}}
        answers = [{"id": c["id"], "name": c["name"], "response": {"output": text(self.rng, 5, 40)}} for c in calls]
        if self.mistakes:
            self.mistakes.pop()
            answers[0]["id"] = "function-call-of-nobody"
        yield "client", {"toolResponse": {"functionResponses": answers}}

    def _cancelled(self) -> Iterator[Said]:
        """The user speaks again while the tools run: the server takes its calls back."""
        calls = self._calls()
        yield "server", {"toolCall": {"functionCalls": calls}}
        yield "server", {"toolCallCancellation": {"ids": [call["id"] for call in calls]}}
        yield _content(interrupted=True)
        yield _content(turnComplete=True)
        yield from self._user_speaks()

    def _usage(self) -> Json:
        prompt, response = self.rng.randint(200, 9000), self.rng.randint(20, 400)
        counted = {"promptTokenCount": prompt, "responseTokenCount": response, "totalTokenCount": prompt + response}
        details = {"promptTokensDetails": [{"modality": "AUDIO", "tokenCount": prompt}]}
        return {**counted, **details} if self.rng.random() < 0.7 else counted


def _content(**said: object) -> Said:
    return "server", {"serverContent": said}


def sessions(seed: str, frames: int, length: tuple[int, int], mistakes: int = 0) -> Iterator[Session]:
    """One after the other until there are so many frames. So many turns go wrong, whosever they are."""
    rng, number, wrong = Random(f"{seed} lengths"), 0, [None] * mistakes
    while frames > 0:
        number += 1
        long = min(rng.randint(*length), max(frames, 60))
        yield Session(number, URL, iter(Talk(Random(f"{seed} {number}"), long, wrong)))
        frames -= long
