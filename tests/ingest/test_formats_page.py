"""The brain page: what becomes of each part of it, intact, damaged and in other hands."""

import re

import pytest

from tests.ingest.own_documents import PAGE

PARTS = {
    "titles": ["Depth is bought by the centimetre", "Tide windows are a price list", "Quay cranes idle a third of the day",
                "A metre of silt returns each winter", "Pilots charge by draught", "Dredging bids fell by 12% in a year"],
    "kinds": ["pov", "thesis", "reading", "reading", "reading", "reading"],
    "tags": [("dredging-costs", "tides"), ("tides", "quay"), ("quay",), ("dredging-costs", "silt"), ("tides",),
             ("dredging-costs",)],
    "sources": [0, 0, 2, 1, 1, 1],
}  # fmt: skip  # one line for each part of the page


def parts(document):
    return {
        "titles": [node.title for node in document.nodes],
        "kinds": [node.kind.value for node in document.nodes],
        "tags": [node.tags for node in document.nodes],
        "sources": [len(node.sources) for node in document.nodes],
    }


def shape(document):
    parts = {"id", "kind", "title", "body", "tags"}
    return [(n.model_dump(include=parts), [s.url for s in n.sources], quotes(n)) for n in document.nodes]


def quotes(node):
    return [(q.quote, q.document, q.sentences) for q in node.quotes]


def codes(document):
    return [problem.code for problem in document.problems]


def test_the_parts_of_a_page(reading):
    document = reading(PAGE)
    assert parts(document) == PARTS
    assert (document.brain, document.declared_nodes, dict(document.about)["handle"]) == ("mira", 6, "mira")
    line = "tidesdredging-costsquay"
    below = PAGE.replace(f"{line}\n", "").replace("\n6 nodes\n", f"\n6 nodes\n{line}\n")
    for one in (document, reading(below)):  # tags of the head may be below its count
        assert [value for name, value in one.about if name == "tag"] == ["tides", "dredging-costs", "quay"]
    assert {code for code in codes(document) if not code.startswith("marker-")} == set()
    assert quotes(document.nodes[3]) == [("The bar rose by 0.9 m", 1, (4,)), ("and again by 1.1 m.", 3, (1,))]


def flush(page):
    """The page without its indents, entries and sections divided by blank lines."""
    return "\n".join(line.strip() for line in page.split("\n"))


def numbered(page):
    count = iter(range(1, 99))
    return re.sub(r"^  • ", lambda _: f"  {next(count)}. ", page, flags=re.M)


DAMAGES = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "old Mac line ends": lambda text: text.replace("\n", "\r"),
    "BOM": lambda text: "\ufeff" + text,
    "tabs": lambda text: text.replace("\n    ", "\n\t\t").replace("\n  •", "\n\t•"),
    "no-break spaces": lambda text: text.replace("\n    ", "\n\xa0\xa0\xa0\xa0").replace("\n  •", "\n\xa0\xa0•"),
    "white space behind": lambda text: text.replace("\n", "  \n"),
    "other bullets": lambda text: text.replace("  • ", "  ▪ "),
    "asterisk bullets": lambda text: text.replace("  • ", "  * "),
    "one bold title": lambda text: text.replace("*Tide windows are a price list*", "**Tide windows are a price list**"),
    "half an emphasis": lambda text: text.replace("*Tide windows are a price list*", "*Tide windows are a price list"),
    "spaces before counts": lambda text: text.replace("Readings4 nodes", "Readings 4 nodes"),
    "counts in brackets": lambda text: text.replace("Readings4 nodes", "Readings (4 nodes)"),
    "headings as Markdown": lambda text: text.replace("Readings4 nodes", "## Readings · 4 nodes"),
    "a footer": lambda text: text + "About\nTerms of use\n",
    "tags with spaces": lambda text: text.replace("#dredging-costs#tides", "#dredging-costs #tides"),
    "no blank lines": lambda text: "\n".join(line for line in text.split("\n") if line.strip()),
    "double blank lines": lambda text: text.replace("\n\n", "\n\n\n"),
    "escaped marks": lambda text: text.replace("(cite", "&lt;cite").replace("</cite>", "&lt;/cite&gt;"),
    "real marks": lambda text: text.replace("(cite", "<cite"),
    "bold sources": lambda text: text.replace("Sources:", "**Sources:**"),
    "sources without a heading": lambda text: text.replace("    Sources:\n\n", ""),
    "numbered": numbered,
    "numbered with brackets": lambda page: re.sub(r"^(  \d+)\. ", r"\1) ", numbered(page), flags=re.M),
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


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_a_damaged_page_gives_the_same_nodes(reading, damage):
    page = PAGE.replace("Currently watching0 nodes\n", "")
    damaged = reading(DAMAGES[damage](page))
    assert parts(damaged) == PARTS
    assert damage == "no blank lines" or shape(damaged) == shape(reading(page))
    assert damaged.lines.total == damaged.lines.kept + damaged.lines.skipped


