"""The morning report: what it reports, each thing once; with rows made by hand, of every cause."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO

import pytest
from rich.console import Console

from api.terminal.document import document
from compute.claims.claim_cases import Cases
from compute.claims.input_changes import moved, moved_inputs
from compute.prices.data_freshness import AgedInput, Freshness, Limit, aged
from compute.reports import json_report
from compute.reports.errata import errata, grouped
from compute.reports.morning_report import CAUSES, blocks, morning, whose
from compute.reports.report_document import markdown
from compute.reports.report_model import FragileClaim, Report, ReportEntry
from graph.models.claim_models import Cause, ClaimSeverity, Speaker, Stance, VerdictName
from graph.models.verdict_models import OldestInput, Robust, Run, VerdictChange
from graph.values import dumps
from tests.compute import made
from tests.compute.made import book_of

DAY = date(2026, 11, 21)
HOLDS, STALE, REFUTED = VerdictName.HOLDS, VerdictName.STALE, VerdictName.REFUTED


def claim(name, **rest):
    return made.claim("1", id=name, is_="95%", within="0.5pp", **{"node": "acme/n", "as_of": DAY, **rest})


def row(name, verdict, **rest):
    told = {"value": "97.5", "margin": "-2", "unit": "%", "reason": f"Reason of {name}."}
    return made.row(name, verdict, **(told | rest))


def entry(name, verdict, of=None, **rest):
    return ReportEntry(claim=of or claim(name, quote=f"words of {name}"), row=row(name, verdict, **rest))


def change(one, before):
    old = one.row.model_copy(update={"verdict": before, "value": Decimal(95)}) if before else None
    return VerdictChange.of(one.claim.id, one.claim, old, one.row)


def run(number, **rest):
    at = datetime.combine(DAY + timedelta(days=number), datetime.min.time(), UTC)
    return Run(
        id=number, as_of=at.date(), started_at=at, finished_at=at, code="1", snapshot="s", rules="r",
        **({"counts": {}, "method": 2} | rest),
    )  # fmt: skip


def report(entries=(), changes=(), **rest):
    return Report(run=run(2), entries=tuple(entries), changes=tuple(changes), **({"before": run(1)} | rest))


def printed(found, width=120, **rest):
    to = Console(width=width, file=StringIO(), force_terminal=True, color_system=None)
    to.print(document(blocks(found, **rest)))
    return to.file.getvalue()


def both(found):
    return {"text": printed(found), "markdown": markdown(blocks(found))}


@pytest.mark.parametrize("cause", [Cause.PRICE_MOVED, Cause.FAMILY_MOVED, Cause.FORECAST_MISSED, None])
def test_what_changed_is_reported_with_figures_margin_cause_effect_and_words(cause):
    one = entry("a", STALE, cause=cause, helps_thesis=True)
    for form, text in both(report([one], [change(one, HOLDS)])).items():
        prices, audit = text.split("Audit of sources")
        for words in ("95% → 97.5%", "margin -2pp", "words of a", "Reason of a.", "helps the thesis"):
            assert words in prices, form
        assert cause is None or CAUSES[cause] in prices
        assert "No figure of a source is wrong." in audit


def test_another_source_that_answers_is_never_reported_as_a_price_move():
    one = entry("a", STALE, cause=Cause.SOURCE_CHANGED)
    found = report([one], [change(one, HOLDS)])
    for text in both(found).values():
        prices, audit = text.split("Audit of sources")
        assert "Nothing changed" in prices
        assert "words of a" in audit
        assert "another source answers" in audit
        assert "price moved" not in text
    told = json.loads(dumps(json_report.fields(found)))
    assert (told["turned"], [one["claim"] for one in told["source_changed"]]) == ([], ["a"])


def test_of_a_claim_that_held_until_now_nobody_asks_whether_it_was_ever_true():
    """A price that moved tonight was told as `whether it was ever true is not known`."""
    one = entry("a", STALE, cause=Cause.THEN_UNKNOWN)
    assert (change(one, HOLDS).cause, change(one, REFUTED).cause) == (None, Cause.THEN_UNKNOWN)


def test_a_first_report_names_no_figure_that_its_note_disputes():
    """Among the worst was a figure that the note itself calls wrong; the pages called it the source's error."""
    disputed = entry("b", STALE, of=claim("b", quote="words of b", stance=Stance.DISPUTES))
    for text in both(report([entry("a", STALE), disputed], before=None)).values():
        assert "words of a" in text
        assert "words of b" not in text


