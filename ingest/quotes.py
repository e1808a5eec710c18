"""Cite spans resolved to the sources that a page lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.nodes import Node, Quotation
from ingest.spans import Span


def resolve(node: Node, spans: Sequence[Span]) -> tuple[Quotation, ...]:
    """The quotations of one node by itself."""
    return resolve_page([(node, spans)])[0].quotes


def resolve_page(items: Iterable[tuple[Node, Sequence[Span]]]) -> tuple[Node, ...]:
    """The nodes of a page, in page order, each with the quotations of its spans behind its other citations."""
    return tuple(node.model_copy(update={"citations": (*node.citations, *_plain(spans))}) for node, spans in items)


def _plain(spans: Sequence[Span]) -> list[Quotation]:
    return [
        Quotation(
            span=number,
            marker=f"{part.document}-{part.sentences[0]}" if part.sentences else str(part.document),
            document=part.document,
            sentences=part.sentences,
            quote=span.quote,
        )
        for number, span in enumerate(spans)
        for part in span.parts
    ]
