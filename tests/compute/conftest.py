"""What tests of mining share."""

import pytest

from tests.bench.bench_mining import miner


@pytest.fixture(scope="session")
def tool():
    """The miner with the prices that ship, one for all tests."""
    return miner()
