"""Each rule of the linter, on claims that it reports and on claims that it leaves alone."""

from datetime import date

import pytest

from graph.models.node_models import Table
from tests.compute.lint_world import SIBLING, claim, problems, rules

CARD = 'value: price("market/h100", "on_demand")\n'
SHARE = 'given:\n  a: price("market/power", "energy")\nvalue: a / a * 0.6\n'


def quoted(quote, expect, body=SHARE):
    return f"quote: {quote}\n{body}expect: {expect}\n"


HEDGES = [
    ("Drip lines save up to 60% of the water.", "{is: 60%, within: 2pp}", "{at_most: 60%}"),
    ("At least 60% of the ships were late.", "{is: 60%, within: 1pp}", "{at_least: 60%}"),
    ("At least 60% of the ships were late.", "{at_most: 60%}", "{at_least: 60%}"),
    ("Fewer than 60% of the seats were sold.", "{at_least: 60%}", "{at_most: 60%}"),
    ("About 60% of the flour is exported.", "{is: 60%}", "{is: 60%, within: 3pp}"),
    ("Nearly 60% of the wells are dry.", "{is: 60%}", "{is: 60%, within: 2pp}"),
    ("Tenants typically keep 60% of the deposit.", "{is: 60%}", "{is: 60%, within: 5pp}"),
    ("Between 60% and 80% of the crop is lost.", "{is: 60%, within: 1pp}", "{between: [60%, 80%]}"),
    ("Yields fell by 60–80%.", "{is: 80%, within: 5pp}", "{is: 70%, within: 10pp}"),
    ("60% or more of the pupils pass.", "{is: 60%, within: 1pp}", "{at_least: 60%}"),
    ("No mill wastes more than 60% of its heat.", "{is: 60%, within: 1pp}", "{at_most: 60%}"),
]


@pytest.mark.parametrize(("quote", "wrong", "right"), HEDGES)
def test_an_expectation_that_ignores_a_hedge_is_reported_until_it_follows(quote, wrong, right):
    assert "quote-hedge" in rules(quoted(quote, wrong), quote)
    assert "quote-hedge" not in rules(quoted(quote, right), quote)


@pytest.mark.parametrize(
    "quote",
    [
        "The parts add up to 60% of the price.",
        "Exactly 60% of the water is saved, up to 90% in dry years.",
        "Will it fall to at most 60%?",
        "Over ten years 60% of the trees died.",
        "It saves up to 60%; in this case the saving is 60%.",
    ],
)
def test_a_figure_without_a_hedge_of_its_own_is_not_reported(quote):
    assert "quote-hedge" not in rules(quoted(quote, "{is: 60%, within: 2pp}"), quote)


def test_without_a_quote_the_sentence_of_the_claim_and_that_of_the_note_are_read():
    body = SHARE + "expect: {is: 60%, within: 2pp}\n"
    assert "quote-hedge" in rules(body, says="Drip lines save up to 60% of the water.")
    says = "Irrigation by drip lines saves 60% of the water."
    text = "Irrigation by drip lines saves up to 60%."
    (found,) = [
        one for one in problems([claim(body, says="Irrigation by drip lines pays.")], text) if "hedge" in one.code
    ]
    assert "the text says ‘up to 60%’" in found.message
    assert "quote-hedge" in rules(body, text, says=says)
    assert "quote-hedge" not in rules(body, text.replace("up to ", ""), says=says)


@pytest.mark.parametrize(
    ("quote", "form", "expected"),
    [
        ("A roof pays above 60% self-use.", "is", True),
        ("The press breaks even at 60% of its capacity.", "is", True),
        ("From 60% load on the plant is cheaper.", "is", True),
        ("A roof pays above 60% self-use.", "at_most", False),
        ("The press ran at 60% of its capacity.", "is", False),
    ],
)
def test_a_threshold_that_is_tested_as_a_point_is_reported(quote, form, expected):
    assert ("threshold-point" in rules(quoted(quote, f"{{{form}: 60%}}"), quote)) is expected


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


def test_exponents_ranges_and_the_arguments_of_prices_need_no_source():
    body = 'value: price("openai/gpt-4", "input", context=77k) * 1.3 ^ 7\nexpect: {at_least: 9 USD/Mtok}\n'
    (found,) = [one for one in problems([claim(body)], "Some text.") if one.code == "claims/unstated-input"]
    assert found.message.startswith("claim: 1.3 is not in the text")


