"""What formulas mean: functions by their documented examples, the language, what the author of a wrong one reads, and attacks."""

import time
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.claim_cases import Cases, Terms
from compute.claims.claim_program import program
from compute.claims.expectations import FieldError
from compute.formula.function_table import BY_NAME, reference
from compute.formula.parser import parse
from compute.units import units
from compute.units.number_format import amount, in_unit
from graph.models.claim_models import Claim, Expectation
from graph.models.node_models import Table
from tests.compute.made import assumed, book_of, price

DOCS = (Path(__file__).parents[2] / "docs" / "formulas.md").read_text()
DAY = date(2026, 5, 1)


BOOK = book_of(
    [
        price("2.00", "acme/large", "input", "USD/Mtok"),
        price("8", "acme/retired", "input", "USD/Mtok", valid_to=date(2026, 1, 1)),
        price("2.00", "north/h100", "on_demand", "USD/GPU/h"),
        price("3.50", "south/h100", "on_demand", "USD/GPU/h"),
        price("20", "odd/h100", "on_demand", "USD/instance/h"),
    ],
    assumptions=[assumed("pue", "1.3")],
)


class Answer(NamedTuple):
    value: object
    unit: str
    text: str
    reason: str = ""


def calculate(formula, book, on, *, given=(), tables=None):
    """The value of a formula on a day; raises `FieldError` if it is wrong."""
    expect = Expectation(form="same_as", bound="-")
    claim = Claim(id="-", node="-", says="", as_of=on, given=given, value=formula, expect=expect)
    cases = Cases(book, on, Terms(tables, find={"-": claim}.get))
    day = cases.day(claim, program(claim), cases.today, ()).compared
    unit, value = day.unit, day.reading.value
    if value is None:
        return Answer(None, unit.text, "", day.reading.reason)
    return Answer(in_unit(value, unit), unit.text, amount(value, unit))


class Handbook:
    def tables(self, node):
        rows = (("Large", "~70B", "$3.50/hr ($30K/yr)", "40-60%"), ("Small", "8B+", "unknown", "2x"))
        table = Table(name="Training runs", header=("Run", "Parameters", "Rate", "Share"), units=(None,) * 4, rows=rows)
        return {"acme/handbook": (table,), "acme/empty": ()}.get(node)


def answer(formula, **given):
    return calculate(formula, BOOK, DAY, given=tuple(given.items()), tables=Handbook().tables)


@pytest.mark.parametrize("function", BY_NAME.values(), ids=lambda function: function.name)
def test_the_example_of_a_function_gives_the_result_that_is_documented(function):
    found = answer(function.example)
    assert (found.text, found.reason) == (function.result, "")


def test_the_documentation_lists_every_function_as_its_record_describes_it():
    section = DOCS.partition("are literals, never computed.\n\n")[2].partition("\n\n## Verdicts")[0]
    assert section == reference(), "paste what `python -m compute.formula.function_table` prints into docs/formulas.md"


