"""A private brain looked for through every address: found by nobody without a token for it."""

import inspect
import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from sqlalchemy import text

from api.brain import Brain
from api.cli.cli_session import OPERATOR
from api.cli.command_table import COMMANDS
from api.http.responses.content_negotiation import MEDIA
from api.mcp_server import McpTools
from api.pages.page_routes import PAGES, router
from api.pages.views.claim_table import PageContext
from api.services.access import COOKIE, TOKEN, Authenticator, checksum, issue
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from graph.models.access_models import BrainPolicy, Scope
from tests.command import outcome, written
from tests.http.conftest import NOW, bearer_of
from tests.web_client import web_client

SECRET = re.compile(r"qzx[a-z]*", re.IGNORECASE)
"""Every text of the private brain that a reader must not see has a word that begins like this; no other text has."""

PUBLIC = {
    "pub/open.md": """---
title: Open note
kind: thesis
tags: [open]
sources: [https://open.example/one]
---
Two halves are 1.00 USD. See [[plan]] and [[Plan of pub]]. An index term.
""",
    "pub/plan-of-pub.md": "---\ntitle: Plan of pub\nkind: reading\ntags: [open, plans]\n---\nThe index.\n",
    "pub/claims.yaml": """claims:
  - {id: open-claim, node: pub/open, says: Two halves are a dollar., as_of: 2025-01-01, tags: [open],
     given: {list: 'price("acme/h1", "on_demand")'}, value: list, expect: {at_most: 3 USD/GPU/h}}
""",
    "pub/prices.yaml": """prices:
  - {item: acme/h1, component: on_demand, value: 2 USD/GPU/h, from: 2025-01-01, source: "https://open.example/p", checked: 2026-11-01}
""",
    "pub/terms.yaml": "terms:\n  - {label: Index, definition: A list of what there is.}\n",
}
PRIVATE = {
    "qzxvault/plan.md": """---
title: Qzxtitle of the plan
kind: thesis
tags: [qzxtag, open]
sources: [https://qzxhost.example/deal]
note_of: qzxproperty
---
Qzxbody: the plan cites [[pub/open]] and [[qzxvault/second]], and the Index. Our share was 40% + 20% = 65% qzxfigure.

| qzxcolumn | USD |
|---|---|
| qzxcell | 3 |
""",
    "qzxvault/second.md": "---\ntitle: Qzxsecond\nkind: reading\ntags: [qzxtag]\n---\nQzxother rests on [[qzxvault/plan]].\n",
    "qzxvault/qzxclaims.yaml": """claims:
  - {id: qzxclaim, node: qzxvault/plan, says: Qzxsays that it costs little., as_of: 2025-01-01, tags: [qzxtag],
     given: {list: 'price("qzxvendor/qzxitem", "on_demand")', share: assume("qzxassumption")}, value: list * share,
     expect: {at_most: 1 USD/GPU/h}}
  - {id: qzxsecondclaim, node: qzxvault/plan, says: Qzxnew compares it with the list., as_of: 2025-01-01,
     given: {list: 'price("acme/h1", "on_demand")', ours: 'price("qzxvendor/qzxitem", "on_demand")'},
     value: ours / list, expect: {at_least: 1}}
""",
    "qzxvault/qzxprices.yaml": """catalog: qzxcatalog
prices:
  - {item: qzxvendor/qzxitem, component: on_demand, value: 7.77 USD/GPU/h, from: 2025-01-01, source: "https://qzxhost.example/p", checked: 2026-11-01}
  - {item: acme/h1, component: on_demand, value: 9.99 USD/GPU/h, from: 2025-01-01, source: "https://qzxhost.example/q", checked: 2026-11-01}
""",
    "qzxvault/assumptions.yaml": """assumptions:
  - {name: qzxassumption, value: 60%, low: 30%, high: 80%, source: "https://qzxhost.example/a", checked: 2026-11-01}
""",
    "qzxvault/qzxterms.yaml": "terms:\n  - {label: Qzxterm, variants: [Qzxvariant], definition: Qzxdefinition.}\n  - {label: Index, definition: Qzxindex.}\n",
    "qzxvault/families.yaml": """families:
  qzxvendor/qzxfamily: [{from: 2024-03-04, model: qzxvendor/qzxitem, source: "https://qzxhost.example/f"}]
""",
    "qzxvault/tags.yaml": "tags:\n  open: qzxmerged\n",
    "qzxvault/silences.yaml": "silences:\n  - {tag: open, reason: qzxreason, since: 2026-11-01, until: 2026-12-01}\n",
}
VALUES = {
    "brain/slug": ("qzxvault/plan", "qzxvault/qzxterm", "pub/open", "pub/index"), "brain": ("qzxvault", "pub"),
    "run/claim": ("1/qzxclaim", "2/qzxclaim", "2/open-claim"), "claim": ("qzxclaim", "open-claim"),
    "claim/day": ("qzxclaim/2026-11-22", "open-claim/2026-11-22"), "tag": ("qzxtag", "open"), "run": ("1", "2"),
    "work": ("https://qzxhost.example/deal", "https://open.example/one"), "item": ("qzxvendor/qzxitem", "acme/h1"),
    "name": ("qzxassumption", "qzxvendor/qzxitem", "acme/h1"), "document": ("qzxclaims.yaml", "plan.md", "open.md"),
    "kind": ("not-found",),
}  # fmt: skip
"""Values for the parameters in the path of an address: what is private, and what is public."""

