"""Whether a value is what a plain schema asks for, where that is easily told.

Loading the engine that checks anything takes longer than judging a short log, and most schemas only name properties and
types. So the first arguments are looked at here. A yes is what the engine would say; where there is none, it is asked.
"""

from types import NoneType
from typing import Any

STEPS = 200  # values looked at for one schema: the engine is fifty times as fast, and loads in as long as 10,000 take
_SAID = frozenset(("type", "properties", "required", "items", "enum"))
_NONE: frozenset[str] = frozenset()
_TYPES: dict[type, frozenset[str]] = {
    NoneType: frozenset(("null",)),
    bool: frozenset(("boolean",)),
    int: frozenset(("integer", "number")),
    float: frozenset(("number",)),  # which of them are whole the engine knows
    str: frozenset(("string",)),
    list: frozenset(("array",)),
    dict: frozenset(("object",)),
}


class SmallValidator:
    """One schema, of those that safe_schema.py makes."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        self._left = STEPS

    def fits(self, value: Any) -> bool:
        """Whether a value surely is as asked for."""
        return self._left > 0 and self._fits(self._schema, value)

    def _fits(self, schema: Any, value: Any) -> bool:
        self._left -= 1
        if type(schema) is not dict:
            return schema is True
        if self._left < 0 or not _SAID.issuperset(schema):
            return False
        if "type" in schema and _TYPES.get(type(value), _NONE).isdisjoint(schema["type"]):
            return False
        if "enum" in schema and not (type(value) is str and value in schema["enum"]):  # true is not 1 in JSON
            return False
        if type(value) is dict:
            return self._members(schema, value)
        return type(value) is not list or all([self._fits(schema.get("items", True), each) for each in value])

    def _members(self, schema: dict[str, Any], value: dict[str, Any]) -> bool:
        known, needed = schema.get("properties", {}), schema.get("required", ())
        return all([name in value for name in needed]) and all(
            [self._fits(known[name], each) for name, each in value.items() if name in known]
        )
