"""Documents in: read all, look at all problems, then store in one transaction all that can be read, or nothing.

paths ─▶ bytes ─▶ detect ─▶ nodes (ingest)  ─┐
                      └───▶ rules (compute) ─┴▶ [ names ─▶ moved, deleted ─▶ links ─▶ errors ─▶ store ─▶ derived edges ]

What is in brackets happens in one write transaction: everything that depends on what the store holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import nullcontext
from datetime import datetime
from itertools import chain
from typing import Literal, NamedTuple

from api.services.document_names import Again, Pair, at_home, compared, once, reformatted, unpaired
from api.services.document_parser import (
    DocumentParser,
    parse,
    with_claim_warnings,
    with_ids,
    with_links,
    with_renamed_tags,
)
from api.services.folder_following import (
    GivenFiles,
    Origins,
    known_names,
    missing,
    moves,
    of_folders,
    origin_of,
    refuse_empty,
    stored_ids,
)
from api.services.import_nodes import (
    NodesAfter,
    OtherNodes,
    changed,
    conflicts,
    forecast,
    move_claims,
    names_of,
    outcome_of,
    record_renames,
    same_notes,
    with_current_nodes,
    with_moves,
)
from api.services.import_report import (
    DocumentReport,
    FileLeft,
    ImportReport,
    LinkLeft,
    Move,
    Origin,
    Removal,
)
from api.services.missing_nodes import NodeFinder
from api.services.price_service import stored_units
from api.services.progress_steps import ProgressStep, no_progress
from api.services.quote_warnings import QuoteChecker, broken_by, with_quote_warnings
from api.services.rule_losses import RuleLossError, lost_rules, values_of, with_loss_error
from api.services.task_mapper import HERE, Mapper
from api.services.unknown_inputs import with_input_warnings
from compute.catalogs.price_cards import edited_in_place
from compute.claims import unit_vocabulary
from compute.prices.price_book import CatalogBook
from compute.runs import silence_files
from graph.models.document_models import Changes
from graph.models.node_models import Kind, Node
from graph.models.query_models import DocumentHead
from graph.problems import Problem
from graph.store import Store
from graph.store.store_errors import UnknownDocumentError
from ingest.linking.link_resolution import names_in_links
from ingest.linking.link_targets import node_names
from ingest.source_files import Listed, SkippedFile, SourceFile
from ingest.terms.tag_merges import load_mapping
from ingest.terms.term_mentions import Matcher, link

Losses = Literal["refuse", "keep", "let go"]

TOGETHER = 500
"""Nodes beyond which the documents of a large ingest go into the store in several statements."""


class _Arriving(NamedTuple):
    """What comes into a store: the entries, the documents that waited for them, their nodes before, the other nodes."""

    entries: list[DocumentReport]
    waiting: list[DocumentReport]
    before: list[Node]
    others: OtherNodes

    def ordered(self, held: Iterable[DocumentHead]) -> list[DocumentReport]:
        """Documents that the store has already before new ones."""
        names = {head.name for head in held}
        return [*self.waiting, *sorted(self.entries, key=lambda entry: entry.document.name not in names)]


class DocumentImporter:
    """Takes documents into a store."""

    def __init__(self, store: Store, mapper: Mapper = HERE, book: Callable[[], CatalogBook] | None = None) -> None:
        """`book` has the prices of the store; without it, claims are not compared with them."""
        self._store, self._mapper, self._book = store, mapper, book
        self._origins = Origins(store)

    def take(
        self,
        found: Iterable[Listed],
        *,
        at: datetime,
        brain: str | None = None,
        form: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        prune: bool = False,
        keep: bool = False,
        losses: Losses = "refuse",
        step: ProgressStep = no_progress,
    ) -> ImportReport:
        """Read and store in one transaction; the brain follows the folders that were given.

        A file of a folder with an error is left out; nothing is stored where a file that was given itself has one (or,
        `strict`, where there is any problem or a file of an unknown kind). Documents whose file is no longer in its
        folder are removed, except with `keep`. `prune` also removes documents of unknown origin, from homes of earlier
        versions, that are of the same brains and formats and not among these.

        `losses`: what to do where all claims, prices or silences of a file would go (`api.services.rule_losses`):
        refuse the ingest, keep that document as it is, or let them go.

        The files and what was parsed are released before storing: the report has the documents with their links.

        Files are parsed before the write lock is taken. What depends on the store (names, links, what is taken out) is
        decided inside the transaction that stores it, so ingests of several processes come one after another.

        Raises:
            EmptyFolderError: a folder gives no document, and some in the store came from it.
            RuleLossError: claims, prices or silences would go, and `losses` is to refuse that.
        """
        given, again = GivenFiles.of(found), DocumentParser(brain, form)
        unit_vocabulary.use((*again.own_units(given.files), *stored_units(self._store)))
        self._parse(given, again, step)
        with nullcontext() if dry_run else self._store.transaction():
            held = self._store.documents.heads()
            report = self._report(given, held, again, prune=prune, keep=keep, losses=losses, strict=strict)
            again.forget()
            del given
            known = {record.name: record.sha256 for record in held}
            if report.refused or report.failed:
                refused = tuple(_refused(entry) for entry in report.entries)
                shown = {} if dry_run else {"removed": (), "moves": (), "kept": ()}
                return report.model_copy(update={"entries": refused, "woken": (), **shown})
            if report.rules_lost and losses == "refuse" and not dry_run:
                raise RuleLossError(report.rules_lost)
            if dry_run:
                entries = forecast(report.entries, report.moves, known, self._store, at)
                return report.model_copy(update={"entries": entries, "woken": ()})
            return self._put(report, known, at, step)

    def _parse(self, given: GivenFiles, again: DocumentParser, step: ProgressStep) -> None:
        """Parse every file under the name that it has by the store of now; a later look finds it parsed."""
        held = self._store.documents.heads()
        found = self._called(given, held, self._origins.of(held))
        again.parse_all(found, self._mapper, step)

    def _called(
        self, given: GivenFiles, held: Sequence[DocumentHead], origins: Mapping[str, Origin]
    ) -> list[SourceFile]:
        """The files under the names of the documents that they are."""
        names = {record.name for record in held}
        older = [record for record in held if record.name not in origins]
        result = []
        for one in known_names(given, held, origins):
            result.append(one)
            if not one.root:
                result[-1:] = at_home([one], held, self._text)
            elif older and one.name not in names:
                result[-1:] = at_home([one], older, self._text)
        return result

    def _report(
        self,
        given: GivenFiles,
        held: Sequence[DocumentHead],
        again: Again,
        *,
        prune: bool,
        keep: bool,
        losses: Losses,
        strict: bool,
    ) -> ImportReport:
        """What an ingest of these files does to a store that holds these documents."""
        origins = self._origins.of(held)
        pairs = [(one, again(one)) for one in self._called(given, held, origins)]
        named = [_whence(one) for one in self._named(pairs, held, origins, again)]
        gone = missing(given, named, held, origins)
        if not keep:
            refuse_empty(given, gone, origins)
        gone += self._unknown(named, held, origins) if prune else []
        moved = moves(named, gone, held, origins, self._text)
        named = reformatted(named, held, moved)
        back = {move.before for move in moved}
        away = [head.name for head in gone if head.name not in back]
        lost = tuple(lost_rules(held, () if keep else away, named, self._text))
        if losses == "keep":
            named = [with_loss_error(entry, lost) for entry in named]
        spared = {one.document for one in lost} if losses == "keep" else set()
        kept = tuple(name for name in away if keep or name in spared)
        removed = self._removals(head for head in gone if head.name not in kept)
        left = [] if strict else [_left(entry) for entry in named if entry.refused and entry.in_folder]
        entries = [entry for entry in named if strict or not (entry.refused and entry.in_folder)]
        spent = {one.document for one in removed}
        while True:
            found = self._arriving(entries, held, spent, moved)
            taken = conflicts(found.ordered(held), found.others, self._store, frozenset(spent))
            if not taken or all(entry.refused for entry in entries if entry.document.name in taken):
                break
            told = [_with_problem(entry, taken.get(entry.document.name)) for entry in entries]
            left += [] if strict else [_left(entry) for entry in told if entry.document.name in taken]
            entries = [entry for entry in told if strict or entry.document.name not in taken]
        linked, woken, same, finder = self._linked(found, moved)
        ordered = [*woken, *linked]
        checker = QuoteChecker(self._store, ordered)
        broken = broken_by(ordered, found.before, removed, checker, self._store, finder=finder)
        linked = with_quote_warnings([_also(entry, broken) for entry in linked], found.others, checker)
        linked = with_input_warnings(linked, self._book) if self._book else linked
        return ImportReport(
            entries=(*linked, *left),
            woken=tuple(woken),
            removed=_with_problems(removed, broken),
            moves=tuple(move for move in moved if move.document in {entry.document.name for entry in entries}),
            kept=kept,
            links_left=tuple(LinkLeft(name=one.name, reason=one.reason) for one in given.skipped if one.kind == "link"),
            files_left=tuple(_file_left(one) for one in given.skipped if one.kind != "link"),
            strict=strict,
            same_notes=same,
            rules_lost=lost,
        )

    def _arriving(
        self,
        entries: list[DocumentReport],
        held: Sequence[DocumentHead],
        gone: Set[str],
        moved: Sequence[Move],
    ) -> _Arriving:
        """The entries and the documents that waited for them, under ids that no other document has."""
        entries, waiting = self._merged(entries, [record for record in held if record.name not in gone], gone)
        both = [*entries, *waiting]
        fresh = gone | {entry.document.name for entry in both}
        before, others = self._store.nodes.of_documents(fresh), OtherNodes(self._store, fresh)
        stored = stored_ids(before, moved)
        others.load(chain((node.id for entry in both for node in entry.document.nodes), stored.values()))
        settled = with_ids(both, others, stored)
        return _Arriving(settled[: len(entries)], settled[len(entries) :], before, others)

    def _linked(
        self, arriving: _Arriving, moved: Sequence[Move]
    ) -> tuple[list[DocumentReport], list[DocumentReport], dict[str, str], NodeFinder]:
        """The entries and the documents that waited for them, linked; the new ids of notes; who finds lost notes."""
        both, others = [*arriving.entries, *arriving.waiting], arriving.others
        known = others.named(names_in_links(entry.document for entry in both))
        linked = with_links(both, known, self._store.brains.private())
        after = NodesAfter({node.id: node for entry in linked for node in entry.document.nodes}, others)
        others.load(claim.node for entry in linked for claim in entry.claims if claim.node)
        linked = with_current_nodes(linked, after)
        same = same_notes(arriving.before, linked, moved)

        def now(old: str) -> str | None:
            new = same.get(old) or self._store.renamed_nodes.now(old)
            return new if new in after else None

        finder, many = NodeFinder(after.nodes, now), len(arriving.entries)
        linked = with_claim_warnings(linked, after, finder)
        return linked[:many], linked[many:], same, finder

    def remove(self, names: Sequence[str], *, at: datetime, dry_run: bool = False) -> tuple[Removal, ...]:
        """Remove documents with their nodes and rules, all of them or none; their versions stay stored.

        Raises:
            UnknownDocumentError: a name is unknown.
        """
        with nullcontext() if dry_run else self._store.transaction():
            known = {record.name: record for record in self._store.documents.heads()}
            for name in names:
                if name not in known:
                    raise UnknownDocumentError(name)
            removed = self._removals(known[name] for name in dict.fromkeys(names))
            nodes = [node for one in removed for node in self._store.nodes.all(document=one.document)]
            finder = NodeFinder.of_store(self._store, names)
            broken = broken_by((), nodes, removed, QuoteChecker(self._store), self._store, finder=finder)
            removed = _with_problems(removed, broken)
            if not dry_run:
                terms = tuple(self._store.nodes.terms())
                self._derive([self._take_out(one.document, at) for one in removed], (), terms)
                self._origins.put({}, {one.document for one in removed})
        return removed

    def _named(
        self, pairs: list[Pair], held: Sequence[DocumentHead], origins: Mapping[str, Origin], again: Again
    ) -> list[Pair]:
        """The files with their entries under the names that are theirs, with what is to be said of these."""
        pairs = once(unpaired(of_folders(pairs, origins, again, self._text), held, again))
        known = {record.name for record in held if record.format == "prices"}
        return [
            (found, self._with_edited_prices(entry) if entry.document.name in known else entry)
            for found, entry in compared(pairs, held, self._text)
        ]

    def _with_edited_prices(self, entry: DocumentReport) -> DocumentReport:
        """An entry with a warning for each price card whose amount was edited in place."""
        if entry.refused or entry.document.format != "prices":
            return entry
        name, text = entry.document.name, entry.document.text
        told = tuple(edited_in_place(name, text, self._text(name) or ""))
        return entry.model_copy(update={"added": (*entry.added, *told)}) if told else entry

    def _text(self, name: str) -> str | None:
        """The stored text of a document."""
        return self._store.documents.get(name).text

    def _unknown(
        self, entries: Sequence[DocumentReport], held: Sequence[DocumentHead], origins: Mapping[str, Origin]
    ) -> list[DocumentHead]:
        """The documents of unknown origin that are of the brains and formats of these, and not among them."""
        sorts = {(entry.document.brain, entry.document.format) for entry in entries}
        fresh = {entry.document.name for entry in entries} | origins.keys()
        return [one for one in held if (one.brain, one.format) in sorts and one.name not in fresh]

    def _removals(self, records: Iterable[DocumentHead]) -> tuple[Removal, ...]:
        stated = self._store.claims.documents()
        return tuple(
            Removal(
                document=one.name,
                nodes=tuple(node.id for node in self._store.nodes.all(document=one.name)),
                claims=stated.get(one.name, 0),
                **self._counted(one),
            )
            for one in records
        )

    def _counted(self, head: DocumentHead) -> dict[str, int]:
        """The prices or silences of a document, counted."""
        if head.format not in {"prices", "silences"}:
            return {}
        return {head.format: len(values_of(head.format, head.name, self._text(head.name) or ""))}

    def _take_out(self, name: str, at: datetime) -> Changes:
        """One document with its nodes, claims and silences."""
        changes = self._store.documents.remove(name, at)
        self._store.claims.put(name, ())
        self._lift(name)
        return changes

    def _waiting(
        self, entries: Sequence[DocumentReport], held: Sequence[DocumentHead], gone: Set[str]
    ) -> list[DocumentReport]:
        """The documents of the store with an unresolved link to what this ingest brings or takes out, read again."""
        others = {record.name for record in held} - {entry.document.name for entry in entries}
        if not others:
            return []
        names = names_of(changed(entries, held), gone, self._store)
        waiting = sorted(others.intersection(self._store.unresolved.waiting_for(names)))
        return [entry for entry in map(self._again, waiting) if not entry.refused]

    def _merged(
        self, entries: list[DocumentReport], held: Sequence[DocumentHead], gone: Set[str]
    ) -> tuple[list[DocumentReport], list[DocumentReport]]:
        """The entries and the documents that waited for them, their tags under the names that `tags` documents give.

        Where this ingest changes those names, the documents that are in the store already are read again. Names that
        a private brain gives are for its own documents.
        """
        fresh = {entry.document.name: entry.document for entry in entries}
        others = [record for record in held if record.name not in fresh]
        texts = [(one.name, one.brain, self._text(one.name) or "") for one in others if one.format == "tags"]
        texts += [(one.name, one.brain, one.text) for one in fresh.values() if one.format == "tags"]
        loaded = [(brain, load_mapping(text, name)[0]) for name, brain, text in texts]
        private = self._store.brains.private()
        if any(document.format == "tags" for document in fresh.values()):
            entries = [*entries, *(self._again(one.name) for one in others if one.nodes)]
        waiting = self._waiting(entries, held, gone)

        def renamed(entry: DocumentReport) -> DocumentReport:
            own = entry.document.brain
            known = [mapping for brain, mapping in loaded if brain == own or brain not in private]
            return with_renamed_tags(entry, {old: new for mapping in known for old, new in mapping.items()})

        return [renamed(entry) for entry in entries], [renamed(entry) for entry in waiting]

    def _again(self, name: str) -> DocumentReport:
        """A document read again from its stored text."""
        kept = self._store.documents.get(name)
        data = (kept.text or "").encode()
        return parse(SourceFile(data, name), kept.brain, kept.format)

    def _put(self, report: ImportReport, known: Mapping[str, str], at: datetime, step: ProgressStep) -> ImportReport:
        """Store a report, inside a transaction; `known` are the hashes of the documents that were there before."""
        entries: list[DocumentReport] = []
        asked_for, left = report.taken, report.entries[len(report.taken) :]
        everything = (*asked_for, *report.woken)
        if not everything and not report.removed:
            return report
        ruled = set(self._store.claims.documents())
        before, terms = self._store.graph_version(), tuple(self._store.nodes.terms())
        gone = [self._take_out(removal.document, at) for removal in report.removed]
        for lost in report.rules_lost:
            if lost.format == "silences" and lost.document not in report.kept:
                self._lift(lost.document)
        self._release(everything)
        for some in _groups(everything):
            step(f"storing {some[0].document.name}", len(entries), len(everything))
            done = zip(some, self._store.documents.put_all([entry.document for entry in some], at), strict=True)
            entries += (self._put_one(entry, changes, known, ruled) for entry, changes in done)
            self._store.unresolved.put({entry.document.name: entry.unresolved for entry in some})
            self._store.node_names.put(_names(entries[-len(some) :]))
        if self._store.graph_version() != before:
            step("linking terms", 0, 1)
            all_changes = [*gone, *(entry.changes for entry in entries)]
            self._derive(all_changes, [node for entry in entries for node in entry.document.nodes], terms)
        fresh = [node for entry in entries if entry.outcome != "unchanged" for node in entry.document.nodes]
        record_renames(self._store, report.same_notes, fresh)
        move_claims(self._store, fresh)
        come = {entry.document.name: entry.origin for entry in asked_for if entry.origin is not None}
        self._origins.put(come, {removal.document for removal in report.removed})
        self._store.brains.check_quotas()
        asked = with_moves(entries[: len(asked_for)], report.moves)
        woken = tuple(entry for entry in entries[len(asked_for) :] if entry.outcome == "changed")
        return report.model_copy(update={"entries": (*asked, *left), "woken": woken, "stored": True})

    def _release(self, entries: Sequence[DocumentReport]) -> None:
        """Free the claims that go from one document of this ingest to another."""
        stating = {claim.id: entry.document.name for entry in entries for claim in entry.claims}
        fresh = {entry.document.name for entry in entries}
        owners = self._store.claims.owners(stating)
        self._store.claims.release(
            claim for claim, owner in owners.items() if owner in fresh and owner != stating[claim]
        )

    def _derive(self, done: Sequence[Changes], nodes: Iterable[Node], terms: Sequence[Node]) -> None:
        """The edges that no document states: of the nodes that came or changed, of all where a term did."""
        touched = {name for changes in done for name in (*changes.added, *changes.changed)}
        gone = {name for changes in done for name in changes.removed}
        fresh = {node.id for node in nodes if node.kind is Kind.TERM}
        if touched & fresh or (touched | gone) & {term.id for term in terms}:
            self._store.edges.set_derived(link(self._store.nodes.all()))
            return
        matcher = Matcher(terms, self._store.edges.select(kind="same_as", derived=True))
        found = (edge for node in self._in_parts(sorted(touched)) for edge in matcher.mentions(node))
        self._store.edges.set_derived(found, of=touched)

    def _in_parts(self, names: Sequence[str]) -> Iterator[Node]:
        """Nodes in the order of their names, read some at a time: all of them a second time would double the memory."""
        for start in range(0, len(names), TOGETHER):
            yield from self._store.nodes.get_many(names[start : start + TOGETHER])

    def _put_one(
        self, entry: DocumentReport, changes: Changes, known: Mapping[str, str], ruled: Set[str]
    ) -> DocumentReport:
        """The rules of a document whose nodes are in the store."""
        document = entry.document
        stated = entry.claims or document.name in ruled
        rules = self._store.claims.put(document.name, entry.claims) if stated else Changes()
        if document.format == "silences":
            self._silence(entry)
        return entry.model_copy(update={"outcome": outcome_of(entry, changes, known, rules), "changes": changes})

    def _silence(self, entry: DocumentReport) -> None:
        """The silences of a document in the place of those that it had."""
        self._lift(entry.document.name)
        for silence in silence_files.load(entry.document.name, entry.document.text)[0]:
            self._store.alerts.put_silence(silence)

    def _lift(self, name: str) -> None:
        """Take the silences of a document away."""
        for old in self._store.alerts.silences():
            if old.id.startswith(f"{name}#"):
                self._store.alerts.remove_silence(old.id)


def _names(entries: Iterable[DocumentReport]) -> dict[str, frozenset[str]]:
    """The names of the nodes that are new or changed."""
    come = ((entry.document, {*entry.changes.added, *entry.changes.changed}) for entry in entries)
    return {node.id: node_names(node) for document, ids in come for node in document.nodes if node.id in ids}


def _groups(entries: Sequence[DocumentReport]) -> Iterator[list[DocumentReport]]:
    """The documents that go into the store together, about `TOGETHER` nodes."""
    some: list[DocumentReport] = []
    weight = 0
    for entry in entries:
        if weight >= TOGETHER:
            yield some
            some, weight = [], 0
        some.append(entry)
        weight += 1 + len(entry.document.nodes)
    if some:
        yield some


def _whence(pair: Pair) -> DocumentReport:
    """An entry with the origin of its file."""
    found, entry = pair
    return entry.model_copy(update={"origin": origin_of(found), "in_folder": bool(found.root)})


def _left(entry: DocumentReport) -> DocumentReport:
    return entry.model_copy(update={"outcome": "left out"})


def _with_problem(entry: DocumentReport, problem: Problem | None) -> DocumentReport:
    return entry.model_copy(update={"added": (*entry.added, problem)}) if problem else entry


def _also(entry: DocumentReport, broken: Mapping[str, tuple[Problem, ...]]) -> DocumentReport:
    """An entry with the warnings for claims of other documents that it breaks."""
    found = broken.get(entry.document.name)
    return entry.model_copy(update={"added": (*entry.added, *found)}) if found else entry


def _with_problems(removed: Iterable[Removal], broken: Mapping[str, tuple[Problem, ...]]) -> tuple[Removal, ...]:
    """The documents that are taken out, each with the warnings for claims on its nodes."""
    return tuple(
        one.model_copy(update={"problems": broken[one.document]}) if one.document in broken else one for one in removed
    )


def _file_left(skipped: SkippedFile) -> FileLeft:
    return FileLeft(name=skipped.name, reason=skipped.reason, kind=skipped.kind)


def _refused(entry: DocumentReport) -> DocumentReport:
    refused = entry.refused and entry.outcome != "left out"
    return entry.model_copy(update={"outcome": "refused"}) if refused else entry
