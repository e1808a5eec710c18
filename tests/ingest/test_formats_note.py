import unicodedata
from datetime import date

import pytest

from graph.models.node_models import Kind
from ingest.formats.brain_export import write_note
from tests.ingest.own_documents import own_text, resolve


@pytest.fixture
def vault(reading):
    def read_vault(**texts):
        documents = [reading(text, f"{name.replace('__', '/')}.md", format="note") for name, text in texts.items()]
        return {document.name: document for document in resolve(documents)}

    return read_vault


def links(document):
    return [(c.marker, c.target, c.resolution, c.cito, c.confidence) for c in document.nodes[0].cites]


def test_the_fields_of_a_note(reading):
    document = reading(own_text("note"), "depth-sells.md")
    (node,) = document.nodes
    assert (document.format, node.id, node.kind) == ("note", "notes/depth-sells", Kind.THESIS)
    assert node.title == "Depth sells"
    assert node.tags == ("dredging-costs", "tides", "harbour/deep")
    assert node.labels.variants == ("The price of depth",)
    assert (node.published, node.origin) == (date(2025, 2, 1), "page.txt:12")
    assert [(s.url, s.title, s.date) for s in node.sources] == [
        ("https://example.org/depth", "Depth", "2024-11-02"),
        ("https://example.org/bare", None, None),
        ("https://example.org/report", "The harbour master's report", None),
    ]
    (table,) = node.tables
    assert (table.header, table.units, table.line) == (("Year", "Price ($/m3)"), (None, "$/m3"), 19)
    assert document.problems == ()
    assert document.lines.kept == document.lines.total


@pytest.mark.parametrize("name", ["Silt", "Soft mud"])
def test_a_typed_link_after_a_plain_one_to_the_same_note_gives_the_type(vault, name):
    front = f"---\ncites:\n  - to: silt\n  - to: {name}\n    as: disputes\n---\n"
    notes = vault(a=f"{front}Text.", silt="# Soft mud\nIt does.")
    (one,) = notes["a.md"].nodes[0].cites
    assert (one.target, one.cito) == ("notes/silt", "disputes")


def test_typed_links_and_wikilinks_to_one_note_are_one_citation(vault):
    others = {"silt-returns": "---\ntitle: Silt\n---\nIt does.\n", "pilots": "# Pilots\nThey do."}
    document = vault(**{"depth-sells": own_text("note")}, **others)["depth-sells.md"]
    assert links(document) == [
        ("[[silt-returns]]", "notes/silt-returns", "link", "citesAsEvidence", 1.0),
        ("[[pilots]]", "notes/pilots", "link", "cites", 1.0),
    ]
    first = document.nodes[0].cites[0]
    assert first.context == "Depth is sold by the centimetre, as [[silt-returns]] shows."
    assert first.target_title == "Silt"


NO_LINKS = r"![[chart.png]] ![[Books.base#Read]] [[#Own]] [b] [[]] \[b\] [b](b.pdf) [b](https://x.org/b.md) [[a]]"


@pytest.mark.parametrize("text", NO_LINKS.split())
def test_what_is_no_link(vault, text):
    assert links(vault(a=f"Before\n{text}\nbehind.", b="x")["a.md"]) == []


def test_a_link_to_nothing_stays_with_a_warning_at_its_place(vault):
    front = "---\nsources: [https://x.org/gone]\ncites: gone\n---\n"
    text = "[[Sea wall]] `[[Sea]]` gone\nThen [[Sea]], [[Be Ta]], [[be-ta]], [x](no%20port.md)."
    note = vault(a=front + text, **{"Sea wall": "x"})["a.md"]
    found = [(marker, resolution) for marker, _, resolution, *_ in links(note)][:3]
    assert found == [("[[gone]]", "unresolved"), ("[[sea-wall]]", "link"), ("[[Sea]]", "unresolved")]
    assert [(p.line, p.column) for p in note.problems] == [(3, 8), (6, 8), (6, 17), (6, 28), (6, 41)]


