"""Looks up the band of a model and the surface of a host in the tables of rules/models.yaml.

Opens no file: data/shipped.py loads the tables.
"""

import re
from collections.abc import Iterable, Mapping
from fnmatch import translate
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

_SIGNS = frozenset("*?[")
FAMILY = "gemini-"  # the beginning of names that contain a version
PROTOCOLS = ("generate-content", "live", "interactions", "chat", "transcript")


class Limit(NamedTuple):
    """A field of a message in the setup of a Live session that a model does not take, or only with some values."""

    message: str
    field: str
    only: tuple[str, ...] | None
    refused: tuple[Any, ...] | None

    def refuses(self, value: Any) -> bool:
        if value is None:
            return False
        if self.only is not None:  # servers take words in any case, and their numbers
            return type(value) is str and value.upper() not in self.only
        return self.refused is None or any([type(value) is type(each) and value == each for each in self.refused])


class Models:
    """The bands, the models in them, their limits, and the surfaces."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._bands: dict[bool, tuple[str, ...]] = {}
        self._rows: dict[bool, list[tuple[str, Globs]]] = {}
        for live in (False, True):
            table = tables["live" if live else "http"]
            self._bands[live] = tuple(table["bands"])
            self._rows[live] = [(row["band"], Globs(row["names"])) for row in table["models"]]
        self._limits = [(row, _limit(row)) for row in tables["live"]["limits"]]
        self._limited = lru_cache(maxsize=256)(self._limits_of)
        self._aliases = Globs(tables["aliases"])
        self._hosts = [(surface, Globs(hosts)) for surface, hosts in tables["surfaces"].items()]
        self.bands = self._bands[False] + self._bands[True]
        self.surfaces = tuple(tables["surfaces"])
        self._look_up = lru_cache(maxsize=1024)(self._band)

    def band(self, name: str | None, protocol: str) -> str | None:
        """The band of a model: the newest for an unknown Gemini, None for an alias, for any other name, and without
        one."""
        return None if name is None else self._look_up(name[:256], protocol == "live")

    def bands_of(self, protocol: str) -> tuple[str, ...]:
        """The bands of a protocol, oldest first."""
        return self._bands[protocol == "live"]

    def limits(self, name: str | None) -> tuple[Limit, ...]:
        """What the setup of a Live session with this model may not have."""
        return self._limited(name[:256]) if name is not None else ()

    def _limits_of(self, name: str) -> tuple[Limit, ...]:
        band, bare = self.band(name, "live"), _bare(name)
        rows = [(row, limit) for row, limit in self._limits if row["band"] == band]
        return tuple(
            limit
            for row, limit in rows
            if Globs(row.get("names", ["*"])).fit(bare) and not Globs(row.get("except", [])).fit(bare)
        )

    def surface(self, host: str) -> str:
        """The surface behind a host, "unknown" for others."""
        host = host.lower().partition(":")[0][:256]
        return next((surface for surface, hosts in self._hosts if hosts.fit(host)), "unknown")

    def _band(self, name: str, live: bool) -> str | None:
        if name.lower().startswith("tunedmodels/"):  # the name does not tell the base model
            return None
        bare = _bare(name)
        for band, names in self._rows[live]:
            if names.fit(bare):
                return band
        known = bare.startswith(FAMILY) and not self._aliases.fit(bare)
        return self._bands[live][-1] if known else None


def _bare(name: str) -> str:
    """A name without the path before it (projects/…/models/, google/) and without words before "gemini-"."""
    last = name.lower().rpartition("/")[2]
    start = last.find(FAMILY)
    return last[max(start, 0) :]


def _limit(row: Mapping[str, Any]) -> Limit:
    message, field = row["field"].split(".")
    only, refused = (tuple(row[key]) if key in row else None for key in ("only", "not"))
    return Limit(message, field, only, refused)


class Globs:
    """A set of glob patterns. Most are a name or a prefix; the others are compiled on first use."""

    def __init__(self, globs: Iterable[str]) -> None:
        plain = {glob: glob.removesuffix("*") for glob in globs if _SIGNS.isdisjoint(glob.removesuffix("*"))}
        self._exact = {glob for glob, begin in plain.items() if begin == glob}
        self._begin = tuple([begin for glob, begin in plain.items() if begin != glob])
        self._odd = [glob for glob in globs if glob not in plain]

    def fit(self, name: str) -> bool:
        if name in self._exact or name.startswith(self._begin):
            return True
        return bool(self._odd) and self._pattern.match(name) is not None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self._odd)))
