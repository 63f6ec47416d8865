"""Removes secrets from the text of whole files, also where it is packed: in base64, gzipped, as JSON in a string, as
events of a stream, in lines of a log. What was unpacked and held no secret stays as it was packed.
"""

import re
import zlib
from base64 import b64decode, b64encode

from wirecheck.secrets import credentials
from wirecheck.secrets.counted_marks import SecretMarks
from wirecheck.secrets.json_walk import letters, walk
from wirecheck.secrets.known_secrets import scanner
from wirecheck.secrets.plain_text import PlainText, unquoted
from wirecheck.secrets.redaction_marks import is_cut
from wirecheck.secrets.secret_fields import FieldNames
from wirecheck.secrets.secret_forms import KEY_KIND
from wirecheck.secrets.split_secrets import SplitSecrets, has_chunks, joined
from wirecheck.wire.payload import is_json

MOST = 4096  # learned secrets
GZIP = b"\x1f\x8b"
GZIPPED = 31  # zlib's wbits
LARGEST = 64 << 20  # bytes that a packed text may have when it is unpacked
DEEPEST = 4  # times that something is packed
NESTED = 3  # texts with quotes in a text with quotes, none of which is JSON
RUN = r"[A-Za-z0-9+/_-]{24,}+={0,2}"
# A run of base64, one that is broken into lines, and a run of hex.
PACKED = re.compile(rf"(?<![\w+/-]){RUN}(?![\w+/=-])")
FOLDED = re.compile(r"(?:[A-Za-z0-9+/_-]{16,}+\r?\n[ \t]*+)++[A-Za-z0-9+/_-]*+={0,2}\s*+")
HEX = re.compile(r"(?:[0-9a-f]{2}){12,}+|(?:[0-9A-F]{2}){12,}+")
PRINTED = re.compile(r"[\x20-\x7e\r\n\t]{8,}+")
# Pieces of what is gzipped, each in hex or in base64.
IN_PIECES = re.compile(r'\[\s*+"(?:1f8b[0-9a-f]*+|H4sI[\w+/=-]*+)"(?:\s*+,\s*+"[\w+/=-]*+")++\s*+\]')
PIECE = re.compile(r'"([^"]*+)"')
BLANK = re.compile(r"\s+")
URL = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]{0,20}:)?//?[^\s\"'<>{}?#@]*+[?#@][^\s\"'<>{}]*+")
LINE = re.compile(r"[^\n]*+\n|[^\n]++")
BEGIN = re.compile(r"[\[{]")
SHORTEST = 6  # characters of what may be a secret by its form, or with its name
ROUNDS = 3  # a secret may be seen only when that before it is gone
TRIED = 3  # places in a line where JSON may begin
# Where names stand that alone make secrets of their values, and parts of such names that are no hints otherwise.
FIELDS = scanner(("headers", "cookie", "query", "auth", "session", "signature=", "sig=", "code=", 'pass"'))


