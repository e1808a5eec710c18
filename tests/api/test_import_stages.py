"""Documents that come one after another end as the same graph as documents that come together."""

import gc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.brain import Brain
from api.pages import page_routes
from api.pages.page_request import PageRequest
from api.pages.render.template_renderer import TemplateRenderer
from api.pages.views import node_page
from api.pages.views.claim_table import PageContext
from api.services.checks import content_problems
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from compute.units.units import vocabulary
from graph.models.document_models import Document
from graph.models.query_models import NodeQuery
from graph.store.store_errors import UnknownDocumentError
from ingest.terms.term_mentions import link
from tests.command import written
from tests.conftest import NOW
from tests.statements import sent

NOTES = {
    "quay.md": ["See [[Tide]] and KV cache.", "A [[quay]] and [[crane|the crane]].", "Nothing, with a berth window."],
    "tide.md": ["It comes back; TTFT is another thing.", "The berth window, and [[Quay]]."],
    "crane.md": ["---\nsupports: [[quay]]\n---\nIt lifts the KV cache.", "Cranes wait for [[tide]]."],
    "words.md": [
        "# Words\n\n## K\n- **KV cache:** Keys that are kept.\n- **Berth window:** The hours given.\n",
        "# Words\n\n## T\n- **TTFT (time to first token):** A wait.\n",
        "# Words\n\n## B\n- **Berth window:** The hours that a ship is given at a quay.\n",
    ],
    "more.md": ["# More\n\n## B\n- **Berth window:** The hours that a ship has at its quay.\n"],
}  # fmt: skip

changes = [(name, text) for name, texts in NOTES.items() for text in texts]
deeds = st.lists(st.sampled_from(changes), min_size=1, max_size=6)


def graph(brain):
    """Every edge without its number, and the links without a target."""
    edges = {(link.subject, link.kind, link.target, link.cito) for link in brain.edges.all()}
    return edges, sorted((one.document, one.code) for record in brain.documents.all() for one in record.problems)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deeds)
def test_one_after_another_is_the_same_as_all_at_once(tmp_path_factory, steps):
    home, other = tmp_path_factory.mktemp("steps"), tmp_path_factory.mktemp("once")
    with Brain.open(Settings(home=home / "h")) as brain, Brain.open(Settings(home=other / "h")) as fresh:
        for name, text in steps:
            assert brain.ingest([written(home, {name: text}) / name], at=NOW).stored
        last = [written(other, {name: text}) / name for name, text in dict(steps).items()]
        assert fresh.ingest(last, at=NOW).stored
        assert graph(brain) == graph(fresh)
        derived = {(edge.subject, edge.kind, edge.target) for edge in brain.edges.select(derived=True)}
        assert derived == {(e.subject, e.kind, e.target) for e in link(brain.nodes.all())}


@pytest.fixture
def own(tmp_path):
    with Brain.open(Settings(home=tmp_path / "own")) as brain:

        def put(name, text, **options):
            return brain.ingest([written(tmp_path, {name: text}) / name], at=NOW, options=ImportOptions(**options))

        put.brain = brain
        yield put


def test_a_strict_ingest_asks_only_after_its_own_documents_and_reports_no_problem_again(own):
    own("quay.md", "See [[Tide]] and [[Nowhere]].")
    assert own("crane.md", "It lifts.").woken == ()
    assert [one.code for record in own.brain.documents.all() for one in record.problems] == ["link-unresolved"] * 2
    assert own("tide.md", "It comes back.", strict=True).stored
    assert [cite.target for cite in own.brain.nodes.get("notes/quay").cites] == ["notes/tide", None]


PAGE = """\
@{who} · pilot
{name}’s brain
1 nodes
Reading1 nodes
  • Cranes of {name}

    Cranes lift what is put on them in {name}.

    Sources:

    • https://example.org/{who}

    #cranes
"""


@pytest.fixture
def folders(tmp_path, own):
    def put(files, *paths, **options):
        given = written(tmp_path / "given", files)
        return own.brain.ingest([given / one for one in paths or files], at=NOW, options=ImportOptions(**options))

    put.store = own.brain.store
    return put


def documents(store):
    return {record.name: (record.brain, record.nodes) for record in store.documents.all()}


