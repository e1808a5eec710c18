"""Claims, verdicts, and evaluation with the caller's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Path, Query, Response

from api.http.api_route import ApiRoute
from api.http.responses.rdf_responses import LINKED, as_nanopublication, as_review, written
from api.http.responses.request_context import (
    WHOLE,
    AppContext,
    Ask,
    Day,
    ExactJsonResponse,
    OfBrain,
    Part,
    RequestedDay,
)
from api.models import response_models
from api.models.iso_day import IsoDay
from api.services import linked_data
from api.services.claim_status import ClaimStatus
from api.services.linked_data import LinkedData
from compute.record.record import Basis, GroupField, Record
from graph.models.alert_models import Acknowledgement
from graph.models.claim_models import VerdictName
from graph.models.verdict_models import Run, VerdictRow
from graph.store.cursors import Cursor

RESERVED = frozenset({"as_of", "format", "known", "currency"})
"""Parameters of `evaluate` that are not numbers of the caller's."""

Name = Annotated[str, Path(description="The id of a claim.", examples=["sonnet-cached-batch-discount"])]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a run.", examples=[1]), WHOLE]
Known = Annotated[
    IsoDay | None, Query(description="Only what the service knew on this day: prices and claims as they were then.")
]

Currency = Annotated[
    str | None,
    Query(description="A currency code: money is shown in it, at the exchange rate of each day.", examples=["EUR"]),
]


class Claims:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked = desk.brain, LinkedData(desk.brain)

    def claims(  # noqa: PLR0917  # the filters of an address
        self,
        ask: Ask,
        part: Part,
        verdict: Annotated[
            VerdictName | None, Query(description="Only claims with this verdict.", examples=["stale"])
        ] = None,
        node: Annotated[
            str | None, Query(description="Only claims of this node.", examples=["analyst/caching-and-batch-stack"])
        ] = None,
        tag: Annotated[str | None, Query(description="Only claims with this tag.", examples=["batch"])] = None,
        brain: OfBrain = None,
    ) -> Response:
        """Claims with their last verdicts, by id."""
        return ask.page(self._brain.status.states(verdict, node, tag, brain), part, _by_id)

    def errata(self, ask: Ask, part: Part, brain: OfBrain = None) -> Response:
        """Figures of sources that do not add up, after the last run: each error once, the most severe first.

        `contradictions` are figures on which two texts differ, as many as `limit`; which text is right is not known.
        """
        found = self._brain.errata.found()
        if brain is not None:
            items = tuple(one for one in found.items if one.node.startswith(f"{brain}/"))
            differ = tuple(one for one in found.contradictions if one.node.startswith(f"{brain}/"))
            found = found.model_copy(update={"items": items, "contradictions": differ})
        differing = {"contradictions": found.contradictions[: part.limit], "differing": len(found.contradictions)}
        return ask.page(found.items, part, lambda one: Cursor(*one.order), **differing)

    def claim(self, ask: Ask, claim: Name, day: Day, known: Known = None, currency: Currency = None) -> Response:
        """One claim with its verdict on a day: the working, the inputs with their sources, the flips."""
        verdict = self._brain.evaluator.explain(claim, day.day, known=known, currency=currency)
        shown = {
            **verdict.model_dump(),
            "state": self._brain.status.state(claim),
            "stated": self._brain.claims.get(claim),
            "life": self._brain.record.life(claim, ask.desk.clock().date()),
        }
        told = self._linked.at(ask.site)
        cite = told.names.claim(claim).value
        return ask.record(shown, written(told, lambda: told.claim(claim, verdict)), cite=cite)

    def on_day(
        self,
        ask: Ask,
        claim: Name,
        day: Annotated[IsoDay, Path(description="A day.", examples=["2026-11-21"])],
    ) -> Response:
        """One claim with its verdict on a day, which needs no stored run."""
        return self.claim(ask, claim, RequestedDay(day, named=True))

    def history(self, ask: Ask, claim: Name, part: Part) -> Response:
        """What every run found about the claim, the latest first."""
        self._brain.claims.get(claim)
        return ask.page([_finding(run, row) for run, row in self._brain.ledger.history(claim)], part, _by_run)

    def flags(self, ask: Ask, claim: Name) -> Response:
        """The flags that were raised on the claim, and when they were lowered."""
        self._brain.claims.get(claim)
        return ask.items(self._brain.alerts.flags(claim))

    def acknowledgements(self, ask: Ask, part: Part) -> Response:
        """The acknowledgements of failing claims, with their state today: active, expired or ended."""
        found = self._brain.acknowledgements.all(ask.desk.clock().date())
        return ask.page(found, part, lambda one: Cursor(one.claim, ""))

    def acknowledgement(self, ask: Ask, claim: Name) -> Response:
        """The acknowledgement of the claim, with its state today; null if it has none."""
        self._brain.claims.get(claim)
        found = self._brain.acknowledgements.get(claim, ask.desk.clock().date())
        return ExactJsonResponse(response_models.ClaimAcknowledgement(claim=claim, acknowledgement=found))

    def evaluate(self, ask: Ask, claim: Name, day: Day, known: Known = None, currency: Currency = None) -> Response:
        """The verdict with numbers of the caller's own; stores nothing.

        Every further parameter is a number in place of one of the claim's: `?rate=2.00`, `?price:item/component=1.80`
        (a processing behind it: `price:item/component:batch`), `?assume:pue=1.1`. A number without a unit has the unit
        of what it replaces. A name that the claim does not read is refused.
        """
        given = ask.request.query_params.items()
        sets = {name: value for name, value in given if name not in RESERVED}
        return ask.record(self._brain.evaluator.explain(claim, day.day, known=known, sets=sets, currency=currency))

    def verdict(
        self,
        ask: Ask,
        run: Number,
        claim: Name,
    ) -> Response:
        """What one run found about a claim; TriG is its nanopublication, JSON-LD its ClaimReview."""
        verdict, made = linked_data.verdict(self._brain, run, claim)
        told = self._linked.at(ask.site)
        cite = told.names.verdict(claim, run, made.as_of).value
        return ask.record(verdict, as_review(told, verdict, made), cite=cite)

    def nanopub(self, ask: Ask, run: Number, claim: Name) -> Response:
        """What one run found about a claim as a nanopublication; only TriG keeps its four graphs separate."""
        verdict, made = linked_data.verdict(self._brain, run, claim)
        return ask.record(None, as_nanopublication(self._linked.at(ask.site), verdict, made))


