"""The nightly job: read, refresh, verify, append, flag, notify, under a lock and a time limit, with a log of each step.

    lock ─▶ read folders ─▶ refresh ─▶ verify + append ─▶ flags ─▶ deliver ─▶ Night
              │                │ on failure: reported, the stored prices stay in use
              │ a folder that cannot be read: reported, its stored documents stay in use

Each step stores what it has done in the record of the night. If the process is killed, the next start on the same day
continues after the last completed step: no folder, catalogue or run is done twice. On a later day a new night begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import chain
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from api.brain import Brain
from api.services.claim_status import sentence
from api.settings import Settings
from compute.catalogs.catalog_download import RefreshError
from compute.prices.snapshots import SnapshotError
from compute.runs.mail_delivery import OWN_HOSTS, MailDigest, MailServer
from compute.runs.night_models import (
    FAR_AHEAD,
    Clock,
    Deadline,
    FolderRead,
    Night,
    NightFarAheadError,
    NightRunningError,
)
from compute.runs.notice_delivery import Check, Receiver, total
from compute.runs.webhook_delivery import CHAT, Chat, Webhooks
from graph.log_lines import log
from graph.models.alert_models import Notice
from graph.models.verdict_models import Run, RunNote
from graph.store.store_errors import NotFoundError
from graph.values import Value, dumps, loads

LOCK, LAST_NIGHT = "nightly.lock", "night.last"
"""The lock file of a running job in the data directory; the key in the store of the night that began last."""


class NightRecord(Value):
    """What a night has done so far; one that was killed has no `finished_at`.

    `folders` are those that were read, `refreshed` the catalogues that were taken, `changes` the number of changed
    prices, once all were. `notices` counts notices written. `resumed_at` is when the night was last continued.
    `before` is the run of the night before.
    """

    started_at: datetime
    finished_at: datetime | None = None
    outcome: str
    run: int | None = None
    folders: tuple[FolderRead, ...] = ()
    refreshed: tuple[str, ...] = ()
    changes: int | None = None
    notices: int = 0
    resumed_at: datetime | None = None
    before: int | None = None


class NightlyJob:
    """A nightly job on a brain. A step begins with `check`, which raises if the lock is lost."""

    def __init__(self, brain: Brain, receivers: Sequence[Receiver], clock: Clock, check: Check) -> None:
        self._brain, self._receivers, self._clock, self._check = brain, receivers, clock, check
        self._deadline = Deadline(clock, timedelta(seconds=brain.settings.nightly_seconds))
        self._record = NightRecord(started_at=datetime.min.replace(tzinfo=UTC), outcome="begun")
        self._list_notes: Sequence[str] = ()

    def run(self, *, refresh: bool) -> Night:
        """Do the steps that are not done, and record the end of the night."""
        folders = tuple(self._read(self._clock()))
        changes, unrefreshed = self._refresh(self._clock()) if refresh else (0, None)
        held = self.waiting_catalogs()
        found = {"failed": unrefreshed, "list_notes": len(self._list_notes), "held": len(held)}
        log("info", "refresh", changes=changes, **found, skipped=not refresh)
        self._deadline.check("refresh")
        notes = [note for folder in folders for note in folder.notes()]
        sentences = [*([unrefreshed] if unrefreshed else []), *self._list_notes, *held]
        run = self._verify(self._clock(), (*notes, *sentences))
        log("info", "verify", run=run.id, as_of=run.as_of.isoformat(), **run.counts)
        self._deadline.check("verify")
        self._check()
        notices = len(self._brain.alert_processor.catch_up(self._clock()))
        self._note(notices=self._record.notices + notices)
        log("info", "flag", run=run.id, notices=notices)
        self._deadline.check("flag")
        delivery = total([one.deliver(self._brain.notices, self._clock, self._check) for one in self._receivers])
        log("info", "deliver", **delivery.model_dump(include={"delivered", "failed", "given_up", "waiting"}))
        record = self._record
        night = Night(
            started_at=record.started_at,
            finished_at=self._clock(),
            resumed_at=record.resumed_at,
            folders=folders,
            changes=self._changed_prices(run, changes),
            unrefreshed=unrefreshed,
            list_notes=tuple(self._list_notes),
            held=tuple(held),
            acknowledged=tuple(map(sentence, self._brain.status.acknowledgements.active(run.as_of).values())),
            run=run,
            notices=record.notices,
            receivers=len(self._receivers),
            delivery=delivery,
        )
        self._note(finished_at=night.finished_at, outcome=night.outcome(()))
        return night

    def _read(self, at: datetime) -> Iterator[FolderRead]:
        """Record that the night began or continues, and read the folders not yet read."""
        killed, last = unfinished(self._brain, at), last_night(self._brain)
        begun = NightRecord(started_at=at, outcome="begun", before=(last.run or last.before) if last else None)
        self._note(killed.model_copy(update={"resumed_at": at}) if killed else begun)
        done = self._record.folders
        left = [one for one in self._brain.library.folders() if one.path not in {folder.path for folder in done}]
        for folder in chain(done, (self._brain.importer.read_folder(one, at) for one in left)):
            if folder not in done:
                self._note(folders=(*self._record.folders, folder))
            counts = {"left_out": len(folder.left_out), "kept": len(folder.kept)}
            log("info", "read", **folder.model_dump(exclude=set(counts)), **counts)
            yield folder
            self._deadline.check("read")

    def _refresh(self, at: datetime) -> tuple[int, str | None]:
        """Take the newest prices not yet taken: how many changed, what failed."""
        self._check()
        if self._record.changes is not None:
            return 0, None
        taken = lambda catalog: self._note(refreshed=(*self._record.refreshed, catalog))  # noqa: E731  # short
        found = self._brain.price_refresher.refresh(at, skip=self._record.refreshed, taken=taken)
        self._list_notes = found.list_notes
        try:
            found.check(defaults=False)
        except RefreshError as error:
            return error.changes, str(error)
        self._note(changes=len(found.changes))
        return len(found.changes), None

    def _note(self, record: NightRecord | None = None, **done: object) -> None:
        """Store what the night has done; without the lock nothing is committed."""
        self._check()
        self._record = record or self._record.model_copy(update=done)
        self._brain.store.metadata.put(LAST_NIGHT, dumps(self._record))

    def waiting_catalogs(self) -> list[str]:
        """A sentence for each catalogue that waits for a decision; default lists are only noted."""
        held, noted = self._brain.price_refresher.on_hold(), self._brain.price_refresher.noted
        self._list_notes = [*self._list_notes, *(one.sentence() for one in held if one.catalog in noted)]
        return [one.sentence() for one in held if one.catalog not in noted]

    def _verify(self, at: datetime, notes: tuple[str | RunNote, ...]) -> Run:
        self._check()
        if self._record.run is not None:
            return self._brain.ledger.run(self._record.run)
        return self._brain.evaluator.append(
            at.date(),
            at=at,
            clock=self._clock,
            through=lambda rows: self._deadline.over(rows, "verify"),
            notes=notes,
            after=lambda run: self._note(run=run.id),
        )

    def _changed_prices(self, run: Run, refreshed: int) -> int:
        """Prices changed since the run before; if its inputs are gone, those of tonight's refresh."""
        ledger, record = self._brain.ledger, self._record
        try:
            before = ledger.run(record.before) if record.before else ledger.latest_run(before=run)
            if before is not None:
                return len(self._brain.prices.changes_between(before, run))
        except (NotFoundError, SnapshotError):
            pass
        return refreshed if record.changes is None else record.changes


