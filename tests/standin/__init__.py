"""A stand-in for the Gemini server: HTTP, server-sent events and Live, on loopback, which misbehaves on demand.

`wishes` is what a prompt asks of it, `mind` and `session` what the model says, `framing` how that becomes bytes,
`web` and `live` the two protocols, `server` the socket, `caller` a client for tests that need no real one.
`python -m tests.standin` serves by hand. It knows nothing of wirecheck.
"""

from tests.standin.server import Heard, Standin

__all__ = ["Heard", "Standin"]
