"""What ranges cost: a night of the shipped content, its claims alone, and one explained claim.

Usage: bench_ranges.py [REPEATS]

Everything runs in one process, without the ledger. The best of REPEATS is printed, in seconds of the processor.
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, date, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from api.brain import Brain
from api.settings import Settings
from compute.claims.claim_cases import Terms
from compute.verify.claim_verifier import explain, verify

TODAY = date(2026, 11, 21)
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def best(work):
    """The shortest of several runs; the first one compiles the programs."""
    found = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main():
    with tempfile.TemporaryDirectory() as home, Brain.open(Settings(home=Path(home) / "home")) as brain:
        brain.ingest([], at=datetime(2026, 11, 21, 6, tzinfo=UTC), shipped=True)
        inputs = brain.evaluator.inputs.now()
        claims, terms = list(inputs.claims()), Terms(inputs.tables, find=inputs.find)
        rows = list(verify(claims, inputs.book, TODAY, terms))
        every = best(lambda: list(verify(claims, inputs.book, TODAY, terms)))
        one = next(claim for claim in claims if claim.id == "h100-break-even-utilisation")
        alone = best(lambda: explain(one, inputs.book, TODAY, terms))
        start = time.process_time()
        run = brain.verify(TODAY, at=datetime(2026, 11, 21, 6, tzinfo=UTC), clock=lambda: datetime.now(UTC))
        whole = time.process_time() - start
    print(f"{len(rows)} claims, {sum(row.robust is not None for row in rows)} with ranges")
    print(f"verified          {every:8.3f} s")
    print(f"run {run.id} with ledger, flags and notices {whole:.3f} s")
    print(f"one claim explained, with indices and swings {1000 * alone:.1f} ms")


main()
