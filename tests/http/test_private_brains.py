"""A private brain looked for through every address: found by nobody without a token for it."""

import asyncio
import io
import json
import re
import zipfile
from datetime import timedelta
from itertools import product
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from api.brain import Brain
from api.http.app import build
from api.mcp_server import McpTools
from api.pages.page_routes import PAGES, router
from api.pages.views.claim_table import PageContext
from api.services.access import issue
from api.settings import Settings
from graph.models.access_models import BrainPolicy, Scope
from tests.http.conftest import NOW

SECRET = re.compile(r"qzx[a-z]*", re.IGNORECASE)
"""Every text of the private brain that a reader must not see has a word that begins like this; no other text has."""

PUBLIC = {
    "pub/open.md": """---
title: Open note
kind: thesis
brain: pub
tags: [open]
sources: [https://open.example/one]
---
Two halves are 1.00 USD. See [[Qzxtitle]] and [[Plan of pub]]. An index term.
""".replace("[[Qzxtitle]]", "[[vault/plan]]"),
    "pub/plan-of-pub.md": "---\ntitle: Plan of pub\nkind: reading\nbrain: pub\ntags: [open, plans]\n---\nThe index.\n",
    "pub/claims.yaml": """claims:
  - id: open-claim
    node: pub/open
    says: Two halves are a dollar.
    as_of: 2025-01-01
    given: {list: 'price("acme/h1", "on_demand")'}
    value: list
    expect: {at_most: 3 USD/GPU/h}
    tags: [open]
""",
    "pub/prices.yaml": """prices:
  - {item: acme/h1, component: on_demand, value: 2 USD/GPU/h, from: 2025-01-01, source: "https://open.example/p", checked: 2026-11-01}
""",
    "pub/terms.yaml": "terms:\n  - {label: Index, definition: A list of what there is.}\n",
}
PRIVATE = {
    "vault/plan.md": """---
title: Qzxtitle of the plan
kind: thesis
brain: vault
tags: [qzxtag, open]
sources: [https://qzxhost.example/deal]
note_of: qzxproperty
---
Qzxbody: the plan cites [[pub/open]] and [[vault/second]], and the Index. Our share was 40% + 20% = 65% qzxfigure.

| qzxcolumn | USD |
|---|---|
| qzxcell | 3 |
""",
    "vault/second.md": "---\ntitle: Qzxsecond\nkind: reading\nbrain: vault\ntags: [qzxtag]\n---\nQzxother rests on [[vault/plan]].\n",
    "vault/qzxclaims.yaml": """claims:
  - id: qzxclaim
    node: vault/plan
    says: Qzxsays that it costs little.
    as_of: 2025-01-01
    given: {list: 'price("qzxvendor/qzxitem", "on_demand")', share: assume("qzxassumption")}
    value: list * share
    expect: {at_most: 1 USD/GPU/h}
    tags: [qzxtag]
  - id: qzxsecondclaim
    node: vault/plan
    says: Qzxnew compares it with the list.
    as_of: 2025-01-01
    given: {list: 'price("acme/h1", "on_demand")', ours: 'price("qzxvendor/qzxitem", "on_demand")'}
    value: ours / list
    expect: {at_least: 1}
""",
    "vault/prices.yaml": """catalog: qzxcatalog
prices:
  - {item: qzxvendor/qzxitem, component: on_demand, value: 7.77 USD/GPU/h, from: 2025-01-01, source: "https://qzxhost.example/p", checked: 2026-11-01}
  - {item: acme/h1, component: on_demand, value: 9.99 USD/GPU/h, from: 2025-01-01, source: "https://qzxhost.example/q", checked: 2026-11-01}
""",
    "vault/assumptions.yaml": """assumptions:
  - {name: qzxassumption, value: 60%, low: 30%, high: 80%, source: "https://qzxhost.example/a", checked: 2026-11-01}
""",
    "vault/terms.yaml": "terms:\n  - {label: Qzxterm, variants: [Qzxvariant], definition: Qzxdefinition.}\n  - {label: Index, definition: Qzxindex.}\n",
    "vault/families.yaml": """families:
  qzxvendor/qzxfamily:
    - {from: 2024-03-04, model: qzxvendor/qzxitem, source: "https://qzxhost.example/f"}
""",
    "vault/tags.yaml": "tags:\n  open: qzxmerged\n",
    "vault/silences.yaml": "silences:\n  - {tag: open, reason: qzxreason, since: 2026-11-01, until: 2026-12-01}\n",
}
NAMES = {
    "brain": ("vault", "pub"),
    "slug": ("plan", "open", "qzxterm", "index"),
    "claim": ("qzxclaim", "open-claim"),
    "tag": ("qzxtag", "open"),
    "work": ("https://qzxhost.example/deal", "https://open.example/one"),
    "item": ("qzxvendor/qzxitem", "acme/h1"),
    "name": ("qzxassumption", "qzxvendor/qzxitem", "acme/h1"),
    "document": ("vault/plan.md", "vault/qzxclaims.yaml", "pub/open.md"),
    "node": ("vault/plan", "pub/open"),
    "around": ("vault/plan", "pub/open"),
    "from": ("vault/plan", "pub/open"),
    "to": ("vault/second", "pub/plan-of-pub"),
    "q": ("qz", "qzxbody", "tag:qzxtag", "brain:vault", "index"),
    "prefix": ("qz",),
    "host": ("qzxhost.example", "open.example"),
    "source": ("https://qzxhost.example/deal",),
    "by": ("brain", "tag"),
    "run": ("1", "2"),
    "day": ("2026-11-21",),
    "as_of": ("2026-11-21", "2026-12-21"),
    "known": ("2026-11-21",),
    "kind": ("not-found", "thesis"),
    "number": ("0",),
    "form": ("svg",),
    "since": ("2026-01-01",),
    "limit": ("5",),
    "sort": ("title",),
    "verdict": ("refuted", "holds"),
    "depth": ("2",),
    "edition": ("1",),
    "query": ("SELECT * WHERE { GRAPH ?g { ?s ?p ?o } }", "SELECT * { ?s ?p ?o }"),
}
"""Values for the parameters of addresses: what is private, and what is public."""

