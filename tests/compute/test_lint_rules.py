"""Each rule of the linter, on claims that it reports and on claims that it leaves alone; docs/linting.md."""

import re
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from compute.linting.linter import RULES
from graph.models.node_models import Table
from tests.compute.lint_world import SIBLING, claim, problems, rules

RENT = 'value: price("market/h100", "on_demand")\nexpect: {at_least: %s USD/GPU/h}'
RATIO = 'value: 1 - price("market/a100", "on_demand") / price("market/h100", "on_demand")\nexpect: {at_most: %s}'
BOUGHT = 'given:\n  hits: 0%%\n  card: price("market/h100", "purchase")\nvalue: %s\nexpect: {%s}'
BYTES = "value: 8 * 80 GB\nexpect: {is: %s GB}\n%s"
WORTH = 'quote: %s\nvalue: price("market/wheat", "spot") * %s tonne\nexpect: {is: %s USD, within: %s}\n%s'
RISE = 'value: price("market/h100", "on_demand") / price("market/a100", "on_demand") - 1\nexpect: {is: 0%, within: 1pp}'
WHEAT = 'value: price("market/wheat", "spot")\nexpect: {is: 210 USD/tonne}'
MODEL = 'value: price("anthropic/%s", "input")\nexpect: {at_most: 5 USD/Mtok}\ntense: %s'


@pytest.mark.parametrize(
    ("rule", "body", "reported"),
    [
        ("price-cancels", BOUGHT % ("card / 6 - card / 6 + 2 USD/GPU", "at_least: 2 USD/GPU"), True),
        ("price-cancels", BOUGHT % ("(card / 4) / (card / 6)", "at_least: 1.5"), True),
        ("price-cancels", BOUGHT % ("card * 0 + 2 USD/GPU", "at_least: 2 USD/GPU"), True),
        ("price-cancels", BOUGHT % ("card / 6", "at_least: 2 USD/GPU"), False),
        ("price-cancels", BOUGHT % ("min(card, 1 USD/GPU)", "at_least: 2 USD/GPU"), False),
        ("price-cancels", BOUGHT % ("2 USD/GPU + hits * card", "is: 2 USD/GPU"), False),  # a share of nothing hides it
        ("cannot-fail", BYTES % ("640", ""), True),
        ("cannot-fail", BYTES % ("600", ""), False),
        ("cannot-fail", BYTES % ("640", "asserted_by: source"), False),
        ("cannot-fail", BYTES % ("640", "source: https://example.org"), False),
        ("cannot-fail", RENT % 0, True),
        ("cannot-fail", RENT % 1, False),
        ("cannot-fail", RATIO % "1", True),
        ("cannot-fail", RATIO % "0.9", False),
        ("cannot-fail", 'given:\n  r: price("market/h100", "on_demand")\nvalue: r\nexpect: {is: r}', True),
        ("cannot-fail", "given:\n  r: 4\nvalue: r\nexpect: {is: 4}\nasserted_by: source", True),
        ("cannot-fail", 'value: assume("pue")\nexpect: {is: 1.3}', False),
        ("tolerance-narrow", WORTH % ("The cargo is worth $2.5M.", "11_950", "2.5M", "10k USD", ""), True),
        ("tolerance-narrow", WORTH % ("The cargo is worth $2.5M.", "11_950", "2.5M", "50k USD", ""), False),
        ("tolerance-narrow", WORTH % ("The cargo is worth $2.5M.", "11_950", "2.5M", "2%", ""), False),
        ("tolerance-narrow", WORTH % ("The cargo is worth $2.1M.", "10_000", "2.1M", "1k USD", ""), False),
        ("tolerance-narrow", WORTH % ("The cargo is worth $1.1M.", "5_010", "1.1M", "50k USD", ""), False),
        ("tolerance-narrow", WORTH % ("It is about $2.51M.", "11_950", "2.51M", "10k USD", "because: Heavy."), False),
        ("tolerance-narrow", WORTH % ("The cargo is worth about $2.51M.", "11_950", "2.51M", "250k USD", ""), False),
        ("tolerance-narrow", f"quote: Wheat is $210 a tonne.\n{WHEAT}", False),  # nor has a list price
        ("tolerance-narrow", f"quote: The rent rose by 0%.\n{RISE}", False),  # a zero has no rounding
        ("severity-quote", "severity: critical", True),
        ("severity-quote", "severity: warning", True),
        ("severity-quote", "severity: info", False),
        ("severity-quote", "severity: critical\nasserted_by: nobody", False),
        ("severity-quote", "severity: critical\nquote: It costs $0.10.", False),
        ("quote-figure", "quote: Power is dear.", True),
        ("quote-figure", "quote: Power costs $0.35.", True),
        ("quote-figure", "quote: Power costs $0.10.", False),
        ("quote-figure", "quote: Power costs 10 cents.", False),
        ("quote-figure", "quote: Power costs a tenth of a dollar.", False),
        ("quote-figure", "quote: Power costs $100 a megawatt-hour.", False),
        ("stance-holds", "stance: disputes", True),
        ("stance-holds", "stance: disputes\nexpect: {is: 0.30 USD/kWh}", False),
        ("stance-holds", "stance: reports", False),
        ("root", "root: nothing", True),
        ("root", "root: claim", True),
        ("root", "root: ring", True),
        ("root", "root: sibling", False),
        ("tense-family", MODEL % ("sonnet", "dated"), True),
        ("tense-family", MODEL % ("sonnet", "standing"), False),
        ("tense-family", MODEL % ("claude-3-5-sonnet", "dated"), False),
        ("tense-superseded", MODEL % ("claude-3-5-sonnet", "standing"), True),
        ("tense-superseded", MODEL % ("claude-3-5-sonnet", "dated"), False),
        ("tense-superseded", MODEL % ("claude-sonnet-4-6", "standing"), False),
        ("tense-superseded", MODEL % ("sonnet", "standing"), False),
    ],
)
def test_a_rule_reports_what_it_is_for_and_leaves_the_rest_alone(rule, body, reported):
    quote = re.search(r"^quote: (.*)$", body, re.M)
    others = [SIBLING, {**deepcopy(SIBLING), "id": "ring", "root": "claim"}]
    assert (rule in rules(body, quote[1] if quote else "It costs $0.10.", others)) is reported


