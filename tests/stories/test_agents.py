"""Her agent asks one question in the morning, with the protocol's own client."""

import html
import json
import re

import pytest

from api.brain import Brain
from api.mcp_server import Server
from api.settings import Settings
from tests.agent import connected, walk
from tests.command import outcome, written
from tests.conftest import NOW, TODAY

CARDS = """prices:
  - {item: example/gpu, component: on_demand, value: 2 USD/GPU/h, from: 2026-01-01, to: 2026-06-01,
     source: 'https://example.com/old', checked: 2026-02-01}
  - {item: example/gpu, component: on_demand, value: 3 USD/GPU/h, from: 2026-06-01,
     source: 'https://example.com/prices', checked: 2026-11-01}
"""
CLAIM = (
    "  - {{id: gpu-costs-{id}, node: mara/{node}, says: {says}, as_of: {day}, "
    'value: \'price("example/gpu", "on_demand")\', expect: {{is: {is_} USD/GPU/h, within: 0.1 USD/GPU/h}}}}\n'
)
CLAIMS = (
    "claims:\n"
    + CLAIM.format(id="two", node="gpu", says="'A GPU costs two dollars & \"not more\".'", day="2026-03-01", is_=2)
    + CLAIM.format(id="three", node="sound", says="A GPU costs three dollars.", day="2026-08-01", is_=3)
)
LINK = "cites:\n  - to: {to}\n    as: citesAsEvidence\n"
NOTES = {
    "gpu.md": "---\ntitle: GPU\nkind: reading\n---\nA \"GPU\" costs <two> dollars & 'no more'.\n",
    "middle.md": f"---\ntitle: Middle\nkind: reading\n{LINK.format(to='gpu')}---\nSo it is cheap.\n",
    "thesis.md": f"---\ntitle: Rent GPUs\nkind: thesis\n{LINK.format(to='middle')}---\nRent.\n",
    "sound.md": "---\ntitle: Sound\nkind: thesis\n---\nThree.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agents")
    rules = {"claims.yaml": CLAIMS, "prices.yaml": CARDS, "brain.yaml": "brain: mara\n"}
    vault = written(folder / "vault", {**NOTES, **rules})
    with Brain.open(Settings(home=folder / "home")) as opened:
        assert opened.ingest([vault], at=NOW).stored
        opened.verify(TODAY, at=NOW, clock=lambda: NOW)
    return folder / "home"


def ask(home, tool, **given):
    with Brain.open(Settings(home=home)) as opened, connected(Server(opened, lambda: NOW)) as agent:
        return [one.content[0].text for one in walk(agent, tool, **given)]


def test_which_of_my_theses_rest_on_stale_figures_and_why_in_one_call(home):
    (text,) = ask(home, "failing_nodes", kind="thesis", as_of="2026-11-21")
    answer = json.loads(text)
    assert answer["total"] == 1
    (thesis,) = answer["items"]
    assert (thesis["node"], thesis["state"], thesis["title"]) == ("mara/thesis", "weakened", "Rent GPUs")
    assert re.fullmatch(r"http://127\.0\.0\.1:.*/nodes/mara/thesis", thesis["url"])
    assert thesis["path"] == ["mara/thesis", "mara/middle", "mara/gpu"]
    assert thesis["causes"] == [{"path": thesis["path"], "claims": ["gpu-costs-two"]}]
    assert thesis["causes_total"] == 1
    claim = answer["claims"]["gpu-costs-two"]
    assert claim["verdict"] == "stale"
    assert claim["says"] == 'A GPU costs two dollars & "not more".'
    assert "3.00" in claim["reason"]
    assert claim["url"].endswith("/claims/gpu-costs-two")
    (price,) = claim["inputs"]
    assert (price["item"], price["value"], price["source"]) == ("example/gpu", 3, "https://example.com/prices")
    assert (price["valid_from"], price["checked"], price["days"]) == ("2026-06-01", "2026-11-01", 20)
    assert "gpu-costs-three" not in text


@pytest.mark.parametrize(("tool", "given"), [("search", {"text": "GPU"}), ("claims", {}), ("failing_nodes", {})])
def test_no_answer_to_an_agent_has_html_entities(home, tool, given):
    for text in ask(home, tool, **given):
        assert html.unescape(text) == text
        assert "<mark>" not in text


def test_no_output_of_the_command_line_has_html_entities(home):
    for arguments in (["search", "GPU"], ["search", "GPU", "--json"], ["claims"], ["show", "mara/gpu", "--json"]):
        text = outcome(home, *arguments).out
        assert html.unescape(text) == text, arguments
    found = outcome(home, "search", "GPU", "--json").json["items"]
    assert any("<mark>GPU</mark>\" costs <two> dollars & 'no more'" in (one["snippet"] or "") for one in found)
