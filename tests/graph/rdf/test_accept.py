"""Which quality an Accept header gives to a media type (RFC 9110, section 12.5.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.rdf.accept_header import quality

EXAMPLE = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
"""The example of the RFC."""


@pytest.mark.parametrize(
    ("media", "accept", "expected"),
    [
        ("text/plain", EXAMPLE, 0.7),
        ("text/html", EXAMPLE, 0.3),
        ("image/jpeg", EXAMPLE, 0.5),
        ("text/turtle", "", 1),
        ("text/turtle", " , ,", 1),
        ("text/turtle", "*/*", 1),
        ("text/turtle", "TEXT/Turtle ; Q=0.25", 0.25),
        ("text/turtle", "text/*;q=0.9, text/turtle;q=0, */*", 0),
        ("text/turtle", "*/*;q=0.1, text/*;q=0.2", 0.2),
        ("text/turtle", "text/turtle;q=0.1, text/turtle;q=0.2", 0.2),
        ("text/turtle", "text/html", 0),
        ("text/turtle", "text/turtle;charset=UTF-8;q=0.3", 0.3),
        ("text/turtle", "text/turtle;q=0.3;charset=utf-8, text/turtle;version=2", 0.3),
        ("text/turtle", "text/turtle;version=2;q=0.6, text/*", 0.6),
        ("application/ld+json", 'application/ld+json;profile="http://x/a,b;q=0";q=0.4, */*;q=0.1', 0.4),
        ("text/turtle", "text/turtle;q=oops", 0),
        ("text/turtle", "text/turtle;q=nan", 0),
        ("text/turtle", "text/turtle;q=2", 0),
        ("text/turtle", "text/turtle;q=-1", 0),
        ("text/turtle", "text/turtle;q=0.1234", 0),
        ("text/turtle", "text/turtle;q=1.000", 1),
        ("text/turtle", ";q=1, text/turtle", 1),
    ],
)
def test_the_most_specific_range_decides(media, accept, expected):
    assert quality(media, accept) == expected


@given(st.text(alphabet='at/*;,q=01." \\-', max_size=60))
def test_whatever_a_header_says_is_a_quality(accept):
    assert 0 <= quality("a/t", accept) <= 1


def test_quotes_that_are_never_closed_are_read_in_one_pass():
    """Each quote was looked at up to the end of the header: a long one took seconds."""
    for unit in ('"', '"\\'):
        assert quality("a/b", unit * 200_000) in {0, 1}
