"""The pure part of mining and proofreading, as functions that other processes can compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from api.services.claim_drafts import claim_file
from api.services.progress_steps import in_parts
from compute.figures.claim_writer import NO_CLAIMS, claim_ids
from compute.figures.figure_checker import FigureChecker
from compute.figures.figure_models import Figure, Passage, Statement
from compute.figures.figure_reader import figures
from compute.prices.price_book import CatalogBook
from compute.units.units import Vocabulary, using, vocabulary
from graph.models.document_models import Document
from graph.models.node_models import Node
from ingest.document_reader import read
from ingest.text.prose_masks import masked, sentence_borders


def passage(node: Node) -> Passage:
    """A node as a text to mine."""
    mask = masked(node.body)
    borders = tuple(sentence_borders(mask))
    return Passage(node.id, node.body, mask, borders, node.provenance.document, node.published, node.title)


@dataclass(frozen=True)
class MiningTask:
    """The statements of each passage, with the prices of a book; `on` is the day where a text names none."""

    book: CatalogBook
    on: date
    units: Vocabulary = field(default_factory=vocabulary)

    @cached_property
    def checker(self) -> FigureChecker:
        """Mines passages; it keeps what they share."""
        return FigureChecker(self.book, self.on)

    def __call__(self, passages: Sequence[Passage]) -> tuple[tuple[Statement, ...], ...]:
        """The statements of each passage, in text order."""
        with using(self.units):
            return tuple(self.checker.check(one) for one in passages)


class MinedNode(NamedTuple):
    """A node of a draft: its figures and statements; `drafts` are the statements as claims, None where none can be."""

    passage: Passage
    first_line: int
    figures: tuple[Figure, ...]
    statements: tuple[Statement, ...]
    drafts: tuple[str | None, ...]


class MinedDraft(NamedTuple):
    """A draft: the document that was read, and what is in each of its nodes."""

    document: Document
    nodes: tuple[MinedNode, ...]


class DraftFile(NamedTuple):
    """The bytes of a draft, with the name of its file."""

    data: bytes
    name: str


READ_AS_NOTES = frozenset({"bullet-glossary", "term-table", "context-pack"})
"""Formats of Markdown that are proofread as notes: of minutes with bold labels a glossary keeps only the labels."""


@dataclass(frozen=True)
class DraftTask(MiningTask):
    """Reads and mines each draft; `form` is its format, in place of what is detected."""

    form: str | None = None

    def __call__(self, files: Sequence[DraftFile]) -> tuple[MinedDraft, ...]:  # type: ignore[override]  # other items
        """What is in each file."""
        with using(self.units):
            return tuple(self._mined(self._read(one)) for one in files)

    def _read(self, one: DraftFile) -> Document:
        inner = f"draft{PurePath(one.name).suffix}"  # names of documents obey rules that names of files need not
        document = read(one.data, inner, format=self.form)
        unknown = not document.nodes and document.format == "unknown"
        if self.form is None and (unknown or document.format in READ_AS_NOTES):
            return read(one.data, "draft.md", format="note")
        return document

    def _mined(self, document: Document) -> MinedDraft:
        sizes = [len(node.body) for node in document.nodes]
        nodes = tuple(in_parts(self._node, document.nodes, sizes))
        every = [one for node in nodes for one in node.statements]
        ids, told = claim_ids(every, self.on), dict[str, str]()
        for one in every:
            told.setdefault(ids.get(one.id, ""), one.id)  # a sentence that is repeated has one draft
        first = {one: name for name, one in told.items() if name}
        return MinedDraft(document, tuple(node._replace(drafts=self._drafts(node.statements, first)) for node in nodes))

    def _node(self, node: Node) -> MinedNode:
        text = passage(node)
        return MinedNode(
            text, node.provenance.first_line, tuple(figures(text.mask)), self.checker.check(text), drafts=()
        )

    def _drafts(self, statements: Sequence[Statement], ids: dict[str, str]) -> tuple[str | None, ...]:
        """The statements with an id as files of one claim each."""
        return tuple(self._draft(one, ids.pop(one.id)) if one.id in ids else None for one in statements)

    def _draft(self, one: Statement, name: str) -> str | None:
        """A statement as a file of one claim; None if no formula checks it, or if the formula would be refused."""
        drafts = claim_file((one,), one.as_of or self.on, ids={one.id: name})
        return drafts.text if drafts.text != NO_CLAIMS and not drafts.left else None
