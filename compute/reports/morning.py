"""What the morning report says: prices first, then the audit of sources.

Each claim is reported once: what changed is not repeated as coming, fragile or an erratum.

    Prices              what changed since the run before; what will change, and when; what is fragile; what is near
    Audit of sources    errata when they are new, after that as a count; sources that answer in place of others
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from compute.reports.errata import Errata, Erratum, errata
from compute.reports.report_model import FragileClaim, NearestChange, Report, ReportEntry, verdict_counts
from compute.units.number_format import said
from graph.groups import group_by
from graph.models.claim_models import Cause, Speaker, Stance, VerdictName
from graph.models.verdict_models import VerdictChange
from graph.text.counts import few
from graph.values import Value

MOST_LISTED = 3
"""How many coming, fragile and near claims the report lists, and how many errata a first report."""

FIRST_LISTED = 1
"""How many coming and fragile claims a first report lists: it also has the most severe failing claims and errata."""

MOST_AGED = 3
"""How many inputs that were checked too long ago the report names."""

MOST_UNPLACED = 10
"""How many claims without a note the report names."""

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
"""The causes in words."""

CORRECTED = "a price was corrected"
"""What is said where no price moved, and one was corrected."""

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
        told = [self.figures, *remarks(self.change), after_that(self.later)]
        return ", ".join(one for one in told if one)


class Morning(Value):
    """The content of a morning report; `added` counts new claims by verdict.

    `failing` are, in a first report and in a trial, the most severe claims that do not hold now and did not just
    change.
    """

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
    told = {claim for one in news for claim in one.claims}
    failing = _failing(report) if report.first or not report.run.id else ()
    told |= {entry.claim.id for entry in failing}
    turned = [one for one in _changed_claims(report) if one.change.claim not in told]
    told |= {one.change.claim for one in turned}
    by_claim = group_by(report.coming, lambda change: change.claim)
    turns = (ChangedClaim(change=first, later=tuple(rest)) for first, *rest in by_claim.values())
    coming = tuple(one for one in turns if one.change.claim not in told)
    told |= {one.change.claim for one in coming}
    fragile = tuple(one for one in report.fragile if one.entry.claim.id not in told)
    told |= {one.entry.claim.id for one in fragile}
    return Morning(
        first=report.first,
        failing=failing,
        turned=tuple(one for one in turned if one.change.cause is not Cause.SOURCE_CHANGED),
        switched=tuple(one for one in turned if one.change.cause is Cause.SOURCE_CHANGED),
        added=_added(report, turned),
        coming=coming,
        fragile=fragile,
        near=tuple(one for one in report.near if one.claim not in told),
        news=news,
        errata=found,
        standing={name.value: count for name in STANDING if (count := report.counts.get(name, 0))},
    )


def _news(report: Report, found: Errata) -> Iterable[Erratum]:
    """The errata that this run found, none of whose claims an earlier run had refuted.

    A new claim on an error that another claim has already shown is no news.
    """
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
    told = [] if change.margin is None else [f"margin {said(change.margin, unit)}"]
    told += [CAUSES[change.cause]] if change.cause else []
    told += [CORRECTED] if change.corrected else []
    return told + ([EFFECTS[change.helps_thesis]] if change.helps_thesis is not None else [])


def change_facts(change: VerdictChange) -> str:
    """Figures, margin, cause and effect on the thesis of a change, as far as known."""
    values = figures(change) if change.value_after is not None else ""
    return ", ".join(one for one in (values, *remarks(change)) if one)


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
    return f"stated {one.stated.partition(' ± ')[0] or 'otherwise'}, computed {value}"


def whose(one: Erratum) -> str:
    """Who states the figure of an erratum, the node's stance, and why it is wrong."""
    told = [SPEAKERS[one.asserted_by]]
    told += {"disputes": ["disputed by the node"], "reports": ["reported by the node"]}.get(one.stance.value, [])
    told += [CAUSES[one.cause]] if one.cause else []
    return ", ".join(told + ([f"found by {len(one.claims)} claims"] if len(one.claims) > 1 else []))


def total(found: Errata, news: int, *, first: bool = False) -> str:
    """How many figures do not add up and are new, and the command that lists them."""
    many, differing = len(found.items), len(found.contradictions)
    differ = f"; {differing} where texts state different figures" if differing else ""
    if not many:
        return f"No figure of a source is wrong{differ}."
    fresh = "" if first else f", {news or 'none'} of them new"
    verb = "figures of sources do" if many != 1 else "figure of a source does"
    return f"{many:,} {verb} not add up{fresh}{differ}: brain errata lists them."


def fragility(one: FragileClaim) -> str:
    """How fragile a claim is: `60.8% now, holds in 13% of its ranges, utilisation matters most`."""
    row = one.entry.row
    value = "" if row.value is None else f"{said(row.value, row.unit)} now, "
    most = f", {one.input} matters most" if one.input else ""
    return f"{value}holds in {said(round(one.share * 100, 1), '%')} of its ranges{most}"


def without_note(report: Report) -> str:
    """How many claims are on notes that do not exist; empty for none."""
    many = len(report.without_note)
    return f"{many:,} claim{'s are' if many != 1 else ' is'} without a note." if many else ""


def unchanged(report: Report, found: Morning) -> str:
    """The verdicts that fail as before, with the command that lists them."""
    still = ", ".join(f"{count} {name}" for name, count in found.standing.items())
    listed = f"{still} (brain claims --verdict {next(iter(found.standing))})" if still else ""
    if found.first:
        first = "There is no earlier run to compare with."
        return f"{first} Failing now: {listed}." if still else first
    since = f" since run {report.before.id} for {report.before.as_of}" if report.before else ""
    nothing = "" if found.turned else f"Nothing changed{since}. "
    same = not (found.turned or found.switched)
    return f"{nothing}{'Still' if same else 'In all'} {listed}." if still else nothing.strip()


def rules_changed(report: Report) -> str:
    """How many changes only a new version of the rules made; empty for none."""
    if not report.ruled or report.before is None:
        return ""
    many = f"{len(report.ruled)} verdict{'s differ' if len(report.ruled) != 1 else ' differs'}"
    versions = f"version {report.before.method} to version {report.run.method}"
    return f"{many} only because the rules for verdicts went from {versions}: brain changes lists them."


def age_lines(report: Report) -> list[str]:
    """How old the prices are that verdicts read; catalogues are named only when old."""
    told, aged = [], report.aged
    if aged:
        verdicts = sum(one.verdicts for one in aged)
        oldest = [f"{one.item} ({one.checked}, {one.days} days)" for one in aged]
        reads = "verdicts read" if verdicts != 1 else "verdict reads"
        told.append(f"{verdicts} {reads} a price or an assumption checked longer ago than its limit.")
        told.append(f"The oldest: {few(oldest, MOST_AGED)}.")
    old = [one for one in report.ages if one.kind == "catalog" and one.state != "fresh"]
    for one in old[:MOST_AGED]:
        checked = "the day of the last check is unknown" if one.days is None else f"checked {one.days} days before"
        told.append(f"Catalogue {one.name}: {one.state}, {checked}.")
    told += [f"{len(old) - MOST_AGED} more catalogues are old."] if len(old) > MOST_AGED else []
    return told
