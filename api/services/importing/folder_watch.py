"""Reads a folder again after each save: what changed in verdicts, problems and lint."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from threading import Event

from api.brain import Brain
from api.services.checks import lint
from api.services.claim_quotes import claims_without_nodes
from api.services.importing.document_importer import ImportOptions
from api.services.importing.documents import ImportReport
from api.services.importing.stored_files import EmptyFolderError, path_of
from compute.verify.claim_chunks import find
from graph.models.claim_models import Claim
from graph.models.verdict_models import VerdictChange, VerdictRow
from graph.problems import Problem
from graph.store.store_errors import StoreError
from graph.values import Value
from ingest.source_files import SETTINGS, listing

QUIET, PATIENCE, WAIT = 50, 400, 200
"""Milliseconds: without a change, a save is complete; changes are read even if more arrive; the watcher may stop."""
RETURN = 0.2  # seconds in which a file that disappears may come back: some editors delete a file and write it again
_NOISE = re.compile(r"\.(?!brainignore$)|#|.*(?:~|\.(?:sw.|tmp|part|bak|crdownload))$|\d+$", re.I)
"""Names of hidden files and of the temporary files of editors and browsers."""
_OF_CLAIMS = frozenset({"quote-moved", "quote-missing", "quote-cut", "claim-without-node"})
"""Problems of an ingest that are found again for each claim."""

Problems = dict[str, Problem]
"""Problems by their text."""


class SavedChanges(Value):
    """What one save changed; `mended` are the problems that were fixed."""

    at: datetime
    documents: tuple[str, ...]
    changes: tuple[VerdictChange, ...] = ()
    problems: tuple[Problem, ...] = ()
    mended: tuple[Problem, ...] = ()


class FolderWatch:
    """Ingests a folder after each save, and compares; it appends no run."""

    def __init__(self, brain: Brain, folder: Path) -> None:
        self._brain, self._root = brain, os.path.realpath(folder)
        self._known_problems: dict[tuple[str, str], Problems] = {}
        self.rows: dict[str, VerdictRow] = {}

    def start(self, at: datetime) -> SavedChanges:
        """Read the complete folder and evaluate every claim. Raises `OSError`, `EmptyFolderError`."""
        return self._compared(self._take(at), at)

    def changes(
        self, clock: Callable[[], datetime], ready: Callable[[SavedChanges], None], stop: Event | None = None
    ) -> Iterator[SavedChanges]:
        """The changes of each save, until interrupted or stopped; `ready` gets what `start` found."""
        from watchfiles import watch  # noqa: PLC0415  # a compiled library, which only this command needs

        home = self._brain.settings.home.resolve()

        def wanted(_change: object, path: str) -> bool:
            inside = Path(path).relative_to(self._root)
            return not any(map(_NOISE.match, inside.parts)) and not Path(path).is_relative_to(home)

        waiting = watch(
            self._root, watch_filter=wanted, step=QUIET, debounce=PATIENCE, rust_timeout=WAIT, yield_on_timeout=True,
            stop_event=stop,
        )  # fmt: skip
        next(waiting)
        ready(self.start(clock()))
        for found in waiting:
            if found and (saved := self.read({path for _, path in found}, clock())):
                yield saved

    def read(self, paths: Collection[str], at: datetime) -> SavedChanges | None:
        """Read some files again; None if nothing changes. If one is gone, the complete folder is read.

        A file that became empty is not read: it is being written. What cannot be stored is a problem.
        """
        try:
            report = self._report([Path(path) for path in paths], at)
        except FileNotFoundError:
            return None  # deleted between the listing and the reading; the next event reports it
        except (EmptyFolderError, StoreError) as error:
            return SavedChanges(at=at, documents=(), problems=(Problem.of(self._root, "not-stored", str(error)),))
        saved = self._compared(report, at) if report else None
        return saved if saved and (saved.documents or saved.changes or saved.problems or saved.mended) else None

    def _report(self, paths: Sequence[Path], at: datetime) -> ImportReport | None:
        """The ingest of some files or of the complete folder; None if there is nothing to read."""
        odd = any(not path.is_file() or not path.stat().st_size for path in paths)
        names = [head.name for head in self._brain.documents.heads()] if odd else []
        known = frozenset(map(path_of, self._brain.store.origins.of(names).values()))
        if gone := _missing(paths, known):
            time.sleep(RETURN)
            gone = _missing(paths, known)
        if gone or any(path.is_dir() or path.name in {*SETTINGS, ".brainignore"} for path in paths):
            return self._take(at)
        fresh = {str(path) for path in paths if path.is_file() and (path.stat().st_size or str(path) not in known)}
        return self._take(at, fresh) if fresh else None

    def _take(self, at: datetime, only: Collection[str] | None = None) -> ImportReport:
        return self._brain.importer.take(listing([self._root], only=only), at=at, options=ImportOptions(losses="keep"))

    def _compared(self, report: ImportReport, at: datetime) -> SavedChanges:
        changed = [entry for entry in report.entries if entry.outcome != "unchanged"]
        names = [entry.document.name for entry in changed] + [one.document for one in report.removed]
        nodes = {node.id for entry in changed for node in entry.document.nodes}
        nodes |= {node for one in report.removed for node in one.nodes}
        before, evaluator = self.rows, self._brain.evaluator
        inputs = evaluator.inputs.now()
        claims = list(inputs.claims())
        self.rows = {row.claim: row for row in evaluator.each(find, claims, inputs, at.date())}
        turned = [
            VerdictChange.of(claim.id, claim, before.get(claim.id), self.rows[claim.id])
            for claim in claims
            if claim.id not in before or before[claim.id].verdict is not self.rows[claim.id].verdict
        ]
        turned += [VerdictChange.of(name, None, row, None) for name, row in before.items() if name not in self.rows]
        added = (one for entry in changed for one in entry.added)
        once = [one for one in added if one.code not in _OF_CLAIMS and not one.code.startswith("claims/")]
        old, new = self._problems(report, {*names}, claims, nodes, at)
        fresh = [one for text, one in new.items() if text not in old]
        return SavedChanges(
            at=at,
            documents=(*names, *(one.document for one in fresh if one.code == "kept")),
            changes=tuple(turned),
            problems=(*once, *fresh),
            mended=tuple(one for text, one in old.items() if text not in new),
        )

    def _problems(
        self, report: ImportReport, names: set[str], claims: list[Claim], nodes: Collection[str], at: datetime
    ) -> tuple[Problems, Problems]:
        of = {("document", entry.document.name): _by_text(entry.document.problems) for entry in report.entries}
        of |= {("document", name): _by_text([_stays(name)]) for name in report.kept}
        of |= {("document", one.document): {} for one in report.removed}
        touched = [claim for claim in claims if claim.place and (claim.place.document in names or claim.node in nodes)]
        stating = names | {claim.place.document for claim in touched if claim.place}
        found = lint(self._brain, at.date(), stating) if touched else []
        chosen = [claim for claim in claims if claim.place and claim.place.document in stating]
        found += claims_without_nodes(chosen, self._brain.store.nodes.refs(claim.node for claim in chosen))
        found += self._brain.quotes.problems(chosen)
        of |= {("its claims", name): _by_text(one for one in found if one.document == name) for name in stating}
        old = _joined(self._known_problems, of)
        self._known_problems |= of
        return old, _joined(of, of)


def _missing(paths: Iterable[Path], known: Iterable[str]) -> list[str]:
    lost = [path for path in paths if not path.exists()]
    return [one for one in known if any(Path(one).is_relative_to(path) for path in lost)]


def _stays(document: str) -> Problem:
    message = "its file is missing or states none; its claims, prices or silences stay stored"
    hint = "brain ingest FOLDER asks whether to remove them"
    return Problem.of(document, "kept", message, hint)


def _by_text(found: Iterable[Problem]) -> Problems:
    return {one.render(): one for one in found}


def _joined(problems: Mapping[tuple[str, str], Problems], keys: Iterable[tuple[str, str]]) -> Problems:
    return {text: one for key in sorted(keys) for text, one in problems.get(key, {}).items()}
