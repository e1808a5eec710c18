"""Imports, problems, the library, brains and tokens in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType, group
from rich.padding import Padding
from rich.text import Text

from api.models.api_models import BrainEntry, TokenEntry
from api.terminal.tables import table
from graph.groups import group_by
from graph.problems import Problem, Severity
from graph.text.counts import few, many

if TYPE_CHECKING:  # what loads the parsers and the linter
    from api.services.importing.documents import DocumentReport, FileLeft, ImportReport, Move, Removal
    from api.services.importing.library import ListedFolder

COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
SINGULAR = {"families": "family"}
DRY, MANY = "a dry run: nothing was stored", 12  # more documents are summed by format; more names are counted
FEW_HINTS = 3  # more findings of the linter are counted at an ingest


@group()
def import_table(report: ImportReport) -> Iterator[RenderableType]:
    """The report of an import."""
    entries = report.entries
    if not report.empty:
        rows = _by_format(entries) if len(entries) > MANY else map(_document, entries)
        yield table("document~ | format= | nodes>= | lines with text>= | kept>= | left out>= | ~", rows)
    else:
        yield Text("no document was found")
    if skipped := list(_skipped(entries)):
        yield Text("left out", style="bold dim")
        yield Padding(table("document~ | lines>= | reason~", skipped, header=False), (0, 2, 1, 2))
    yield from files_left(report.files_left)
    yield from (Text(f"not followed: {one.name} is {one.reason} (--follow-links)") for one in report.links_left)
    yield from map(problem, report.problems)
    yield from map(Text, report.histories_left)
    yield Text("\n".join(_totals(report)))


def problem(found: Problem) -> RenderableType:
    """A problem with its line and caret."""
    head, *rest = found.render().split("\n")
    where, word, message = head.partition(f" {found.severity.value}: ")
    line = Text.assemble(where, (word, COLOURS[found.severity]), message)
    return Group(line, Text("\n".join(rest), style="dim")) if rest else line


def _document(entry: DocumentReport) -> Sequence[object]:
    document = entry.document
    count, *lines = _counts(entry)
    nodes = f"{entry.values} {_plural(entry.values, document.format)}" if entry.values else str(count)
    if document.declared_nodes not in {None, count}:
        nodes = f"{nodes} of {document.declared_nodes}"
    return document.name, document.format, nodes, *lines, entry.outcome


def _counts(entry: DocumentReport) -> tuple[int, int, int, int]:
    """Nodes, lines with text, lines kept, lines left out."""
    lines = entry.document.lines
    return len(entry.document.nodes), lines.total, lines.kept, lines.skipped


def _by_format(entries: Sequence[DocumentReport]) -> Iterator[Sequence[object]]:
    for name, some in sorted(group_by(entries, lambda one: one.document.format).items()):
        outcomes = Counter(entry.outcome for entry in some)
        sums = map(sum, zip(*map(_counts, some), strict=True))
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        yield many(len(some), "document"), name, *sums, told


def _skipped(entries: Iterable[DocumentReport]) -> Iterator[Sequence[object]]:
    for entry in entries:
        reasons: Counter[str] = Counter()
        for skip in entry.document.skipped:
            reasons[skip.reason] += skip.last_line - skip.first_line + 1
        yield from ((entry.document.name, count, reason) for reason, count in reasons.most_common())


def files_left(left: Sequence[FileLeft]) -> Iterator[RenderableType]:
    """Files of folders that were left out, a few for each reason."""
    if left:
        rows = (
            (len(some), reason, few([one.name for one in some], MANY) + " (--json lists all)" * (len(some) > MANY))
            for reason, some in group_by(left, lambda one: one.reason).items()
        )
        yield Text(f"files left out ({len(left)})", style="bold dim")
        yield Padding(table("files> | reason~ | names~", rows, header=False), (0, 2, 1, 2))


def _totals(report: ImportReport) -> Iterator[str]:
    """Counts that are not zero, and whether all is stored."""
    count, cites, quotes = report.counts, report.citations, report.quotations
    kinds = ", ".join(f"{number} {kind}" for kind, number in report.kinds.items())
    each = ", ".join(f"{number} {how}" for how, number in sorted(quotes.items()))
    lines = (
        (nodes := sum(report.kinds.values()), f"node{'s' * (nodes != 1)} ({kinds})"),
        *((number, _plural(number, name)) for name, number in report.rules.items()),
        (uses := count["tag_uses"], f"tag use{'s' * (uses != 1)} of {many(count['tags'], 'tag')}"),
        (some := count["source_entries"], f"source{'s' * (some != 1)} of {many(count['works'], 'work')}"),
        (cites["bracket_references"], f"bracket references in {cites['bracket_markers']} markers"),
        (cites["resolved"], f"citations resolved, {cites['unresolved']} not"),
        (count["cite_spans"], f"cite spans: {each}"),
    )
    yield from (f"{number} {text}" for number, text in lines if number)
    if report.woken:
        yield f"links to new notes or titles are updated in {few([one.document.name for one in report.woken], MANY)}"
    yield from (f"{one.how}: {one.before} is now {one.document}{_new_id(one, report)}" for one in report.moves)
    back = {move.before for move in report.moves}
    yield from (_removal(one) for one in report.removed if one.document not in back)
    go = "are taken out" if report.stored else "would be removed (--yes)"
    yield from (f"{one.said()} of {one.document} {go}: it {one.why}" for one in report.rules_lost)
    yield from (f"{name} is no longer in its folder; it stays stored" for name in report.kept)
    if left := [entry.document.name for entry in report.entries if entry.outcome == "left out"]:
        yield f"these are left out because of errors; their stored versions stay: {few(left, MANY)}"
    yield "stored" if report.stored else _unstored(report)


def _new_id(move: Move, report: ImportReport) -> str:
    """The id of a renamed note, if it changed."""
    before = next((one.nodes for one in report.removed if one.document == move.before), ())
    after = next((one.document.nodes for one in report.entries if one.document.name == move.document), ())
    if len(before) != 1 or len(after) != 1 or before[0] == after[0].id:
        return ""
    return f", and {before[0]} is {after[0].id}"


def _unstored(report: ImportReport) -> str:
    names = [entry.document.name for entry in report.entries if entry.refused and not entry.in_folder]
    if not names:
        nothing = DRY if report.dry_run else "nothing was stored"
        return "nothing was stored, because of --strict: mend the problems above" if report.failed else nothing
    why = f"nothing was stored, because of errors in {few(names, MANY)}"
    return f"{why}: mend them, or ingest the other files without them"


def _plural(number: int, name: str) -> str:
    """The name of a format of rules, in singular or plural."""
    if name in {"freshness", "tags"}:
        return f"rules of {name}"
    return SINGULAR.get(name, name.removesuffix("s")) if number == 1 else name


def removals(removed: Sequence[Removal], *, done: bool) -> Text:
    """Removed documents, a line for each."""
    found = sorted((one for gone in removed for one in gone.problems), key=lambda one: (one.document, one.line or 0))
    return Text("\n".join([*(one.render() for one in found), *map(_removal, removed), *([] if done else [DRY])]))


def _removal(one: Removal) -> str:
    counts = ((one.claims, "claim"), (one.prices, "price"), (one.silences, "silence"))
    rules = "".join(f", {many(count, name)}" for count, name in counts if count)
    return f"{one.document} is removed: {many(len(one.nodes), 'node')}{rules}"


def library(found: Iterable[ListedFolder]) -> RenderableType:
    """The folders of the library."""
    rows = (
        (one.path, one.documents, one.brain,
         "cannot be read" if not one.readable else "follows links" if one.follow_links else "")
        for one in found
    )  # fmt: skip
    none = "the library has no folders; brain library add PATH adds one"
    return table("folder~ | documents>= | brain= | ", rows, none)


def brains(found: Iterable[BrainEntry]) -> RenderableType:
    """Brains with their sizes and quotas."""
    rows = (
        (one.name, f"{one.documents:,}", _held(one.nodes, one.max_nodes), _held(one.claims, one.max_claims),
         _held(one.bytes, one.max_bytes), "private" if one.private else "")
        for one in found
    )  # fmt: skip
    titles = "brain | documents>= | nodes>= | claims>= | bytes>= | "
    return table(titles, rows, "there are no brains; brain ingest PATH reads documents")


def _held(held: int, most: int | None) -> str:
    return f"{held:,}" if most is None else f"{held:,} of {most:,}"


def tokens(found: Iterable[TokenEntry]) -> RenderableType:
    """Tokens without their secrets."""
    rows = (
        (one.id, one.scope, one.brain or "all", one.state, one.created_at.date(), one.until, one.comment)
        for one in found
    )
    titles = "id | scope | brain= | state | created= | until= | comment~"
    return table(titles, rows, "there are no tokens; brain tokens create makes one")


def hints(found: Sequence[Problem]) -> RenderableType:
    """Findings of the linter in new claims, or only their number."""
    if len(found) <= FEW_HINTS:
        return Group(*map(problem, found))
    documents = len({one.document for one in found})
    where = f"{documents} documents" if documents > 1 else found[0].document
    return Text(f"{len(found)} hints on claims of {where}: brain check shows them", style="dim")


def lint_counts(counted: Mapping[str, int]) -> Text:
    """The number of findings of each rule of the linter, in a line."""
    told = f": {', '.join(f'{name} {count}' for name, count in counted.items())}" if counted else ""
    return Text(f"{many(sum(counted.values()), 'finding')} in claims{told}")


def soundness(problems: Sequence[Problem], about: Mapping[str, Any]) -> Text:
    """The number of problems, and the contents of the brain, in a line."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in about["kinds"].items())
    documents, nodes, claims = (many(about[f"{name}s"], name) for name in ("document", "node", "claim"))
    found = f"{many(len(problems), 'problem')}; {documents}, {nodes}{f' ({kinds})' if kinds else ''}, {claims}"
    return Text(f"{found}; notes are searched by {about['search']}")