def test_an_unknown_section_is_read_by_what_it_holds_with_a_warning(reading):
    document = reading(PAGE.replace("Readings4", "Ledgers4").replace("Theses1", "Hunches1"))
    assert parts(document)["kinds"] == ["pov", "thesis", "reading", "reading", "reading", "reading"]
    unknown = [problem for problem in document.problems if problem.code == "section-unknown"]
    assert [problem.text.strip() for problem in unknown] == ["Hunches1 node", "Ledgers4 nodes"]
    bare = reading(PAGE.replace("Theses1", "Hunches1").replace("for the crew [1].", "for the crew."))
    assert bare.nodes[1].kind == "reference", "without sources and markers"
    assert shape(reading(PAGE.replace("Readings4", "Field notes4"))) == shape(reading(PAGE))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("POV", "pov"), ("How I work", "methodology"), ("On my radar", "watching"), ("Theses", "thesis"), ("Bookshelf", "reading"),
     ("Sources", "reading"), ("Glossary", "term"), ("Reference", "reference"), ("Beliefs", "pov"), ("Hypotheses", "thesis")],
)  # fmt: skip  # pairs
def test_the_name_of_a_section_says_its_kind(reading, name, kind):
    assert reading(PAGE.replace("Theses1 node", f"{name}1 node")).nodes[1].kind == kind


def test_counts_that_do_not_fit_are_reported(reading):
    document = reading(PAGE.replace("Readings4", "Readings5").replace("\n6 nodes", "\n9 nodes"))
    told = [problem for problem in document.problems if problem.code == "declared-nodes"]
    assert [problem.text for problem in told] == ["9 nodes", "Readings5 nodes"]


def test_a_page_without_sections_gives_readings_and_a_warning(reading):
    bare = "\n".join(line for line in PAGE.split("\n") if not line.endswith(("node", "nodes")))
    document = reading(bare, format="brain-page")
    assert len(document.nodes) == 6
    assert {node.kind.value for node in document.nodes} == {"reading"}
    assert "section-missing" in codes(document)


def test_missing_tags_and_sources_equal_titles_and_a_source_without_an_address_are_noted(reading):
    document = reading(PAGE.replace("• https://example.com/bids", "• the tender, by letter"))
    assert document.nodes[-1].body.endswith("- the tender, by letter")
    assert "source-address" in codes(document)
    document = reading(PAGE.replace("    #quay\n", "").replace("    • https://example.com/bids\n", ""))
    notes = [problem.message for problem in document.problems if problem.code == "incomplete"]
    assert notes == [f"'{PARTS['titles'][2]}' has no tags", f"'{PARTS['titles'][5]}' has no sources"]
    twins = reading(PAGE.replace("Pilots charge by draught", "Quay cranes idle a third of the day"))
    assert (len({node.id for node in twins.nodes}), "title-twice" in codes(twins)) == (6, True)


@pytest.mark.parametrize(
    ("written", "url", "title"),
    [
        ("https://example.com/bids.", "https://example.com/bids", None),
        ("<https://example.com/bids>", "https://example.com/bids", None),
        ("[Bids](https://example.com/b_(1))", "https://example.com/b_(1)", "Bids"),
        ("Bids of the year — https://example.com/bids", "https://example.com/bids", "Bids of the year"),
        ("example.com/bids", "example.com/bids", None),
        ("https://example.com/a?b=(c)", "https://example.com/a?b=(c)", None),
    ],
)
def test_the_ways_to_write_a_source(reading, written, url, title):
    (source,) = reading(PAGE.replace("• https://example.com/bids", f"• {written}")).nodes[-1].sources
    assert (source.url, source.title) == (url, title)


def test_a_quotation_over_a_paragraph_break_is_one_quotation_and_damage_of_its_mark_reported_with_its_place(reading):
    text = PAGE.replace("twenty-four</cite>, says the terminal.", "twenty-four.\n\n    At night more.</cite>")
    (quote,) = reading(text).nodes[2].quotes
    assert quote.quote.endswith("twenty-four.\n\nAt night more.")
    assert quote.quote in reading(text).nodes[2].body
    document = reading(PAGE.replace("twenty-four</cite>, says", "twenty-four, says"))
    (problem,) = [one for one in document.problems if one.code == "cite-unclosed"]
    assert PAGE.split("\n")[problem.line - 1][problem.column - 1 :].startswith("(cite")


def test_a_truncated_page_keeps_what_is_there_and_one_that_lost_its_indents_its_titles_and_tags(reading):
    flat = parts(reading(flush(PAGE)))
    assert (flat["titles"], flat["tags"]) == (PARTS["titles"], PARTS["tags"])
    for cut in range(200, len(PAGE), 97):
        document = reading(PAGE[:cut], format="brain-page")
        assert document.lines.total == document.lines.kept + document.lines.skipped
        titles = [node.title for node in document.nodes][:-1]
        assert titles == PARTS["titles"][: len(titles)]


