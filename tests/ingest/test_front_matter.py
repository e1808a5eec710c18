"""Front matter begins in the first line; what is broken in it costs one field at most. A day at the head is the text's."""

from datetime import date
from pathlib import Path

import pytest

from ingest.document_reader import read
from ingest.markdown.head_date import head_date, written_day

CASES = Path(__file__).parents[2] / "../shared/cases"


@pytest.fixture
def note(reading):
    def read_note(front, body="The body says 42."):
        document = reading(f"---\n{front}\n---\n{body}\n", "rent.md")
        (node,) = document.nodes
        return node, document

    return read_note


BROKEN = [
    ("title: Fuel: what it costs\ntags:\n  - a\n  - b: c", "Fuel: what it costs", ("a", "b:-c"), 2),
    ("title: GPU: what it costs\ntags: [gpu]", "GPU: what it costs", ("gpu",), 2),
    ("tags: [gpu\ntitle: Rent", "Rent", ("gpu",), 2),
    ("title: Rent\ntags:\n\t- gpu\n\t- rent", "Rent", ("gpu", "rent"), 4),
    ('title: "Rent" of a GPU\ntags: gpu', '"Rent" of a GPU', ("gpu",), 2),
    ("title: Rent\n tags: [gpu]", "Rent", ("gpu",), 3),
    ("title: {{title}}\ntags: [gpu]", "{{title}}", ("gpu",), 2),
    ("title: *starred*\ntags: gpu", "*starred*", ("gpu",), 2),
    ("title: &rent Rent\ntags: gpu", "&rent Rent", ("gpu",), 2),
    ("title: Rent\ntags: @gpu, rent", "Rent", ("@gpu", "rent"), 3),
    ("title: Rent: a study\n  of prices\ntags: gpu", "Rent: a study of prices", ("gpu",), 2),
    ("title:Rent\ntags: [gpu]", "Rent", ("gpu",), 2),
    ("title: [Rent] of GPUs\ntags: [#gpu, #rent]", "[Rent] of GPUs", ("gpu", "rent"), 2),
]


@pytest.mark.parametrize(("front", "title", "tags", "line"), BROKEN)
def test_a_broken_field_is_text_with_a_warning_at_its_line(note, front, title, tags, line):
    node, document = note(front)
    assert (node.title, node.tags, node.body) == (title, tags, "The body says 42.")
    assert all(one.severity == "warning" for one in document.problems)
    assert line in [one.line for one in document.problems if one.code == "yaml"]


def test_each_broken_field_and_stray_line_has_its_own_warning_and_the_others_keep_their_values(note):
    front = "title: A: b\nsources:\n  - url: https://example.org/a\n    title: Rent: a study\n  - https://example.org/b\nowner: c: d"
    node, document = note(front)
    assert [(one.code, one.line) for one in document.problems] == [("yaml", 2), ("yaml", 5), ("yaml", 7)]
    sources = [(one.url, one.title) for one in node.sources]
    assert sources == [("https://example.org/a", "Rent: a study"), ("https://example.org/b", None)]
    assert [(one.name, one.value) for one in node.properties] == [("owner", "c: d")]
    node, document = note("title: Rent\ntags: gpu\nwhat is no field")
    assert (node.title, node.tags) == ("Rent", ("gpu",))
    assert [(one.first_line, one.last_line) for one in document.skipped] == [(4, 4)]
    assert [(one.code, one.line) for one in document.problems] == [("front-line", 4)]


PLAIN = [
    ("title: yes", "yes"), ("title: 1.10", "1.10"), ("title: 2026-11-02", "2026-11-02"), ("title: [[Rent]]", "Rent"),
    ("Title: Rent", "Rent"), ("title: {a: b}", "{a: b}"), ("title: [Rent, GPUs]", "[Rent, GPUs]"),
    ("title: #1 choice", "#1 choice"), ("title: null", "rent"), ("title:", "rent"), ("", "rent"),
]  # fmt: skip  # pairs


@pytest.mark.parametrize(("front", "title"), PLAIN)
def test_a_title_is_what_its_author_wrote(note, front, title):
    node, document = note(front)
    assert (node.title, node.body, document.problems) == (title, "The body says 42.", ())


