"""Problems as people read them: the place, the line, and the caret under the sign that is meant."""

import pytest

from graph.problems import LONGEST_TEXT, Problem


@pytest.mark.parametrize(
    ("line", "column"),
    [("a quay ! at dawn", 8), ("word " * 100 + "!" + " word" * 100, 501), ("word " * 4000 + "!" + " word" * 9, 20001)],
)
def test_the_caret_is_under_the_sign_that_is_meant(line, column):
    problem = Problem(document="quay.md", line=3, column=column, message="a sign too many", text=line)
    head, shown, caret = problem.render().split("\n")
    assert head == f"quay.md:3:{column}: error: a sign too many"
    assert shown[caret.index("^")] == "!"
    assert shown.startswith("  | …") == (column > 50)
    assert len(problem.text) <= LONGEST_TEXT
    assert problem.text[column - 1 - problem.offset] == "!"
    assert Problem.model_validate(problem.model_dump()) == problem
