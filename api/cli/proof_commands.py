"""Commands for figures of texts: `mine`, `proof`."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, get_args

from typer import Argument, BadParameter, Option

from api.brain import Brain
from api.cli import FAILED, UNREADABLE
from api.cli.cli_options import AsOf, FailOn, Sarif, Scheduler, Workers, verdicts
from api.cli.cli_session import Answer, CliSession, replace_file, today
from api.release import VERSION
from api.services.importing.documents import FileLeft
from api.services.texts.live_figures import LiveFigure, LiveFigures, updated
from api.services.texts.proofreader import RULES, ProofVerdict, figures_text, findings
from api.terminal import proof_tables as shown
from compute.figures.figure_models import Finding, Statement
from compute.reports import sarif_report
from graph.progress_steps import ProgressStep
from ingest.document_reader import read
from ingest.source_files import Listed, SkippedFile, SourceFile, listing, read_paths

VERDICTS: tuple[str, ...] = get_args(ProofVerdict)
FigureVerdict = StrEnum("FigureVerdict", [(name, name) for name in VERDICTS])  # type: ignore[misc]  # one list of the verdicts
MinedVerdict = StrEnum("MinedVerdict", [(name, name) for name in get_args(Finding)])  # type: ignore[misc]  # as above


def mine(
    asked: CliSession,
    sources: Annotated[list[str] | None, Argument(metavar="[FILE|NODE…]", help="Default: all nodes.")] = None,
    verdict: Annotated[list[MinedVerdict] | None, Option(help="Only this verdict (repeatable).")] = None,
    claims: Annotated[bool, Option("--claims", help="Print drafts of claims in YAML.")] = False,
    as_of: AsOf = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> Answer:
    """Checkable statements in prose, each with the figure that Brain computes.

    Nothing is stored. Write a claim for a figure that should be watched.

    Examples: brain mine · brain mine draft.md · brain mine --verdict refuted --workers 4 ·
    brain mine analyst/kv-cache-budget --claims > claims.yaml
    """
    day, asked.processes = as_of or today(), (workers, scheduler)
    places: dict[str, str] = {}
    only_files = bool(sources) and all(Path(name).is_file() for name in sources or ())
    opened = asked.brain_if_any() if only_files else asked.brain
    every = _found(opened, sources or [], day, places, asked.steps())
    found = tuple(one for one in every if not verdict or one.verdict in verdict)
    if asked.json or not claims:
        return Answer({"items": found}, lambda: shown.statements(found))

    def place(one: Statement) -> str:
        return places.get(one.id) or opened.mining.place(one)

    text, left = opened.mining.claim_file(found, day, place)
    note = "left out, because no claim says the same"
    return Answer(text, lambda: text, [f"{place(one)}: {note}: {one.verdict}, {figures_text(one)}" for one in left])


def _found(
    opened: Brain, named: Sequence[str], day: date, places: dict[str, str], step: ProgressStep
) -> tuple[Statement, ...]:
    """The statements of files and nodes; adds the lines of those of files to `places`."""
    files = [name for name in named if Path(name).is_file()]
    nodes = [name for name in named if name not in files]
    found: list[Statement] = []
    given = list(read_paths(Path(name) for name in files))
    documents = [read(one.data, one.name) for one in given]
    for one, texts in zip(given, opened.mining.texts(documents, day, step), strict=True):
        for text in texts:
            found += text.statements
            places.update((each.id, f"{one.name}:{text.line(each)}") for each in text.statements)
    if nodes or not files:
        found += opened.mining.statements([opened.nodes.named(node) for node in nodes], day, step=step)
    return tuple(found)


_TEXT = frozenset({".md", ".markdown", ".txt", ".html", ".htm", ".mdx", ".qmd", ".rst", ""})
"""Suffixes of files in a folder whose live figures are updated."""

_MARKED = re.compile(rb"brain:|claim::")
_MARK = re.compile(rb"<!--[ \t]*brain:|[\[(]claim::")
_STANDARD_INPUT = Path("-")


def proof(
    asked: CliSession,
    files: Annotated[list[Path], Argument(metavar="FILE…", help="Files, folders; - is standard input.")],
    fail_on: FailOn = "",
    verdict: Annotated[list[FigureVerdict] | None, Option(help="Only figures with this verdict (repeatable).")] = None,
    write: Annotated[bool, Option("--write", help="Update the live figures in the files.")] = False,
    check: Annotated[bool, Option("--check", help="Exit 1 if a live figure is not current (docs/proof.md).")] = False,
    sarif_file: Sarif = None,
    form: Annotated[str | None, Option("--format", help="Format, in place of the detected one.")] = None,
    as_of: AsOf = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
) -> Answer:
    """Check every figure of a text: Markdown, a web page, plain text, or a folder of them. Nothing is stored.

    Each figure that can be checked gets a verdict, the working, and the claim of the brain that has it.

    With --write or --check only live figures are read: <!-- brain:CLAIM -->97.5%<!-- /brain --> and
    97.5% \\[claim:: CLAIM], outside code and front matter. A figure that the claim never had was edited by hand: it is
    reported and not replaced. Edited, unknown and unclosed figures, and those without a value, exit with 1 too.

    Examples: brain proof draft.md · brain proof draft.md --fail-on refuted,stale ·
    brain proof vault/ --sarif proof.sarif · brain proof vault/ --check · brain proof vault/ --write ·
    brain proof vault/ --workers 4 · cat draft.md | brain proof -
    """
    day, asked.processes = as_of or today(), (workers, scheduler)
    bad = verdicts(fail_on, VERDICTS)
    if write or check:
        if write and check:
            raise BadParameter("--check changes nothing, and --write does: choose one", param_hint="--check")
        _only_live(files, {"--fail-on": bad, "--sarif": sarif_file, "--verdict": verdict, "--workers": workers,
                           "--scheduler": scheduler})  # fmt: skip
        return _live(asked, files, day, write=write)
    sources, left = _given(files)
    proofs = list(asked.brain_if_any().proofreader.proofs(sources, day, form, asked.steps()))
    wanted, every = {*(verdict or VERDICTS)}, [item for one in proofs for item in one.items]
    items = [item for item in every if item.verdict in wanted]
    listed = {"items": items, "documents": [one.summary for one in proofs], "left_out": left}
    if sarif_file is not None:
        found = findings(proofs, wanted)
        sarif_file.write_text(sarif_report.problems(found, VERSION, RULES, Path.cwd()), "utf-8")
    unread = any(not one.read and Path(one.document).name in {path.name for path in files} for one in proofs)
    code = UNREADABLE if unread else FAILED if any(item.verdict in bad for item in every) else 0
    return Answer(listed, lambda: shown.listing(proofs, wanted, left), code=code)


def _only_live(files: Collection[Path], others: Mapping[str, object]) -> None:
    for name, value in others.items():
        if value:
            raise BadParameter("it does not go with --write or --check", param_hint=name)
    if _STANDARD_INPUT in files:
        raise BadParameter("standard input has no file to write or to check; name one", param_hint="FILE")


def _given(paths: Iterable[Path]) -> tuple[list[SourceFile], list[FileLeft]]:
    """Files and texts of folders, and the files of folders that are left out."""
    found: list[Listed] = []
    for path in paths:
        standard_input = path == _STANDARD_INPUT
        found += [SourceFile(sys.stdin.buffer.read(), "standard-input")] if standard_input else listing([path])
    left = [FileLeft(name=one.name, reason=one.reason, kind=one.kind) for one in found if isinstance(one, SkippedFile)]
    return [one for one in found if isinstance(one, SourceFile)], left


def _live(asked: CliSession, files: Sequence[Path], day: date, *, write: bool) -> Answer:
    """Compare the live figures of files with the brain; with `write`, update outdated ones."""
    found: list[LiveFigure] = []
    unread: list[str] = []
    given, left = _given(files)
    opened, step = asked.brain_if_any(), asked.steps()
    reader = LiveFigures(opened.evaluator, day)
    sources = [one for one in given if one.path and (not one.root or Path(one.path).suffix.lower() in _TEXT)]
    for done, one in enumerate(sources):
        step("comparing", done, len(sources))
        try:
            text = one.data.decode("utf-8")
        except UnicodeDecodeError:
            unread += [one.path] if not one.root or _MARKED.search(one.data) else []
            continue
        figures = reader.find(one.path, text)
        found += figures
        if write and any(figure.state == "outdated" for figure in figures):
            replace_file(Path(one.path), [updated(text, figures).encode("utf-8")])
    step("comparing", len(sources), len(sources))
    marked = any(_MARK.search(one.data) for one in sources)
    listed = {"items": found, "written": write, "left_out": left}
    failed = any(one.state != "current" and not (write and one.state == "outdated") for one in found)
    code = UNREADABLE if unread else FAILED if failed else 0
    for name in unread:
        asked.say(f"{name} is not in UTF-8: its live figures were not read. Save it as UTF-8.")
    return Answer(listed, lambda: shown.live(found, left, written=write, marked=marked), code=code)
