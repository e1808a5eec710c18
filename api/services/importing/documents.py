"""Documents of an ingest, with the rules that some contain, and the report of what became of them.

Removing a claim, price or silence from a file that keeps others is ordinary editing. If a file of them is deleted,
empty or read as something else, that may be a mistake: its rules go only if the caller confirms it. What another
file of the same ingest states again is not lost.

A claim may be written before its prices are imported, so an unknown price is a warning; what comes with the claim is
known. The rule `unknown-input` of the linter finds the same in the store.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel

from compute.catalogs import price_cards
from compute.claims import claim_loader
from compute.claims.claim_program import sound_program
from compute.claims.unknown_inputs import KnownInputs, UnknownInput
from compute.prices import data_freshness, families, rule_files
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog
from compute.runs.flag_rules import load_silences
from graph.models.claim_models import Claim
from graph.models.document_models import Changes, Document, LineCount, Skip
from graph.models.node_models import Node
from graph.models.query_models import DocumentHead
from graph.problems import Problem, Severity
from graph.store.document_tables import FilePlace
from graph.values import Value
from ingest.citations.bracket_markers import bracket_markers
from ingest.document_reader import read
from ingest.source_files import SkipKind, SourceFile
from ingest.terms import tag_merges

Outcome = Literal["new", "changed", "unchanged", "moved", "renamed", "left out", "refused", "not stored"]
STRICT = frozenset({"unknown", "unreadable", "bad rule"})  # the kinds of files left out that fail a strict ingest


class DocumentReport(BaseModel):
    """One document of an ingest and its outcome, filled in by the steps of the ingest.

    `rules` are the claims, prices or other rules that it states, `added` problems of this ingest, `unresolved` the
    names in its links that no node has. `origin` is None for a document that was read again from the store;
    `in_folder`: its folder was given.
    """

    document: Document
    rules: tuple[Any, ...] = ()
    added: tuple[Problem, ...] = ()
    outcome: Outcome = "not stored"
    changes: Changes = Changes()
    unresolved: frozenset[str] = frozenset()
    origin: FilePlace | None = None
    in_folder: bool = False

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that it states."""
        return self.rules if self.document.format == "claims" else ()

    @property
    def values(self) -> int:
        """How many rules it states."""
        return len(self.rules)

    @property
    def refused(self) -> bool:
        """Whether something in it is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All its problems."""
        return (*self.added, *self.document.problems)

    def leave(self, outcome: Literal["left out", "refused"]) -> None:
        """Leave it out because of its errors: no line of it is kept."""
        total, last = self.document.lines.total, self.document.text.count("\n") + 1
        lines = LineCount(total=total, kept=0, skipped=total)
        skipped = (Skip(first_line=1, last_line=last, reason="the document has errors"),) if total else ()
        self.document = self.document.model_copy(update={"nodes": (), "lines": lines, "skipped": skipped})
        self.outcome, self.rules = outcome, ()


class RuleLoss(Value):
    """Claims, prices or silences that go with a document: how many there are, and why they go."""

    document: str
    format: str
    values: int
    why: str = "is removed"

    def said(self) -> str:
        """Their number, in words."""
        return f"{self.values} {self.format.removesuffix('s') if self.values == 1 else self.format}"


class Removal(Value):
    """A document that was taken out: the ids of its nodes, and how many claims, prices and silences it stated.

    `problems` are warnings for claims of other documents that were on its nodes.
    """

    document: str
    nodes: tuple[str, ...] = ()
    claims: int = 0
    prices: int = 0
    silences: int = 0
    problems: tuple[Problem, ...] = ()


class LinkLeft(Value):
    """A symbolic link in a folder that was not followed: its path in the folder, and why."""

    name: str
    reason: str


class FileLeft(LinkLeft):
    """A file of a folder that was left out: its path in the folder, the rule or reason, and the kind of reason.

    The path of a folder in which nothing was read ends with a slash.
    """

    kind: SkipKind


class Move(Value):
    """A document that has another name now: its file was moved to another folder, or renamed."""

    document: str
    before: str
    how: Literal["moved", "renamed"]


