"""All claims with their last verdicts, flags and silences, cached until the store changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import NamedTuple, TypeVar

from api.brain import Brain
from api.pages.render.figure_format import factor, printed
from api.pages.render.figure_marks import claim_places
from api.pages.render.verdict_signs import HEALTH, VERDICTS, VerdictSign, sign_name, verdict_sign
from compute.figures.figure_models import Figure
from compute.figures.figure_reader import figures
from compute.impact.note_health import Health, HealthState
from compute.record.life_models import LifeLine, LifeMove, LifeState
from compute.reports.report_model import SOURCE_WRONG
from compute.runs.flag_rules import FAULTS, silence_of, visible
from compute.units.unit_table import IN_WORDS
from graph.groups import group_by
from graph.models.alert_models import Acknowledgement, Flag, Silence
from graph.models.claim_models import Claim, ClaimSeverity, Stance, VerdictName
from graph.models.node_models import Node
from graph.models.verdict_models import QuoteAnchor, Run, Verdict, VerdictRow
from graph.store.store_errors import UnknownClaimError
from graph.text.code_blocks import verbatim_masked
from graph.text.quote_anchor import figures_of

_LONG = re.compile(r"(?<![\w.,/])(?:\d{4,}(?= [A-Za-z])|\d{5,}(?![\w.,]))")
_COUNTED = re.compile(rf"(?<![\w.,])([\d.,]+[kMBT]?) (?:{'|'.join(sorted(IN_WORDS))})(?![A-Za-z_])")
_SCALED = re.compile(r"(?<![\w.,])(\d{1,3}(?=[kM])|\d+(?:\.\d+)?(?=[BT]))([kMBT])(?!\w)")
_SCALES = {"k": ",000", "M": ",000,000", "B": " billion", "T": " trillion"}
AHEAD = timedelta(days=400)  # how far ahead the table looks for prices that are already known

LONG_TEXT = 20_000  # characters of a text whose figures are not counted
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with its visible `verdict`; `checked` is False if that is an old one."""

    claim: Claim
    row: VerdictRow | None
    verdict: VerdictName | None
    checked: bool = True
    flag: Flag | None = None
    silence: Silence | None = None
    acknowledged: Acknowledgement | None = None
    explain: Callable[[str], Verdict] | None = field(default=None, repr=False, compare=False)

    @property
    def expected(self) -> str:
        """What it expects; a bound that is looked up as the run found it."""
        names, expect = {name for name, _ in self.claim.given}, self.claim.expect
        if self.explain and self.row and names.intersection((expect.bound, expect.upper)):
            return printed(self.explain(self.claim.id).expected)
        return printed(expectation_text(self.claim))

    @property
    def brain(self) -> str:
        """The brain of the node that asserts it."""
        return self.claim.node.partition("/")[0]

    @property
    def state(self) -> str:
        """The key of its sign in `VERDICTS`; empty before the first run."""
        return sign_name(self.verdict, self.claim)

    @property
    def sign(self) -> VerdictSign:
        """How its verdict is shown."""
        return verdict_sign(self.verdict, self.claim)

    @property
    def calm(self) -> bool:
        """Whether it asks nothing of the author."""
        return is_calm(self.state, self.claim)

    @property
    def gravity(self) -> tuple[int, int, int, Decimal, str]:
        """Sort key, most severe first, of refuted ones the largest error; what is calm comes last."""
        severity, refuted = SEVERITY_ORDER.index(self.claim.severity), self.verdict is VerdictName.REFUTED
        error = factor(self.expected, self.row.value) if refuted and self.row else Decimal(0)
        rank = len(SEVERITY_ORDER) if self.calm else severity
        return rank, state_order(self.state), severity, -error, self.claim.id

    @property
    def room(self) -> Decimal | None:
        """The margin as a share of the value, if it holds."""
        if self.row is None or self.verdict is not VerdictName.HOLDS or self.row.margin is None:
            return None
        return self.row.margin / abs(self.row.value) if self.row.value else self.row.margin


