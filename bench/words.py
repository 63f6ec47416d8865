"""What conversations are made of: words, signatures, ids. The same for the same seed; it knows no protocol."""

import base64
from random import Random
from typing import Any

Json = dict[str, Any]

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SOUNDS = "ba ne ro ti lu ska mer on ver di pol tra gu is en ho cla fi su mo ar wen da zu"
SYLLABLES = SOUNDS.split()
# Most are plain; some have to be escaped in JSON, or are no ASCII.
PLAIN = """the a of to and in is for with on at from it that this please find order list next first last open file line
value parcel shelf train ticket station weather city today tomorrow morning price stock answer question report sum"""
ODD = """Zürich naïve 18\u00a0°C “so” "yes" C:\\temp tab\there line\nbreak 東京 🚆 ok. 42 3.5 e.g. (see) #7 50% a/b"""


def _invented(count: int) -> list[str]:
    rng = Random("words")
    return ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(count)]


WORDS = [*PLAIN.split() * 4, *_invented(600), *ODD.split(" ") * 2]


def text(rng: Random, least: int, most: int) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(least, most)))


def name(rng: Random, words: int = 2) -> str:
    """As functions and fields are named."""
    return "_".join("".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))) for _ in range(words))


def signature(rng: Random) -> str:
    return base64.b64encode(rng.randbytes(rng.randint(90, 450))).decode()


def data(rng: Random, size: int) -> str:
    """So many bytes of sound or picture, as they stand in JSON."""
    return base64.b64encode(rng.randbytes(size)).decode()


def token(rng: Random, length: int) -> str:
    return "".join(rng.choices(LETTERS, k=length))


def uuid(rng: Random) -> str:
    digits = f"{rng.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def shuffled(rng: Random, keys: list[str]) -> list[str]:
    return rng.sample(keys, len(keys))


def arranged(value: Json, order: list[str]) -> Json:
    """With its keys in this order; those it does not name come last."""
    first = {key: value[key] for key in order if key in value}
    return {**first, **value}
