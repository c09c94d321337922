"""Which store an address names: a path, ``sqlite:///path``, or ``postgresql://…``, which may hold a password.

What is wrong with a server's address is told without repeating any of it: a character that should have been
percent-encoded may have made the password part of a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from sidecar.store.database import StoreError

DEFAULT_SCHEMA: Final = "lineup"

_HOST: Final = r"(?:\[[0-9A-Fa-f:.]+\]|[^@/?#,:\[\]]*)(?::[0-9]+)?"
_ADDRESS: Final = re.compile(
    r"postgres(?:ql)?://(?P<user>[^@/?#]*@)?"
    rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?:/(?P<database>[^@/?#]*))?(?:\?(?P<options>[^@?#]*))?"
)
_SCHEMA: Final = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class Server:
    """A schema of a PostgreSQL database."""

    conninfo: str = field(repr=False)
    """The address as libpq takes it: without the schema, perhaps with a password."""

    schema: str
    name: str
    """Where it is, for whoever reads a message."""


def read_address(address: str) -> Path | Server:
    """The file, or the database and schema, that an address names.

    Raises:
        StoreError: it names neither.
    """
    scheme, separator, rest = address.partition("://")
    if separator and scheme in ("postgresql", "postgres"):
        return _server(address)
    if not separator:
        scheme, rest = "sqlite", f"/{address}"
    if scheme != "sqlite" or not rest.startswith("/") or not rest[1:]:
        raise StoreError("the store must be a path, sqlite:///path or postgresql://user@host/database?schema=name")
    path = Path(rest[1:]) if separator else Path(rest[1:]).expanduser()
    try:
        return path.resolve()  # whichever link leads to it, it has one owner
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreError(f"cannot find the store at {path}: {error}") from None


def _server(address: str) -> Server:
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise StoreError(
            "the address of the store is no sound postgresql:// address: "
            "percent-encode what is special in its user, password, database and options"
        )
    options = found["options"].split("&") if found["options"] else []
    schemas = [option.removeprefix("schema=") for option in options if option.startswith("schema=")]
    if len(schemas) > 1 or not all(map(_SCHEMA.fullmatch, schemas)):
        raise StoreError("schema= names the store, once: up to 63 of a-z, 0-9 and _, no digit first, not pg_")
    schema = schemas[0] if schemas else DEFAULT_SCHEMA
    others = [option for option in options if not option.startswith("schema=")]
    place = f"{found['hosts']}/{found['database'] or ''}"
    conninfo = f"postgresql://{found['user'] or ''}{place}{'?' if others else ''}{'&'.join(others)}"
    return Server(conninfo, schema, _name(unquote(place), others, schema))


def _name(place: str, options: list[str], schema: str) -> str:
    shown = [unquote(option) for option in options if option.startswith(("host=", "port=", "dbname="))]
    return f"postgresql://{place}{'?' if shown else ''}{'&'.join(shown)} (schema {schema})"
