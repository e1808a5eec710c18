"""Observed prices: what the catalogues stated in earlier snapshots, as differences between one snapshot and the next.

A row without `last_seen` is still stated; it is there because the catalogue did not state it from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import delete, insert, select, update

from graph.store.schema import seen_prices, stated_cards
from graph.store.store_part import StorePart, insert_all
from graph.values import Value


class ObservedPrice(Value):
    """One price that a catalogue stated on the days from `first_seen` to `last_seen`, both included.

    `statement` identifies what is stated; `body` is the JSON of the price. `replaced` is the first day on which the
    catalogue stated it no longer. `last_seen` and `replaced` are None while the catalogue still states it.
    """

    catalog: str
    statement: str
    first_seen: date
    last_seen: date | None = None
    replaced: date | None = None
    body: str

    def until(self, today: date) -> ObservedPrice:
        """The same with no day after today: a clock that was ahead saw it by now."""
        days = {"first_seen": self.first_seen, "last_seen": self.last_seen, "replaced": self.replaced}
        late = {name: today for name, day in days.items() if day is not None and day > today}
        return self.model_copy(update=late) if late else self


_STATED = select(*(seen_prices.c[name] for name in ObservedPrice.model_fields)).order_by(
    seen_prices.c.first_seen, seen_prices.c.id
)


class ObservedPriceTables(StorePart):
    """The prices that were added to catalogues or taken out of them."""

    def past(self) -> tuple[ObservedPrice, ...]:
        """The prices that their catalogue states no longer, the earliest first."""
        return self._models(ObservedPrice, _STATED.where(seen_prices.c.last_seen.is_not(None)))

    def current(self, catalog: str | None = None) -> tuple[ObservedPrice, ...]:
        """The prices that a catalogue (or any) still states and did not state from the beginning."""
        query = _STATED.where(seen_prices.c.last_seen.is_(None))
        return self._models(ObservedPrice, query if catalog is None else query.where(seen_prices.c.catalog == catalog))

    def add(self, rows: Iterable[ObservedPrice]) -> None:
        """Store new rows."""
        with self._database.writing() as work:
            listed = [row.model_dump() for row in rows]
            work.changes = bool(listed)
            insert_all(work.sql, seen_prices, listed)

    def clear(self) -> None:
        """Remove all rows: they are derived from the snapshots."""
        with self._database.writing() as work:
            work.changes = bool(work.sql.execute(delete(seen_prices)).rowcount)

    def put_cards(self, brain: str, stated: Iterable[tuple[str, str]]) -> None:
        """Store which prices the documents of a brain state or stated, as pairs of catalogue and statement."""
        with self._database.writing() as work:
            query = select(stated_cards.c.catalog, stated_cards.c.statement).where(stated_cards.c.brain == brain)
            known = {(row.catalog, row.statement) for row in work.sql.execute(query)}
            new = sorted(set(stated) - known)
            work.changes = bool(new)
            rows = ({"catalog": catalog, "statement": what, "brain": brain} for catalog, what in new)
            insert_all(work.sql, stated_cards, rows)

    def correct(self, catalog: str, wrong: date, right: date) -> None:
        """Replace a day on which a catalogue was observed by another, wherever it stands."""
        with self._database.writing() as work:
            work.changes = False
            for column in (seen_prices.c.first_seen, seen_prices.c.last_seen, seen_prices.c.replaced):
                same = (seen_prices.c.catalog == catalog) & (column == wrong)
                done = work.sql.execute(update(seen_prices).where(same).values({column: right}))
                work.changes = work.changes or bool(done.rowcount)

    def close(self, row: ObservedPrice) -> None:
        """Store that a price is stated no longer: ends its open row, or adds a row if there is none."""
        with self._database.writing() as work:
            ended = work.sql.execute(
                update(seen_prices)
                .where(
                    seen_prices.c.catalog == row.catalog,
                    seen_prices.c.statement == row.statement,
                    seen_prices.c.last_seen.is_(None),
                )
                .values(last_seen=row.last_seen, replaced=row.replaced)
            )
            if not ended.rowcount:
                work.sql.execute(insert(seen_prices).values(**row.model_dump()))
