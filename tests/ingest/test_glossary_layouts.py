"""Glossaries in other hands: other columns, bullets, arrows, numbers and headings; the same terms."""

import pytest

TABLES = {
    "other columns in another order": "| No. | Meaning | Jargon | See also |\n|--|--|--|--|\n| 1 | A stone | Sett | kerb |\n| 2 | A beam | Sill | |\n",
    "another language": "| Begriff | Bedeutung |\n|--|--|\n| Sett | A stone |\n| Sill | A beam |\n",
    "no bars at the sides": "Term | In plain words\n--- | ---\nSett | A stone\nSill | A beam\n",
    "no delimiter row": "| Term | Definition |\n| Sett | A stone |\n| Sill | A beam |\n",
    "no header": "| **Sett** | A stone |\n| **Sill** | A beam |\n| **Spar** | |\n",
    "a delimiter row without a header": "| **Sett** | A stone |\n|---|---|\n| **Sill** | A beam |\n| **Spar** | A pole |\n",
    "cells of several rows": "| Term | Definition |\n|--|--|\n| Sett | A |\n| | stone |\n| Sill | A beam |\n",
    "breaks in cells": "| Term | Definition |\n|--|--|\n| Sett | A stone<br>of granite |\n| Sill | A beam |\n",
}


@pytest.mark.parametrize("layout", sorted(TABLES))
def test_a_table_of_terms_is_read_in_any_layout(reading, layout):
    document = reading(f"# Words\n\n{TABLES[layout]}")
    assert document.format == "term-table"
    assert [node.title for node in document.nodes][:2] == ["Sett", "Sill"]
    assert " ".join(document.nodes[0].body.split()).startswith("A stone")
    assert document.nodes[1].body.startswith("A beam")
    guessed = [problem.line for problem in document.problems if problem.code == "table-header"]
    assert guessed == ([3] if "a header" in layout or layout == "no header" else [])


def test_the_number_of_a_row_is_no_part_of_a_definition(reading):
    document = reading(f"# Words\n\n{TABLES['other columns in another order']}")
    assert document.nodes[0].body == "A stone\n\n**See also:** kerb"


@pytest.mark.parametrize("other", [f"{word} sett stone" for word in ("or", "also known as", "aka", "also:")] + [" "])
def test_another_name_in_a_bracket_is_a_variant(reading, other):
    text = f"# Words\n- **Kerb ({other})**: A stone.\n- **Sill**: A beam.\n"
    (node, _) = reading(text, format="bullet-glossary").nodes
    assert (node.body, node.labels.variants) == ("A stone.", ("sett stone",) if other.strip() else ())
    assert node.title == "Kerb" or not other.strip()


BULLETS = {
    "letters in lower case": "# Words\n\n## s\n\n- **Sett**: A stone: flat.\n- **Sill** – A beam - of oak.\n- **Spar**: A pole.\n",
    "bare letters": "Words\n\nS\n\n* **Sett** - A stone: flat.\n* **Sill:** A beam - of oak.\n\nT\n* **Spar**: A pole.\n",
    "numbers": "# A glossary of words\n\n1. **Sett**: A stone: flat.\n2. **Sill** — A beam - of oak.\n3) **Spar** : A pole.\n",
    "paragraphs": "# A glossary of words\n\n**Sett**: A stone:\nflat.\n\n**Sill:** A beam - of oak.\n\n**Spar** – A pole.\n",
    "headings": "# A glossary of words\n\n## S\n\n### Sett\n\nA stone: flat.\n\n### Sill\nA beam - of oak.\n\n### Spar\n\nA pole.\n\n## T\n",
    "lines": "Glossary of words\n\nSett: A stone: flat.\nSill: A beam\n  - of oak.\nSpar — A pole.\n\nTar: Black.\nTide: Wet.\n",
    "a definition list": "# A glossary of words\n\n## S\n\nSett\n: A stone: flat.\n\nSill\n:   A beam\n: - of oak.\n\nSpar\n: A pole.\n\n## T\n",
    "plain": "# A glossary of words\n\n## S\n- Sett: A stone: flat.\n- Sill - A beam - of oak.\n- Spar: A pole.\n## T\n",
}


