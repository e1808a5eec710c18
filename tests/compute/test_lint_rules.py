"""Each rule of the linter, on claims that it reports and on claims that it leaves alone."""

import pytest

from graph.models.node_models import Table
from tests.compute.lint_world import SIBLING, claim, problems, rules

CARD = 'value: price("market/h100", "on_demand")\n'


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


def test_a_number_in_a_table_of_the_note_is_stated():
    wells = Table(name="Wells", header=("well", "depth"), units=(None, "m"), rows=(("North", "431"),))
    body = 'given:\n  deep: 431 tonne\nvalue: price("market/wheat", "spot") * deep\nexpect: {at_least: 9 USD}\n'
    assert "claims/unstated-input" in {one.code for one in problems([claim(body)], "Wells.")}
    assert "claims/unstated-input" not in {one.code for one in problems([claim(body)], "Wells.", tables=(wells,))}


def test_a_price_per_token_and_a_price_per_hour_cannot_meet():
    """The catalogue gives the unit of a price: the author hears of it at the line, not at night as `unverifiable`."""
    body = 'value: price("openai/gpt-4", "input")\nexpect: {is: 3 USD/h, within: 1 USD/h}\n'
    (found,) = [one for one in problems([claim(body)], "Three dollars an hour.") if one.code == "claims/unknown-input"]
    assert "units do not match in expect.is: cannot compare USD/Mtok and USD/h" in found.message


def test_exponents_ranges_and_the_arguments_of_prices_need_no_source():
    body = 'value: price("openai/gpt-4", "input", context=77k) * 1.3 ^ 7\nexpect: {at_least: 9 USD/Mtok}\n'
    (found,) = [one for one in problems([claim(body)], "Some text.") if one.code == "claims/unstated-input"]
    assert found.message.startswith("claim: 1.3 is not in the text")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("card / 6 - card / 6 + 2 USD/GPU", True),
        ("(card / 4) / (card / 6)", True),
        ("card / 6", False),
        ("min(card, 1 USD/GPU)", False),
        ("card * 0 + 2 USD/GPU", True),
    ],
)
def test_a_price_that_cancels_out_is_reported(value, expected):
    bound = "1.5" if value.startswith("(") else "2 USD/GPU"
    body = f'given:\n  card: price("market/h100", "purchase")\nvalue: {value}\nexpect: {{at_least: {bound}}}\n'
    assert ("price-cancels" in rules(body)) is expected


def test_a_share_of_nothing_hides_a_price_and_does_not_cancel_it():
    body = 'given:\n  hits: 0%\n  card: price("market/h100", "purchase")\nvalue: 2 USD/GPU + hits * card\n'
    assert "price-cancels" not in rules(body + "expect: {is: 2 USD/GPU}\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("value: 8 * 80 GB\nexpect: {is: 640 GB}", True),
        ("value: 8 * 80 GB\nexpect: {is: 600 GB}", False),
        ("value: 8 * 80 GB\nexpect: {is: 640 GB}\nasserted_by: source", False),
        ("value: 8 * 80 GB\nexpect: {is: 640 GB}\nsource: https://example.org", False),
        (f"{CARD}expect: {{at_least: 0 USD/GPU/h}}", True),
        (f"{CARD}expect: {{at_least: 1 USD/GPU/h}}", False),
        (
            'value: 1 - price("market/a100", "on_demand") / price("market/h100", "on_demand")\nexpect: {at_most: 1}',
            True,
        ),
        (
            'value: 1 - price("market/a100", "on_demand") / price("market/h100", "on_demand")\nexpect: {at_most: 0.9}',
            False,
        ),
        ('given:\n  r: price("market/h100", "on_demand")\nvalue: r\nexpect: {is: r}', True),
        ("given:\n  r: 4\nvalue: r\nexpect: {is: 4}\nasserted_by: source", True),
        ('value: assume("pue")\nexpect: {is: 1.3}', False),
    ],
)
def test_a_claim_that_cannot_fail_is_reported(body, expected):
    assert ("cannot-fail" in rules(body)) is expected


@pytest.mark.parametrize(("speaker", "told"), [("author", True), ("nobody", False)])
def test_only_a_figure_of_the_author_is_said_to_be_his(speaker, told):
    found = problems([claim(f"value: 8 * 80 GB\nexpect: {{is: 640 GB}}\nasserted_by: {speaker}\n")])
    (message,) = [one.message for one in found if one.code == "claims/cannot-fail"]
    assert ("its author states" in message) is told


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


WHEAT = 'value: price("market/wheat", "spot") * {} tonne\n'


