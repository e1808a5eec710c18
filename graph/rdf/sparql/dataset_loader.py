"""A process that writes one dataset: N-Quads on its standard input, the folder of the dataset as its argument.

Run as a file of its own, so that it loads nothing but the engine. Loading takes a few hundred megabytes, which end with
the process and are not in the memory of the service.
"""

from __future__ import annotations

import sys

import pyoxigraph


def main() -> None:
    """Load, write, end."""
    store = pyoxigraph.Store(sys.argv[1])
    store.bulk_load(sys.stdin.buffer, format=pyoxigraph.RdfFormat.N_QUADS)
    store.flush()


if __name__ == "__main__":
    main()
