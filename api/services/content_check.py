"""What authors should look at: problems of the content, and what the linter finds in claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date

from api.brain import Brain
from api.services.claim_places import NodeFinder, citations_of_removed_nodes, claims_without_nodes, misquoted
from compute.catalogs.price_cards import collisions
from compute.claims.claim_cases import Cases, Terms
from compute.linting import linter
from compute.linting.subjects import LintContext
from compute.prices.families import Family, nesting, newer
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Price
from compute.units.number_format import said
from compute.units.units import unit
from graph.models.alert_models import Silence
from graph.models.claim_models import Claim, Tense
from graph.models.verdict_models import Run
from graph.problems import Problem, Severity
from graph.store.store_errors import UnknownDocumentError
from graph.text.similar_names import did_you_mean
from graph.values import Value


def content_problems(brain: Brain, stored: Iterable[Problem] | None = None) -> list[Problem]:
    """Problems in the data directory, and what authors should look at; `stored`: those of the store, if known.

    A view has only the latter: the data directory is that of all brains.
    """
    store, claims = brain.store, brain.status.claims()
    home: list[Problem] = []
    if not store.hidden:
        home += store.check() if stored is None else stored
        home += [*brain.search.check(), *_damaged_history(brain.prices.observer.damage())]
    return [
        *_runs_ahead(store.ledger.runs_ahead(), store.present_day()),
        *home,
        *(problem for record in store.documents.all() for problem in record.problems),
        *(problem for one in brain.price_refresher.on_hold() for problem in one.problems()),
        *claims_without_nodes(claims, brain.status.dependencies().nodes, NodeFinder.of_store(store)),
        *misquoted(claims, store),
        *citations_of_removed_nodes(store),
        *_contradicting_prices(brain.prices.cards()),
        *_families_without_prices(brain.prices.library().families, brain.prices.book()),
        *_silences_without_claims(store.alerts.silences(), {claim.id for claim in claims}),
    ]


def _runs_ahead(runs: Iterable[Run], today: date) -> Iterator[Problem]:
    """A warning for each run that was made after today, by a clock that was ahead."""
    for run in runs:
        made = f"run {run.id} for {run.as_of} was made on {run.started_at:%Y-%m-%d}, which is after today, {today}"
        yield Problem(
            document="brain.db",
            severity=Severity.WARNING,
            code="run-ahead",
            message=f"{made}: a clock was ahead; until that day the run is not the latest",
            hint="check the clock of this machine and of the one that made the run",
        )


def _damaged_history(fault: str | None) -> Iterator[Problem]:
    """A warning where the record of observed prices is damaged."""
    if fault:
        hint = "brain check --repair derives it from the snapshots again"
        yield _doubt("brain.db", "seen-prices", fault, hint)


def _contradicting_prices(cards: Iterable[tuple[str, Price]]) -> Iterator[Problem]:
    """Prices of different documents for the same days; `cards` are prices, each with the name of its document."""
    for first, second in collisions(cards):
        told = [f"{said(one.value, unit(one.unit).text)} in {name}" for name, one in (first, second)]
        document, price = second
        what = f"{price.component} of {price.item} is {' and '.join(told)} for some of the same days"
        yield _doubt(document, "price-twice", what, "give the earlier one a 'to', or take one document out")


def _families_without_prices(families: Iterable[Family], book: CatalogBook) -> Iterator[Problem]:
    """Models of families that no catalogue knows, families that mean families, and newer models than a family means."""
    known, named = set(book.items()), {family.name: family for family in families}
    for family in named.values():
        provider = family.members[-1].model.partition("/")[0] + "/"
        if found := newer(family, (item for item in known if item.startswith(provider))):
            what = f"the family {family.name} means {family.members[-1].model}, and the catalogues have {found}"
            yield _doubt("families", "family-behind", what, "if it is the successor, add it with its release day")
        for member in family.members:
            if member.model in known or book.prices(member.model):
                continue
            if member.model in named:
                yield _doubt("families", "family-circle", nesting(family.name, named), "name a model, provider/model")
            else:
                what = f"the family {family.name} means {member.model}, of which there is no price"
                yield _doubt("families", "family-model", what, did_you_mean(member.model, known))


def _silences_without_claims(silences: Iterable[Silence], claims: Collection[str]) -> Iterator[Problem]:
    """Silences for claims that do not exist."""
    for silence in silences:
        if silence.claim and silence.claim not in claims:
            what = f"the silence {silence.id} is for the claim {silence.claim}, which does not exist"
            yield _doubt(silence.id.partition("#")[0], "silence-claim", what, did_you_mean(silence.claim, claims))


def _doubt(document: str, code: str, message: str, hint: str | None) -> Problem:
    return Problem(document=document, severity=Severity.WARNING, code=code, message=message, hint=hint)


class TenseCounts(Value):
    """How many claims are dated and standing; `moving` of the standing ones read a current price, `fixed` do not."""

    dated: int
    standing: int
    moving: int
    fixed: tuple[str, ...]


def lint(brain: Brain, as_of: date, documents: Collection[str] | None = None) -> list[Problem]:
    """The findings of the linter in all claims, or in those of some documents, by document and line.

    `as_of` is the day of evaluation.
    """
    chosen, context = _every(brain, as_of)
    if documents is not None:
        chosen = [claim for claim in chosen if (claim.place.document if claim.place else "") in documents]

    def text(document: str) -> str | None:
        try:
            return brain.documents.get(document).text
        except UnknownDocumentError:
            return None

    found = linter.problems(chosen, context, text)
    return sorted(found, key=lambda problem: (problem.document, problem.line or 0, problem.column or 0))


def tenses(brain: Brain, as_of: date) -> TenseCounts:
    """How many claims are dated and standing, and which standing ones a current price can change."""
    every, context = _every(brain, as_of)
    standing = [claim.id for claim in every if claim.tense is Tense.STANDING]
    moving = linter.moving(every, context)
    fixed = tuple(claim for claim in standing if claim not in moving)
    return TenseCounts(dated=len(every) - len(standing), standing=len(standing), moving=len(moving), fixed=fixed)


def _every(brain: Brain, as_of: date) -> tuple[list[Claim], LintContext]:
    """All claims, and what the linter looks up."""
    inputs = brain.evaluator.inputs.now()
    every = list(inputs.claims())
    cases = Cases(inputs.book, as_of, Terms(inputs.tables, find=inputs.find))
    return every, LintContext(inputs.book, cases, brain.nodes.find, {claim.id: claim for claim in every})
