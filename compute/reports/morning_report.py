"""The morning report: prices first, then the audit of sources; on request every claim by verdict.

Each claim is reported once: what changed is not repeated as coming, fragile or an erratum.

    Prices              what changed since the run before; what will change, and when; what is fragile; what is near
    Audit of sources    errata when they are new, after that as a count; sources that answer in place of others
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import Field

from compute.prices.data_freshness import AgedInput, Freshness, grouped
from compute.reports import report_document
from compute.reports.errata import Errata, Erratum, errata
from compute.reports.report_document import Block, Heading, Item, Line, Paragraph, Words, paragraphs, section
from compute.reports.report_model import ORDER, FragileClaim, NearestChange, Report, ReportEntry, figure, verdict_counts
from compute.units.number_format import said
from graph.groups import group_by
from graph.models.claim_models import Cause, Claim, Speaker, Stance, VerdictName
from graph.models.verdict_models import VerdictChange
from graph.text.counts import few, many
from graph.values import Value

MOST_LISTED = 3  # coming, fragile and near claims, and errata of a first report
FIRST_LISTED = 1  # coming and fragile claims of a first report, which also has the most severe failing claims
MOST_AGED = 3  # inputs that were checked too long ago
MOST_UNPLACED = 10  # claims without a note

CAUSES: Mapping[Cause, str] = {
    Cause.MISCALCULATED: "miscalculated",
    Cause.CONTRADICTED: "contradicted by a dated source",
    Cause.PRICE_MOVED: "a price moved",
    Cause.FAMILY_MOVED: "a family moved",
    Cause.SOURCE_CHANGED: "another source answers",
    Cause.SOURCES_DIFFER: "sources differ",
    Cause.FORECAST_MISSED: "the forecast was missed",
    Cause.THEN_UNKNOWN: "whether it was ever true is not known",
}
MOVES = frozenset({Cause.PRICE_MOVED, Cause.FAMILY_MOVED})
"""Causes that are changes of prices, also for a claim that became refuted."""

EFFECTS = {True: "helps the thesis", False: "hurts the thesis"}

STANDING = (
    VerdictName.STALE, VerdictName.DEPENDS, VerdictName.CONFLICTING, VerdictName.ERROR, VerdictName.UNVERIFIABLE,
)  # fmt: skip
"""Verdicts other than refuted that need attention; one that stays is counted, not listed."""


class ChangedClaim(Value):
    """A claim that changed, and its `later` changes to come."""

    change: VerdictChange
    expected: str = ""
    later: tuple[VerdictChange, ...] = ()

    @property
    def figures(self) -> str:
        """The values before and after; nothing for a comparison."""
        return "" if self.expected in {"true", "false"} else figures(self.change)

    @property
    def facts(self) -> str:
        """Figures, margin, cause, effect on the thesis and later changes, as far as known."""
        return ", ".join(filter(None, (self.figures, *remarks(self.change), after_that(self.later))))


class Morning(Value):
    """The content of a report; `failing` is for a first report and for trials, `added` counts new claims."""

    first: bool
    failing: tuple[ReportEntry, ...] = ()
    turned: tuple[ChangedClaim, ...] = ()
    switched: tuple[ChangedClaim, ...] = ()
    added: dict[str, int] = Field(default_factory=dict)
    coming: tuple[ChangedClaim, ...] = ()
    fragile: tuple[FragileClaim, ...] = ()
    near: tuple[NearestChange, ...] = ()
    news: tuple[Erratum, ...] = ()
    errata: Errata
    standing: dict[str, int] = Field(default_factory=dict)


def morning(report: Report) -> Morning:
    """The content of the report of a run, each claim once."""
    found = errata(report.entries)
    news = found.items[:MOST_LISTED] if report.first else tuple(_news(report, found))
    listed = {claim for one in news for claim in one.claims}
    failing = _failing(report) if report.first or not report.run.id else ()
    listed |= {entry.claim.id for entry in failing}
    turned = [one for one in _changed_claims(report) if one.change.claim not in listed]
    listed |= {one.change.claim for one in turned}
    by_claim = group_by(report.coming, lambda change: change.claim)
    turns = (ChangedClaim(change=first, later=tuple(rest)) for first, *rest in by_claim.values())
    coming = tuple(one for one in turns if one.change.claim not in listed)
    listed |= {one.change.claim for one in coming}
    fragile = tuple(one for one in report.fragile if one.entry.claim.id not in listed)
    listed |= {one.entry.claim.id for one in fragile}
    return Morning(
        first=report.first,
        failing=failing,
        turned=tuple(one for one in turned if one.change.cause is not Cause.SOURCE_CHANGED),
        switched=tuple(one for one in turned if one.change.cause is Cause.SOURCE_CHANGED),
        added=_added(report, turned),
        coming=coming,
        fragile=fragile,
        near=tuple(one for one in report.near if one.claim not in listed),
        news=news,
        errata=found,
        standing={name.value: count for name in STANDING if (count := report.counts.get(name, 0))},
    )


def _news(report: Report, found: Errata) -> Iterable[Erratum]:
    """The errata that no earlier run found; a new claim on a known error is no news."""
    known, before = set(report.known), {change.claim: change.before for change in report.changes}
    turned = (one for one in report.changes if one.after is VerdictName.REFUTED and one.cause not in MOVES)
    fresh = {change.claim for change in turned} - known
    for one in found.items:
        seen = fresh.intersection(one.claims)
        changed = any(before[claim] is not None for claim in seen)
        if seen and (changed or len(seen) == len(one.claims)):
            yield one


def _failing(report: Report) -> tuple[ReportEntry, ...]:
    """The most severe unchanged stale claims whose notes do not dispute the figures."""
    left_out = {change.claim for change in report.changes}
    left_out |= {entry.claim.id for entry in report.entries if entry.claim.stance is Stance.DISPUTES}
    stale = (entry for entry in report.of(VerdictName.STALE) if entry.claim.id not in left_out)
    return tuple(sorted(stale, key=lambda entry: (*entry.order, entry.claim.id))[:MOST_LISTED])


def _changed_claims(report: Report) -> Iterable[ChangedClaim]:
    """Changes of earlier claims, and new claims that neither hold nor are refuted."""
    expectations = {entry.claim.id: entry.expectation_text for entry in report.entries}
    later = group_by(report.coming, lambda change: change.claim)
    for change in sorted(report.changes, key=lambda one: one.cause is Cause.THEN_UNKNOWN):
        if change.before or change.after not in {None, VerdictName.HOLDS, VerdictName.REFUTED}:
            claim = change.claim
            yield ChangedClaim(change=change, expected=expectations.get(claim, ""), later=tuple(later.get(claim, ())))


def _added(report: Report, turned: Iterable[ChangedClaim]) -> dict[str, int]:
    listed = {one.change.claim for one in turned}
    new = (change for change in report.changes if not change.before and change.claim not in listed)
    stances = {entry.claim.id: entry.claim.stance for entry in report.entries}
    return verdict_counts((change.after, stances.get(change.claim)) for change in new if change.after)


def figures(change: VerdictChange) -> str:
    """The values before and after, `95% → 97.5%`; one value if equal or the claim is new."""
    before, after = (None if value is None else said(value, change.unit) for value in (
        change.value_before, change.value_after,
    ))  # fmt: skip
    if before is None or before == after:
        return after or "no value"
    return f"{before} → {after or 'no value'}"


def remarks(change: VerdictChange) -> list[str]:
    """Margin, cause and effect on the thesis of a change, as far as known."""
    unit = change.unit.replace("%", "pp")
    known = [] if change.margin is None else [f"margin {said(change.margin, unit)}"]
    known += [CAUSES[change.cause]] if change.cause else []
    known += ["a price was corrected"] if change.corrected else []
    return known + ([EFFECTS[change.helps_thesis]] if change.helps_thesis is not None else [])


def change_facts(change: VerdictChange) -> str:
    """Figures, margin, cause and effect on the thesis of a change, as far as known."""
    return ", ".join([*([] if change.value_after is None else [figures(change)]), *remarks(change)])


def after_that(later: Iterable[VerdictChange]) -> str:
    """The changes of a claim that follow: `then holds on 2027-01-01`."""
    return ", ".join(f"then {one.after.value} on {one.on}" for one in later if one.after and one.on)


SPEAKERS = {
    Speaker.SOURCE: "stated by a source",
    Speaker.AUTHOR: "stated by the author",
    Speaker.NOBODY: "a check that no one states",
}


def computed(one: Erratum) -> str:
    """The stated figure without its tolerance, and the computed one: `stated 23×, computed 16×`."""
    value = "no value" if one.computed is None else said(one.computed, one.unit)
    verb = "expected" if one.stated.startswith("the same as ") else "stated"
    return f"{verb} {one.stated.partition(' ± ')[0] or 'otherwise'}, computed {value}"


def whose(one: Erratum) -> str:
    """Who states the figure of an erratum, the node's stance, and why it is wrong."""
    parts = [SPEAKERS[one.asserted_by]]
    parts += {"disputes": ["disputed by the node"], "reports": ["reported by the node"]}.get(one.stance.value, [])
    parts += [CAUSES[one.cause]] if one.cause else []
    return ", ".join(parts + ([f"found by {len(one.claims)} claims"] if len(one.claims) > 1 else []))


