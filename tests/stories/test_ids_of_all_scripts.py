"""Titles and tags in any script keep their letters; the ASCII ids of earlier versions go on working everywhere."""

import xml.etree.ElementTree as ET
from urllib.parse import quote

import pytest

from api.settings import Settings
from graph.ids import slug
from tests.command import written
from tests.conftest import NOW
from tests.web_client import home_client

NOTES = {
    "Аренда H100.md": "H100 стоит $2.10 в час. См. [[料金の比較]].\n",
    "Цена H100.md": "Цена H100 равна $2.40. [[Аренда H100]]\n",
    "料金の比較.md": "# 料金の比較\n\nA card costs $25,000. [[Größe der Modelle]]\n",
    "Größe der Modelle.md": "Größe zählt: 70 GB.\n",
    "कीमत तुलना.md": "कीमत $3 है।\n",
    "Café.md": "Café costs 3 EUR.\n",
}
CLAIM = "  - {{id: {name}, node: {node}, says: It costs., as_of: 2026-11-01, value: 1 * {figure}, expect: {{is: {figure}}}}}\n"
OLD = {
    "notes/h100": "notes/аренда-h100",
    "notes/n-0b9b78": "notes/料金の比較",
    "notes/groe-der-modelle": "notes/größe-der-modelle",
    "notes/n-66df59": "notes/कीमत-तुलना",
}


@pytest.fixture
def vault(tmp_path):
    return written(tmp_path / "vault", NOTES)


def claims(*nodes):
    figures = ({"name": f"claim-{at}", "figure": f"{at + 2} USD", "node": node} for at, node in enumerate(nodes))
    return "claims:\n" + "".join(CLAIM.format(**one) for one in figures)


def stored(brain):
    return {item["id"] for item in brain("search", "--json", "--limit", "100").json["items"]}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Аренда H100", "аренда-h100"), ("GPUの価格、比較", "gpuの価格-比較"), ("कीमत तुलना", "कीमत-तुलना"), ("ราคา H100", "ราคา-h100"),
        ("Gro\u0308ße der Modelle", "größe-der-modelle"), ("Łódź & €5", "łódź-and-5"), ("ＧＰＵ の値段", "gpu-の値段"),
        ("İzmir Ж", "i̇zmir-ж"), ("می\u200cشود", "میشود"),
        # what has an ASCII form keeps the id that it has had
        ("Café — Über", "cafe-uber"), ("don’t stop", "dont-stop"), ("½ of H₂O", "12-of-h2o"), ("❤️", "n-16e814"),
    ],
)  # fmt: skip
def test_a_title_keeps_its_letters(title, expected):
    assert slug(title) == expected
    assert slug(expected) == expected


def test_old_ids_of_a_first_ingest_are_understood_in_claims_and_links(brain, vault):
    (vault / "claims.yaml").write_text(claims("notes/h100", "notes/n-66df59", "notes/Größe-der-Modelle"))
    (vault / "Links.md").write_text("See [[notes/h100]], [[groe-der-modelle]] and [[n-0b9b78#x]].\n")
    told = brain("ingest", vault, "--json").json
    assert told["citations"]["unresolved"] == 0
    nodes = [one["node"] for one in brain("claims", "--json").json["items"]]
    assert nodes == ["notes/аренда-h100", "notes/कीमत-तुलना", "notes/größe-der-modelle"]
    assert brain("show", "notes/h100", "--json").json["id"] == "notes/аренда-h100"


def test_old_addresses_and_claims_that_came_before_their_notes_lead_to_the_notes(brain, served, vault, tmp_path):
    early = written(tmp_path / "early", {"claims.yaml": claims(*OLD)})
    assert brain("ingest", early).out.count("which does not exist") == len(OLD)
    brain("ingest", vault)
    brain("verify")
    placed = {one["node"] for one in brain("claims", "--json").json["items"]}
    assert placed == {*OLD.values()}
    assert "claim-without-node" not in brain("check", "--json").out
    for old, new in OLD.items():
        assert brain("show", old, "--json").json["id"] == new
        assert {one["node"] for one in brain("claims", "--node", old, "--json").json["items"]} == {new}
    with served() as client:
        for old, new in OLD.items():
            for below in ("", "/claims", "/citations", "/related", "/health", "/backlinks"):
                answer = client.get(f"/v1/nodes/{old}{below}")
                assert (answer.status_code, str(answer.url)) == (200, f"http://localhost/v1/nodes/{quote(new)}{below}")
            assert client.get("/v1/claims", params={"node": old}).json()["items"][0]["node"] == new


def test_its_page_is_at_its_address_and_at_the_older_one(brain, home, vault):
    brain("ingest", vault)
    with home_client(Settings(home=home), lambda: NOW) as client:
        html = {"Accept": "text/html"}
        for old, new in OLD.items():
            moved = client.get(f"/nodes/{old}", headers=html, follow_redirects=False)
            assert (moved.status_code, moved.headers["location"]) == (307, f"/nodes/{quote(new)}")
            assert client.get(f"/nodes/{quote(new)}", headers=html).status_code == 200
        assert f'/nodes/{quote("notes/料金の比較")}"' in client.get("/search?q=card", headers=html).text


