"""Search by Tantivy: a compiled index for large brains. Needs the extra `tantivy`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graph.search.engine_protocol import Ranking
from graph.search.query_language import Text
from graph.search.tantivy_index import TantivyIndex


class TantivyEngine(TantivyIndex):
    """A Tantivy index in a folder; see `graph.search.engine_protocol.Engine`."""

    def serials(self) -> NDArray[np.int64]:
        """The serials of all documents."""
        return self.rank(None, None).serials

    def rank(self, included: Text | None, excluded: Text | None) -> Ranking:
        """What matches `included` and not `excluded`, best first."""
        found, weights = self.found(included, excluded)
        keys, scores = np.array(found, dtype=np.int64), np.array(weights, dtype=np.float64)
        order = np.lexsort((keys, -scores))
        return Ranking(keys[order], scores[order])