def test_notes_of_one_name_are_distinguished_by_their_folders(vault):
    notes = vault(index="[[sea/index]] [[land/index]]", land__index="[[index]] [[quay]]", sea__index="[[../land/index]]",
                  land__quay="[[index]]", sea__pier="[[index]] [up](../index.md)")  # fmt: skip  # one vault
    assert {name: document.nodes[0].id for name, document in notes.items() if "index" in name} == {
        "index.md": "notes/index", "land/index.md": "notes/land-index", "sea/index.md": "notes/sea-index",
    }  # fmt: skip  # pairs
    assert {name: [target for _, target, *_ in links(document)] for name, document in notes.items()} == {
        "index.md": ["notes/sea-index", "notes/land-index"],
        "land/index.md": ["notes/quay"],
        "sea/index.md": ["notes/land-index"],
        "land/quay.md": ["notes/land-index"],
        "sea/pier.md": ["notes/sea-index", "notes/index"],
    }
    assert [p.code for document in notes.values() for p in document.problems] == ["note-twice", "note-twice"]
    assert resolve(list(notes.values())) == list(notes.values())


def test_a_note_whose_name_another_of_the_store_has_gets_its_folder_and_a_link_may_lead_to_that_of_the_store(reading):
    (stored,) = reading("x", "sea/index.md").nodes
    (document,) = resolve([reading("y", "land/index.md")], {stored.id: stored})
    assert document.nodes[0].id == "notes/land-index"
    assert resolve([document], {stored.id: stored}) == [document]
    (linked,) = resolve([reading("to [[sea/index]]", "a.md")], {stored.id: stored})
    assert links(linked)[0][1] == stored.id == "notes/index"


MARKDOWN = "Para *one*.\n\n> quote\n\n```py\nx = 1  # not a tag\n```\n\n- a\n  - b\n\n$E = mc^2$"


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("# Spring tide\n\nHigh.", "Spring tide", "High."),
        ("---\ntitle: Neap\n---\n# Neap\nLow.", "Neap", "Low."),
        ("---\ntitle: Neap\n---\n# Other\nLow.", "Neap", "# Other\nLow."),
        ("Spring tide\n===\n\nHigh.", "Spring tide", "High."),
        ("---\ntitle: Neap\n---\nOther\n=====\nLow.", "Neap", "Other\n=====\nLow."),
        ("Other\n-----\nLow.", "slack-water", "Other\n-----\nLow."),
        ("No title at all.", "slack-water", "No title at all."),
        ("---\n---\n\n\nOnly text.\n\n", "slack-water", "Only text."),
        (f"---\ntitle: T\n---\n{MARKDOWN}\n", "T", MARKDOWN),
        *(
            ("Only text.", name, "Only text.")
            for name in ("2026-11-10", "kv_cache", "🚀 Launch", "Über uns", "v1.2 notes")
        ),
    ],
)
def test_the_title_is_stated_or_the_first_heading_or_the_name(reading, text, title, body):
    name = title if text == "Only text." else "slack-water"
    (node,) = reading(text, f"daily/{name}.md", format="note").nodes
    assert (node.title, node.body) == (title, body)


NO_PROSE = [
    "`two\nlines [[silt]] #mud`", "$$\na_{[[silt]]} #mud\n$$",
    "so $x[[silt]]$ and $A = [[1,2],[3,4]]$, $v_{[[silt]]}$", "\\[[silt]] \\#mud",
]  # fmt: skip  # one list
"""Besides those of `test_marks`."""
PROSE = [
    "It costs $5 a ton, [[silt]] #mud and $6 later", "$HOME [[silt]] #mud and $PATH", "- a list\n\n    [[silt]] #mud",
    "- a\n\t- b\n\n\t\t[[silt]] #mud", "1. a\n   - b\n\n     [[silt]] #mud",
    "x[^1]\n\n[^1]: Said here.\n\n    [[silt]] #mud", "no empty line\n    [[silt]] #mud",
    "a lone ` tick\n\n[[silt]] #mud ` more", "\\`[[silt]] #mud\\`, `x`", "\\\\[[silt]] #mud",
    "| a | b |\n|---|---|\n| [[silt\\|`x`]] | #mud |",
]  # fmt: skip  # one list


