import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from graph.text.anchors import anchors_in
from graph.text.code_blocks import code_lines
from ingest.citations.bracket_markers import bracket_markers
from ingest.quotations.cite_spans import Part, cite_spans, parse_index
from ingest.text.prose_masks import NEAR

TAKEN = [
    ("Berths are sold by the hour [5].", [(5,)]), ("Two surveys agree [17, 18, 19], a third does not.", [(17, 18, 19)]),
    ("Silt [1–3] and sand [4-16] differ.", [(1, 2, 3), tuple(range(4, 17))]), ("[15] set the bar.", [(15,)]),
    ("Tides repeat [2][3].", [(2,), (3,)]), ("Tides repeat [2] [3].", [(2,), (3,)]), ("Tides repeat[7].", [(7,)]),
    ("Costs fell by 60% [8]: nobody noticed.", [(8,)]), ("It cost $3 [1] then, and $15 [2] now.", [(1,), (2,)]),
    ("As shown in [4, 5], cranes wait.", [(4, 5)]), ("A range ([1, 9]) of ports.", [(1, 9)]),
    ("Fees [ 3 , 4 ] rose; fees [5;6] fell.", [(3, 4), (5, 6)]), ("**Bold claim** [12].", [(12,)]),
    ("In 2024 [11] the bar moved.", [(11,)]), ("The count stood at 40 [2, 9] and grew.", [(2, 9)]),
    ("Silt [1]–[3] and sand [5] - [6] differ.", [(1, 2, 3), (5, 6)]),
    ("Three surveys agree [1], [2], [3] and [4],[5].", [(1,), (2,), (3,), (4,), (5,)]),
    ("The **bar** moved **[3]**, **[4]** twice [5]/[6].", [(3,), (4,), (5,), (6,)]),
    ("A marker [7] **before bold** words.", [(7,)]), ("Full-width marks ［4］ and ［5, 6］.", [(4,), (5, 6)]),
    ("Who counts from nothing [0] goes on [1]; an interval [0, 1] is none.", [(0,), (1,)]),
]  # fmt: skip  # rows

NOT_TAKEN = [
    "The interval [0, 1] is closed.", "Values in [1, 10] are allowed.", "It lies between [2, 8] metres.", "x ∈ [2, 5]",
    "weights = [3, 1, 2]", "scaled to [1, 255] first", "depths_m[3], argv[1], x[2] and rows[4] are cells",
    "f(x)[2] and call([1, 2])", "a matrix [[1, 2], [3, 4]] of fees", "a tensor of shape [224, 224, 3]",
    "$y \\in [1, 2]$ and $$[3]$$ and \\([4]\\)", "`ports[5]` and ```\ncode [6]\n```", "~~~\nfees [7]\n~~~",
    "[5](https://example.org) and ![6](a.png)", "[text][5]", "[5]: https://example.org/five", "a footnote[^5]",
    "- [ ] to do\n- [x] done", "[2024] and [2024-01-15] and [01-12]", "[1.2.3] and [v2] and [sic] and [N] and […]",
    "[5-2] runs backwards", "[3, 3] twice", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]",
    "[10-200] is too long a row", "[0] and [007]", "rows [[1], [2], [3]] and [[1, 2],\n [3, 4], [5, 6]] of a matrix",
    "[2]**3 is a power", "[[5]] and [[tides|5]]", "[1, 2]^3", "<!-- [5] -->", "https://example.org/a[5]",
]  # fmt: skip  # one list


ALL = [*TAKEN, *((text, []) for text in NOT_TAKEN)]


@pytest.mark.parametrize(("text", "numbers"), ALL, ids=[text for text, _ in ALL])
def test_a_marker_is_taken_and_other_brackets_are_left_alone(text, numbers):
    found = bracket_markers(text)
    assert [marker.numbers for marker in found] == numbers
    assert all(text[marker.start : marker.end] == marker.marker for marker in found)


def test_the_context_is_the_sentence_or_item_around_the_marker():
    text = "Silt returns, e.g. in May. The bar rose by 0.9 m [4], says Dr. Voss. Pilots wait [5].\n\nA new thought."
    contexts = [marker.context for marker in bracket_markers(text)]
    assert contexts == ["The bar rose by 0.9 m [4], says Dr. Voss.", "Pilots wait [5]."]
    items = bracket_markers("Two things:\n- cranes idle [1]\n- pilots wait [2]")
    assert [marker.context for marker in items] == ["- cranes idle [1]", "- pilots wait [2]"]


@given(st.text(alphabet=st.sampled_from("[]()`$^1234567890, –-ab\n\\<>!=x|~"), max_size=200))
def test_no_text_raises_and_every_marker_is_where_it_says(text):
    for marker in bracket_markers(text):
        assert text[marker.start : marker.end] == marker.marker
        assert marker.numbers
        assert all(1 <= number <= 999 for number in marker.numbers)
        assert len(set(marker.numbers)) == len(marker.numbers)


