"""Runs and changed verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Annotated

from fastapi import Path, Query, Response

from api import feeds
from api.http.api_route import ApiRoute
from api.http.responses.content_negotiation import media_type
from api.http.responses.rdf_responses import LINKED, written
from api.http.responses.request_context import WHOLE, AppContext, Ask, OfBrain, Part
from api.models import response_models
from api.models.iso_day import IsoDay
from api.services.claim_status import RunChanges
from api.services.linked_data import LinkedData
from graph.models.verdict_change import VerdictChange
from graph.models.verdict_models import Run
from graph.store import cursors
from graph.store.cursors import Cursor

RunNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a run.", examples=[1]), WHOLE]
Since = Annotated[IsoDay | None, Query(description="The first day that is looked at.", examples=["2025-02-01"])]
Most = Annotated[int, Query(ge=1, le=1000, description="How many runs to read, latest first."), WHOLE]

Entries = Annotated[
    int, Query(ge=1, le=1000, description="Maximum number of entries, latest first; 256 KB at most."), WHOLE
]
LOOKED_AT = 400
"""How many runs a feed looks at, the latest first: a year of nights."""


class Ledger:
    """The routes over an open brain."""

    def __init__(self, desk: AppContext) -> None:
        self._brain, self._linked = desk.brain, LinkedData(desk.brain)

    def runs(self, ask: Ask, part: Part) -> Response:
        """The runs, the latest first."""
        before = None if part.cursor is None else -int(cursors.read(part.cursor, ask.scope, int).key)
        found = self._brain.ledger.runs(part.limit + 1, before)
        shown = found[: part.limit]
        following = Cursor(-shown[-1].id, "").text(ask.scope) if len(found) > len(shown) else None
        return ask.items(shown, next=following)

    def run(self, ask: Ask, run: RunNumber, part: Part) -> Response:
        """One run with its verdicts, by claim."""
        found = self._brain.ledger.run(run)
        told = self._linked.at(ask.site)
        cite = told.names.run(run).value
        return ask.record(self._complete(found, ask, part), written(told, lambda: told.run(found)), cite=cite)

    def _complete(self, run: Run, ask: Ask, part: Part) -> response_models.RunView:
        after = None if part.cursor is None else str(cursors.read(part.cursor, ask.scope, str).key)
        rows = list(islice(self._brain.ledger.rows(run.id, after=after), part.limit + 1))
        shown = rows[: part.limit]
        following = Cursor(shown[-1].claim, "").text(ask.scope) if len(rows) > len(shown) else None
        return response_models.RunView(
            **run.model_dump(), verdicts=tuple(self._brain.status.worded(shown)), next=following
        )

    def changes(self, ask: Ask, since: Since = None, limit: Most = 50, brain: OfBrain = None) -> Response:
        """The verdicts that changed from one run to the next, run by run, latest first."""
        found = self._brain.status.changes(since, limit)
        if brain is not None:
            wanted = {state.id for state in self._brain.status.states(brain=brain)}
            kept = ((one, tuple(each for each in one.changes if each.claim in wanted)) for one in found)
            found = [one.model_copy(update={"changes": changes}) for one, changes in kept if changes]
        return ask.items(found)

    def feed(
        self,
        ask: Ask,
        tag: Annotated[
            str | None, Query(description="Only claims with this tag, or of nodes with it.", examples=["batch"])
        ] = None,
        claim: Annotated[
            str | None, Query(description="Only this claim.", examples=["sonnet-cached-batch-discount"])
        ] = None,
        limit: Entries = 50,
        brain: OfBrain = None,
    ) -> Response:
        """The verdicts that changed, for feed readers: all, for a tag, for a brain, or for one claim."""
        turned = self._changed(self._requested(tag, claim, brain))
        found = feeds.bounded(islice(feeds.entries(turned, ask.site, together=claim is None), limit))
        channel = feeds.ChangeFeed(
            site=ask.site, path=ask.address(), title=feeds.title(tag, claim, brain), updated=self._updated()
        )
        body = feeds.atom(channel, found) if ask.form == "atom" else feeds.json(channel, found)
        return Response(body, headers=ask.headers(), media_type=media_type(ask.form))

    def _changed(self, wanted: set[str] | None) -> Iterator[RunChanges]:
        """Changed verdicts of each run, latest first; each run is read only when the caller reaches it."""
        for after, before in pairwise(self._brain.ledger.present_runs(LOOKED_AT + 1)):
            if before.method == after.method:
                changes, ruled = tuple(self._brain.comparer.changes(before, after, wanted)), 0
            else:
                changes, ruled = self._by_new_rules(before, after, wanted)
            yield RunChanges(run=after.id, as_of=after.as_of, at=after.started_at, changes=changes, ruled=ruled)

    def _by_new_rules(self, before: Run, after: Run, wanted: set[str] | None) -> tuple[tuple[VerdictChange, ...], int]:
        """The changes in the first run by a new version of the rules, and how many only the rules made."""
        changes, ruled = self._brain.comparer.changes_between(before, after)
        kept = tuple(one for one in changes if wanted is None or one.claim in wanted)
        return kept, sum(wanted is None or one.claim in wanted for one in ruled)

    def _requested(self, tag: str | None, claim: str | None, brain: str | None) -> set[str] | None:
        """The claims that a feed is about, None for all."""
        if claim is not None:
            return {self._brain.claims.get(claim).id}
        if brain is not None:
            own = {state.id for state in self._brain.status.states(brain=brain)}
            return own if tag is None else own & (self._requested(tag, None, None) or set())
        if tag is None:
            return None
        tagged = {card.id for card in self._brain.index_feed.cards() if tag in card.tags}
        return {state.id for state in self._brain.status.states() if tag in state.tags or state.node in tagged}

    def _updated(self) -> str:
        run = self._brain.ledger.latest_run()
        return feeds.moment(run.finished_at) if run else "1970-01-01T00:00:00Z"


def routes(desk: AppContext) -> Sequence[ApiRoute]:
    """The routes in their order."""
    of, listed = Ledger(desk), ("json", "csv")
    return (
        ApiRoute("/v1/runs", of.runs, response_models.Items[response_models.Run], listed, ("invalid-cursor",)),
        ApiRoute(
            "/v1/runs/{run}",
            of.run,
            response_models.RunView,
            ("json", *LINKED, "html"),
            ("not-found", "invalid-cursor"),
        ),
        ApiRoute("/v1/changes", of.changes, response_models.Items[response_models.RunChanges], listed),
        ApiRoute("/feed.atom", of.feed, None, ("atom",), ("not-found",), operation="feed_atom"),
        ApiRoute("/feed.json", of.feed, response_models.FeedView, ("feed",), ("not-found",), operation="feed_json"),
    )