class ImportReport(BaseModel):
    """The documents of an ingest and their outcomes; counts leave out those that were left out.

    `woken` are earlier documents whose links point to what was added or has a new title. `removed` are removed
    documents, of which those that are back under another name are in `moves`; `kept` stay although their files are
    missing. `files_left` and `links_left` are files and symbolic links that were left out; `strict`: they and problems
    stop the ingest; `dry_run`: nothing is to be stored. `histories_left` says why the ledger of an export was not
    imported. `same_notes` are new ids of notes by old ones. `rules_lost` are the claims, prices and silences that are
    lost with entire files.
    """

    entries: tuple[DocumentReport, ...] = ()
    woken: tuple[DocumentReport, ...] = ()
    removed: tuple[Removal, ...] = ()
    moves: tuple[Move, ...] = ()
    kept: tuple[str, ...] = ()
    links_left: tuple[LinkLeft, ...] = ()
    files_left: tuple[FileLeft, ...] = ()
    strict: bool = False
    dry_run: bool = False
    histories_left: tuple[str, ...] = ()
    same_notes: dict[str, str] = {}
    rules_lost: tuple[RuleLoss, ...] = ()
    stored: bool = False

    @property
    def taken(self) -> list[DocumentReport]:
        """The documents that were not left out."""
        return [entry for entry in self.entries if entry.outcome != "left out"]

    @property
    def nodes(self) -> list[Node]:
        """Every node read."""
        return [node for entry in self.taken for node in entry.document.nodes]

    @property
    def rules(self) -> dict[str, int]:
        """How many rules were read, by format."""
        return dict(Counter(entry.document.format for entry in self.taken for _ in entry.rules))

    @property
    def read_again(self) -> tuple[str, ...]:
        """The names of the earlier documents whose links point to what was added or has a new title."""
        return tuple(entry.document.name for entry in self.woken)

    @property
    def problems(self) -> list[Problem]:
        """The problems for authors, most severe first, by place."""
        order = list(Severity)
        found = [problem for entry in self.entries for problem in entry.problems]
        found += [problem for one in self.removed for problem in one.problems]
        return sorted(found, key=lambda one: (order.index(one.severity), one.document, one.line or 0))

    @property
    def refused(self) -> bool:
        """Whether a document that was given itself has an error."""
        return any(entry.refused and not entry.in_folder for entry in self.entries)

    @property
    def empty(self) -> bool:
        """Whether there was no document, and none that stays without its file."""
        return not (self.entries or self.removed or self.kept)

    @property
    def failed(self) -> bool:
        """Whether the ingest is strict and has a problem or a file of an unknown kind."""
        unread = any(file.kind in STRICT for file in self.files_left)
        return self.strict and (unread or any(entry.problems for entry in self.entries))

    @property
    def kinds(self) -> dict[str, int]:
        """Nodes by kind."""
        return dict(Counter(node.kind.value for node in self.nodes))

    @property
    def counts(self) -> dict[str, int]:
        """Tags, sources and references, each as things and as uses of them; rules."""
        nodes, others = self.nodes, self.rules
        rules = {name: others.pop(name, 0) for name in ("claims", "prices", "assumptions")}
        tags = [tag for node in nodes for tag in node.tags]
        sources = [source for node in nodes for source in node.sources]
        return {
            "tags": len(set(tags)),
            "tag_uses": len(tags),
            "sources": len({source.url for source in sources}),
            "source_entries": len(sources),
            "works": len({source.id for source in sources}),
            "cite_spans": sum(len({quote.span for quote in node.quotes}) for node in nodes),
            **rules,
            "rules": sum(others.values()),
        }

    @property
    def citations(self) -> dict[str, int]:
        """References to nodes by whether their target is known; a marker can have several."""
        cites = [cite for node in self.nodes for cite in node.cites]
        numbered = [node for node in self.nodes if any(cite.number is not None for cite in node.cites)]
        found = sum(cite.resolution != "unresolved" for cite in cites)
        return {
            "resolved": found,
            "unresolved": len(cites) - found,
            "bracket_references": sum(cite.number is not None for cite in cites),
            "bracket_markers": sum(len(bracket_markers(node.body)) for node in numbered),
        }

    @property
    def quotations(self) -> dict[str, int]:
        """Quotations by resolution."""
        return dict(Counter(quote.resolution for node in self.nodes for quote in node.quotes))


RULES: Mapping[str, Callable[[str, str], tuple[Any, Sequence[Problem]]]] = {
    "claims": claim_loader.load,
    "prices": price_cards.load,
    "assumptions": rule_files.load_assumptions,
    "families": families.load,
    "decisions": rule_files.load_decisions,
    "freshness": data_freshness.load,
    "silences": load_silences,
    "units": rule_files.load_units,
    "tags": lambda document, text: tag_merges.load_mapping(text, document),
}
"""The loader of the rules of each format: `(document, text) -> (values, problems)`."""

GUARDED = ("claims", "prices", "silences")  # the formats whose rules are removed only if the caller confirms it


def rules_of(form: str, name: str, text: str) -> tuple[tuple[Any, ...], Sequence[Problem]]:
    """The rules that a document of a format states, and their problems."""
    found, problems = RULES[form](name, text)
    return tuple(found.prices if isinstance(found, Catalog) else found), problems


class RuleLossError(Exception):
    """An ingest would remove claims, prices or silences without a confirmation."""

    def __init__(self, losses: Iterable[RuleLoss]) -> None:
        self.losses = tuple(losses)
        said = "; ".join(f"{one.document} ({one.said()}) {one.why}" for one in self.losses)
        super().__init__(f"this would remove {counted(self.losses)}: {said}. Nothing was changed; --yes removes them")


def counted(losses: Iterable[RuleLoss]) -> str:
    """How many claims, prices and silences these are, in words."""
    sums: Counter[str] = Counter()
    for one in losses:
        sums[one.format] += one.values
    return " and ".join(RuleLoss(document="", format=form, values=sums[form]).said() for form in GUARDED if sums[form])