def total(found: Errata, news: int, *, first: bool = False) -> str:
    """How many figures do not add up and are new, and the command that lists them."""
    wrong, differing = len(found.items), len(found.contradictions)
    differ = f"; texts differ on {many(differing, 'figure')}" if differing else ""
    if not wrong:
        return f"No figure of a source is wrong{differ}."
    fresh = "" if first else f", {news or 'none'} of them new"
    verb = "figures of sources do" if wrong != 1 else "figure of a source does"
    return f"{wrong:,} {verb} not add up{fresh}{differ}: brain errata lists them."


def fragility(one: FragileClaim) -> str:
    """How fragile a claim is: `60.8% now, holds in 13% of its ranges; the input rent matters most`."""
    row = one.entry.row
    value = "" if row.value is None else f"{said(row.value, row.unit)} now, "
    most = f"; the input {one.input} matters most" if one.input else ""
    return f"{value}holds in {said(round(one.share * 100, 1), '%')} of its ranges{most}"


def unchanged(report: Report, found: Morning) -> str:
    """The verdicts that fail as before, with the command that lists them."""
    still = ", ".join(f"{count} {name}" for name, count in found.standing.items())
    listed = f"{still} (brain claims --verdict {next(iter(found.standing))})" if still else ""
    since = f" since run {report.before.id} for {report.before.as_of}" if report.before else ""
    nothing = "" if found.turned else f"Nothing changed{since}. "
    if found.first:
        none = "earlier run to compare with" if report.run.id else "run yet to compare with: brain verify makes one"
        nothing = f"There is no {none}. " if report.compared == "runs" else ""
    same = not (found.first or found.turned or found.switched)
    return f"{nothing}{'Still failing' if same else 'Failing now'}: {listed}." if still else nothing.strip()