def test_siblings_with_two_tariffs_are_reported_unless_the_text_states_both():
    body = "given:\n  tariff: 0.10 USD/kWh\nvalue: tariff * 1 kW * 1 year\nexpect: {is: 876 USD}\n"
    assert "sibling-values" in rules(body, "At $0.06 it costs $525.6.", [SIBLING])
    assert "sibling-values" not in rules(body, "At $0.06 and at $0.10 it differs.", [SIBLING])
    other_name = body.replace("tariff", "night_tariff")
    assert "sibling-values" not in rules(other_name, "At $0.06 it costs $525.6.", [SIBLING])
    elsewhere = {**SIBLING, "node": "acme/other"}
    assert "sibling-values" not in rules(body, "At $0.06.", [elsewhere])
    assert "sibling-values" in rules(body, "Text.", [{**elsewhere, "tags": ["power"]}], tags=["power"])


def test_claims_that_expect_one_sum_and_use_two_rates_are_reported():
    one = "given: {saved: 2.32 MW, tariff: 0.10 USD/kWh}\nvalue: saved * tariff * 1 year\nexpect: {is: 2M USD, within: 5%}"
    other = {
        **SIBLING, "node": "acme/other", "tags": ["power"], "given": {"saved": "2.32 MW", "rate": "0.06 USD/kWh"},
        "value": "saved * rate * 1 year", "expect": {"is": "2M USD", "within": "5%"},
    }  # fmt: skip
    text = "At $0.10 the 2.32 MW are worth $2M."
    assert "sibling-values" in rules(one, text, [other], tags=["power"])
    assert "sibling-values" not in rules(one, text, [other], tags=["water"])
    same = {**other, "given": {"saved": "2.32 MW", "rate": "0.10 USD/kWh"}}
    assert "sibling-values" not in rules(one, text, [same], tags=["power"])


def test_the_layers_of_two_models_are_not_siblings():
    one = 'given:\n  layers: 33 tonne\nvalue: layers * price("market/wheat", "spot")\nexpect: {at_least: 1 USD}\n'
    other = {**SIBLING, "given": {"layers": "81 tonne"}, "value": "layers", "expect": {"is": "81 tonne"}}
    assert "sibling-values" not in rules(one, "Text.", [other])


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
        ("Sonnet costs $3.", "anthropic/claude-3-5-sonnet", True),
        ("A GPT-4-class model costs $3.", "anthropic/sonnet", False),
        ("A model of the class costs $3.", "openai/gpt-4", False),
    ],
)
def test_the_formula_reads_the_model_that_the_text_names(quote, item, expected):
    body = f'quote: {quote}\nvalue: price("{item}", "input")\nexpect: {{at_least: 1 USD/Mtok}}\n'
    assert ("model-named" in rules(body, quote)) is expected


@pytest.mark.parametrize(
    ("quote", "item", "expected"),
    [
        ("An H100 is rented at $2.50.", "market/h100", False),
        ("An H100 is rented at $2.50.", "market/a100", True),
        ("A card is rented at $2.50.", "market/a100", False),
        ("An A100 and an H100 differ by $1.30.", "market/a100", False),
    ],
)
def test_the_formula_reads_the_card_that_the_text_names(quote, item, expected):
    body = f'quote: {quote}\nvalue: price("{item}", "on_demand")\nexpect: {{at_least: 1 USD/GPU/h}}\n'
    assert ("model-named" in rules(body, quote)) is expected


WHEAT = 'value: price("market/wheat", "spot") * {} tonne\n'


@pytest.mark.parametrize(
    ("quote", "tonnes", "expect", "expected"),
    [
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 10k USD}", "tolerance-narrow"),
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 50k USD}", ""),
        ("The cargo is worth $2.5M.", "11_950", "{is: 2.5M USD, within: 2%}", ""),
        ("The cargo is worth $2.1M.", "10_000", "{is: 2.1M USD, within: 1k USD}", ""),
        ("The cargo is worth $2.51M.", "11_950", "{is: 2.51M USD, within: 900k USD}", "tolerance-wide"),
        ("The cargo is worth about $2.51M.", "11_950", "{is: 2.51M USD, within: 900k USD}", "tolerance-wide"),
        ("The cargo is worth about $2.51M.", "11_950", "{is: 2.51M USD, within: 250k USD}", ""),
        ("The cargo is worth $2.51M.", "11_950", "{is: 2.51M USD, within: 10k USD}", "tolerance-wide"),
        ("The cargo is worth $2.51M.", "11_950", "{is: 2.51M USD, within: 10k USD}\nbecause: It is weighed twice.", ""),
        ("The cargo is worth $1.1M.", "5_000", "{is: 1.1M USD, within: 50k USD}", "tolerance-wide"),
        ("The cargo is worth $1.1M.", "5_010", "{is: 1.1M USD, within: 50k USD}", ""),
    ],
)
def test_a_tolerance_fits_the_rounding_of_the_figure(quote, tonnes, expect, expected):
    found = rules(f"quote: {quote}\n{WHEAT.format(tonnes)}expect: {expect}\n", quote)
    assert {one for one in found if one.startswith("tolerance")} == ({expected} - {""})


