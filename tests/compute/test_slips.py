"""Slips that make a text no YAML are told in words for who wrote it, where she can mend them."""

import pytest

from compute.yamls import read


@pytest.mark.parametrize(
    ("text", "line", "column", "told", "hint"),
    [
        ('a: 1\nsays: "open\nb: 2\n', 2, 7, "a quotation mark is opened here", "close it"),
        ("says: S3: it is dear\n", 1, 9, "a value holds a colon", "in quotes"),
        ("- a: 1\n  b: 5%: 2\n", 2, 8, "a value holds a colon", "in quotes"),
        ("a: 1\n  b: 2\n", 2, 4, "a field stands below one that has a value", "same column"),
        ("- a: 1\n b: 2\n", 2, 2, "neither a field of the entry above", "same column"),
        ("a: 1\n\tb: 2\n", 2, 1, "a tab", "spaces"),
        ("a: [1, 2\nb: 3\n", 1, 4, "a list is opened here", "]"),
        ("a: {x: 1\nb: 3\n", 1, 4, "fields are opened here", "}"),
        ("a: %5\n", 1, 4, "cannot begin with this sign", "in quotes"),
        ("a: - 1\n", 1, 4, "a list cannot begin", "next line"),
        ("a: 'it's'\n", 1, 8, "behind the end of a value", "written twice"),
        ("a: 1\nb\n", 2, 1, "this line has no colon", "name: value"),
        ("a: *b\n", 1, 4, "aliases", None),
    ],
)
def test_a_slip_is_told_where_it_was_made(text, line, column, told, hint):
    root, sheet = read("own.yaml", text)
    (problem,) = sheet.problems
    assert root is None
    assert (problem.line, problem.column) == (line, column)
    assert told in problem.message
    assert (problem.hint is None) if hint is None else (hint in (problem.hint or ""))