def test_every_interface_takes_such_an_id(brain, served, vault, tmp_path):
    (vault / "claims.yaml").write_text(claims("notes/料金の比較"))
    brain("ingest", vault)
    brain("verify")
    node, quoted = "notes/料金の比較", quote("notes/料金の比較")
    with served() as client:
        assert client.get(f"/v1/nodes/{quoted}").json()["id"] == node
        for below in ("citations", "backlinks", "related", "claims", "health", "dependents"):
            assert client.get(f"/v1/nodes/{quoted}/{below}").status_code == 200
        turtle = client.get(f"/v1/nodes/{quoted}", headers={"Accept": "text/turtle"})
        assert f"/nodes/{quoted}" in turtle.text
        found = client.get("/sparql", params={"query": "SELECT ?s WHERE {?s a ?t} LIMIT 500"})
        assert f"/nodes/{quoted}" in found.text
        assert client.get("/v1/graph", params={"around": node}).status_code == 200
        ET.fromstring(client.get("/feed.atom").content)
        first = client.get("/v1/nodes", params={"limit": 1, "sort": "id"}).json()
        assert client.get("/v1/nodes", params={"limit": 10, "sort": "id", "cursor": first["next"]}).json()["items"]
    out = tmp_path / "out"
    assert brain("export", "--format", "vault", "-o", out).code == 0
    assert (out / "notes" / "料金の比較.md").exists() or any(out.rglob("料金の比較*.md"))
    brain("--home", tmp_path / "second", "ingest", out)
    assert stored(brain) >= {node}
    for form in ("turtle", "csv", "graphml", "jsonld", "json"):
        assert brain("export", "--format", form, "-o", tmp_path / f"all.{form}").code == 0


def test_names_are_found_however_letters_and_digits_are_joined(brain, vault):
    for name in ("GPT-4o", "H100-SXM", "Llama-3", "Llama-3 1B"):
        (vault / f"{name}.md").write_text(f"About {name}.\n")
    (vault / "Links.md").write_text("See [[gpt4o]], [[h100sxm]] and [[llama3]], not [[llama-31b]].\n")
    brain("ingest", vault)
    targets = {"notes/gpt-4o", "notes/h100-sxm", "notes/llama-3"}
    links = brain("citations", "notes/links", "--json").json["items"]
    assert {one["target"] for one in links} == {*targets, None}
    for typed, node in (("gpt4o", "notes/gpt-4o"), ("h100sxm", "notes/h100-sxm"), ("notes/Llama3", "notes/llama-3")):
        assert brain("show", typed, "--json").json["id"] == node
        hits = [one["id"] for one in brain("search", typed.rpartition("/")[2], "--json").json["items"]]
        assert node in hits
    assert brain("show", "llama31b").code == 3


NAMED = {"home": "Welcome home\naliases: [Front door, GPU]", "gpu-rent": "Rent\ntags: [rent]", "ct": "Cost / token"}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Welcome home", "home"), ("front door", "home"), ("gpu", "home"), ("notes/Front door", "home"), ("rent", "gpu-rent"),
        ("gpu-rent", "gpu-rent"), ("Cost / token", "ct"), ("Same", "near it: notes/a, notes/b;"), ("Welcom home", "near it: notes/home;"),
    ],
)  # fmt: skip
def test_a_title_an_alias_or_a_last_part_names_its_node_and_several_are_listed(brain, tmp_path, typed, found):
    notes = {
        f"{name}.md": f"---\ntitle: {front}\n---\nWords.\n"
        for name, front in (NAMED | {"a": "Same", "b": "Same"}).items()
    }
    brain("ingest", written(tmp_path / "named", notes))
    told = brain("show", typed, "--json")
    assert found in told.err if found.startswith("near") else told.json["id"] == f"notes/{found}"


TAGGED = "---\ntags: [Größe, Maß]\n---\n# Die Größe der Straße\n\nDer #Spaß ist groß, #ΛΌΓΟΣ auch.\n"


@pytest.fixture
def tagged(brain, tmp_path):
    """Case folding made *Maß* to *mass*, which is another word."""
    folder = written(tmp_path / "tagged", {"Straße.md": TAGGED})
    assert brain("ingest", folder).code == 0
    return folder


def test_tags_are_stored_as_they_are_written_in_lower_case_and_found_however_they_are_written(brain, home, tagged):
    (name,) = stored(brain)
    shown = brain("show", name, "--json").json
    assert shown["tags"] == ["größe", "maß", "spaß", "λόγος"]
    assert shown["title"] == "Die Größe der Straße"
    assert "#größe #maß #spaß #λόγος" in brain("show", name).out
    with home_client(Settings(home=home), lambda: NOW) as client:
        for tag in ("größe", "Größe", "GRÖSSE", "grösse", "GRÖẞE"):
            assert len(brain("search", f"tag:{tag}", "--json").json["items"]) == 1, tag
            assert client.get(f"/tags/{tag}").status_code == 200, tag
            assert client.get(f"/v1/tags/{tag}").json()["tag"] == "größe", tag