def age_lines(aged: Sequence[AgedInput], ages: Iterable[Freshness] = ()) -> list[str]:
    """How old the prices are that verdicts read; catalogues are named only when old."""
    lines = []
    if aged:
        verdicts = sum(one.verdicts for one in aged)
        oldest = [f"{one.item} ({one.checked}, {one.days} days)" for one in aged]
        reads = "verdicts read" if verdicts != 1 else "verdict reads"
        lines.append(f"{verdicts} {reads} a price or an assumption checked longer ago than its limit.")
        lines.append(f"The oldest: {few(oldest, MOST_AGED)}.")
    old = [one for one in ages if one.kind == "catalog" and one.state != "fresh"]
    for one in old[:MOST_AGED]:
        checked = "the day of the last check is unknown" if one.days is None else f"checked {one.days} days before"
        lines.append(f"Catalogue {one.name}: {one.state}, {checked}.")
    lines += [f"{len(old) - MOST_AGED} more catalogues are old."] if len(old) > MOST_AGED else []
    return lines


# ---- as blocks

_MEANINGS = {
    VerdictName.REFUTED: "never true",
    VerdictName.STALE: "no longer true",
    VerdictName.DEPENDS: "depends on an assumption",
    VerdictName.CONFLICTING: "sources disagree",
    VerdictName.ERROR: "broken claims",
    VerdictName.UNVERIFIABLE: "could not be checked",
    VerdictName.HOLDS: "true",
}


def blocks(report: Report, *, everything: bool = False) -> Iterator[Block]:
    """Prices, then the audit of sources; with `everything` complete lists and every claim by verdict."""
    found, run = morning(report), report.run
    made = f"run {run.id}, prices {run.snapshot[:12]}" if run.id else "a trial"
    yield Heading(1, (f"Morning report for {run.as_of} · {many(len(report.entries), 'claim')} · {made}",))
    yield Paragraph(report_document.counts(report.counts))
    yield from (Paragraph((Words(text, "remark"),)) for text in (report.watch, *run.notes) if text)
    yield Heading(2, ("Prices",))
    yield from _prices(report, found, everything=everything)
    yield Heading(2, ("Audit of sources",))
    yield from _audit(found)
    if count := len(report.without_note):
        text = f"{many(count, 'claim')} {'are' if count != 1 else 'is'} without a note."
        yield from (Heading(2, ("Claims without a note",)), Paragraph((text,)))
        named = [_item(one.claim, one.words) for one in report.without_note]
        yield from _list("Correct their `node`, or ingest the note", named, MOST_UNPLACED, counted=False)
    if ages := age_lines(report.aged, report.ages):
        yield Heading(2, ("Age of the prices",))
        yield from paragraphs(*ages)
    yield from _complete(report) if everything else ()