def test_of_a_text_without_ends_of_sentences_a_marker_keeps_what_is_near():
    (marker,) = bracket_markers("tide and quay " * 600 + "[7] " + "crane and tug " * 600)
    assert re.fullmatch(r"….*quay \[7\] crane.*…", marker.context)
    assert len(marker.context) <= 2 * NEAR + 2


WHOLE = [
    ('(cite index="5-2,5-23">Cranes idle.</cite> Yes.', "Cranes idle. Yes.", [("5-2,5-23", "Cranes idle.")]),
    ('<cite index="1-1">a</cite><cite index="2-1">b</cite>', "ab", [("1-1", "a"), ("2-1", "b")]),
    ("<cite index='3-4'>single</cite>", "single", [("3-4", "single")]),
    ("<cite index=“3-4”>curly</cite>", "curly", [("3-4", "curly")]),
    ('&lt;cite index="3-4"&gt;escaped&lt;/cite&gt;', "escaped", [("3-4", "escaped")]),
    ("&lt;cite index=&quot;3-4&quot;&gt;quoted&lt;/cite&gt;", "quoted", [("3-4", "quoted")]),
    ('&amp;lt;cite index="3-4"&amp;gt;twice&amp;lt;/cite&amp;gt;', "twice", [("3-4", "twice")]),
    ("<cite index=3-4>bare</cite>", "bare", [("3-4", "bare")]),
    ('<CITE INDEX="3-4">loud</CITE>', "loud", [("3-4", "loud")]),
    ('< cite index = "3-4" >spaced</ cite >', "spaced", [("3-4", "spaced")]),
    ('\\<cite index=\\"3-4\\"\\>backslashes\\</cite\\>', "backslashes", [("3-4", "backslashes")]),
    ('<cite index="3-4">over\n\na break</cite>', "over\n\na break", [("3-4", "over\n\na break")]),
    ('<cite index="3-4"> edges </cite>', " edges ", [("3-4", "edges")]),
    ("no marks (cite them) at all", "no marks (cite them) at all", []),
]


@pytest.mark.parametrize(("text", "clean", "spans"), WHOLE, ids=[row[0][:28] for row in WHOLE])
def test_a_complete_span_is_taken_out_of_its_mark(text, clean, spans):
    found, quoted, problems = cite_spans(text)
    assert found == clean
    assert [(span.marker, span.quote) for span in quoted] == spans
    assert not problems


DAMAGED = [
    ('a <cite index="1-2">never closed\n\nnext', "a never closed\n\nnext", ["never closed"], ["cite-unclosed"]),
    ('<cite index="1-2">one <cite index="3-1">two</cite>', "one two", ["one", "two"], ["cite-nested", "cite-unclosed"]),
    ('<cite index="1">a\n\n<cite index="3">b</cite> c</cite>', "a\n\nb c", ["a", "b"], ["cite-unclosed", "cite-stray"]),
    ('<cite index="1">out <cite index="3">in</cite> out</cite>', "out in out", ["out in out", "in"], ["cite-nested"]),
    ("stray</cite> end", "stray end", [], ["cite-stray"]),
    ('<cite index="">nothing</cite>', "nothing", [], ["cite-index"]),
    ('<cite index="soon">words</cite>', "words", [], ["cite-index"]),
    ('<cite index="1-2"> </cite>end', " end", [], ["cite-empty"]),
    ('<cite index="1-2>text</cite>', "text", ["text"], ["cite-damaged"]),
    ('cite index="1-2">text</cite>', "text", ["text"], ["cite-damaged"]),
    ('<cite index="1-2">text</cite', "text", ["text"], ["cite-damaged"]),
    ('end <cite index="1-2', "end ", [], ["cite-damaged", "cite-unclosed", "cite-empty"]),
]


@pytest.mark.parametrize(("text", "clean", "quotes", "codes"), DAMAGED, ids=[row[0][:28] for row in DAMAGED])
def test_damage_is_reported_and_costs_no_text(text, clean, quotes, codes):
    found, spans, problems = cite_spans(text)
    assert found == clean
    assert [span.quote for span in spans] == quotes
    assert sorted(problem.code for problem in problems) == sorted(codes)


@pytest.mark.parametrize(("index", "parts"), [
    ("5-2,5-23", [(5, (2, 23))]), ("12-2,26-13,26-14", [(12, (2,)), (26, (13, 14))]), ("3-4:7", [(3, (4, 5, 6, 7))]),
    ("5", [(5, ())]), ("5-2,9", [(5, (2, 9))]), ("5, 9", [(5, ()), (9, ())]), ("5–2; 6–1", [(5, (2,)), (6, (1,))]),
    ("5-2,5-2", [(5, (2,))]), ("5-9:2", [(5, (9,))]), ("5-1:99999", [(5, (1,))]), ("a,b", []), ("", []),
])  # fmt: skip  # pairs
def test_an_index_names_documents_and_sentences(index, parts):
    assert parse_index(index) == tuple(Part(*part) for part in parts)


