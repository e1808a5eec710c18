"""The solver: which relation each figure of a sentence claims, and whether it holds.

sentence ─▶ quantities ─▶ candidates, scored by words and places ─▶ the best is judged ─▶ statements

Whether a figure claims a relation is decided before anything is computed, so that a wrong figure is not overlooked. A
reading of about equal score that holds saves a figure; so does a weaker one that holds to the last digit, which is
then not reported at all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from compute.mining.amount_claims import amounts
from compute.mining.change_claims import ratios
from compute.mining.claim_cues import CONDITIONAL, NEGATED, QUALIFIED, TOTAL, TOTAL_PHRASES, has, phrase
from compute.mining.claim_scopes import Candidate, Scope, scope, sized
from compute.mining.expressions import Op, spread, value, written
from compute.mining.mining_models import Bound, Figure, MinedInput, Passage, Reading, Statement
from compute.mining.product_claims import magnitude
from compute.mining.quantities import Quantity, Sentence, sentences
from compute.mining.readings import LOOSE, known
from compute.mining.span_claims import spans, weights
from compute.mining.statement_judge import Outcome, statement, told
from compute.mining.text_windows import DISPUTED

CLAIMED = 1.6
"""The score from which a sentence is taken to claim a relation."""
SURE = 2.2
"""The score from which a claimed relation that does not compute is refuted."""
EQUAL_SCORE, WEAKEST = 0.45, 0.2
"""How much lower an equally likely reading scores; the least score of a reading that can save a figure."""
_BOUNDS: dict[str, Bound] = {"at most": "at most", "at least": "at least"}


@dataclass(frozen=True, slots=True)
class Solved:
    """A judged relation: its candidate, the statement, and whether a weaker reading silenced it (no statement)."""

    candidate: Candidate
    statement: Statement | None
    saved: bool = False

    @property
    def key(self) -> frozenset[int]:
        """The offsets of all figures of the relation."""
        return frozenset(one.figure.start for one in (self.candidate.target, *self.candidate.used))


def solved(passage: Passage) -> tuple[Solved, ...]:
    """The relations that the sentences of a passage claim, judged, in text order."""
    found: list[Solved] = []
    before: list[Sentence] = []
    for sentence in sentences(passage):
        if not _prose(sentence):
            continue
        before = [] if sentence.opens and not _resumes(sentence) else before
        found += _distinct(_sentence(passage, sentence, before))
        before = [*before[-(LONGEST_LIST - 1) :], sentence]
    return tuple(sorted(found, key=lambda one: one.candidate.target.figure.start))


def _sentence(passage: Passage, sentence: Sentence, before: list[Sentence]) -> Iterator[Solved]:
    own = scope(sentence)
    groups = _groups(own)
    for target in own.targets:
        if _equated(own):
            continue
        group = groups.get(target.figure.start, [])
        wide = own
        for count in (*range(1, min(2, len(before)) + 1), *([len(before)] if len(before) > 2 else [])):
            if (count > 2 and not _totals(own)) or (group and group[0].score >= CLAIMED) or not _open(own, target):
                break
            wide = scope(sentence, before[-count:])
            group = [replace(one, score=one.score - 0.05) for one in _groups(wide).get(target.figure.start, [])]
        if group and group[0].score >= CLAIMED:
            yield from _judged(passage, wide, group)


LONGEST_LIST = 12
"""How many sentences before a total may be its items."""
_RESUMES = frozenset(
    {"that", "that's", "that’s", "this", "total", "altogether", "all", "together", "overall", "sum", "it"}
)


def _resumes(sentence: Sentence) -> bool:
    """Whether a paragraph speaks of what is before it: `That's a 30% gain`, `Total: 200`."""
    return bool(sentence.gaps[0]) and has(sentence.gaps[0][:3], _RESUMES)


def _totals(own: Scope) -> bool:
    tokens = [token for gap in own.gaps for token in gap]
    return has(tokens, TOTAL) or phrase(tokens, TOTAL_PHRASES)


def _prose(sentence: Sentence) -> bool:
    """Whether a sentence is made of words: no line of a log, a listing of units or an assignment."""
    tokens = [token for gap in sentence.gaps for token in gap]
    signs = sum(not token[0].isalnum() and token not in _PLAIN for token in tokens)
    return signs <= 2 + len(tokens) // 6 and not _ASSIGNED.search(sentence.text)


_PLAIN = frozenset(",.;:()—–-%$€£\"'“”’‘→=+*/?!−×")
_ASSIGNED = re.compile(
    r"\b[a-z]+_[a-z_]+\b|^\s*#\s*\w+ *=|\w\(\)|[{}<>]|^\s*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[)", re.M
)


def _equated(own: Scope) -> bool:
    """Whether a figure is part of an equation with operators, which is read as it is written."""
    return any(
        len(gap) < 3 and has(gap, {"×", "*", "÷", "/", "·", "x", "+"}) and not has(gap, {"$"}) for gap in own.gaps[1:-1]
    ) and any(has(gap, {"=", "≈"}) for gap in own.gaps)


def _open(own: Scope, target: Quantity) -> bool:
    """Whether a figure may be about the sentence before."""
    return target.kind in {"share", "points", "ratio"} or len(own.quantities) < 4


def _groups(one: Scope) -> dict[int, list[Candidate]]:
    """The candidates of each target, best first."""
    groups: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in (*ratios(one), *amounts(one), *spans(one), *weights(one)):
        groups[candidate.target.figure.start].append(candidate)
    return {start: sorted(group, key=lambda one: -one.score) for start, group in groups.items()}


# ---- judging


@dataclass(frozen=True, slots=True)
class _Result:
    candidate: Candidate
    computed: Decimal
    exact: bool
    near: bool


def _judged(passage: Passage, within: Scope, group: list[Candidate]) -> Iterator[Solved]:
    best = group[0]
    if _negated(within, best):
        return
    equal = [one for one in group if one.score >= max(best.score - EQUAL_SCORE, CLAIMED - EQUAL_SCORE)]
    results = [result for one in equal if (result := _result(one)) is not None]
    held = next((one for one in results if one.exact), None) or next((one for one in results if one.near), None)
    if held is not None:
        yield Solved(held.candidate, _holds(passage, within, held))
        return
    saved = any((result := _result(one)) and result.exact for one in group if one.score >= WEAKEST and one not in equal)
    first = next(iter(results), None)
    if saved or first is None or not first.candidate.sure or best.score < SURE or _unsure(within, best):
        yield Solved(best, None, saved)
    else:
        yield Solved(first.candidate, _fails(passage, within, first))


def _negated(within: Scope, best: Candidate) -> bool:
    return has(within.left(best.target)[-5:], NEGATED)


def _unsure(within: Scope, best: Candidate) -> bool:
    """Whether a sentence asks, supposes or plans, so that its figures need not be right."""
    tokens = [token for gap in within.gaps for token in gap]
    left = within.left(best.target)
    other = has(left, {"against", "compared", "versus", "relative", "since"}) and any(
        len(token) == 4 and token.isdigit() for token in left
    )
    quoted = has(tokens, {'"', "“", "”"}) and has(
        tokens, {"but", "only", "actually", "really", "says", "claims", "promises", "said"}
    )
    return "?" in tokens or has(tokens, CONDITIONAL) or other or quoted


def _result(one: Candidate) -> _Result | None:
    numbers, halves = _numbers(one)
    tree = _tree(one)
    computed = value(tree, numbers)
    if computed is None:
        return None
    target, scale = one.target, _scale(one)
    computed /= scale
    figure = target.figure
    if one.rule == "downtime" and figure.hedge in {"at most", "at least"}:
        figure = replace(figure, hedge="")
    off = _off(figure, computed)
    binary = any(used.figure.unit.partition("/")[0].endswith("iB") for used in (*one.used, target))
    room = Decimal("0.08") if binary else Decimal(0) if one.exact and not figure.hedge else LOOSE[figure.hedge]
    tight = one.rule in _TIGHT or (one.exact and not any(used.figure.hedge for used in one.used))
    moved = Decimal(0) if tight or off <= figure.half else spread(tree, numbers, halves) / abs(scale)
    rounding = figure.half if one.exact else max(figure.half, figure.coarse)
    return _Result(one, computed, off <= figure.half, off <= rounding + abs(figure.high) * room + moved)


_TIGHT = frozenset({"compound", "downtime", "availability", "stacked", "complement"})
"""Relations whose inputs are exact as written: 99.9% is not 99.85%."""


def _off(figure: Figure, computed: Decimal) -> Decimal:
    if figure.hedge != "at most" and computed < figure.low:
        return figure.low - computed
    if figure.hedge != "at least" and computed > figure.high:
        return computed - figure.high
    return Decimal(0)


def _scale(one: Candidate) -> Decimal:
    """The value of one unit of the stated figure."""
    target = one.target
    if target.kind in {"share", "points"}:
        return Decimal("0.01")
    if not one.united:
        return Decimal(1)
    other = next((used for used in one.used if used.kind == target.kind and used.unit != target.unit), None)
    return sized(target, other) / target.figure.low


def _numbers(one: Candidate) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """The values of the inputs and half a step of each."""
    numbers, halves = {}, {}
    every = (*one.used, one.target)
    for name, used in zip(one.names, one.used, strict=True):
        other = next((two for two in every if two.kind == used.kind and two.unit != used.unit), None)
        number = (
            sized(used, other) if one.united else used.figure.low * (Decimal("0.01") if used.kind == "share" else 1)
        )
        numbers[name] = number
        halves[name] = _half(used.figure) * number / used.figure.low if used.figure.low else Decimal(0)
    return numbers, halves


def _half(figure: Figure) -> Decimal:
    """How far the true figure may be from the written one: plain integers and money are exact unless hedged."""
    if figure.hedge:
        return max(figure.half, figure.low * Decimal("0.05"))
    plain = figure.text.strip(" $€£¥").replace(",", "").replace(".", "").isdigit()
    if (figure.sort == "money" and plain) or (plain and figure.low < 1000 and figure.low == int(figure.low)):
        return Decimal(0)
    return min(figure.half, figure.low * Decimal("0.025"))


def _tree(one: Candidate) -> Op | str | Decimal:
    """The expression with the factor between the units of the inputs and of the result."""
    if one.united or not one.names:
        return one.expression
    factor = Decimal(1)
    below = _below(one.expression)
    for name, used in zip(one.names, one.used, strict=True):
        scale = magnitude(used) / (used.figure.low * (Decimal("0.01") if used.kind == "share" else 1))
        factor = factor / scale if name in below else factor * scale
    factor /= magnitude(one.target) / one.target.figure.low
    return one.expression if factor == 1 else Op("*", one.expression, factor)


def _below(tree: Op | str | Decimal) -> set[str]:
    return {tree.right} if isinstance(tree, Op) and tree.sign == "/" and isinstance(tree.right, str) else set()


# ---- statements


def _holds(passage: Passage, within: Scope, found: _Result) -> Statement:
    bound = _BOUNDS.get(found.candidate.target.figure.hedge, "is")
    figure = found.candidate.target.figure
    note, sure = ("", Decimal(1)) if found.exact else ("within the rounding of its figures", Decimal("0.85"))
    if bound != "is" and abs(found.computed - figure.low) > abs(figure.low) / 4:
        note, sure = f"only as a bound: {bound}", Decimal("0.6")
    return _statement(passage, within, found, Outcome("holds", found.computed, note, sure))


def _fails(passage: Passage, within: Scope, found: _Result) -> Statement:
    sentence = within.sentence
    computed = told(round(found.computed, 6), _unit(found.candidate)[0])
    qualified = next(
        (match for match in QUALIFIED.finditer(sentence.text) if "interest-free" not in sentence.text), None
    )
    if qualified is not None and not re.search(r"\b(?:no|not|without)\b", qualified[0]):
        note = f"computed {computed}; the text says “{' '.join(qualified[0].split())}”, and not how much that changes"
        return _statement(passage, within, found, Outcome("needs-assumption", found.computed, note, Decimal("0.7")))
    note, sure = f"computed {computed}", Decimal(1)
    around = passage.mask[max(0, sentence.start - 200) : sentence.end + 200]
    if DISPUTED.search(around):
        note, sure = f"{note}; the text itself seems to dispute a figure here", Decimal("0.5")
    return _statement(passage, within, found, Outcome("refuted", found.computed, note, sure))


def _statement(passage: Passage, within: Scope, found: _Result, outcome: Outcome) -> Statement:
    one = found.candidate
    unit, factor = _unit(one)
    earlier = [used.figure.text.strip() for used in one.used if used.index < within.first]
    note = f"with {', '.join(earlier)}, earlier in the paragraph" if earlier else ""
    outcome = replace(outcome, note="; ".join(part for part in (outcome.note, note) if part))
    reading = Reading(
        start=within.sentence.start,
        end=within.sentence.end,
        rule=f"solver {one.rule}",
        inputs=_inputs(one),
        expression=_formula(one) + factor,
        stated=one.target.figure,
        unit=unit,
        confidence=_confidence(one, earlier=bool(earlier)),
        bound=_BOUNDS.get(one.target.figure.hedge, "is"),
    )
    return statement(reading, passage, outcome)


def _formula(one: Candidate) -> str:
    """The expression in the formula language, in parentheses where a unit follows a sum."""
    tree = _tree(one)
    sums = isinstance(tree, Op) and tree.sign in "+-" and bool(_unit(one)[1])
    return f"({written(tree)})" if sums else written(tree)


def _confidence(one: Candidate, *, earlier: bool) -> Decimal:
    base = min(Decimal("0.97"), Decimal("0.75") + Decimal(str(round(max(0.0, one.score - SURE), 2))) / 10)
    return base - (Decimal("0.15") if earlier else 0)


def _unit(one: Candidate) -> tuple[str, str]:
    """The unit of the result, and what the expression must be multiplied by to have it."""
    target = one.target
    if target.kind in {"share", "points", "ratio"}:
        return {"share": "%", "points": "pp", "ratio": "x"}[target.kind], ""
    if target.kind == "money":
        return target.unit, ""
    unit = target.figure.unit if target.kind in {"unit", "time"} and known(target.figure.unit) else ""
    if unit and (not one.united or any(used.figure.unit != unit and not known(used.figure.unit) for used in one.used)):
        return unit, f" * 1 {unit}"
    return unit, ""


def _inputs(one: Candidate) -> tuple[MinedInput, ...]:
    united = one.united and all(known(used.figure.unit) for used in one.used if used.kind in {"unit", "time"})
    numbers, _ = _numbers(one)
    found = []
    for name, used in zip(one.names, one.used, strict=True):
        figure = used.figure
        unit = (
            used.unit
            if used.kind == "money"
            else "%"
            if used.kind == "share"
            else figure.unit
            if united and used.kind in {"unit", "time"}
            else ""
        )
        number = (
            figure.low
            if unit or not one.united
            else numbers[name] / (used.factor if used.factor == one.target.factor else 1)
        )
        formula = f"{number:f}{'' if unit in {'', '%'} else ' '}{unit}"
        found.append(
            MinedInput(
                name=name,
                formula=formula,
                text=figure.text.strip(),
                value=number,
                unit=unit,
                half=_half(figure),
                hedged=bool(figure.hedge),
            )
        )
    return tuple(found)


# ---- several relations of one sentence


def _distinct(found: Iterable[Solved]) -> Iterator[Solved]:
    """One statement per relation, the best scored; a figure that another relation explains is not refuted."""
    ranked = sorted(
        found,
        key=lambda one: (
            one.statement is None,
            one.statement is not None and one.statement.verdict != "holds",
            -one.candidate.score,
        ),
    )
    kept: list[Solved] = []
    for one in ranked:
        if any(one.key == other.key for other in kept):
            continue
        if one.statement is not None and one.statement.verdict != "holds" and _explained(one, kept):
            continue
        kept.append(one)
    yield from kept


def _explained(one: Solved, kept: list[Solved]) -> bool:
    """Whether the figure is an input of a relation that holds, or its inputs are those of another such figure."""
    used = frozenset(part.figure.start for part in one.candidate.used)
    for other in kept:
        if other.statement is None:
            continue
        theirs = frozenset(part.figure.start for part in other.candidate.used)
        same = other.candidate.rule == one.candidate.rule and used == theirs
        if (other.statement.verdict == "holds" and one.candidate.target.figure.start in theirs) or same:
            return True
        if other.candidate.target.figure.start == one.candidate.target.figure.start:
            return True
        if other.key <= one.key or one.key <= other.key:
            return True
    return False
