"""Every column that names a row of another table names one that is there, in the same conversation."""

from __future__ import annotations

from sidecar.commands.invariants.fault import Unsound, key_of, noun_of
from sidecar.store.inspection import View
from sidecar.store.invariants import REFERENCES, Reference


def check_references(view: View) -> int:
    """Follow each kind of reference; how many kinds there are.

    Raises:
        Unsound: at the first row that names nothing that fits.
    """
    for reference in REFERENCES:
        row = view.one(reference.broken())
        if row is not None:
            raise Unsound(noun_of(reference.child), key_of(reference.child, row), _wrong(reference, row))
    return len(REFERENCES)


def _wrong(reference: Reference, row: object) -> str:
    named = f"its {reference.column} {getattr(row, reference.column)!r} names no {noun_of(reference.parent)}"
    return f"{named} with the same {' and '.join(reference.alike)}" if reference.alike else named