def run_night(brain: Brain, clock: Clock, *, refresh: bool = True, sure: bool = False) -> Night:
    """Run the nightly job, or the rest of one that was killed today.

    `refresh=False` leaves the prices unchanged; `sure` confirms that the clock is right.

    Raises:
        NightFarAheadError: it is `FAR_AHEAD` after the last run or later, and not `sure`.
        NightRunningError: another one is running on this home, or on this PostgreSQL database.
        LostLockError: the connection that held the lock in PostgreSQL ended; the steps before it are stored.
        TimeLimitError: it took longer than the settings allow; what was not complete left nothing.
        ReceiverError, SecretError, MailAddressError, MailServerError: a receiver is set up wrong.
    """
    brain.use_clock(clock)
    last, on = brain.ledger.latest_run(), clock().date()
    if last is not None and not sure and on - last.as_of >= FAR_AHEAD:
        raise NightFarAheadError(on, last.as_of)
    receiving, lock = receivers(brain), brain.settings.home / LOCK
    with brain.store.lock() as check:
        if check is None:
            raise NightRunningError(brain.store.where)
        try:
            with FileLock(lock, timeout=0, mode=0o600):
                return NightlyJob(brain, receiving, clock, check).run(refresh=refresh)
        except Timeout as error:
            raise NightRunningError(lock) from error


