"""Payloads in, a few short lines out: for excerpts of findings and for `wirecheck show`."""

from wirecheck.sketch.content_sketch import Kind, SketchLine, sketch
from wirecheck.sketch.frame_sketch import sketch_frame
from wirecheck.wire.media_summary import weighed

__all__ = ["Kind", "SketchLine", "sketch", "sketch_frame", "weighed"]
