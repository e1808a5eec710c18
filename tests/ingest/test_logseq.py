from datetime import date

import pytest

from api.pages.render.note_links import NoteLinks
from graph.models.query_models import NodeRef
from graph.text.anchors import anchors_in
from graph.text.plain_text import plain_text
from ingest.document_reader import read
from ingest.linking.link_resolution import linked_documents
from ingest.linking.link_targets import node_names
from ingest.linking.vault_export import write_vault
from tests.ingest.own_documents import resolve

BLOCK = "6543aa11-1111-4222-8333-abcdefabcdef"


@pytest.fixture
def graph():
    def read_graph(**pages):
        pages = {path.replace("__", "/", 1) + ".md": text for path, text in pages.items()}
        return {one.name: one for one in resolve([read(text.encode(), path) for path, text in pages.items()])}

    return read_graph


def targets(document):
    return [one.target for one in document.nodes[0].cites]


@pytest.mark.parametrize(
    "text",
    [
        "alias:: card rent, hire\ntags:: gpu, [[two words]]\ntype:: market\n\n- The rent is 2.10 an hour.\n",
        "- alias:: card rent, hire\n  tags:: gpu, [[two words]]\n  type:: market\n- The rent is 2.10 an hour.\n",
        "alias:: card rent, hire\ntags:: #gpu #[[two words]]\ntype:: market\n- The rent is 2.10 an hour.\n",
    ],
)
@pytest.mark.parametrize("name", ["pages/rent.md", "rent.md"])
def test_the_properties_of_a_page_are_fields_and_its_bullets_prose(name, text):
    document = read(text.encode(), name)
    (node,) = document.nodes
    assert (node.title, node.labels.variants, node.tags) == ("rent", ("card rent", "hire"), ("gpu", "two-words"))
    assert [(one.name, one.value) for one in node.properties] == [("type", "market")]
    assert (node.body, document.lines.skipped) == ("- The rent is 2.10 an hour.", 0)


def test_properties_of_blocks_are_no_prose():
    text = f"- Rent\n  id:: {BLOCK}\n  collapsed:: true\n  owner:: mara\n\t- low\n\t  :LOGBOOK:\n\t  CLOCK: [2026-11-02]\n\t  :END:\n- high\n"
    document = read(text.encode(), "pages/a.md")
    assert document.nodes[0].body == f"- Rent ^{BLOCK}\n  owner:: mara\n\t- low\n- high"
    skipped = [(one.first_line, one.last_line, one.reason) for one in document.skipped]
    assert skipped == [(first, last, "a setting of Logseq") for first, last in ((3, 3), (6, 8))]


def test_a_block_that_begins_with_a_property_keeps_its_bullet_and_its_name():
    text = f"- Rent\n\t- id:: {BLOCK}\n\t  collapsed:: true\n\t  TODO low\n\t  more\n\t- collapsed:: true\n\t  high\n"
    text += f"- id:: 77{BLOCK[2:]}\n  ```\n  x\n  ```\n- id:: 88{BLOCK[2:]}\n- next\n"
    (node,) = read(text.encode(), "pages/a.md").nodes
    first = f"- Rent\n\t- [ ] low ^{BLOCK}\n\t  more\n\t-\n\t  high\n"
    assert node.body == f"{first}- ^77{BLOCK[2:]}\n  ```\n  x\n  ```\n- ^88{BLOCK[2:]}\n- next"
    assert {f"b-{BLOCK}", f"b-77{BLOCK[2:]}", f"b-88{BLOCK[2:]}"} <= anchors_in(node.body)


@pytest.mark.parametrize("name", ["gpu___H100", "gpu%2FH100", "gpu%2fH100"])
def test_a_namespace_is_a_path(graph, name):
    found = graph(**{f"pages__{name}": "- eighty GB\n", "pages__card": "- see [[gpu/H100]] and #[[gpu/H100]]\n"})
    (node,) = found[f"pages/{name}.md"].nodes
    assert (node.id, node.title) == ("notes/gpu-h100", "gpu/H100")
    assert targets(found["pages/card.md"]) == ["notes/gpu-h100"]
    assert found["pages/card.md"].nodes[0].tags == ("gpu/h100",)


def test_signs_that_a_file_name_cannot_have_are_read():
    for name, title in {"What%3F": "What?", "a___b___c": "a/b/c", "___a": "___a", "50%25": "50%"}.items():
        assert read(b"- x\n", f"pages/{name}.md").nodes[0].title == title


DAYS = ("Nov 2nd, 2026", "2026-11-02", "2026_11_02", "Monday, 02.11.2026", "2026/11/02", "2 Nov 2026")


@pytest.mark.parametrize("day", DAYS)
def test_a_journal_is_found_by_its_day(graph, day):
    found = graph(journals__2026_11_02="- rent fell\n", pages__a=f"- see [[{day}]]\n")
    (node,) = found["journals/2026_11_02.md"].nodes
    assert (node.id, node.title, node.published) == ("notes/2026-11-02", "2026-11-02", date(2026, 11, 2))
    assert (targets(found["pages/a.md"]), found["pages/a.md"].problems) == ([node.id], ())