class FileText(PlainText):
    """The same as PlainText, and more thoroughly: it takes its time."""

    def __init__(self, marks: SecretMarks) -> None:
        super().__init__(MOST, marks)
        self._depth = self._nested = 0
        self._splits = SplitSecrets()

    def unit(self, text: str) -> str:
        """A line, or what else a file is read in: all of them are told in order, and after `again` once more."""
        return self.text(self._splits.unit(text, self.mark))

    def again(self) -> bool:
        """Returns whether there is a secret that no unit holds as a whole."""
        return self._splits.settle()

    def text(self, text: str) -> str:
        """A text of any form."""
        if len(text) < SHORTEST:
            return text
        if '"' in text and has_chunks(text):
            text = joined(text, self.mark)
        if self._is_harmless(text):
            return text
        if text.lstrip()[:1] in ("{", "[") and is_json(text.encode(errors="replace")):
            return self.in_json(text)
        if FOLDED.fullmatch(text) and (after := self._of_base64(text)) != text:
            return after
        if '"' not in text or self._nested == NESTED:
            return self._prose(text)
        self._nested += 1
        try:
            return self._lines(text)
        finally:
            self._nested -= 1

    def in_json(self, text: str) -> str:
        if '"1f8b' in text or '"H4sI' in text:
            text = IN_PIECES.sub(self._in_pieces, text)
        return walk(text, self.fields(), self.string)

    def fields(self) -> FieldNames:
        return FieldNames(self._learn_field)

    def string(self, value: str, kind: str, is_key: bool) -> str:
        if kind and not is_key:
            return value if is_cut(value) else self.mark(kind, value)
        return self.text(value)

    def data(self, data: bytes) -> bytes:
        """Bytes: a text, packed or not. Others stay as they are."""
        if data.startswith(GZIP):
            return self._gzipped(data)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return data
        after = self.text(text)
        return data if after == text else after.encode()

    def binary(self, data: bytes) -> bytes:
        """Bytes of a form that nobody knows: whatever says how long its parts are stays right."""
        text = data.decode("latin-1")
        return data if self.is_clean(text) else PRINTED.sub(self._printed, text).encode("latin-1")

    def _printed(self, found: re.Match[str]) -> str:
        """A text in bytes. Its first letter may be its length."""
        written: str = found[0]
        after = self._bare(written, self._as_long)
        return after if after != written else written[0] + self._bare(written[1:], self._as_long)

    def _as_long(self, kind: str, secret: str) -> str:
        mark = self.mark(kind, secret)
        return mark.ljust(len(secret), "*") if len(mark) <= len(secret) else "*" * len(secret)

    def _is_harmless(self, text: str) -> bool:
        plain = unquoted(letters(text.encode("utf-8", "surrogatepass"))).lower()
        return self.is_clean(plain) and not FIELDS.is_valid(plain) and not self._may_be_packed(text)

    def _may_be_packed(self, text: str) -> bool:
        if '"1f8b' in text or '"H4sI' in text or FOLDED.fullmatch(text):
            return True
        return any(_is_text(_unpacked(found[0])) for found in PACKED.finditer(text))

    def _learn_field(self, name: str, value: str) -> None:
        self.learn(credentials.of_headers({name: value}), credentials.kind_of(name))

    def _lines(self, text: str) -> str:
        """Lines some of which end in JSON, or have strings of it in them."""
        done, prose, fields = list[str](), list[str](), self.fields()
        for line in LINE.findall(text):
            begin = _json_in(line)
            prose.append(line[:begin])
            if begin < len(line):
                done += self._prose("".join(prose)), self.in_json(line[begin:])
                prose = []
            elif '"' in line:
                prose[-1] = walk(line, fields, self.string)
        return "".join((*done, self._prose("".join(prose))))

    def _prose(self, text: str) -> str:
        if URL.fullmatch(text):
            self.learn(credentials.of_url(text), KEY_KIND)
            text = credentials.url_cut(text, self.mark)
        for _ in range(ROUNDS):
            before, text = text, PACKED.sub(self._run, super().text(text))
            if text == before:
                break
        return text

    def _run(self, found: re.Match[str]) -> str:
        return self._of_base64(found[0])

    def _of_base64(self, written: str) -> str:
        """A text that is base64, or hex; the text itself where it is none."""
        packed = BLANK.sub("", written)
        bare = packed.rstrip("=")
        data = _unpacked(packed)
        if not _is_text(data) or (after := self._deeper(data)) == data:
            return written
        if HEX.fullmatch(packed):
            return after.hex()
        made = b64encode(after).decode()
        if "-" in packed or "_" in packed:
            made = made.replace("+", "-").replace("/", "_")
        return _folded(made if packed != bare or not len(bare) % 4 else made.rstrip("="), written)

    def _in_pieces(self, found: re.Match[str]) -> str:
        """A list of texts that are one body, in as many pieces as before."""
        pieces = PIECE.findall(found[0])
        try:
            data = b"".join(map(_read, pieces))
        except ValueError:
            return found[0]
        if (after := self._gzipped(data)) == data:
            return found[0]
        size = -(-len(after) // len(pieces))
        parts = iter([after[n * size : (n + 1) * size] for n in range(len(pieces))])
        write = bytes.hex if HEX.fullmatch(pieces[0]) else _base64
        return PIECE.sub(lambda _: f'"{write(next(parts))}"', found[0])

    def _gzipped(self, data: bytes) -> bytes:
        plain = unzipped(data)
        if plain is None or (after := self._deeper(plain)) == plain:
            return data
        packer = zlib.compressobj(wbits=GZIPPED)
        return packer.compress(after) + packer.flush()

    def _deeper(self, data: bytes) -> bytes:
        if self._depth == DEEPEST:
            return data
        self._depth += 1
        try:
            return self.data(data)
        finally:
            self._depth -= 1


def _unpacked(packed: str) -> bytes:
    """What is written in hex or base64; nothing, where it is neither."""
    if HEX.fullmatch(packed):
        return bytes.fromhex(packed)
    bare = packed.rstrip("=")
    if len(bare) % 4 == 1:
        return b""
    return b64decode(bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4))


def _is_text(data: bytes) -> bool:
    """Whether bytes are a text, packed or not."""
    if data.startswith(GZIP):
        return True
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


def _read(piece: str) -> bytes:
    return bytes.fromhex(piece) if HEX.fullmatch(piece) else b64decode(piece, validate=True)


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def unzipped(data: bytes) -> bytes | None:
    """What is gzipped in the bytes; None where they are broken or hold too much."""
    pieces, size = list[bytes](), 0
    try:
        while data:
            stream = zlib.decompressobj(GZIPPED)
            pieces.append(stream.decompress(data, LARGEST - size + 1))
            size += len(pieces[-1])
            if size > LARGEST or not stream.eof:
                return None
            data = stream.unused_data
    except zlib.error:
        return None
    return b"".join(pieces)


def _json_in(line: str) -> int:
    """Where JSON begins that goes on to the end of a line; the end, where there is none."""
    for n, found in enumerate(BEGIN.finditer(line)):
        if n == TRIED:
            break
        if is_json(line[found.start() :].rstrip().encode(errors="replace")):
            return found.start()
    return len(line)


def _folded(made: str, written: str) -> str:
    """Base64 in lines as long as those it was in."""
    first, sign, rest = written.partition("\n")
    if not sign:
        return made
    width, end = len(first.rstrip("\r")), first[len(first.rstrip("\r")) :] + sign
    indent = rest[: len(rest) - len(rest.lstrip(" \t"))]
    last = written[len(written.rstrip()) :]
    return f"{end}{indent}".join(made[n : n + width] for n in range(0, len(made), width)) + last