MARKS = r"""<cite index="1-2">|<cite index='3'>|</cite>|(/cite>|&lt;cite index=|word |"|>|cite |5-2"""


@given(st.lists(st.sampled_from([*MARKS.split("|"), "\n\n"]) | st.text(max_size=5), max_size=40).map("".join))
def test_no_damage_raises_and_every_quotation_is_in_the_clean_text(text):
    clean, spans, problems = cite_spans(text)
    assert all(clean[span.start : span.end] == span.quote and span.quote for span in spans)
    assert all(0 <= problem.start <= len(text) for problem in problems)
    assert [span.start for span in spans] == sorted(span.start for span in spans)


@given(st.lists(st.tuples(st.integers(1, 40), st.text("abc .\n", min_size=1, max_size=20)), max_size=8))
def test_what_is_wrapped_comes_out_as_it_was(quotes):
    plain = [(number, quote) for number, quote in quotes if quote.strip() and "\n" not in quote]
    text = " and ".join(f'(cite index="{number}-1">{quote}</cite>' for number, quote in plain)
    clean, spans, problems = cite_spans(text)
    assert clean == " and ".join(quote for _, quote in plain)
    assert [(span.parts[0].document, span.quote) for span in spans] == [(n, quote.strip()) for n, quote in plain]
    assert not problems


CODE = [
    "`{}`", "``a ` {}``", "> `{}` said", "> [!note] `{}`\n> text", "| a | `{}` |\n|---|---|\n| `{}` | b |",
    "```\n{}\n```", "~~~mermaid\n{}\n~~~", "~~~~\n~~~\n{}\n~~~~", "````\n```\n{}\n```\n````", "> ```\n> {}\n> ```",
    "> [!example]- Code\n> ```mermaid\n> {}\n> ```", "> > ```\n> > {}\n> > ```", "> - ```\n>   {}\n>   ```",
    "- > ```\n  > {}\n  > ```", "- a\n  - > [!tip]\n    > ```\n    > {}\n    > ```", "1. a\n   ```\n   {}\n   ```",
    "    {}", "\t{}", "text\n\n    {}", "## Heading\n    {}", "> a\n>\n>     {}", "- a\n\n      {}",
    "- a\n  - b\n\n        {}", "$$\n{}\n$$", "> $$\n> {}\n> $$",
]  # fmt: skip  # one list
IN_CODE = ["%% KEPT", "%%KEPT%%", "KEPT <!-- a", "[[KEPT]]", "#KEPT", "![[KEPT]]", "[a](KEPT.md)"]


@pytest.mark.parametrize("mark", IN_CODE)
@pytest.mark.parametrize("code", CODE)
def test_a_mark_in_code_is_text(reading, code, mark):
    text = f"{code.replace('{}', mark)}\n\nAfter [[b]] #seen"
    (node,) = reading(text, "a.md", format="note").nodes
    assert (node.body.count("KEPT"), node.body.endswith("After [[b]] #seen")) == (code.count("{}"), True)
    assert ([one.marker for one in node.cites], node.tags) == (["[[b]]"], ("seen",))


PIECES = [
    "", "a", "- b", "> q", "```", "~~~", "````", "    c", "\tc", "1. d", "# h", "  - e", "> ```", "> - ```", "- > ```",
    "  > ```", "  ```", "> > g", ">     h", "  > x", "- ```", "10. z",
]  # fmt: skip  # one list


def test_code_is_found_as_the_renderer_finds_it():
    """One in three of the texts of three of these lines: 99% as CommonMark says."""
    renderer, wrong, leaks = MarkdownIt("commonmark"), 0, 0
    texts = [[one, two, three] for one in PIECES for two in PIECES for three in PIECES][::3]
    for lines in texts:
        code = [False] * len(lines)
        for token in renderer.parse("\n".join(lines)):
            if token.type in {"fence", "code_block"} and token.map:
                code[slice(*token.map)] = [True] * (token.map[1] - token.map[0])
        pairs = [(is_code, found) for is_code, found, line in zip(code, code_lines(lines), lines, strict=True) if line]
        wrong += any(is_code != found for is_code, found in pairs)
        leaks += any(found and not is_code for is_code, found in pairs)
    assert (wrong * 100 < len(texts), leaks * 2000 < len(texts)) == (True, True), (wrong, leaks)


@pytest.mark.parametrize("code", [code for code in CODE if "$$" not in code])
def test_a_heading_in_code_is_none(code):
    code = code.replace("{}", "# no ^block")
    assert {"s-one", "b-two"} <= anchors_in(f"# One\n\n{code}\n\nText. ^two") <= {"s-one", "b-two", "s-heading"}
