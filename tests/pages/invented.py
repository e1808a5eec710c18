"""A small invented brain with prices that move."""

from datetime import UTC, date, datetime, timedelta

from api.brain import Brain
from api.settings import Settings
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Citation, Kind, Labels, Node, Provenance, Quotation, Source
from tests.command import written

TODAY = date(2026, 11, 21)
SHA = "ab" * 32

PRICES = """\
catalog: cards
licence: own
prices:
  - {item: acme/large, component: input, value: 10 USD/Mtok, from: 2026-01-01, to: 2026-11-21, <> 2026-11-01}
  - {item: acme/large, component: input, value: NOW USD/Mtok, from: 2026-11-21, to: 2026-12-10, <> 2026-11-20}
  - {item: acme/large, component: input, value: 4 USD/Mtok, from: 2026-12-10, <> 2026-11-20}
  - {item: acme/large, component: output, value: 40 USD/Mtok, from: 2026-01-01, <> 2026-11-01}
""".replace("<>", "source: 'https://acme.example/prices', checked:")

CLAIMS = """\
claims:
  - {id: fresh-token, <>, says: A fresh token of Acme Large costs at least $9 per million., given: {fresh: 'price("acme/large", "input")'},
     value: fresh, expect: {at_least: 9 USD/Mtok}, severity: critical, tags: [pricing]}
  - {id: output-multiple, <>, says: Output costs at least 4 times as much as input.,
     given: {fresh: 'price("acme/large", "input")', written: 'price("acme/large", "output")', waste: {value: 1, low: 0.8, high: 1.2}},
     value: written / fresh / waste, expect: {at_least: 4}, tags: [pricing, margins]}
  - {id: missing-model, <>, says: Acme Huge costs less than $100., value: 'price("acme/huge", "input")',
     expect: {at_most: 100 USD/Mtok}, severity: info}
""".replace("<>", "node: fable/price-is-the-product, as_of: 2026-02-01")


def node(slug, kind=Kind.READING, brain="fable", line=1, **fields):
    at = Provenance(document=f"{brain}.txt", first_line=line, last_line=line + 3, sha256=SHA)
    title = fields.pop("title", slug.replace("-", " ").capitalize())
    return Node(id=f"{brain}/{slug}", brain=brain, kind=kind, title=title, provenance=at, **fields)


def cite(number, target, context, confidence=0.97):
    """A resolved bracket marker."""
    return Citation(
        marker=f"[{number}]", number=number, target=f"fable/{target}", target_title=target, resolution="batch",
        confidence=confidence, context=context,
    )  # fmt: skip


WIRES = Source(
    id="https://wires.example/study", url="https://wires.example/study", title="A study of wires", date="2026-03"
)

THESIS = node(
    "price-is-the-product",
    Kind.THESIS,
    body="Sellers price by tier [1]. A fresh token costs at least $9 per million, output at least 4 times as much; "
    "see also [1, 2] and the formula $a^2 + b^2$.\n\n## What follows\n\n| tier | price |\n|---|---|\n| low | $1 |\n| high | $9 |\n",
    tags=("pricing", "margins"),
    citations=(
        cite(1, "tiers-of-acme", "Sellers price by tier [1]."),
        cite(2, "wires-and-tokens", "see also [1, 2]", confidence=0.6),
    ),
)
TIERS = node(
    "tiers-of-acme",
    body="Three tiers, sold by how long one waits. From $8 to $2, a 75% cut, went the slow one. "
    "From $10 to $9, a 30% cut, went the fast one of [[price-is-the-product]].",
    tags=("pricing",),
    line=10,
)
WIRE = node(
    "wires-and-tokens",
    body="The study is plain. Copper carries most tokens, glass the rest. Whoever waits pays less.",
    tags=("wires",),
    sources=(WIRES, Source(id="https://glass.example/paper", url="https://glass.example/paper")),
    citations=(
        Quotation(
            span=0, marker="3-1", document=3, sentences=(1, 2), quote="Copper carries most tokens, glass the rest.",
            source=WIRES.url, candidates=(WIRES.url,), resolution="exact", confidence=0.99,
        ),
        Quotation(
            span=1, marker="4-7", document=4, sentences=(7,), quote="Whoever waits pays less.",
            candidates=(WIRES.url, "https://glass.example/paper"), resolution="ambiguous", confidence=0.5,
        ),
    ),
    line=20,
)  # fmt: skip
TERM = node(
    "token", Kind.TERM, brain="lexicon", title="Token", body="A piece of a word.",
    labels=Labels(preferred="Token", variants=("Tokens",)), line=1,
)  # fmt: skip
HOSTILE = node(
    "hostile",
    title='<img src=x onerror=alert(1)> & "quotes" \u202eright to left',
    body='<script>alert("x")</script> [click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>)\n\n'
    "<div onclick=alert(1)><p>broken <b>html\n\n![picture](https://tracker.example/pixel.png)\n\n"
    + "$\\text{<script>alert(2)</script>}$ and $\\href{javascript:alert(3)}{x}$\n\n"
    + "| " + " | ".join(f"column {n}" for n in range(60)) + " |\n|" + "---|" * 60 + "\n"
    + ("| " + " | ".join(str(n) for n in range(60)) + " |\n") * 120
    + "\n\nשלום עולם וכל טוב\n\n" + "x" * 3000 + "\n\n\U000f0000\U000f0001",
    tags=('"><script>', "a/b", "wires"),
    sources=(Source(id="javascript:alert(1)", url="javascript:alert(1)", title="<b>bold"),),
    line=30,
)  # fmt: skip
NODES = (THESIS, TIERS, WIRE, HOSTILE)

ASSUMPTIONS = "assumptions:\n  - {name: crew, value: 3, source: https://wires.example/crews, checked: 2026-11-01}\n"


def document(nodes, brain="fable"):
    count = LineCount(total=len(nodes), kept=len(nodes), skipped=0)
    named = {"name": f"{brain}.txt", "format": "brain-page", "brain": brain}
    return Document(**named, sha256=SHA, text="text", nodes=nodes, lines=count)


def at(day, hour=5):
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def write_prices(folder, now):
    """The price card, with the price that holds from today on."""
    return written(folder, {"prices.yaml": PRICES.replace("NOW", now)}) / "prices.yaml"


def verify(brain, day):
    return brain.verify(day, at=at(day), clock=lambda: at(day))


def filled(home, now="8"):
    """An open brain with nodes, prices, claims, and the runs of two days; on the second a price has changed."""
    brain = Brain.open(Settings(home=home))
    brain.documents.put_all([document(NODES)], at(TODAY))
    brain.documents.put_all([document((TERM,), "lexicon")], at(TODAY))
    written(home, {"claims.yaml": CLAIMS, "assumptions.yaml": ASSUMPTIONS})
    files = [write_prices(home, now), home / "claims.yaml", home / "assumptions.yaml"]
    report = brain.ingest(files, at=at(TODAY))
    assert report.stored, [problem.render() for problem in report.problems]
    verify(brain, TODAY - timedelta(days=1))
    verify(brain, TODAY)
    return brain


def grown(home, count):
    """A brain with a number of nodes, each citing the one before."""
    home.mkdir(parents=True)
    brain = filled(home)
    nodes = tuple(
        node(f"entry-{n}", body=f"Entry {n} cites [1].", tags=("pricing", f"t{n % 40}"), line=5 * n + 1,
             citations=(cite(1, f"entry-{max(0, n - 1)}", "cites [1]"),))
        for n in range(count)
    )  # fmt: skip
    brain.documents.put_all([document(NODES + nodes)], at(TODAY))
    return brain
