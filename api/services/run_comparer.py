"""What changed between two runs, and why: prices and assumptions that moved, or a new version of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from api.services.evaluation_inputs import EvaluationInputsCache
from compute.claims.thesis_effect import strengthens
from compute.prices.snapshots import SnapshotError
from compute.reports.turn_causes import Moved, moved, moved_inputs
from compute.runs.run_ledger import ManifestError
from compute.verify.claim_verifier import verify
from graph.models.claim_models import Cause, Claim, VerdictName
from graph.models.verdict_models import Run, Verdict, VerdictChange
from graph.store import Store
from graph.store.store_errors import NotFoundError

MOVES = frozenset({Cause.PRICE_MOVED, Cause.FAMILY_MOVED, Cause.SOURCE_CHANGED})
"""Causes of a verdict, since the claim's own day, for which a report lists what moved since the run before."""

GONE = (ManifestError, SnapshotError, NotFoundError)
"""What a run was made from is damaged or gone."""

MOST_COMPARED = 50
"""Of so many changes in a report the inputs are compared with those of the run before."""


class RunComparer:
    """Compares runs of a store; `explained` is that of `ClaimEvaluator`."""

    def __init__(
        self, store: Store, inputs: EvaluationInputsCache, explained: Callable[[Run], Callable[[Claim], Verdict]]
    ) -> None:
        self._store, self._inputs, self._explained = store, inputs, explained
        self._ruled: dict[tuple[int, int], frozenset[str]] = {}

    def changes(self, before: Run, after: Run) -> Iterator[VerdictChange]:
        """The claims whose verdicts differ between two runs.

        Where only the rules changed between the runs, the reason says so. A claim that was made after a replayed run is
        no change.
        """
        find, rules = self._inputs.now().find, self._by_rules(before, after)
        for claim, old, new in self._store.ledger.changes(before.id, after.id):
            if old is not None or not before.replayed:
                change = VerdictChange.of(claim, find(claim), old, new)
                ruled = f"The figures did not change it: version {after.method} of the rules did. {change.reason}"
                yield change.model_copy(update={"reason": ruled.strip()}) if claim in rules else change

    def changes_between(self, before: Run, after: Run) -> tuple[tuple[VerdictChange, ...], tuple[VerdictChange, ...]]:
        """The changes between two runs, and those of them that only a new version of the rules made.

        The earlier run is computed again by the rules of today: a verdict that changes then too is due to the rules.
        """
        changes = tuple(self.changes(before, after))
        rules = self._by_rules(before, after)
        ruled = tuple(one for one in changes if one.claim in rules)
        return tuple(one for one in changes if one not in ruled), ruled

    def caused(self, before: Run, after: Run, changes: Sequence[VerdictChange]) -> Iterator[VerdictChange]:
        """The changes with their effect since the run before, the first of them also with what moved since then.

        Where that run is damaged, they keep the cause of the verdict; where a price was only corrected, there is none.
        """
        changes = [self._since(change) for change in changes]
        alike = [one.claim for one in changes if one.before and one.after not in {None, VerdictName.REFUTED}]
        found = self._moved(before, after, alike[:MOST_COMPARED]) if alike else {}
        for change in changes:
            now = found.get(change.claim, Moved())
            better = (now.cause or now.corrected) and (change.cause is None or change.cause in MOVES)
            yield change.model_copy(update=now._asdict()) if better else change

    def _since(self, change: VerdictChange) -> VerdictChange:
        """A change with its effect on the thesis since the run before, not since the claim's own day."""
        old, new = change.value_before, change.value_after
        claim = self._inputs.now().find(change.claim)
        if claim is None or old is None or new is None or old == new:
            return change
        return change.model_copy(update={"helps_thesis": strengthens(claim, up=new > old)})

    def _moved(self, before: Run, after: Run, claims: Sequence[str]) -> dict[str, Moved]:
        """What moved between two runs for each claim; nothing if the inputs of a run are gone."""
        return {name: moved(old, new) for name, old, new in self._both(before, after, claims)}

    def _both(self, before: Run, after: Run, claims: Sequence[str]) -> Iterator[tuple[str, Verdict, Verdict]]:
        """The verdicts of each claim in two runs; nothing if the inputs of a run are gone."""
        find = self._inputs.now().find
        try:
            old, new = self._explained(before), self._explained(after)
        except GONE:
            return
        yield from ((name, old(claim), new(claim)) for name in claims if (claim := find(name)))

    def moved_prices(self, run: int, claims: Sequence[str]) -> dict[str, str]:
        """The prices and assumptions that moved for claims between a run and the one before it, in words.

        Claims of which nothing moved are left out; all of them if the inputs of a run are gone.
        """
        try:
            after = self._store.ledger.run(run)
        except NotFoundError:
            return {}
        before = self._store.ledger.latest_run(before=after)
        pairs = self._both(before, after, claims[:MOST_COMPARED]) if before else ()
        return {name: words for name, old, new in pairs if (words := moved_inputs(old, new))}

    def _by_rules(self, before: Run, after: Run) -> frozenset[str]:
        """The claims between two runs whose verdicts differ only because the runs were made by different rules."""
        key = (before.id, after.id)
        if before.method != after.method and key not in self._ruled:
            changes = list(self._store.ledger.changes(before.id, after.id))
            again = self._by_todays_rules(before) if changes else {}
            self._ruled[key] = frozenset(
                name for name, old, new in changes if old and new and again.get(name, new.verdict) is new.verdict
            )
        return self._ruled.get(key, frozenset())

    def _by_todays_rules(self, run: Run) -> dict[str, VerdictName]:
        """The verdicts of an old run by the rules of today; none where what it was made from is damaged or gone."""
        try:
            inputs = self._inputs.of(run)
            return {
                row.claim: row.verdict for row in verify(list(inputs.claims()), inputs.book, run.as_of, inputs.terms())
            }
        except GONE:
            return {}
