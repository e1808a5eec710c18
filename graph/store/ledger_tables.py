"""The ledger: runs, their notes and their verdicts, append-only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, func, insert, or_, select, true
from sqlalchemy.exc import IntegrityError

from graph.models.claim_models import VerdictName
from graph.models.packed_verdicts import VERDICT_CODES, VERDICTS, PackedRow, packed
from graph.models.verdict_models import METHOD, REPLAYED, Run, RunNote, RunPart, VerdictRow
from graph.store.column_types import Query, Record
from graph.store.database import STREAMED, WriteTransaction
from graph.store.metadata import Metadata
from graph.store.schema import claim_log, run_parts, runs, verdicts
from graph.store.store_errors import DuplicateError, UnknownRunError
from graph.store.store_part import StorePart, batches, insert_tuples
from graph.text.similar_names import names_any

_STARTED_ON = func.substr(cast(runs.c.started_at, Text), 1, 10)
"""The day on which a run was made (UTC), as text."""

_NOT_PAST = or_(cast(runs.c.as_of, Text) >= _STARTED_ON, runs.c.notes.contains(f'"{REPLAYED}"'))
"""Whether a run is for the day on which it was made (UTC), or a later one, or replays a past day."""


class LedgerTables(StorePart):
    """The runs and their verdicts."""

    def append(
        self,
        rows: Iterable[VerdictRow],
        *,
        as_of: date,
        started_at: datetime,
        clock: Callable[[], datetime],
        code: str,
        snapshot: str,
        rules: str,
        notes: tuple[str | RunNote, ...] = (),
        method: int = METHOD,
        parts: Iterable[RunPart] = (),
    ) -> Run:
        """Append a run with all its rows, or nothing; `rows` are read one by one, `clock` gives the time of the end.

        `parts` say what the rows of the claims of private brains were computed from.

        Raises:
            DuplicateError: two rows of one claim.
        """
        with self._database.writing() as work:
            number = work.take("run")
            counts: Counter[int] = Counter()
            _pour(work, number, rows, counts)
            run = Run(
                id=number,
                as_of=as_of,
                started_at=started_at,
                finished_at=clock(),
                code=code,
                snapshot=snapshot,
                rules=rules,
                counts={name.value: counts[code] for code, name in enumerate(VERDICTS) if counts[code]},
                notes=tuple(note if isinstance(note, str) else note.text for note in notes),
                method=method,
            )
            stored = json.dumps([note if isinstance(note, str) else note.model_dump() for note in notes])
            row = {**run.model_dump(), "counts": json.dumps(run.counts), "notes": stored}
            work.sql.execute(insert(runs).values(**row))
            if stated := [{**part.model_dump(), "run": number} for part in parts]:
                work.sql.execute(insert(run_parts), stated)
            if (journal := self._database.journal) is not None:
                work.committed.append(partial(journal.append, Metadata(self._database).identity(), run))
        return run

    def runs(self, limit: int | None = None, before: int | None = None) -> tuple[Run, ...]:
        """The runs, the latest first; `before` a run id."""
        query = select(runs).order_by(runs.c.id.desc())
        if before is not None:
            query = query.where(runs.c.id < before)
        return self._runs(query if limit is None else query.limit(limit))

    def run(self, run: int) -> Run:
        """One run; raises `UnknownRunError`."""
        found = self._runs(select(runs).where(runs.c.id == run))
        if not found:
            raise UnknownRunError(run)
        return found[0]

    def present_runs(self, limit: int | None = None, before: Run | None = None) -> tuple[Run, ...]:
        """The runs for the present, the latest day first, on one day the latest run first; those `before` a run.

        A run for another day than the one on which it was made (see `is_present`) is in `runs` only, unless it replays
        that day. So is one made after today: a clock was ahead, and it does not hide the runs of the days until then.
        """
        query = select(runs).where(self._is_present(), _earlier(before))
        return self._present(query.order_by(runs.c.as_of.desc(), runs.c.id.desc()), limit)

    def latest_run(self, as_of: date | None = None, before: Run | None = None) -> Run | None:
        """The latest run for the present, see `present_runs`; None if there is none.

        With `as_of` the latest run for that day, whenever it was made.
        """
        if as_of is None:
            return next(iter(self.present_runs(1, before)), None)
        query = select(runs).where(runs.c.as_of == as_of, _earlier(before))
        return next(iter(self._runs(query.order_by(runs.c.id.desc()).limit(1))), None)

    def next_run(self, after: Run) -> Run | None:
        """The run for the present after a run; None after the latest."""
        later = or_(runs.c.as_of > after.as_of, and_(runs.c.as_of == after.as_of, runs.c.id > after.id))
        query = select(runs).where(self._is_present(), later).order_by(runs.c.as_of, runs.c.id)
        return next(iter(self._present(query, 1)), None)

    def runs_ahead(self) -> tuple[Run, ...]:
        """The runs that were made after today, by a clock that was ahead; empty for a reader without a clock."""
        return self._runs(select(runs).where(self._today() < _STARTED_ON).order_by(runs.c.id))

    def _today(self) -> str:
        return self._database.present_day().isoformat()

    def _is_present(self) -> ColumnElement[bool]:
        """Whether a run is not for a day before the one on which it was made, and was not made after today."""
        return and_(_NOT_PAST, self._today() >= _STARTED_ON)

    def parts(self, run: int | None = None) -> tuple[RunPart, ...]:
        """The inputs of the verdicts on the claims of private brains, in one run or in all."""
        query = select(run_parts).order_by(run_parts.c.run, run_parts.c.brain)
        return self._models(RunPart, query if run is None else query.where(run_parts.c.run == run))

    def for_claim(self, run: Run, claim: str) -> Run:
        """The run with the snapshot and the rules that its verdict on a claim was computed from."""
        query = select(run_parts.c.snapshot, run_parts.c.rules).join(
            claim_log, run_parts.c.brain.in_((claim_log.c.node_brain, claim_log.c.document_brain))
        )
        found = self._first(query.where(run_parts.c.run == run.id, claim_log.c.claim == claim))
        return run.model_copy(update={"snapshot": found[0], "rules": found[1]}) if found else run

    def _visible(self, found: Iterable[Run]) -> tuple[Run, ...]:
        """Runs as a view has them: with the counts of its own verdicts."""
        listed, hidden = tuple(found), self._database.hidden
        if not hidden or not listed:
            return listed
        counts: dict[int, dict[str, int]] = {run.id: {} for run in listed}
        query = select(verdicts.c.run, verdicts.c.verdict, func.count()).where(verdicts.c.run.in_(counts))
        ordered = query.group_by(verdicts.c.run, verdicts.c.verdict).order_by(verdicts.c.verdict)
        for run, code, count in self._rows(ordered):
            counts[run][VERDICTS[code].value] = count
        return tuple(run.model_copy(update={"counts": counts[run.id]}) for run in listed)

    def _run(self, record: Record) -> Run:
        """The run of a row, with the notes that a reader of this view may see."""
        values = {column.name: getattr(record, column.name) for column in runs.c}
        notes = _shown(json.loads(record.notes), self._database.hidden)
        return Run(**{**values, "counts": json.loads(record.counts), "notes": tuple(notes)})

    def _present(self, query: Query, limit: int | None) -> tuple[Run, ...]:
        """The first runs of a query that are of their day, at most `limit`; the others are read and left out."""
        with self._database.reading() as sql, sql.execute(query, execution_options=STREAMED) as records:
            found = list(islice((run for run in map(self._run, records) if run.of_its_day), limit))
        return self._visible(found)

    def rows(
        self,
        run: int,
        verdict: VerdictName | None = None,
        claims: Iterable[str] | None = None,
        after: str | None = None,
    ) -> Iterator[VerdictRow]:
        """The rows of a run by claim id, after the claim `after`."""
        query = select(verdicts).where(verdicts.c.run == run).order_by(verdicts.c.claim)
        if after is not None:
            query = query.where(verdicts.c.claim > after)
        if verdict is not None:
            query = query.where(verdicts.c.verdict == VERDICT_CODES[verdict])
        return map(_row, self._stream(query) if claims is None else self._among(query, verdicts.c.claim, claims))

    def row(self, run: int, claim: str) -> VerdictRow:
        """The row of one claim in one run; raises `UnknownRunError`."""
        record = self._first(select(verdicts).where(verdicts.c.run == run, verdicts.c.claim == claim))
        if record is None:
            raise UnknownRunError(f"{run} with the claim {claim}")
        return _row(record)

    def history(self, claim: str, limit: int = 1000, *, present: bool = False) -> tuple[tuple[Run, VerdictRow], ...]:
        """Every run that has the claim, the latest first, with its row.

        With `present` only the runs of `present_runs`, in their order.
        """
        query = select(verdicts, runs).join(verdicts, verdicts.c.run == runs.c.id).where(verdicts.c.claim == claim)
        if present:
            query = query.where(self._is_present()).order_by(runs.c.as_of.desc())
        query = query.order_by(runs.c.id.desc())
        with self._database.reading() as sql, sql.execute(query, execution_options=STREAMED) as records:
            pairs = ((self._run(record), _row(record)) for record in records)
            found = list(islice((pair for pair in pairs if pair[0].of_its_day or not present), limit))
        return tuple(zip(self._visible(run for run, _ in found), (row for _, row in found), strict=True))

    def verdicts_of(self, claims: Iterable[str], among: Iterable[int]) -> dict[str, dict[int, VerdictName]]:
        """The verdicts of claims, at most a thousand, in some of the runs, at most a thousand: by claim and run."""
        query = select(verdicts.c.claim, verdicts.c.run, verdicts.c.verdict).where(
            verdicts.c.run.in_(list(among)), verdicts.c.claim.in_(list(claims))
        )
        found: dict[str, dict[int, VerdictName]] = {}
        for claim, run, verdict in self._rows(query):
            found.setdefault(claim, {})[run] = VERDICTS[verdict]
        return found

    def first_found(self, verdict: VerdictName, claims: Iterable[str]) -> dict[str, Run]:
        """The first run, of those for the present, in which each of the claims had a verdict."""
        query = (
            select(verdicts.c.claim, func.min(verdicts.c.run))
            .join(runs, runs.c.id == verdicts.c.run)
            .where(self._is_present(), verdicts.c.verdict == VERDICT_CODES[verdict])
            .group_by(verdicts.c.claim)
        )
        first = dict(self._among(query, verdicts.c.claim, claims))
        known = {run: self.run(run) for run in set(first.values())}
        found = ((claim, self._first_present(known[run], verdict, claim)) for claim, run in first.items())
        return {claim: run for claim, run in found if run is not None}

    def _first_present(self, run: Run, verdict: VerdictName, claim: str) -> Run | None:
        """The run itself; if it is for a day to come, the first of the claim's other runs for the present."""
        if run.of_its_day:
            return run
        found = [one for one, row in self.history(claim, present=True) if row.verdict is verdict]
        return found[-1] if found else None

    def changes(self, before: int, after: int) -> Iterator[tuple[str, VerdictRow | None, VerdictRow | None]]:
        """Each claim whose verdict differs between two runs, with both rows; None for a run without the claim."""
        names = self._differing(before, after)
        old, new = ({row.claim: row for row in self.rows(run, claims=names)} for run in (before, after))
        return ((name, old.get(name), new.get(name)) for name in names)

    def _differing(self, before: int, after: int) -> list[str]:
        """The ids of claims that only one of the runs has, or that have different verdicts."""
        one, two = (
            select(verdicts.c.claim, verdicts.c.verdict).where(verdicts.c.run == run) for run in (before, after)
        )
        with self._database.one_state():
            return sorted({row.claim for query in (one.except_(two), two.except_(one)) for row in self._rows(query)})

    def _runs(self, query: Query) -> tuple[Run, ...]:
        return self._visible(map(self._run, self._rows(query)))


