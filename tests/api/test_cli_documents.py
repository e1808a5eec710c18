import re

import pytest

GLOSSARY = """# Terms of the trade

## A
- **Amortisation:** A purchase spread over the years of its use.

## B
- **Batch:** Requests that are computed together.
"""
CLAIM = """claims:
  - id: halves
    node: own/batch
    says: A batch costs half.
    as_of: 2026-01-01
    value: {value}
    expect: {{is: 50%}}
"""
TAB = "error: not readable as YAML: a tab is used for indentation"
CARD = """prices:
  - {{item: port/quay, component: storage, value: {}, from: 2026-01-01, source: 'https://example.org', checked: 2026-01-01}}
"""


@pytest.mark.documents
def test_the_five_documents_are_imported_completely(brain, real_documents):
    report = brain("ingest", real_documents, "--json").json
    page = next(one for one in report["documents"] if one["format"] == "brain-page")
    formats = {"brain-page", "term-table", "context-pack", "bullet-glossary", "arrow-glossary"}
    assert {one["format"] for one in report["documents"]} == formats
    assert (page["nodes"], page["declared_nodes"]) == (163, 169)
    assert any("169" in problem["message"] for problem in page["problems"])
    kinds = {kind: report["nodes"][kind] for kind in ("pov", "methodology", "watching", "thesis", "reading")}
    assert kinds == {"pov": 4, "methodology": 1, "watching": 1, "thesis": 8, "reading": 149}
    assert (report["tag_uses"], report["tags"]) == (1303, 652)
    assert (report["source_entries"], report["sources"]) == (575, 424)
    assert report["cite_spans"] == 835
    citations = {"resolved": 97, "unresolved": 0, "bracket_references": 97, "bracket_markers": 84}
    assert report["citations"] == citations
    for one in report["documents"]:
        assert one["lines"]["kept"] + one["lines"]["skipped"] == one["lines"]["total"], one["path"]
        text = (real_documents / one["path"]).read_text("utf-8")
        assert one["lines"]["total"] == sum(bool(line.strip()) for line in text.splitlines())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00", "picture.png: error: "),
        ("claims.yaml", CLAIM.format(value="1 - cost / 2"), "claims.yaml:6:16: error: value: "),
        ("cards.yaml", CARD.format("2.50 USD/parsec"), "cards.yaml:2:59: error: 'parsec' is not a unit"),
        ("claims.yaml", "claims:\n\t- id: x\n", f"claims.yaml:2:1: {TAB}"),
        ("second.yaml", "claims:\n  - id: x\n  \tnode: a/b\n", f"second.yaml:3:3: {TAB}"),
        ("no-space.yaml", "claims:\n  - id: x\n    node:a/b\n\tsays: y\n", f"no-space.yaml:4:1: {TAB}"),
        ("first.yaml", "\tclaims:\n\t  - id: x\n", "first.yaml:1:1: error: a tab is used for indentation"),
        ("prices.yaml", "# cards\nprices:\n\t- item: a/b\n", f"prices.yaml:3:1: {TAB}"),
    ],
    ids=lambda one: str(one) if str(one).endswith((".yaml", ".txt", ".png")) else "",
)
def test_bad_input_is_reported_with_its_place_and_leaves_the_store_alone(brain, write, name, text, said):
    brain("ingest", write("terms.md", GLOSSARY))
    before = brain("check", "--json").json
    outcome = brain("ingest", write(name, text), write("more.md", GLOSSARY.replace("Batch", "Bunch")))
    assert outcome.code == 3
    assert said in outcome.out
    assert "nothing was stored" in outcome.out
    assert "a tab" not in said or re.search(r"hint: .*spaces", outcome.out)
    assert brain("check", "--json").json == before


def test_the_brain_and_the_format_can_be_specified(brain, write):
    report = brain("ingest", write("terms.md", GLOSSARY), "--brain", "own", "--json").json
    assert report["documents"][0]["brain"] == "own"
    assert brain("show", "own/batch", "--json").json["title"] == "Batch"
    outcome = brain("ingest", write("terms.md", GLOSSARY), "--format", "nots")
    assert outcome.code == 2
    assert "'nots' is none of" in outcome.err
    assert "did you mean note?" in outcome.error
    assert brain("ingest", write("terms.md", GLOSSARY), "--prune").code == 2, "only a folder can be followed"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["show", "a/b"], "brain search"), (["explain", "c"], "brain claims"), (["runs", "9"], "brain runs"),
        (["claims", "--node", "a/b"], "brain search"), (["mine", "a/b"], "brain search"),
        (["verify", "--claim", "c"], "brain claims"), (["impact", "no/such"], "brain prices list"),
        (["impact", "assume:nothing"], "brain prices list"), (["prices", "show", "no/such"], "brain prices list"),
        (["silences", "remove", "tag:none"], "brain silences list"),
        (["ingest", "/no/such/place"], "/no/such/place: no such file"), (["watch", "/no/place"], "/no/place: no such file"),
        (["prices", "history", "/no/place", "f"], "/no/place: no such file"),
        (["export", "--format", "json", "-o", "nowhere/x.json"], "nowhere/x.json:"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_do_next(brain, command, says):
    outcome = brain(*command)
    assert outcome.code == 3
    assert says in outcome.err


def test_an_empty_brain_says_what_to_do(brain, tmp_path):
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / ".hidden").touch()
    nothing = brain("ingest", tmp_path / "bare")
    assert (nothing.code, *nothing.out.splitlines()[::4]) == (3, "no document was found", "nothing was stored")
    assert "brain ingest" in brain("search", "x").err
    assert "brain ingest" in brain("claims").err


