"""The solver: which relation each figure of a sentence claims, and whether it holds.

sentence ─▶ quantities ─▶ candidates, weighed by words and places ─▶ the likely ones are judged ─▶ statements

Whether a figure claims a relation is decided before anything is computed, so that a wrong figure is not overlooked. If
a reading that is not far-fetched holds, the figure is not refuted.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from compute.mining.accusation_measures import Measures
from compute.mining.accusation_trees import confidence as accusation_confidence
from compute.mining.accusation_trees import learned as accusation_trees
from compute.mining.accusations import Opinion, figures_of
from compute.mining.accused_figures import accused
from compute.mining.claim_cues import NEGATED, has
from compute.mining.claim_judging import Result, failed, holding, result
from compute.mining.claim_model import learned, weighed
from compute.mining.claim_reader import Ranked, Reranker
from compute.mining.claim_scopes import Candidate, Scope, scope
from compute.mining.excluded_readings import without_excluded
from compute.mining.given_figures import STACKED, named_rules
from compute.mining.mining_models import DOUBTFUL, Passage, Statement
from compute.mining.misreadings import CHANGES, has_change, other_tokens
from compute.mining.number_words import word_set
from compute.mining.outright_claims import OUTRIGHT, is_clear, is_outright, raised
from compute.mining.quantities import Quantity, Sentence, sentences
from compute.mining.reading_progress import report
from compute.mining.readings import ROUGH
from compute.mining.share_readings import PARTS
from compute.mining.small_expressions import EARLIER

REFUTED = Decimal("0.36")
"""The confidence from which it is refuted."""
ASSUMED = Decimal("0.2")
"""The confidence from which it needs an assumption, if the text names something that would change it."""
SAVED = 0.002
"""The probability from which a relation that fits saves a figure from being refuted."""
_One = tuple[Opinion, ...]
LONGEST_LIST = 12
"""How many sentences before a total may be its items."""
MOST = 16
"""The figures above which a scope is not made wider."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A judged relation: its candidate, the statement, and whether a weaker reading silenced it (no statement).

    `concluded` says that words draw the figure as a conclusion: *so 2,024 were left*.
    """

    candidate: Candidate
    statement: Statement | None
    saved: bool = False
    concluded: bool = False

    @property
    def inputs(self) -> frozenset[int]:
        """The offsets of the inputs."""
        return frozenset(one.figure.start for one in self.candidate.used)

    @property
    def key(self) -> frozenset[int]:
        """The offsets of all figures of the relation."""
        return figures_of(self.candidate)


@lru_cache(maxsize=1024)
def solved(passage: Passage) -> tuple[Solved, ...]:
    """The relations that the sentences of a passage claim, judged, in text order.

    No price and no day changes them, so a text that is asked for on another day is not read again.
    """
    found: list[Solved] = []
    for before, here, after in _neighbours(opinions(passage)):
        found += _distinct(one for view in here for one in _judged(passage, view, (*before, *here, *after)))
    return tuple(sorted(_unrepeated(found), key=lambda one: one.candidate.target.figure.start))


def opinions(passage: Passage) -> Iterator[tuple[Opinion, ...]]:
    """What each sentence of a passage that has figures says of them, in text order."""
    every = [sentence for sentence in sentences(passage) if prose(sentence)]
    before: deque[Quantity] = deque(maxlen=EARLIER)
    scopes = [wide(every, place) for place in range(len(every))]
    reranker = Reranker(passage, scopes)
    sizes: dict[int, float] = {}
    for place, within in enumerate(scopes):
        report(place, len(scopes))
        before.extend(every[place].quantities)
        earlier = (*before,)
        found = ((target, weighed(within, target, learned())) for target in within.targets)
        views = (
            (_opinion(within, target, reranker.rerank(place, target, ranked), earlier), ranked)
            for target, ranked in found
            if ranked
        )
        yield _ranked([replace(view, cued=(*ranked,)) for view, ranked in views if view is not None], sizes)


def _ranked(views: Sequence[Opinion], sizes: dict[int, float]) -> tuple[Opinion, ...]:
    """The opinions of a sentence, each with the figures that claim more: of 120, 45, so 165, the last is the result.

    `sizes` is how much the figures of earlier sentences claim; those of this one are added.
    """
    sizes |= {view.target.figure.start: view.claimed + view.likely for view in views}
    return tuple(replace(view, likelier=_likelier(view, sizes)) for view in views)


def _likelier(view: Opinion, sizes: Mapping[int, float]) -> frozenset[int]:
    own = sizes[view.target.figure.start]
    starts = (one.figure.start for one in view.within.quantities)
    return frozenset(start for start in starts if sizes.get(start, 0.0) > own)


def accusations(passage: Passage) -> Iterator[tuple[Result, Measures]]:
    """The relations of a passage that are likely claimed and do not give their figure, with their measures."""
    for before, here, after in _neighbours(opinions(passage)):
        for view in here:
            if (found := accused(passage, view, (*before, *here, *after))) is not None:
                yield found.best, found.measures


def _neighbours(found: Iterator[_One]) -> Iterator[tuple[_One, _One, _One]]:
    """Each of some tuples with the one before and the one after it; both may be empty."""
    before: _One = ()
    here = next(found, None)
    while here is not None:
        after = next(found, None)
        yield before, here, after or ()
        before, here = here, after


def _unrepeated(found: list[Solved]) -> Iterator[Solved]:
    """The relations; no figure is refuted by inputs from which another figure, or a nearer one, already follows.

    Of relations of the same figures that hold, the surest is kept: a price times a number, and a total by that number.
    """
    holds = [one for one in found if one.statement and one.statement.verdict == "holds" and one.inputs]
    used = {(one.candidate.rule, one.inputs) for one in holds}
    surest = {one.key: one for one in sorted(holds, key=_rank, reverse=True)}
    nearest: dict[frozenset[int], int] = {}
    for one in holds:
        nearest[one.inputs] = min(_distance(one), nearest.get(one.inputs, _distance(one)))
    for one in _not_of_accused(found):
        repeated = (one.candidate.rule, one.inputs) in used or _distance(one) > nearest.get(one.inputs, _distance(one))
        if one.statement is None or (
            surest.get(one.key, one) is one if one.statement.verdict == "holds" else not repeated
        ):
            yield one


def _not_of_accused(found: list[Solved]) -> Iterator[Solved]:
    """The relations without accusations by a figure that is itself more surely accused."""
    accused = {
        one.candidate.target.figure.start: one.statement.confidence
        for one in found
        if one.statement is not None and one.statement.verdict == "refuted"
    }
    for one in found:
        told = one.statement
        if (
            told is None
            or told.verdict != "refuted"
            or all(accused.get(start, told.confidence) <= told.confidence for start in one.inputs)
        ):
            yield one


def _distance(one: Solved) -> int:
    """How many characters lie between a target and the nearest of its inputs."""
    target = one.candidate.target.figure.start
    return min((abs(target - start) for start in one.inputs), default=0)


def wide(every: Sequence[Sentence], place: int) -> Scope:
    """A sentence with those before it, and the next one, if they are near and have few figures."""
    count = len(every[place].quantities)
    first = last = place
    while first and place - first < LONGEST_LIST and count + len(every[first - 1].quantities) <= MOST:
        if every[first].opens and not _joined(every, first, place):
            break
        first -= 1
        count += len(every[first].quantities)
    if last + 1 < len(every) and not every[last + 1].opens and count + len(every[last + 1].quantities) <= MOST:
        last += 1
    return scope(every[first : last + 1], place - first)


def _joined(every: Sequence[Sentence], first: int, place: int) -> bool:
    """Whether a paragraph may speak of the sentence before it: it follows at once, and farther ones are items."""
    near = every[first].start - every[first - 1].end <= 3
    return near and (place - first < 2 or len(every[first - 1].quantities) == 1)


def prose(sentence: Sentence) -> bool:
    """Whether a sentence is made of words: no line of a log, a listing of units or an assignment."""
    tokens = sentence.words
    signs = sum(not token[0].isalnum() and token not in _PLAIN for token in tokens)
    return signs <= 2 + len(tokens) // 6 and not _ASSIGNED.search(sentence.text)


_PLAIN = frozenset(",.;:()—–-%$€£\"'“”’‘→=+*/?!−×")
_ASSIGNED = re.compile(
    r"\b[a-z]+_[a-z_]+\b|^\s*#\s*\w+ *=|\w\(\)|[{}]|<(?=\S)|(?<=[^\s=-])>|^\s*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\[)",
    re.M,
)


def equated(within: Scope) -> bool:
    """Whether a sentence has an equation with operators, which is read as it is written."""
    gaps = within.gaps[within.first + 1 : within.last]
    return any(len(gap) < 3 and has(gap, _OPERATORS) and not has(gap, {"$"}) for gap in gaps) and any(
        has(gap, {"=", "≈"}) for gap in gaps
    )


_OPERATORS = frozenset({"×", "*", "÷", "/", "·", "x", "+"})


# ---- judging


def _opinion(within: Scope, target: Quantity, ranked: Ranked, earlier: tuple[Quantity, ...]) -> Opinion | None:
    if equated(within):
        ranked = [pair for pair in ranked if pair[0].rule == "chain"]
    read, ranked = ranked, without_excluded(within, raised(within, target, ranked))
    unnamed: list[Result] = []
    if not ranked or has(within.left(target)[-5:], NEGATED):
        return None
    stacked = ranked[0][0].rule in STACKED
    likely = (one for one, chance in ranked if chance >= OUTRIGHT)
    outright = next((_inputs_of(one) for one in likely if is_outright(within, one)), frozenset())
    every = ((result(one), chance) for one, chance in ranked if chance >= SAVED / 4)
    found = [
        (judged, chance)
        for judged, chance in every
        if judged is not None and (_of_its_size(judged) or not judged.exact)
    ]
    fits = [(judged, chance) for judged, chance in found if judged.exact or (judged.near and chance > SAVED * 10)]
    fits = [pair for pair in fits if not (stacked and pair[0].candidate.rule == "sum")]
    fits = [pair for pair in fits if not other_tokens(within, pair[0].candidate)]
    fits = [pair for pair in fits if not _inputs_of(pair[0].candidate) < outright]  # three of four items are no total
    named = named_rules(within, target)
    if len(named) == 1:  # a cut of 50%, from 90 to 60: that it is a rise from 60 to 90 does not save it, nor two parts
        changes = (one for one, _ in ranked if one.rule in named and not has_change(within, one))
        ends = {_inputs_of(one) for one in changes}
        others = CHANGES.keys() - named
        found = [pair for pair in found if not (pair[0].near and pair[0].candidate.rule in others)]
        unnamed = [one for one, _ in fits if one.candidate.rule in others or _of_ends(one.candidate, ends)]
        fits = [pair for pair in fits if pair[0] not in unnamed]
    wrong = tuple(pair for pair in found if not pair[0].near)
    near = sum(chance for judged, chance in found if judged.near)
    mistakes = frozenset(_inputs_of(one.candidate) for one in (*_mistakes(read, ranked), *unnamed) if one.exact)
    return Opinion(within, target, tuple(fits), wrong, near, earlier, mistakes=mistakes)


def _of_ends(one: Candidate, ends: Set[frozenset[int]]) -> bool:
    """Whether a relation is the share that is left of a change whose figures these are."""
    return one.rule in PARTS and _inputs_of(one) in ends


def _mistakes(read: Ranked, kept: Ranked) -> Iterator[Result]:
    """The results of relations that words exclude, of which a figure may be one: the usual mistakes."""
    left = {id(one) for one, _ in kept}
    dropped = (one for one, chance in read if id(one) not in left and chance >= LIKELY)
    yield from (judged for one in dropped if (judged := result(one)) is not None)


LIKELY = 0.0005
"""The probability, as read, of a relation that is a usual mistake where words exclude it."""


def _inputs_of(one: Candidate) -> frozenset[int]:
    return frozenset(part.index for part in one.used)


def _judged(passage: Passage, view: Opinion, around: Sequence[Opinion]) -> Iterator[Solved]:
    within = view.within
    if view.holds:
        best = view.best
        statement = holding(passage, within, best, confidence(view.likely)) if _comparable(best) else None
        yield Solved(best.candidate, statement, saved=statement is None)
        return
    if (found := accused(passage, view, around)) is not None:
        sure = accusation_confidence(accusation_trees().score(found.measures))
        if (view.mistaken(found.best.candidate) or is_clear(within, found.best.candidate)) and not found.other_readings:
            sure = max(sure, DOUBTFUL)
        statement = failed(passage, within, found.best, sure)
        if sure >= (REFUTED if statement.verdict == "refuted" else ASSUMED):
            yield Solved(found.best.candidate, statement, concluded=has(within.before(view.target), CONCLUDING))
            return
    if view.likely >= SAVED:
        yield Solved(view.fits[0][0].candidate, None, saved=True)


def _comparable(found: Result) -> bool:
    """Whether what was computed is of the size of the figure: 3 is at most 250, and says nothing of it, nor does −36.

    Of inputs as rough as 4% and 5% a rise of 25% follows, and 36% as well: neither holds, and neither is wrong.
    """
    figure, computed = found.candidate.target.figure, found.computed
    if found.exact:
        return _of_its_size(found)
    return figure.low * (1 - ROUGH) <= computed + figure.half and computed - figure.half <= figure.high * (1 + ROUGH)


def _of_its_size(found: Result) -> bool:
    """Whether what was computed is of the size of a bound: 2,184 says nothing of 50.5 or more."""
    low = found.candidate.target.figure.low
    return low / FEW <= found.computed <= low * FEW


FEW = 2
"""How many times as much as a bound what was computed may be, or as little, so that the bound says something of it."""


def confidence(chance: float) -> Decimal:
    """The confidence of a figure that holds, from the probability that the text claims it."""
    return Decimal(str(round(min(0.97, 0.55 + 0.42 * chance), 2)))


# ---- several relations of one sentence


def _distinct(found: Iterable[Solved]) -> Iterator[Solved]:
    """One statement per relation, the best scored; a figure that another relation explains is not refuted."""
    every = [*found]
    ranked = [*_conclusions_first(sorted((one for one in every if not _outweighed(one, every)), key=_rank))]
    kept: list[Solved] = []
    for one in ranked:
        if any(one.key == other.key for other in kept):
            continue
        if one.statement is not None and one.statement.verdict != "holds" and _explained(one, kept):
            continue
        kept.append(one)
    yield from kept


def _conclusions_first(ranked: Sequence[Solved]) -> Iterator[Solved]:
    """Relations in their order; of accusations of the same figures, that of the one which words draw from the rest."""
    drawn = {one.key: one for one in reversed(ranked) if one.concluded}
    for one in ranked:
        told = one.statement is not None and one.statement.verdict == "refuted"
        if not told or drawn.get(one.key, one) is one:
            yield one


CONCLUDING = word_set("so thus hence therefore consequently accordingly means meaning leaving leaves makes making")
"""Words before a figure that is drawn from others."""


def _outweighed(one: Solved, every: Sequence[Solved]) -> bool:
    """Whether a relation that hardly anything claims is of figures of which a surer accusation says more."""
    own = one.statement
    if own is None or own.verdict != "holds" or own.confidence > HARDLY:
        return False
    others = ((other.key, other.statement) for other in every if other.statement is not None)
    return any(
        one.key <= key and told.verdict == "refuted" and told.confidence > own.confidence for key, told in others
    )


HARDLY = Decimal("0.57")
"""The confidence of a figure that holds up to which hardly anything but its digits says so."""


def _rank(one: Solved) -> tuple[int, Decimal, bool, Decimal]:
    """What holds comes first, then accusations, the surest first; of about equally sure ones those of shares."""
    if one.statement is None:
        return 2, Decimal(0), False, Decimal(0)
    sure, holds = one.statement.confidence, one.statement.verdict == "holds"
    derived = one.candidate.target.kind in {"share", "ratio"}
    return int(not holds), -(sure if holds else round(sure, 1)), not derived, -sure


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
