"""``python -m sidecar.store.export``: compile the definitions and tables; with ``--check``, say if it is fresh."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from sidecar.store import compiled, definitions, tables
from sidecar.store.statement import Statement

COMPILED = Path(compiled.__path__[0])

_HEAD = '"""Made by ``python -m sidecar.store.export``: do not edit."""\n'
_IMPORT = "\nfrom sidecar.store.statement import Statement\n"


def compile_all() -> dict[str, str]:
    """Write every file of ``sidecar.store.compiled``, by its name."""
    nouns = [found.name for found in pkgutil.iter_modules(definitions.__path__)]
    return {"schema.py": _write_schema(), **{f"{noun}.py": _write_statements(noun) for noun in nouns}}


def list_stale() -> list[Path]:
    """List the files that are missing, differ from the definitions or are made of none."""
    fresh = {COMPILED / name: text for name, text in compile_all().items()}
    stale = [path for path, text in fresh.items() if not path.is_file() or path.read_text() != text]
    return stale + [path for path in COMPILED.glob("*.py") if path not in fresh and path.stem != "__init__"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 where ``--check`` finds a stale file."""
    parser = argparse.ArgumentParser(prog="python -m sidecar.store.export", description="Compile the store's SQL.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file is not up to date")
    if parser.parse_args(arguments).check:
        stale = list_stale()
        for path in stale:
            sys.stderr.write(f"{path} is not what the definitions say: run python -m sidecar.store.export, commit it\n")
        return 1 if stale else 0
    for name, text in compile_all().items():
        (COMPILED / name).write_text(text)
    return 0


def _write_statements(noun: str) -> str:
    module = importlib.import_module(f"{definitions.__name__}.{noun}")
    found = {name: value for name, value in vars(module).items() if not name.startswith("_") and _is_statement(value)}
    return _HEAD + _IMPORT + "".join(f"\n{name} = {_write(found[name])}\n" for name in sorted(found))


def _is_statement(value: Any) -> bool:
    return isinstance(value, Statement) or (isinstance(value, list) and all(map(_is_statement, value)))


def _write(value: Statement | list[Statement]) -> str:
    if isinstance(value, list):
        return "[" + "".join(f"\n    {_write(one)}," for one in value) + "\n]"
    parts = [repr(value.text), repr(value.order), repr(value.columns)]
    return f"Statement({', '.join(parts)}{f', {dict(value.defaults)!r}' if value.defaults else ''})"


class _PostgresqlTypes(postgresql.base.PGTypeCompiler):
    """Types that hold and sort what SQLite's do: whole numbers of 64 bits, and text by its bytes."""

    def visit_INTEGER(self, type_: Any, **kw: Any) -> str:  # noqa: N802 - Core names it so
        """Write a whole number's type."""
        return "BIGINT"

    def visit_VARCHAR(self, type_: Any, **kw: Any) -> str:  # noqa: N802 - Core names it so
        """Write a text's type."""
        return 'TEXT COLLATE "C"'


def _write_schema() -> str:
    make: Callable[[], Any] = postgresql.dialect  # SQLAlchemy gives it no type
    dialect = make()
    dialect.type_compiler_instance = _PostgresqlTypes(dialect)
    of_sqlite, of_postgresql = _write_steps(sqlite.dialect()), _write_steps(dialect)
    return f"{_HEAD}\nSQLITE = ({of_sqlite})\n\nPOSTGRESQL = ({of_postgresql})\n"


def _write_steps(dialect: Dialect) -> str:
    steps = []
    for table in tables.METADATA.sorted_tables:
        steps.append(str(CreateTable(table).compile(dialect=dialect)))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            steps.append(str(CreateIndex(index).compile(dialect=dialect)))
    return "".join(f"\n    {' '.join(step.split())!r}," for step in steps) + "\n"


if __name__ == "__main__":
    sys.exit(main())
