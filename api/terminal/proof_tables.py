"""Proofs in a terminal: each figure with its line and a mark under it, and its working."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.services.live_figures import LiveFigure, State
from api.services.proof_models import Proof, ProofItem, ProofVerdict
from api.terminal.figure_text import figure
from compute.mining.mining_models import DOUBTFUL
from compute.mining.statement_notes import without_computed
from graph.problems import Problem, Severity
from graph.text.plain_text import plain_text

STYLES: Mapping[ProofVerdict, str] = {
    "holds": "green",
    "refuted": "red",
    "stale": "yellow",
    "needs-assumption": "magenta",
    "unpriced": "cyan",
}
WIDE = 100
"""The most characters of a line that are shown around a figure."""

_SEVERITIES: Mapping[ProofVerdict, Severity] = {
    "refuted": Severity.ERROR,
    "stale": Severity.WARNING,
    "needs-assumption": Severity.NOTE,
    "unpriced": Severity.NOTE,
}
_STATES: Mapping[State, str] = {
    "current": "green",
    "outdated": "yellow",
    "edited": "red",
    "unknown": "red",
    "no value": "magenta",
    "unclosed": "red",
}


def listing(proofs: Sequence[Proof]) -> RenderableType:
    """The items of each file, and how many figures were checked."""
    parts: list[RenderableType] = []
    for proof in proofs:
        if not proof.read:
            parts += [Text(f"{proof.document}: it cannot be read", style="red")]
            parts += [Padding(Text(problem.render()), (0, 2)) for problem in proof.problems]
        parts += [Padding(_item(item), (0, 0, 1, 0)) for item in proof.items]
    items = [item for proof in proofs for item in proof.items]
    counts = Counter(item.verdict for item in items)
    total = sum(proof.figures for proof in proofs)
    parts.append(Text(f"{total} figures in {len(proofs)} files, {len(items)} checked"))
    told = [(f"  {counts[name]} {name}", style) for name, style in STYLES.items() if counts[name]]
    return Group(*parts, Text.assemble(*told)) if told else Group(*parts)


def _item(item: ProofItem) -> RenderableType:
    head = Text.assemble(
        (f"{item.document}:{item.line}:{item.column}: ", "bold"),
        (item.verdict, STYLES[item.verdict]),
        (f"  {item.kind}, confidence {item.confidence}", "dim"),
    )
    return Group(head, _marked(item), _working(item))


def _marked(item: ProofItem) -> Text:
    """The sentence around the figure, with a caret under each character of it."""
    quote, text = plain_text(item.quote), plain_text(item.text)
    at = max(quote.find(text), 0)
    start = max(0, at - WIDE // 2)
    shown = ("…" if start else "") + quote[start : start + WIDE]
    place = at - start + (1 if start else 0)
    return Text(f"  | {shown}\n  | {' ' * place}{'^' * len(text)}")


def _working(item: ProofItem) -> Text:
    stated = f"  stated {figure(item.stated, item.unit)}"
    computed = f", computed {figure(item.computed, item.unit)}" if item.computed is not None else ""
    given = ", ".join(f"{one.name} {one.formula}" for one in item.inputs)
    working = f"  {item.expression}" + (f"  with {given}" if given else "")
    note = f"\n  {further}" if (further := _note(item)) else ""
    return Text.assemble(stated + computed, (working, "dim"), note)


def _note(item: ProofItem) -> str:
    """The note, without the computed figure where it is shown next to the stated one."""
    return item.note if item.computed is None else without_computed(item.note)


def findings(proofs: Iterable[Proof]) -> Iterator[Problem]:
    """The items that do not hold, as problems with their places."""
    for proof in proofs:
        yield from proof.problems
        for item in proof.items:
            if item.verdict in _SEVERITIES:
                computed = f", computed {figure(item.computed, item.unit)}" if item.computed is not None else ""
                yield Problem(
                    document=item.document, line=item.line, column=item.column, end_column=item.end_column,
                    severity=_severity(item), code=f"figure-{item.verdict}",
                    message=f"{item.text}: stated {figure(item.stated, item.unit)}{computed}",
                    hint=_note(item) or None,
                )  # fmt: skip


def _severity(item: ProofItem) -> Severity:
    doubtful = item.verdict == "refuted" and item.confidence < DOUBTFUL
    return Severity.WARNING if doubtful else _SEVERITIES[item.verdict]


def live(found: Sequence[LiveFigure], *, written: bool) -> RenderableType:
    """The live figures that are not current, and how many there are of each state."""
    parts: list[RenderableType] = []
    for one in found:
        if one.state == "current":
            continue
        state = "written" if written and one.state == "outdated" else one.state
        change = f"{one.text.strip() or '(nothing)'} → {one.now}" if one.state == "outdated" else one.note
        place = f"{one.document}:{one.line}:{one.column}: "
        parts.append(
            Text.assemble(
                (place, "bold"), (state, _STATES[one.state]), f"  {change}", f"  ({one.claim})" if one.claim else ""
            )
        )
    counts = Counter(one.state for one in found)
    told = ", ".join(f"{counts[state]} {state}" for state in _STATES if counts[state])
    parts.append(Text(f"{len(found)} live figures: {told}" if found else "there are no live figures"))
    return Group(*parts)
