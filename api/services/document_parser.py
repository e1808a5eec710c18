"""Parses the files of an import, and completes what was parsed: tag names, links, claims without a node."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from api.services.import_report import DocumentReport
from api.services.missing_nodes import NodeFinder, claims_without_nodes
from api.services.progress_steps import ProgressStep
from api.services.rule_documents import RULES
from api.services.task_mapper import Mapper
from compute.prices import own_units
from compute.prices.catalog_model import Catalog
from compute.prices.own_units import OwnUnit
from compute.units.units import Vocabulary, using, vocabulary
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from ingest.document_reader import SourceFile, read
from ingest.linking.link_resolution import linked_documents
from ingest.linking.vault_paths import settled
from ingest.terms.tag_merges import renamed

_UNITS = re.compile(rb"^units[ \t]*:", re.M)


class DocumentParser:
    """Parses files, each once under one name."""

    def __init__(self, brain: str | None, form: str | None) -> None:
        self._brain, self._form = brain, form
        self._parsed: dict[SourceFile, DocumentReport] = {}

    def __call__(self, found: SourceFile) -> DocumentReport:
        """The document of a file, and its rules where it is one of rules."""
        if found not in self._parsed:
            self._parsed[found] = parse(found, self._brain, self._form)
        return self._parsed[found]

    def parse_all(self, found: Sequence[SourceFile], mapper: Mapper, step: ProgressStep) -> None:
        """Parse files with a mapper; each is found parsed from then on."""
        fresh = [one for one in dict.fromkeys(found) if one not in self._parsed]
        parsed = mapper.map(ReadingTask(self._brain, self._form), fresh)
        for number, one in enumerate(fresh):
            step(f"reading {one.name}", number, len(fresh))
            self._parsed[one] = next(parsed)

    def forget(self) -> None:
        """Release what was parsed."""
        self._parsed.clear()

    def own_units(self, found: Iterable[SourceFile]) -> Iterator[OwnUnit]:
        """The own units that these files define, which the claims and prices among them may use."""
        for one in found:
            if _UNITS.search(one.data) and (document := self(one).document).format == "units":
                yield from own_units.load(document.name, document.text)[0]


def parse(found: SourceFile, brain: str | None, form: str | None) -> DocumentReport:
    """A document; where it is one of rules, its rules are read too, so that their errors stop the ingest."""
    document = read(
        found.data, found.name, brain=brain, default_brain=found.brain or "notes", format=form, folder_format=found.form
    )
    if document.format not in RULES:
        return DocumentReport(document=document)
    found_values, problems = RULES[document.format](document.name, document.text)
    values = found_values.prices if isinstance(found_values, Catalog) else found_values
    return DocumentReport(
        document=document.model_copy(update={"problems": (*document.problems, *problems)}),
        claims=tuple(claim for claim in values if isinstance(claim, Claim)),
        values=len(values),
    )


@dataclass(frozen=True)
class ReadingTask:
    """Reads each file as a document, with its rules where it has some."""

    brain: str | None
    form: str | None
    units: Vocabulary = field(default_factory=vocabulary)

    def __call__(self, files: Sequence[SourceFile]) -> tuple[DocumentReport, ...]:
        """The document of each file."""
        with using(self.units):
            return tuple(parse(one, self.brain, self.form) for one in files)


def with_renamed_tags(entry: DocumentReport, mapping: dict[str, str]) -> DocumentReport:
    """The entry with the tags of its nodes renamed."""
    if not mapping:
        return entry
    nodes = [
        node.model_copy(update={"tags": tags}) if (tags := renamed(node.tags, mapping)) != node.tags else node
        for node in entry.document.nodes
    ]
    return entry.model_copy(update={"document": entry.document.model_copy(update={"nodes": tuple(nodes)})})


def with_ids(
    entries: Sequence[DocumentReport], others: Mapping[str, str], stored: Mapping[str, str]
) -> list[DocumentReport]:
    """The entries, their notes under ids that no other document has (`ingest.linking.vault_paths.settled`)."""
    found = settled([entry.document for entry in entries], others, stored)
    return [
        entry if document is entry.document else entry.model_copy(update={"document": document})
        for entry, document in zip(entries, found, strict=True)
    ]


def with_links(
    entries: Sequence[DocumentReport], known: Mapping[str, Node], private: Collection[str]
) -> list[DocumentReport]:
    """The entries with the links between their notes resolved, and what could not be resolved as problems.

    `known` are the nodes of other documents that they may link to; `private` are the private brains.
    """
    found = linked_documents([entry.document for entry in entries], known, private)
    return [entry.model_copy(update=linked._asdict()) for entry, linked in zip(entries, found, strict=True)]


def with_claim_warnings(
    entries: Sequence[DocumentReport], nodes: Collection[str], finder: NodeFinder
) -> list[DocumentReport]:
    """The entries with a warning for each claim whose node is not among `nodes`, those that there are after the ingest.

    The finder knows the notes that their texts are in after the ingest.
    """
    lost = [(entry, claims_without_nodes(entry.claims, nodes, finder)) for entry in entries]
    return [
        entry.model_copy(update={"added": (*entry.added, *problems)}) if problems else entry for entry, problems in lost
    ]