@pytest.mark.parametrize("layout", sorted(BULLETS))
def test_a_list_of_terms_is_read_in_any_layout(reading, layout):
    document = reading(BULLETS[layout])
    assert document.format == "bullet-glossary"
    found = [(node.title, " ".join(node.body.split())) for node in document.nodes][:3]
    assert found == [("Sett", "A stone: flat."), ("Sill", "A beam - of oak."), ("Spar", "A pole.")]
    assert document.brain.endswith("words")
    assert {skip.reason for skip in document.skipped} <= {"document title", "heading of a letter"}


def test_a_list_inside_a_definition_is_no_list_of_terms(reading):
    text = "# Words\n- **Sett**: In steps:\n  1. **Cut**: with a saw.\n  - sides: four\n- **Sill**: A beam.\n- **Spar**: A pole.\n"
    sett, *_ = reading(text).nodes
    assert sett.body == "In steps:\n1. **Cut**: with a saw.\n- sides: four"


SECTIONS = {
    "Level 2: Heat\n\n2.1 Pans\n\nOf Iron": ("L2 – Heat", "Pans", "Of Iron"),
    "Chapter 2 — Heat\n\n3. Pans\n\nOf Iron": ("Chapter 2 – Heat", "Pans", "Of Iron"),
    "I. Heat\n\nB. Pans\n\nOf Iron": ("Heat", "Pans", "Of Iron"),
    "2. Heat\n\n2.1. Pans\n\n2.1.1 Of Iron": ("Heat", "Pans", "Of Iron"),
    "## Heat\n\n### Pans\n\nOf Iron": ("Heat", "Pans", "Of Iron"),
}
ARROWS = ("→", "->", "=>", "⟶", "▸", "➤", "⇨")


@pytest.mark.parametrize("headings", sorted(SECTIONS))
def test_the_path_to_an_entry_is_recognised_by_any_numbering(reading, headings):
    text = f"Kitchen\n\n{headings}\n\n- **Pan** → A dish.\n- **Lid** → A cover.\n- **Wok** → Round.\n\n{headings}\n\n- **Rack** → A shelf.\n"
    document = reading(text)
    assert document.format == "arrow-glossary"
    assert {node.section for node in document.nodes} == {SECTIONS[headings]}


@pytest.mark.parametrize("arrow", ARROWS)
def test_any_arrow_divides_term_and_definition(reading, arrow):
    text = f"Kitchen\n\n1. Pans\n\n- **Pan** {arrow} A dish.\n  - **Wok** {arrow} Round.\n* **Lid** {arrow} A cover → of iron.\n"
    document = reading(text)
    found = [(node.title, node.body) for node in document.nodes]
    assert found == [("Pan", "A dish."), ("Wok", "Round."), ("Lid", "A cover → of iron.")]


STEPS = ("{}. **{}**", "{}) **{}**", "Step {}: **{}**", "**Step {}: {}**", "- **Step {} – {}**")


@pytest.mark.parametrize("step", STEPS)
def test_the_steps_of_a_flow_follow_each_other_however_they_are_numbered(reading, step):
    lines = [f"{step.format(number, name)} → now" for number, name in enumerate(("Cut", "Heat", "Serve"), 1)]
    document = reading("Kitchen\n\n1. Pans\n\n- **Pan** → A dish.\n\n2. Flow\n\n" + "\n".join(lines))
    assert [node.title for node in document.nodes] == ["Pan", "Cut", "Heat", "Serve"]
    following = [[one.target for one in node.relations] for node in document.nodes[1:]]
    assert following == [["kitchen/heat"], ["kitchen/serve"], []]


def test_what_a_converter_leaves_is_left_out_with_its_reason(reading):
    text = (
        "Kitchen\n\nContents\n1. Pans ..... 3\n1.1 Woks . . . . . 4\n\n1. Pans\n\n- **Pan** → A dish.\n\n"
        "Kitchen          Page 3 of 12\n\n![A pan](pan.png)\nFigure 2: A pan from the side\n\n- **Lid** → A cover.\n"
    )
    document = reading(text)
    assert [(node.title, node.body) for node in document.nodes] == [("Pan", "A dish."), ("Lid", "A cover.")]
    reasons = (
        "document title",
        "table of contents",
        "section heading",
        "page boilerplate",
        "image",
        "caption of an image",
    )
    places = ((1, 1), (3, 5), (7, 7), (11, 11), (13, 13), (14, 14))
    found = [(skip.first_line, skip.last_line, skip.reason) for skip in document.skipped]
    assert found == [(*place, reason) for place, reason in zip(places, reasons, strict=True)]
