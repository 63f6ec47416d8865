"""Payloads in, a few short lines out: what pictures of conversations are made of."""

from wirecheck.sketch.frames import sketch_frame
from wirecheck.sketch.pieces import Kind, Piece, sketch
from wirecheck.wire.bulk import weighed

__all__ = ["Kind", "Piece", "sketch", "sketch_frame", "weighed"]