def unfinished(brain: Brain, at: datetime) -> NightRecord | None:
    """The last night, if it began today and was killed: the next start continues it."""
    last = last_night(brain)
    if last is None or last.finished_at is not None or last.started_at.date() != at.date() or last.started_at > at:
        return None
    return last


def last_night(brain: Brain) -> NightRecord | None:
    """The night that began last; None if none is recorded."""
    text = brain.store.metadata.get(LAST_NIGHT)
    return NightRecord.model_validate(loads(text)) if text else None


def night_is_running(brain: Brain) -> bool:
    """Whether a process holds the lock of the nightly job."""
    lock = brain.settings.home / LOCK
    if brain.store.night_is_locked():
        return True
    if not lock.exists():
        return False
    try:
        with FileLock(lock, timeout=0, mode=0o600):
            return False
    except Timeout:
        return True


MAIL = "mailto:"
UNSIGNED = "BRAIN_WEBHOOK_URL is set without BRAIN_WEBHOOK_SECRET: set it to whsec_ and 24 bytes in base64"
UNMAILED = "a mailto: receiver is set without BRAIN_SMTP_URL and BRAIN_MAIL_FROM: set both"


class ReceiverError(Exception):
    """The settings of the receivers cannot be used; the message says which, and what to set."""


class ReceiverAddressError(ReceiverError):
    """The address of a receiver has another form. Only its scheme is named, as the rest may be a secret."""

    def __init__(self, setting: str, address: str) -> None:
        forms = f"https://…, {CHAT}https://…, mailto:name@host; http only on this machine"
        scheme = address.partition(":")[0][:30]
        super().__init__(f"{setting} has an address that begins with {scheme!r}; expected one of: {forms}")


def receivers(brain: Brain) -> tuple[Receiver, ...]:
    """The receivers that the settings name: those of all notices, then those of owners.

    Raises:
        ReceiverError: a setting cannot be used.
        SecretError: a secret cannot sign.
        MailAddressError, MailServerError: a mail address or the address of the mail server cannot be used.
    """
    settings = brain.settings
    urls = tuple(dict.fromkeys((settings.webhook_url or "").split()))
    found = [_receiver(settings, "BRAIN_WEBHOOK_URL", url) for url in urls]
    owners: dict[str, frozenset[str]] = {}
    for entry in settings.owners.split():
        name, _, address = entry.partition("=")
        if not name or not address:
            raise ReceiverError(f"BRAIN_OWNERS has the entry {name!r}; write name=mailto:alice@example.org")
        owners[address] = owners.get(address, frozenset()) | {name}
    for address, names in owners.items():
        if address in urls:
            continue
        owned = _Owned(brain, names)
        found.append(_receiver(settings, "BRAIN_OWNERS", address, owned))
        owned.receiver = found[-1].receiver
    return tuple(found)


def _receiver(settings: Settings, setting: str, address: str, owned: _Owned | None = None) -> Receiver:
    claims, wanted = (owned.claims, owned.wants) if owned else (None, None)
    if address.startswith(MAIL):
        if settings.smtp_url is None or settings.mail_from is None:
            raise ReceiverError(UNMAILED)
        server = MailServer.at(settings.smtp_url.get_secret_value())
        return MailDigest(server, settings.mail_from, address.removeprefix(MAIL), claims=claims, wanted=wanted)
    if not _is_web(address.removeprefix(CHAT)):
        raise ReceiverAddressError(setting, address)
    if address.startswith(CHAT):
        return Chat(address, wanted)
    if settings.webhook_secret is None:
        raise ReceiverError(UNSIGNED)
    return Webhooks(address, settings.webhook_secret.get_secret_value(), wanted)


class _Owned:
    """A filter for notices about the claims of some owners."""

    def __init__(self, brain: Brain, names: frozenset[str]) -> None:
        self._brain = brain
        self.claims = frozenset(claim.id for claim in brain.status.claims() if claim.owner in names)
        self.receiver = ""

    def wants(self, notice: Notice) -> bool:
        """Whether it is about their claims, or deleted ones that were reported to this receiver."""
        if not self.claims.isdisjoint(notice.claims):
            return True
        return notice.kind.endswith(".removed") and not self._reported.isdisjoint(notice.claims)

    @cached_property
    def _reported(self) -> frozenset[str]:
        return frozenset(claim for one in self._brain.notices.deliveries(self.receiver) for claim in one.notice.claims)


def _is_web(address: str) -> bool:
    """Whether it is an https address, or an http one of this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"https", "http" if parts.hostname in OWN_HOSTS else ""} and bool(parts.hostname)
