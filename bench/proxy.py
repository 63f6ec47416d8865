"""What the recorder costs beside a bare mitmdump: `python -m bench.proxy [requests|models|streams|frames]…`.

Everything on loopback, against the stand-in of the tests, in turns, so that whatever else the machine does
falls on all alike. Budgets: at the median 10 % on a bare mitmdump, the first byte of a stream 5 ms, and memory
that does not grow with the frames of a websocket.
"""

import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.recorder.end_to_end.run import WIRECHECK, Run, free_port, started
from tests.standin.caller import Call, answers, path, user, wait_for

ROUNDS, EACH = 30, 20  # so many turns, so many requests in each
FRAMES, TURN, STEP = 200_000, 500, 20_000
STREAM = path("streamGenerateContent") + "?alt=sse"
HISTORY = [  # 20 turns, some 30 KB, as an agent sends it
    {"role": ("user", "model")[turn % 2], "parts": [{"text": f"turn {turn} " + "word " * 300}]} for turn in range(20)
]


@contextmanager
def standin() -> Iterator[str]:
    with subprocess.Popen([sys.executable, "-m", "tests.standin"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


@contextmanager
def mitmdump(upstream: str) -> Iterator[str]:
    port = free_port()
    program = Path(sys.executable).parent / "mitmdump"
    with subprocess.Popen(
        [program, "-q", "-p", str(port), "--mode", f"reverse:{upstream}"], stderr=subprocess.DEVNULL
    ) as process:
        wait_for(lambda: answers(port), 30)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def recorder(upstream: str, folder: str) -> AbstractContextManager[Run]:
    """As a user starts it: a log, and the default of everything else."""
    command = [*WIRECHECK, "record", "-o", f"{folder}/log.jsonl", "--mode", "reverse", "--upstream", upstream]
    return started(Path(folder), [*command, "--port", "0"])


def timed(line: http.client.HTTPConnection, target: str, body: str, read: int | None) -> float:
    """Milliseconds until the reply, or so many bytes of it, is there."""
    began = time.perf_counter()
    line.request("POST", target, body, {"content-type": "application/json"})
    response = line.getresponse()
    response.read(read)
    took = time.perf_counter() - began
    response.read()
    return took * 1000


def compare(title: str, target: str, prompt: str = "And now?", read: int | None = None, each: int = EACH) -> None:
    body = json.dumps({"contents": [*HISTORY, user(prompt)]})
    with ExitStack() as stack:
        server = stack.enter_context(standin())
        run = stack.enter_context(recorder(server, stack.enter_context(tempfile.TemporaryDirectory())))
        urls = {"direct": server, "mitmdump": stack.enter_context(mitmdump(server)), "wirecheck": run.url}
        lines = {name: http.client.HTTPConnection(urlsplit(url).netloc) for name, url in urls.items()}
        took: dict[str, list[float]] = {name: [] for name in lines}
        for turn in range(ROUNDS):
            for name, line in lines.items():
                took[name] += [timed(line, target, body, read) for _ in range(each)] if turn else []
                timed(line, target, body, read)
    middle = {name: statistics.median(each) for name, each in took.items()}
    print(f"{title}: " + ", ".join(f"{name} {ms:.2f} ms" for name, ms in middle.items()))
    added = middle["wirecheck"] - middle["mitmdump"]
    print(f"  added to mitmdump {added:+.2f} ms, {added / middle['mitmdump']:+.1%}")
    print(f"  after the server {middle['wirecheck'] - middle['direct']:+.2f} ms")


def frames() -> None:
    """One Live session in which the server speaks 200,000 times, a turn at a time: mitmproxy reads as fast as it can,
    and holds what the recorder has not seen yet."""
    with ExitStack() as stack:
        server = stack.enter_context(standin())
        run = stack.enter_context(recorder(server, stack.enter_context(tempfile.TemporaryDirectory())))
        call = stack.enter_context(Call(run.url))
        call.say({"setup": {"model": "models/gemini-3.8-live"}})
        call.until("setupComplete")
        prompt = user(f"Speak [[frames={TURN}; size=600]]")
        began = time.perf_counter()
        for number in range(0, FRAMES, TURN):
            if number % STEP == 0:
                print(f"  {number:7} frames: {rss(run.process.pid)} MB", flush=True)
            call.say({"clientContent": {"turns": [prompt], "turnComplete": True}})
            call.until("turnComplete")
        print(f"  {FRAMES:7} frames: {rss(run.process.pid)} MB")
        print(f"frames: {FRAMES / (time.perf_counter() - began):.0f} a second")


def rss(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) // 1024 if found else 0


BENCHES: dict[str, Callable[[], Any]] = {
    "requests": lambda: compare("a request of 30 KB, answered at once", path()),
    "models": lambda: compare("the same, answered after 20 ms", path(), "[[wait=0.02]]", each=5),
    "streams": lambda: compare("the first byte of a stream", STREAM, read=1),
    "frames": frames,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHES:
        BENCHES[name]()
