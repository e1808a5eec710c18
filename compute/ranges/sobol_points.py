"""Low-discrepancy points with a fixed seed: scrambled Sobol sequences, made by scipy.

The points of the first dimensions are stored in `sobol_points.npy`, because importing scipy takes over a second, and
because a run must give the same bytes with every later version of scipy. `python -m compute.ranges.sobol_points` writes
the file again; a test compares it with scipy.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from compute.ranges.spread import Array

POINTS = 2048
STORED = 16
"""The number of dimensions in the file."""

Cells = NDArray[np.uint32]

_SEED = 20_250_201
_BITS = 30
_FILE = Path(__file__).with_suffix(".npy")


def sobol_points(dimensions: int) -> Array:
    """`POINTS` rows of numbers above 0 and below 1, one column for each dimension; always the same."""
    return (_stored() if dimensions <= STORED else _unstored(_columns(dimensions)))[:, :dimensions]


def _columns(dimensions: int) -> int:
    """The next power of two, so that a column does not depend on the exact number of columns."""
    return 1 << (dimensions - 1).bit_length()


@lru_cache(maxsize=1)
def _stored() -> Array:
    return _centred(np.load(_FILE))


@lru_cache(maxsize=4)
def _unstored(columns: int) -> Array:
    return _centred(generated(columns))


def _centred(cells: Cells) -> Array:
    """The middle of each cell: never 0 or 1, which have no quantile in a normal distribution."""
    return np.asarray((cells.astype(np.float64) + 0.5) / 2**_BITS, dtype=np.float64)


def generated(columns: int) -> Cells:
    """The points as scipy makes them, as integers of `_BITS` bits."""
    from scipy.stats import qmc  # noqa: PLC0415 takes over a second; only needed beyond the stored dimensions

    sampler = qmc.Sobol(columns, scramble=True, bits=_BITS, rng=np.random.default_rng(_SEED))
    return np.asarray(np.rint(sampler.random(POINTS) * 2**_BITS), dtype=np.uint32)


if __name__ == "__main__":
    np.save(_FILE, generated(STORED))
