"""A test's store behind the Runtime's back: the file at a path or, on PostgreSQL, the schema that stands for it.

A path means the same store here and to the sidecars of the run, whichever they are (:mod:`tests.postgresql.sidecar`).
What is read and written here is SQL that both databases take.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from host_bridge.command import find_sidecar
from scripts.postgresql import VARIABLE, find
from tests.postgresql import sidecar

IN_POSTGRESQL = find_sidecar()[-1] == sidecar.__file__
"""Whether this run's sidecars keep their stores in PostgreSQL."""

Duplicate = (sqlite3.IntegrityError, psycopg.errors.UniqueViolation)
"""What :func:`change` raises where something would be there twice."""


def address(path: Path | str) -> str:
    """The store as ``--database`` takes it."""
    return sidecar.address_for(path) if IN_POSTGRESQL else str(path)


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a query finds, also while a sidecar owns the store."""
    with _connected(path) as connection:
        found: list[tuple[Any, ...]] = connection.execute(sql).fetchall()
        return found


def change(path: Path, sql: str) -> None:
    """Run statements, one after the other, as the store's owner never would."""
    with _connected(path) as connection:
        if isinstance(connection, sqlite3.Connection):
            connection.executescript(sql)
        else:
            connection.execute(sql.encode())


@dataclass(frozen=True)
class Copy:
    """A store as it was between two transactions, which is what a crash of its owner would have left."""

    path: Path
    parts: dict[str, bytes]
    """Of a file by its ending; of a schema all of it, by no ending."""

    def put(self, path: Path) -> Path:
        """Make a store of it at a path where none is."""
        if IN_POSTGRESQL:
            old, new = (sidecar.schema_for(one).encode() for one in (self.path, path))
            dumped = self.parts[""].replace(old, new)
            _run("psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction", given=dumped)
        else:
            path.parent.mkdir(exist_ok=True)
            for ending, part in self.parts.items():
                path.with_name(f"{path.name}{ending}").write_bytes(part)
        return path


def take(path: Path) -> Copy:
    """Copy a store, also while a sidecar owns it that has nothing to do."""
    if IN_POSTGRESQL:
        return Copy(path, {"": _dump(path)})
    files = {ending: path.with_name(f"{path.name}{ending}") for ending in ("", "-wal")}
    return Copy(path, {ending: file.read_bytes() for ending, file in files.items() if file.exists()})


def content(path: Path) -> bytes:
    """All that is written in it: the bytes of its files, or of each value in each table of its schema."""
    if not IN_POSTGRESQL:
        return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    tables = rows(path, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    with _connected(path) as connection:
        written = [_dump(path)]
        for (table,) in tables:
            with connection.cursor().copy(f"COPY {table} TO STDOUT (FORMAT binary)".encode()) as copied:
                written.extend(map(bytes, copied))
    return b"".join(written)


@contextmanager
def _connected(path: Path) -> Iterator[Any]:
    """A connection of the database's own driver, on which each statement is a transaction."""
    if IN_POSTGRESQL:
        options = f"-csearch_path={sidecar.schema_for(path)}"
        with psycopg.connect(os.environ[VARIABLE], autocommit=True, options=options) as connection:
            yield connection
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            yield file


def _dump(path: Path) -> bytes:
    return _run("pg_dump", f"--schema={sidecar.schema_for(path)}")


def _run(program: str, *options: str, given: bytes = b"") -> bytes:
    command = [find(program), f"--dbname={os.environ[VARIABLE]}", *options]
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, timeout=60).stdout