CHOICES = {
    "q": ("qz", "qzxbody", "brain:qzxvault", "index"), "tag": ("qzxtag", "open"), "brain": ("qzxvault", "pub"),
    "claim": ("qzxclaim",), "node": ("qzxvault/plan", "pub/open"), "around": ("qzxvault/plan", "pub/open"),
    "from": ("qzxvault/plan", "pub/open"), "to": ("qzxvault/second", "pub/plan-of-pub"), "prefix": ("qz",),
    "host": ("qzxhost.example",), "source": ("https://qzxhost.example/deal",), "item": ("qzxvendor/qzxitem", "acme/h1"),
    "by": ("brain", "tag"), "known": ("2026-11-21", "2026-11-22"), "since": ("2026-01-01",), "limit": ("3",),
    "verdict": ("holds",), "query": ("SELECT * { GRAPH ?g { ?s ?p ?o } }", "SELECT * { ?s ?p ?o }"),
}  # fmt: skip
"""Values for the parameters behind the question mark."""


class Served:
    def __init__(self, brain, client):
        self.brain, self.client, self.headers = brain, client, {"nobody": {}}
        session = Authenticator(brain, lambda: NOW + timedelta(days=1)).session
        for who, name in (("holder", "qzxvault"), ("other", "pub")):
            self.headers[who], _ = bearer_of(brain, Scope.READ, name)
            token = self.headers[who]["Authorization"].removeprefix("Bearer ")
            self.headers[f"{who}'s browser"] = {"Cookie": f"{COOKIE}={session(token)}"}

    def get(self, who, path):
        return self.client.get(path, headers=self.headers[who])


@pytest.fixture(scope="module")
def served(tmp_path_factory, exports_here):
    """Two runs; the brain `qzxvault` becomes private between them."""
    folder = written(tmp_path_factory.mktemp("private"), {**PUBLIC, **PRIVATE})
    with Brain.open(Settings(home=folder / "home")) as brain:
        for name in ("pub", "qzxvault"):
            report = brain.ingest([folder / name], at=NOW, options=ImportOptions(brain=name))
            assert report.stored, report.problems
            assert not [one for one in report.problems if one.severity == "error"], report.problems
        brain.verify(NOW.date(), at=NOW, clock=lambda: NOW)
        brain.prices.put_policy(BrainPolicy(name="qzxvault", private=True, max_nodes=50), at=NOW)
        brain.ingest([folder / "pub"], at=NOW, options=ImportOptions(brain="pub"))
        brain.ingest([folder / "qzxvault"], at=NOW, options=ImportOptions(brain="qzxvault"))
        later = NOW + timedelta(days=1)
        brain.verify(later.date(), at=later, clock=lambda: later)
        with web_client(brain, lambda: later, raise_server_exceptions=False) as client:
            yield Served(brain, client)