def test_a_footer_behind_an_entry_without_tags_or_a_lone_line_between_entries_is_left_out(reading):
    document = reading(PAGE.removesuffix("    #dredging-costs\n") + "\n© 2025 Harbour Press\n\nPrivacy\n")
    assert [source.url for source in document.nodes[-1].sources] == ["https://example.com/bids"]
    assert document.nodes[-1].body == "The lowest bid was 3.10 a cubic metre."
    assert document.skipped[-1].reason == "page boilerplate around the entries"
    document = reading(PAGE.replace("    #quay\n  • A metre", "    #quay\nShare this\n  • A metre"))
    assert "page boilerplate around the entries" in {skip.reason for skip in document.skipped}
    assert len(document.nodes) == 6


@pytest.mark.slow
def test_a_page_of_5_000_nodes_is_read_completely(reading):
    entry = "  • Reading {0} of the gauge\n\n    The gauge stood at {0} cm.\n\n    Sources:\n\n    • https://example.org/{0}\n    #tides\n"
    document = reading("@mira · pilot\nReading5000 nodes\n" + "".join(map(entry.format, range(5_000))))
    assert len({node.id for node in document.nodes}) == 5_000
    assert (document.lines.skipped, document.problems) == (2, ())


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
def test_the_ways_to_write_tags(reading, line, tags):
    document = reading(PAGE.removesuffix("    #dredging-costs\n") + f"    {line}\n")
    assert document.nodes[-1].tags == tags
    assert ("Tags" in document.nodes[-1].body) == (not tags)


def test_other_headings_of_a_level_with_sections_are_sections(reading):
    entry = "### {0}\n\nBody.\n\nSources:\n- https://example.org/{0}\n\n#a#b\n\n"
    text = f"# Mira's brain\n\n@mira\n\n## Odd lots of the quay\n\n{entry.format('one')}## Readings\n\n{entry.format('two')}"
    document = reading(text)
    assert [(n.title, n.kind) for n in document.nodes] == [("one", "reading"), ("two", "reading")]
    assert [n.section for n in document.nodes] == [("Odd lots of the quay",), ("Readings",)]
    assert [problem.code for problem in document.problems] == ["section-unknown"]


def test_signs_written_as_html_are_signs_in_titles_tags_and_addresses(reading):
    page = PAGE.replace("Pilots charge by", "Pilots &amp; tugs &mdash; by").replace("#silt", "#r&amp;d")
    address = "https://example.net/p?a=1&amp;copy=2&copy=3"
    document = reading(page.replace("https://example.net/pilots?utm_source=x", address))
    assert document.nodes[4].title == "Pilots & tugs — by draught"
    assert document.nodes[4].sources[0].url == "https://example.net/p?a=1&copy=2&copy=3"
    assert document.nodes[3].tags == ("dredging-costs", "r&d")


def test_a_table_in_an_entry_is_data(reading):
    table = '\n    | Soil | (cite index="9-1">Price</cite> ($/m3) |\n    |---|---|\n    | Silt | 3.10 |\n'
    document = reading(PAGE.replace("    Two surveys agree.", f"{table}\n    Two surveys agree."))
    (data,) = document.nodes[3].tables
    assert (data.header, data.units, data.rows) == (("Soil", "Price ($/m3)"), (None, "$/m3"), (("Silt", "3.10"),))
    assert document.text.split("\n")[data.line - 1].startswith("    | Soil")


FURNITURE = (
    "https://x.org/mira       Page {} of 3",
    "Page {} of 3",
    "Page {}",
    "- Seite {} von 3 -",
    "Mira’s | page {}",
)


@pytest.mark.parametrize("line", FURNITURE)
def test_the_marks_of_print_are_left_out_of_an_entry(reading, line):
    page = PAGE.replace("A harbour that dredges", f"\n{line.format(1)}\n\n    A harbour that dredges")
    page = page.replace("The lowest bid", f"\n{line.format(2)}\n\n    The lowest bid")
    document = reading(page)
    assert shape(document) == shape(reading(PAGE))
    assert [node.body for node in document.nodes] == [node.body for node in reading(PAGE).nodes]
    reasons = [skip.reason for skip in document.skipped]
    assert reasons.count("page boilerplate") == 2


def test_prose_on_pages_is_no_boilerplate_and_right_to_left_text_and_long_lines_are_preserved(reading):
    for prose in ("Page 3 of the tender says that the lowest bid was", "Page 3\n\n    The lowest bid was"):
        assert reading(PAGE.replace("The lowest bid was", prose)).nodes[-1].body.startswith("Page 3")
    text = PAGE.replace("Beyond: another.", "\u05e2\u05d5\u05de\u05e7 " * 2500)
    assert "\u05e2\u05d5\u05de\u05e7 \u05e2\u05d5\u05de\u05e7" in reading(text).nodes[4].body