def test_a_figure_of_zero_has_no_rounding():
    body = 'quote: The rent rose by 0%.\nvalue: price("market/h100", "on_demand") / price("market/a100", "on_demand") - 1\n'
    found = rules(body + "expect: {is: 0%, within: 1pp}\n", "The rent rose by 0%.")
    assert not {one for one in found if one.startswith("tolerance")}


def test_a_list_price_is_exact():
    body = 'quote: Wheat is $210 a tonne.\nvalue: price("market/wheat", "spot")\nexpect: {is: 210 USD/tonne}\n'
    assert "tolerance-narrow" not in rules(body, "Wheat is $210 a tonne.")


@pytest.mark.parametrize(
    ("quote", "as_of", "item", "expected"),
    [
        ("In March 2024 it cost $30.", "2026-05-31", "openai/gpt-4", True),
        ("In March 2024 it cost $30.", "2024-03-20", "openai/gpt-4", False),
        ("In 2024 it cost $30.", "2024-11-01", "openai/gpt-4", False),
        ("By 2027 it will cost $30.", "2026-05-31", "openai/gpt-4", False),
        ("It cost $30 in 2023 and 2024.", "2026-05-31", "openai/gpt-4", False),
        ("It costs $9.", "2025-01-01", "openai/late-7", True),
        ("It costs $9.", "2025-10-01", "openai/late-7", False),
    ],
)
def test_as_of_fits_the_text_and_the_price(quote, as_of, item, expected):
    body = f'quote: {quote}\nvalue: price("{item}", "input")\nexpect: {{at_least: 1 USD/Mtok}}\nas_of: {as_of}\n'
    assert ("as-of" in rules(body, quote)) is expected


def test_as_of_is_the_day_on_which_the_note_was_published():
    found = problems([claim(as_of="2026-05-31")], "Text.", published=date(2026, 4, 2))
    assert [one.hint for one in found if one.code == "claims/as-of"] == ["write as_of: 2026-04-02"]
    assert not [
        one for one in problems([claim(as_of="2026-04-02")], "Text.", published=date(2026, 4, 2)) if "as-of" in one.code
    ]


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


@pytest.mark.parametrize(
    ("form", "helps", "expected"),
    [("at_least", "lower", True), ("at_least", "higher", False), ("at_most", "higher", True), ("is", "higher", False)],
)
def test_helps_fits_the_bound(form, helps, expected):
    assert ("helps-bound" in rules(f"expect: {{{form}: 0.10 USD/kWh}}\nhelps: {helps}")) is expected


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
            {"quote-hedge": "a reason of words"},
            ["the exception from quote-hedge is not needed: the rule finds nothing here"],
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


@pytest.mark.parametrize(
    ("quote", "asked"),
    [
        ("by mid-2025 a token of Sonnet costs 5% of list", True),
        ("a token of Sonnet costs $3 a million", True),
        ("Claude 3.5 Sonnet costs less than an espresso", True),
        ("a token of Sonnet was cheap", True),
        ("a token of Sonnet costs 5% of list", False),
    ],
)
def test_a_standing_claim_whose_words_fix_their_time_is_asked_about(quote, asked):
    body = f"quote: {quote}\n{SONNET}"
    assert ("tense-standing" in rules(body, quote)) is asked
    assert "tense-standing" not in rules(body + "tense: dated\n", quote)


def test_a_claim_that_no_day_can_change_needs_no_tense():
    quote = "In 2025 four racks of 40 kW drew 160 kW"
    assert "tense-standing" not in rules(f"quote: {quote}\nvalue: 4 * 40 kW\nexpect: {{is: 160 kW}}\n", quote)


def test_a_dated_claim_follows_no_family_and_a_standing_one_no_model_of_the_past():
    old = SONNET.replace("anthropic/sonnet", "anthropic/claude-3-5-sonnet")
    new = SONNET.replace("anthropic/sonnet", "anthropic/claude-sonnet-4-6")
    assert "tense-family" in rules(SONNET + "tense: dated\n")
    assert "tense-family" not in rules(SONNET)
    assert "tense-superseded" in rules(old)
    assert "tense-superseded" not in rules(old + "tense: dated\n") | rules(new) | rules(SONNET)
    assert "tense-family" not in rules(old + "tense: dated\n")


def test_a_claim_of_numbers_of_its_own_is_asked_about_while_it_holds():
    body = "asserted_by: source\ngiven: {racks: '4', each: 40 kW}\nvalue: racks * each\n"
    assert "own-numbers" in rules(body + "expect: {is: 160 kW}\n")
    assert "own-numbers" not in rules(body + "expect: {is: 200 kW}\n"), "it shows an error of its source"
    assert "own-numbers" not in rules(body.replace("40 kW", '1 kW * assume("pue")') + "expect: {is: 5.2 kW}\n")
