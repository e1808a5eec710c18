"""Notes as Obsidian shows them, beyond the constructs of docs/vaults.md, which `test_vault_pages` shows one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.pages.render.annotation import annotated, embeds_of, linked_text, places_of
from api.pages.render.note_links import NoteLinks
from graph.models.node_models import Kind
from graph.models.query_models import NodeRef
from ingest.document_reader import read
from tests.ingest.own_documents import resolve
from tests.pages.test_pages_prose import parsed, parsed_text

OTHER = (
    "---\naliases: [Nick]\n---\n## Costs\nIt costs 5.\n\nA block. ^blk\n\n### Deeper\nDeep.\n\n## Next\nEnd ![[a]].\n"
)


def notes(text, **others):
    """The nodes of a vault by slug: the note `a`, `My Other Note`, and others."""
    files = {"a.md": text, "sub/My Other Note.md": OTHER, **{f"{name}.md": body for name, body in others.items()}}
    documents = resolve([read(body.encode(), name, format="note") for name, body in files.items()])
    return {document.nodes[0].slug: document.nodes[0] for document in documents}


def shown(text, **others):
    found = {node.id: node for node in notes(text, **others).values()}
    node = found["notes/a"]
    titles = {name: NodeRef(id=name, kind=Kind.READING, title=one.title) for name, one in found.items()}
    embedded = {name: found[name] for name in (*embeds_of(node), *places_of(node))}
    markup = annotated(node, titles, (), embedded=embedded).markup
    parsed(markup)
    return markup


@pytest.mark.parametrize(
    ("link", "href", "words"),
    [
        ("[[my-other-note]]", "", "My Other Note"),
        ("[[sub/My Other Note.md]]", "", "My Other Note"),
        ("[[My Other Note#Costs]]", "#s-costs", "My Other Note › Costs"),
        ("[w](<./sub/My Other Note.md#Costs>)", "#s-costs", "w"),
        ('[*w*](sub/My%20Other%20Note.md "title")', "", "w"),
        ("[w][r]\n\n[r]: sub/My%20Other%20Note.md#^blk", "#b-blk", "w"),
        ("text ![[My Other Note]] text", "", "My Other Note"),
    ],
)
def test_every_link_that_resolves_is_a_link(link, href, words):
    markup = shown(link)
    (start,) = [at for at in range(len(markup)) if markup.startswith('<a href="/nodes/', at)]
    anchor = markup[start:].partition("</a>")[0]
    assert f'href="/nodes/notes/my-other-note{href}"' in anchor
    assert parsed_text(anchor) == words
    assert 'class="missing"' not in markup


@pytest.mark.parametrize(
    "link",
    ["[[My Other Note#Nowhere|w]]", "[[Nick#^none|w]]", "[w](sub/My%20Other%20Note.md#nowhere)", "![[Nick#Nowhere|w]]"],
)
def test_a_link_to_a_place_that_another_note_has_not_leads_to_the_note_and_is_marked(link):
    markup = shown(link)
    assert 'href="/nodes/notes/my-other-note"' in markup
    assert 'class="cite missing"' in markup
    assert "no such heading or block" in markup


@pytest.mark.parametrize(
    "link",
    ["[[Nowhere]]", "[[Nowhere#Costs|x]]", "[x](nowhere.md)", "[x](../gone/it.md#a)", "[[#No heading]]", "[[#^none]]", "[x](#none)", "[x](folder/thing)", "x[^1]\n\n[^1]: [[Nowhere]]", "![[Nowhere]]"],
)  # fmt: skip  # one list
def test_every_link_that_does_not_is_marked(link):
    markup = shown(link)
    assert 'class="missing"' in markup
    assert 'href="/nodes' not in markup


def test_an_ambiguous_link_is_missing_even_with_the_name_of_its_own_note():
    markup = shown("[[twin]]", x__twin="1").replace("\n", "")
    assert 'class="missing"' in markup


@pytest.mark.parametrize(
    ("link", "anchor"),
    [("[[#My heading]]", "s-my-heading"), ("[[a#My heading]]", "s-my-heading"), ("[[#^id-1]]", "b-id-1"), ("[h](#My%20heading)", "s-my-heading")],
)  # fmt: skip  # one list
def test_links_inside_a_note_lead_to_the_ids_of_its_page(link, anchor):
    markup = shown(f"{link}\n\n## My **heading**\n\nA paragraph. ^id-1\n")
    assert f'<a href="#{anchor}"' in markup
    assert f'id="{anchor}"' in markup
    assert "paragraph. ^id" not in parsed_text(markup)


BLOCKS = "- one ^li\n- two ^go\n  on\n\n| a |\n|---|\n| 1 |\n\n^tb\n\n> said\n\n^qu\n\n- x\n\n^ul\n\nend\n^pp\n\nno^exponent x ^2 y"


def test_blocks_of_every_type_have_ids():
    markup = shown(BLOCKS)
    for element in ("li", "go", "tb", "qu", "ul", "pp"):
        tag = {"go": "li", "tb": "table", "qu": "blockquote", "pp": "p"}.get(element, element)
        assert f'<{tag} id="b-{element}"' in markup
    assert "no^exponent x ^2 y" in parsed_text(markup)
    assert "^go" not in parsed_text(markup)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("one ^same\n\ntwo ^same\n", {'id="b-same"': 1, "^same": 0}),
        ("Before\n![[My Other Note]]\nafter", {'<div class="embed">': 1, "Deep.": 1, 'id="s-costs"': 0}),
        ("## Part\nx\n\n![[a]]\n\n![[#Part]]\n", {'<div class="embed">': 2}),
        ("See [[Board.canvas]] and ![[a.png]].", {"Board.canvas is a canvas; only its name is shown here": 1}),
        (
            "> [!note] a\n>\n> > [!tip]-\n> > hidden\n\n> [!my-kind]+\n> open\n\n> [!x](y) quote",
            {
                '<details class="callout callout-tip">\n<summary class="callout-title" dir="auto">Tip</summary>': 1,
                ">My kind</summary>": 1,
                "<blockquote>": 1,
            },
        ),
    ],
    ids=["two blocks of a name", "an embed", "a note that embeds itself", "a canvas", "callouts without a title"],
)
def test_what_a_note_shows_it_shows_so_often(text, counts):
    markup = shown(text)
    assert {part: markup.count(part) for part in counts} == counts


def test_footnotes_of_an_embed_keep_their_own_ids():
    markup = shown("x[^1]\n\n![[noted]]\n\n[^1]: mine", noted="y[^1]\n\n[^1]: theirs")
    ids = [value for name, value in parsed(markup).attributes if name == "id"]
    hrefs = [value[1:] for name, value in parsed(markup).attributes if name == "href" and value.startswith("#")]
    assert len(ids) == len(set(ids))
    assert set(hrefs) <= set(ids)


def test_highlights_tasks_and_attachments():
    markup = shown("==one **two**== a == b == c `==x==`\n\n- [x](https://a.example)\n- [ ] open\n- [x] done\n- [1] one")
    assert '<mark class="highlight">one </mark><strong><mark class="highlight">two</mark></strong>' in markup
    assert "a == b == c" in markup
    assert "<code>==x==</code>" in markup
    assert parsed_text(markup).splitlines()[-4:] == ["x", "☐ open", "☑ done", "[1] one"]
    assert ">x y.jpg</span>" in shown("![](<x y.jpg>)")


def test_a_property_is_text_with_links():
    found = notes('---\nup: "[[Nick|n]]"\nsee: https://a.example/x\nodd: <b>&\n---\nx')
    node = found["a"]
    titles = {one.id: NodeRef(id=one.id, kind=Kind.READING, title=one.title) for one in found.values()}
    up, see, odd = [linked_text(one.value, NoteLinks(node, titles)) for one in node.properties]
    assert '<a href="/nodes/notes/my-other-note"' in up
    assert 'href="https://a.example/x"' in see
    assert odd == "&lt;b&gt;&amp;"


@pytest.mark.parametrize(
    "text",
    [
        "Costs:\n\n    y <- df[[Nick]] ==m==\n", "> ```\n> [[Nick]]\n> ```\n",
        "- x\n\n  ```\n  [[Nick]] ==m==\n  ```\n", "> Costs:\n>\n>     [[Nick]]\n", "`two\nlines [[Nick]]`\n",
        "$$\nB = [[a, b]], a_{[[Nick]]}\n$$\n", "so $v_{[[Nick]]}$\n", "\\[[Nick]]\n",
    ],
)  # fmt: skip
def test_nothing_is_a_link_in_code_or_mathematics(text):
    markup = shown(text)
    assert "href" not in markup
    assert "missing" not in markup


PIECES = ["[[", "]]", "![[", "My Other Note", "#", "^", "|", "> ", "[!note]- ", "==", "\n", "\n\n", "- [x] ", "    ", "$", "](", ")", "a.md",
          "`", "```\n", "%%", "^id", "\U000f0001", "<b>", "| a |\n|---|\n", "[^1]", "[^1]: "]  # fmt: skip  # one list


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_mixture_gives_wellformed_html_without_handlers(pieces):
    markup = shown("x " + "".join(pieces))
    found = parsed(markup)
    assert not {"script", "img", "iframe"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    ids = [value for name, value in found.attributes if name == "id"]
    assert len(ids) == len(set(ids))
