"""Rules about how a figure is stated: hedges, thresholds, rounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from compute.formula.formula_terms import LiteralLeaf, Slot
from compute.linting.figure_match import expected_figures, rounding
from compute.linting.lint_models import Bound, Finding, LintContext, StatedFigure, Subject, Wording

_POINTS = frozenset({"is", "times"})
_WRONG = {
    "most": (_POINTS | {"at_least"}, "at_most"),
    "least": (_POINTS | {"at_most"}, "at_least"),
}
_HEDGED = Decimal("0.1")
"""The part of a figure by which a hedged one may be off."""


def hedges(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The text hedges the figure, and the expectation does not."""
    for wording in subject.wordings:
        for found, bound in _meant(subject, wording):
            wanted = _unhedged(subject, found, bound)
            if wanted:
                message = f"{wording.who} ‘{_words(found)}’, and expect is {subject.claim.expect.text()}"
                yield Finding("quote-hedge", subject.claim.id, _expectation(subject), message, wanted)
                return


def _words(found: StatedFigure) -> str:
    text = " ".join(found.figure.text.split())
    if found.figure.ranged or found.words in text:
        return text
    return f"{text} {found.words}" if found.words in {"or more", "or less", "or so"} else f"{found.words} {text}"


def _meant(subject: Subject, wording: Wording) -> Sequence[tuple[StatedFigure, Bound]]:
    """The expected figures of a text; none if it states one of them without a hedge too, or is a question."""
    found = list(expected_figures(subject, wording))
    plain = any(not one.hedge and not one.threshold and not one.figure.ranged for one, _ in found)
    return [] if plain or wording.text.rstrip().endswith("?") else found


def _expectation(subject: Subject) -> tuple[str, str]:
    return "expect", subject.claim.expect.form


def _unhedged(subject: Subject, found: StatedFigure, bound: Bound) -> str:
    """What to write instead; empty if the expectation follows the hedge."""
    form, figure = subject.claim.expect.form, found.figure
    if figure.ranged and len(subject.bounds) == 1:
        return _unranged(subject, found, bound)
    if found.hedge not in _WRONG:
        return _unspread(subject, found, bound)
    wrong, right = _WRONG[found.hedge]
    misses = form in wrong and not _is_threshold(subject, found)
    return f"write {right}: {bound.text}" if misses and not _region(subject, found, bound) else ""


def _unspread(subject: Subject, found: StatedFigure, bound: Bound) -> str:
    """A figure that is about, nearly or typically so, and that is tested as exact."""
    if subject.claim.expect.form not in _POINTS or subject.within is None:
        return ""
    fine, _ = rounding(found.figure, bound)
    narrow = subject.within < max(fine, abs(bound.base) / 200)
    if found.hedge == "about" and narrow:
        return "give the tolerance that the word allows: within"
    if found.hedge == "below" and narrow:
        return f"give a tolerance that reaches below {bound.text}: within, or between"
    if found.hedge == "between" and subject.within <= 2 * fine:
        return "write between, with both ends of the range"
    if found.hedge == "typical" and subject.within <= fine:
        return "test a bound, or give the spread that is meant: within"
    return ""


def _region(subject: Subject, found: StatedFigure, bound: Bound) -> bool:
    """Whether the tolerance is so wide that the point is meant as a region: over a fifth, and four roundings."""
    if subject.claim.expect.form not in _POINTS or subject.within is None:
        return False
    coarse = rounding(found.figure, bound)[1]
    return subject.within > max(4 * coarse, abs(bound.base) / 5)


def _unranged(subject: Subject, found: StatedFigure, bound: Bound) -> str:
    """A range that is tested as one of its ends."""
    figure, within = found.figure, subject.within
    if subject.claim.expect.form not in _POINTS or within is None or not abs(bound.base):
        return ""
    ends = (figure.low, figure.high)
    mine = min(ends, key=lambda end: abs(abs(end) - abs(bound.value)))
    scale = abs(bound.base) / mine if mine else Decimal(0)
    if within >= abs(figure.high - figure.low) * scale or _one_end(subject, found):
        return ""
    return f"write between: [{', '.join(f'{end:f}' for end in ends)}] in the unit of the figure"


def _one_end(subject: Subject, found: StatedFigure) -> bool:
    """Whether an input is an end of another range of the text, so that the claim computes one end by another."""
    others = [one.figure for one in subject.wording.figures if one.figure.ranged and one is not found]
    ends = {end for figure in others for end in (figure.low, figure.high)}
    return any(number.value in ends for number in subject.literals)


