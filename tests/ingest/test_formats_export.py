"""Out and in again: the same bytes. Any input: nothing but problems, and every line accounted for."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.document_reader import read
from ingest.format_detection import FORMATS
from ingest.formats.brain_export import split_json, write_note, write_notes
from ingest.source_files import read_paths
from tests.command import written
from tests.ingest.formats_laws import DEMANDS, check, check_round_trip, texts, write_json
from tests.ingest.own_documents import OWN, resolve
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
