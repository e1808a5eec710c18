"""Notes next to a computed figure say it no second time, and lose nothing else."""

import pytest

from compute.mining.statement_notes import without_computed


@pytest.mark.parametrize(
    ("note", "rest"),
    [
        ("computed 75%", ""),
        ("computed 1,250 USD; the text may mean another relation", "the text may mean another relation"),
        ("computed 3 USD/Mtok, as of 2025-01-01", "as of 2025-01-01"),
        ("no day is stated; computed 3.5 USD/Mtok, as of 2025-01-01", "no day is stated; as of 2025-01-01"),
        ("computed 12%: at least the power of the cards", "at least the power of the cards"),
        ("within the rounding of its figures; computed 29.2 billion", "within the rounding of its figures"),
        ("computed 3× for input, 5× for output, as of 2025-01-01", None),
        ("only as a bound: at most", None),
        ("", None),
    ],
)
def test_a_note_without_its_computed_figure(note, rest):
    assert without_computed(note) == (note if rest is None else rest)