class ClaimTable(NamedTuple):
    """All rows by claim id, their run and the one before."""

    lines: Mapping[str, ClaimRow]
    run: Run | None
    before: Run | None
    by_node: Mapping[str, Sequence[ClaimRow]]


class PageContext:
    """The brain, with a cache for what pages often ask."""

    def __init__(self, brain: Brain) -> None:
        self.brain = brain
        self._kept, self._marks = self.brain.cache(256), self.brain.cache(10_000)

    def recall(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, remembered until anything is written."""
        return self._kept.get(key, make)

    def claim_table(self) -> ClaimTable:
        """The claim table of the last run."""
        return self.recall("claim_table", self._claim_table)

    def claim_row(self, name: str) -> ClaimRow:
        """A row of the claim table. Raises UnknownClaimError."""
        found = self.claim_table().lines.get(name)
        if found is None:
            raise UnknownClaimError(name)
        return found

    def _claim_table(self) -> ClaimTable:
        run = self.brain.status.latest()
        lines = {line.claim.id: line for line in self._lines(self.brain.status.rows(), run)}
        before = self.brain.ledger.latest_run(before=run) if run else None
        ordered = sorted(lines.values(), key=lambda line: line.gravity)
        by_node = group_by(ordered, lambda line: line.claim.node)
        return ClaimTable(lines=lines, run=run, before=before, by_node=by_node)

    def _lines(self, rows: Mapping[str, VerdictRow], run: Run | None) -> Iterable[ClaimRow]:
        flags = self.brain.alerts.flags(over=False)
        faults = {flag.claim: flag for flag in flags if flag.standing and flag.verdict in FAULTS}
        of_claim = {flag.claim: flag for flag in sorted(flags, key=lambda flag: flag.standing)}
        silences = [one for one in self.brain.alerts.silences() if one.flags is None]
        seen = self.brain.status.acknowledgements.active(run.as_of) if run else {}
        explain = partial(self.explain, on=run.as_of) if run else None
        for claim in self.brain.status.claims():
            row = rows.get(claim.id)
            verdict, checked = visible(row, faults) if row else (None, True)
            flag = of_claim.get(claim.id)
            silence = silence_of(claim.id, claim, silences, run.as_of) if run else None
            yield ClaimRow(claim, row, verdict, checked, flag, silence, seen.get(claim.id), explain)

    def health(self, node: str) -> Health:
        """The health of a node that is known to be there."""
        return self.brain.status.healths().get(node) or Health(node=node, state=HealthState.UNCHECKED)

    def signs(self) -> Callable[[str], VerdictSign]:
        """The sign of a node's health, by its id."""
        healths, own = self.brain.status.healths(), self.claim_table().by_node

        def sign(node: str) -> VerdictSign:
            state = healths.state(node)
            if state is HealthState.WEAKENED and not healths.doubted(node):
                return HEALTH["out-of-date"]
            return HEALTH["by-links" if state is HealthState.SOUND and node not in own else state]

        return sign

    def mark(self, node: str) -> VerdictSign:
        """The same, of a sound node with claims with the counts of its figures and of the source errors in it."""
        sign = self.signs()(node)
        return self._marks.get(node, lambda: self._sound(node)) if sign is HEALTH[HealthState.SOUND] else sign

    def _sound(self, node: str) -> VerdictSign:
        sign, found = HEALTH[HealthState.SOUND], [*self.figures(self.brain.nodes.get(node)).values()]
        own = {row.claim.id: row.state for row in self.claim_table().by_node[node]}
        counts = counted(found) or counted(own.values())
        errors = sum(not own.keys().isdisjoint(one.claims) for one in self.brain.reports.errata().items)
        shown = sign if VerdictName.HOLDS in dict(counts) else VERDICTS[SOURCE_WRONG]
        css = f"{shown.css} {'pale' if 2 * found.count('') > len(found) else ''}"
        return sign._replace(counts=(*counts, ("", found.count("")), ("errors", errors)), css=css)

    def anchors(self, node: str) -> dict[str, QuoteAnchor]:
        """Places of the quotes of a node's claims, without passages whose figures differ."""
        rows = self.claim_table().by_node.get(node, ())
        return {
            claim.id: anchor
            for claim, anchor in ((row.claim, self.brain.quotes.anchor(row.claim)) for row in rows)
            if anchor and (anchor.exact or figures_of(anchor.text) == figures_of(claim.quote or ""))
        }

    def figures(self, node: Node) -> dict[Figure, str]:
        """The figures of a text (none of a long one), each with the gravest state of claims on it; empty for none."""
        return self.recall(("figures", node.id), lambda: self._figures(node)) if len(node.body) <= LONG_TEXT else {}

    def _figures(self, node: Node) -> dict[Figure, str]:
        rows = self.claim_table().by_node.get(node.id, ())
        quoted = {name: (anchor.start, anchor.end) for name, anchor in self.anchors(node.id).items()}
        known = {row.claim.id: row.row for row in rows if row.row}
        places = claim_places(node.body, (row.claim for row in rows), None, quoted, known)
        spans = [(*places[row.claim.id], row.state or "unseen") for row in rows if row.claim.id in places]
        every = figures(verbatim_masked(node.body))
        return {one: next((s for start, end, s in spans if start < one.end and one.start < end), "") for one in every}

    def causes(
        self, rows: Iterable[ClaimRow], today: date, lives: Mapping[str, LifeLine] | None = None
    ) -> dict[str, tuple[LifeMove, ...]]:
        """By stale claim what moved on the day on which it last failed; `lives` are known life lines of the rows."""
        stale = [row.claim.id for row in rows if row.state == VerdictName.STALE]
        known = self.brain.record.lives_of(stale, today) if lives is None else lives
        turns = ((name, turn) for name in stale if name in known for turn in known[name].turns if turn.day <= today)
        return {name: turn.moves for name, turn in turns if turn.after is LifeState.FAILED}

    def explain(self, claim: str, on: date) -> Verdict:
        """A verdict with its working. Raises UnknownClaimError."""
        return self.recall(("explain", claim, on), lambda: self.brain.evaluator.explain(claim, on))


CALM = frozenset({SOURCE_WRONG, VerdictName.HOLDS.value, ""})  # verdicts of claims that ask nothing of the author


def is_calm(state: str, claim: Claim | None) -> bool:
    """True if the author need not act: one of `CALM`, or a disputed figure."""
    disputed = state == VerdictName.STALE and claim is not None and claim.stance is Stance.DISPUTES
    return state in CALM or disputed


SEVERITY_ORDER = tuple(reversed(ClaimSeverity))
SEVERITIES = {"critical": "critical", "warning": "important", "info": "minor"}


def state_order(state: str) -> int:
    """The rank of a key of `VERDICTS` by gravity; none comes last."""
    names = list(VERDICTS)
    return names.index(state) if state in VERDICTS else len(names)


def counted(states: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """How many there are of each key of `VERDICTS`, most severe first."""
    found = Counter(states)
    return tuple((name, found[name]) for name in VERDICTS if found[name])


def expectation_text(claim: Claim) -> str:
    """What a claim expects, in words; names of figures as figures."""
    given = dict(claim.given)
    return re.sub(r"(?<=\d)x\b", "×", claim.expect.text(lambda bound: _spoken(bound, given)))


def _spoken(bound: str, given: Mapping[str, str]) -> str:
    """A bound in print: `65_536` → `65,536`, `month_730h` → `month`, `-2` → `−2`."""
    text = given[bound] if re.fullmatch(r"\d[\d_.,]*+\s?[\w%/]*+", given.get(bound, "")) else bound
    text = re.sub(r"(?<=\d)_(?=\d)", ",", re.sub(r"\bmonth_730h\b", "month", text))
    text = _COUNTED.sub(lambda found: found[0] if found[1] == "1" else f"{found[0]}s", text)
    text = _SCALED.sub(lambda found: found[1] + _SCALES[found[2]], text)
    return printed(_LONG.sub(lambda found: f"{int(found[0]):,}", text))
