"""Out and in again: the same bytes. Any input: nothing but problems, and every line accounted for."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.document_reader import read
from ingest.format_detection import FORMATS
from ingest.formats.brain_export import split_json, write_note, write_notes
from ingest.markdown.markdown_tables import cells, tables_in, unit_in
from ingest.source_files import read_paths
from tests.command import written
from tests.ingest.formats_laws import DEMANDS, check, check_round_trip, texts, write_json
from tests.ingest.own_documents import OWN, own_text, resolve
from tests.ingest.test_formats_documents import NAMES


def nodes(documents):
    return [node for document in documents for node in document.nodes]


def read_again(folder):
    found = [read(one.data, one.name, default_brain=one.brain or "notes") for one in read_paths([folder])]
    return resolve(found)


def test_json_gives_every_document_as_it_was(own_documents, tmp_path):
    text = write_json(own_documents)
    again = read_again(written(tmp_path, {"all.json": text}))
    assert sorted(again, key=lambda d: d.name) == sorted(own_documents, key=lambda d: d.name)
    assert write_json(again) == text


def test_notes_give_every_node_as_it_was(own_documents, tmp_path):
    files = write_notes(nodes(own_documents))
    again = read_again(written(tmp_path, files))
    assert write_notes(nodes(again)) == files
    named = "id brain kind title body tags sources citations labels relations section published"
    kept = set(named.split())
    dumped = {node.id: node.model_dump(include=kept) for node in nodes(again)}
    assert dumped == {node.id: node.model_dump(include=kept) for node in nodes(own_documents)}
    assert not [problem for document in again for problem in document.problems if problem.severity == "error"]


@pytest.mark.documents
def test_the_real_documents_come_back_byte_for_byte(real, tmp_path):
    documents = resolve([real(name) for name in NAMES])
    text, files = write_json(documents), write_notes(nodes(documents))
    assert write_json(read_again(written(tmp_path / "json", {"all.json": text}))) == text
    assert write_notes(nodes(read_again(written(tmp_path / "notes", files)))) == files


@pytest.mark.parametrize(
    "title",
    ["plain", "a: b", "- a", "#a", "'a", '"a', "no", "Null", "1.0", "2025-01-01", "a\\b", "{a}", "[a]", "a #b", "*a", "&a", "!a",
     "%a", "@a", "`a", "a\tb", "a\u2028b", "a\x85b", "a\ufeffb", "\u05e9\u05dc\u05d5\u05dd", "😀", " a ", "~", "a:", "?", "|", ">"],
)  # fmt: skip  # one list
def test_any_title_survives_yaml(reading, title):
    (node,) = reading("---\ntitle: T\n---\nx", "t.md").nodes
    odd = node.model_copy(update={"title": title, "tags": (title,), "section": (title,)})
    (again,) = read(write_note(odd).encode(), "t.md").nodes
    assert (again.title, again.tags, again.section) == (title.strip(), (title,), (title,))


def test_any_body_survives(reading):
    (node,) = reading("---\ntitle: T\n---\nx", "t.md").nodes
    for body in ("", "\n", "---\n", "a\n\n\n", "  a", "---\ntitle: x\n---", "[[link]] #tag", "a\u2028b"):
        (again,) = read(write_note(node.model_copy(update={"body": body})).encode(), "t.md").nodes
        assert (again.body, again.tags, again.citations) == (body, (), ())


def test_an_export_of_several_documents_has_all_nodes(own_documents):
    document = read(write_json(own_documents).encode(), "all.json")
    assert document.format == "brain-export"
    assert {node.id for node in document.nodes} == {node.id for node in nodes(own_documents)}
    assert document.lines.kept == document.lines.total
    split, history = split_json(write_json(own_documents))
    assert (sorted(name for name, _ in split), history) == (sorted(one.name for one in own_documents), {})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"brain_export": 1, "documents": [', "json"),
        ('{"brain_export": 2, "documents": []}', "export-shape"),
        ('{"brain_export": 1, "documents": {}}', "export-shape"),
        ('{"brain_export": 1, "documents": [{"name": 3}]}', "export-field"),
        ('{"brain_export": 1, "documents": [7]}', "export-field"),
        ('{"brain_export": 1, "documents": ' + "[" * 100_000, "json"),
    ],
)
def test_a_broken_export_is_an_error_and_gives_no_node(text, code):
    document = read(text.encode(), "x.json")
    assert document.nodes == ()
    assert (code, "error") in [(problem.code, problem.severity) for problem in document.problems]


def test_a_broken_exported_note_is_an_error_at_its_field_and_surrogates_in_an_export_are_replaced(own_documents):
    document = read(b"---\nbrain_export: 1\nid: a/b\ntitle: T\nkind: tale\n---\nx", "b.md")
    assert document.nodes == ()
    assert [(p.code, p.line, p.column) for p in document.problems] == [("note-exported", 5, 1)]
    tree = json.loads(write_json(own_documents[:1]))
    tree["documents"][0]["nodes"][0]["title"] = "a\ud800b"
    assert read(json.dumps(tree).encode(), "x.json").nodes[0].title == "a\ufffdb"


BRIEF = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
SEEDS = [text for _, text in OWN.values()]
FILE_NAMES = st.sampled_from(("x.txt", "x.md", "a/b.yaml", "", "\udcff", "../../x"))


@BRIEF
@given(data=st.binary(max_size=400), name=FILE_NAMES, demand=st.sampled_from(DEMANDS))
def test_any_bytes_under_any_name_and_format(data, name, demand):
    check(data, name, demand)


@settings(BRIEF, max_examples=300)
@given(text=texts(), form=st.sampled_from(FORMATS))
def test_any_pieces_in_any_format(text, form):
    check(text.encode("utf-8", "surrogatepass"), "x.txt", form)


@settings(BRIEF, max_examples=200)
@given(text=texts(SEEDS), name=FILE_NAMES)
def test_a_damaged_document_is_read_and_comes_back_as_it_was(text, name):
    document = check(text.encode("utf-8", "surrogatepass"), name)
    if document.nodes:
        check_round_trip(document)


def test_every_heading_with_something_under_it_is_a_node(reading):
    document = reading(own_text("context-pack"), "pack.md")
    nodes = {node.slug: node for node in document.nodes}
    assert (document.format, document.brain) == ("context-pack", "harbour-costs")
    assert list(nodes) == ["harbour-cost-pack", "rates", "volume", "sources-of-error"]
    assert {node.kind.value for node in document.nodes} == {"reference"}
    assert nodes["harbour-cost-pack"].body == "What a harbour costs to keep open."
    assert nodes["rates"].section == ("Dredging",)
    assert dict(document.about)["name"] == "harbour-costs"
    assert [(skip.first_line, skip.reason) for skip in document.skipped] == [(8, "heading of a group of sections")]


def test_tables_are_data_with_their_units_and_code_formulas_and_lists_stay_as_written(reading):
    (table,) = reading(own_text("context-pack")).nodes[1].tables
    assert (table.name, table.units) == ("Rates", (None, "$/m3", "%"))
    assert table.header == ("Soil", "Price ($/m3)", "Share (%)")
    assert table.rows == (("**Silt**", "3.10", "60"), ("Sand", "4.40", "40"))
    assert table.line == 12
    nodes = {node.slug: node for node in reading(own_text("context-pack")).nodes}
    code = "```\nvolume = length x width x depth\n# not a heading\n```"
    assert nodes["volume"].body == f"{code}\n\nLoss follows $V \\propto d^{{1.5}}$."
    assert nodes["sources-of-error"].body == "- tide gauges drift\n- bids are *not* prices"


def test_text_before_the_first_heading_and_a_second_title_are_nodes(reading):
    more = "Read this first.\n\n# Harbour Cost Pack\n\nThen this."
    text = own_text("context-pack").replace("# Harbour Cost Pack", more)
    document = reading(text + "\n# Annex\n\nLast.\n")
    assert [(node.title, node.body) for node in document.nodes if node.title in {"Annex", "Harbour Cost Pack"}] == [
        ("Harbour Cost Pack", "What a harbour costs to keep open.\n\nRead this first."),
        ("Harbour Cost Pack", "Then this."),
        ("Annex", "Last."),
    ]
    assert document.lines.kept + document.lines.skipped == document.lines.total


def test_a_rule_below_a_line_makes_it_a_heading(reading):
    body = "Of silt.\n\n---\n\nTwo lines\nof text\n---\n\n- item\n---"
    text = f"# Pack\n\nDredging\n========\n\n**Rates**\n---\n\n{body}\n"
    document = reading(f"---\nname: p\ndescription: d\n---\n{text}")
    found = [(node.title, node.section, node.provenance.first_line) for node in document.nodes]
    assert found == [("Pack", (), 1), ("Rates", ("Dredging",), 10)]
    assert document.nodes[1].body == body
    assert [(skip.first_line, skip.last_line) for skip in document.skipped] == [(7, 8)]


def test_rows_of_another_width_and_a_code_block_that_never_ends_are_reported(reading):
    rows = "| Sand | 4.40 |\n| Clay | 5 | 1 | x |"
    document = reading(own_text("context-pack").replace("| Sand | 4.40 | 40 |", rows))
    assert document.nodes[1].tables[0].rows[1:] == (("Sand", "4.40", ""), ("Clay", "5", "1 | x"))
    assert [(p.code, p.line, p.severity) for p in document.problems] == [("table-row", n, "note") for n in (15, 16)]
    text = own_text("context-pack").replace("# not a heading\n```", "# not a heading")
    assert [(p.code, p.line) for p in reading(text).problems] == [("code-unclosed", 21)]


@pytest.mark.parametrize(("row", "expected"), [
    ("| a | b |", ("a", "b")), ("a | b", ("a", "b")), ("| a \\| b | `c|d` |", ("a | b", "`c|d`")), ("||", ("",)),
    ("| `open | b |", ("`open", "b")), ("| | b |", ("", "b")),
])  # fmt: skip  # rows
def test_the_cells_of_a_row(row, expected):
    assert cells(row) == expected


@pytest.mark.parametrize(("header", "unit"), [
    ("Input ($/M tokens)", "$/M tokens"), ("Effective $/GPU-hr (on-prem)", "$/GPU-hr"), ("Latency (ms)", "ms"),
    ("Latency, ms", "ms"), ("Size in GB", "GB"), ("Rate [USD per GPU hour]", "USD per GPU hour"),
    ("**Power (kW)**", "kW"), ("Use %", "%"), ("Rent $/GPU/h, list", "$/GPU/h"), ("Rent in $/GPU/h", "$/GPU/h"),
    ("$/M output tokens", "$/M output tokens"), ("$/M images", "$/M images"), ("Spent ($M)", "$M"),
    ("Spent ($bn)", "$bn"), ("Revenue, USD m", "USD m"), ("TDP (watts)", "watts"), ("Speed (tok/s)", "tok/s"),
    ("Grid (g/kWh)", "g/kWh"), ("Tariff [¢/kWh]", "¢/kWh"), ("Context (K tokens)", "K tokens"), ("Note (A)", None),
    ("Vitamin (g)", None), ("Overhead over 100%", None), ("Reserved (1yr)", None), ("On-Prem (3-year)", None),
    ("Cloud (on-demand)", None), ("Notes", None), ("%", None),
])  # fmt: skip  # pairs
def test_the_unit_that_a_header_states(header, unit):
    assert unit_in(header) == unit


def test_code_holds_no_table_and_a_second_table_of_a_section_has_a_number():
    text = "````\n```js\n|a|b|\n|-|-|\n```\n````\n| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n\n|a|\n|-|\n|1|"
    one, two = tables_in(text.split("\n"), "t")
    assert (one.first, one.last, one.table.rows) == (7, 10, (("1", ""), ("1", "2 | 3")))
    assert [found.table.name for found in (one, two)] == ["t", "t (2)"]