def test_a_block_is_found_by_its_id_in_any_page(graph):
    found = graph(
        pages__rent=f"- The rent is 2.10.\n  id:: {BLOCK}\n- so (({BLOCK}))\n- ```sh\n  echo (({BLOCK}))\n  ```\n  id:: 77{BLOCK[2:]}\n",
        journals__2026_11_02=f"- see (({BLOCK})), {{{{embed (({BLOCK}))}}}} and [words]((({BLOCK})))\n- ((77{BLOCK[2:]}))\n",
        pages__b=f"- gone ((99{BLOCK[2:]})) and code `(({BLOCK}))` and f((x)), ((2026))\n",
    )
    rent, day, other = (one.nodes[0] for one in found.values())
    assert f"- so [[#^{BLOCK}|The rent is 2.10.]]" in rent.body
    assert f"echo (({BLOCK}))" in rent.body
    assert {f"b-{BLOCK}", f"b-77{BLOCK[2:]}"} <= anchors_in(rent.body)
    assert (targets(found["journals/2026_11_02.md"]), found["journals/2026_11_02.md"].problems) == ([rent.id], ())
    assert f"[[(({BLOCK}))#^{BLOCK}|words]]" in day.body
    assert f"code `(({BLOCK}))` and f((x))" in other.body
    assert [one.code for one in found["pages/b.md"].problems if f"99{BLOCK[2:]}" in one.message] == ["link-unresolved"]


def test_the_page_of_a_link_to_a_block_leads_to_the_block(graph):
    found = graph(pages__rent=f"- The rent is 2.10.\n  id:: {BLOCK}\n", pages__b=f"- so (({BLOCK}))\n")
    rent, other = (one.nodes[0] for one in found.values())
    ref = NodeRef(id=rent.id, title=rent.title, kind=rent.kind)
    link = NoteLinks(other, {rent.id: ref}, {rent.id: rent}).wikilink(f"(({BLOCK}))#^{BLOCK}")
    assert (link.tag, link.attributes["href"].partition("#")[2], link.words) == ("a", f"b-{BLOCK}", "rent")
    assert plain_text(other.body) == "so …"


def test_a_link_to_a_block_finds_it_when_its_page_comes_later():
    early = read(f"- see (({BLOCK}))\n".encode(), "pages/early.md")
    (linked,) = linked_documents([early])
    late = read(f"- Rent\n  id:: {BLOCK}\n".encode(), "pages/late.md")
    assert linked.unresolved & node_names(late.nodes[0])
    assert targets(resolve([early, late])[0]) == ["notes/late"]


@pytest.mark.parametrize(
    ("written", "body"),
    [
        ("- TODO ask", "- [ ] ask"),
        ("- DONE ask", "- [x] ask"),
        ("- DOING ask", "- [ ] DOING ask"),
        ("- TODOS are many", "- TODOS are many"),
        ("- {{query (and [[gpu]] (task TODO))}}", "- `{{query (and [[gpu]] (task TODO))}}`"),
        ("- {{embed [[rent]]}}", "- ![[rent]]"),
        ("- [it]([[rent]]) is ^^lit^^", "- [[rent|it]] is ==lit=="),
        ("- `TODO ((a1b2)) #[[x]]`", "- `TODO ((a1b2)) #[[x]]`"),
        ("- ```\n  - TODO x\n    id:: 7\n  ```", "- ```\n  - TODO x\n    id:: 7\n  ```"),
        ("- # Heading\n\t- text", "- # Heading\n\t- text"),
    ],
)
def test_the_marks_of_a_block(written, body):
    assert read(f"{written}\n".encode(), "pages/a.md").nodes[0].body == body


@pytest.mark.parametrize(
    "text",
    [
        "# Rent\n\nstatus:: draft\n\nTODO ask ((a1b2))",
        "A note about a map.\n\n- TODO ask\n  id:: 7",
        "- TODO ask #[[x]]",
        "key:: value\n\nProse follows.",
    ],
)
def test_a_note_that_is_no_outline_with_properties_is_not_changed(text):
    (node,) = read(text.encode(), "a.md", format="note").nodes
    assert node.body == text.removeprefix("# Rent\n").strip("\n")


def test_a_graph_survives_the_export_as_a_vault(graph):
    card, day = f"type:: card\n\n- TODO eighty GB\n  id:: {BLOCK}\n", f"- see [[gpu/H100]] and (({BLOCK}))\n"
    found = graph(pages__gpu___H100=card, journals__2026_11_02=day)
    nodes = [one.nodes[0] for one in found.values()]
    again = resolve([read(text.encode(), path) for path, text in write_vault(nodes).items()])
    known = {one.id: one for document in again for one in document.nodes}
    for node in nodes:
        assert (known[node.id].body, known[node.id].properties) == (node.body, node.properties)
        assert [one.target for one in known[node.id].cites] == [one.target for one in node.cites]