def filled(path):
    path = path.replace(":path}", "}").replace("{form}", "svg").replace("{edition}", "1")
    names = [name for name in re.findall(r"{(\w+)}", path) if name not in {"snapshot"}]
    found = []
    for values in VALUES["/".join(names)] if names else [""]:
        place, parts = path, values.split("/") if len(names) > 1 else [values][: len(names)]
        for name, value in zip(names, parts, strict=True):
            place = place.replace(f"{{{name}}}", quote(value, safe="" if name == "work" else "/"))
        found.append(place)
    return found


def addresses(served):
    """Every address of the API and of the pages, with each of its parameters and forms."""
    ledger = served.brain.ledger
    snapshots = [one.snapshot for one in (*ledger.parts(), *ledger.runs())]
    described = served.get("nobody", "/openapi.json").json()["paths"]
    for path, methods in described.items():
        if "get" not in methods:
            continue
        parameters = [one["name"] for one in methods["get"].get("parameters", ()) if one["in"] == "query"]
        places = filled(path) if "{snapshot}" not in path else [path.replace("{snapshot}", one) for one in snapshots]
        yield from places
        yield from (f"{places[-1]}?{name}={quote(value)}" for name in parameters for value in CHOICES.get(name, ()))
        if "format" in parameters and "query" not in parameters:
            media = methods["get"]["responses"]["200"]["content"]
            forms = [form for form, name in MEDIA.items() if name.partition(";")[0] in media][1:]
            yield from (f"{place}?format={form}" for place in dict.fromkeys((places[0], places[-1])) for form in forms)
    for path, _ in PAGES:
        yield from filled(path) if "{snapshot}" not in path else [path.replace("{snapshot}", one) for one in snapshots]
    for path in ("/search", "/suggest.json", "/terms", "/prices"):
        yield from (f"{path}?q={quote(value)}" for value in (*CHOICES["q"], "qzxvendor"))
    for path, name in (("/claims", "node"), ("/graph", "around"), ("/graph.json", "around"), ("/sources", "host")):
        yield from (f"{path}?{name}={quote(value)}" for value in CHOICES[name])
    yield from ("/robots.txt", "/favicon.ico", "/sitemap.xml", "/openapi.json", "/docs", "/plan", "/nodes/plan")


def words(answer, path):
    """The secret words in an answer, without those that the caller asked with."""
    text = answer.text if "image/png" not in answer.headers.get("content-type", "") else ""
    text += "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    asked = {word.lower() for word in SECRET.findall(path)} | {"qz"}
    return {word.lower() for word in SECRET.findall(text)} - asked


POSTS = {
    "/sparql": {"data": {"query": "SELECT * { ?s ?p ?o }"}},
    "/v1/proof": {
        "content": "Qz is 40% + 20% = 65%, and the H1 costs 7.77 USD.", "headers": {"Content-Type": "text/plain"},
    },
    "/v1/claims/check": {"json": {"claims": "- node: qzxvault/plan\n  value: 1\n  expect: {is: 1}\n"}},
}  # fmt: skip
"""What is sent to addresses that compute and store nothing."""

WRITES = {"/v1/documents", "/v1/runs", "/v1/claims/{claim}/acknowledgement"}
"""Addresses that write: `test_tokens_allow_what_their_scope_says_and_no_more`."""

OTHER_PAGES = {
    "/proof", "/static/{edition}/{name}", "/sign-in", "/sign-out", "/robots.txt", "/favicon.ico", "/{rest:path}",
}  # fmt: skip
"""Routes of pages beside `PAGES`: none says anything of a brain, but `/proof`, whose form is `/v1/proof`."""

CALLS = {
    "brains": ("list",), "silences": ("list",), "runs": ("2",), "prices": ("list",), "check": (),
    "export": ("--format", "json"), "search": ("qzxbody",), "tags": (), "show": ("pub/open",),
    "citations": ("pub/open",), "backlinks": ("pub/open",), "claims": (), "explain": ("open-claim",), "errata": (),
    "verify": ("--claim", "open-claim"), "record": (), "health": ("pub/open",), "mine": (), "proof": ("FILE",),
    "changes": ("--since", "2026-01-01"), "acks": (), "impact": ("acme/h1",), "mcp": None,
}  # fmt: skip
"""Every command that reads, with arguments; the tools of `mcp` are called one by one."""