@pytest.mark.parametrize(
    ("formula", "text", "expected"),
    [
        ("0.057 USD/kWh", "Two megawatts are saved.", True),
        ("0.057 USD/kWh", "At 5.7 cents a kilowatt-hour two megawatts are saved.", False),
        ("1500 tonne", "Fifteen hundred tonnes were shipped.", False),
        ("1_500 tonne", "1.5k tonnes were shipped.", False),
        ("35%", "A share of 0.35 remains.", False),
        ("65%", "The price fell by 35%.", False),
        ("700 W", "The pump draws 0.7 kW.", False),
        ("41 tonne", "The pump draws 0.7 kW.", True),
        ("8760", "The pump runs all year.", False),
        ("12", "The pump runs all year.", False),
        ("453.59237 g", "Thousands of pounds were sold.", False),
        ("1500 tonne", "1,500 tonnes were shipped.", False),
        ("1500 tonne", "1.5 thousand tonnes were shipped.", False),
        ("25 tonne", "Twenty-five wells.", False),
        ("0.75 tonne", "Three quarters of the crop.", False),
        ("0.5 tonne", "Half of it.", False),
        ("3.14e23 tonne", "3.14 × 10^23 operations.", False),
        ("3.14e23 tonne", "3.14×10²³ operations.", False),
        ("2500000 tonne", "2.5 million barrels.", False),
        ("32.5 tonne", "30 to 35% more.", False),
        ("12000 tonne", "A dozen eggs.", False),
        ("640 tonne", "The hall draws 700 W and holds 80 GB.", False),
        ("0.65 tonne", "The hall draws 700 W and holds 80 GB.", True),
    ],
)
def test_an_input_must_be_in_the_text(formula, text, expected):
    found = rules(f'given:\n  x: {formula}\nvalue: price("market/power", "energy") / (1 * x) * x\n', text)
    assert ("unstated-input" in found) is expected


def reported(rule, body, text="", **rest):
    return [one for one in problems([claim(body)], text, **rest) if one.code == f"claims/{rule}"]


def test_a_number_in_a_table_of_the_note_is_stated():
    wells = Table(name="Wells", header=("well", "depth"), units=(None, "m"), rows=(("North", "431"),))
    body = 'given:\n  deep: 431 tonne\nvalue: price("market/wheat", "spot") * deep\nexpect: {at_least: 9 USD}\n'
    assert reported("unstated-input", body, "Wells.")
    assert not reported("unstated-input", body, "Wells.", tables=(wells,))


def test_prices_per_token_and_per_hour_cannot_meet_and_exponents_and_the_arguments_of_prices_need_no_source():
    """The catalogue gives the unit of a price: the author hears of it at the line, not at night as `unverifiable`."""
    body = 'value: price("openai/gpt-4", "input"%s\nexpect: {%s}\n'
    (found,) = reported("unknown-input", body % (")", "is: 3 USD/h, within: 1 USD/h"), "Three dollars an hour.")
    assert "units do not match in expect.is: cannot compare USD/Mtok and USD/h" in found.message
    (found,) = reported("unstated-input", body % (", context=77k) * 1.3 ^ 7", "at_least: 9 USD/Mtok"), "Some text.")
    assert found.message.startswith("claim: 1.3 is not in the text")


