"""Linked data: every IRI that an export mints resolves to its page and to its triples, under the requested address."""

import json
import re
import socket
from datetime import date
from urllib.parse import quote, urlsplit

import pyoxigraph
import pytest

from api.brain import Brain
from api.server import address_of
from api.services import exports
from api.settings import Settings
from graph.rdf.iris import IriFactory
from tests.command import written
from tests.conftest import NOW, TODAY
from tests.ingest.own_documents import OWN
from tests.web_client import web_client

pytestmark = pytest.mark.usefixtures("exports_here")

SITE = "http://localhost/"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

RULES = {
    "claims.yaml": """claims:
  - {id: barge/day rate, node: mira/tide-windows-are-a-price-list, says: 'A barge costs 900 euros a day, crew included.',
     as_of: 2026-01-02, given: {rate: 'price("mill/barge hire", "on_demand")', crew: assume("crew")}, value: rate * crew,
     expect: {is: 900 USD/server/h, within: 5 USD/server/h}, tags: [berths & bays], source: 'https://example.org/barges',
     contradicts: [no-price]}
  - {id: no-price, node: mira/tide-windows-are-a-price-list, says: A tug costs less than a barge., as_of: 2026-01-02,
     value: 'price("mill/tug", "on_demand")', expect: {at_most: 2 USD/server/h}}
""",
    "prices.yaml": """licence: own
prices:
  - {item: mill/barge hire, component: on_demand, value: 300 USD/server/h, from: 2026-01-01, to: 2026-06-01,
     source: 'https://example.org/barges', checked: 2026-01-01}
  - {item: mill/barge hire, component: on_demand, value: 450 USD/server/h, from: 2026-06-01, region: north,
     source: 'https://example.org/letters?a=1&b=é', checked: 2026-06-01}
""",
    "assumptions.yaml": """assumptions:
  - {name: crew, value: 3, low: 2, high: 4, source: 'https://example.org/crews', checked: 2026-01-01}
""",
    "words/other.yaml": """brain: other
terms:
  - {label: Ebb, variants: [falling tide], definition: The falling half of a tide., broader: [Tide]}
  - {label: Tide, definition: 'The rise and fall of the sea, twice a day.', related: [Ebb]}
""",
    "gone.md": "---\ntitle: Gone\nkind: reading\n---\n\nSoon gone.\n",
    "citing.md": "---\ntitle: Ebb & flow?\nkind: thesis\n---\n\nIt rests on [[Gone]] and [[Tide windows are a price list]].\n",
}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    """A brain with every kind of thing, two runs, a document in two versions, and a removed node that is cited."""
    folder = written(tmp_path_factory.mktemp("harbour"), {**dict(OWN.values()), **RULES})
    with Brain.open(Settings(home=folder / ".home", allowed_hosts="brain.local,one.test,two.test")) as brain:
        report = brain.ingest([folder], at=NOW)
        assert report.stored, [problem.render() for problem in report.problems]
        brain.verify(date(2026, 3, 1), at=NOW, clock=lambda: NOW)
        (folder / "gone.md").unlink()
        gone = next(one.name for one in brain.documents.all() if one.name.endswith("gone.md"))
        brain.importer.remove([gone], at=NOW)
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)
        yield brain


def service(brain):
    return web_client(brain, lambda: NOW, base_url=SITE, follow_redirects=False)


@pytest.fixture(scope="module")
def web(harbour):
    with service(harbour) as client:
        yield client


@pytest.fixture(scope="module")
def minted(web):
    """Every IRI below the address of the service in the complete export, nanopublications included."""
    data = web.get("/v1/export?format=trig")
    assert data.status_code == 200
    found = named(data.content, pyoxigraph.RdfFormat.TRIG)
    assert len(found) > 200
    return found


def named(data, form):
    terms = {term for quad in pyoxigraph.parse(data, format=form) for term in quad}
    return {term.value for term in terms if isinstance(term, pyoxigraph.NamedNode) and term.value.startswith(SITE)}


