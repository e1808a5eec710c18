"""Attacks on the formula language: each is refused with a sentence and a place, at once."""

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compute.claims.expectations import FieldError
from compute.prices.price_book import CatalogBook
from tests.compute.calculator import calculate

BOOK = CatalogBook.of([])
DAY = date(2026, 5, 1)
LONGEST = 0.010
"""Seconds of processor time, the best of three tries."""

REFUSED = {
    "attribute": "x.real",
    "attribute of a number": "(1).real",
    "attribute of a text": '"a".upper',
    "dunder": "__class__",
    "dunder of a name": "x.__class__.__mro__",
    "dunder call": "__import__('os')",
    "globals": "().__class__.__bases__[0].__subclasses__()",
    "builtins": "__builtins__",
    "import": "import os",
    "import function": "importlib('os')",
    "eval": "eval('1+1')",
    "exec": "exec('x=1')",
    "open": "open('/etc/passwd')",
    "getattr": "getattr(x, 'real')",
    "print": "print(x)",
    "type": "type(x)",
    "vars": "vars()",
    "lambda": "lambda: 1",
    "lambda call": "(lambda x: x)(1)",
    "list comprehension": "[a for a in [1, 2]]",
    "comprehension bomb": "[a for a in range(10^9) for b in range(10^9)]",
    "generator": "sum(a for a in x)",
    "dict": "{1: 2}",
    "set": "{1, 2}",
    "index": "x[0]",
    "slice": "x[0:10]",
    "assignment": "x = 1",
    "walrus": "(y := 1)",
    "semicolon": "1; 2",
    "conditional expression": "1 if x else 2",
    "boolean operator": "x and 1",
    "not": "not x",
    "modulo format": "'%s' % x",
    "f-string": "f'{x}'",
    "bytes": "b'x'",
    "text arithmetic": "'a' * 10^9",
    "text sum": "'a' + 'b'",
    "text bomb": "'" + "a" * 1900 + "'",
    "escape": "'\\x41'",
    "line escape": "1 + \\\n 2",
    "unclosed text": '"abc',
    "python power": "9**9**9",
    "huge exponent in a number": "1e999999999",
    "long exponent in a number": "1e" + "9" * 400,
    "many digits": "9" * 400,
    "long formula": "1+" * 1500 + "1",
    "deep brackets": "(" * 500 + "1" + ")" * 500,
    "deep lists": "[" * 500,
    "deep signs": "-" * 1000 + "1",
    "deep powers": "2" + "^2" * 400,
    "deep calls": "abs(" * 200 + "1" + ")" * 200,
    "long chain": "1" + "*1" * 300,
    "many arguments": "max(" + ",".join("1" * 100) + ")",
    "nested library calls": "ratio(" * 12 + "1" + ", 1)" * 12,
    "nested solve": "solve(u, solve(v, u == v, between=0..1) == 1, between=0..1)",
    "cyrillic letter": "рrice('a/b', 'input')",
    "fullwidth letters": "ｐｒｉｃｅ('a/b', 'input')",
    "fullwidth digits": "１＋１",
    "arabic digits": "١ + ١",
    "superscript": "x²",
    "fraction character": "½",
    "zero-width joiner": "x\u200dy",
    "right-to-left override": "1 \u202e+ 2",
    "non-breaking space": "1\u00a0+ 2",
    "null": "1\x00+ 1",
    "byte order mark": "\ufeff1",
    "line separator": "1\u2028+ 1",
    "surrogate": "\ud800",
    "emoji": "💥",
    "comment": "1 # + os",
    "backtick": "`ls`",
    "shell": "$(ls)",
    "decorator": "@x",
    "infinity": "inf",
    "not a number": "nan",
    "unit to a huge power": "1 h^99",
    "unit to a power of a power": "1 h^9^9",
    "price of a computed item": "price(x, x)",
    "text as item with a control character": 'price("a\x1b[31m", "input")',
}
"""Attacks that never become a program."""

COMPUTED = {
    "power tower": "9^9^9",
    "power of a huge power": "(1e60^900)^900",
    "negative power tower": "0.1^(9^9)",
    "exponential": "exp(exp(exp(9)))",
    "factorial by powers": "(10^999)^(10^999)",
    "tiny root": "2^(1/1e60)^900",
    "logarithm of zero": "log(0)",
    "division by zero": "1/(1-1)",
    "solve far away": "solve(u, u^900 == 10^900, between=1..1e60)",
}
"""Attacks on the arithmetic: they are formulas, and end at once, with a number or a reason."""


def spent(work):
    """The best processor time of three tries, in seconds."""
    best = None
    for _ in range(3):
        start = time.process_time()
        work()
        took = time.process_time() - start
        best = took if best is None else min(best, took)
    return best


def refusal(formula):
    with pytest.raises(FieldError) as caught:
        calculate(formula, BOOK, DAY, given=(("x", "1"),))
    return caught.value.error


@pytest.mark.parametrize("formula", REFUSED.values(), ids=REFUSED.keys())
def test_an_attack_is_refused_at_once_with_a_sentence_and_a_place(formula):
    error = refusal(formula)
    assert error.message
    assert 0 <= error.at <= len(formula)
    assert "Error" not in error.sentence()
    numbers = iter(range(1, 9))
    assert spent(lambda: refusal(formula + " " * next(numbers))) < LONGEST


@pytest.mark.parametrize("formula", COMPUTED.values(), ids=COMPUTED.keys())
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


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=40))
@settings(deadline=None, max_examples=200)
def test_no_text_reaches_python(text):
    try:
        found = calculate(text, BOOK, DAY, given=(("x", "2"),))
    except FieldError as refused:
        found = refused
    assert isinstance(found, FieldError) or found.value is None or found.value.is_finite()