def test_two_spellings_of_one_tag_are_told_apart_and_suggested_for_merging(brain, served, tagged):
    written(tagged, {"Strasse.md": "Eine #strasse, eine #straße, eine #STRASSE.\n"})
    brain("ingest", tagged)
    assert {"straße", "strasse"} <= {one["tag"] for one in brain("tags", "--json").json["items"]}
    assert "spelling" in brain("tags", "--near").out
    with served() as client:
        assert client.get("/v1/tags/strasse").json()["tag"] == "strasse"
        assert client.get("/v1/tags/Straße").json()["tag"] == "straße"


PUMP = """\
claims:
  - {id: pump-cost, node: notes/overview, says: The pump., as_of: 2026-01-01, value: 2 * 2.5 USD, expect: {is: 5 USD}}
"""


@pytest.fixture
def pumps(tmp_path):
    def put(name, text, root=tmp_path / "vault"):
        written(root, {name: text})

    put.root = tmp_path / "vault"
    put("Pumps/Overview.md", "# Overview of pumps\n\nA pump costs 5 USD.\n")
    put("Tides/Overview.md", "# Overview of tides\n\nThey come twice a day.\n")
    put("claims.yaml", PUMP)
    return put


def ids(brain, folder):
    told = brain("ingest", folder, "--json")
    assert told.code == 0, told.err
    return {document["path"]: document["outcome"] for document in told.json["documents"]}, addresses(brain)


def addresses(brain):
    found = (item["id"] for item in brain("search", "--json", "--limit", "100").json["items"])
    return {brain("show", name, "--json").json["provenance"]["document"]: name for name in found}


def test_a_new_note_of_the_same_name_gets_the_longer_id(brain, pumps):
    _, first = ids(brain, pumps.root)
    assert first == {"Pumps/Overview.md": "notes/overview", "Tides/Overview.md": "notes/tides-overview"}
    pumps("Areas/Overview.md", "# Overview of areas\n\nA new note about other things.\n")
    outcomes, second = ids(brain, pumps.root)
    assert second == {**first, "Areas/Overview.md": "notes/areas-overview"}
    assert outcomes["Pumps/Overview.md"] == "unchanged"
    pumps("Overview.md", "# Overview of all\n\nAt the top of the pumps, and later than the others.\n")
    _, third = ids(brain, pumps.root)
    assert third.items() >= second.items()
    assert third["Overview.md"].startswith("notes/overview-")
    assert ids(brain, pumps.root)[1] == third, "the same at the next ingest"


def test_a_note_whose_folder_has_another_name_keeps_its_id(brain, pumps):
    ids(brain, pumps.root)
    (pumps.root / "Pumps").rename(pumps.root / "Water pumps")
    (pumps.root / "Tides").rename(pumps.root / "Moon")
    outcomes, moved = ids(brain, pumps.root)
    assert moved == {"Water pumps/Overview.md": "notes/overview", "Moon/Overview.md": "notes/tides-overview"}
    assert outcomes["Water pumps/Overview.md"] == "moved"
    assert ids(brain, pumps.root)[1] == moved, "the same at the next ingest"
    (pumps.root / "Water pumps/Overview.md").unlink()
    assert ids(brain, pumps.root)[1] == {"Moon/Overview.md": "notes/tides-overview"}


def test_an_empty_brain_gives_the_same_ids_each_time(brain, pumps):
    pumps("Areas/Overview.md", "# Overview of areas\n\nA new note about other things.\n")
    _, found = ids(brain, pumps.root)
    assert found["Areas/Overview.md"] == "notes/overview"
    assert found["Pumps/Overview.md"] == "notes/pumps-overview"


def test_a_note_with_another_brain_or_an_id_of_its_own_does_not_keep_the_old_one(brain, pumps):
    exported = "---\nbrain_export: 1\nid: notes/{0}\nbrain: notes\ntitle: Dues\nkind: reading\n---\nThey are paid.\n"
    pumps("Dues.md", exported.format("light-dues"))
    assert ids(brain, pumps.root)[1]["Dues.md"] == "notes/light-dues"
    pumps("Dues.md", exported.format("dues"))
    pumps("Tides/Overview.md", "---\nbrain: mara\n---\n# Overview of tides\n\nThey come twice a day.\n")
    _, found = ids(brain, pumps.root)
    assert (found["Dues.md"], found["mara/Tides/Overview.md"]) == ("notes/dues", "mara/overview")


def test_notes_at_the_top_whose_names_differ_in_accents_or_signs_are_all_stored(brain, tmp_path, pumps):
    pairs = (("Über", "Uber"), ("Meeting (1)", "Meeting 1"), ("Launch plan", "🚀 Launch plan"), ("C", "C!"))
    names = [f"{name}.md" for pair in pairs for name in pair]
    for name in names:
        pumps(name, f"Text of {name}.\n", root=tmp_path / "top")
    outcomes, found = ids(brain, tmp_path / "top")
    assert set(outcomes.values()) == {"new"}
    assert (set(found), len(set(found.values()))) == (set(names), len(names))
