"""A vault of Obsidian's habits on Brain's pages: each construct is shown, linked, or left out with a word."""

import re
from urllib.parse import quote

import pytest

from api.brain import Brain
from api.settings import Settings
from graph.ids import slug
from tests.command import outcome
from tests.conftest import NOW, ROOT
from tests.stories import vault_constructs
from tests.stories.vault_constructs import CONSTRUCTS, SECRET
from tests.web_client import web_client

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    folder = tmp_path_factory.mktemp("obsidian") / "Vault"
    folder.mkdir()
    assert vault_constructs.build(folder) >= 120
    return folder


@pytest.fixture(scope="module")
def ingested(vault):
    home = vault.parent / "home"
    code, out, err = outcome(home, "ingest", vault)
    assert code == 0, (out[-3000:], err)
    return home, out + err


@pytest.fixture(scope="module")
def service(ingested, exports_here):
    with Brain.open(Settings(home=ingested[0])) as opened:
        opened.search.refresh()
        with web_client(opened, lambda: NOW) as client:
            yield client


def text_of(page):
    found = re.search(
        r'<header class="head">(.*?)<div class="apparatus">.*?(<ul class="tags".*?</ul>|</main>)', page, re.DOTALL
    )
    return found[1] + found[2]


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda one: one.name)
def test_each_construct_is_shown_linked_or_left_out(service, construct):
    answer = service.get(f"/nodes/notes/{slug(construct.name)}", headers=HTML)
    assert answer.status_code == 200
    shown = text_of(answer.text)
    assert [text for text in construct.holds if text not in shown] == [], shown
    assert [text for text in construct.lacks if text in shown] == [], shown


def test_links_of_the_vault_that_resolve_are_links_on_their_pages(service):
    nodes, missing = {}, []
    for line in service.get("/v1/export?format=json").json()["documents"]:
        nodes |= {node["id"]: node for node in line["nodes"]}
    assert len(nodes) >= 120
    for name, node in sorted(nodes.items())[::2]:
        cited = {one["target"] for one in node["citations"] if one["kind"] == "cites" and one.get("target")}
        unresolved = [one for one in node["citations"] if one["kind"] == "cites" and not one.get("target")]
        shown = text_of(service.get(f"/nodes/{name}", headers=HTML).text)
        missing += [(name, target) for target in cited if f'href="/nodes/{target}' not in shown]
        if not unresolved and "never written" not in shown and "](../gone" not in node["body"]:
            missing += [(name, "marked missing")] * shown.count('class="missing"')
    assert missing == []


def test_anchors_of_links_exist_on_the_pages_they_lead_to(service):
    ids = {}
    lost = []
    for construct in CONSTRUCTS:
        shown = text_of(service.get(f"/nodes/notes/{slug(construct.name)}", headers=HTML).text)
        for path, anchor in re.findall(r'href="(/nodes/[^"#]+)#([^"]+)"', shown):
            if path not in ids:
                ids[path] = set(re.findall(r'id="([^"]+)"', service.get(path, headers=HTML).text))
            lost += [] if anchor in ids[path] else [(construct.name, path, anchor)]
    assert lost == []


def test_notes_are_called_like_their_files_and_those_of_one_name_are_distinguished(service):
    for node, title in (("2026-03-04", "2026-03-04"), ("launch", "🚀 Launch"), ("person-07", "Person 07")):
        assert service.get(f"/v1/nodes/notes/{node}").json()["title"] == title
    found = {one["id"] for one in service.get("/v1/nodes?q=up&limit=200").json()["items"]}
    assert {"notes/energy-index", "notes/housing-index", "notes/money-index", "notes/garden-index"} <= found


def test_the_docs_have_the_table_of_constructs():
    docs = (ROOT / "docs/vaults.md").read_text("utf-8")
    told = re.findall(r"^\| (.+?) \| (shown|linked|left out)\b", docs, re.MULTILINE)
    assert told == [(one.name, one.becomes) for one in CONSTRUCTS]


def test_no_command_prints_a_comment(ingested, tmp_path):
    home, printed = ingested
    assert SECRET not in printed
    assert "a private comment" in printed
    commands = [
        ["mine"], ["show", "notes/2026-03-04"], ["search", "costs"], ["export", "--format", "json"],
        ["export", "--format", "markdown", "-o", str(tmp_path / "out")],
    ]  # fmt: skip  # one list
    for command in commands:
        code, out, err = outcome(home, *command)
        assert code == 0, (command, err)
        assert SECRET not in out + err, command
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(written) >= 120
    assert [path for path in written if SECRET.encode() in path.read_bytes()] == []


def test_no_address_answers_with_a_comment(service):
    node = "/v1/nodes/notes/block-comment"
    day = "/v1/nodes/notes/2026-03-04"
    addresses = [
        *(f"{one}{rest}" for one in (node, day) for rest in ("", "/citations", "/backlinks", "/related", "/statements", "/claims")),
        *(f"{node}?format={form}" for form in ("json", "jsonld", "turtle", "markdown")),
        "/v1/nodes?q=quokka", "/v1/nodes?q=costs", "/v1/nodes?limit=500", "/v1/statements", "/v1/tags", "/v1/documents",
        f"/v1/documents/{quote('Constructs/Block comment.md')}", "/v1/graph?cap=5000", "/suggest.json?q=quok",
        "/feed.atom", "/feed.json", "/", "/about", "/tags", "/search?q=costs", "/nodes/notes/block-comment/statements",
        "/previews/notes/block-comment", "/nodes/notes/prices/statements",
        *(f"/v1/export?format={form}" for form in ("turtle", "trig", "jsonld", "ntriples", "graphml", "csv", "json")),
    ]  # fmt: skip  # one list
    answers = {address: service.get(address) for address in addresses}
    assert [address for address, answer in answers.items() if answer.status_code != 200] == []
    assert [address for address, answer in answers.items() if SECRET in answer.text] == []
