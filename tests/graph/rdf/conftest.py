"""A small world to export as RDF: a farm's argument, two glossaries, a removed note, claims and two runs."""

from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from types import SimpleNamespace

import pyoxigraph
import pytest
import rdflib

from graph.models.claim_models import Claim, ClaimSeverity, Expectation, VerdictName
from graph.models.link_models import Link
from graph.models.node_models import Citation, Kind, Quotation, Relation, Source, Table
from graph.models.verdict_models import Flip, Input, Moment, Step, Verdict
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_export import Export
from graph.store import Store

BASE = "https://farm.example/brain/"
PAPER = "https://arxiv.org/abs/1907.00001v2"
MILL = "https://www.mill.example/prices?year=2026"
CLASH = Relation(kind="contradicts", target="ada/oats-pay", reason="one field", confidence=0.7)
UNDER = Relation(kind="broader", target="words/kernel")


def pytest_itemcollected(item):
    """rdflib's own parsers of JSON-LD and TriG use classes and properties of rdflib that it has deprecated."""
    for name in ("ConjunctiveGraph", "Dataset.default_context"):
        item.add_marker(pytest.mark.filterwarnings(f"ignore:{name} is deprecated:DeprecationWarning"))


def _nodes(make):
    survey = (
        Quotation(
            span=0, marker="3-1", document=3, sentences=(1, 4), quote="Oats fetch 212 a tonne.", source=PAPER,
            candidates=(PAPER,), resolution="exact", confidence=1,
        ),
        Quotation(
            span=1, marker="4-2", document=4, sentences=(2,), quote="Mills pay late.", candidates=(PAPER, MILL),
            resolution="ambiguous", confidence=0.4,
        ),
        Quotation(span=2, marker="9-1", document=9, quote="Rye is hardy.", source="https://unlisted.example/rye"),
    )  # fmt: skip
    sources = (
        Source(id="arxiv:1907.00001", url=PAPER, title='On "oats"', date="2019"),
        Source(id="https://www.mill.example/prices?year=2026", url=MILL),
    )
    rows = (("oats", "212"), ("rye, raw", "190"))
    paid = Table(name="Paid", header=("grain", "price"), units=(None, "EUR/t"), rows=rows)
    return (
        make.node("oats-pay", kind=Kind.THESIS, tags=("grain", "price of oats"), cites=("ada/survey", "ada/lost-note"),
                  quotes=(Citation(marker="[7]", number=7, context="Who said it?"),), body="Oats pay [1] [2] [7]."),
        make.node(
            "rye-waits", kind=Kind.THESIS, tags=("grain",), line=5, body="Rye waits.", published=date(2026, 2, 3)
        ).model_copy(update={"relations": (CLASH,)}),
        make.node("survey", tags=("price of oats",), line=9, quotes=survey, body="What mills pay.", tables=(paid,),
                  section=("Grain", "Mills")).model_copy(update={"sources": sources}),
        make.term("tonne", "tonne", body="1,000 kilograms.", abbreviation="t", variants=("metric ton",)),
        make.term("groat", "groat", body="A hulled kernel.").model_copy(update={"relations": (UNDER,)}),
        make.term("kernel", "kernel", body="The inner part of a seed."),
    )  # fmt: skip


def _claim(name, node, bound, as_of=date(2026, 1, 2), **fields):
    fields.setdefault("expect", Expectation(form="is", bound=bound, within="5 EUR/t"))
    given = (("oats", 'price("mill/oats", "purchase")'), ("freight", 'assume("freight")'))
    return Claim(id=name, node=node, says=f"{name} stands at {bound}.", as_of=as_of, given=given, value="oats - freight", **fields)  # fmt: skip


CLAIMS = (
    _claim("oats-at-200", "ada/oats-pay", "200 EUR/t", tags=("forward price",), severity=ClaimSeverity.CRITICAL),
    _claim("oats-over-rye", "ada/oats-pay", "20 EUR/t", contradicts=("rye-at-190",), source=MILL, note="by weight"),
    _claim("rye-at-190", "ada/rye-waits", "190 EUR/t", expect=Expectation(form="between", bound="180", upper="200")),
)