GIVEN = {
    "text": "qzxbody", "node": "pub/open", "item": "acme/h1", "price": "acme/h1", "claim": "open-claim",
    "claims": "- value: 1\n  expect: {is: 1}\n",
}  # fmt: skip
"""Arguments of the tools of MCP."""


READERS = {0: ("holder", "other", "other's browser"), 1: ("holder's browser", "nobody")}
"""Who asks some of ten addresses; the holder of a token and nobody in particular ask the others."""


def tools(brain):
    for tool in McpTools(brain, lambda: NOW).all():
        needed = [name for name, one in inspect.signature(tool).parameters.items() if one.default is one.empty]
        yield tool.__name__, repr(tool(**{name: GIVEN[name] for name in needed})).replace("qzxbody", "")


def commands(home, reader, text):
    for name, words in CALLS.items():
        for more in () if words is None else ((), ("--json",)):
            if name == "export" and more:
                continue
            asked = [str(text) if word == "FILE" else word for word in words]
            said = outcome(home, *reader, name, *asked, *more)
            yield f"{name} {' '.join(more)}", (said.out + said.err).replace("qzxbody", "")


def test_every_door_is_on_the_list(served):
    """A door that is new fails here, until the walk goes through it."""
    described = served.get("nobody", "/openapi.json").json()["paths"]
    sends = {path for path, methods in described.items() if methods.keys() & {"post", "put", "patch", "delete"}}
    assert sends == POSTS.keys() | WRITES, "list it in POSTS or WRITES of this file"
    shown = {route.path for route in router(PageContext(served.brain)).routes}
    listed = {path for path, _ in PAGES} | OTHER_PAGES
    assert shown == listed, "list it in PAGES of api/pages/page_routes.py, or in OTHER_PAGES of this file"
    whole = {name for name in OPERATOR if " " not in name}
    assert {command.name for command in COMMANDS} - whole == CALLS.keys(), "list it in CALLS of this file"


def test_no_door_says_a_word_of_a_private_brain_to_who_may_not_read_it(served, tmp_path):
    """Every address, page, feed, export, query, tool and command; each is asked by the holder of a token first."""
    found, leaks, broken = set(), [], []

    def hear(who, door, answer):
        if who.startswith("holder"):
            found.update(words(answer, ""))
        elif leaked := words(answer, door):
            leaks.append((who, door, answer.status_code, sorted(leaked)))
        if answer.status_code >= 500:
            broken.append((who, door, answer.status_code, answer.text[:200]))

    asked = list(dict.fromkeys(addresses(served)))
    assert len(asked) > 300
    for number, path in enumerate(asked):
        readers = READERS.get(number % 10, ("holder", "nobody"))
        for one in readers[1:] if path.startswith("/v1/export?") else readers:  # an export takes a process
            hear(one, path, served.get(one, path))
    for path, body in POSTS.items():
        for who in ("holder", "nobody", "other"):
            headers = {**body.get("headers", {}), **served.headers[who]}
            hear(who, f"{path} {body}", served.client.post(path, **{**body, "headers": headers}))
    assert not leaks
    assert not broken
    stated = {word.lower() for text in PRIVATE.values() for word in SECRET.findall(text)}
    assert sorted(stated - found) == []

    text = tmp_path / "text.md"
    text.write_text("The H1 costs 7.77 USD.\n")
    home, hidden = served.brain.settings.home, frozenset({"qzxvault"})
    told = {
        "public": [*tools(served.brain.for_reader(hidden)), *commands(home, ("--as-public",), text)],
        "holder": [*tools(served.brain), *commands(home, ("--as-brain", "qzxvault"), text)],
    }
    assert [(door, SECRET.findall(said)) for door, said in told["public"] if SECRET.search(said)] == []
    assert len([door for door, said in told["holder"] if SECRET.search(said)]) > 20
    assert not [door for door, said in told["holder"] if "Traceback" in said]


