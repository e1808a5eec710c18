"""Imports documents: lists, reads and resolves them, and stores all that can be read in one transaction.

files ─▶ bytes ─▶ nodes and rules ─▶ [ names ─▶ moved, removed ─▶ ids ─▶ links ─▶ warnings ─▶ store ─▶ mentions ]

The steps in brackets depend on the store and run in one write transaction, so ingests of several processes come one
after another. Only the stored data that the files mention are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from api.services.claim_quotes import NodeFinder, QuoteFinder, broken_by, with_problems
from api.services.importing.documents import (
    RULES,
    DocumentReport,
    ImportReport,
    Outcome,
    Removal,
    RuleLossError,
    add_input_warnings,
    loss_error,
    lost_rules,
    parse,
    rules_of,
    units_in,
)
from api.services.importing.library import LibraryFolder
from api.services.importing.node_resolver import NodeResolver, move_claims, record_renames
from api.services.importing.stored_files import (
    EmptyFolderError,
    GivenFiles,
    StoredFiles,
    distinctive_lines,
    record_origins,
)
from api.services.price_service import PriceService
from api.services.task_mapper import Mapper
from compute.catalogs.price_cards import edited_in_place
from compute.prices.rule_files import vocabulary_of
from compute.prices.rule_library import stored_units
from compute.runs.night_models import FolderRead
from compute.units.units import set_vocabulary, using
from graph.models.claim_models import Claim
from graph.models.document_models import Changes
from graph.models.node_models import Kind, Node
from graph.models.query_models import DocumentHead
from graph.problems import Problem
from graph.progress_steps import ProgressStep, no_progress
from graph.store import Store
from graph.store.store_errors import ConflictError, TakenError, UnknownDocumentError, UnstorableError
from graph.store.store_part import batches
from graph.text.counts import many
from graph.values import dumps
from ingest.linking.link_targets import node_names
from ingest.source_files import ExportedHistory, Listed, listing
from ingest.terms.term_mentions import Matcher, link
from ingest.text.decoding import as_brain


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """How documents are imported; `brain` and the format `form` take the place of the documents' own.

    `strict`: any problem or unknown kind of file stops the import. `prune` also removes documents of files that were
    given by name and are gone from the folder; `keep` removes none. `losses` says what to do where
    all claims, prices or silences of a file would go: refuse the import, keep that document, or let them go.
    """

    brain: str | None = None
    form: str | None = None
    strict: bool = False
    dry_run: bool = False
    prune: bool = False
    keep: bool = False
    losses: Literal["refuse", "keep", "let go"] = "refuse"


DEFAULTS = ImportOptions()

MOST_RUNS = 5  # the runs of lines that a warning names


class DocumentImporter:
    """Imports documents into a store."""

    def __init__(self, prices: PriceService, mapper: Mapper) -> None:
        self.store, self._prices, self._mapper = prices.store, prices, mapper

    def take(
        self,
        found: Iterable[Listed],
        *,
        at: datetime,
        options: ImportOptions = DEFAULTS,
        step: ProgressStep = no_progress,
    ) -> ImportReport:
        """Read and store in one transaction, with the history of an export.

        Folders replace their documents: those whose file is no longer there are removed. A file of a folder with an
        error is left out; nothing is stored where a file that was given itself has one.

        Raises:
            EmptyFolderError: a folder gives no document, and some in the store came from it.
            RuleLossError: claims, prices or silences would go, and `losses` is to refuse that.
        """
        brain, form, given = options.brain, options.form, GivenFiles(found)
        units = vocabulary_of((*units_in(given.files, brain, form), *stored_units(self.store)))
        files, parsed = list(dict.fromkeys(given.files)), {}
        with using(units):  # each file under its own name; the few that the store knows by another are parsed again
            read = self._mapper.map(partial(parse, brain=brain, form=form), files, 20)
            for number, file in enumerate(files):
                step(f"reading {file.name}", number, len(files))
                parsed[file] = next(read)
        with using(units), nullcontext() if options.dry_run else self.store.transaction():
            stored = StoredFiles(self.store, given)
            entries = stored.documents(lambda file: parsed.pop(file, None) or parse(file, brain, form))
            files.clear()
            parsed.clear()
            report = ImportReport(
                links_left=given.links_left,
                files_left=given.files_left,
                strict=options.strict,
                dry_run=options.dry_run,
            )
            self._follow(report, entries, stored, options)
            given.files.clear()
            NodeResolver(self.store, stored, report).resolve(entries)
            add_input_warnings(report.taken, self._prices.book, self.store.claims.all)
            if report.refused or report.failed:
                return _refused(report, dry_run=options.dry_run)
            if report.rules_lost and options.losses == "refuse" and not options.dry_run:
                raise RuleLossError(report.rules_lost)
            if options.dry_run:
                return self._forecast(report, stored)
            report = self._put(report, stored, at, step)
            report.histories_left = import_histories(self.store, given.histories) if report.stored else ()
        set_vocabulary(units)
        return report

    def _follow(
        self, report: ImportReport, entries: Sequence[DocumentReport], stored: StoredFiles, options: ImportOptions
    ) -> None:
        """Find what was moved or removed, and the warnings for what changed."""
        keep = options.keep
        gone = stored.missing(entries, named=options.prune)
        if not keep:
            stored.refuse_empty(gone)
        report.moves = stored.moves(entries, gone)
        before = {move.document: move.before for move in report.moves}
        for entry in entries:
            name = entry.document.name
            entry.added += tuple(_changes(entry, stored, stored.heads.get(before.get(name, name))))
        moved = {*before.values()}
        away = [head.name for head in gone if head.name not in moved]
        lost = tuple(lost_rules(stored.heads.values(), () if keep else away, entries, stored.text))
        spared = {one.document for one in lost} if options.losses == "keep" else set()
        for entry in entries:
            if entry.document.name in spared:
                entry.added += (loss_error([one for one in lost if one.document == entry.document.name]),)
        report.kept = tuple(name for name in away if keep or name in spared)
        spared |= {*report.kept}
        report.removed = self._removals(head for head in gone if head.name not in spared)
        report.rules_lost = lost

    def _forecast(self, report: ImportReport, stored: StoredFiles) -> ImportReport:
        """What would be stored. Raises `TakenError` as that would."""
        _moving("claim", lambda entry: entry.claims, self.store.claims.owners, report)
        _moving("node", lambda entry: entry.document.nodes, self.store.nodes.owners, report)
        how = {move.document: move.how for move in report.moves}
        changes = self.store.documents.compared([entry.document for entry in report.taken])
        for entry, change in zip(report.taken, changes, strict=True):
            entry.changes = change
            entry.outcome = _outcome(entry, stored, how)
        report.woken = ()
        return report

    def read_folder(self, folder: LibraryFolder, at: datetime) -> FolderRead:
        """Ingest a folder of the library in a transaction; a document that would lose its rules stays."""
        brain = folder.brain and as_brain(folder.brain)
        options = ImportOptions(brain=folder.brain, losses="keep")
        try:
            os.scandir(folder.path).close()  # a file in its place is not read
            found = listing([folder.path], follow=folder.follow_links)
            report = self.take(found, at=at, options=options)
        except OSError as error:
            return FolderRead(path=folder.path, brain=brain, failed=(error.strerror or str(error)).lower())
        except (EmptyFolderError, ConflictError, UnstorableError) as error:
            return FolderRead(path=folder.path, brain=brain, failed=str(error))
        outcomes = [entry.outcome for entry in report.entries]
        back = {move.before for move in report.moves}
        return FolderRead(
            path=folder.path,
            brain=brain,
            documents=len(report.taken),
            new=outcomes.count("new"),
            changed=outcomes.count("changed"),
            moved=len(report.moves),
            removed=sum(removal.document not in back for removal in report.removed),
            left_out=tuple(entry.document.name for entry in report.entries if entry.outcome == "left out"),
            kept=report.kept,
        )

    def _put(self, report: ImportReport, stored: StoredFiles, at: datetime, step: ProgressStep) -> ImportReport:
        come = [*report.taken, *report.woken]
        if not come and not report.removed:
            return report
        ruled, how = set(self.store.claims.documents()), {move.document: move.how for move in report.moves}
        before, terms = self.store.graph_version(), tuple(self.store.nodes.all(Kind.TERM))
        changes = [self._take_out(removal.document, at) for removal in report.removed]
        for lost in report.rules_lost:
            if lost.format == "silences" and lost.document not in report.kept:
                self._lift(lost.document)
        self.store.claims.release(_moving("claim", lambda entry: entry.claims, self.store.claims.owners, report))
        count = 0
        for some in batches(come):
            step(f"storing {some[0].document.name}", count, len(come))
            count += len(some)
            done = self.store.documents.put_all([entry.document for entry in some], at)
            for entry, change in zip(some, done, strict=True):
                entry.changes = change
                rules = self._put_rules(entry, stated=bool(entry.claims) or entry.document.name in ruled)
                entry.outcome = _outcome(entry, stored, how, rules)
            self.store.unresolved.put({entry.document.name: entry.unresolved for entry in some})
            self.store.node_names.put(_names(some))
        if self.store.graph_version() != before:
            step("linking terms", 0, 1)
            changes += [entry.changes for entry in come]
            self._derive(changes, [node for entry in come for node in entry.document.nodes], terms)
        fresh = [node for entry in come if entry.outcome != "unchanged" for node in entry.document.nodes]
        record_renames(self.store, report.same_notes, fresh)
        move_claims(self.store, fresh)
        origins = {entry.document.name: entry.origin for entry in report.taken if entry.origin is not None}
        record_origins(self.store, origins, {removal.document for removal in report.removed})
        self.store.brains.check_quotas()
        report.woken = tuple(entry for entry in report.woken if entry.outcome == "changed")
        report.stored = True
        return report

    def _put_rules(self, entry: DocumentReport, *, stated: bool) -> Changes:
        document = entry.document
        if document.format == "silences":
            self._lift(document.name)
            for silence in entry.rules:
                self.store.alerts.put_silence(silence)
        return self.store.claims.put(document.name, entry.claims) if stated else Changes()

    def _lift(self, name: str) -> None:
        for old in self.store.alerts.silences():
            if old.id.startswith(f"{name}#"):
                self.store.alerts.remove_silence(old.id)

    def _derive(self, done: Sequence[Changes], nodes: Iterable[Node], terms: Sequence[Node]) -> None:
        """Derived edges of new and changed nodes; of all nodes if a term changed."""
        touched = {name for changes in done for name in (*changes.added, *changes.changed)}
        gone = {name for changes in done for name in changes.removed}
        fresh = {node.id for node in nodes if node.kind is Kind.TERM}
        if touched & fresh or (touched | gone) & {term.id for term in terms}:
            self.store.edges.set_derived(link(self.store.nodes.all()))
            return
        matcher = Matcher(terms, self.store.edges.select(kind="same_as", derived=True))
        fresh_nodes = (node for some in batches(sorted(touched)) for node in self.store.nodes.get_many(some))
        found = (edge for node in (fresh_nodes if terms else ()) for edge in matcher.mentions(node))
        self.store.edges.set_derived(found, of=touched)

    def remove(self, names: Sequence[str], *, at: datetime, dry_run: bool = False) -> tuple[Removal, ...]:
        """Remove documents with nodes and rules, all or none. Raises `UnknownDocumentError`."""
        with nullcontext() if dry_run else self.store.transaction():
            known = {head.name: head for head in self.store.documents.heads_of(names)}
            for name in names:
                if name not in known:
                    raise UnknownDocumentError(name)
            removed = self._removals(known[name] for name in dict.fromkeys(names))
            nodes = self.store.nodes.of_documents(names)
            finder = NodeFinder.of_store(self.store, names)
            broken = broken_by((), nodes, removed, QuoteFinder(self.store), finder)
            if not dry_run:
                terms = tuple(self.store.nodes.all(Kind.TERM))
                self._derive([self._take_out(one.document, at) for one in removed], (), terms)
                record_origins(self.store, {}, known.keys())
        return with_problems(removed, broken)

    def _removals(self, heads: Iterable[DocumentHead]) -> tuple[Removal, ...]:
        gone = list(heads)
        stated = self.store.claims.documents() if gone else {}
        return tuple(
            Removal(
                document=one.name,
                nodes=tuple(node.id for node in self.store.nodes.all(document=one.name)),
                claims=stated.get(one.name, 0),
                **{
                    form: len(rules_of(form, one.name, self.store.documents.get(one.name).text or "")[0])
                    for form in {"prices", "silences"} & {one.format}
                },
            )
            for one in gone
        )

    def _take_out(self, name: str, at: datetime) -> Changes:
        changes = self.store.documents.remove(name, at)
        self.store.claims.put(name, ())
        self._lift(name)
        return changes


def _moving(
    kind: str,
    stated: Callable[[DocumentReport], Iterable[Node | Claim]],
    owners: Callable[[Iterable[str]], Mapping[str, str]],
    report: ImportReport,
) -> list[str]:
    """The ids that move between documents of an ingest. Raises `TakenError` for one that two documents would have."""
    first: dict[str, str] = {}
    entries = (*report.taken, *report.woken)
    for name, document in ((one.id, entry.document.name) for entry in entries for one in stated(entry)):
        if (other := first.setdefault(name, document)) != document:
            raise TakenError(kind, name, other, document)
    come = {entry.document.name for entry in entries} | {removal.document for removal in report.removed}
    away = {name: owner for name, owner in owners(first).items() if owner != first[name]}
    for name, owner in away.items():
        if owner not in come:
            raise TakenError(kind, name, owner, first[name])
    return list(away)


def _refused(report: ImportReport, *, dry_run: bool) -> ImportReport:
    for entry in report.taken:
        if entry.refused:
            entry.leave("refused")
    report.woken = ()
    if not dry_run:
        report.removed, report.moves, report.kept = (), (), ()
    return report


def _outcome(
    entry: DocumentReport, stored: StoredFiles, how: Mapping[str, Outcome], rules: Changes | None = None
) -> Outcome:
    """The outcome for a document, by its changes; `how` has the moved and renamed ones."""
    document = entry.document
    head = stored.heads.get(document.name)
    if head is None:
        return how.get(document.name, "new")
    edited = document.format in RULES and head.sha256 != document.sha256
    same = entry.changes.nothing and (rules is None or rules.nothing) and not edited
    return "unchanged" if same else "changed"


def _changes(entry: DocumentReport, stored: StoredFiles, before: DocumentHead | None) -> Iterator[Problem]:
    """Warnings for what a document lost since `before`: all its lines, a price's former amount, its format."""
    document, head = entry.document, stored.heads.get(entry.document.name)
    if head and head.nodes and head.sha256 != document.sha256:
        old = distinctive_lines(stored.text(head.name))
        if old and not old & distinctive_lines(document.text):
            message = "it shares no line with the previous document of this name"
            hint = "if it is another file, ingest the folder that contains both; the previous version stays stored"
            yield Problem.of(document.name, "document-replaced", message, hint)
    if head and head.format == document.format == "prices" and not entry.refused:
        yield from edited_in_place(document.name, document.text, stored.text(head.name))
    if before and before.format != document.format:
        runs = [f"{one.first_line}–{one.last_line} ({one.reason})" for one in document.skipped]
        lines = f"{', '.join(runs[:MOST_RUNS])}{' …' if len(runs) > MOST_RUNS else ''}"
        message = f"read as {document.format} now and as {before.format} before: {many(len(document.nodes), 'node')} "
        message += f"in place of {before.nodes}{f'; left out now: lines {lines}' if runs else ''}"
        hint = f"format: {before.format} in its front matter declares the earlier one"
        yield Problem.of(document.name, "format-changed", message, hint)


def _names(entries: Iterable[DocumentReport]) -> dict[str, frozenset[str]]:
    come = ((entry.document, {*entry.changes.added, *entry.changes.changed}) for entry in entries)
    return {node.id: node_names(node) for document, ids in come for node in document.nodes if node.id in ids}


def import_histories(store: Store, histories: Sequence[ExportedHistory]) -> tuple[str, ...]:
    """Import histories in a write transaction; a sentence for each left out. Raises `HistoryRowError`.

    Ledgers are numbered and append-only: only a home without a history gets one. The same one changes nothing.
    """
    left = []
    for one in histories:
        if store.history.empty():
            store.history.put(one.sections)
            continue
        runs = one.sections.get("runs", ())
        stored = {dumps(row) for name, rows in store.history.sections() if name == "runs" for row in rows}
        if any(dumps(row) not in stored for row in runs):
            why = "was not imported, because this home has a history of its own; ingest it into an empty home"
            left.append(f"{one.name}: its history ({many(len(runs), 'run')}) {why}")
    return tuple(left)