def _prices(report: Report, found: Morning, *, everything: bool) -> Iterator[Block]:
    most = None if everything else FIRST_LISTED if found.first else MOST_LISTED
    yield from paragraphs(unchanged(report, found))
    if found.added:
        yield Paragraph(("New claims: ", *report_document.counts(found.added)))
    yield from _list(f"Changed{'' if report.run.id else ' in this trial'}", [_turned(one) for one in found.turned])
    yield from _list("Failing now, the most severe", [_failing_item(one) for one in found.failing])
    yield from _list("Will change at announced prices", [_coming(one) for one in found.coming], most)
    fragile = [_item(one.entry.claim.id, fragility(one), _words(one.entry.claim)) for one in found.fragile]
    yield from _list("Fragile", fragile, most)
    if everything or not found.first:
        near = [
            _item(one.claim, f"{one.when}, now {figure(one.now, one.unit)}: {one.moves_in_words}", one.says)
            for one in found.near
        ]
        yield from _list("Closest to failing", near[:most], counted=False)


def _audit(found: Morning) -> Iterator[Block]:
    yield Paragraph((total(found.errata, len(found.news), first=found.first),))
    news = [_item(one.root, f"{computed(one)}; {whose(one)}", _words(one)) for one in found.news]
    yield from _list("The most severe" if found.first else "New", news, counted=False)
    yield from _list("Price from another source", [_turned(one) for one in found.switched])


def _list(title: str, items: Sequence[Item], most: int | None = None, *, counted: bool = True) -> Iterator[Block]:
    """A list under a title; nothing where it is empty."""
    if items:
        yield Heading(3, (f"{title} ({len(items)})" if counted else title,))
        yield from items[:most]
    if most and len(items) > most:
        yield Item(((Words(f"and {len(items) - most} more (--all)", "remark"),),))


def _turned(one: ChangedClaim) -> Item:
    return Item((_change(one), *((text,) for text in (_words(one.change), one.change.reason) if text)))


def _change(one: ChangedClaim) -> Line:
    return *report_document.before_after(one.change), "  ", Words(one.change.claim, "name"), "  ", one.facts


def _coming(one: ChangedClaim) -> Item:
    return Item(((f"{one.change.on or ''}  ", *_change(one)), (_words(one.change),)), whole=False)


def _failing_item(entry: ReportEntry) -> Item:
    claim = entry.claim
    head = report_document.verdict(entry.row.verdict), "  ", Words(claim.id, "name"), f"  {_value(entry)}"
    return Item((head, (_words(entry.claim),)), whole=False)


def _value(entry: ReportEntry) -> str:
    return f"{'no value' if entry.row.value is None else entry.value}, expected {entry.expectation_text}"


def _words(one: Claim | VerdictChange | Erratum) -> str | Words:
    """The quoted words; without a quote the sentence of the claim, which is no quotation."""
    return Words(one.quote, "quote") if one.quote else one.says


def _item(name: str, text: str, words: str | Words = "") -> Item:
    """A claim with its text on one line, then the quoted words."""
    head: Line = Words(name, "name"), f"  {text}"
    return Item((head, (words,)) if words else (head,), whole=False)


def _complete(report: Report) -> Iterator[Block]:
    for name in ORDER:
        entries = sorted(report.of(name), key=lambda one: one.order)
        title = f"{name.value} ({len(entries)}): {_MEANINGS[name]}"
        if entries:
            yield Heading(2, (title,))
        yield from map(_holding if name is VerdictName.HOLDS else _entry, entries)
    ages = [((one.state,), (one.check_text,), (f"{one.kind}: {one.name}",)) for one in grouped(report.ages)]
    yield from section("Data age", "state | checked | names~", ages)


def _holding(entry: ReportEntry) -> Item:
    return _item(entry.claim.id, f"{_value(entry)}: {entry.claim.says}")


def _entry(entry: ReportEntry) -> Item:
    claim, row, quoted = entry.claim, entry.row, entry.quoted
    lines: list[Line] = [(Words(claim.id, "name"), Words(f"  {entry.severity.value}, on {claim.node}", "remark"))]
    lines.append((claim.says,))
    if quoted is not None:
        lines.append((Words(quoted.anchor.text, "quote"), f" ({quoted.document}:{quoted.anchor.line})"))
    then = "" if row.then_value is None else f"; on {claim.as_of}: {figure(row.then_value, row.unit)}"
    lines += [(f"{_value(entry)}{then}",), *([(row.reason,)] if row.reason else [])]
    return Item(lines)
