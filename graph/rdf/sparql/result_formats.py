"""Answers to SELECT and ASK in the formats of the W3C: JSON, XML, CSV and TSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape, quoteattr

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from graph.rdf.vocabulary import XSD
from graph.text.csv_text import csv_row
from graph.values import dumps

Term = NamedNode | BlankNode | Literal | Triple
Row = Sequence[Term | None]
Table = Callable[[Sequence[str], Sequence[Row]], str]

_XML = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def table(form: str, variables: Sequence[str], rows: Sequence[Row]) -> bytes:
    """The rows of a SELECT in the format of that name; None is an unbound variable."""
    return _TABLES[form](variables, rows).encode()


def boolean(form: str, answer: bool) -> bytes:
    """The answer to an ASK; CSV and TSV have no standard form for it, so they contain only the word."""
    word = "true" if answer else "false"
    if form == "json":
        return dumps({"head": {}, "boolean": answer}).encode()
    if form == "xml":
        return f"{_XML}<head/><boolean>{word}</boolean></sparql>\n".encode()
    return f"{word}\n".encode()


def _json(variables: Sequence[str], rows: Sequence[Row]) -> str:
    bindings = [
        {name: _json_term(term) for name, term in zip(variables, row, strict=True) if term is not None} for row in rows
    ]
    return dumps({"head": {"vars": list(variables)}, "results": {"bindings": bindings}})


def _json_term(term: Term) -> dict[str, str]:
    if not isinstance(term, Literal):
        return {"type": "uri" if isinstance(term, NamedNode) else "bnode", "value": _text(term)}
    told = {"type": "literal", "value": term.value}
    if term.language:
        told["xml:lang"] = term.language
    elif term.datatype != XSD.string:
        told["datatype"] = term.datatype.value
    return told


def _text(term: Term) -> str:
    """The value alone; a quoted triple, which SPARQL 1.1 cannot create, as its text."""
    return str(term) if isinstance(term, Triple) else term.value


def _xml(variables: Sequence[str], rows: Sequence[Row]) -> str:
    heads = "".join(f"<variable name={quoteattr(name)}/>" for name in variables)
    lines = (
        "<result>"
        + "".join(
            f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>"
            for name, term in zip(variables, row, strict=True)
            if term is not None
        )
        + "</result>\n"
        for row in rows
    )
    return f"{_XML}<head>{heads}</head><results>\n{''.join(lines)}</results></sparql>\n"


def _xml_term(term: Term) -> str:
    """XML 1.0 cannot write most control characters: U+FFFD replaces them."""
    text = escape(_NO_XML.sub("\ufffd", _text(term)), {"\r": "&#13;"})
    if not isinstance(term, Literal):
        return f"<uri>{text}</uri>" if isinstance(term, NamedNode) else f"<bnode>{text}</bnode>"
    kind = ""
    if term.language:
        kind = f" xml:lang={quoteattr(term.language)}"
    elif term.datatype != XSD.string:
        kind = f" datatype={quoteattr(term.datatype.value)}"
    return f"<literal{kind}>{text}</literal>"


def _csv(variables: Sequence[str], rows: Sequence[Row]) -> str:
    """Values as plain text (https://www.w3.org/TR/sparql11-results-csv-tsv/), lines ended by CR LF.

    A text that a spreadsheet would read as a formula gets a leading single quote; TSV has every term unchanged.
    """
    return csv_row(variables) + "".join(csv_row(_csv_term(term) for term in row) for row in rows)


def _csv_term(term: Term | None) -> str:
    if term is None:
        return ""
    return str(term) if isinstance(term, BlankNode) else _text(term)


def _tsv(variables: Sequence[str], rows: Sequence[Row]) -> str:
    """Terms in Turtle syntax, without loss."""
    lines = ["\t".join(f"?{name}" for name in variables)]
    lines += ["\t".join("" if term is None else _tsv_term(term) for term in row) for row in rows]
    return "\n".join(lines) + "\n"


def _tsv_term(term: Term) -> str:
    """N-Triples, which escapes what TSV needs; an integer as its bare numeral."""
    if isinstance(term, Literal) and term.datatype == XSD.integer and re.fullmatch(r"[+-]?\d+", term.value):
        return term.value
    return str(term)


_TABLES: dict[str, Table] = {"json": _json, "xml": _xml, "csv": _csv, "tsv": _tsv}
