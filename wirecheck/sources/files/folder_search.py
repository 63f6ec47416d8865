"""Which files of a folder are logs: by their names where these tell, else by how they begin.

Whoever names a file has it read. In a folder, what is plainly something else is passed over, and counted.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from wirecheck.sources.detect import may_hold
from wirecheck.sources.files.file_kinds import no_log
from wirecheck.sources.files.line_prefix import is_text
from wirecheck.sources.formats.beginning import HEAD, Beginning
from wirecheck.sources.formats.known_formats import FORMATS
from wirecheck.sources.formats.recognition import recognise
from wirecheck.sources.lines import unpacked

LINES = tuple(end + gz for end in (".jsonl", ".ndjson") for gz in ("", ".gz"))  # always logs
# Not opened. Where a format of the table has such an ending, it is not here.
# fmt: off
OTHERS = (
    # pictures, sound, fonts
    ".avi", ".bmp", ".flac", ".gif", ".heic", ".ico", ".jpeg", ".jpg", ".m4a", ".mov", ".mp3", ".mp4", ".ogg", ".opus",
    ".otf", ".png", ".svg", ".tif", ".tiff", ".ttf", ".wav", ".webm", ".webp", ".woff", ".woff2",
    # archives, programs
    ".7z", ".a", ".bz2", ".class", ".dll", ".dylib", ".exe", ".jar", ".o", ".pyc", ".rar", ".so", ".tar", ".tar.gz",
    ".tgz", ".wasm", ".xz", ".zip", ".zst",
    # code
    ".bat", ".c", ".cc", ".cpp", ".cs", ".css", ".dart", ".ex", ".exs", ".go", ".gradle", ".h", ".hpp", ".ipynb",
    ".java", ".js", ".jsx", ".kt", ".lua", ".mjs", ".php", ".pl", ".ps1", ".py", ".pyi", ".rb", ".rs", ".scss", ".sh",
    ".sql", ".swift", ".tf", ".ts", ".tsx", ".vue",
    # texts for people, settings, tables
    ".cfg", ".csv", ".doc", ".docx", ".html", ".ini", ".lock", ".md", ".mdx", ".odt", ".parquet", ".pcap", ".pcapng",
    ".pdf", ".pkl", ".ppt", ".pptx", ".rst", ".toml", ".tsv", ".xls", ".xlsx", ".xml",
)
# fmt: on
# JSON that tools have in every project, also where it is long.
NAMES = re.compile(
    r"(?:package(?:-lock)?|composer|[jt]sconfig.{0,40}|deno|manifest|angular|renovate|turbo|biome)\.json"
)
FOLDERS = frozenset(("node_modules", "venv", "__pycache__", "site-packages", "dist-packages"))
SOME = 50  # lines that are looked at
KINDS = 8  # of endings that are told
LONGEST = 12  # characters of an ending


def searched(
    folder: str, problem: Callable[[OSError], None], passed: Callable[[str], None] = lambda path: None
) -> Iterator[str]:
    """Yields the logs in a folder and its subfolders, sorted; calls `passed` with the other files. Hidden files and
    folders and those of packages are skipped, links to folders not followed. os.walk is recursive in Python 3.11, and
    folders may be nested deeper than that allows."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = sorted((entry for entry in entries if not entry.name.startswith(".")), key=_name)
        except OSError as error:
            problem(error)
            continue
        inside = [entry for entry in reversed(found) if entry.is_dir(follow_symlinks=False)]
        waiting += [entry.path for entry in inside if entry.name not in FOLDERS]
        for entry in found:
            if not os.path.isfile(entry.path):  # a pipe would block
                continue
            if is_log(entry.path):
                yield entry.path
            else:
                passed(entry.path)


def is_log(path: str) -> bool:
    """Whether a file in a folder is a log. One that cannot be opened may be: the reader says why."""
    name = os.path.basename(path).lower()
    if name.endswith(LINES):
        return True
    if name.endswith(OTHERS) or NAMES.fullmatch(name):
        return False
    head = b""
    try:
        with open(path, "rb", HEAD) as file:
            if os.fstat(file.fileno()).st_size:
                head = unpacked(file).read(HEAD)
    except OSError:
        return name.endswith((".json", ".log"))
    beginning = Beginning(head)
    # JSON that is recognised and not read holds conversations: the reader says what to do. Text may only look like it.
    rows = [each for each in FORMATS if each.module or not is_text(head.lstrip())] if head else []
    known = next((each for each in rows if each.recognises(beginning)), None)
    if known is not None:
        return known.in_folders(beginning)
    name = name.removesuffix(".gz")
    if name.endswith(".json"):
        return len(head) >= HEAD or not head or may_hold(head)
    return (_lines_of_json(head) and (name.endswith(".log") or may_hold(head))) or (not head and name.endswith(".log"))


def why_passed(path: str) -> str:
    """What a file is that was passed over."""
    name = os.path.basename(path).lower()
    if name.endswith(OTHERS) or NAMES.fullmatch(name):
        return "by its name it is no log"
    head = b""
    with suppress(OSError), open(path, "rb", HEAD) as file:
        head = unpacked(file).read(HEAD)
    beginning = Beginning(head)
    if known := recognise(head):
        return f"{known.title}{f', which is not read: {known.instead}' if known.instead else ''}"
    if not is_text(head.lstrip()):
        return "JSON without requests, replies, frames or messages"
    return no_log(beginning).title if head else "it is empty"


def _lines_of_json(head: bytes) -> bool:
    """Whether these are mostly values, whatever stands before them, or one value."""
    lines = [line for line in head.splitlines()[:SOME] if line.strip()]
    return not is_text(head.lstrip()) or 2 * sum(map(is_text, lines)) < len(lines)


def endings(paths: Iterable[str]) -> dict[str, int]:
    """How many files there are of each ending, most first."""
    return dict(Counter(map(_ending, paths)).most_common())


def listed(paths: Iterable[str]) -> str:
    """`3 .png, 12 .txt`"""
    counts = endings(paths)
    told = [f"{count} {ending}" for ending, count in list(counts.items())[:KINDS]]
    if rest := sum(list(counts.values())[KINDS:]):
        told.append(f"{rest} others")
    return ", ".join(told) or "it is empty"


def _ending(path: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    return ending if 1 < len(ending) < LONGEST and ending[1:].isalnum() else "without ending"


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