def path_of(iri):
    return urlsplit(iri).path or "/"


def subjects(data, form):
    return {t.subject.value for t in pyoxigraph.parse(data, format=form) if isinstance(t.subject, pyoxigraph.NamedNode)}


def inlined(web, data):
    """A JSON-LD document with its context in it: the parser fetches nothing."""
    told = json.loads(data)
    if told["@context"] == "https://schema.org":
        told["@context"] = {"@vocab": "https://schema.org/"}
    else:
        assert told["@context"].startswith(SITE)
        told["@context"] = web.get(path_of(told["@context"])).json()["@context"]
    return json.dumps(told).encode()


KINDS = (
    "nodes brains tags sources documents claims runs snapshots prices assumptions ns #citation #quotation #table #link "
    "#given #rating #input #flip #step #count #publisher /nanopub #assertion"
)


def test_the_small_brain_has_every_kind_of_thing(minted):
    assert [kind for kind in KINDS.split() if not any(kind in iri.removeprefix(SITE) for iri in minted)] == []


@pytest.fixture(scope="module")
def removed(web, minted):
    gone = {iri for iri in minted if web.get(path_of(iri)).status_code == 410}
    assert {path_of(iri).rpartition("/")[2] for iri in gone} == {"gone"}
    return gone


HOME = "/"  # the page of the publisher's IRI, which has no other form
DATA_ONLY = re.compile(r"/(snapshots/|runs/\d+/claims/|ns$)")


def test_every_iri_of_the_export_has_a_page_or_its_data(web, minted, removed):
    """Brains, documents, links, snapshots and assumptions were 404; the address of a ClaimReview was 406."""
    wrong = {}
    for path in {path_of(iri) for iri in minted - removed}:
        page = web.get(path, headers={"Accept": BROWSER})
        html = page.headers["content-type"].startswith("text/html")
        if page.status_code != 200 or html == bool(DATA_ONLY.match(path)):
            wrong[path] = (page.status_code, page.headers["content-type"])
    assert wrong == {}


@pytest.mark.parametrize("media", ["text/turtle", "application/ld+json", "application/n-triples"])
def test_every_iri_of_the_export_points_to_triples_about_it(web, minted, removed, media):
    form = pyoxigraph.RdfFormat.from_media_type(media)
    wrong, answers = {}, {}
    for iri in minted - removed:
        path = path_of(iri)
        if path == HOME:
            continue
        if path not in answers:
            found = web.get(path, headers={"Accept": media})
            good = found.status_code == 200 and found.headers["content-type"].startswith(media)
            data = inlined(web, found.content) if good and "json" in media else found.content
            answers[path] = subjects(data, form) if good else found.status_code
        if answers[path] == {} or (isinstance(answers[path], int) or not described(iri, answers[path], media)):
            wrong[iri] = answers[path]
    assert wrong == {}


def described(iri, found, media):
    """A verdict as JSON-LD is its ClaimReview, which leaves out the working; a graph's name is no subject of its own."""
    if "ld+json" in media and "/runs/" in iri and "/claims/" in iri and "/nanopub" not in iri:
        return iri.partition("#")[0] in found
    if iri.endswith(("/nanopub#head", "/nanopub#pubinfo", "/nanopub#provenance")):
        return iri.partition("#")[0] in found
    return iri in found


def test_the_answer_about_a_node_is_complete_and_tags_and_works_name_their_nodes(web, harbour):
    node = harbour.nodes.get("mira/tide-windows-are-a-price-list")
    about = subjects(web.get(f"/v1/nodes/{node.id}?format=ntriples").content, pyoxigraph.RdfFormat.N_TRIPLES)
    names = IriFactory(SITE)
    expected = {names.brain("mira"), names.document(node.provenance.document, node.provenance.sha256)}
    expected |= {*map(names.tag, node.tags), *(names.source(source.id) for source in node.sources)}
    assert {iri.value for iri in expected} <= about
    for node in harbour.nodes.all():
        paths = [f"/tags/{tag}" for tag in node.tags] + [f"/sources/{quote(one.id, '')}" for one in node.sources]
        for path in paths:
            told = web.get(f"/v1{path}?format=ntriples").content
            assert IriFactory(SITE).node(node.id).value in subjects(told, pyoxigraph.RdfFormat.N_TRIPLES)