@pytest.mark.parametrize("together", [True, False])
def test_the_page_of_another_brain_does_not_take_the_place_of_the_first(folders, together):
    pages = {f"{who.lower()}/page.txt": PAGE.format(who=who.lower(), name=who) for who in ("Mira", "Otto")}
    for files in [pages] if together else [{name: text} for name, text in pages.items()]:
        assert folders(files).stored
    assert documents(folders.store) == {"page.txt": ("mira", 1), "otto/page.txt": ("otto", 1)}
    again = folders(pages)
    assert [entry.outcome for entry in again.entries] == ["unchanged", "unchanged"]


def test_two_files_of_one_name_are_an_error_that_names_both_and_one_that_is_named_twice_is_read_once(folders):
    report = folders({"a/quay.md": "One quay.", "b/quay.md": "Another quay."})
    assert not report.stored
    (problem,) = report.problems
    assert problem.code == "document-twice"
    assert "a/quay.md" in problem.message
    assert "b/quay.md" in problem.message
    assert documents(folders.store) == {}
    report = folders({"a/quay.md": "One quay."}, "a", "a/quay.md")
    assert report.stored
    assert len(report.entries) == 1


def test_a_document_without_any_node_left_is_reported(folders):
    folders({"a/quay.md": "One quay, and a crane."})
    assert folders({"a/quay.md": "One quay, and a crane.\n\nA tug."}).problems == []
    report = folders({"b/quay.md": "Tides come back."})
    assert [problem.code for problem in report.problems] == ["document-replaced"]
    assert report.stored
    assert not folders({"c/quay.md": "A lock is closed."}, strict=True).stored


COST = """\
claims:
  - {id: quay-costs, node: mira/quay, says: It costs two., as_of: 2026-01-01, value: 1 + 1, expect: {is: 2}}
"""


def test_a_file_of_a_folder_that_was_read_is_the_document_that_it_was_there(folders, tmp_path):
    notes = {"vault/notes/quay.md": "One quay.\n\nA crane.", "vault/costs/c.yaml": COST}
    folders({"vault/brain.yaml": "brain: mira", **notes}, "vault")
    report = folders({"vault/notes/quay.md": "One quay.\n\nA tug."}, "vault/notes/quay.md", "vault/costs/c.yaml")
    assert [(one.document.name, one.outcome) for one in report.entries] == [
        ("notes/quay.md", "changed"), ("costs/c.yaml", "unchanged"),
    ]  # fmt: skip
    assert documents(folders.store) == {"notes/quay.md": ("mira", 1), "costs/c.yaml": ("mira", 0)}


def test_another_file_on_a_path_of_the_same_end_is_another_document(folders):
    folders({"vault/notes/quay.md": "One quay.", "vault/tide.md": "It comes back."}, "vault")
    folders({"other/notes/quay.md": "Ships wait."}, "other/notes/quay.md", brain="otto")
    assert set(documents(folders.store)) == {"notes/quay.md", "tide.md", "quay.md"}


def test_a_claim_on_a_missing_node_is_reported_at_once(own):
    own("quay.md", "One quay.")
    (problem,) = own("c.yaml", COST).problems
    assert (problem.code, problem.line) == ("claim-without-node", 2)
    assert "did you mean 'notes/quay'?" in (problem.hint or "")
    assert own("d.yaml", COST.replace("mira/", "notes/").replace("quay-", "pier-")).problems == []


def test_a_tag_that_is_merged_later_is_found_though_no_note_changes(own):
    """The answer to the old name was kept until a note changed, which a merge of tags alone does not do."""
    own("quay.md", "---\ntags: [harbour]\n---\nA quay.")
    assert own.brain.find("tag:harbor", NodeQuery()).total == 0
    own("tags.yaml", "tags: {harbor: harbour}")
    assert own.brain.find("tag:harbor", NodeQuery()).total == 1


def test_a_note_that_waited_for_a_link_keeps_its_merged_tags(own):
    own("tags.yaml", "tags: {harbor: harbour}")
    own("quay.md", "---\ntags: [harbor]\n---\nSee [[Tide]].")
    own("tide.md", "It comes back.")
    assert own.brain.nodes.get("notes/quay").tags == ("harbour",)
    tagged = NodeQuery(tags=("harbor",))
    for text, query in (("", tagged), ("quay", tagged), ("tag:harbor", NodeQuery())):
        assert own.brain.find(text, query).total == 1, "an old spelling finds what was put under the new one"


