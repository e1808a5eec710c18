"""Rules about the words of a claim, and about fields that contradict each other or the formula."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import product

from compute.claims.stated_figures import factor, misquote, stated_in
from compute.figures.figure_models import Figure
from compute.formula.formula_tree import LiteralLeaf, Number, Slot, number_of
from compute.linting.subjects import Finding, Subject
from graph.models.claim_models import Claim, ClaimSeverity, Speaker, Stance, Tense

_RATIOS = frozenset({"x", "%", "count"})


def severity(subject: Subject) -> Iterator[Finding]:
    """The severity is above info, and there is no quote.

    A failing claim of this severity accuses somebody, so it must show the words. A claim with asserted_by: nobody
    needs no quote.
    """
    claim = subject.claim
    if claim.severity is ClaimSeverity.INFO or claim.quote or claim.asserted_by is Speaker.NOBODY:
        return
    message = f"severity is {claim.severity.value}, and no quote says who states the figure in which words"
    hint = "quote the words of the node, or say asserted_by: nobody, or lower it to severity: info"
    yield Finding(("severity",), message, hint)


def quoted_figure(subject: Subject) -> Iterator[Finding]:
    """The quote states no figure, or other figures than expect.

    Any equivalent form counts: 60%, 0.6, three fifths, 40% less. Whether the quote is in the text is checked at
    ingest.
    """
    none = bool(subject.claim.quote and subject.bounds) and not any(stated_in(subject.words))
    if message := "the quote has no figure" if none else misquote(subject.claim):
        yield Finding(("quote",), message, "quote the words with the figure that expect tests, or test theirs")


def disputed(subject: Subject) -> Iterator[Finding]:
    """The node disputes a figure that holds.

    Either the node is wrong, or the claim does not test the figure that the node disputes.
    """
    if subject.claim.stance is Stance.DISPUTES and subject.holds:
        message = "stance is disputes, and the figure holds"
        hint = "write stance: endorses or reports, or test the figure that the node disputes"
        yield Finding(("stance",), message, hint)


def roots(subject: Subject) -> Iterator[Finding]:
    """root names an unknown claim, or a circle of claims.

    root is the id of the claim that reports the same error of a source first.
    """
    claim = subject.claim
    if not claim.root:
        return
    if claim.root not in subject.context.known:
        message = f"root is {claim.root}, and there is no such claim"
        yield Finding(("root",), message, "name the claim that reports the error first")
    elif _in_circle(subject):
        message = f"root makes a circle: following it from {claim.id} ends at {claim.id}"
        yield Finding(("root",), message, "leave root out of the claim that reports the error first")


def _in_circle(subject: Subject) -> bool:
    seen, claim = set[str](), subject.claim
    here: Claim | None = claim
    while here is not None and here.root and here.id not in seen:
        seen.add(here.id)
        here = subject.context.known.get(here.root)
    return here is not None and here.id == claim.id and bool(here.root)


def tolerances(subject: Subject) -> Iterator[Finding]:
    """The tolerance is narrower than the rounding of the stated figure.

    60% means 59.5% to 60.5%, and $2.5M for $2.45M to $2.55M. A narrower test refutes a rounding. Exempt are list
    prices, and figures that the formula gives exactly: they are not rounded.
    """
    tolerance = _tolerance(subject)
    if tolerance is None or _exact(subject):
        return
    figure, bound = _expected_figure(subject) or (None, None)
    if figure is None or bound is None or not figure.low or figure.unit == "word" or _given(subject, bound):
        return
    half = figure.half * abs(bound.base / figure.low)
    if tolerance < half * Decimal("0.99"):
        within = subject.claim.expect.within
        path = ("expect", "within" if within else subject.claim.expect.form)
        message = f"‘{figure.text.strip()}’ is rounded to ± {_shown(half, bound)}"
        message += f", and the tolerance is {within or 'no tolerance'}"
        hint = f"write within: {_shown(half, bound)} or more"
        yield Finding(path, message, hint)


def _tolerance(subject: Subject) -> Decimal | None:
    """The tolerance in base units: 0 if absent, None if it is no number or has no meaning."""
    bar = subject.program.bar if subject.program else None
    if bar is None or bar.form not in {"is", "times"} or not subject.bounds:
        return None
    if bar.within is None:
        return Decimal(0)
    found = number_of(bar.within.term)
    if found is None:
        return None
    return abs(found.base * subject.bounds[0].base) if bar.relative else abs(found.base)


def _exact(subject: Subject) -> bool:
    """Whether the value needs no rounding: a list price or cell, or made of numbers and holding."""
    program = subject.program
    if program is None or (isinstance(program.term, Slot) and 0 <= program.term.index < len(program.leaves)):
        return True
    return subject.holds and all(isinstance(leaf, LiteralLeaf) for leaf in program.leaves)


def _given(subject: Subject, bound: Number) -> bool:
    """Whether the formula gives the figure exactly, on its day or today."""
    values = [day.reading.value for day in (subject.case.then, subject.case.now)] if subject.case else []
    return any(value is not None and abs(value - bound.base) <= abs(bound.base) / 10_000 for value in values)


def _shown(base: Decimal, bound: Number) -> str:
    """A distance in base units as an author writes it, in the bound's unit."""
    if bound.percent:
        return f"{_plain(base * 100)}pp"
    factor = bound.base / bound.value if bound.value else Decimal(1)
    return f"{_plain(base / factor)} {bound.unit.text}" if bound.unit else _plain(base)


def _plain(value: Decimal) -> str:
    """A number with four significant digits, without an exponent: 500_000, 0.005."""
    return f"{Decimal(f'{value:.4g}').normalize():,f}".replace(",", "_")


def dated_families(subject: Subject) -> Iterator[Finding]:
    """The claim is dated, and its formula follows a family.

    A family means another model from the day on which it moves. A dated claim reads the model that its words mean.
    """
    if subject.claim.tense is Tense.STANDING:
        return
    family = next((item for item in subject.items(undated=True) if item in subject.context.book.families), None)
    if family is not None:
        message = f"the claim is dated, and the formula follows the family {family}"
        hint = "read the price of the model that the words mean, or write tense: standing"
        yield Finding(("tense",), message, hint)


def superseded(subject: Subject) -> Iterator[Finding]:
    """The claim is standing, and its formula reads a model that is superseded.

    A claim about a model of the past is true or false of its own day: write tense: dated, or read the family.
    """
    if subject.claim.tense is Tense.DATED or subject.case is None:
        return
    for item in (one for one in subject.items(undated=True) if one not in subject.context.book.families):
        for family in subject.context.book.families.values():
            member = family.on(subject.case.now.on)
            if member is None or member.model == item or item not in {one.model for one in family.members}:
                continue
            message = f"the claim is standing, and {item} is superseded: {family.name} means {member.model}"
            hint = f"write tense: dated, or read the family {family.name}"
            yield Finding(("tense",), message, hint)
            return


def _expected_figure(subject: Subject) -> tuple[Figure, Number] | None:
    """The first figure of the words that is a bound and no range, with that bound."""
    ratio = subject.claim.expect.form == "times"
    for figure, bound in product(subject.figures, subject.bounds):
        if figure.ranged or (ratio and figure.sort not in _RATIOS):
            continue
        forms = {abs(bound.value), abs(bound.base), abs(bound.base) * 100}
        if forms & {figure.low, figure.low * (factor(figure, bound.unit) or 1)}:
            return figure, bound
    return None
