"""Cite spans: what is quoted, from which documents, and what the damage was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.quotations.cite_spans import Part, cite_spans, parse_index

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


@pytest.mark.parametrize(
    ("index", "parts"),
    [
        ("5-2,5-23", [(5, (2, 23))]),
        ("12-2,26-13,26-14", [(12, (2,)), (26, (13, 14))]),
        ("3-4:7", [(3, (4, 5, 6, 7))]),
        ("5", [(5, ())]),
        ("5-2,9", [(5, (2, 9))]),
        ("5, 9", [(5, ()), (9, ())]),
        ("5–2; 6–1", [(5, (2,)), (6, (1,))]),
        ("5-2,5-2", [(5, (2,))]),
        ("5-9:2", [(5, (9,))]),
        ("5-1:99999", [(5, (1,))]),
        ("a,b", []),
        ("", []),
    ],
)
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