UNKNOWN = (
    *("/v1/nodes/{}", "/v1/nodes/{}?format=turtle", "/v1/nodes/{}/backlinks", "/v1/nodes/{}/statements"),
    *("/v1/graph?around={}", "/v1/path?from=pub/open&to={}", "/nodes/{}", "/previews/{}"),
)
"""Addresses of a node."""

OTHERS = (
    *("/v1/claims/{}claim", "/claims/{}claim", "/v1/claims/{}claim/evaluate", "/v1/brains/{}vault", "/brains/{}vault"),
    *("/v1/tags/{}tag", "/v1/prices/{}vendor/{}item", "/v1/assumptions/{}assumption", "/v1/documents/{}claims.yaml"),
)
"""Addresses of other things."""


def test_what_is_private_answers_as_what_does_not_exist(served):
    pairs = [(path.format("qzxvault/plan"), path.format("qzyvault/plan")) for path in UNKNOWN]
    pairs += [(name.replace("{}", "qzx"), name.replace("{}", "qzy")) for name in OTHERS]
    for part in served.brain.ledger.parts():  # run 1 used the same prices, and says by which hash
        seen = [served.get(who, f"/v1/snapshots/{part.snapshot}").json()["catalog"] for who in ("nobody", "holder")]
        assert seen == [None, "book"]
    for private, unknown in pairs:
        for who in ("nobody", "other"):
            answers = [served.get(who, path) for path in (private, unknown)]
            assert {answer.status_code for answer in answers} == {404}, (who, private)
            texts = [re.sub(r"qz[xy]", "qz", answer.text, flags=re.IGNORECASE) for answer in answers]
            assert texts[0] == texts[1], (who, private)
        assert served.get("holder", private).status_code == 200, private


def test_figures_of_others_neither_count_nor_depend_on_a_private_brain(served):
    run, whole = (served.get(who, "/v1/runs/2").json() for who in ("nobody", "holder"))
    assert run["counts"] == {"holds": 1}
    assert sum(whole["counts"].values()) == 3
    assert served.get("nobody", "/v1/claims").json()["total"] == 1
    found = served.get("nobody", "/v1/claims/open-claim").json()
    assert (found["value"], found["verdict"], found["inputs"][0]["source"]) == (2, "holds", "https://open.example/p")
    assert [one["value"] for one in served.get("nobody", "/v1/prices/acme/h1/history").json()["items"]] == [2]
    assert served.brain.evaluator.rerun(2).same
    own = served.get("holder", "/v1/runs/2/claims/qzxclaim").json()
    assert own["inputs"][0]["source"].startswith("https://qzxhost")


def test_tokens_allow_what_their_scope_says_and_no_more(served):
    brain, client = served.brain, served.client

    (writer, _), (other, _) = (bearer_of(brain, Scope.WRITE, name) for name in ("qzxvault", "pub"))
    (admin, stored), (ended, _) = bearer_of(brain, Scope.ADMIN), bearer_of(brain, Scope.ADMIN, until=NOW.date())
    note = "---\ntitle: Written\nkind: reading\n---\nMore of [[plan]].\n"

    def post(headers, name="written.md", content=note, **more):
        return client.post("/v1/documents", params={"name": name, **more}, content=content, headers=headers)

    version = brain.version()
    assert post({}).status_code == 401
    assert post(served.headers["holder"]).json()["type"] == "/problems/forbidden"
    assert post(ended).status_code == client.get("/v1/nodes", headers=ended).status_code == 401
    assert post(writer, brain="pub").status_code == 403  # another brain
    assert post(writer, name="open.md").status_code == 403  # a document of another brain, which it may see
    hidden = post(other, name="plan.md")  # a document that it may not see
    assert (hidden.status_code, words(hidden, "")) == (409, set())
    claims = PRIVATE["qzxvault/qzxclaims.yaml"].replace("qzxvault/plan", "pub/open")
    taken = post(other, name="mine.yaml", content=claims)
    assert (taken.status_code, words(taken, claims)) == (409, set())
    gone = {"params": {"name": "plan.md"}, "headers": other}
    assert client.delete("/v1/documents", **gone).status_code == 404
    assert client.delete("/v1/documents", params={"name": "open.md"}, headers=writer).status_code == 403
    assert client.post("/v1/runs", headers=writer).status_code == 403
    assert client.get("/v1/audit", headers=writer).status_code == 403
    assert brain.version() == version  # nothing of this wrote anything

    told = post(writer)
    assert (told.status_code, told.json()["documents"][0]["brain"]) == (201, "qzxvault")
    read = client.get("/v1/nodes/qzxvault/written", headers=writer)
    assert (read.status_code, read.headers["cache-control"]) == (200, "private, no-cache")
    assert "Authorization" in read.headers["vary"]
    assert client.get("/v1/nodes/qzxvault/written").status_code == 404
    linked = post(other, name="linked.md")
    assert (linked.status_code, words(linked, "")) == (201, set())  # its link is to a note that it may not see
    assert client.get("/v1/audit", headers=admin).json()["items"][0]["actor"].startswith("token ")

    brain.prices.put_policy(BrainPolicy(name="qzxvault", private=True, max_nodes=1), at=NOW)
    version = brain.version()
    full = post(writer, name="more.md")
    assert (full.status_code, full.json()["type"]) == (413, "/problems/quota-exceeded")
    assert brain.version() == version
    brain.tokens.revoke(stored.id, NOW)
    assert client.get("/v1/audit", headers=admin).status_code == 401