FORMS = ("json", "csv", "html", "turtle", "jsonld", "ntriples", "trig", "markdown", "graphml")


class Served:
    """A service over a home with a private brain, and tokens."""

    def __init__(self, brain, client):
        self.brain, self.client = brain, client
        self.headers = {"nobody": {}, "holder": self._token("vault"), "other": self._token("pub")}

    def _token(self, name):
        token, stored = issue(Scope.READ, brain=name, until=None, comment="qzxcomment", at=NOW)
        self.brain.tokens.add(stored)
        return {"Authorization": f"Bearer {token}"}

    def get(self, who, path):
        return self.client.get(path, headers=self.headers[who])


def written(folder, texts):
    """A folder of the texts."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Two runs; the brain `vault` becomes private between them."""
    folder = tmp_path_factory.mktemp("private")
    written(folder, {**PUBLIC, **PRIVATE})
    with Brain.open(Settings(home=folder / "home")) as brain:
        for name in ("pub", "vault"):
            report = brain.ingest([folder / name], brain=name, at=NOW)
            assert report.stored, report.problems
            assert not [one for one in report.problems if one.severity == "error"], report.problems
        brain.verify(NOW.date(), at=NOW, clock=lambda: NOW)
        brain.put_policy(BrainPolicy(name="vault", private=True, max_nodes=50), at=NOW)
        brain.ingest([folder / "pub"], brain="pub", at=NOW)
        brain.ingest([folder / "vault"], brain="vault", at=NOW)
        later = NOW + timedelta(days=1)
        brain.verify(later.date(), at=later, clock=lambda: later)
        pages = router(PageContext(brain), clock=lambda: later)
        app = build(brain, clock=lambda: later, pages=pages)
        with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
            yield Served(brain, client)


def filled(path):
    """The address with every choice of its parameters."""
    names = re.findall(r"\{(\w+)(?::path)?\}", path)
    for values in product(*(NAMES.get(name, ("qzx",)) for name in names)):
        found = path
        for name, value in zip(names, values, strict=True):
            found = re.sub(rf"\{{{name}(:path)?\}}", quote(value, safe="" if name == "work" else "/"), found)
        yield found


def addresses(served):
    """Every address of the API and of the pages, with each of its parameters and forms."""
    for path, methods in served.get("nobody", "/openapi.json").json()["paths"].items():
        if "get" not in methods:
            continue
        parameters = [one["name"] for one in methods["get"].get("parameters", ()) if one["in"] == "query"]
        for place in filled(path):
            yield place
            yield from (f"{place}?{name}={quote(value)}" for name in parameters for value in NAMES.get(name, ()))
            if "format" in parameters and "query" not in parameters:
                yield from (f"{place}?format={form}" for form in FORMS)
    for path, _ in PAGES:
        yield from filled(path)
    for path in ("/search?q=", "/suggest.json?q=", "/claims?node=", "/graph?around=", "/graph.json?around=", "/sources?host=", "/tags?q=", "/terms?q=", "/prices?q="):
        yield from (path + quote(value) for value in (*NAMES["q"], *NAMES["node"], "qzxvendor"))
    yield from ("/robots.txt", "/sitemap.xml", "/openapi.json", "/docs", "/feed.json?claim=qzxclaim", "/feed.atom?tag=qzxtag")


def words(answer, path):
    """The secret words in an answer, without those that the caller asked with."""
    text = answer.text if "image/png" not in answer.headers.get("content-type", "") else ""
    text += "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    asked = {word.lower() for word in SECRET.findall(path)} | {"qz"}
    return {word.lower() for word in SECRET.findall(text)} - asked


def test_no_address_says_a_word_of_a_private_brain_without_its_token(served):
    asked = list(dict.fromkeys(addresses(served)))
    assert len(asked) > 400
    found, leaks, broken = set(), [], []
    for path in asked:
        held = served.get("holder", path)  # first: what is cached for the holder is not for others
        found |= words(held, "")
        for who in ("nobody", "other"):
            answer = served.get(who, path)
            if leaked := words(answer, path):
                leaks.append((who, path, answer.status_code, sorted(leaked)))
            if answer.status_code >= 500:
                broken.append((who, path, answer.status_code, answer.text[:200]))
        if held.status_code >= 500:
            broken.append(("holder", path, held.status_code, held.text[:200]))
    assert not leaks
    assert not broken
    stated = {word.lower() for text in PRIVATE.values() for word in SECRET.findall(text)}
    assert stated - found <= {"qzxproperty", "qzxreason", "qzxmerged"} - found