def _by_id(state: ClaimStatus) -> Cursor:
    return Cursor(state.id, state.id)


def _by_run(finding: response_models.Finding) -> Cursor:
    return Cursor(-finding.run, "")


def _finding(run: Run, row: VerdictRow) -> response_models.Finding:
    return response_models.Finding(**row.model_dump(), run=run.id, as_of=run.as_of, evaluated_at=run.finished_at)


By = Annotated[
    Literal["tag", "kind", "brain", "model", "input", "asserted_by"] | None,
    Query(description="The field by which claims are grouped.", examples=["kind"]),
]
Seen = Annotated[
    Basis, Query(description="Replayed over the prices as known now, or only what the runs saw.", examples=["ledger"])
]


class Records:
    """The route over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain = desk.brain

    def record(self, ask: Ask, day: Day, by: By = None, basis: Seen = Basis.HINDSIGHT) -> Response:
        """Of the figures that were true when written, the share that still holds after 30, 90 and 365 days.

        By group, with 95% intervals, the half-life, the curve, and a list of the figures that broke, each with the
        inputs that broke it.
        """
        return ask.record(self._brain.record.record(day.day, basis, GroupField(by) if by else None))


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order: a claim's id may hold a slash, so longer paths come first."""
    of, one, found = Claims(desk), "/v1/claims/{claim:path}", "/v1/runs/{run}/claims/{claim:path}"
    listed, forms = ("json", "csv"), ("json", *LINKED)
    dated = ("not-found", "invalid-datetime")
    return (
        ApiRoute("/v1/errata", of.errata, response_models.Errata, listed, ("invalid-cursor",)),
        ApiRoute(
            "/v1/claims", of.claims, response_models.Items[response_models.ClaimStatus], listed, ("invalid-cursor",)
        ),
        ApiRoute(
            f"{one}/history",
            of.history,
            response_models.Items[response_models.Finding],
            listed,
            ("not-found", "invalid-cursor"),
        ),
        ApiRoute(
            "/v1/acknowledgements",
            of.acknowledgements,
            response_models.Items[Acknowledgement],
            listed,
            ("invalid-cursor",),
            unstored=True,
        ),
        ApiRoute(
            f"{one}/acknowledgement",
            of.acknowledgement,
            response_models.ClaimAcknowledgement,
            ("json",),
            ("not-found",),
            unstored=True,
        ),
        ApiRoute(f"{one}/flags", of.flags, response_models.Items[response_models.Flag], listed, ("not-found",)),
        ApiRoute(
            f"{one}/evaluate",
            of.evaluate,
            response_models.Verdict,
            ("json",),
            (*dated, "invalid-number", "unknown-input", "invalid-currency"),
            free=True,
        ),
        ApiRoute(f"{one}/on/{{day}}", of.on_day, response_models.ClaimView, (*forms, "html"), dated),
        ApiRoute(one, of.claim, response_models.ClaimView, (*forms, "html"), (*dated, "invalid-currency")),
        ApiRoute("/v1/record", Records(desk).record, Record, ("json", "html"), ("invalid-datetime",)),
        ApiRoute(f"{found}/nanopub", of.nanopub, None, ("trig", *LINKED, "html"), ("not-found",)),
        ApiRoute(found, of.verdict, response_models.Verdict, (*forms, "trig", "html"), ("not-found",)),
    )
