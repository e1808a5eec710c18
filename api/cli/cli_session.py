"""The session of a command with its brain and streams, its answer, and its wrapper for typer."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cached_property, wraps
from importlib.util import find_spec
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_type_hints

from rich.console import Console, RenderableType
from typer import Abort, BadParameter, Context, Exit

from api.cli.cli_options import Json
from api.terminal.tables import output

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from api.brain import Brain  # loaded where a brain is opened
    from api.settings import Settings
    from graph.progress_steps import ProgressStep

OPERATOR = frozenset(
    {"ingest", "remove", "library", "backup", "restore", "move", "ack", "tokens", "demo", "serve", "nightly", "replay"}
    | {"claim", "new", "watch"}
    | {"brains set", "silences add", "silences remove"}
    | {"prices import", "prices refresh", "prices held", "prices accept"}
)
"""Commands and groups that `--as-public` and `--as-brain` refuse: they work on the complete home, its files and tokens.

For example, `brain --as-public backup FILE` would write the private brains too.
"""

INSTEAD = {
    "backup": "brain {option} export --format json writes what this reader sees",
    "move": "brain {option} export --format json writes what this reader sees",
    "serve": "the service shows each caller what its token allows",
}
"""What readers use in place of a command of the operator."""

Found = TypeVar("Found")


class Answer(NamedTuple):
    """The result of a command: its value for JSON, else its view, and `notes` on standard error."""

    value: object
    view: Callable[[], RenderableType] | None = None
    notes: Sequence[str] = ()
    code: int = 0


def listing(found: Found, view: Callable[[Found], RenderableType]) -> Answer:
    """The answer of a list, with its `items`."""
    return Answer({"items": found}, lambda: view(found))


@dataclass
class CliSession:
    """One call of the program, with results on `out` and everything else on `log`.

    `reader` is the only private brain that is visible, "" for none; None: everything is visible. `processes` are the
    values of `--workers` and `--scheduler`. What is opened is closed when the command ends.
    """

    settings: Settings
    out: Console = field(default_factory=output)
    log: Console = field(default_factory=lambda: Console(stderr=True, highlight=False))
    reader: str | None = None
    processes: Processes = (None, None)
    json: bool = False
    at_end: ExitStack = field(default_factory=ExitStack)

    @cached_property
    def brain(self) -> Brain:
        """The brain of this home as the reader sees it, opened on first use.

        Raises:
            BadParameter: both `--workers` and `--scheduler` are given, or a scheduler without Dask.
            ClusterError: the processes cannot be used.
        """
        return self.at_end.enter_context(self._opened())

    @contextmanager
    def _opened(self) -> Iterator[Brain]:
        """The brain; unknown names get a note of similar ones, a defect of a damaged store is `CorruptStoreError`."""
        from api.brain import Brain  # noqa: PLC0415  # brings in every room, which a listing of commands saves
        from api.services.task_mapper import mapper  # noqa: PLC0415  # as above
        from graph.store.store_errors import NotFoundError  # noqa: PLC0415  # as above

        if None not in self.processes:
            what = "name the new processes of this machine, or a scheduler whose workers exist already; not both"
            raise BadParameter(what, param_hint="--workers / --scheduler")
        if self.processes[1] is not None and find_spec("distributed") is None:
            raise BadParameter("it needs Dask: pip install 'brain-claims[dask]'", param_hint="--scheduler")
        try:
            with mapper(*self.processes) as chosen, Brain.open(self.settings, mapper=chosen) as everything:
                everything.use_clock(now)
                hidden = frozenset() if self.reader is None else everything.brains.private() - {self.reader}
                brain = everything.for_reader(hidden)
                try:
                    yield brain
                except NotFoundError as error:
                    if (near := brain.names.meant(error)) and not getattr(error, "renamed", None):
                        error.add_note(f"near it: {', '.join(near)}")
                    raise
        except (Exit, Abort, BadParameter):
            raise
        except Exception as error:
            from api.cli.error_exits import code_of  # noqa: PLC0415  # an error only: it brings in every room
            from api.services.checks import damage  # noqa: PLC0415  # as above

            found = damage(self.settings) if code_of(error) is None else None
            if found is None:
                raise
            raise found from error

    def brain_if_any(self) -> Brain:
        """As `brain`; without a home, an empty temporary one. Says on standard error what is used."""
        home = self.settings.home
        if self.settings.db or (home / "brain.db").exists():
            if not self.brain.store.claims.count():
                self.say(f"no claims are known: the brain in {home} has none")
            return self.brain
        told = f"checked with the prices that ship, without claims: no brain in {home} yet (--home DIR names another)"
        self.say(told)
        folder = Path(self.at_end.enter_context(TemporaryDirectory(prefix="brain-")))
        return replace(self, settings=self.settings.model_copy(update={"home": folder})).brain

    def mention_empty(self) -> None:
        """Say on standard error that the brain is empty, and what to do."""
        if not self.brain.documents.any():
            what_to_do = "brain ingest PATH reads documents, brain demo those that ship"
            self.say(f"the brain in {self.settings.home} is empty: {what_to_do}")

    def show(self, answer: Answer) -> None:
        """Print an answer as JSON or for a person."""
        from graph.values import dumps  # noqa: PLC0415  # brings in pydantic

        if self.json:
            self.out.file.write(dumps(answer.value, indent=2) + "\n")
            return
        shown = answer.view() if answer.view is not None else ""
        if isinstance(shown, str):
            self.out.file.write(shown if shown.endswith("\n") or not shown else f"{shown}\n")
        else:
            self.out.print(shown)
        for note in answer.notes:
            self.say(note)

    def say(self, line: str) -> None:
        """Print a line on standard error."""
        self.log.print(line, markup=False, soft_wrap=True)

    @cached_property
    def progress(self) -> Progress:
        """A progress display on standard error, if that is a terminal; removed when it is done."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415  # not for a listing of commands

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        hidden = not self.log.is_terminal
        return self.at_end.enter_context(Progress(*columns, console=self.log, transient=True, disable=hidden))

    def steps(self) -> ProgressStep:
        """A callback that shows steps as a line of the progress display."""
        task: TaskID | None = None

        def report(doing: str, done: int, total: int) -> None:
            nonlocal task
            if task is None:
                task = self.progress.add_task(doing, total=None)
            self.progress.update(task, description=doing, completed=done, total=total)

        return report