def test_documents_go_together_or_not_at_all(own):
    own("quay.md", "See [[tide]].")
    own("tide.md", "It comes back with the berth window.")
    own("words.md", NOTES["words.md"][0])
    with pytest.raises(UnknownDocumentError, match=r"nothing\.md"):
        own.brain.importer.remove(["tide.md", "nothing.md"], at=NOW)
    assert [one.nodes for one in own.brain.importer.remove(["tide.md"], at=NOW, dry_run=True)] == [("notes/tide",)]
    assert len(own.brain.documents.all()) == 3
    own.brain.importer.remove(["tide.md", "words.md"], at=NOW)
    assert [record.name for record in own.brain.documents.all()] == ["quay.md"]
    (told,) = (one for one in content_problems(own.brain) if one.code != "index-outdated")
    assert (told.document, told.line, told.code) == ("quay.md", 1, "cites-removed")
    assert told.message == "notes/quay cites notes/tide, which was removed on 2026-11-21"
    assert list(own.brain.edges.select(derived=True)) == []


def test_what_was_taken_out_names_those_that_still_cite_it_and_its_new_id(own):
    for name, text in (("quay.md", "See [[tide]]."), ("tide.md", "It comes back."), ("ebb.md", "It goes.")):
        own(name, text)
    own.brain.importer.remove(["tide.md"], at=NOW)
    asked = PageRequest("/nodes/notes/tide", NOW.date(), {"brain": "notes", "slug": "tide"})
    answer = page_routes.answer(node_page.page, PageContext(own.brain), TemplateRenderer(), asked)
    assert answer.status_code == 410
    assert all(part in answer.body for part in (b"Still cited by", b'href="/nodes/notes/quay"'))
    own.brain.store.renamed_nodes.put({"notes/tide": "notes/ebb"})
    hints = [one.hint for one in content_problems(own.brain) if one.code == "cites-removed"]
    assert hints == ["it is notes/ebb now: correct notes/quay"]


WAITERS = {
    "a title": ("See [[The Late Tide]].", "tide.md", "---\ntitle: The late tide\n---\nIt is here."),
    "an alias": ("See [[Ebb]].", "tide.md", "---\naliases: [ebb]\n---\nIt is here."),
    "a slug": ("See [[late-tide]].", "late tide.md", "It is here."),
    "a path": ("See [[sea/Tide]].", "sea/tide.md", "It is here."),
    "a Markdown link": ("See [it](sea/tide.md).", "sea/tide.md", "It is here."),
    "an id": ("See [[notes/tide]].", "tide.md", "It is here."),
}


@pytest.mark.parametrize(("waits", "name", "text"), WAITERS.values(), ids=WAITERS)
def test_a_note_is_read_again_for_whatever_its_link_may_mean(folders, waits, name, text):
    folders({"v/quay.md": waits, "v/other.md": "See [[Somewhere else]]."}, "v")
    report = folders({f"w/{name}": text}, "w")
    assert [entry.document.name for entry in report.woken] == ["quay.md"]
    (target,) = (node.id for node in folders.store.nodes.all(document=name))
    assert [cite.target for cite in folders.store.nodes.get("notes/quay").cites] == [target]


def test_a_note_with_a_new_title_gives_it_to_the_links_of_others(folders):
    folders({"v/quay.md": "See [[tide]].", "v/other.md": "The tide."}, "v")
    for title in ("Spring tide", "Neap tide"):
        folders({"tide.md": f"---\nid: tide\ntitle: {title}\n---\nIt comes back."})
        assert [cite.target_title for cite in folders.store.nodes.get("notes/quay").cites] == [title]
    assert [
        entry.document.name for entry in folders({"tide.md": "---\nid: tide\ntitle: Neap tide\n---\nIt"}).woken
    ] == []


def test_a_note_that_fifty_wait_for_resolves_all_of_them(folders):
    folders({f"v/note-{n}.md": f"See [[Tide]], {n}." for n in range(50)}, "v")
    assert folders({"tide.md": "It comes back."}, dry_run=True).woken == ()
    assert len(folders({"tide.md": "It comes back."}).woken) == 50
    assert len(folders.store.edges.backlinks("notes/tide")) == 50
    assert tuple(one for record in folders.store.documents.all() for one in record.problems) == ()


