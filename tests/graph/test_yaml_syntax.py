"""Syntax errors are explained in words for the author, at the position where she can correct them."""

import pytest

from graph.yaml.reader import DEEPEST
from graph.yaml.validation import Source


@pytest.mark.parametrize(
    ("text", "line", "column", "told", "hint"),
    [
        ('a: 1\nsays: "open\nb: 2\n', 2, 7, "a quotation mark is opened here", "close it"),
        ("says: S3: it is dear\n", 1, 9, "a value contains a colon", "in quotes"),
        ("- a: 1\n  b: 5%: 2\n", 2, 8, "a value contains a colon", "in quotes"),
        ("a: 1\n  b: 2\n", 2, 4, "indented more than the one above", "same column"),
        ("- a: 1\n b: 2\n", 2, 2, "neither a field of the entry above", "in the column"),
        ("a: 1\n\tb: 2\n", 2, 1, "a tab", "spaces"),
        ("a:\n\tb: 2\n", 2, 1, "a tab", "spaces"),
        ("\ta: 1\n", 1, 1, "a tab", "spaces"),
        ("a:\n  - x\n\t- y\n", 3, 1, "a tab", "spaces"),
        ("a:b\n\tc: d\n", 2, 1, "a tab", "spaces"),
        ("a:\n  - b:c\n  \t  d: e\n", 3, 3, "a tab", "spaces"),
        ("a: [1, 2\nb: 3\n", 1, 4, "a list is opened here", "]"),
        ("a: {x: 1\nb: 3\n", 1, 4, "a mapping is opened here", "}"),
        ("a: %5\n", 1, 4, "cannot begin with this character", "in quotes"),
        ("a: - 1\n", 1, 4, "a list cannot begin", "next line"),
        ("a: 'it's'\n", 1, 8, "follows the end of a value", "apostrophe twice"),
        ("a: 1\nb\n", 2, 1, "this line has no colon", "name: value"),
        ("a: *b\n", 1, 4, "aliases", "write the value out"),
        ("a: &x 1\nb: 2\n", 1, 4, "anchors and aliases", ""),
        ("a: 1\nb: *x\n", 2, 4, "anchors and aliases", ""),
        ("a: 1\n&x b: 2\n", 2, 1, "the name of a field", ""),
        ("a: 1\n? [b]\n: 2\n", 2, 3, "the name of a field", ""),
        ("a: {{title}}\n", 1, 5, "the name of a field", ""),
        ("a: " + "[" * 5000, 1, 4 + DEEPEST, "levels deep", ""),
        ("a: 1\n---\nb: 2\n", 3, 1, "a second document", ""),
        ("a: 1\nb: \x07\n", 2, 4, "U+0007", ""),
        ("a: 1\nb: \ud800\n", 2, 4, "U+D800", ""),
        ("a: [1, , 2]\n", 1, 8, "expected a value", ""),
    ],
)
def test_a_mistake_is_reported_where_it_was_made(text, line, column, told, hint):
    source = Source("own.yaml", text)
    root = source.tree()
    (problem,) = source.problems
    assert root is None
    assert (problem.line, problem.column) == (line, column)
    assert told in problem.message
    assert hint in (problem.hint or "")
