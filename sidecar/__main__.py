"""``lineup-sidecar``: serve stdio, or carry out one of the commands (PROTOCOL 9).

Each way imports what it needs and no more, so that ``--version`` or ``schema`` costs no start of the Runtime.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.commands.arguments import parser
from sidecar.settings import Settings

if TYPE_CHECKING:
    from sidecar.rpc.stdio import Claimed
    from sidecar.store.database import Database


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the process's exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console may know few characters
    options = parser().parse_args(arguments)
    try:
        return _run(options)
    except BrokenPipeError:  # whoever reads has enough, as ``head`` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _run(options: argparse.Namespace) -> int:
    if options.command == "schema":
        from rpc_schema.export import show_document

        try:
            show_document(options.document, options.out)
        except BrokenPipeError:
            raise
        except OSError as error:
            return _fail(f"cannot write {options.out or 'the document'}: {error.strerror}", 1)
        return 0
    if options.command == "check-manifest":
        from sidecar.commands.check_manifest import check_manifest

        return check_manifest(options.folder)
    if options.command == "explain":
        from sidecar.commands.explain import explain

        return explain(options.id, _database(options))
    if options.command == "verify":
        from sidecar.commands.verify import verify

        return verify(_database(options))
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    from sidecar.rpc.signals import SIGNALS

    for number in SIGNALS:
        signal.signal(number, lambda *_: sys.exit(0))  # until the server listens: there is nothing to finish yet
    from sidecar.rpc import stdio
    from sidecar.store.database import StoreError, StoreInUseError, StoreLostError, StoreTooNewError
    from sidecar.store.engine import open_database

    claimed = stdio.claim()
    gc.disable()  # until all that stays is imported and made
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # else every installed package is searched for them
    settings = _settings(options)
    try:
        with closing(open_database(settings.database)) as database:
            try:
                return _serve_store(options, settings, database, claimed)
            except database.failures as error:  # in taking up what the store holds
                advice = "make room if its disk is full, else see lineup-sidecar verify"
                raise StoreError(f"the store at {database.name} cannot be taken up ({error}): {advice}") from None
    except StoreInUseError as error:
        return _fail(error, 3)
    except StoreTooNewError as error:
        return _fail(error, 4)
    except StoreError as error:
        return _fail(error, 1)
    except BaseExceptionGroup as group:  # what the event loop's tasks ended with
        lost = group.subgroup(StoreLostError)
        if lost is None:
            raise
        return _fail(_first(lost), 1)
    except StoreLostError as error:
        return _fail(error, 1)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first exception in groups of groups."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _serve_store(options: argparse.Namespace, settings: Settings, database: Database, claimed: Claimed) -> int:
    """Go on with sound options and an own store: from now on pings are answered, also between the long imports."""
    from sidecar.rpc.early import Early

    early = Early(claimed)
    early.look()
    import anyio

    early.look()
    import rpc_schema.methods  # noqa: F401

    early.look()
    from sidecar.app import serve
    from sidecar.rpc import log

    early.look()
    handler = log.set_up(options.log_level, options.log_format)
    try:
        return anyio.run(serve, settings, database, claimed, early)
    finally:
        handler.close()


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        database=_database(options),
        miniapps=tuple(options.miniapps),
        bundled=not options.no_bundled,
        policy={} if options.policy is None else _policy(options.policy),
        test_clock_ms=options.test_clock,
        parent_pid=options.parent_pid,
    )


def _database(options: argparse.Namespace) -> str:
    given: str | None = getattr(options, "database", None)
    if given is not None:
        return given
    from platformdirs import user_data_path

    return str(user_data_path("lineup", appauthor=False) / "lineup.sqlite")


def _policy(path: Path) -> dict[str, str]:
    from rpc_schema.json_text import JsonTextError, read_json
    from sidecar.domain.policy import read_policy

    try:
        return dict(read_policy(read_json(path.read_bytes())).capabilities)
    except OSError as error:
        raise SystemExit(_fail(f"cannot read the policy {path}: {error.strerror}", 2)) from None
    except (JsonTextError, ValueError) as error:
        raise SystemExit(_fail(f"the policy {path} is unsound: {error}", 2)) from None


def _fail(message: object, code: int) -> int:
    sys.stderr.write(f"lineup-sidecar: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