def test_every_unit_of_the_documentation_exists_and_every_base_unit_is_documented():
    section = DOCS.partition("## Units")[2].partition("## Functions")[0]
    rows = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ") and "`" in line]
    told = {word.strip("`,") for row in rows for word in row.split() if word.startswith("`")}
    assert len(told) > 50
    assert [word for word in told if word not in units.vocabulary().names] == []
    assert {"token", "GPU", "instance", "hour", "watt", "byte", "FLOP", "request", "rack", "server"} <= set(
        section.replace(",", " ").split()
    )


def cell(row, column, pick=""):
    pick = pick and f', pick="{pick}"'
    return f'table("acme/handbook", "1", "{row}", "{column}"{pick})'


GROWTH = 'cagr(price("north/h100", "on_demand"), price("{}/h100", "on_demand"), 2)'
COUNT = f"training_flop({cell('Large', 'Parameters')}{{}}, 2T)"


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("7 - 2 - 1", "4"),
        ("12 / 3 / 2", "2"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -1", "0.5"),
        ("- -3", "3"),
        ("6 USD / 2 h", "3.00 USD/h"),
        ("6 USD/h * 2", "12.00 USD/h"),
        ("$2.50/GPU/h * 8 GPU", "20.00 USD/h"),
        ("$30k", "30,000 USD"),
        ("30,000 USD", "30,000 USD"),
        ("29.2 billion token", "29.2 billion tokens"),
        ("€80/MWh * 1 MWh", "80.00 EUR"),
        ("80 €/MWh * 1 MWh", "80.00 EUR"),
        ("0.023 USD/GB-month * 1 GB * 1 month", "0.023 USD"),
        ("2 USD per 1M tokens * 1 Mtok", "2.00 USD"),
        ("max(1,200)", "200"),
        ("60×", "60"),
        ("30k USD - 30_000 USD", "0.00 USD"),
        ("1 / 3 * 3", "1"),
        ("60% + 5pp", "0.65"),
        ("50% * 50%", "0.25"),
        ("3 × 4 ÷ 2 − 1", "5"),
        ("2 Mtok / 1 s * 1 h", "7.2 billion tokens"),
        ("1 year / 1 month_730h", "12"),
        ("1 year / 1 month_720h", "12.1667"),
        ("3 USD/Mtok / 1 USD/token", "0.000003"),
        ("2 GiB / 1 MiB", "2,048"),
        ("700 W * 3 years", "18,396 kWh"),
        ("98 USD/instance/h / (8 GPU/instance)", "12.25 USD/GPU/h"),
        ("sqrt(9 USD^2)", "3.00 USD"),
        ("max(0, 2 USD - 5 USD)", "0.00 USD"),
        ("if(3 > 2, 1, 0) + if(3 == 2, 1, 0)", "1"),
        ("solve(n, n * n == 2, between=1..2)", "1.41421"),
        ("solve(n, 10 / n == 4, between=1..10)", "2.5"),
        ("elapsed(2024-02-28, 2024-03-01)", "48 h"),
        ("1e3 + 1.5E-1", "1,000.15"),
        ("training_flop(70B parameter, 2T token) / 6", "1.4e23 FLOP"),
        ("gpu_hours(training_flop(175B, 300B), 312 TFLOPS, 100%)", "280,449 GPUh"),
        # cells are read as people write them
        (cell("Large", "Rate"), "3.50 USD/h"),
        (cell("large", "share", "low"), "0.4"),
        (cell("Large", "Share", "middle"), "0.5"),
        (cell("Large", "Share", "high"), "0.6"),
        (cell("Small", "Share"), "2"),
        (cell("Small", "Parameters", "low"), "8 billion"),
        # the last price of a retired model; units that are known only then; a count whose unit a lookup leaves out
        ('latest("acme/retired", "input", on=2025-06-01)', "8.00 USD/Mtok"),
        (GROWTH.format("south"), "0.322876"),
        (COUNT.format(" * 1 parameter"), "8.4e23 FLOP"),
    ],
)
def test_a_formula_means_and_a_lookup_gives(formula, shown):
    assert answer(formula).text == shown


LIKE_UNITS = "sonnets opus rental rate model input hours_used houses haiku"
"""Each resembled a unit: tonnes, GPUs, percent, character, node, minute, hours, hours …"""


@pytest.mark.parametrize("word", LIKE_UNITS.split())
def test_a_word_of_another_kind_is_never_taken_for_a_misspelt_unit(word):
    with pytest.raises(FieldError) as caught:
        answer(f"3 {word}")
    assert "did you mean" not in caught.value.error.hint


def test_names_are_computed_in_the_order_in_which_they_are_given():
    found = answer("total / 2", one="1 USD", two="one * 2", total="one + two")
    assert (found.value, found.unit) == (Decimal("1.5"), "USD")
    assert answer("30 tokens / tokens", tokens="3 tokens").text == "10", "a plural without a number before it is a name"


@pytest.mark.parametrize(
    ("formula", "message", "column", "hint"),
    [
        ("lst / 2", "there is no name ‘lst’", 0, "did you mean list?"),
        ("hours * 3", "there is no name ‘hours’", 0, "did you mean hours_used?"),
        ("1 + prise(2)", "there is no function ‘prise’", 4, "did you mean price?"),
        ("3 tokn", "there is no unit ‘tokn’", 2, "did you mean token?"),
        ("3 pecent", "there is no unit ‘pecent’", 2, "did you mean percent?"),
        ("1.03 .. 1.05", "expected a figure, found ‘1.03 .. 1.05’", 0, "{value: 600 W, low: 500 W, high: 700 W}"),
        ("3 mtok", "there is no unit ‘mtok’", 2, "did you mean Mtok?"),
        ("3 USD/huor", "there is no unit ‘huor’", 6, "did you mean hour?"),
        ("3 USD/GB-mnth", "there is no unit ‘mnth’", 9, "did you mean month?"),
        ("3 USD/lst", "there is no name ‘lst’", 6, "did you mean list?"),
        ("3 USD/florb", "there is no unit ‘florb’", 6, "only units and the names under given"),
        ("3 list", "there is no unit ‘list’", 2, "list is a name: write an operator before it"),
        ("3 lsit", "there is no unit ‘lsit’", 2, "list is a name: write an operator before it"),
        ("3 USD per list", "there is no unit ‘list’", 10, "list is a name: write an operator before it"),
        ("list(3)", "there is no function ‘list’", 0, "list is a name: write an operator behind it"),
        ("3 mnth", "there is no unit ‘mnth’", 2, "month"),
        ("3 USD per mnth", "there is no unit ‘mnth’", 10, "month"),
        ("70 B", "there is no unit ‘B’", 3, "70B"),
        ("gpu_hours(1, 2, mfuu=3)", "gpu_hours has no argument ‘mfuu’", 16, "did you mean mfu?"),
        ("ratio(1)", "ratio needs argument ‘b’", 0, "ratio(a, b)"),
        ("ratio(1, 2, 3)", "ratio takes 2 positional arguments", 12, "ratio(a, b)"),
        ("ratio(1, a=2)", "a is given twice", 9, ""),
        ("1 +", "expected a number, a name or a bracket, found the end", 3, ""),
        ("(1 + 2", "expected a closing bracket, found the end", 6, ""),
        ("1 2", "expected an operator or the end, found ‘2’", 2, "an operator is missing"),
        ("30,00 USD", "found ‘,’", 2, "30_000"),
        ("0,125 USD", "found ‘,’", 1, ""),
        ("1 = 1", "found ‘=’", 2, "write =="),
        ("1 < 2 < 3", "a second comparison", 6, "two sides"),
        ("3 USD per", "expected an operator or the end, found ‘per’", 6, "write a unit after per"),
        ("$3^2", "expected a whole power of a unit", 2, "put a quantity in brackets"),
        ("3 h^0.5", "expected a whole power of a unit", 3, "put a quantity in brackets"),
        ("3 USD + 2 h", "cannot add USD and h", 6, ""),
        ("1 USD + 2", "cannot add USD and a plain number", 6, "a plain number, or a %, has no unit"),
        ("1 USD - 2 EUR", "cannot subtract USD and EUR", 6, "1.08 USD/EUR"),
        ("3 USD/instance/h - 2 USD/GPU/h", "cannot subtract USD/instance/h and USD/GPU/h", 17, "8 GPU/instance"),
        ("5pp * 3 USD", "cannot multiply or divide pp and USD", 4, "write % for a share"),
        ("2 ^ (3 USD)", "cannot raise a plain number and USD", 2, "plain number"),
        ("log(3 USD)", "log takes a plain number, not USD", 4, "divide by its unit"),
        ("1 + (2 < 3)", "a comparison is not a figure", 4, "if(comparison"),
        ("if(1, 2, 3)", "the first argument of if is a comparison", 3, "a < b"),
        ('"text" + 1', "found the text", 0, "arguments of price"),
        ("price(1, 2)", "‘item’ must be a text in quotes", 6, ""),
        ('price("a/b", "input", on=5)', "‘on’ must be a date", 25, ""),
        ('price("a/b", "input", context=1.5)', "‘context’ must be a whole number of tokens", 30, ""),
        ("solve(u, 1 + u, between=0..1)", "an equation has two sides", 9, ""),
        ("solve(list, list == 1, between=0..1)", "it is given already", 6, ""),
        ("2026-02-30", "is not a day of the calendar", 0, ""),
        ("GPU + 1", "there is no name ‘GPU’", 0, "1 GPU"),
        ("1 + _zero", "‘_zero’ is not a name", 4, "start with a letter"),
    ],
)
def test_an_author_sees_what_where_and_what_instead(formula, message, column, hint):
    with pytest.raises(FieldError) as caught:
        answer(formula, list="1", hours_used="8")
    error = caught.value.error
    assert message in error.message
    assert error.at == column
    assert hint in error.hint


@pytest.mark.parametrize("name", ["GPU", "h", "price", "true", "_x", "a__b", "2x", "ä", "month"])
def test_names_of_units_and_functions_cannot_be_given(name):
    with pytest.raises(FieldError, match="cannot be a name"):
        answer("1", **{name: "1"})


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("1 / zero", "division by zero: zero is 0"),
        ("1 / (zero * 2)", "division by zero: (zero * 2) is 0"),
        ("ratio(1, zero)", "division by zero: zero is 0"),
        ("zero / zero", "division by zero: zero is 0"),
        ("zero ^ -1", "the base of zero ^ -1 is 0"),
        ("(zero - 1) ^ 0.5", "zero or less has no such power"),
        ("sqrt(zero - 1)", "a negative number has no root"),
        ("log(zero)", "above 0"),
        ("exp(zero + 5000)", "too large"),
        ("(zero + 10) ^ 2000", "too large"),
        ("((zero + 1e60) ^ 900) ^ 900", "too large"),
        ("solve(u, u == zero + 2, between=0..1)", "there is no u from 0 to 1: the right side stays the larger one"),
        ("solve(u, u * zero == zero, between=0..1)", "u is not certain: all values"),
        ("solve(u, (u - 0.2) * (u - 0.7) == zero, between=0..1)", "u is not certain: 2 values"),
        ('latest("acme/large", "output")', "output"),
        ('cheapest(["north/h100", "nobody/h100"], "on_demand")', "nobody/h100"),
        ('cheapest(["north/h100", "odd/h100"], "on_demand")', "they are in different units"),
        ('assume("pu")', "pu"),
        ('table("acme/handbook", "Training runs", "Large", "Colour")', "there is no such column"),
        ('table("acme/handbook", "Training runs", "Huge", "Rate")', "there is no such row"),
        ('table("acme/handbook", "Costs", "Large", "Rate")', 'no such table; there are "1" (Training runs)'),
        ('table("acme/handbook", "2", "Large", "Rate")', 'no such table; there are "1" (Training runs)'),
        ('table("acme/empty", "1", "Large", "Rate")', "no such table; the node has none"),
        ('table("acme/handbok", "1", "Large", "Rate")', "there is no such node"),
        (cell("Small", "Rate"), "cannot be read: ‘unknown’ is not a figure"),
        (cell("Large", "Share"), "‘40-60%’ is a range"),
        (cell("Small", "Parameters"), "‘8B+’ is a range"),
        ('price("acme/retired", "input")', "acme/retired"),
        (GROWTH.format("odd"), "the power of GPU/instance must be a literal number"),
        (COUNT.format(""), "multiply it by 1 parameter"),
    ],
)
def test_a_figure_without_a_value_says_why_and_names_what_is_missing(formula, reason):
    found = answer(formula, zero="0")
    assert found.value is None
    assert reason in found.reason


numbers = st.decimals(min_value="0.001", max_value="1e6", places=3)


@given(numbers, numbers, numbers)
@settings(max_examples=60)
def test_arithmetic_is_that_of_exact_numbers(a, b, c):
    found = answer("(a + b) * c - a * c", a=str(a), b=str(b), c=str(c))
    assert found.value == b * c


@given(numbers, st.sampled_from(["USD/Mtok", "USD/ktok", "USD/token"]), st.sampled_from(["token", "ktok", "Mtok"]))
@settings(max_examples=60)
def test_prices_per_token_and_per_million_convert_exactly(price, per, counted):
    scale = {"token": 1, "ktok": 1000, "Mtok": 10**6}
    found = answer(f"{price} {per} * 5 {counted}")
    assert found.value == price * 5 * scale[counted] / scale[per.split("/")[1]]


LONGEST = 0.010
"""Seconds of processor time, the best of three tries."""

REFUSED = (
    *("x.real", '"a".upper', "__class__", "x.__class__.__mro__", "().__class__.__bases__[0].__subclasses__()"),
    *("__import__('os')", "import os", "eval('1+1')", "getattr(x, 'real')", "lambda: 1", "(lambda x: x)(1)"),
    *("[a for a in [1, 2]]", "sum(a for a in x)", "{1: 2}", "x[0]", "x[0:10]", "x = 1", "(y := 1)", "1; 2"),
    *("1 if x else 2", "x and 1", "not x", "'%s' % x", "f'{x}'", "b'x'", "'a' * 10^9", "'" + "a" * 1900 + "'"),
    *("'\\x41'", "1 + \\\n 2", '"abc', "1 # + os", "`ls`", "$(ls)", "@x", "inf", "nan", "1 h^99", "1 h^9^9"),
    *("9**9**9", "1e999999999", "1e" + "9" * 400, "9" * 400, "1+" * 1500 + "1", "1" + "*1" * 300),
    *("(" * 500 + "1" + ")" * 500, "[" * 500, "-" * 1000 + "1", "2" + "^2" * 400, "abs(" * 200 + "1" + ")" * 200),
    *("max(" + ",".join("1" * 100) + ")", "ratio(" * 12 + "1" + ", 1)" * 12),
    "solve(u, solve(v, u == v, between=0..1) == 1, between=0..1)",
    *("рrice('a/b', 'input')", "ｐｒｉｃｅ('a/b', 'input')", "１＋１", "١ + ١", "x²", "½", "x\u200dy", "1 \u202e+ 2"),
    *("1\u00a0+ 2", "1\x00+ 1", "\ufeff1", "1\u2028+ 1", "\ud800", "💥"),
    *("price(x, x)", 'price("a\x1b[31m", "input")'),
)
"""Attacks that never become a program: Python, texts, sizes, depths, and signs that look like others."""

COMPUTED = (
    *("9^9^9", "(1e60^900)^900", "0.1^(9^9)", "exp(exp(exp(9)))", "(10^999)^(10^999)", "2^(1/1e60)^900", "log(0)"),
    *("1/(1-1)", "solve(u, u^900 == 10^900, between=1..1e60)"),
)
"""Attacks on the arithmetic: they are formulas, and end at once, with a number or a reason."""


def spent(work):
    """The best processor time of three tries, in seconds."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def refusal(formula):
    with pytest.raises(FieldError) as caught:
        calculate(formula, BOOK, DAY, given=(("x", "1"),))
    return caught.value.error


@pytest.mark.parametrize("formula", REFUSED, ids=lambda text: ascii(text[:30]))
def test_an_attack_is_refused_at_once_with_a_sentence_and_a_place(formula):
    error = refusal(formula)
    assert error.message
    assert 0 <= error.at <= len(formula)
    assert "Error" not in error.sentence()
    numbers = iter(range(1, 9))
    assert spent(lambda: refusal(formula + " " * next(numbers))) < LONGEST


@pytest.mark.parametrize("formula", COMPUTED)
def test_an_attack_on_the_arithmetic_ends_at_once(formula):
    numbers = iter(range(1, 9))

    def work():
        try:
            found = calculate(formula + " " * next(numbers), BOOK, DAY)
        except FieldError:
            return
        assert (found.value is None) == bool(found.reason)

    assert spent(work) < LONGEST


def test_names_that_double_each_other_stay_small():
    given = tuple((f"a{n}", f"a{n - 1} * a{n - 1}" if n else "10") for n in range(60))
    assert "too large" in calculate("a59", BOOK, DAY, given=given).reason


@given(
    st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)
    | st.text(alphabet="0123456789.+-*/^()[],=<> %$abuh_'\"kMe", max_size=80)
)
@settings(max_examples=400)
def test_any_text_has_a_value_a_reason_or_an_error_with_its_place_and_reaches_no_python(text):
    try:
        found = calculate(text, BOOK, DAY, given=(("x", "2"),))
    except FieldError as refused:
        found = refused
    if isinstance(found, FieldError):
        assert 0 <= found.error.at <= len(text)
        assert found.error.message
    else:
        assert found.value is None or found.value.is_finite()
        assert 0 <= parse(text).at <= parse(text).end <= len(text)
