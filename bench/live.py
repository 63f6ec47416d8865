"""A Live session: audio both ways, transcripts, tools, interruptions. It knows no form of log."""

from collections.abc import Iterator
from random import Random

from bench.words import TOOLS, Json, args, data, declared, text, token

URL = (
    "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService"
    ".BidiGenerateContent"
)
HEARD, SPOKEN = {"mimeType": "audio/pcm;rate=16000"}, {"mimeType": "audio/pcm;rate=24000"}
AUDIO = 1040  # bytes of a frame's sound, most often

Said = tuple[str, Json]  # who, and what


def session(rng: Random, frames: int, mistakes: int = 0) -> Iterator[Said]:
    """Turns until there are so many frames; in so many of the first ones a call is answered with an id of nobody's."""
    count = 2
    yield from _setup()
    while count < frames:
        spoken = [*_turn(rng, wrong=mistakes > 0)]
        yield from spoken
        mistakes, count = mistakes - 1, count + len(spoken)


def _setup() -> Iterator[Said]:
    setup = {
        "model": "models/gemini-2.5-flash-native-audio-preview-12-2025",
        "generationConfig": {"responseModalities": ["AUDIO"]},
        "tools": [{"functionDeclarations": [declared(tool, "parameters") for tool in TOOLS]}],
        "inputAudioTranscription": {},
        "outputAudioTranscription": {},
    }
    yield "client", {"setup": setup}
    yield "server", {"setupComplete": {}}


def _turn(rng: Random, wrong: bool) -> Iterator[Said]:
    yield from _user_speaks(rng)
    fate = rng.random()
    if wrong or fate < 0.3:
        yield from _tools(rng, wrong)
    elif fate < 0.35:
        yield from _cancelled(rng)
    interrupted = rng.random() < 0.15
    yield from _model_speaks(rng, rng.randint(3, 12) if interrupted else rng.randint(15, 60))
    yield _content(interrupted=True) if interrupted else _content(generationComplete=True)
    yield "server", {"serverContent": {"turnComplete": True}, "usageMetadata": _usage(rng)}


def _content(**said: object) -> Said:
    return "server", {"serverContent": said}


def _user_speaks(rng: Random) -> Iterator[Said]:
    for number in range(rng.randint(15, 50)):
        yield "client", {"realtimeInput": {"audio": {**HEARD, "data": data(rng, AUDIO)}}}
        if number % 12 == 11:
            yield _content(inputTranscription={"text": text(rng, 2, 6)})


def _model_speaks(rng: Random, frames: int) -> Iterator[Said]:
    for number in range(frames):
        audio = {"inlineData": {**SPOKEN, "data": data(rng, AUDIO)}}
        yield _content(modelTurn={"role": "model", "parts": [audio]})
        if number % 8 == 7:
            yield _content(outputTranscription={"text": text(rng, 2, 8)})


def _calls(rng: Random) -> list[Json]:
    tools = rng.choices([*TOOLS], k=rng.choice((1, 1, 2)))
    return [{"name": tool, "args": args(rng, tool), "id": f"function-call-{token(rng, 12)}"} for tool in tools]


def _tools(rng: Random, wrong: bool) -> Iterator[Said]:
    calls = _calls(rng)
    yield "server", {"toolCall": {"functionCalls": calls}}
    answers = [{"id": c["id"], "name": c["name"], "response": {"output": text(rng, 5, 40)}} for c in calls]
    if wrong:
        answers[0]["id"] = "function-call-of-nobody"
    yield "client", {"toolResponse": {"functionResponses": answers}}


def _cancelled(rng: Random) -> Iterator[Said]:
    """The user speaks again while the tools run: the server takes its calls back."""
    calls = _calls(rng)
    yield "server", {"toolCall": {"functionCalls": calls}}
    yield "server", {"toolCallCancellation": {"ids": [call["id"] for call in calls]}}
    yield _content(interrupted=True)
    yield _content(turnComplete=True)
    yield from _user_speaks(rng)


def _usage(rng: Random) -> Json:
    prompt, response = rng.randint(200, 9000), rng.randint(20, 400)
    details = {"promptTokensDetails": [{"modality": "AUDIO", "tokenCount": prompt}]}
    return {"promptTokenCount": prompt, "responseTokenCount": response, "totalTokenCount": prompt + response, **details}