def thresholds(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The text states from where on something holds, and the expectation tests one point."""
    if subject.claim.expect.form not in _POINTS:
        return
    for wording in subject.wordings:
        for found, bound in _meant(subject, wording):
            if _is_threshold(subject, found) and not found.figure.ranged:
                stated = f"{found.words} {' '.join(found.figure.text.split())}"
                message = f"{wording.who} ‘{stated}’, a threshold, and expect tests one point"
                hint = (
                    f"write at_most: {bound.text} if it may lie lower, or at_least: {bound.text} if it may lie higher"
                )
                yield Finding("threshold-point", subject.claim.id, _expectation(subject), message, hint)
                return


def _is_threshold(subject: Subject, found: StatedFigure) -> bool:
    """Whether a figure is stated as a threshold; a bound on a value that is solved for is one."""
    return found.threshold or (found.hedge in _WRONG and "solve(" in subject.claim.value)


def tolerances(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The tolerance is narrower than the rounding of the stated figure."""
    if subject.within is None or _bare(subject) or _settled(subject):
        return
    for found, bound in _plain_figures(subject)[:1]:
        fine, coarse = rounding(found.figure, bound)
        if coarse and subject.within < fine * Decimal("0.99") and _inexact(subject, found, bound):
            within, text = subject.claim.expect.within or "no tolerance", found.figure.text.strip()
            message = f"‘{text}’ is rounded to ± {_shown(fine, bound)}, and the tolerance is {within}"
            hint = f"write within: {_shown(fine, bound)} or more"
            yield Finding("tolerance-narrow", subject.claim.id, _tolerance(subject), message, hint)


def wide_tolerances(subject: Subject, _context: LintContext) -> Iterator[Finding]:
    """The tolerance is wider than the rounding and the hedge, or the value is at its edge, and nothing says why."""
    if not subject.within or subject.claim.because:
        return
    within = subject.claim.expect.within
    for found, bound in _plain_figures(subject)[:1]:
        coarse = rounding(found.figure, bound)[1]
        room = max(coarse, abs(bound.base) * _HEDGED) if found.hedge else coarse
        if coarse and subject.within > room * Decimal("1.01"):
            text = found.figure.text.strip()
            message = f"the tolerance {within} is wider than the words: ‘{text}’ leaves ± {_shown(room, bound)}"
            hint = f"write within: {_shown(room, bound)}, or say why it is wider: because"
            yield Finding("tolerance-wide", subject.claim.id, _tolerance(subject), message, hint)
            return
    if subject.case is not None and subject.case.judged.reading.margin == 0:
        message = f"the value lies exactly at the edge of the tolerance {within}"
        hint = "write the tolerance that the words leave, or say why it is this one: because"
        yield Finding("tolerance-wide", subject.claim.id, _tolerance(subject), message, hint)


def _plain_figures(subject: Subject) -> list[tuple[StatedFigure, Bound]]:
    """The expected figures of the words, without ranges."""
    return [one for one in expected_figures(subject, subject.wording) if not one[0].figure.ranged]


def _tolerance(subject: Subject) -> tuple[str, str]:
    return "expect", "within" if subject.claim.expect.within else subject.claim.expect.form


def _inexact(subject: Subject, found: StatedFigure, bound: Bound) -> bool:
    """Whether a figure is rounded: written with digits, and not what the formula gives exactly on its day."""
    case = subject.case
    values = (case.then.reading.value, case.now.reading.value) if case else ()
    exact = any(value is not None and abs(value - bound.base) <= abs(bound.base) / 10_000 for value in values)
    return found.figure.unit != "word" and not exact


def _bare(subject: Subject) -> bool:
    """Whether the value is only looked up: a list price or a cell is stated exactly."""
    return subject.program is None or (isinstance(subject.program.term, Slot) and _leaf(subject))


def _settled(subject: Subject) -> bool:
    """Whether only numbers enter the claim and it holds: no tolerance can make it fail."""
    leaves = subject.program.leaves if subject.program else ()
    holds = subject.case is not None and subject.case.now.reading.holds is True
    return holds and all(isinstance(leaf, LiteralLeaf) for leaf in leaves)


def _leaf(subject: Subject) -> bool:
    program = subject.program
    return program is not None and isinstance(program.term, Slot) and 0 <= program.term.index < len(program.leaves)


def _shown(base: Decimal, bound: Bound) -> str:
    """A distance in base units as an author writes it, in the unit of a bound."""
    if bound.percent:
        return f"{_plain(base * 100)}pp"
    factor = bound.base / bound.value if bound.value else Decimal(1)
    return f"{_plain(base / factor)} {bound.unit.text}" if bound.unit else _plain(base)


def _plain(value: Decimal) -> str:
    """A number with at most four significant digits, without an exponent: 500_000, 0.005."""
    return f"{Decimal(f'{value:.4g}').normalize():,f}".replace(",", "_")
