"""Live sessions as google/test-server logs them: the length that stands before a frame is that of what follows."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from wirecheck.redacting.text_pieces import unit
from wirecheck.redacting.unredactable import Unredactable
from wirecheck.secrets.file_text import FileText
from wirecheck.sources.lines import LIMIT, MEGABYTE

BEGIN = re.compile(rb"[<>]([0-9]{1,10}) ")
FOLLOWS = (b"<", b">", b"\r", b"\n")  # what may stand after a frame


def pieces(stream: BinaryIO, secrets: FileText) -> Iterator[bytes]:
    size = stream.seek(0, 2)
    stream.seek(0)
    while line := stream.readline(LIMIT + 1):
        found = BEGIN.match(line)
        length = int(found[1]) if found else len(line)
        if max(length, len(line)) > LIMIT:
            if found and length > size:
                raise Unredactable(f"a frame at byte {stream.tell() - len(line)} says that it is longer than the file")
            raise Unredactable(f"a line or frame of over {LIMIT // MEGABYTE} MB")
        if found is None:
            yield unit(line, secrets)
            continue
        begin = found.end()
        if len(line) - begin < length:
            line += stream.read(length - len(line) + begin + 1)  # with the byte that follows
        data, rest = line[begin : begin + length], line[begin + length :]
        if rest:  # the next frame may begin in the same line
            if rest[:1] not in FOLLOWS:
                raise Unredactable(f"the frame that ends at byte {stream.tell() - len(rest)} goes on after its length")
            stream.seek(-len(rest), 1)
        after = unit(data, secrets)
        if after == data:
            yield line[: begin + length]
        else:
            # One that breaks off stays as much too short.
            yield b"%b%d %b" % (line[:1], length + len(after) - len(data), after)