def test_only_a_token_that_may_write_a_claim_acknowledges_it(served):
    brain, client = served.brain, served.client
    brain.prices.put_policy(BrainPolicy(name="qzxvault", private=True), at=NOW)

    def answers(headers, claim):
        path = f"/v1/claims/{claim}/acknowledgement"
        told = {"until": "2026-12-24", "comment": "qzxasked the vendor", "by": "qzxalice"}
        written = client.post(path, params=told, headers=headers)
        ended = client.delete(path, headers=headers)
        return [(one.status_code, one.json().get("type", "").rpartition("/")[2]) for one in (written, ended)]

    def rows():
        with brain.store.reading() as sql:
            state = [sql.execute(text(f"SELECT * FROM {table}")).all() for table in ("silences", "meta", "audit")]
        return state, brain.version()

    (ours, _), (theirs, _) = (bearer_of(brain, Scope.WRITE, name) for name in ("qzxvault", "pub"))
    refused = (
        (ours, "open-claim", (403, "forbidden")),  # it sees the claim, which is of another brain
        (theirs, "qzxclaim", (404, "not-found")),  # it does not see the claim
        (served.headers["holder"], "qzxclaim", (403, "forbidden")),  # it may read only
        (bearer_of(brain, Scope.READ)[0], "qzxclaim", (403, "forbidden")),
        ({"Authorization": f"Bearer {'brain_' + 'x' * 40}"}, "qzxclaim", (401, "unauthorized")),
        ({"Authorization": "Bearer unknown"}, "open-claim", (401, "unauthorized")),
        ({}, "open-claim", (401, "unauthorized")),
    )
    for acknowledged in (False, True):  # then there is a row that the DELETE of others must not remove
        if acknowledged:
            stated = {"until": "2026-12-24", "comment": "x", "by": "alice"}
            assert client.post("/v1/claims/qzxclaim/acknowledgement", params=stated, headers=ours).status_code == 200
        before = rows()
        for headers, claim, expected in refused:
            assert answers(headers, claim) == [expected, expected], (headers, claim)
        assert rows() == before
    assert [status for status, _ in answers(ours, "qzxclaim")] == [200, 200]
    assert not brain.status.acknowledgements.all(NOW.date())


def test_a_token_has_a_form_that_scanners_find_and_is_stored_as_a_hash(served):
    given, stored = issue(Scope.READ, brain=None, until=NOW.date(), comment="", at=NOW)
    assert [stored.valid(NOW.date() - timedelta(days)) for days in (0, 1)] == [False, True]
    assert TOKEN.fullmatch(given)
    assert given[-6:] == checksum(given[:-6])
    served.brain.tokens.add(stored)
    with served.brain.store.reading() as sql:
        rows = repr(sql.execute(text("SELECT * FROM tokens")).all())
    assert stored.id in rows
    assert given.rpartition("_")[2] not in rows