def explained(claim, run):
    """The full verdict on one of the claims; the others keep what the ledger has."""
    if claim.id != "oats-at-200":
        return None
    oats = Input(
        name="oats", value=Decimal("192.50"), unit="EUR/t", kind="price", item="mill/oats", component="purchase",
        catalog="cards", source=MILL, valid_from=date(2026, 2, 1), checked=date(2026, 3, 1),
    )  # fmt: skip
    freight = Input(name="freight", value=Decimal(8), unit="EUR/t", kind="assumption", item="freight")
    return Verdict(
        claim=claim.id, node=claim.node, says=claim.says, verdict=VerdictName.STALE, severity=claim.severity,
        value=Decimal("184.50"), expected=claim.expect.text(), unit="EUR/t", margin=Decimal("-10.50"),
        then=Moment(as_of=claim.as_of, value=Decimal(204), holds=True),
        now=Moment(as_of=run.as_of, value=Decimal("184.50"), holds=False),
        inputs=(oats, freight),
        steps=(Step(name="value", text="oats - freight", value=Decimal("184.50"), unit="EUR/t"),),
        flips=(Flip(input="oats", at=Decimal("203"), unit="EUR/t"), Flip(input="freight", at=None, unit="EUR/t")),
        assumed=Decimal("0.04"), reason="The mill's price fell.", run=run.id,
        evaluated_at=datetime(2026, 3, 4, 12, tzinfo=UTC),
    )  # fmt: skip


@pytest.fixture(scope="session")
def farm(make, tmp_path_factory):
    with Store.open(tmp_path_factory.mktemp("farm") / "brain.db") as store:
        lost = make.node("lost-note", document="old.md", sha="b" * 64)
        make.put(store, lost, name="old.md", sha="b" * 64)
        make.put(store, *_nodes(make))
        place = {"document": "scales.md", "sha": "c" * 64, "brain": "scales"}
        bushel = make.node("tonne", "tonne", kind=Kind.TERM, body="2,240 pounds.", **place)
        make.put(store, bushel, name="scales.md", sha="c" * 64)
        store.documents.remove("old.md", make.noon)
        same = Link(subject="words/tonne", kind="same_as", target="scales/tonne", reason="one label", confidence=0.95)
        store.edges.set_derived([same, Link(subject="ada/survey", kind="mentions", target="words/tonne")])
        store.claims.put("claims.yaml", CLAIMS)
        make.run(store, [make.row(claim.id) for claim in CLAIMS], day=date(2026, 3, 3))
        now = (VerdictName.STALE, VerdictName.UNVERIFIABLE, VerdictName.HOLDS)
        rows = [make.row(claim.id, found) for claim, found in zip(CLAIMS, now, strict=True)]
        make.run(store, [*rows, make.row("withdrawn-since")], notes=("a night as any",))
        yield store


@pytest.fixture(scope="session")
def names():
    return IriFactory(BASE)


@pytest.fixture(scope="session")
def export(farm, names):
    """The export of the farm, with one verdict explained and one node's health."""
    health = {"ada/oats-pay": "broken", "ada/rye-waits": "sound"}
    return Export(farm, names, explain=lambda run: partial(explained, run=run), health=health.get)


def _of_ox(term):
    if isinstance(term, pyoxigraph.Literal):
        return ("literal", term.value, term.datatype.value, term.language)
    return ("iri" if isinstance(term, pyoxigraph.NamedNode) else "blank", term.value)


def _of_rdflib(term):
    if isinstance(term, rdflib.Literal):
        plain = rdflib.XSD.string if term.language is None else rdflib.RDF.langString
        text = str(term)
        if term.datatype == rdflib.XSD.decimal:  # of a small one in Turtle rdflib makes a numeral with an exponent
            text = format(Decimal(text), "f")
        return ("literal", text, str(term.datatype or plain), term.language)
    return ("iri" if isinstance(term, rdflib.URIRef) else "blank", str(term))


@pytest.fixture
def read(monkeypatch):
    """Two independent parsers, each to a list of triples of comparable terms."""
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    formats = {
        "turtle": (pyoxigraph.RdfFormat.TURTLE, "turtle"),
        "trig": (pyoxigraph.RdfFormat.TRIG, "trig"),
        "ntriples": (pyoxigraph.RdfFormat.N_TRIPLES, "nt"),
        "jsonld": (pyoxigraph.RdfFormat.JSON_LD, "json-ld"),
    }

    def ox(data, form):
        return [tuple(map(_of_ox, quad.triple)) for quad in pyoxigraph.parse(data, format=formats[form][0])]

    def rdf(data, form):
        graph = rdflib.Graph().parse(data, format=formats[form][1])
        return [tuple(map(_of_rdflib, triple)) for triple in graph]

    return SimpleNamespace(ox=ox, rdflib=rdf, of_ox=_of_ox, of_rdflib=_of_rdflib)