def _shown(notes: Iterable[str | dict[str, Any]], hidden: Collection[str]) -> Iterator[str]:
    """The stored notes that may be shown to a reader for whom the `hidden` brains do not exist."""
    for note in notes:
        said = note if isinstance(note, str) else note["text"]
        public = isinstance(note, str) or note["brain"] not in {None, *hidden}
        if not hidden or (public and not names_any(said, hidden)):
            yield said


def _earlier(than: Run | None) -> ColumnElement[bool]:
    """Runs of an earlier day, or of the same day and made before; all runs without one."""
    if than is None:
        return true()
    return or_(runs.c.as_of < than.as_of, and_(runs.c.as_of == than.as_of, runs.c.id < than.id))


def _pour(work: WriteTransaction, run: int, rows: Iterable[VerdictRow], counts: Counter[int]) -> None:
    """Insert the rows of a run, counted by verdict."""
    for some in batches(map(packed, rows)):
        counts.update(row.verdict for row in some)
        try:
            insert_tuples(work.sql, verdicts, ((run, *row) for row in some))
        except IntegrityError as error:
            raise DuplicateError("claim", _duplicate(some), f"run {run}") from error


def _duplicate(rows: list[PackedRow]) -> str:
    """The duplicate claim, or the range that contains a claim of an earlier batch."""
    claim, count = Counter(row.claim for row in rows).most_common(1)[0]
    return claim if count > 1 else f"(one of {rows[0].claim} … {rows[-1].claim})"


def _row(record: Record) -> VerdictRow:
    return PackedRow(record.claim, record.verdict, record.figures, record.unit, record.reason, record.further).row
