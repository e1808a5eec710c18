"""An import in a terminal: what was read of each document, what was left out and why, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from api.services.import_report import DocumentReport, FileLeft, ImportReport, Move, Removal
from api.services.library import ListedFolder
from api.terminal.figure_text import many
from api.terminal.fitted_table import Column, FittedTable
from compute.linting.rule_table import BY_ID
from graph.problems import Problem, Severity

COLOURS = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
SINGULAR = {"families": "family"}
MANY = 12
"""More documents than this are shown by format."""


def import_table(report: ImportReport) -> RenderableType:
    """The complete report."""
    nothing = not (report.entries or report.links_left or report.removed or report.kept)
    if nothing and not report.files_left:
        return Text("there is no document in what was given")
    parts: list[RenderableType] = [
        Text("there is no document in what was given") if nothing else _documents(report.entries)
    ]
    if skipped := _skipped(report.entries):
        parts += [Text("left out", style="bold dim"), Padding(skipped, (0, 2, 1, 2))]
    parts += files_left(report.files_left)
    parts += [Text(f"not followed: {link.name} is {link.reason} (--follow-links)") for link in report.links_left]
    parts += [problem(found) for found in report.problems]
    parts += [Text(left) for left in report.histories_left]
    parts.append(_totals(report))
    return Group(*parts)


def problem(found: Problem) -> RenderableType:
    """A problem with its line and caret."""
    head, *rest = found.render().split("\n")
    where, word, message = head.partition(f" {found.severity.value}: ")
    line = Text.assemble(where, (word, COLOURS[found.severity]), message)
    return Group(line, Text("\n".join(rest), style="dim")) if rest else line


def _documents(entries: Iterable[DocumentReport]) -> FittedTable:
    entries = list(entries)
    counted = ("nodes", "lines with text", "kept", "left out")
    numbers = tuple(Column(title, "right", said=True) for title in counted)
    table = FittedTable((Column("document", prose=True), Column("format", said=True), *numbers, Column("", prose=True)))
    rows = _by_format(entries) if len(entries) > MANY else [_row(entry) for entry in entries]
    for row in rows:
        table.add_row(*row)
    return table


def _row(entry: DocumentReport) -> tuple[str, ...]:
    document, count = entry.document, _count(entry)
    nodes = f"{entry.values} {_plural(entry.values, document.format)}" if entry.values else str(count.nodes)
    if entry.outcome == "left out":
        nodes = "0"
    elif document.declared_nodes not in {None, len(document.nodes)}:
        nodes += f" of {document.declared_nodes}"
    return (document.name, document.format, nodes, *map(str, count[1:]), entry.outcome)


class _Count(NamedTuple):
    """The nodes of a document, its lines with text, and how many of these it keeps and leaves out."""

    nodes: int
    total: int
    kept: int
    skipped: int


def _count(entry: DocumentReport) -> _Count:
    """What a document adds; one that is left out adds nothing."""
    lines = entry.document.lines
    if entry.outcome == "left out":
        return _Count(0, lines.total, 0, lines.total)
    return _Count(len(entry.document.nodes), lines.total, lines.kept, lines.skipped)


def _by_format(entries: Iterable[DocumentReport]) -> list[tuple[str, ...]]:
    groups: dict[str, list[DocumentReport]] = {}
    for entry in entries:
        groups.setdefault(entry.document.format, []).append(entry)
    rows: list[tuple[str, ...]] = []
    for name, group in sorted(groups.items()):
        outcomes = Counter(entry.outcome for entry in group)
        sums = (str(sum(numbers)) for numbers in zip(*map(_count, group), strict=True))
        told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        rows.append((many(len(group), "document"), name, *sums, told))
    return rows


def _skipped(entries: Iterable[DocumentReport]) -> FittedTable | None:
    columns = (Column("document", prose=True), Column("lines", "right", said=True), Column("reason", prose=True))
    table = FittedTable(columns, header=False)
    for entry in entries:
        reasons: Counter[str] = Counter()
        for skip in entry.document.skipped:
            reasons[skip.reason] += skip.last_line - skip.first_line + 1
        for reason, count in reasons.most_common():
            table.add_row(entry.document.name, str(count), reason)
    return table if table.row_count else None


def files_left(left: Sequence[FileLeft]) -> Iterator[RenderableType]:
    """The files of folders that were left out, a few by name for each rule; nothing if there are none."""
    if not left:
        return
    table = FittedTable(
        (Column("files", "right"), Column("reason", prose=True), Column("names", prose=True)), header=False
    )
    groups: dict[str, list[str]] = {}
    for file in left:
        groups.setdefault(file.reason, []).append(file.name)
    for reason, names in groups.items():
        more = f" and {len(names) - MANY} more (--json lists all)" if len(names) > MANY else ""
        table.add_row(str(len(names)), reason, ", ".join(names[:MANY]) + more)
    yield Text(f"files left out ({len(left)})", style="bold dim")
    yield Padding(table, (0, 2, 1, 2))


def _totals(report: ImportReport) -> Text:
    """What was found, as far as there is any, and whether it is stored."""
    count, cites, quotes = report.counts, report.citations, report.quotations
    kinds = ", ".join(f"{number} {kind}" for kind, number in report.kinds.items())
    each = ", ".join(f"{number} {how}" for how, number in sorted(quotes.items()))
    lines = (
        (nodes := sum(report.kinds.values()), f"node{'s' * (nodes != 1)} ({kinds})"),
        *((number, _plural(number, name)) for name, number in report.rules.items()),
        (count["tag_uses"], f"tag uses of {count['tags']} tags"),
        (count["source_entries"], f"source entries of {count['sources']} addresses, {count['works']} works"),
        (cites["bracket_references"], f"bracket references in {cites['bracket_markers']} markers"),
        (cites["resolved"], f"citations resolved, {cites['unresolved']} not"),
        (count["cite_spans"], f"cite spans: {each}"),
    )
    told = [f"{number} {text}" for number, text in lines if number]
    if report.woken:
        told.append(_woken(report.woken))
    told += [f"{move.how}: {move.before} is now {move.document}{_new_id(move, report)}" for move in report.moves]
    back = {move.before for move in report.moves}
    told += [_removal(one) for one in report.removed if one.document not in back]
    told += [f"{one.said()} of {one.document} {_go(report)}: it {one.why}" for one in report.rules_lost]
    told += [f"{name} is no longer in its folder, and stays stored" for name in report.kept]
    if left := [entry.document.name for entry in report.entries if entry.outcome == "left out"]:
        held = "these are left out because of errors; versions of before stay"
        told.append(f"{held}: {', '.join(left[:MANY])}{f' and {len(left) - MANY} more' if len(left) > MANY else ''}")
    return Text("\n".join([*told, "stored" if report.stored else _unstored(report)]))


def _go(report: ImportReport) -> str:
    return "are taken out" if report.stored else "would be taken out (--yes)"


def _new_id(move: Move, report: ImportReport) -> str:
    """The id of a renamed note, where it is another than before."""
    before = next((one.nodes for one in report.removed if one.document == move.before), ())
    after = next((one.document.nodes for one in report.entries if one.document.name == move.document), ())
    if len(before) != 1 or len(after) != 1 or before[0] == after[0].id:
        return ""
    return f", and {before[0]} is {after[0].id}"


def _unstored(report: ImportReport) -> str:
    """That nothing was stored, and what to do about the files that were named and have an error."""
    names = [entry.document.name for entry in report.entries if entry.refused and not entry.in_folder]
    if not names:
        return "nothing was stored"
    shown = ", ".join(names[:MANY]) + (f" and {len(names) - MANY} more" if len(names) > MANY else "")
    return f"nothing was stored, because of errors in {shown}: mend them, or ingest the other files without them"


def _plural(number: int, name: str) -> str:
    """The name of a format of rules, for one value or several."""
    if name in {"freshness", "tags"}:
        return f"rules of {name}"
    return SINGULAR.get(name, name.removesuffix("s")) if number == 1 else name


def _woken(entries: Sequence[DocumentReport]) -> str:
    """Earlier documents whose links now resolve, a few by name."""
    names = [entry.document.name for entry in entries]
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return f"links of before lead to what came: in {', '.join(names[:MANY])}{more}"


def removals(removed: Iterable[Removal], *, done: bool) -> Text:
    """What was taken out, a line for each document."""
    gone = list(removed)
    problems = [found.render() for one in gone for found in one.problems]
    return Text("\n".join([*problems, *map(_removal, gone), "stored" if done else "nothing was stored"]))


def _removal(one: Removal) -> str:
    counts = ((one.claims, "claim"), (one.prices, "price"), (one.silences, "silence"))
    rules = "".join(f", {many(count, name)}" for count, name in counts if count)
    return f"{one.document} is taken out: {many(len(one.nodes), 'node')}{rules}"


def library(found: Iterable[ListedFolder]) -> RenderableType:
    """The folders of the library."""
    told = (Column("documents", "right", said=True), Column("brain", said=True), Column(""))
    table = FittedTable((Column("folder", prose=True), *told))
    for folder in found:
        links = "follows links" if folder.follow_links else ""
        state = links if folder.readable else "cannot be read"
        table.add_row(folder.path, str(folder.documents), folder.brain or "", state)
    return table if table.row_count else Text("the library has no folders; brain library add PATH adds one")


FEW_HINTS = 3
"""Up to this many findings of the linter are shown at ingest; of more only their number."""


def hints(found: Sequence[Problem]) -> RenderableType:
    """What the linter finds in new claims: a few findings, or their number and the command that shows them."""
    if len(found) <= FEW_HINTS:
        return Group(*map(problem, found))
    documents = len({one.document for one in found})
    where = f"{documents} documents" if documents > 1 else found[0].document
    return Text(f"{len(found)} hints on claims of {where}: brain check shows them", style="dim")


def lint_counts(counted: Mapping[str, int], *, whole: bool) -> RenderableType:
    """The findings of the linter by rule: a table, or one line."""
    total = sum(counted.values())
    if not whole or not counted:
        told = f": {', '.join(f'{name} {count}' for name, count in counted.items())}" if counted else ""
        return Text(f"{many(total, 'finding')} in claims{told}")
    table = FittedTable((Column("findings", "right"), Column("rule"), Column("", prose=True)))
    for name, count in counted.items():
        table.add_row(str(count), name, BY_ID[name].title)
    return table


def soundness(problems: Sequence[Problem], about: Mapping[str, object]) -> Text:
    """How many problems there are, and how much there is, in a line."""
    kinds = about["kinds"]
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) if isinstance(kinds, dict) else ""
    documents, nodes, claims = (many(int(str(about[f"{name}s"])), name) for name in ("document", "node", "claim"))
    some = f" ({told})" if told else ""
    found = f"{many(len(problems), 'problem')}; {documents}, {nodes}{some}, {claims}"
    return Text(f"{found}; notes are searched by {about['search']}")
