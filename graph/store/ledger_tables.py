"""The ledger: runs, their notes and their verdicts, append-only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, datetime
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, func, insert, or_, select, true, tuple_
from sqlalchemy.exc import IntegrityError

from graph.models.claim_models import VerdictName
from graph.models.packed_verdicts import VERDICT_CODES, VERDICTS, PackedRow, packed
from graph.models.verdict_models import METHOD, REPLAYED, Run, RunNote, RunPart, VerdictRow
from graph.store.database import STREAMED, WriteTransaction
from graph.store.metadata import Metadata
from graph.store.schema import Query, Record, claim_log, run_parts, runs, verdicts
from graph.store.store_errors import DuplicateError, UnknownRunError
from graph.store.store_part import StorePart, batches, insert_tuples
from graph.text.similar_names import names_any

_STARTED_ON = func.substr(cast(runs.c.started_at, Text), 1, 10)  # the day on which a run was made (UTC), as text

_NOT_PAST = or_(cast(runs.c.as_of, Text) >= _STARTED_ON, runs.c.notes.contains(f'"{REPLAYED}"'))
"""Runs for the day on which they were made, for a later one, or that replay a past day."""


_DAY_AND_ID = tuple_(runs.c.as_of, runs.c.id)


class LedgerTables(StorePart):
    """Runs and their verdicts."""

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
        parts: Iterable[RunPart] = (),
    ) -> Run:
        """Append a run with all its rows, or nothing. Raises `DuplicateError` for two rows of one claim.

        `rows` are read one by one, `clock` gives the time of the end, `parts` are the inputs of private brains' claims.
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
                method=METHOD,
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
        """Runs, the latest first; `before` a run id."""
        query = select(runs).order_by(runs.c.id.desc())
        if before is not None:
            query = query.where(runs.c.id < before)
        return self._runs(query if limit is None else query.limit(limit))

    def run(self, run: int) -> Run:
        """One run. Raises `UnknownRunError` if there is none."""
        found = self._runs(select(runs).where(runs.c.id == run))
        if not found:
            raise UnknownRunError(run)
        return found[0]

    def present_runs(self, limit: int | None = None, before: Run | None = None) -> tuple[Run, ...]:
        """Runs for the present, the latest day first, on one day the latest run first; `before` a run.

        Left out are runs for another day than that on which they were made, unless they replay it, and runs made after
        today by a clock that was ahead: they would hide the runs of the days until then.
        """
        query = select(runs).where(self._is_present(), _earlier(before))
        return self._present(query.order_by(runs.c.as_of.desc(), runs.c.id.desc()), limit)

    def latest_run(self, as_of: date | None = None, before: Run | None = None) -> Run | None:
        """The latest of `present_runs`, or with `as_of` the latest for that day, whenever made; or None."""
        if as_of is None:
            return next(iter(self.present_runs(1, before)), None)
        query = select(runs).where(runs.c.as_of == as_of, _earlier(before))
        return next(iter(self._runs(query.order_by(runs.c.id.desc()).limit(1))), None)

    def next_run(self, after: Run) -> Run | None:
        """The run for the present after this one; None after the latest."""
        query = select(runs).where(self._is_present(), (after.as_of, after.id) < _DAY_AND_ID)
        return next(iter(self._present(query.order_by(runs.c.as_of, runs.c.id), 1)), None)

    def runs_ahead(self) -> tuple[Run, ...]:
        """Runs made after today by a clock that was ahead; empty for a reader without a clock."""
        return self._runs(select(runs).where(self._today() < _STARTED_ON).order_by(runs.c.id))

    def _today(self) -> str:
        return self._database.present_day().isoformat()

    def _is_present(self) -> ColumnElement[bool]:
        """The condition for `present_runs`; `Run.of_its_day` leaves out days to come."""
        return and_(_NOT_PAST, self._today() >= _STARTED_ON)

    def parts(self, run: int | None = None) -> tuple[RunPart, ...]:
        """Inputs of the verdicts on claims of private brains, in one run or all."""
        query = select(run_parts).order_by(run_parts.c.run, run_parts.c.brain)
        return self._models(RunPart, query if run is None else query.where(run_parts.c.run == run))

    def for_claim(self, run: Run, claim: str) -> Run:
        """The run with the snapshot and the rules of its verdict on a claim."""
        query = select(run_parts.c.snapshot, run_parts.c.rules).join(
            claim_log, run_parts.c.brain.in_((claim_log.c.node_brain, claim_log.c.document_brain))
        )
        found = self._first(query.where(run_parts.c.run == run.id, claim_log.c.claim == claim))
        return run.model_copy(update={"snapshot": found[0], "rules": found[1]}) if found else run

    def _visible(self, found: Iterable[Run]) -> tuple[Run, ...]:
        """Runs as the reader sees them: with counts of visible verdicts."""
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
        """The run of a row, with the notes that the reader may see."""
        values = {column.name: getattr(record, column.name) for column in runs.c}
        notes = _shown(json.loads(record.notes), self._database.hidden)
        return Run(**{**values, "counts": json.loads(record.counts), "notes": tuple(notes)})

    def _present(self, query: Query, limit: int | None) -> tuple[Run, ...]:
        """The first `limit` runs of a query that are of their day."""
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
        """Rows of a run by claim id, those after the claim `after`."""
        query = select(verdicts).where(verdicts.c.run == run).order_by(verdicts.c.claim)
        if after is not None:
            query = query.where(verdicts.c.claim > after)
        if verdict is not None:
            query = query.where(verdicts.c.verdict == VERDICT_CODES[verdict])
        return self._stream(query, _row) if claims is None else map(_row, self._among(query, verdicts.c.claim, claims))

    def row(self, run: int, claim: str) -> VerdictRow:
        """The row of a claim in a run. Raises `UnknownRunError` if there is none."""
        record = self._first(select(verdicts).where(verdicts.c.run == run, verdicts.c.claim == claim))
        if record is None:
            raise UnknownRunError(f"{run} with the claim {claim}")
        return _row(record)

    def history(self, claim: str, limit: int = 1000, *, present: bool = False) -> tuple[tuple[Run, VerdictRow], ...]:
        """Runs with the row of a claim, the latest first; with `present` those of `present_runs`, in their order."""
        query = select(verdicts, runs).join(verdicts, verdicts.c.run == runs.c.id).where(verdicts.c.claim == claim)
        if present:
            query = query.where(self._is_present()).order_by(runs.c.as_of.desc())
        query = query.order_by(runs.c.id.desc())
        with self._database.reading() as sql, sql.execute(query, execution_options=STREAMED) as records:
            pairs = ((self._run(record), _row(record)) for record in records)
            found = list(islice((pair for pair in pairs if pair[0].of_its_day or not present), limit))
        return tuple(zip(self._visible(run for run, _ in found), (row for _, row in found), strict=True))

    def verdicts_of(self, claims: Iterable[str], among: Iterable[int]) -> dict[str, dict[int, VerdictName]]:
        """Verdicts by claim and run; at most a thousand claims and a thousand runs."""
        query = select(verdicts.c.claim, verdicts.c.run, verdicts.c.verdict).where(
            verdicts.c.run.in_(list(among)), verdicts.c.claim.in_(list(claims))
        )
        found: dict[str, dict[int, VerdictName]] = {}
        for claim, run, verdict in self._rows(query):
            found.setdefault(claim, {})[run] = VERDICTS[verdict]
        return found

    def first_refuted(self, claims: Iterable[str]) -> dict[str, Run]:
        """The first run for the present that refuted each claim."""
        query = (
            select(verdicts.c.claim, func.min(verdicts.c.run))
            .join(runs, runs.c.id == verdicts.c.run)
            .where(self._is_present(), verdicts.c.verdict == VERDICT_CODES[VerdictName.REFUTED])
            .group_by(verdicts.c.claim)
        )
        first = dict(self._among(query, verdicts.c.claim, claims))
        known = {run: self.run(run) for run in set(first.values())}
        found: dict[str, Run] = {}
        for claim, number in first.items():
            refuted = [known[number]]
            if not known[number].of_its_day:  # it is for a day to come
                refuted = [run for run, row in self.history(claim, present=True) if row.verdict is VerdictName.REFUTED]
            if refuted:
                found[claim] = refuted[-1]
        return found

    def changes(self, before: int, after: int) -> Iterator[tuple[str, VerdictRow | None, VerdictRow | None]]:
        """Claims whose verdict differs between two runs, with both rows; None for a run without the claim."""
        one, two = (
            select(verdicts.c.claim, verdicts.c.verdict).where(verdicts.c.run == run) for run in (before, after)
        )
        with self._database.one_state():
            names = sorted({row.claim for query in (one.except_(two), two.except_(one)) for row in self._rows(query)})
        old, new = ({row.claim: row for row in self.rows(run, claims=names)} for run in (before, after))
        return ((name, old.get(name), new.get(name)) for name in names)

    def _runs(self, query: Query) -> tuple[Run, ...]:
        return self._visible(map(self._run, self._rows(query)))


