"""The complete brain in the formats that other programs read: RDF, GraphML, CSV, Markdown notes, our own JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from api.services.claim_evaluator import ClaimEvaluator
from api.services.claim_status import ClaimStatusService
from api.services.target_folder import TargetFolder
from graph.links import Links
from graph.models.document_models import Document
from graph.models.query_models import DocumentRecord
from graph.rdf.iris import IriFactory
from graph.rdf.rdf_export import Export
from graph.rdf.rdf_formats import FORMATS as RDF
from graph.store import Store
from graph.text.csv_text import csv_row
from ingest.document_reader import shareable_text
from ingest.formats.brain_export import write_json, write_notes

COLUMNS = ("id", "brain", "kind", "title", "tags", "sources", "cites", "document", "first_line", "last_line", "health")
"""The columns of the CSV form: a row for each node; tags, sources and cited nodes are separated by spaces."""


class BrainExporter:
    """Writes out what a store holds; `base` is the public address of the service, for IRIs."""

    def __init__(
        self, store: Store, auditor: ClaimEvaluator, standing: ClaimStatusService, links: Links, base: str
    ) -> None:
        self._store, self._auditor, self._standing, self._links, self._base = store, auditor, standing, links, base
        self.forms: Mapping[str, Callable[[], Iterator[bytes]]] = {
            **{form: self._rdf(form) for form in RDF},
            "graphml": self._links.graphml,
            "csv": self._csv,
            "json": self._json,
        }

    def at(self, base: str) -> BrainExporter:
        """The same for another address of the service."""
        return BrainExporter(self._store, self._auditor, self._standing, self._links, base)

    def rdf(self) -> Export:
        """The store as RDF, verdicts with their working and nodes with their health."""
        return Export(
            self._store, IriFactory(self._base.rstrip("/") + "/"), explain=self._auditor.explained, health=self._health
        )  # fmt: skip

    def notes(self, folder: Path) -> int:
        """Every node as a Markdown note under a folder, in a folder for each brain; how many there are.

        Raises:
            TargetError: a note would be written outside the folder, or two notes to one file.
            OSError: a note cannot be written.
        """
        texts = write_notes(self._store.nodes.all())
        TargetFolder(folder).write(texts)
        return len(texts)

    def _rdf(self, form: str) -> Callable[[], Iterator[bytes]]:
        return lambda: self.rdf().write(form)

    def _health(self, node: str) -> str | None:
        return self._standing.health(node).state.value

    def _csv(self) -> Iterator[bytes]:
        yield csv_row(COLUMNS).encode()
        for node in self._store.nodes.all():
            place = node.provenance
            cited = " ".join(one.target for one in node.cites if one.target)
            sources = " ".join(source.url for source in node.sources)
            row = csv_row((
                node.id, node.brain, node.kind.value, node.title, " ".join(node.tags), sources, cited,
                place.document, place.first_line, place.last_line, self._health(node.id),
            ))  # fmt: skip
            yield row.encode("utf-8", "replace")

    def _json(self) -> Iterator[bytes]:
        yield write_json(self._documents()).encode()

    def _documents(self) -> Iterator[Document]:
        for record in self._store.documents.all():
            yield self._document(self._store.documents.get(record.name))

    def _document(self, record: DocumentRecord) -> Document:
        shared = record.model_dump(exclude={"nodes", "ingested_at", "current", "text"})
        nodes = tuple(self._store.nodes.all(document=record.name))
        return Document(**shared, text=shareable_text(record.format, record.text or ""), nodes=nodes)