@pytest.mark.parametrize(
    ("quote", "tonnes", "expect", "expected"),
    [
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 10k USD}", "tolerance-narrow"),
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 50k USD}", ""),
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 2%}", ""),
        ("The cargo is worth $2.1M.", "10_000", "{is: 2.1M USD, within: 1k USD}", ""),
        ("The cargo is worth about $2.51M.", "11_950", "{is: 2.51M USD, within: 250k USD}", ""),
        ("The cargo is worth $2.51M.", "11_950", "{is: 2.51M USD, within: 10k USD}\nbecause: It is weighed twice.", ""),
        ("The cargo is worth $1.1M.", "5_010", "{is: 1.1M USD, within: 50k USD}", ""),
    ],
)
def test_a_tolerance_fits_the_rounding_of_the_figure(quote, tonnes, expect, expected):
    found = rules(f"quote: {quote}\n{WHEAT.format(tonnes)}expect: {expect}\n", quote)
    assert {one for one in found if one.startswith("tolerance")} == ({expected} - {""})


def test_a_figure_of_zero_and_a_list_price_have_no_rounding():
    zero = 'quote: The rent rose by 0%.\nvalue: price("market/h100", "on_demand") / price("market/a100", "on_demand") - 1\n'
    listed = 'quote: Wheat is $210 a tonne.\nvalue: price("market/wheat", "spot")\nexpect: {is: 210 USD/tonne}\n'
    assert "tolerance-narrow" not in rules(zero + "expect: {is: 0%, within: 1pp}\n", "The rent rose by 0%.")
    assert "tolerance-narrow" not in rules(listed, "Wheat is $210 a tonne.")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"severity": "critical"}, True),
        ({"severity": "warning"}, True),
        ({"severity": "info"}, False),
        ({"severity": "critical", "asserted_by": "nobody"}, False),
        ({"severity": "critical", "quote": "It costs $0.10."}, False),
    ],
)
def test_a_severe_claim_needs_a_quote(fields, expected):
    assert ("severity-quote" in rules("", "It costs $0.10.", **fields)) is expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Power is dear.", True),
        ("Power costs $0.35.", True),
        ("Power costs $0.10.", False),
        ("Power costs 10 cents.", False),
        ("Power costs a tenth of a dollar.", False),
        ("Power costs $100 a megawatt-hour.", False),
    ],
)
def test_the_quote_states_the_expected_figure(quote, expected):
    assert ("quote-figure" in rules(f"quote: {quote}", quote)) is expected


def test_a_disputed_figure_does_not_hold():
    assert "stance-holds" in rules("stance: disputes")
    assert "stance-holds" not in rules("stance: disputes\nexpect: {is: 0.30 USD/kWh}")
    assert "stance-holds" not in rules("stance: reports")


def test_a_root_is_another_claim_and_no_circle():
    assert "root" in rules("root: nothing")
    assert "root" in rules("root: claim")
    assert "root" not in rules("root: sibling", others=[SIBLING])
    assert "root" in rules("root: sibling", others=[{**SIBLING, "root": "claim"}])


@pytest.mark.parametrize(
    ("allow", "expected"),
    [
        ({"severity-quote": "the note is a price list without sentences"}, []),
        ({"severity-quote": ""}, ["the exception from severity-quote has no reason"]),
        ({"severity-quotes": "a reason of words"}, ["allow names 'severity-quotes', and there is no such rule"]),
        (
            {"quote-figure": "a reason of words"},
            ["the exception from quote-figure is not needed: the rule finds nothing here"],
        ),
    ],
)
def test_an_exception_has_a_reason_and_is_needed(allow, expected):
    found = problems([claim(severity="critical", allow=allow)])
    assert [
        one.message.partition(": ")[2].rpartition(" [")[0] for one in found if one.code == "claims/exception"
    ] == expected
    silent = "severity-quote" in allow
    assert ("claims/severity-quote" not in {one.code for one in found}) is silent


def test_a_finding_is_at_the_line_and_column_of_its_field():
    found = problems(
        [
            claim(
                'given: {x: 41 tonne}\nvalue: price("market/wheat", "spot") * (2 * x) * 1.7\nexpect: {at_least: 1 USD}'
            )
        ],
        "Text.",
    )
    places = {
        one.message.split(" ")[1]: one.text[one.column - 1 :] for one in found if one.code == "claims/unstated-input"
    }
    assert places == {"41": "41 tonne", "1.7": "1.7"}


def test_a_claim_without_a_node_is_linted_as_far_as_it_can_be():
    found = problems([claim(node="acme/unknown", severity="critical")])
    assert [one.code for one in found] == ["claims/severity-quote"]


SONNET = 'value: price("anthropic/sonnet", "input")\nexpect: {at_most: 5 USD/Mtok}\n'


def test_a_dated_claim_follows_no_family_and_a_standing_one_no_model_of_the_past():
    old = SONNET.replace("anthropic/sonnet", "anthropic/claude-3-5-sonnet")
    new = SONNET.replace("anthropic/sonnet", "anthropic/claude-sonnet-4-6")
    assert "tense-family" in rules(SONNET + "tense: dated\n")
    assert "tense-family" not in rules(SONNET)
    assert "tense-superseded" in rules(old)
    assert "tense-superseded" not in rules(old + "tense: dated\n") | rules(new) | rules(SONNET)
    assert "tense-family" not in rules(old + "tense: dated\n")