def of_removals(removed: Iterable[Removal]) -> tuple[RuleLoss, ...]:
    """The rules of documents that are removed."""
    found = ((one.document, form, getattr(one, form)) for one in removed for form in GUARDED)
    return tuple(RuleLoss(document=name, format=form, values=many) for name, form, many in found if many)


def lost_rules(
    held: Iterable[DocumentHead], gone: Collection[str], entries: Iterable[DocumentReport], text: Callable[[str], str]
) -> Iterator[RuleLoss]:
    """The rules that are lost with the documents in `gone`, or that these entries replace."""
    fresh = {entry.document.name: entry for entry in entries if not entry.refused}
    going = [(head, why) for head in sorted(held) if head.format in GUARDED and (why := _why(head, gone, fresh))]
    again = {key for entry in fresh.values() if going for key in _keys(entry.document.format, entry.rules)}
    for head, why in going:
        stated = rules_of(head.format, head.name, text(head.name))[0]
        lost = [key for key in _keys(head.format, stated) if key not in again]
        if lost:
            yield RuleLoss(document=head.name, format=head.format, values=len(lost), why=why)


def _why(head: DocumentHead, gone: Collection[str], fresh: Mapping[str, DocumentReport]) -> str:
    """Why a stored document loses all its rules; empty if it does not."""
    if head.name in gone:
        return "is no longer among the files"
    entry = fresh.get(head.name)
    if entry is None:
        return ""
    if entry.document.format != head.format:
        return f"is read as {entry.document.format} now"
    return "" if entry.values else "has none of them now"


_TELLING = {
    "claims": ("id",),
    "prices": ("item", "component", "processing", "above", "region", "valid_from"),
    "silences": ("claim", "tag", "since", "until"),
}
"""The fields that identify the rules of a document, whatever file they are in."""


def _keys(form: str, rules: Iterable[object]) -> Iterator[tuple[object, ...]]:
    for rule in rules if form in GUARDED else ():
        yield form, *(getattr(rule, field) for field in _TELLING[form])


def loss_error(losses: Sequence[RuleLoss]) -> Problem:
    """The error for a document that would lose its rules: its stored version stays."""
    first, hint = losses[0], "brain ingest --yes removes them"
    message = f"{counted(losses)} would be removed, because the file {first.why}; the stored version stays"
    return Problem.of(first.document, "rules-kept", message, hint, Severity.ERROR)


_UNITS = re.compile(rb"^units[ \t]*:", re.M)


def parse(found: SourceFile, brain: str | None, form: str | None) -> DocumentReport:
    """A file as a document, of a `brain` and format `form` if given; errors of its rules are its own."""
    document = read(
        found.data, found.name, brain=brain, default_brain=found.brain or "notes", format=form, folder_format=found.form
    )
    if document.format not in RULES:
        return DocumentReport(document=document)
    rules, problems = rules_of(document.format, document.name, document.text)
    fresh = (problem for problem in problems if problem not in document.problems)  # an export has them already
    return DocumentReport(document=document.model_copy(update={"problems": (*document.problems, *fresh)}), rules=rules)


def units_in(files: Iterable[SourceFile], brain: str | None, form: str | None) -> Iterator[rule_files.OwnUnit]:
    """The own units that files define, for the claims and prices among them."""
    for one in files:
        if _UNITS.search(one.data) and (parsed := parse(one, brain, form)).document.format == "units":
            yield from parsed.rules


RULE = "unknown-input"
CODE = f"claims/{RULE}"
_READ = frozenset({"prices", "assumptions", "families"})


def add_input_warnings(
    entries: Sequence[DocumentReport], book: Callable[[], CatalogBook], stored: Callable[[], Iterable[Claim]]
) -> None:
    """Add a warning for each unknown price, assumption or claim that the claims of these entries read."""
    if not any(entry.claims for entry in entries):
        return
    fresh = {entry.document.name for entry in entries}
    claims = {one.id: one for one in stored() if one.place is None or one.place.document not in fresh}
    claims |= {claim.id: claim for entry in entries for claim in entry.claims}
    read = (rule for entry in entries if entry.document.format in _READ for rule in entry.rules)
    known = KnownInputs(book(), claims, read)
    for entry in entries:
        for claim in entry.claims:
            if RULE not in dict(claim.allow) and (made := sound_program(claim)):
                entry.added += tuple(_unknown(claim, one, entry.document) for one in known.unknown(made))


def _unknown(claim: Claim, unknown: UnknownInput, document: Document) -> Problem:
    """The warning at the formula with the name, else at the claim."""
    lines, first = document.text.split("\n"), (claim.place.line if claim.place else None) or 1
    of_formulas = sorted({first, *(line for _, line in claim.lines)})
    found = next((line for line in of_formulas if unknown.name in lines[line - 1]), None)
    text = lines[found - 1] if found else None
    message, column = f"{claim.id}: {unknown.message}", text.index(unknown.name) + 1 if text else None
    return Problem.of(document.name, CODE, message, unknown.hint, line=found or first, column=column, text=text)
