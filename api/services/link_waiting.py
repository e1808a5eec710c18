"""Which names an ingest brings or takes away: documents whose unresolved links use one of them are read again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from api.services.import_report import DocumentReport
from graph.models.document_models import Document
from graph.models.query_models import DocumentHead
from graph.store import Store
from ingest.linking.link_targets import node_names


def changed(entries: Iterable[DocumentReport], held: Iterable[DocumentHead]) -> list[Document]:
    """The documents that are new to the store or differ from it."""
    known = {(record.name, record.sha256, record.brain) for record in held}
    documents = (entry.document for entry in entries)
    return [one for one in documents if (one.name, one.sha256, one.brain) not in known]


def names_of(documents: Sequence[Document], removed: Collection[str], store: Store) -> set[str]:
    """The names by which links find the nodes that an ingest brings, replaces and takes out.

    A removed node may leave one candidate for a link that had several.
    """
    names = {name for document in documents for node in document.nodes for name in node_names(node)}
    return names | store.node_names.of_documents({*removed, *(document.name for document in documents)})