@pytest.mark.parametrize("text", [*NO_PROSE, *PROSE])
def test_no_link_and_no_tag_begins_in_code_or_mathematics_and_they_do_in_what_only_looks_so(vault, text):
    note = vault(a=f"# A\n{text}\n", silt="Soft.")["a.md"]
    found = [one.target for one in note.nodes[0].cites], note.nodes[0].tags
    assert found == ((["notes/silt"], ("mud",)) if text in PROSE else ([], ()))
    assert text in PROSE or note.problems == ()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("---\ntags: '#one, #two'\n---\nx", ("one", "two")),
        ("---\ntags: [No, 2024]\n---\nx", ("no", "2024")),
        ("a #one b", ("one",)),
        ("a #one#two", ()),
        ("`#code` and https://x.org/#anchor and [x](#y) and #1 and C#", ()),
        ("[[page#heading]]", ()),
        ("\\#escaped", ()),
        ("#3d-printing #1on1 #2024goals, #2024/q1 but #12 and #4-5", ("3d-printing", "1on1", "2024goals", "2024/q1")),
        ("#launch/🚀 #emoji🎉 #☀️ #❤️‍🔥", ("launch/🚀", "emoji🎉", "☀️", "❤️‍🔥")),
        (unicodedata.normalize("NFD", "#señal #größe"), ("señal", "größe")),
        ("---\ntags: [one]\ntag: single two\n---\nx", ("one", "single", "two")),
        ("painted #fff000 and #a1b2c3d4, a #facade", ("facade",)),
    ],
)
def test_where_tags_are(reading, text, tags):
    assert reading(text, "a.md").nodes[0].tags == tags


def test_a_field_and_its_other_name_are_both_read_and_a_note_that_is_published_or_not_has_the_day_of_its_date(reading):
    fields = "aliases: [Silt]\nalias: Mud\nsources: [https://example.org/a]\nsource: https://example.org/b\n"
    (node,) = reading(f"---\n{fields}published: 2025-02-01\ndate: 2025-01-31\n---\nText.", "a.md").nodes
    assert node.labels.variants == ("Silt", "Mud")
    assert [source.url for source in node.sources] == ["https://example.org/a", "https://example.org/b"]
    assert (node.published, node.properties[0].value) == (date(2025, 2, 1), "2025-01-31")
    day = "date: 2025-02-01"
    for stated, published in (
        ("published: true", None),
        (f"published: false\n{day}", node.published),
        (day, node.published),
    ):
        document = reading(f"---\ntitle: T\n{stated}\n---\nText.", "a.md")
        assert (document.nodes[0].published, document.problems) == (published, ())


@pytest.mark.parametrize(("text", "code", "line", "column"), [
    ("---\nkind: theory\n---\nx", "note-kind", 2, 7), ("---\ntags: {a: b}\n---\nx", "note-list", 2, 1),
    ("---\npublished: last May\n---\nx", "note-date", 2, 12),
    ("---\nsources:\n  - title: T\n---\nx", "note-source", 3, 5),
    ("---\ncites:\n  - as: extends\n---\nx", "note-cites", 3, 5),
    ("---\ncites:\n  - to: b\n    as: exstends\n---\nx", "note-cito", 4, 9),
    ("---\ntitel: T\n---\nx", "note-field", 2, 1), ("---\ntitle: [a\n---\nx", "yaml", 2, 8),
    ("---\ntitle: T\nx", "front-unclosed", 1, 1), ("---\n- a\n---\nx", "front-shape", 2, None),
    ("---\na: &x 1\nb: *x\n---\nx", "yaml", 2, 4),
])  # fmt: skip  # rows
def test_what_is_wrong_in_a_note_is_reported_at_its_place(reading, text, code, line, column):
    problems = reading(text, "a.md", format="note").problems
    assert (code, line, column) in [(p.code, p.line, p.column) for p in problems]


