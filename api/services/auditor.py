"""Claims and what is found about them: verify a day, explain one, look at the ledger, say what rests on what."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from itertools import pairwise

from api.services.market import Market
from api.views import HealthWord
from compute.freshness import Freshness, freshness
from compute.overrides import overrides
from compute.verify import Dependency, dependencies, explain, verify
from graph.claims import Claim, Row, Run, Severity, Verdict, VerdictName
from graph.nodes import Table
from graph.problems import Problem
from graph.problems import Severity as Weight
from graph.store import Store
from graph.store.errors import UnknownClaimError, UnknownNodeError
from graph.values import Value, dumps


class State(Value):
    """A claim with what the last run found about it; `verdict` None where no run has seen it yet."""

    id: str
    node: str
    says: str
    severity: Severity
    tags: tuple[str, ...]
    as_of: date
    verdict: VerdictName | None = None
    value: Decimal | None = None
    unit: str = ""
    margin: Decimal | None = None
    reason: str = ""
    run: int | None = None


class Turn(Value):
    """A claim whose verdict is another than in the run before; None where a run lacks the claim."""

    claim: str
    before: VerdictName | None
    after: VerdictName | None
    reason: str = ""


class Change(Value):
    """What turned in one run against the run before."""

    run: int
    as_of: date
    at: datetime
    turned: tuple[Turn, ...]


class Blast(Value):
    """What rests on a price: the claims that read it, and by path the nodes that assert one or cite such a node."""

    price: str
    claims: tuple[State, ...]
    paths: tuple[tuple[str, ...], ...]


class Audit(Value):
    """One evaluation of claims. `run` None: nothing was appended, as numbers or claims were the caller's choice."""

    as_of: date
    run: Run | None
    verdicts: tuple[Verdict, ...]
    counts: dict[str, int]
    turned: tuple[Turn, ...] = ()
    data: tuple[Freshness, ...] = ()


class StoreTables:
    """The tables of nodes in a store, each read once."""

    def __init__(self, store: Store) -> None:
        self._tables = cache(lambda node: _tables(store, node))

    def table(self, node: str, name: str) -> Table | None:
        """A table of a node by its name or its number from 1."""
        tables: tuple[Table, ...] = self._tables(node)
        if name.isdigit():
            return tables[int(name) - 1] if 0 < int(name) <= len(tables) else None
        return next((table for table in tables if table.name == name), None)


def _tables(store: Store, node: str) -> tuple[Table, ...]:
    try:
        return store.node(node).tables
    except UnknownNodeError:
        return ()


