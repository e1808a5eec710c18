"""Drafts of claims for a text: what is found about each, by command, request and tool; nothing is stored."""

import re

import pytest

from api.brain import Brain
from api.mcp_server import Server
from api.services.texts.claim_drafts import DRAFT_NODE, MOST_CLAIMS, TooManyClaimsError
from api.settings import Settings
from compute.figures.relation_table import RELATIONS
from graph.values import loads
from tests.agent import connected
from tests.compute.test_figures_relations import BANK, BRACED
from tests.conftest import NOW, ROOT, TODAY
from tests.web_client import web_client

CUT = "- quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}\n"
TEXT = "# Cuts\n\nThe price fell from $8 to $2, a 75% cut. A rack of 4 GPUs draws 4 kW.\n"
DOCS = (ROOT / "docs/proof.md").read_text("utf-8")


@pytest.fixture
def opened(tmp_path):
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        yield brain


def check(brain, claims, text=TEXT):
    return brain.mining.check_drafts(claims, TODAY, text=text.encode())


def test_drafts_without_id_node_day_and_sentence_are_checked_and_problems_belong_to_their_claim(opened):
    found = check(opened, CUT)
    (item,) = found.items
    assert (item.id, item.line, item.quoted, item.quote.line) == ("draft-1", 1, True, 3)
    assert (item.verdict.verdict, item.verdict.node, item.verdict.then.as_of) == ("holds", DRAFT_NODE, TODAY)
    assert item.changes == ()
    assert found.sound
    items = check(opened, CUT * 2 + "- value: 1 +\n  expect: {is: 1}\n").items
    assert [item.id for item in items] == ["draft-1", "draft-2", "draft-3"]
    assert [bool(item.problems) for item in items] == [False, False, True]
    with pytest.raises(TooManyClaimsError, match=str(MOST_CLAIMS)):
        check(opened, "- value: 1\n  expect: {is: 1}\n" * (MOST_CLAIMS + 1))


def test_each_draft_of_a_text_of_several_parts_is_compared_with_the_part_that_it_quotes(opened):
    """Only the last draft found its words: a wrong figure before it was unverifiable, "no one states it"."""
    text = "# North\n\n- **Price Cut** → It fell from $8 to $2, a 57% cut.\n- **Rack Power** → 4 GPUs draw 4 kW.\n- **Row** → x\n"
    claims = CUT.replace("75%", "57%") + "- quote: draw 4 kW\n  value: 4 GPU * 1 kW/GPU\n  expect: {is: 4 kW}\n"
    found = opened.mining.check_drafts(claims, TODAY, text=text.encode(), name="north.txt")
    assert [(item.quote.line, item.verdict.verdict) for item in found.items] == [(3, "refuted"), (4, "holds")]


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        ("quote: a 57% cut\n  value: change(8, 2)\n  expect: {is: -75%}", "does not have the words of the quote"),
        ("value: change(8, 2)\n  expect: {is: -75%}", "Add a quote"),
        ("quote: a 75% cut\n  value: change(8, 2\n  expect: {is: -75%}", "line 2: value"),
        ("quote: draws 4 kW\n  value: 4 GPU * 700 W/GPU\n  expect: {is: 4 kW, within: 1%}", "refuted: Never true"),
        ("quote: draws 4 kW\n  value: 4 GPU * 700 W/GPU\n  expect: {is: 4 USD}", "cannot compare W and USD"),
        ('quote: a 75% cut\n  value: price("no/such", "input")\n  expect: {is: 1 USD/Mtok}', "no catalogue knows"),
        ("node: notes/none\n  quote: a 75% cut\n  value: change(8, 2)\n  expect: {is: -75%}", "no note notes/none"),
    ],
)
def test_what_to_change_is_said(opened, claim, change):
    (item,) = check(opened, f"- {claim}\n").items
    assert re.search(change, "\n".join(item.changes)), item.changes


def test_the_command_says_what_to_change_and_stores_nothing(brain, write):
    text = write("draft.md", TEXT)
    good, bad = write("good.yaml", CUT), write("bad.yaml", CUT.replace("8, 2", "8, 3"))
    kept, changed = (brain("verify", "--draft", file, "--text", text, "--as-of", TODAY) for file in (good, bad))
    assert (kept.code, changed.code) == (0, 1)
    assert "1 claim, 1 without a change; nothing was stored" in kept.out
    assert "refuted" in changed.out
    assert brain("verify", "--draft", bad, "--text", text, "--json").json["items"][0]["verdict"]["verdict"] == "refuted"
    assert brain("verify", "--text", text).code == 2
    assert brain("verify", "--draft", good, "--run", "1").code == 2


def test_a_request_and_an_agent_get_the_same_answer(opened):
    """The recorded exchange of docs/proof.md: a wrong cut, and what the answer says of it."""
    section = DOCS.partition("<!-- exchange -->")[2].partition("<!-- /exchange -->")[0]
    claims = re.search(r"```yaml\n(.*?)```", section, re.S)[1]
    text = re.search(r"For the text \*(.*?)\*", section, re.S)[1]
    with web_client(opened, lambda: NOW, pages=False) as asked:
        answer = asked.post("/v1/claims/check", json={"claims": claims, "text": text})
        assert asked.post("/v1/claims/check", json={"text": text}).status_code == 422
        assert asked.post("/v1/claims/check", content="x", headers={"content-type": "text/plain"}).status_code == 415
    (item,) = answer.json()["items"]
    assert (item["quoted"], item["quote"]["line"]) == (True, 1)
    said = " ".join(section.split())
    assert item["verdict"]["verdict"] == "refuted"
    assert all(change in said for change in item["changes"])
    with connected(Server(opened, lambda: NOW)) as agent:
        told = agent("call_tool", "check_claims", {"claims": claims, "text": text})
    assert loads(told.content[0].text)["items"][0]["changes"] == item["changes"]


def test_the_docs_have_the_relations_of_the_code_and_are_short():
    table = DOCS.partition("<!-- relations -->\n")[2].partition("\n<!-- /relations -->")[0]
    shown = [one for one in RELATIONS if one.name in BANK["examples"]]
    examples = {one.title: BRACED.sub(r"**\1**", BANK["examples"][one.name]) for one in reversed(shown)}
    titles = dict.fromkeys(one.title for one in shown)
    rows = [f"| {title} | {examples[title]} |" for title in titles]
    assert table.splitlines()[2:-2] == rows, "and the total of listed items and a written equation"
    assert len(DOCS.split()) <= 1800
