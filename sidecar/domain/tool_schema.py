"""Validate the input and the result of Tools against their schemas (PROTOCOL 10). The only user of fastjsonschema."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Any

import fastjsonschema

from rpc_schema import limits
from sidecar.domain.schema_subset import check_schema
from sidecar.domain.tool_schema_value import Fault, find_faults

__all__ = ["Fault", "SchemaError", "Validator", "check_schema", "compile_schema"]


class SchemaError(ValueError):
    """A schema outside the subset; ``faults`` lists what is wrong with it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("the schema is outside the subset")
        self.faults = faults


class Validator:
    """A schema, ready to judge values that the strict reader has read. Compiled when first used."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._run: Callable[[object], object] | None = None

    def faults(self, value: object) -> list[Fault]:
        """List where ``value`` fails the schema, 20 places at most; none: it fits."""
        run = self._run or self._compile()
        try:
            run(value)
        except fastjsonschema.JsonSchemaValueException:
            return self._explain(value)
        return []

    def _compile(self) -> Callable[[object], object]:
        self._run = fastjsonschema.compile(
            _drop_descriptions(self._schema), use_default=False, use_formats=False, detailed_exceptions=False
        )
        return self._run

    def _explain(self, value: object) -> list[Fault]:
        try:
            found = list(islice(find_faults(self._schema, value), limits.MAX_ERRORS))
        except RecursionError:
            return [Fault("", f"must be nested at most {limits.MAX_JSON_DEPTH} levels deep")]
        return found or [Fault("", "must fit the schema")]


def compile_schema(schema: dict[str, Any]) -> Validator:
    """Make the validator of a schema; the same content gives the same one.

    Raises :class:`SchemaError` where the schema is outside the subset.
    """
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise SchemaError(check_schema(schema)) from None
    return _make_validator(text)


@lru_cache(maxsize=1_024)
def _make_validator(text: str) -> Validator:
    schema = json.loads(text)
    faults = check_schema(schema)
    if faults:
        raise SchemaError(faults)
    return Validator(schema)


def _drop_descriptions(schema: dict[str, Any]) -> dict[str, Any]:
    """Copy a schema without its annotation; a property of that name stays."""
    bare = {keyword: value for keyword, value in schema.items() if keyword != "description"}
    if "properties" in bare:
        bare["properties"] = {name: _drop_descriptions(inner) for name, inner in bare["properties"].items()}
    if "items" in bare:
        bare["items"] = _drop_descriptions(bare["items"])
    return bare
