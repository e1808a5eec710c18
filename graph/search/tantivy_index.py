"""A Tantivy index without NumPy: written, and read by a command that searches once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy

from graph.search.query_language import AllOf, AnyOf, InTitle, Phrase, Prefix, Text, Word

if TYPE_CHECKING:
    from graph.search.engine_protocol import Entry  # brings in NumPy

PHRASE_GAIN = 1.5
"""Weight of a phrase relative to its words anywhere."""

HEAP = 64_000_000
"""The writer's buffer in bytes."""


class TantivyIndex:
    """A Tantivy index in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._schema = _schema()
        self._index = tantivy.Index(self._schema, path=str(folder))
        self._index.config_reader(
            reload_policy="manual"
        )  # otherwise a background thread maps files whenever they change
        divided = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer("divided", divided)
        self._searcher = self._index.searcher()

    def write(self, entries: Iterable[Entry], gone: Iterable[int]) -> None:
        """Delete, insert, commit.

        Raises:
            OSError: the files cannot be written.
        """
        writer = self._index.writer(HEAP, 1)
        try:
            for serial in gone:
                self._take_out(writer, serial)
            for entry in entries:
                self._take_out(writer, entry.serial)
                writer.add_document(_document(entry))
            _commit(writer)
        except BaseException:
            with suppress(ValueError):  # on a full disk this fails too; the caller deletes the folder
                writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()

    def _take_out(self, writer: tantivy.IndexWriter, serial: int) -> None:
        writer.delete_documents_by_query(tantivy.Query.term_query(self._schema, "serial", serial))

    def hits(self, included: Text | None, excluded: Text | None) -> tuple[list[int], list[float]]:
        """The serials of what matches `included` and not `excluded`, and their scores, best first but for ties."""
        serials, scores = self.found(included, excluded)
        return [int(serial or 0) for serial in serials], scores

    def found(self, included: Text | None, excluded: Text | None) -> tuple[Sequence[float | None], list[float]]:
        """The same as the engine has it."""
        searcher = self._searcher
        parts = [(tantivy.Occur.Must, tantivy.Query.all_query() if included is None else self._query(included, "text"))]
        if excluded is not None:
            parts.append((tantivy.Occur.MustNot, self._query(excluded, "text")))
        hits = searcher.search(tantivy.Query.boolean_query(parts), limit=max(1, searcher.num_docs), count=False).hits
        serials = searcher.fast_field_values("serial", [address for _, address in hits]) if hits else []
        return serials, [score for score, _ in hits]

    def frequency(self, stem: str) -> int:
        """The number of texts that contain a stem."""
        return int(self._searcher.doc_freq("text", stem))

    def close(self) -> None:
        """Close files and free memory: a file that is still mapped would crash the process when it changes."""
        del self._searcher, self._index

    def _query(self, text: Text, field: str) -> tantivy.Query:
        match text:
            case Word(stem) | Prefix(stem):
                return tantivy.Query.term_query(self._schema, field, stem)
            case Phrase(stems):
                phrase = tantivy.Query.phrase_query(self._schema, field, list(stems))
                return tantivy.Query.boost_query(phrase, PHRASE_GAIN)
            case InTitle(inner):
                return self._query(inner, "title")
            case AllOf(parts):
                return tantivy.Query.boolean_query([(tantivy.Occur.Must, self._query(one, field)) for one in parts])
            case AnyOf(parts):
                return tantivy.Query.boolean_query([(tantivy.Occur.Should, self._query(one, field)) for one in parts])


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("serial", stored=False, indexed=True, fast=True)
    for field in ("text", "title"):
        builder.add_text_field(field, tokenizer_name="divided", index_option="position")
    return builder.build()


def _commit(writer: tantivy.IndexWriter) -> None:
    try:
        writer.commit()
    except ValueError as error:  # the package has one class for every error, a full disk among them
        raise OSError(str(error)) from error


def _document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_unsigned("serial", entry.serial)
    document.add_text("text", " ".join(entry.text))
    document.add_text("title", " ".join(entry.title))
    return document