def _shown(notes: Iterable[str | dict[str, Any]], hidden: Collection[str]) -> Iterator[str]:
    """The notes that may be shown to a reader who may not see the `hidden` brains."""
    for note in notes:
        said = note if isinstance(note, str) else note["text"]
        public = isinstance(note, str) or note["brain"] not in {None, *hidden}
        if not hidden or (public and not names_any(said, hidden)):
            yield said


def _earlier(than: Run | None) -> ColumnElement[bool]:
    """Runs before one, by day and number; without one all."""
    return true() if than is None else (than.as_of, than.id) > _DAY_AND_ID


def _pour(work: WriteTransaction, run: int, rows: Iterable[VerdictRow], counts: Counter[int]) -> None:
    """Insert the rows of a run and count them by verdict."""
    for some in batches(map(packed, rows)):
        counts.update(row.verdict for row in some)
        try:
            insert_tuples(work.sql, verdicts, ((run, *row) for row in some))
        except IntegrityError as error:
            raise DuplicateError("claim", _duplicate(some), f"run {run}") from error


def _duplicate(rows: list[PackedRow]) -> str:
    """The claim that is there twice, or the range of a batch that repeats one of an earlier batch."""
    claim, count = Counter(row.claim for row in rows).most_common(1)[0]
    return claim if count > 1 else f"(one of {rows[0].claim} … {rows[-1].claim})"


def _row(record: Record) -> VerdictRow:
    return PackedRow(record.claim, record.verdict, record.figures, record.unit, record.reason, record.further).row
