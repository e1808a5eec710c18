"""Prices, claims and rows of our own invention: what a token of acme's models costs, and who says so."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from compute.claims.claim_cases import PLAIN, Terms
from compute.prices.families import Family, Member
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Assumption, Catalog, Price
from compute.record.replay import Replay
from compute.runs import run_ledger
from compute.verify.claim_verifier import Verifier, explain
from graph.groups import group_by
from graph.models.claim_models import Claim, Expectation, VerdictName
from graph.models.verdict_models import VerdictRow

THEN, CUT, NOW = date(2025, 2, 1), date(2025, 9, 1), date(2026, 5, 1)
"""The day of a claim, a day on which its price changes, and today."""

INPUT = 'price("acme/large", "input")'


def price(value="2", item="acme/large", component="input", unit="USD/Mtok", catalog="cards", **rest):
    """A price without days."""
    return Price(item=item, component=component, value=Decimal(value), unit=unit, catalog=catalog, **rest)


def dated(value, *rest, **fields):
    """A price since before any claim, checked today."""
    return price(value, *rest, **{"valid_from": date(2024, 1, 1), "checked": NOW, **fields})


def moved(then, now, **rest):
    """One price until the change and another from it on."""
    return [dated(then, valid_to=CUT, **rest), dated(now, valid_from=CUT, **rest)]


def assumed(name, value, unit="", low=None, high=None, **rest):
    ends = {"low": low and Decimal(low), "high": high and Decimal(high)}
    return Assumption(name=name, value=Decimal(value), unit=unit, **ends, **rest)


def family(*models):
    begins = [date(2024, 1, 1), CUT]
    members = [Member(begins=day, released=day, model=model) for day, model in zip(begins, models, strict=True)]
    return Family(name="acme/best", members=tuple(members))


def book_of(prices=(), **rest):
    """A book of single prices, each in the catalogue that it names."""
    by_catalog = group_by(prices, lambda price: price.catalog)
    return CatalogBook([Catalog(name=name, prices=tuple(found)) for name, found in by_catalog.items()], **rest)


def claim(value=INPUT, given=None, *, within=None, upper=None, **rest):
    fields = {name: rest.pop(name) for name in [*rest] if name in Claim.model_fields}
    form, bound = next(iter(rest.items()), ("at_most", "5 USD/Mtok"))
    expect = Expectation(form=form.rstrip("_"), bound=bound, within=within, upper=upper)
    stated = {"id": "it", "node": "acme/note", "says": "It is so.", "as_of": THEN, "expect": expect, **fields}
    return Claim(**stated, value=value, given=tuple((given or {}).items()))


def found(one, *prices, terms=None, on=NOW, **rest):
    return explain(one, book_of(prices, **rest), on, terms or Terms())


def life_lines(claims, prices=(), today=NOW, **rest):
    return map(Replay(book_of(prices, **rest), today, among(claims)).life, claims)


def among(claims, terms=PLAIN):
    found = {one.id: one for one in reversed(claims)} if isinstance(claims, list | tuple) else {}
    return terms if terms.find is not PLAIN.find else replace(terms, find=found.get)


def verify(claims, book, on, terms=PLAIN):
    return map(Verifier(book, on, among(claims, terms)).row, claims)


def append_run(store, rows, book, at, on=None):
    """Store a run that was made at one moment, for its day or another."""
    named = {"as_of": on or at.date(), "started_at": at, "clock": lambda: at, "code": "test"}
    with store.transaction():
        (part,) = run_ledger.store_inputs(store, [("", book.snapshot, run_ledger.manifest(store.documents.all()))], at)
        return store.ledger.append(rows, snapshot=part.snapshot, rules=part.rules, **named)


def row(name="it", verdict=VerdictName.HOLDS, **fields):
    empty = dict.fromkeys(("value", "margin", "then_value", "then_holds", "now_holds"))
    return VerdictRow(claim=name, verdict=verdict, **{**empty, "unit": "", **fields})