@pytest.mark.parametrize("how", ["renamed", "deleted"])
def test_a_link_that_meant_two_means_the_one_that_is_left(folders, tmp_path, how):
    same, two = "---\ntitle: Same\n---\n", tmp_path / "given/w/b/two.md"
    folders({"v/quay.md": "See [[same]].", "w/a/one.md": same + "x", "w/b/two.md": same + "y"}, "v", "w")
    assert [one.code for record in folders.store.documents.all() for one in record.problems] == ["link-ambiguous"]
    two.unlink() if how == "deleted" else two.write_text("---\ntitle: Another\n---\ny")
    assert [entry.document.name for entry in folders({}, "w").woken] == ["quay.md"]
    assert [cite.target for cite in folders.store.nodes.get("notes/quay").cites] == ["notes/one"]
    assert tuple(one for record in folders.store.documents.all() for one in record.problems) == ()


@pytest.mark.parametrize("count", [2, 40])
def test_one_note_costs_the_same_however_many_notes_there_are_and_wait(folders, count):
    same = "---\ntitle: Same\n---\n"
    folders({f"v/note-{n}.md": f"See [[same]] and [[Missing {n}]]." for n in range(count)}, "v")
    folders({"w/a/one.md": same + "x", "w/b/two.md": same + "y"}, "w")
    for files, more in ({"other.md": "Other words."}, ()), ({"new.md": "New words."}, ("w", "new.md")):
        with sent(folders.store) as statements:
            assert folders(files, *more).woken == ()
        assert len(statements) <= 55


def test_a_dry_run_adds_no_unit_for_others(own):
    """Its units counted for everybody whom the same process served, until something was stored."""
    own("units.yaml", "units:\n  - name: firkin\n", dry_run=True)
    assert "firkin" not in vocabulary().names
    own("units.yaml", "units:\n  - name: firkin\n")
    assert "firkin" in vocabulary().names


def test_a_link_that_was_found_or_struck_out_or_whose_document_is_taken_out_waits_no_longer(own):
    waiting_for = own.brain.store.unresolved.waiting_for
    own("quay.md", "See [[Tide]] and [[Moon]].")
    assert waiting_for(["tide"]) == ("quay.md",)
    own("tide.md", "It comes back.")
    assert (waiting_for(["tide"]), waiting_for(["moon"])) == ((), ("quay.md",))
    own("quay.md", "See [[Tide]].")
    assert waiting_for(["tide", "moon"]) == ()
    own("quay.md", "See [[Moon]].")
    own.brain.importer.remove(["quay.md"], at=NOW)
    assert waiting_for(["moon"]) == ()
    assert own("moon.md", "It rises.").woken == ()


@pytest.mark.parametrize("how", ["removed", "deleted", "changed"])
def test_a_term_that_goes_leaves_no_mention_behind(folders, tmp_path, own, how):
    words = tmp_path / "given/w/words.md"
    folders({"quay.md": "The berth window is short."})
    folders({"w/words.md": NOTES["words.md"][0], "w/more.md": NOTES["words.md"][1]}, "w")
    assert [edge.kind for edge in folders.store.edges.select(derived=True)] == ["mentions"]
    if how == "removed":
        own.brain.importer.remove(["words.md"], at=NOW)
    elif how == "deleted":
        words.unlink()
    else:
        words.write_text(NOTES["words.md"][0].replace("Berth window", "Lock gate"))
    folders({}, "w") if how != "removed" else None
    assert list(folders.store.edges.select(derived=True)) == []


def test_what_was_parsed_is_released_before_storing(tmp_path, monkeypatch):
    """Each document was held twice while it was stored: as parsed, and with its links."""
    written(tmp_path, {name: texts[0] for name, texts in NOTES.items()})
    held = []
    with Brain.open(Settings(home=tmp_path / "h")) as brain:
        put_all = brain.documents.put_all

        def counted(documents, at):
            gc.collect()
            held.extend(one.name for one in gc.get_objects() if type(one) is Document and one.name in NOTES)
            return put_all(documents, at)

        monkeypatch.setattr(brain.documents, "put_all", counted)
        assert brain.ingest([tmp_path / name for name in NOTES], at=NOW).stored
    assert sorted(held) == sorted(NOTES)
