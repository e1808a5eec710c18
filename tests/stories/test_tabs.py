"""A tab that indents YAML is called a tab, with file, line, column and what to do, in every kind of file."""

import pytest

from api.brain import Brain
from api.settings import Settings
from tests.conftest import NOW

FILES = {
    "claims.yaml": ("claims:\n\t- id: x\n", 2, 1),
    "second.yaml": ("claims:\n  - id: x\n  \tnode: a/b\n", 3, 3),
    "no-space.yaml": ("claims:\n  - id: x\n    node:a/b\n\tsays: y\n", 4, 1),
    "first.yaml": ("\tclaims:\n\t  - id: x\n", 1, 1),
    "prices.yaml": ("# cards\nprices:\n\t- item: a/b\n", 3, 1),
}


@pytest.mark.parametrize("name", FILES)
def test_a_tab_is_called_a_tab(tmp_path, name):
    text, line, column = FILES[name]
    (tmp_path / name).write_text(text)
    with Brain.open(Settings(home=tmp_path / "home")) as brain:
        report = brain.ingest([tmp_path / name], at=NOW)
        assert not report.stored
        errors = [one for one in report.problems if one.severity == "error"]
    assert [(one.document, one.line, one.column) for one in errors] == [(name, line, column)]
    assert "a tab is used for indentation" in errors[0].message
    assert "spaces" in errors[0].hint