@pytest.mark.parametrize(
    ("options", "front", "brain"),
    [
        ({}, "", "notes"),
        ({"default_brain": "Mira"}, "", "mira"),
        ({"default_brain": "Mira"}, "brain: own", "own"),
        ({"brain": "@Chief"}, "brain: own", "chief"),
    ],
)
def test_whose_note_it_is(reading, options, front, brain):
    assert reading(f"---\ntitle: T\n{front}\n---\nx", "a.md", **options).nodes[0].id == f"{brain}/a"


def test_a_link_keeps_the_names_that_the_text_uses(vault):
    notes = vault(
        a='[[My Other Note]] [[nick#Costs|x]] [it](sub/My%20Other%20Note.md "t") [[my-other-note]] [r][r]\n\n'
        "[r]: sub/My%20Other%20Note.md",
        **{"sub__My Other Note": "---\naliases: [Nick]\n---\n## Costs\nx"},
    )
    (cited,) = notes["a.md"].nodes[0].cites
    assert (cited.marker, cited.target) == ("[[my-other-note]]", "notes/my-other-note")
    assert cited.written == ("My Other Note", "nick", "sub/My Other Note")


def test_fields_without_a_meaning_are_properties_and_their_links_count(vault):
    front = 'status: draft\nauthors: [Ada, Bo]\nup: [[Index]]\nsee:\n  - "[[Index|top]]"\n  - [[Index]]\nempty:\ncssclasses: [wide]\npublish: true\nrated: 4.50\nid: own\nlabels: [L1]\norigin: {a: b}'
    twins = dict.fromkeys("bc", "---\nid: two\n---\nx")
    documents = vault(a=f"---\ntitle: A\n{front}\n---\nx", Index="y [[own]] [[two]]", **twins)
    (note,), problems = documents["a.md"].nodes, documents["a.md"].problems
    assert problems == (), "a setting of the editor is no misspelt field"
    found = {one.name: one.value for one in note.properties}
    links = {"up": "[[Index]]", "see": "[[Index|top]], [[Index]]"}
    unlike_brain = {"id": "own", "labels": "L1", "origin": "a: b"}
    assert found == {"status": "draft", "authors": "Ada, Bo", **links, "rated": "4.50", **unlike_brain}
    cited = [one.target for name in ("a.md", "Index.md") for one in documents[name].nodes[0].cites]
    assert cited == ["notes/index", "notes/a", None]
    assert [one.code for one in documents["Index.md"].problems] == ["link-ambiguous"]


QUARTO = {
    "::: callout-note\nText\n:::": "> [!note]\n> Text",
    "::: {.callout-note collapse=false}\n# Dues\nText\n:::\nAfter": "> [!note]+ Dues\n> Text\n\nAfter",
    "::: {.callout-note}\n```{r, echo=FALSE}\n:::\n```\n:::": "> [!note]\n> ```r {echo=FALSE}\n> :::\n> ```",
    "```{.python}\n```{r}\n```\n:::": "```python\n```{r}\n```\n:::",
    "````{{python}}\n:::\n````": "````{{python}}\n:::\n````",
    "## Tides {#sec-tides .x}\n[it](#sec-tides) [b](c.qmd#sec-d)": "## Tides ^sec-tides\n[it](#^sec-tides) [b](c.md#^sec-d)",
    "![Dues](a.png){#fig-dues width=50%}\n\n[mine]{.x} `a`{.r} `[b](c.qmd){.d}`": "![Dues](a.png) ^fig-dues\n\n[mine] `a` `[b](c.qmd){.d}`",
    "$$\nx\n$$ {#eq-a}\n\n{{< kbd a >}} {b}": "$$\nx\n$$\n\n{{< kbd a >}} {b}",
    "---\ndate: last-modified\n---\nText": "Text",
    "[a](https://example.org/b.qmd) [c](d.qmd)": "[a](https://example.org/b.qmd) [c](d.md)",
}


@pytest.mark.parametrize("written", QUARTO)
def test_what_quarto_writes_becomes_markdown(reading, written):
    found = reading(written, "dues.qmd")
    assert (found.format, found.nodes[0].body, found.problems) == ("quarto-document", QUARTO[written], ())