@pytest.mark.parametrize(("speaker", "told"), [("author", True), ("nobody", False)])
def test_only_a_figure_of_the_author_is_said_to_be_his(speaker, told):
    (found,) = reported("cannot-fail", f"{BYTES % ('640', '')}asserted_by: {speaker}\n")
    assert ("its author states" in found.message) is told


@pytest.mark.parametrize(
    ("quote", "item", "expected"),
    [
        ("GPT-4 costs $30.", "openai/gpt-4-turbo", True),
        ("GPT-4 costs $30.", "openai/gpt-4", False),
        ("GPT-4 Turbo costs $10.", "openai/gpt-4", True),
        ("Claude 3.5 Sonnet costs $3.", "anthropic/sonnet", True),
        ("Claude 3.5 Sonnet costs $3.", "anthropic/claude-3-5-sonnet", False),
        ("Sonnet costs $3.", "anthropic/sonnet", False),
        ("Sonnet costs $3.", "anthropic/claude-3-5-sonnet", False),
        ("A GPT-4-class model costs $3.", "anthropic/sonnet", False),
        ("A model of the class costs $3.", "openai/gpt-4", False),
        ("An H100 is rented at $2.50.", "market/h100", False),
        ("An H100 is rented at $2.50.", "market/a100", True),
        ("A card is rented at $2.50.", "market/a100", False),
        ("An A100 and an H100 differ by $1.30.", "market/a100", False),
    ],
)
def test_the_formula_reads_the_model_or_card_that_the_text_names(quote, item, expected):
    component, unit = ("on_demand", "USD/GPU/h") if item.startswith("market/") else ("input", "USD/Mtok")
    body = f'quote: {quote}\nvalue: price("{item}", "{component}")\nexpect: {{at_least: 1 {unit}}}\n'
    assert ("model-named" in rules(body, quote)) is expected


@pytest.mark.parametrize(
    ("allow", "expected"),
    [
        ({"severity-quote": "the note is a price list without sentences"}, []),
        ({"severity-quote": ""}, ["the exception from severity-quote has no reason"]),
        ({"severity-quotes": "a reason of words"}, ["allow names 'severity-quotes', and there is no such rule"]),
        ({"root": "a reason of words"}, ["the exception from root is not needed: the rule finds nothing here"]),
    ],
)
def test_an_exception_has_a_reason_and_is_needed(allow, expected):
    found = problems([claim(severity="critical", allow=allow)])
    told = [one.message.partition(": ")[2] for one in found if one.code == "claims/exception"]
    assert [message.rpartition(" [")[0] for message in told] == expected
    assert ("claims/severity-quote" in {one.code for one in found}) == ("severity-quote" not in allow)


def test_a_finding_is_at_the_line_and_column_of_its_field():
    body = 'given: {x: 41 tonne}\nvalue: price("market/wheat", "spot") * (2 * x) * 1.7\nexpect: {at_least: 1 USD}'
    found = reported("unstated-input", body, "Text.")
    places = {one.message.split(" ")[1]: one.text[one.column - 1 :] for one in found}
    assert places == {"41": "41 tonne", "1.7": "1.7"}
    nodeless = problems([claim(node="acme/unknown", severity="critical")])
    assert [one.code for one in nodeless] == ["claims/severity-quote"], "linted as far as it can be"


DOCS = (Path(__file__).parents[2] / "docs/linting.md").read_text("utf-8")


def test_the_table_has_every_rule_with_its_level_and_title():
    told = re.findall(r"^\| \[`([\w-]+)`\]\(#([\w-]+)\) \| (\w+) \| (.+) \|$", DOCS, re.M)
    assert told == [(rule.id, rule.id, rule.severity.value, rule.title) for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_example_is_reported_and_its_mend_is_not(rule):
    section = DOCS.partition(f"\n### {rule.id}\n")[2].partition("\n### ")[0]
    assert " ".join(rule.help.split()) in " ".join(section.split())
    text = re.search(r"^> (.+)$", section, re.M)[1]
    claim, mend = re.findall(r"```yaml\n(.+?)```", section, re.S)
    mended = yaml.safe_dump({**yaml.load(claim, yaml.BaseLoader), **yaml.load(mend, yaml.BaseLoader)})
    assert rule.id in rules(claim, text, [SIBLING])
    assert rules(mended, text, [SIBLING]) == set()