class Auditor:
    """Asks the engine about the claims of a store."""

    def __init__(self, store: Store, market: Market) -> None:
        self._store, self._market = store, market

    # ---- evaluating

    def explain(
        self, claim: str, as_of: date, *, known: date | None = None, sets: Mapping[str, str] | None = None
    ) -> Verdict:
        """One verdict with its working, computed now; stores nothing.

        Raises:
            UnknownClaimError: there is no such claim.
            OverrideError: a number in `sets` cannot be read.
        """
        return explain(
            self._store.claim(claim),
            self._market.book(known),
            as_of,
            tables=StoreTables(self._store),
            overrides=overrides(sets or {}),
            find=self.find,
        )

    def verify(
        self,
        as_of: date,
        *,
        at: datetime,
        clock: Callable[[], datetime] | None = None,
        claims: Iterable[str] = (),
        sets: Mapping[str, str] | None = None,
    ) -> Audit:
        """Evaluate for a day. All claims with the catalogue's own numbers are appended to the ledger as a run.

        Raises:
            UnknownClaimError: a claim that is asked for is not there.
            OverrideError: a number in `sets` cannot be read.
        """
        chosen = [self._store.claim(claim) for claim in claims]
        if chosen or sets:
            return self._audit(
                as_of, None, [self.explain(claim.id, as_of, sets=sets) for claim in chosen or self.all()]
            )
        before = self._store.latest_run()
        run = self._append(as_of, at, clock or (lambda: at))
        verdicts = [self.explain(claim.id, as_of) for claim in self.all()]
        return self._audit(as_of, run, verdicts).model_copy(update={"turned": tuple(self._turned(before, run))})

    def _append(self, as_of: date, at: datetime, clock: Callable[[], datetime]) -> Run:
        book = self._market.book()
        rows = verify(self.all(), book, as_of, tables=StoreTables(self._store), find=self.find)
        return self._store.append_run(
            rows,
            as_of=as_of,
            started_at=at,
            clock=clock,
            code=version("brain"),
            snapshot=self._market.keep(book.catalogs, "all", at),
            rules=self._rules(),
        )

    def _rules(self) -> str:
        """A digest of all claims, families, assumptions and decisions."""
        claims = hashlib.sha256()
        for claim in self.all():
            claims.update(dumps(claim).encode())
        return hashlib.sha256((claims.hexdigest() + self._market.library().digest()).encode()).hexdigest()

    def _audit(self, as_of: date, run: Run | None, verdicts: list[Verdict]) -> Audit:
        counts = {name.value: sum(one.verdict is name for one in verdicts) for name in VerdictName}
        found = [one.model_copy(update={"run": run.id if run else None}) for one in verdicts]
        return Audit(as_of=as_of, run=run, verdicts=tuple(found), counts=counts, data=self.data(as_of))

    def _turned(self, before: Run | None, after: Run) -> Iterator[Turn]:
        if before is None:
            return
        for claim, old, new in self._store.turned(before.id, after.id):
            yield Turn(
                claim=claim,
                before=old.verdict if old else None,
                after=new.verdict if new else None,
                reason=new.reason if new else "the claim is no longer there",
            )

    # ---- looking

    def all(self) -> Iterator[Claim]:
        """Every claim, by id."""
        return self._store.claims()

    def find(self, claim: str) -> Claim | None:
        """A claim by id."""
        try:
            return self._store.claim(claim)
        except UnknownClaimError:
            return None

    def states(
        self, verdict: VerdictName | None = None, node: str | None = None, tag: str | None = None
    ) -> list[State]:
        """Claims with their last verdict, by id."""
        run = self._store.latest_run()
        rows = {row.claim: row for row in self._store.rows(run.id)} if run else {}
        found = (self._state(claim, rows.get(claim.id), run) for claim in self._store.claims(node=node, tag=tag))
        return [state for state in found if verdict is None or state.verdict is verdict]

    def state(self, claim: str) -> State:
        """One claim with its last verdict.

        Raises:
            UnknownClaimError: there is no such claim.
        """
        stated = self._store.claim(claim)
        run = self._store.latest_run()
        row = next(iter(self._store.rows(run.id, claims=[claim])), None) if run else None
        return self._state(stated, row, run)

    @staticmethod
    def _state(claim: Claim, row: Row | None, run: Run | None) -> State:
        found = row.model_dump(include={"verdict", "value", "unit", "margin", "reason"}) if row else {}
        shared = claim.model_dump(include={"id", "node", "says", "severity", "tags", "as_of"})
        return State(**shared, **found, run=run.id if run and row else None)

    def changes(self, since: date | None = None, limit: int = 50) -> list[Change]:
        """The runs in which verdicts turned, the latest first; `since` the first day looked at."""
        runs = self._store.runs(limit + 1)
        found = []
        for after, before in pairwise(runs):
            if since is not None and after.as_of < since:
                continue
            if turned := tuple(self._turned(before, after)):
                found.append(Change(run=after.id, as_of=after.as_of, at=after.started_at, turned=turned))
        return found

    def impact(self, price: str) -> Blast:
        """What rests on a price: `provider/thing`, a family, or one of them with `/component`."""
        readers = [claim for claim in self.all() if any(self._reads(one, price) for one in dependencies(claim))]
        paths: list[tuple[str, ...]] = [(claim.node,) for claim in readers]
        for claim in readers:
            paths += [(claim.node, link.node.id) for link in self._store.backlinks(claim.node, ("cites",))]
        return Blast(
            price=price,
            claims=tuple(self.state(claim.id) for claim in readers),
            paths=tuple(dict.fromkeys(paths)),
        )

    def _reads(self, dependency: Dependency, price: str) -> bool:
        """Whether a claim that depends on this reads the price, by its name or by the family that it belongs to."""
        question = dependency.question
        if question is None:
            return dependency.name == price
        models = {question.item}
        if family := self._market.book().families.get(question.item):
            models |= {member.model for member in family.members}
        return any(price in {model, f"{model}/{question.component}"} for model in models)

    def health(self, node: str) -> HealthWord:
        """How a node stands by its own claims."""
        found = {state.verdict for state in self.states(node=node)}
        if found & {VerdictName.REFUTED, VerdictName.STALE}:
            return "broken"
        return "sound" if found == {VerdictName.HOLDS} else "unchecked"

    def data(self, on: date) -> tuple[Freshness, ...]:
        """How old every catalogue and assumption is on a day."""
        library, book = self._market.library(), self._market.book()
        return freshness(book.catalogs, library.assumptions, on, library.limits)

    def dangling(self) -> list[Problem]:
        """Claims on nodes that are not there."""
        known = set(self._store.refs(claim.node for claim in self.all()))
        return [_dangling(claim) for claim in self.all() if claim.node not in known]


def _dangling(claim: Claim) -> Problem:
    place = claim.place
    return Problem(
        document=place.document if place else "",
        line=place.line if place else None,
        severity=Weight.WARNING,
        code="claim-without-node",
        message=f"the claim {claim.id} is on the node {claim.node}, which is not there",
        hint="ingest the document with that node, or correct the claim's `node`",
    )
