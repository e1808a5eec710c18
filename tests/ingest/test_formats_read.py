import hashlib

import pytest

from graph.models.document_models import Skip
from ingest.document_reader import read
from ingest.source_files import SkippedFile, SourceFile, listing, read_paths
from ingest.text.decoding import DecodedText
from ingest.text.line_accounting import account
from tests.command import written
from tests.ingest.own_documents import PAGE, own_text, resolve


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n\t\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        (b"# A\x00B", "binary"),
        (bytes(range(128, 256)) * 40, "binary"),
        (b"PK\x03\x04" + b"\x07\x08" * 200, "binary"),
    ],
)
def test_what_is_no_text_is_refused(data, code):
    document = read(data, "x.txt" if code == "empty" else "x.md")
    assert (document.format, document.nodes, document.text) == ("unknown", (), "")
    assert [(p.code, p.severity) for p in document.problems] == [(code, "error")]
    assert document.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"---\n---\n", b"%% private %%\n"])
@pytest.mark.parametrize("name", ["HBM.md", "HBM.markdown"])
def test_a_note_without_text_is_a_node(data, name):
    """Others link to it, and its backlinks are all that its author wants of it."""
    note, link = resolve([read(data, f"notes/{name}"), read(b"Depends on [[HBM]].\n", "Memory.md")])
    (node,) = note.nodes
    assert (node.id, node.title, node.body, note.problems) == ("notes/hbm", "HBM", "", ())
    assert [one.target for one in link.nodes[0].cites] == ["notes/hbm"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_texts_with_a_byte_order_mark_are_read(own, encoding):
    form, name, text = own
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    document = read(mark + text.encode(encoding), name)
    assert document.format == form
    plain = read(text.encode(), name).nodes
    placeless = [[one.model_copy(update={"provenance": None}) for one in nodes] for nodes in (document.nodes, plain)]
    assert placeless[0] == placeless[1]


def test_bytes_that_are_no_utf_8_are_replaced_and_reported():
    data = PAGE.encode().replace(b"Two surveys", b"Two \xfc\xff surveys").replace(b"3.10 a", b"3.10 \x80 a")
    document = read(data, "x.txt")
    told = [problem for problem in document.problems if problem.code == "encoding"]
    assert [(p.line, p.column) for p in told] == [(40, 9), (57, 29)]
    assert "Two \ufffd\ufffd surveys" in document.nodes[3].body


def test_an_older_western_encoding_is_read_and_reported_once_and_many_damaged_lines_are_counted_not_listed():
    text = PAGE.replace("Two surveys", "Two “surveyed” cafés — “deux”").replace("←", "«").replace("→", "»")
    document = read(text.encode("cp1252"), "x.txt")
    (told,) = [problem for problem in document.problems if problem.code == "encoding"]
    assert (told.line, told.column, told.text) == (2, 1, "« Contributors")
    assert document.text == text
    data = b"# Title\n\nSome prose about quays and tides, \x81\n" + b"and then more of the same prose \x81\n" * 100
    told = [problem for problem in read(data, "x.md").problems if problem.code == "encoding"]
    assert len(told) == 21
    assert told[-1].message.startswith("81 more lines")


def test_lone_surrogates_and_controls_never_reach_a_node():
    data = '---\ntitle: "a\\ud800b"\n---\nx \x07 \udc80 y'.encode("utf-8", "surrogatepass")
    (node,) = read(data, "a\udcff.md").nodes
    for text in (node.title, node.body, node.provenance.document):
        text.encode()
    assert "\x07" not in node.body


def test_lines_that_no_one_takes_are_reported_and_ranges_outside_the_document_do_no_harm():
    text = DecodedText("x", "a\n\nb\nc\n", ("a", "", "b", "c", ""), sha256="")
    count, skips, problems = account(text, (), (Skip(first_line=3, last_line=3, reason="why"),))
    assert (count.total, count.kept, count.skipped) == (3, 0, 3)
    found = [(one.first_line, one.last_line, one.reason) for one in skips]
    assert found == [(1, 1, "not understood"), (3, 3, "why"), (4, 4, "not understood")]
    assert [problem.line for problem in problems] == [1, 4]
    text = DecodedText("x", "a\nb", ("a", "b"), sha256="")
    skips = (Skip(first_line=-3, last_line=99, reason="all"), Skip(first_line=9, last_line=2, reason="none"))
    count, joined, _ = account(text, (), skips)
    assert (count.skipped, [(s.first_line, s.last_line) for s in joined]) == (2, [(1, 2)])


@pytest.fixture
def folder(tmp_path):
    files = {"b/two.md": own_text("note"), "b/brain.yaml": "brain: Second", "b/c/three.md": "x", "a.md": "# One"}
    files |= {"README.md": "# Where to begin", "b/README.md": "# What is in b", "terms.yaml": own_text("terms")}
    files |= {".obsidian/app.json": "{}", ".hidden.md": "x", "picture.png": "x", "schema/note.json": "{}"}
    files |= {"mkdocs.yml": "site_name: Notes\ntheme:\n  name: material\n"}
    return written(tmp_path, files | {"empty.txt": "\n", "2026-11-02.md": ""})


READ = ("README.md", "a.md", "terms.yaml", "b/README.md", "b/two.md", "b/c/three.md")


def test_a_folder_gives_its_documents_in_order_with_their_brains_and_the_rest_with_a_reason(folder):
    found = {one.name: one.brain for one in read_paths([folder])}
    assert [*found] == ["2026-11-02.md", *READ]
    assert [name for name, brain in found.items() if brain == "Second"] == [*READ[3:]]
    (folder / "slip.yaml").write_text("clams:\n  - id: a\n")
    assert "slip.yaml" in {one.name for one in read_paths([folder])}, "what was meant as rules is read, and refused"
    passed = {one.name: one.reason for one in listing([folder]) if isinstance(one, SkippedFile)}
    assert passed == {
        ".hidden.md": "a hidden file",
        "picture.png": "a picture, which is not read",
        ".obsidian/": "a hidden folder",
        "schema/note.json": "JSON that is not an export of Brain or Roam",
        "mkdocs.yml": "YAML of another program",
        "empty.txt": "an empty file",
        "b/brain.yaml": "settings of the folder",
    }


def test_a_folder_declares_the_format_of_its_prose(folder):
    (folder / "b/brain.yaml").write_text("brain: Second\nformat: bullet-glossary\n")
    (folder / "b/c/brain.yaml").write_text("format: glosary\n")
    found = list(listing([folder]))
    forms = {one.name: one.form for one in found if isinstance(one, SourceFile)}
    below = {"b/README.md": "bullet-glossary", "b/two.md": "bullet-glossary", "b/c/three.md": "glosary"}
    assert {name: form for name, form in forms.items() if form} == below
    (bad,) = (one for one in found if isinstance(one, SkippedFile) and one.kind == "bad rule")
    assert bad.name == "b/c/brain.yaml"
    assert "unknown format 'glosary'" in bad.reason


BROUGHT_BACK = {
    "README.md\n": {"a.md", "terms.yaml", "b/two.md", "b/c/three.md"},
    "README.md\n!b/README.md\n": {"a.md", "terms.yaml", "b/README.md", "b/two.md", "b/c/three.md"},
    "!.hidden.md\nb/\n": {"README.md", "a.md", "terms.yaml", ".hidden.md"},
    "!.obsidian/\nb/\n!.hidden.md\n": {"README.md", "a.md", "terms.yaml", ".hidden.md", ".obsidian/plugin.md"},
}


@pytest.mark.parametrize("rules", BROUGHT_BACK)
def test_a_folder_brings_back_what_a_rule_or_a_default_leaves_out(folder, rules):
    (folder / ".brainignore").write_text(rules)
    (folder / ".obsidian/plugin.md").write_text("A plugin.")
    assert {found.name for found in read_paths([folder])} - {"2026-11-02.md"} == BROUGHT_BACK[rules]


def test_a_file_that_is_named_is_read_whatever_it_is_under_the_name_in_its_folder_and_one_that_is_missing_raises(
    folder,
):
    readme, picture = read_paths([folder / "a.md", str(folder / "picture.png")])
    assert readme == SourceFile(b"# One", "a.md", None, str(folder / "a.md"))
    assert picture.name == "picture.png"
    with pytest.raises(FileNotFoundError):
        list(read_paths([folder / "none.md"]))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("catalog: cards\nprice:\n  - {item: acme/gpu}\n", 2, "'price' may be meant as 'prices'; or name the format"),
        ("claim:\n  - id: a\n", 1, "'claim' may be meant as 'claims'; or name the format"),
        ("Dear Sir,\n\nnothing here is a brain.\n", None, "name the format: "),
    ],
)
def test_a_slip_in_the_key_of_a_file_of_rules_is_named(text, line, said):
    (problem,) = read(text.encode(), "x.yaml").problems
    assert (problem.code, problem.line) == ("format-unknown", line)
    assert problem.hint.startswith(said)