@pytest.mark.parametrize(("front", "words"), [
    ("tags: 2024", ("2024",)), ("tags: gpu rent", ("gpu", "rent")), ("Tags: gpu", ("gpu",)), ("tag: gpu", ("gpu",)),
    ("tags: gpu, h100, #rent #2024", ("gpu", "h100", "rent", "2024")), ("tags: [gpu, h100] #rent", ("gpu", "h100", "rent")),
    ("tags:\n  - gpu #rent\n  - h100 # my own", ("gpu", "h100", "rent")), ("tags: gpu #rent later", ("gpu",)),
    ("tags: #gpu #rent", ("gpu", "rent")), ("tags:\n  - #gpu\n  - null\n  - rent", ("gpu", "rent")),
    ("tags: [gpu, [rent, h100]]", ("gpu", "rent", "h100")), ("tags: [[two words]]", ("two-words",)),
    ("tags:\n  - [[gpu]]\n  - rent: h100", ("gpu", "rent:-h100")), ("alias: hire", ("hire",)),
    ("Aliases: hire, lease", ("hire", "lease")), ("aliases: [hire, lease]", ("hire", "lease")),
    ("aliases: [[hire]]", ("hire",)), ("aliases: [[hire]], [[lease, long]]", ("hire", "lease, long")),
    ("aliases:\n  - [[hire]]\n  - 2024", ("hire", "2024")),
])  # fmt: skip  # pairs
def test_no_tag_and_no_alias_is_lost_for_the_way_it_is_written(note, front, words):
    node, _ = note(front)
    assert (node.tags if front[0] in "tT" else node.labels.variants) == words


DAY = date(2026, 1, 5)


@pytest.mark.parametrize(
    "written",
    ["2026-1-5", "5 Jan 2026 10:00", "2026-01-05T23:30:00+02:00", "2026/01/05", "Jan 5th, 2026", "Monday, January 5, 2026",
     "5.1.2026", "20260105", "202601051030", "[[2026-01-05]]", "2026年1月5日", "2026_01_05"],
)  # fmt: skip  # one list
def test_a_day_is_read_in_the_ways_people_write_it(note, written):
    node, document = note(f"date: {written}")
    assert (node.published, document.problems) == (DAY, ())


def test_a_day_that_is_not_clear_is_none_and_stays_a_property(note):
    node, document = note("Date: last May")
    assert ([(one.name, one.value) for one in node.properties], len(document.problems)) == ([("date", "last May")], 1)
    assert written_day("22-12-2022") == date(2022, 12, 22)
    unclear = ("5/1/2026", "5-1-2026", "2026-02-30", "2026", "last May", "1/2026", "{{date}} ")
    assert [written_day(written) for written in unclear] == [None] * len(unclear)


@pytest.mark.parametrize(
    "text",
    [
        "\n---\n**Open**: what does it cost?\n- [ ] ask\n\n---\n\n# Answers\nNone yet.",
        "# Rent\n---\ntitle: no field\n---\nText.",
        " ---\ntitle: no field\n---\nText.",
        "---\nA line of prose between two rules.\n\nAnd more prose.\n---\nText.",
        "---\n**Open**: what does it cost?\n- [ ] ask\n\n---\nText.",
        "---\nNote: this has a colon.\nThis has none.\nNor has this.\n---\nText.",
        "---\n\nText after a rule that nothing closes.",
    ],
)
def test_text_between_rules_stays_text(reading, text):
    document = reading(text, "rent.md", format="note")
    (node,) = document.nodes
    lost = [line for line in text.split("\n") if line.strip() and line not in node.body.split("\n")]
    assert (lost, node.properties) == (["# Rent"] if text.startswith("# Rent") else [], ())


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Rent: a study\n%%SECRET%%\n---\nText.",
        "---\nProse and no field.\n%% SECRET\n---\nmore %%\nText.",
        "---\n**Open**: what?\nmore <!-- SECRET --> prose\n---\nText.",
        "\n---\ntitle: %%SECRET%%\n---\nText.",
    ],
)
def test_a_comment_in_what_is_no_front_matter_stays_private(reading, text):
    document = reading(text, "rent.md", format="note")
    assert "Text." in document.nodes[0].body
    assert "SECRET" not in document.model_dump_json(exclude={"text"})


