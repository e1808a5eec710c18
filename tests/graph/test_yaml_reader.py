"""The one YAML reader: text with positions, what it refuses, and syntax errors in words for the author."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from graph.yaml.reader import DEEPEST, Word, at, key_position, load, position_at
from graph.yaml.validation import Day, Line, Source, Texts, Whole, Written, entries

WORDS = {"price": "2.50", "day": "2025-01-31", "no": "yes", "big": "1_000", "hex": "0x1F"}
WRITTEN = "".join(f"{name}: {word}\n" for name, word in WORDS.items())
TREES = {
    # every scalar stays the text that was written
    f"{WRITTEN}empty:\nnull: ~\nquoted: 'null'\n": {**WORDS, "empty": None, "null": None, "quoted": "null"},
    # an empty second document is no fault
    **{f"a: 1\n{end}": {"a": "1"} for end in ("---\n", "---\nnull\n", "...\n", "# end\n")},
    # a tag builds nothing, and characters that no store can hold are replaced
    "a: !!python/object/apply:os.system [ls]\nb: !!int 5\n": {"a": ["ls"], "b": "5"},
    'a: "x\\0y\\r\\nz"\n': {"a": "x\ufffdy\nz"},
}


@pytest.mark.parametrize("text", TREES)
def test_what_a_text_gives(text):
    assert load(text) == (TREES[text], ())


def test_every_value_knows_its_line_and_column():
    tree, _ = load("a:\n  - 1\n  - {b: 'two', c: }\n  -\n", first_line=11)
    assert position_at(tree, ("a",)) == (12, 3)
    assert position_at(tree, ("a", 0)) == (12, 5)
    assert position_at(tree, ("a", 1)) == (13, 5)
    assert position_at(tree, ("a", 1, "b")) == (13, 10)  # the text itself, inside its quotes
    assert position_at(tree, ("a", 1, "c")) == (13, 16)  # of a null, its key
    assert position_at(tree, ("a", 2)) == (14, 4)
    assert position_at(tree, ("a", 1, "none")) == (13, 5)  # of what is not there, the value around it
    assert key_position(at(tree, ("a", 1)), "b") == (13, 6)


def test_ten_lines_do_not_unfold_to_a_billion_and_of_a_field_written_twice_the_last_one_counts():
    text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for one, two in zip("abcdefgh", "bcdefghi", strict=True):
        text += f"{two}: &{two} [{', '.join([f'*{one}'] * 9)}]\n"
    assert load(text)[0] is None
    tree, (fault,) = load("a: 1\nb: 2\na: 3\n")
    assert tree == {"a": "3", "b": "2"}
    assert (fault.line, fault.column, fault.fatal, fault.hint) == (3, 1, False, "remove one of them")


@given(st.text(max_size=60))
def test_no_text_raises_and_every_position_is_inside(text):
    tree, faults = load(text)
    assert tree is None or not any(fault.fatal for fault in faults)
    for fault in faults:
        assert fault.line >= 1
        assert fault.column >= 1


class Berth(Written):
    name: Line
    since: Day = Field(validation_alias="from")
    depth: Whole = 0
    tags: Texts = ()


class Berths(Written):
    port: Line = "harbour"
    berths: tuple[Berth, ...]


def read(text):
    source = Source("own.yaml", text)
    found = [entry.value for entry in entries(source, Berths, Berth)]
    return found, [(p.line, p.column, p.code, p.message, p.hint) for p in source.problems]


def test_a_model_reads_its_file_and_gives_plain_values():
    (berth,), problems = read("port: North\nberths:\n- {name: ' one ', from: 2025-01-31, depth: 12k, tags: deep}\n")
    assert problems == []
    assert berth == Berth(name="one", since=date(2025, 1, 31), depth=12_000, tags=("deep",))
    assert not isinstance(berth.name, Word)


@pytest.mark.parametrize(("text", "problem"), [
    ("- from: 2025-01-31\n", (1, 3, "missing-key", "an entry of 'berths' needs 'name'", "add a line name: …")),
    ("- from: 2025-01-31\n  name:\n", (2, 3, "missing-key", "an entry of 'berths' needs 'name'", "add a line name: …")),
    ("- {name: a, from: 20250131}\n", (1, 19, "bad-date", "'20250131' is not a day", "write YYYY-MM-DD")),
    ("- {name: a, from: 2025-01-31, depht: 1}\n",
     (1, 31, "unknown-key", "an entry of 'berths' has no field 'depht'", "did you mean 'depth'?")),
    ("- {name: a, since: 2025-01-31}\n",
     (1, 13, "unknown-key", "an entry of 'berths' has no field 'since'", "known fields: name, from, depth, tags")),
    ("- {name: [a], from: 2025-01-31}\n", (1, 10, "yaml-shape", "'name' must be one text; found a list", None)),
    ("- {name: a, from: 2025-01-31, depth: deep}\n",
     (1, 38, "bad-number", "'deep' is not an integer", "write digits, such as 200000 or 200k")),
    ("- {name: a, from: 2025-01-31, tags: [x, [y]]}\n",
     (1, 41, "yaml-shape", "every item of 'tags' must be one text; found a list", None)),
    ("- one\n", (1, 3, "yaml-shape", "an entry of 'berths' must be a mapping of fields; found 'one'", "write name: value")),
    ("berths: many\n", (1, 9, "yaml-shape", "'berths' must be a list; found 'many'", None)),
    ("berth: []\n", (1, 1, "unknown-key", "the file has no field 'berth'", "did you mean 'berths'?")),
    ("", (None, None, "yaml-empty", "the file is empty", "write the entries, or delete the file")),
])  # fmt: skip  # one line for each mistake
def test_a_mistake_says_what_was_found_what_was_expected_and_where(text, problem):
    found, problems = read(text)
    assert problems[0] == problem
    assert found in ([None], [])


def test_a_wrong_entry_does_not_stop_the_others():
    found, problems = read("- 7\n- {name: b, from: 2025-01-31}\n- {name: c}\n")
    assert [berth and berth.name for berth in found] == [None, "b", None]
    assert [problem[0] for problem in problems] == [1, 3]


@pytest.mark.parametrize(("text", "line", "column", "told", "hint"), [
    ('a: 1\nsays: "open\nb: 2\n', 2, 7, "a quotation mark is opened here", "close it"),
    ("says: S3: it is dear\n", 1, 9, "a value contains a colon", "in quotes"),
    ("- a: 1\n  b: 5%: 2\n", 2, 8, "a value contains a colon", "in quotes"),
    ("a: 1\n  b: 2\n", 2, 4, "indented more than the one above", "same column"),
    ("- a: 1\n b: 2\n", 2, 2, "neither a field of the entry above", "in the column"),
    ("a: 1\n\tb: 2\n", 2, 1, "a tab", "spaces"), ("a:\n\tb: 2\n", 2, 1, "a tab", "spaces"),
    ("\ta: 1\n", 1, 1, "a tab", "spaces"), ("a:\n  - x\n\t- y\n", 3, 1, "a tab", "spaces"),
    ("a:b\n\tc: d\n", 2, 1, "a tab", "spaces"), ("a:\n  - b:c\n  \t  d: e\n", 3, 3, "a tab", "spaces"),
    ("a: [1, 2\nb: 3\n", 1, 4, "a list is opened here", "]"),
    ("a: {x: 1\nb: 3\n", 1, 4, "a mapping is opened here", "}"),
    ("a: %5\n", 1, 4, "cannot begin with this character", "in quotes"),
    ("a: - 1\n", 1, 4, "a list cannot begin", "next line"),
    ("a: 'it's'\n", 1, 8, "follows the end of a value", "apostrophe twice"),
    ("a: 1\nb\n", 2, 1, "this line has no colon", "name: value"), ("a: *b\n", 1, 4, "aliases", "write the value out"),
    ("a: &x 1\nb: 2\n", 1, 4, "anchors and aliases", ""), ("a: 1\nb: *x\n", 2, 4, "anchors and aliases", ""),
    ("a: 1\n&x b: 2\n", 2, 1, "the name of a field", ""), ("a: 1\n? [b]\n: 2\n", 2, 3, "the name of a field", ""),
    ("a: {{title}}\n", 1, 5, "the name of a field", ""), ("a: " + "[" * 5000, 1, 4 + DEEPEST, "levels deep", ""),
    ("a: 1\n---\nb: 2\n", 3, 1, "a second document", ""), ("a: 1\nb: \x07\n", 2, 4, "U+0007", ""),
    ("a: 1\nb: \ud800\n", 2, 4, "U+D800", ""), ("a: [1, , 2]\n", 1, 8, "expected a value", ""),
])  # fmt: skip  # rows
def test_a_mistake_is_reported_where_it_was_made(text, line, column, told, hint):
    source = Source("own.yaml", text)
    root = source.tree()
    (problem,) = source.problems
    assert root is None
    assert (problem.line, problem.column) == (line, column)
    assert told in problem.message
    assert hint in (problem.hint or "")
