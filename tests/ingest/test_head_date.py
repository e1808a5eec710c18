"""The day at the head of a text is its day, as that of front matter is; a day in a sentence is not."""

from datetime import date

import pytest

from ingest.document_reader import read
from ingest.markdown.head_date import head_date

DAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    "line",
    [
        "Date: 2026-11-20", "date: 20 November 2026", "**Date:** 20 Nov 2026", "**Date**: Nov. 20, 2026", "As of 2026-11-20",
        "As of: November 20 2026", "*20 November 2026*", "20 November 2026", "Published 20 November, 2026.", "Dated 2026-11-20",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "text", ["{}\n\n# Costs\n\nProse.", "# Costs\n\n{}\n\nProse.", "# Costs\nAuthor: A. Holt\n{}\nTo: all\n", "\n\n{}"]
)
def test_a_line_with_a_day_at_the_head_is_the_day_of_the_text(line, text):
    (node,) = read(text.format(line).encode(), "costs.md", format="note").nodes
    assert node.published == DAY
    assert line in node.body


@pytest.mark.parametrize(
    "text",
    [
        "# Costs\n\nWe met on 20 November 2026.",
        "# Costs\n\nProse comes first.\n\nDate: 2026-11-20",
        "# Costs\n\n## History\n\nDate: 2026-11-20",
        "# Costs\n\n- 2026-11-20",
        "Date: November 2026\n",
        "Date: 11/12/2026\n",
        "Date: 30 February 2026\n",
        "Date: 2026-11-20 to 2026-11-22\n",
        "a: b\n" * 8 + "Date: 2026-11-20\n",
        "",
    ],
)
def test_any_other_day_is_not(text):
    assert head_date(text.split("\n")) is None


def test_front_matter_comes_before_a_line():
    text = b"---\ntitle: Costs\ndate: 2026-03-01\n---\n\nDate: 2026-11-20\n"
    (node,) = read(text, "costs.md", format="note").nodes
    assert node.published == date(2026, 3, 1)
