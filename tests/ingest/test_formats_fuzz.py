"""Any input: nothing but problems, every line accounted for, and what was read can be written and read again.

The search of `formats_laws` runs longer by hand.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.format_detection import FORMATS
from tests.ingest.formats_laws import DEMANDS, check, check_round_trip, texts
from tests.ingest.own_documents import OWN

BRIEF = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = [text for _, text in OWN.values()]
NAMES = st.sampled_from(("x.txt", "x.md", "a/b.yaml", "", "\udcff", "../../x"))


@BRIEF
@given(data=st.binary(max_size=400), name=NAMES, demand=st.sampled_from(DEMANDS))
def test_any_bytes_under_any_name_and_format(data, name, demand):
    check(data, name, demand)


@settings(BRIEF, max_examples=300)
@given(text=texts(), form=st.sampled_from(FORMATS))
def test_any_pieces_in_any_format(text, form):
    check(text.encode("utf-8", "surrogatepass"), "x.txt", form)


@settings(BRIEF, max_examples=200)
@given(text=texts(SEEDS), name=NAMES)
def test_a_damaged_document_is_read_and_comes_back_as_it_was(text, name):
    document = check(text.encode("utf-8", "surrogatepass"), name)
    if document.nodes:
        check_round_trip(document)


@BRIEF
@given(text=texts(SEEDS))
def test_reading_twice_gives_the_same(text):
    data = text.encode("utf-8", "surrogatepass")
    assert check(data) == check(data)


@pytest.mark.parametrize(
    "text",
    ["#" * 6_000, "*" * 6_000, "[" * 6_000, "[[" * 3_000, "(cite " * 6_000, "- **" * 6_000, "|" * 6_000, "| a " * 6_000,
     "`" * 5_999, "$" * 5_999, " " * 6_000 + "x", "a" * 6_000, "\n" * 6_000 + "x", "→" * 3_000, "- " * 3_000, "<" * 6_000,
     "---\n" * 2_000, "terms:\n" + "- " * 6_000, "---\na: " + "[" * 3_000, "https://x." + "a" * 6_000, "#a" * 3_000, "1. " * 6_000,
     "a.b." * 5_000, "\u0301" * 3_000, "A (" * 6_000, "@" * 6_000, "a " * 3_000 + "3 nodes"],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip  # one list
@pytest.mark.parametrize("form", [*OWN, None])
def test_no_line_is_long_enough_to_stall_a_parser(form, text):
    check(
        f"Reading1 node\n  • T\n\n    {text}\n{text}\n- **A** → {text}\n- **{text}:** b\n| Term | Definition |\n|--|--|\n| {text} | b |".encode(),
        "x.txt",
        form,
    )