def test_a_name_of_quarto_is_no_tag_and_links_find_it(reading):
    tides = reading("# Tides\n\n## Spring {#sec-spring}\n\nHigh.\n", "sea/tides.qmd")
    dues = reading("See [it](sea/tides.qmd#sec-spring).", "dues.qmd")
    assert tides.nodes[0].tags == ()
    (found,) = (one for one in resolve([dues, tides]) if one.name == "dues.qmd")
    assert ([one.target for one in found.nodes[0].cites], found.problems) == (["notes/tides"], ())


def test_a_block_that_is_never_closed_is_named_and_private_comments_stay_private(reading):
    found = reading("# Dues\n\n::: {.callout-note}\n%%mine%%\nText", "dues.qmd")
    assert [(one.code, one.line) for one in found.problems] == [("block-unclosed", 3)]
    assert "mine" not in found.nodes[0].body


ONE = "sources:\n  - url: https://a.example/one\n    title: First study"
TWO = f"{ONE}\n  - url: https://b.example/two\n    title: Second study"
A, B = "https://a.example/one", "https://b.example/two"


def quotes(reading, text, sources=TWO):
    (node,) = reading(f"---\ntitle: T\n{sources}\n---\n{text}\n", "a.md", format="note").nodes
    assert all(one.quote in node.body for one in node.quotes)
    return [(one.quote, one.source, one.resolution) for one in node.quotes]


@pytest.mark.parametrize(
    ("text", "source", "certainty"),
    [
        ("> Words.\n> — [Two](https://b.example/two)", B, "exact"),
        ("> Words.\n> -- https://www.b.example/two/?utm_source=x", B, "exact"),
        ("> Words.\n\n[Two](https://b.example/two)", B, "exact"),
        ("> Words.\n\nSource: https://b.example/two.", B, "exact"),
        ("> Words.\n— Bo, Second study, p. 4", B, "likely"),
        ("> Words.\n> — Bo, Second Study (2025)", B, "likely"),
        ("> Words.\n> — b.example", B, "likely"),
        ("> Words.[^n]\n\n[^n]: Bo. https://b.example/two", B, "exact"),
        ("> Words, as [Two](https://b.example/two) says.", B, "exact"),
        ("> [!quote] Bo\n> Words.\n> — Second study", B, "likely"),
        ("> Words.", None, "ambiguous"),
        ("> Words.\n> — Somebody else", None, "unresolved"),
        ("> Words.\n> — [Other](https://c.example/three)", None, "unresolved"),
        ("> Words.\n\nThe text goes on with [Two](https://b.example/two) and more words.", None, "ambiguous"),
    ],
)
def test_a_quotation_names_its_source(reading, text, source, certainty):
    ((_, found, sure),) = quotes(reading, text)
    assert (found, sure) == (source, certainty)


def test_a_note_with_one_source_quotes_that_one_and_one_without_quotes_none(reading):
    found = quotes(reading, "> Words\n> over lines.\n\nText.\n\n> - More.", ONE)
    assert found == [("Words\n> over lines.", A, "likely"), ("More.", A, "likely")]
    assert quotes(reading, "> Words.", "kind: thesis") == []


TABLE = "> | a | b |\n> |---|---|\n> | 1 | 2 |"


@pytest.mark.parametrize("text", ["> [!note] Title\n> Words.", "```\n> Words.\n```", TABLE, ">", "> — Bo", "a > b"])
def test_what_is_no_quotation(reading, text):
    assert quotes(reading, text) == []


def test_an_exported_note_comes_back_with_its_quotations_and_properties(reading):
    text = f"---\ntitle: T\nstatus: open\n{TWO}\n---\n> Words.\n> — Second study\n\n[[b]]\n"
    (node,) = reading(text, "a.md", format="note").nodes
    (again,) = reading(write_note(node), "notes/a.md").nodes
    assert again.model_copy(update={"provenance": node.provenance, "origin": None}) == node