def test_a_mark_of_byte_order_may_come_first_and_front_matter_comes_before_a_line_with_a_day():
    data = b"\xef\xbb\xbf---\r\ntitle: Rent\r\n---\r\nText.\r\n"
    (node,) = read(data, "x.md").nodes
    assert (node.title, node.body) == ("Rent", "Text.")
    (node,) = read(b"---\ntitle: Costs\ndate: 2026-03-01\n---\n\nDate: 2026-11-20\n", "costs.md", format="note").nodes
    assert node.published == date(2026, 3, 1)


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are not next to the repository")
@pytest.mark.parametrize("path", sorted(CASES.glob("front-matter/*.md")), ids=lambda path: path.stem)
def test_each_case_keeps_its_body(path):
    document = read(path.read_bytes(), path.name)
    assert document.nodes[0].body.startswith(f"body {path.stem}")
    assert [one for one in document.problems if one.severity == "error"] == []


HEAD_DAY = date(2026, 11, 20)


@pytest.mark.parametrize("line", [
    "Date: 2026-11-20", "date: 20 November 2026", "**Date:** 20 Nov 2026", "**Date**: Nov. 20, 2026", "As of 2026-11-20",
    "As of: November 20 2026", "*20 November 2026*", "20 November 2026", "Published 20 November, 2026.", "Dated 2026-11-20",
])  # fmt: skip
@pytest.mark.parametrize(
    "text", ["{}\n\n# Costs\n\nProse.", "# Costs\n\n{}\n\nProse.", "# Costs\nAuthor: A. Holt\n{}\nTo: all\n", "\n\n{}"]
)
def test_a_line_with_a_day_at_the_head_is_the_day_of_the_text(line, text):
    (node,) = read(text.format(line).encode(), "costs.md", format="note").nodes
    assert node.published == HEAD_DAY
    assert line in node.body


@pytest.mark.parametrize("text", [
    "# Costs\n\nWe met on 20 November 2026.", "# Costs\n\nProse comes first.\n\nDate: 2026-11-20",
    "# Costs\n\n## History\n\nDate: 2026-11-20", "# Costs\n\n- 2026-11-20", "Date: November 2026\n",
    "Date: 11/12/2026\n", "Date: 30 February 2026\n", "Date: 2026-11-20 to 2026-11-22\n",
    "a: b\n" * 8 + "Date: 2026-11-20\n", "",
])  # fmt: skip  # one list
def test_any_other_day_is_not(text):
    assert head_date(text.split("\n")) is None


TOML = """+++
title = "GPU: what it costs"
date = 2024-05-01T10:00:00Z
tags = ["gpu", "Cloud cost"]
weight = 1.50
draft = false
cites = ["rent", {to = "power", as = "extends"}]
[[sources]]
url = "https://example.org/a"
+++

The body says 42.
"""


def test_the_toml_of_hugo_is_read_as_yaml_is(reading):
    document = reading(TOML, "rent.md")
    (node,) = document.nodes
    assert (node.title, node.tags, node.published) == ("GPU: what it costs", ("gpu", "cloud-cost"), date(2024, 5, 1))
    assert [(one.name, one.value) for one in node.properties] == [("weight", "1.50"), ("draft", "false")]
    assert [(one.marker, one.cito) for one in node.cites] == [("[[rent]]", "cites"), ("[[power]]", "extends")]
    assert [one.url for one in node.sources] == ["https://example.org/a"]
    assert (node.body, document.problems, document.skipped) == ("The body says 42.", (), ())


@pytest.mark.parametrize(
    ("front", "line", "column", "code"),
    [
        ('title = "a\nx = 1\n+++', 2, 11, "toml"),
        ('title = "a"\n# once more\ntitle = "b"\n+++', 4, 1, "toml"),
        (f"{'.'.join('a' * 500)} = 1\n+++", 2, 1, "toml"),
        (f"a = {'[' * 5000}\n+++", 2, 1, "toml"),
        ('title = "a"', 1, 1, "front-unclosed"),
    ],
)
def test_toml_that_cannot_be_read_is_text_with_a_warning_at_its_place(reading, front, line, column, code):
    text = f"+++\n{front}\nThe body says 42."
    document = reading(text, "rent.md")
    assert [(one.line, one.column, one.code) for one in document.problems] == [(line, column, code)]
    assert document.nodes[0].body == text


def test_a_field_of_toml_with_a_wrong_value_is_named_at_its_place_and_a_format_is_declared(reading):
    document = reading('+++\nkind = "theis"\n  [params]\n+++\nText', "rent.md")
    assert [(one.line, one.column, one.code) for one in document.problems] == [(2, 8, "note-kind")]
    table = "| Term | Definition |\n|---|---|\n| Sill | the step |\n"
    assert reading(f'+++\nformat = "term-table"\n+++\n{table}', "words.md").format == "term-table"