def test_an_erratum_is_reported_when_it_is_new_and_after_that_it_is_counted():
    old, new = entry("old", REFUTED), entry("new", REFUTED, cause=Cause.MISCALCULATED)
    found = report([old, new], [change(new, None)])
    for text in both(found).values():
        assert "2 figures of sources do not add up, 1 of them new: brain errata lists them." in text
        assert "stated 95%, computed 97.5%" in text
        assert "words of new" in text
        assert "words of old" not in text
        assert "miscalculated" in text
    later = report([old, new])
    assert all("words of" not in text and "none of them new" in text for text in both(later).values())


def test_claims_that_see_one_error_are_one_erratum():
    root = claim("root", quote="eight bits save four times", severity=ClaimSeverity.INFO)
    entries = [
        entry("root", REFUTED, root),
        entry("names-it", REFUTED, claim("names-it", node="acme/other", root="root")),
        entry("same-words", REFUTED, claim("same-words", quote="Eight bits  save four times")),
        entry("x", REFUTED, claim("x", node="acme/y", quote="eight bits save four times")),
    ]
    found = errata(entries).items
    assert [one.claims for one in found] == [("root", "same-words", "names-it"), ("x",)]
    assert (found[0].root, found[0].severity) == ("root", ClaimSeverity.WARNING)
    ring = [entry(name, REFUTED, claim(name, root=other)) for name, other in (("a", "b"), ("b", "a"), ("c", "gone"))]
    assert sorted(sorted(one.claim.id for one in group) for group in grouped(ring)) == [["a", "b"], ["c"]]


def test_an_error_that_was_reported_before_is_no_news():
    old = entry("old", REFUTED)
    back = morning(report([old], [change(old, VerdictName.UNVERIFIABLE)], known=("old",)))
    assert (back.news, [turned.change.claim for turned in back.turned]) == ((), ["old"]), "it can be checked again"
    new = entry("new", REFUTED, claim("new", root="old"))
    assert morning(report([old, new], [change(new, None)])).news == ()
    turned = morning(report([old, new], [change(new, HOLDS)])).news
    assert [one.claims for one in turned] == [("old", "new")], "a claim that was true and now finds it is a change"


def test_only_what_somebody_stated_is_an_erratum():
    nobody = entry("watch", REFUTED, claim("watch", asserted_by=Speaker.NOBODY))
    differ = entry("differ", STALE, cause=Cause.SOURCES_DIFFER)
    disputed = entry("d", REFUTED, claim("d", asserted_by=Speaker.SOURCE, stance=Stance.DISPUTES))
    found = errata([nobody, differ, disputed])
    assert [one.root for one in found.items] == ["d"]
    assert [one.root for one in found.contradictions] == ["differ"]
    watch = entry("watch", STALE, of=claim("watch", asserted_by=Speaker.NOBODY), cause=Cause.SOURCES_DIFFER)
    told = whose(errata([watch]).contradictions[0])
    assert told == "a check that no one states, sources differ"  # there may be one text only


def test_a_first_report_counts_the_errata_and_names_at_most_three():
    entries = [entry(f"c{n:03}", REFUTED) for n in range(146)]
    entries.append(entry("z", REFUTED, claim("z", severity=ClaimSeverity.CRITICAL, quote="the worst")))
    first = report(entries, before=None).model_copy(update={"run": run(1, counts={"refuted": 147})})
    for text in both(first).values():
        assert "147 figures of sources do not add up: brain errata lists them." in text
        assert text.count("stated 95%") == 3
        assert "the worst" in text
        assert len(text.splitlines()) <= 40


def fragile(name):
    return FragileClaim(entry(name, HOLDS, robust=Robust(share=Decimal("0.134"), fragile=True)), "utilisation")


def test_a_claim_is_reported_once():
    one, two = entry("a", STALE), entry("b", HOLDS)
    coming = tuple(
        change(each, HOLDS).model_copy(update={"on": date(2027, month, 1), "after": after})
        for each, month, after in ((one, 1, HOLDS), (two, 2, STALE))
    )
    found = report([one, two], [change(one, HOLDS)], coming=coming, fragile=(fragile("a"), fragile("b"), fragile("c")))
    for text in both(found).values():
        assert [text.count(f"words of {name}") for name in "abc"] == [1, 1, 1]
        assert "then holds on 2027-01-01" in text
        assert "97.5% now, holds in 13.4% of its ranges; the input utilisation matters most" in text


