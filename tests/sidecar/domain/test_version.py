"""Precedence of versions: the order of SemVer 2.0.0, section 11."""

import itertools

import pytest

from sidecar.domain.version import is_newer

ORDER = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0-0",
    "2.0.0",
]


def test_the_order_of_the_specification():
    for (low, one), (high, other) in itertools.product(enumerate(ORDER), repeat=2):
        assert is_newer(one, other) is (low > high), (one, other)


@pytest.mark.parametrize("version", ["1.0.0+one", "1.0.0+two"])
def test_build_metadata_says_nothing(version):
    assert not is_newer(version, "1.0.0")
    assert not is_newer("1.0.0", version)


def test_nothing_is_newer_than_an_unknown_host():
    assert not is_newer("9.0.0", "")
