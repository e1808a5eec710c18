"""Names in documents and around them: what breaks the rule is refused at every entry, and nothing is stored."""

import json
import os

import pytest

from api.brain import Brain
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from graph.models.document_models import Document, LineCount
from graph.models.node_models import Kind, Node, Provenance
from graph.store.store_errors import UnstorableError
from tests.command import written
from tests.conftest import NOW
from tests.web_client import web_client

SHA = "ab" * 32
BAD_IDS = [
    ("notes/../../../pwn", "notes"), ("/abs", ""), ("notes/x", "/abs"), ("notes/x", "other"), ("notes/A", "notes"),
    ("a/nul\x00", "a"),
]  # fmt: skip


def _export(node_id="notes/x", brain="notes", document="x.md", **node):
    place = {"document": document, "first_line": 1, "last_line": 1, "sha256": SHA}
    entry = {"id": node_id, "brain": brain, "kind": "reading", "title": "T", "body": "b", "provenance": place, **node}
    listed = {"name": document, "format": "note", "brain": "notes", "sha256": SHA, "text": "b", "nodes": [entry]}
    return json.dumps({"brain_export": 1, "documents": [{**listed, "lines": {"total": 1, "kept": 1, "skipped": 0}}]})


@pytest.fixture
def opened(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home", token="t")) as brain:
        yield brain


@pytest.fixture
def take(opened, tmp_path):
    """Ingest a text as a file, or as a file of a folder with a `brain.yaml`."""

    def ingest(text, name="x.md", settings=None, **options):
        files = {name: text, **({"brain.yaml": settings} if settings else {})}
        return opened.ingest([written(tmp_path / "in", files)], at=NOW, options=ImportOptions(**options))

    return ingest


def _refused(report, opened):
    assert not report.stored
    assert opened.nodes.count() == {}
    return " ".join(problem.message for problem in report.problems)


def _on(first, last, document="x.md"):
    return {"provenance": {"document": document, "first_line": first, "last_line": last, "sha256": SHA}}


REFUSED = [
    *(({"node_id": node_id, "brain": brain}, "is not valid") for node_id, brain in BAD_IDS),
    *(({"document": name}, "document name") for name in ("/etc/passwd", "../x.md", "a\\b", "a/../../b", "a\nb")),
    *((_on(*lines), "has the lines") for lines in ((0, 1), (2, 1), (1, 2**63), (-1, -1))),
    (_on(1, 1, "y.md"), "of the document 'y.md'"),
]


@pytest.mark.parametrize(("export", "said"), REFUSED, ids=range(len(REFUSED)))
def test_an_export_that_breaks_a_rule_of_names_or_lines_is_refused(take, opened, export, said):
    assert said in _refused(take(_export(**export), "x.json"), opened)


@pytest.mark.parametrize("node_id", ["notes/../../../pwn", "../x/y", "/abs", "a/b/c", "A/b"])
def test_an_exported_note_with_such_an_id_is_refused(take, opened, node_id):
    text = f"---\nbrain_export: 1\nid: {node_id}\ntitle: T\nkind: reading\n---\nb\n"
    assert "is not valid" in _refused(take(text), opened)


@pytest.mark.parametrize("brain", ["../../x", "/abs", "a\\b", ".."])
def test_a_brain_that_is_a_path_is_refused_wherever_it_is_named(take, opened, brain):
    assert "brain" in _refused(take(f"---\nbrain: '{brain}'\n---\nb\n"), opened)
    assert "brain" in _refused(take("---\ntitle: T\n---\nb\n", brain=brain), opened)
    assert "brain" in _refused(take("---\ntitle: T\n---\nb\n", settings=f"brain: '{brain}'\n"), opened)
    assert "brain" in _refused(take(f"brain: '{brain}'\nterms:\n  - label: A\n    definition: b\n", "x.yaml"), opened)


def test_the_command_line_says_so(brain, tmp_path):
    (tmp_path / "x.md").write_text("# A\nb\n")
    told = brain("ingest", tmp_path / "x.md", "--brain", "../x")
    assert told.code == 2
    assert "is no path" in told.error


@pytest.mark.parametrize(
    ("name", "text"),
    [("/etc/x.md", "# A\nb\n"), ("../x.md", "# A\nb\n"), ("a\\b.md", "# A\nb\n"), ("C:/x.md", "# A\nb\n"),
     ("x.json", _export("notes/../../../pwn")), ("x.json", _export(document="../x"))],
)  # fmt: skip  # one list
def test_the_api_says_so(opened, name, text):
    with web_client(opened, lambda: NOW, pages=False, raise_server_exceptions=False) as client:
        headers = {"Authorization": "Bearer t"}
        answer = client.post("/v1/documents", params={"name": name}, content=text, headers=headers)
    assert answer.status_code == 422, answer.text
    assert opened.nodes.count() == {}


def test_the_store_refuses_what_every_entry_let_through(opened):
    place = Provenance(document="x.md", first_line=1, last_line=1, sha256=SHA)
    node = Node(id="notes/../x", brain="notes", kind=Kind.READING, title="T", provenance=place)
    lines = LineCount(total=1, kept=1, skipped=0)
    document = Document(name="x.md", format="note", brain="notes", sha256=SHA, text="b", nodes=(node,), lines=lines)
    with pytest.raises(UnstorableError, match="is not valid"):
        opened.documents.put_all([document], NOW)


@pytest.fixture
def vault(tmp_path):
    """A folder with links: to a file and a folder outside it, to a file and a folder inside it, to nothing, to itself."""
    strange = {"secret.md": "# Secret\n", "deep/more.md": "# More\n", "brain.yaml": "brain: stranger\n"}
    outside = written(tmp_path / "outside", strange)
    folder = written(tmp_path / "vault", {"own/a.md": "# A\nfrom inside\n"})
    (outside / "deep/back").symlink_to(outside)
    for name, target in (
        ("leak.md", outside / "secret.md"), ("far", outside / "deep"), ("near", folder / "own"), ("loop", tmp_path),
        ("broken.md", tmp_path / "nothing.md"), ("brain.yaml", outside / "brain.yaml"),
    ):  # fmt: skip
        (folder / name).symlink_to(target)
    return folder


def test_links_out_of_a_folder_are_named_and_not_followed(opened, vault):
    report = opened.ingest([vault], at=NOW)
    assert [entry.document.name for entry in report.entries] == ["own/a.md"]
    assert report.entries[0].document.brain == "notes"
    assert {link.name for link in report.links_left} == {"leak.md", "far", "near", "loop", "brain.yaml"}
    assert "points out of the folder" in next(link.reason for link in report.links_left if link.name == "leak.md")
    assert opened.ingest([vault / "leak.md"], at=NOW).stored, "one that is named itself is read"


def test_links_are_followed_on_request_each_folder_once(opened, vault):
    report = opened.ingest([vault], at=NOW, follow_links=True)
    assert [entry.document.name for entry in report.entries] == ["leak.md", "far/more.md", "own/a.md"]
    assert {entry.document.brain for entry in report.entries} == {"stranger"}
    assert {link.name for link in report.links_left} == {"near", "loop", "far/back"}


def test_the_report_names_the_links(brain, vault):
    assert "leak.md is a symbolic link that points out" in brain("ingest", vault).said
    told = brain("ingest", vault, "--follow-links", "--brain", "mara", "--json")
    assert {document["path"] for document in told.json["documents"]} >= {"leak.md", "far/more.md"}
    assert {link["name"] for link in told.json["links_left"]} >= {"near", "loop"}


@pytest.mark.parametrize("name", ["[/x].md", "[bold]x.md", "x[red.md", os.fsdecode(b"\xff.md")])
def test_odd_names_of_files_do_not_break_the_report(brain, tmp_path, name):
    told = brain("ingest", written(tmp_path / "in", {name: "# A\nb\n"}))
    assert told.code == 0, told.err
    assert name.encode("utf-8", "replace").decode().split(".")[0] in told.out
