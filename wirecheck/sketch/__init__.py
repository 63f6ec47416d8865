"""Payloads in, a few short lines out: what pictures of conversations are made of."""

from wirecheck.sketch.content_sketch import Kind, Piece, sketch
from wirecheck.sketch.frame_sketch import sketch_frame
from wirecheck.wire.media_summary import weighed

__all__ = ["Kind", "Piece", "sketch", "sketch_frame", "weighed"]