Processes = tuple[int | None, str | None]
"""A number of workers, or the address of a scheduler; neither: this process computes alone."""


def session(context: Context) -> CliSession:
    """The session of the root command. Raises BadParameter if a reader may not call this command."""
    found: CliSession = context.obj
    words = context.command_path.split()[1:]
    refused = next((name for name in (words[0], " ".join(words[:2])) if name in OPERATOR), None)
    if found.reader is not None and refused is not None:
        option = f"--as-brain {found.reader}" if found.reader else "--as-public"
        instead = INSTEAD.get(refused, "").format(option=option)
        said = f"brain {refused} is for the operator, who sees every brain: call it without {option}"
        raise BadParameter(f"{said}; {instead}" if instead else said, param_hint=option)
    return found


def command(function: Callable[..., Answer | None]) -> Callable[..., None]:
    """A function of a session (`asked`) and options as typer calls it, with `--json` if it may answer."""
    hints = get_type_hints(function, include_extras=True)
    taken = [one.replace(annotation=hints[one.name]) for one in signature(function).parameters.values()]
    options = [one for one in taken if one.name != "asked"]
    if hints["return"] is not type(None):
        options.append(Parameter("json", Parameter.KEYWORD_ONLY, default=False, annotation=Json))

    @wraps(function)
    def called(context: Context, json: bool = False, **given: object) -> None:
        asked = session(context)
        asked.json = json
        with asked.at_end:
            answer = function(**({"asked": asked} if "asked" in hints else {}), **given)
        if answer is not None:
            asked.show(answer)
            raise Exit(answer.code)

    shown = [Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=Context), *options]
    called.__signature__ = Signature(shown)  # type: ignore[attr-defined]  # where typer reads the options
    called.__doc__ = re.sub(r"(?<!\n)\n(?!\n)", " ", getdoc(function) or "")  # the terminal breaks lines
    called.__annotations__ = {one.name: one.annotation for one in shown}
    return called


def replace_file(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file completely or not at all, keeping its permissions. Raises OSError with `path` if it cannot."""
    target = path.resolve()
    fresh = target.with_name(f".{target.name}.part")
    try:
        with fresh.open("wb") as file:
            file.writelines(pieces)
        if target.exists():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        fresh.unlink(missing_ok=True)


def today() -> date:
    """Today in UTC."""
    return now().date()


def now() -> datetime:
    """The current time, which only entry points read."""
    return datetime.now(UTC)
