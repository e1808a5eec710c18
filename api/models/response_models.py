"""Further response models of the API, from which its description is made."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import AliasPath, BeforeValidator, Field

from api.models.api_models import SourceView
from api.services.claim_status import ClaimStatus, RunRow
from api.services.importing.documents import FileLeft, LinkLeft, Move, Outcome, Removal, RuleLoss
from compute.record.life_models import LifeLine
from compute.reports.errata import Erratum
from graph.models.alert_models import Acknowledgement
from graph.models.claim_models import Claim
from graph.models.document_models import Changes, LineCount, Skip
from graph.models.link_models import LinkPath
from graph.models.query_models import FacetCount, NodeRef, QuoteUse
from graph.models.verdict_models import Run, Verdict, VerdictRow
from graph.problems import Problem as Remark
from graph.values import Value

Item = TypeVar("Item")


class Items(Value, Generic[Item]):
    """A list, or a part of one; `next` is the cursor of the following part."""

    items: tuple[Item, ...]
    next: str | None = None
    total: int | None = None

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """The name of the schema: `PriceList` for `Items[Price]`."""
        return "Or".join(one.__name__ for one in get_args(params[0]) or params) + "List"


class TagCount(Value):
    """A tag and how many nodes carry it."""

    tag: str
    count: int


class Work(SourceView):
    """A work: every address under which it was listed, the nodes that list it, and its quotations."""

    urls: tuple[str, ...]
    nodes: tuple[NodeRef, ...]
    quotations: int
    quotes: tuple[QuoteUse, ...] | None = None


class Works(Items[Work]):
    """Works, with how many each host has."""

    hosts: tuple[FacetCount, ...] = ()


class Errata(Items[Erratum]):
    """Figures of sources that do not add up, by the last `run`; `differing` counts all on which two texts differ."""

    run: int | None = None
    contradictions: tuple[Erratum, ...] = ()
    differing: int = 0


class ClaimView(Verdict):
    """A claim: its verdict on a day, its status after the last run, as its author wrote it, and its life line."""

    state: ClaimStatus
    stated: Claim
    life: LifeLine


class Finding(VerdictRow):
    """What one run found about a claim; `run` is 0 in no run of the ledger."""

    run: int
    as_of: date
    evaluated_at: datetime


class RunView(Run):
    """One run with its verdicts, by claim; `next` continues them."""

    verdicts: tuple[RunRow, ...]
    next: str | None = None


class DocumentView(Value):
    """A document as it was read; `problems` are what its author should look at."""

    name: str
    sha256: str
    format: str
    brain: str
    declared_nodes: int | None
    nodes: int
    lines: LineCount
    skipped: tuple[Skip, ...]
    problems: tuple[Remark, ...]
    evidence: tuple[str, ...]
    ingested_at: datetime
    current: bool


class SnapshotView(Value):
    """A catalogue snapshot: its size in bytes, when it was taken, and the runs that used it."""

    sha256: str
    catalog: str | None
    created_at: datetime | None
    bytes: int | None
    runs: tuple[int, ...]


def _in(*names: str) -> Any:  # noqa: ANN401  # as `Field` itself
    """A field that is elsewhere in an `ImportReport`."""
    return Field(validation_alias=AliasPath(*names))


class Read(Value):
    """One document of an ingest and what became of it."""

    path: str = _in("document", "name")
    format: str = _in("document", "format")
    brain: str = _in("document", "brain")
    evidence: tuple[str, ...] = _in("document", "evidence")
    declared_nodes: int | None = _in("document", "declared_nodes")
    nodes: Annotated[int, BeforeValidator(len)] = _in("document", "nodes")
    values: int
    lines: LineCount = _in("document", "lines")
    skipped: tuple[Skip, ...] = _in("document", "skipped")
    problems: tuple[Remark, ...]
    outcome: Outcome
    changes: Changes


class ImportView(Value):
    """What an ingest read and did; `read_again` names earlier documents whose links point to what was added.

    `links_left` are symbolic links of a folder that were not followed, `left_out` its other files that were left out,
    `moved` and `kept` its documents whose files were moved, or deleted with `--keep`; always empty over HTTP.
    `rules_lost` are claims, prices and silences that go with a file that states none of them any more,
    `histories_left` why the ledger of an export was not imported.
    """

    documents: tuple[Read, ...] = _in("entries")
    nodes: dict[str, int] = _in("kinds")
    tags: int = _in("counts", "tags")
    tag_uses: int = _in("counts", "tag_uses")
    sources: int = _in("counts", "sources")
    source_entries: int = _in("counts", "source_entries")
    works: int = _in("counts", "works")
    cite_spans: int = _in("counts", "cite_spans")
    claims: int = _in("counts", "claims")
    prices: int = _in("counts", "prices")
    assumptions: int = _in("counts", "assumptions")
    rules: int = _in("counts", "rules")
    citations: dict[str, int]
    quotations: dict[str, int]
    read_again: tuple[str, ...]
    removed: tuple[Removal, ...]
    moved: tuple[Move, ...] = _in("moves")
    kept: tuple[str, ...]
    rules_lost: tuple[RuleLoss, ...]
    links_left: tuple[LinkLeft, ...]
    left_out: tuple[FileLeft, ...] = _in("files_left")
    histories_left: tuple[str, ...]
    stored: bool


class Removed(Value):
    """Documents that were taken out, or would be."""

    removed: tuple[Removal, ...]
    stored: bool


class Way(Value):
    """A way between two nodes."""

    path: LinkPath | None


class FailingFlags(Value):
    """How many claims have a raised flag, and of how many of them somebody has acknowledged it."""

    raised: int
    acknowledged: int


class Ready(Value):
    """The store answers."""

    status: Literal["ok"]
    version: int | None = None
    flags: FailingFlags | None = None


class ClaimAcknowledgement(Value):
    """The acknowledgement of a claim, if it has one."""

    claim: str
    acknowledgement: Acknowledgement | None


class AcknowledgementEnded(Value):
    """Whether the claim had an acknowledgement, which is ended now."""

    claim: str
    ended: bool


class Wrong(Value):
    """One parameter that could not be read."""

    where: str
    message: str


class ProblemDocument(Value):
    """A problem document (RFC 9457); further members depend on the type."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: tuple[Wrong, ...] | None = None
    near: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None
    available: tuple[str, ...] | None = None
    accepted: tuple[str, ...] | None = None
    line: int | None = None
    column: int | None = None
    tombstone: dict[str, Any] | None = None
    renamed: str | None = None
    problems: tuple[Remark, ...] | None = None
