"""Numbers of a text in every form, in sentences of several domains."""

from decimal import Decimal

import pytest

from compute.linting.written_numbers import numbers, stated


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("fifteen hundred sheep", "1500"),
        ("1,500 sheep", "1500"),
        ("1.5k sheep", "1500"),
        ("1.5 thousand sheep", "1500"),
        ("twenty-five wells", "25"),
        ("three quarters of the crop", "0.75"),
        ("half of it", "0.5"),
        ("3.14 × 10^23 operations", "3.14e23"),
        ("3.14×10²³ operations", "3.14e23"),
        ("2.5 million barrels", "2500000"),
        ("30 to 35% more", "32.5"),
        ("a dozen eggs", "12"),
    ],
)
def test_a_number_is_read_in_every_form(text, wanted):
    assert Decimal(wanted) in numbers(text)


def test_units_are_converted_and_other_numbers_are_not_found():
    known = numbers("The hall draws 700 W and holds 80 GB.")
    assert stated((Decimal("0.7"),), known)
    assert stated((Decimal("640"),), known)
    assert not stated((Decimal("0.65"),), known)
    assert not stated((Decimal(41),), known)