def test_a_removed_node_is_gone_in_every_form(web, removed):
    for iri in removed:
        for media in (BROWSER, "text/turtle", "application/ld+json"):
            assert web.get(path_of(iri), headers={"Accept": media}).status_code == 410


def test_every_iri_in_the_answer_about_one_thing_has_a_target_too(web, minted):
    """Answers mint IRIs that the export does not: evaluations that no run keeps, members of a family."""
    seen, waiting = {HOME}, {path_of(iri) for iri in minted} - {HOME}
    known = {HOME, *waiting}
    while waiting:
        path = waiting.pop()
        seen.add(path)
        answer = web.get(path, headers={"Accept": "text/turtle"})
        assert answer.status_code == 200 or path.endswith("/gone"), path
        if answer.status_code == 200:
            waiting |= {path_of(iri) for iri in named(answer.content, pyoxigraph.RdfFormat.TURTLE)} - seen
    assert any("/on/2026-11-21" in path for path in seen - known)
    for path in seen - known:
        assert web.get(path, headers={"Accept": BROWSER}).status_code == 200, path


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("text/turtle;q=1, text/html;q=0.5", "text/turtle"), ("text/html;q=0.5, text/turtle", "text/turtle"),
        ("text/turtle;q=0.4, text/html;q=0.5", "text/html"), ("text/turtle, text/html", "text/html"),
        ("text/html;q=0, */*", "application/json"),
        ("text/*;q=0.3, application/ld+json;q=0.9, */*;q=0.2", "application/ld+json"),
        ("application/json;q=0.9, text/html;q=0.8", "application/json"), ("*/*;q=0.1, text/turtle", "text/turtle"),
        ("text/turtle;q=0.2, text/*;q=0.9", "text/html"), ("application/n-triples", "application/n-triples"),
        ("*/*", "text/html"), (BROWSER, "text/html"), ("", "text/html"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "path", ["/nodes/mira/tide-windows-are-a-price-list", "/prices/mill/barge%20hire", "/brains/mira"]
)
def test_the_form_is_the_one_that_the_caller_weighs_most(web, path, accept, media):
    found = web.get(path, headers={"Accept": accept})
    assert (found.status_code, found.headers["content-type"].partition(";")[0]) == (200, media)


@pytest.mark.parametrize("path", ["/nodes/mira/tide-windows-are-a-price-list", "/prices/mill/barge%20hire", "/runs/1"])
def test_both_addresses_of_a_thing_give_the_same_page_and_the_same_data(web, path):
    for media in (BROWSER, "text/turtle", "application/ld+json", "application/json"):
        iri, twin = (web.get(address, headers={"Accept": media}) for address in (path, f"/v1{path}"))
        assert iri.status_code == twin.status_code == 200
        assert iri.content == twin.content
    assert web.get(f"/v1{path}?format=html").text == web.get(path).text
    assert web.get(f"/v1{path}").headers["content-type"] == "application/json"
    tag = web.get(path).headers["etag"]
    assert web.get(path, headers={"If-None-Match": tag}).status_code == 304, "pages are tagged too"


def test_a_form_by_name_goes_before_the_header(web):
    path = "/nodes/mira/tide-windows-are-a-price-list"
    for form, other, media in (("turtle", BROWSER, "text/turtle"), ("html", "text/turtle", "text/html")):
        answer = web.get(f"{path}?format={form}", headers={"Accept": other})
        assert answer.headers["content-type"].startswith(media)
    assert web.get(f"{path}?format=png").status_code == 406
    assert web.get(path, headers={"Accept": "image/png"}).status_code == 406