def test_a_file_that_was_moved_is_answered_with_what_to_do(brain, write):
    claim = "claims:\n  - {id: one, node: notes/quay, says: One., as_of: 2026-01-01, value: 1, expect: {is: 1}}\n"
    assert brain("ingest", write("old.yaml", claim)).code == 0
    outcome = brain("ingest", write("new.yaml", claim))
    assert outcome.code == 3
    assert "brain remove" in outcome.err


def test_what_each_rule_alone_does_not_show_is_found_by_a_check(brain, write):
    slips = "families: {port/berth: [{from: 2026-01-01, model: port/quey}]}\n"
    cards = [write(f"{name}.yaml", CARD.format(f"{value} USD/GB")) for name, value in (("old", 1), ("new", 2))]
    brain("ingest", *cards, write("f.yaml", slips))
    silence = "silences: [{claim: nope, since: 2026-01-01, until: 2099-01-01, reason: a storm}]\n"
    brain("ingest", write("s.yaml", silence))
    outcome = brain("check", "--json")
    found = {problem["code"]: problem for problem in outcome.json["problems"]}
    assert outcome.code == 0
    assert "2.00 USD/GB in new.yaml and 1.00 USD/GB in old.yaml" in found["price-twice"]["message"]
    assert found["family-model"]["hint"] == "did you mean 'port/quay'?"
    assert "nope" in found["silence-claim"]["message"]
    assert " problems; 4 documents, 0 nodes, 0 claims; notes are searched by whoosh" in brain("check").out


def test_a_silence_of_a_file_says_what_it_keeps_back(brain, write):
    silence = "silences:\n  - {tag: quays, since: 2026-01-01, until: 2099-01-01, reason: a storm}\n"
    assert brain("ingest", write("own.yaml", silence)).code == 0
    assert "tag quays" in brain("silences", "list").out
    assert "own.yaml#1 is lifted" in brain("silences", "remove", "own.yaml#1").err


def test_documents_are_taken_out_by_name_and_a_slip_is_answered_with_those_near(brain, write):
    brain("ingest", write("terms.md", GLOSSARY), write("quay.md", "---\ntitle: Quay\n---\nA quay.\n"))
    slip = brain("remove", "term.md")
    assert slip.code == 3
    assert "terms.md" in slip.err
    assert brain("remove", "terms.md", "--dry-run", "--json").json["stored"] is False
    assert "terms.md is removed: 2 nodes" in brain("remove", "terms.md").out
    assert brain("check", "--json").json["documents"] == 1


def test_a_named_file_of_unknown_format_stores_nothing_and_says_what_to_do(brain, write):
    letter, note = write("letter.txt", "Dear,Sir,1\nno,brain,2\n"), write("note.md", "# A note\n\nIt is.\n")
    found = brain("ingest", note, letter)
    told = found.said
    assert found.code == 3
    assert "letter.txt: error: no known format" in told
    assert "--format note reads any prose" in told
    assert "nothing was stored, because of errors in letter.txt: mend them, or ingest the other files without" in told
    assert brain("search", "--json").json["total"] == 0
    assert brain("ingest", letter, "--format", "note").code == 0


def test_what_goes_into_a_file_has_no_blanks_at_the_ends_of_lines_and_is_not_cut(brain, write, tmp_path):
    quote = "A sentence of many words that is longer than the width of what goes into a file, " * 3
    says = quote.strip(" ,").replace(",", "")
    claim = (
        f"claims:\n  - {{id: long, node: notes/a, says: {says}, as_of: 2026-01-01, value: 1 + 1, expect: {{is: 3}}}}\n"
    )
    assert brain("ingest", write("claims.yaml", claim), write("a.md", quote)).code == 0
    for command in (("verify",), ("verify", "--all"), ("claims",), ("errata",), ("search",)):
        told = brain(*command).out
        assert not [line for line in told.splitlines() if line != line.rstrip()], command
        assert "…" not in told, command
