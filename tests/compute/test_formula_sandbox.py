"""Attacks on the formula language: each is refused with a sentence and a place, at once."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.expectations import FieldError
from compute.formula.parser import parse
from tests.compute.calculator import calculate
from tests.compute.made import book_of

BOOK = book_of()
DAY = date(2026, 5, 1)
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