def test_a_quiet_night_fits_on_a_screen_of_forty_lines_however_long_the_words_are():
    long = "word " * 60
    entries = [entry(f"c{n}", STALE, claim(f"c{n}", quote=long + str(n))) for n in range(300)]
    coming = tuple(change(one, HOLDS).model_copy(update={"on": DAY}) for one in entries[:20])
    old = tuple(AgedInput(item=f"i{n}", checked=DAY, days=400, limit=180, verdicts=1) for n in range(30))
    ages = tuple(Freshness(kind="catalog", name=f"k{n}", checked=DAY, days=50, state="old") for n in range(9))
    weak, counted = tuple(fragile(f"f{n}") for n in range(30)), {"run": run(2, counts={"stale": 300})}
    found = report(entries, coming=coming, fragile=weak, aged=old, ages=ages).model_copy(update=counted)
    for width in (80, 120):
        assert len(printed(found, width).splitlines()) <= 40
    assert len(markdown(blocks(found)).splitlines()) <= 40
    whole = printed(found, everything=True)
    assert all(f"c{n}  " in whole for n in range(300))


def test_ages_are_those_of_the_prices_that_verdicts_read():
    def price(item, days, catalog="cards"):
        checked = DAY - timedelta(days=days)
        given = made.price("1", item, catalog=catalog, checked=checked)
        return given, OldestInput(item=item, checked=checked, days=days)

    prices = [price("a/old", 400), price("a/new", 10), price("b/daily", 20, "daily"), price("c/unused", 900)]
    book = book_of([one for one, _ in prices])
    rows = [row(str(n), HOLDS, oldest_input=prices[place][1]) for n, place in enumerate((0, 0, 1, 2))]
    rows += [row("pue", HOLDS, oldest_input=OldestInput(item="pue", checked=DAY, days=100)), row("none", HOLDS)]
    limits = [Limit(catalog=name, warn_after=days, error_after=700) for name, days in (("cards", 180), ("daily", 14))]
    found = aged(rows, book.catalogs, ["pue"], limits)
    assert [(one.item, one.verdicts, one.limit) for one in found] == [("a/old", 2, 180), ("b/daily", 1, 14)]
    fresh = Freshness(kind="catalog", name="cards", checked=DAY, days=0, state="fresh")
    for text in both(report(aged=found, ages=(fresh,))).values():
        assert "3 verdicts read a price or an assumption checked longer ago than its limit." in text
        assert "a/old (2025-10-17, 400 days)" in text
        assert "fresh" not in text


TWO = {"value": "2"}
SINCE = {"valid_from": DAY}
RECORD = {"source": None, "dated": "record", **SINCE}


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ({}, {}, None),
        ({}, TWO, Cause.PRICE_MOVED),
        ({}, {**TWO, "catalog": "shop"}, Cause.SOURCE_CHANGED),
        ({}, {"catalog": "shop"}, None),
        ({}, {**TWO, "source": "https://other.example/p"}, Cause.SOURCE_CHANGED),  # it was: a price moved
        ({}, {**TWO, "source": "https://www.shop.example/2026"}, Cause.PRICE_MOVED),
        ({}, None, None),  # it was: another source answers
        ({}, {**TWO, **SINCE}, Cause.PRICE_MOVED),
        ({**SINCE, "source": None}, TWO, "corrected"),
        ({**SINCE, "source": None, "catalog": "litellm"}, TWO, "corrected"),
        (RECORD, TWO, "corrected"),
        ({**RECORD, "catalog": "litellm"}, TWO, Cause.PRICE_MOVED),
    ],
)
def test_what_moved_between_two_runs(before, after, cause):
    """Another amount under the same first day is a correction, unless an imported list recorded it."""
    stated = {"value": "1", "source": "https://shop.example/p", **before}
    now = [] if after is None else [made.price(**stated | after)]
    assert _moved(made.INPUT, [made.price(**stated)], now) == ((None, True) if cause == "corrected" else (cause, False))


def _moved(value, was, now, families=((), ())):
    it = made.claim(value)
    books = (book_of(prices, families=listed) for prices, listed in zip((was, now), families, strict=True))
    before, after = (Cases(book, DAY).case(it).judged for book in books)
    return moved(before, after)


def test_a_family_that_moved_and_another_lowest_price_are_told_apart():
    one, two = made.price("1"), made.price("2", "acme/small")
    families = [made.family(model, model) for model in ("acme/large", "acme/small")]
    asked = 'price("acme/best", "input")'
    assert _moved(asked, [one], [two], [[one] for one in families]).cause is Cause.FAMILY_MOVED
    cheapest = 'cheapest(["acme/large", "acme/small"], "input")'
    assert _moved(cheapest, [one, two], [made.price("3"), two]).cause is Cause.PRICE_MOVED
    pue = [book_of(assumptions=[made.assumed("pue", value)]) for value in ("1.1", "1.2")]
    before, after = (Cases(book, DAY).case(made.claim('assume("pue")', at_most="2")).judged for book in pue)
    assert moved(before, after).cause is Cause.PRICE_MOVED
    assert moved_inputs(before, after) == "pue 1.1 → 1.2"
