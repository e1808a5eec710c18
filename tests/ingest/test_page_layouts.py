"""The brain page in other hands: other headings, other ways to begin an entry, the marks of print."""

import re

import pytest


def shape(document):
    return [(n.kind, n.title, n.tags, [s.url for s in n.sources], [q.quote for q in n.quotes]) for n in document.nodes]


def flush(page):
    """The page without its indents, entries and sections divided by blank lines."""
    return "\n".join(line.strip() for line in page.split("\n"))


def numbered(page):
    count = iter(range(1, 99))
    return re.sub(r"^  • ", lambda _: f"  {next(count)}. ", page, flags=re.M)


LAYOUTS = {
    "numbered": numbered,
    "numbered with brackets": lambda page: numbered(page).replace(". ", ") ", 6),
    "titles as headings": lambda page: flush(
        re.sub(r"^  • ", "### ", re.sub(r"^(\w.*\d) (nodes?)$", r"## \1 \2", page, flags=re.M), flags=re.M)
    ),
    "bold titles": lambda page: flush(re.sub(r"^  • \*?(.*?)\*?$", r"**\1**", page, flags=re.M)),
    "pictographs": lambda page: re.sub(r"^(\w.*\d nodes?)$", "🧭 \\1", page, flags=re.M).replace("🧭 6", "6"),
    "tags by name": lambda page: re.sub(
        r"^    (#.*)$", lambda line: "    Tags: " + ", ".join(line[1].strip("#").split("#")), page, flags=re.M
    ),
    "no counts": lambda page: re.sub(r"^(\w+(?: POV)?)[1-9] nodes?$", r"\1", page, flags=re.M),
}


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_another_layout_gives_the_same_nodes(reading, mira_page, layout):
    page = mira_page.replace("Currently watching0 nodes\n", "")
    laid_out = LAYOUTS[layout](page)
    assert laid_out != page
    document = reading(laid_out)
    assert (document.format, shape(document)) == ("brain-page", shape(reading(page)))


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("Tags: real estate, Spot rates", ("real-estate", "spot-rates")),
        ("**Tags:** #rents, #rates", ("rents", "rates")),
        ("Keywords: `rents` `rates`", ("rents", "rates")),
        ("#rents #rates", ("rents", "rates")),
        ("Tags: they were never used. So we left them out.", ()),
    ],
)
def test_the_ways_to_write_tags(reading, mira_page, line, tags):
    document = reading(mira_page.removesuffix("    #dredging-costs\n") + f"    {line}\n")
    assert document.nodes[-1].tags == tags
    assert ("Tags" in document.nodes[-1].body) == (not tags)


def test_other_headings_of_a_level_with_sections_are_sections(reading):
    entry = "### {0}\n\nBody.\n\nSources:\n- https://example.org/{0}\n\n#a#b\n\n"
    text = f"# Mira's brain\n\n@mira\n\n## Odd lots of the quay\n\n{entry.format('one')}## Readings\n\n{entry.format('two')}"
    document = reading(text)
    assert [(n.title, n.kind) for n in document.nodes] == [("one", "reading"), ("two", "reading")]
    assert [n.section for n in document.nodes] == [("Odd lots of the quay",), ("Readings",)]
    assert [problem.code for problem in document.problems] == ["section-unknown"]


def test_notes_with_sources_are_readings(reading, mira_page):
    assert shape(reading(mira_page.replace("Readings4", "Field notes4"))) == shape(reading(mira_page))


def test_signs_written_as_html_are_signs_in_titles_tags_and_addresses(reading, mira_page):
    page = mira_page.replace("Pilots charge by", "Pilots &amp; tugs &mdash; by").replace("#silt", "#r&amp;d")
    address = "https://example.net/p?a=1&amp;copy=2&copy=3"
    document = reading(page.replace("https://example.net/pilots?utm_source=x", address))
    assert document.nodes[4].title == "Pilots & tugs — by draught"
    assert document.nodes[4].sources[0].url == "https://example.net/p?a=1&copy=2&copy=3"
    assert document.nodes[3].tags == ("dredging-costs", "r&d")


def test_tags_of_the_head_may_be_below_its_count(reading, mira_page):
    line = "tidesdredging-costsquay"
    page = mira_page.replace(f"{line}\n", "").replace("\n6 nodes\n", f"\n6 nodes\n{line}\n")
    assert [value for name, value in reading(page).about if name == "tag"] == ["tides", "dredging-costs", "quay"]


def test_a_table_in_an_entry_is_data(reading, mira_page):
    table = '\n    | Soil | (cite index="9-1">Price</cite> ($/m3) |\n    |---|---|\n    | Silt | 3.10 |\n'
    document = reading(mira_page.replace("    Two surveys agree.", f"{table}\n    Two surveys agree."))
    (data,) = document.nodes[3].tables
    assert (data.header, data.units, data.rows) == (("Soil", "Price ($/m3)"), (None, "$/m3"), (("Silt", "3.10"),))
    assert document.text.split("\n")[data.line - 1].startswith("    | Soil")


FURNITURE = (
    "https://example.org/mira   Page {} of 3",
    "Page {} of 3",
    "Page {}",
    "- Seite {} von 3 -",
    "Mira’s | page {}",
)


@pytest.mark.parametrize("line", FURNITURE)
def test_the_marks_of_print_are_left_out_of_an_entry(reading, mira_page, line):
    page = mira_page.replace("A harbour that dredges", f"\n{line.format(1)}\n\n    A harbour that dredges")
    page = page.replace("The lowest bid", f"\n{line.format(2)}\n\n    The lowest bid")
    document = reading(page)
    assert shape(document) == shape(reading(mira_page))
    assert [node.body for node in document.nodes] == [node.body for node in reading(mira_page).nodes]
    reasons = [skip.reason for skip in document.skipped]
    assert reasons.count("page boilerplate") == 2


def test_prose_on_pages_is_no_boilerplate(reading, mira_page):
    for prose in ("Page 3 of the tender says that the lowest bid was", "Page 3\n\n    The lowest bid was"):
        assert reading(mira_page.replace("The lowest bid was", prose)).nodes[-1].body.startswith("Page 3")