@pytest.mark.parametrize(
    "path",
    ["/brains/none", "/documents/none.md", f"/documents/mira.txt/{'0' * 64}", "/snapshots/none", "/assumptions/none",
     "/prices/no/such", "/runs/99/claims/no-price", "/runs/x/claims/no-price", "/runs/1/claims/none/nanopub",
     "/claims/none/on/2026-01-01"],
)  # fmt: skip
def test_what_is_not_there_is_missing_in_every_form(web, path):
    assert web.get(path, headers={"Accept": BROWSER}).status_code in {404, 422}
    assert web.get(path, headers={"Accept": "text/turtle"}).status_code in {404, 422}


def iris(answer):
    return {t.subject.value for t in pyoxigraph.parse(answer.content, format=pyoxigraph.RdfFormat.TURTLE)}


def bases(found):
    return {"{0.scheme}://{0.netloc}".format(urlsplit(iri)) for iri in found} - {"https://example.org"}


NODE = "/nodes/mira/depth-is-bought-by-the-centimetre"


def test_without_a_public_address_iris_are_at_the_requested_address(harbour):
    with service(harbour) as client:
        for host in ("brain.local:8123", "[::1]:8123", "127.0.0.1"):
            for path in (f"/v1{NODE}?format=turtle", "/v1/export?format=turtle", "/.well-known/void"):
                assert f"http://{host}" in bases(iris(client.get(path, headers={"Host": host})))
            feed = client.get("/feed.json", headers={"Host": host}).json()
            assert feed["home_page_url"] == f"http://{host}/"
            assert f"http://{host}/nodes/" in client.get(NODE, headers={"Host": host}).text


@pytest.mark.parametrize("host", ['"><script>', "a b", "user@host", "a/b", "", "x:99999999"])
def test_a_host_that_is_none_is_in_no_answer(harbour, host):
    with service(harbour) as client:
        found = client.get(f"/v1{NODE}?format=turtle", headers={"Host": host})
    if found.status_code == 200:
        assert bases(iris(found)) <= {"http://127.0.0.1:8000", "https://example.net"}


def test_a_public_address_goes_before_every_other_and_an_export_without_a_request_is_at_the_served_one(harbour):
    settings = harbour.settings.model_copy(update={"url": "https://public.example/brain/"})
    with Brain.open(settings, "http://127.0.0.1:8123") as brain, service(brain) as client:
        for path in (f"/v1{NODE}?format=turtle", "/v1/export?format=turtle"):
            found = client.get(path)
            assert b"https://public.example/brain/nodes/" in found.content
            assert b"http://localhost" not in found.content
        assert client.get("/feed.json").json()["feed_url"] == "https://public.example/brain/feed.json"
        assert b"https://public.example/brain/" in b"".join(exports.pieces(brain, "ntriples"))
    with Brain.open(harbour.settings, "http://127.0.0.1:8123") as brain:
        assert b"<http://127.0.0.1:8123/nodes/" in b"".join(exports.pieces(brain, "ntriples"))
    with Brain.open(harbour.settings) as brain:
        assert b"<http://127.0.0.1:8000/nodes/" in b"".join(exports.pieces(brain, "ntriples"))


@pytest.mark.parametrize(
    ("family", "host", "shown"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1"), (socket.AF_INET, "0.0.0.0", "127.0.0.1"),
        (socket.AF_INET6, "::1", "[::1]"), (socket.AF_INET6, "::", "[::1]"),
    ],
)  # fmt: skip
def test_the_address_that_is_served_is_one_that_can_be_opened(family, host, shown):
    with socket.socket(family) as listening:
        try:
            listening.bind((host, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        address = address_of(listening)
        assert address == f"http://{shown}:{listening.getsockname()[1]}"
        assert IriFactory(address + "/").base == address + "/"
