"""An open data directory, in which the packages meet: its store, search, links, prices, claims. Time is an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from api.models import api_models
from api.services.claim_quotes import QuoteFinder
from api.services.claim_status import ClaimStatusService
from api.services.home_folder import RUN_JOURNAL, last_served, open_home
from api.services.importing.library import Library
from api.services.task_mapper import HERE, Mapper
from api.settings import SHIPPED, Settings
from graph.links.links import Links
from graph.models.query_models import NodeQuery, Page
from graph.models.verdict_models import Run
from graph.progress_steps import ProgressStep, no_progress
from graph.recent_values import RecentValues
from graph.store import Store
from graph.store.store import READERS
from graph.store.versioned_cache import cached_in

if TYPE_CHECKING:
    from api.services.evaluation import ClaimEvaluator, EvaluationInputsCache
    from api.services.importing.document_importer import DocumentImporter, ImportOptions
    from api.services.importing.documents import ImportReport
    from api.services.names import NameSearch
    from api.services.price_refresh import PriceRefresher
    from api.services.price_service import PriceService
    from api.services.reports import RecordService, RunReports
    from api.services.texts.claim_drafts import MiningService
    from api.services.texts.proofreader import Proofreader
    from compute.runs.alerts import AlertProcessor
    from graph.search.search import Search
    from graph.search.search_models import Answer

UNSERVED = "http://127.0.0.1:8000"
"""The address in links if none is set and the home was never served: where `brain serve` listens by default."""


class Brain:
    """What a data directory stores, and the services over it, made on first use; interfaces do not use `store`."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        served: str | None = None,
        mapper: Mapper = HERE,
        whole: Brain | None = None,
    ) -> None:
        """`whole` is the complete brain, if this is the brain as a reader sees it."""
        self.settings, self.mapper, self.whole = settings, mapper, whole or self
        self._readers: RecentValues[frozenset[str], Brain] = RecentValues(
            lambda hidden: Brain(settings, store.for_reader(hidden), self.site, whole=self), READERS
        )
        self._to_close = ExitStack()
        self.store, self._merged = store, store.cache(1)
        self._served = served
        self.documents, self.nodes, self.edges = store.documents, store.nodes, store.edges
        self.tags, self.sources, self.index_feed = store.tags, store.sources, store.index_feed
        self.claims, self.ledger, self.snapshots = store.claims, store.ledger, store.snapshots
        self.alerts, self.notices, self.audit = store.alerts, store.notices, store.audit
        self.version, self.revision, self.cache = store.version, store.revision, store.cache
        self.brains, self.tokens = store.brains, store.tokens
        self.transaction, self.used_connections = store.transaction, store.used_connections

    @cached_property
    def site(self) -> str:
        """The base URL of the service without a trailing slash: the public one, or the one that is or was served."""
        return (self.settings.url or self._served or last_served(self.settings.home) or UNSERVED).rstrip("/")

    @classmethod
    def open(cls, settings: Settings, served: str | None = None, mapper: Mapper = HERE) -> Self:
        """The brain of a data directory, made if it is missing; links use `served`. Raises `OpeningError`."""
        open_home(settings.home)
        found = cls(settings, Store.open(settings.database, settings.home / RUN_JOURNAL), served, mapper)
        if found.documents.any("units"):  # what reads formulas is not loaded for none
            from compute.prices.rule_files import vocabulary_of
            from compute.prices.rule_library import stored_units
            from compute.units.units import set_vocabulary

            set_vocabulary(vocabulary_of(stored_units(found.store)))
        return found

    def use_clock(self, clock: Callable[[], datetime]) -> None:
        """Take the present from an entry point: a run that was made after it is not the latest."""
        self.store.clock = clock

    def close(self) -> None:
        """Close the search index, if it was used, and the store."""
        self._to_close.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def for_reader(self, hidden: frozenset[str]) -> Brain:
        """The brain as it is for a reader for whom the brains in `hidden` do not exist."""
        if self.whole is not self:
            return self.whole.for_reader(hidden)
        return self._readers.get(hidden) if hidden else self

    @cached_property
    def prices(self) -> PriceService:
        """Prices, families, assumptions, decisions."""
        from api.services.price_service import PriceService

        return PriceService(self.store)

    @cached_property
    def price_refresher(self) -> PriceRefresher:
        """Fetches the catalogues from their addresses."""
        from api.services.price_refresh import PriceRefresher

        return PriceRefresher(self.prices, self.settings)

    @cached_property
    def evaluator(self) -> ClaimEvaluator:
        """Evaluates claims: now, as in a run, with other numbers."""
        from api.services.evaluation import ClaimEvaluator

        def inputs(hidden: frozenset[str]) -> EvaluationInputsCache:
            return self.for_reader(hidden).evaluator.inputs

        return ClaimEvaluator(self.prices, self.quotes, self.mapper, inputs)

    @cached_property
    def reports(self) -> RunReports:
        """Reports of runs and changes between them, trials, errata."""
        from api.services.reports import RunReports

        return RunReports(self.evaluator, self.status)

    @cached_property
    def quotes(self) -> QuoteFinder:
        """Where the quotes of claims are in the text of their nodes."""
        return QuoteFinder(self.store)

    @cached_property
    def status(self) -> ClaimStatusService:
        """The status of claims and nodes after the last run."""
        return ClaimStatusService(self.store, lambda: self.prices, self.quotes)

    @cached_property
    def record(self) -> RecordService:
        """How long the figures of claims live."""
        from api.services.reports import RecordService

        return RecordService(self.evaluator, self.status)

    @cached_property
    def mining(self) -> MiningService:
        """Finds statements in prose that can be checked, and checks drafts of claims."""
        from api.services.texts.claim_drafts import MiningService

        return MiningService(self.evaluator)

    @cached_property
    def proofreader(self) -> Proofreader:
        """Checks the figures of any text; stores nothing."""
        from api.services.texts.proofreader import Proofreader

        return Proofreader(self.mining, self.evaluator, self.status)

    @cached_property
    def links(self) -> Links:
        """The graph of nodes, rebuilt when the store has changed."""
        return Links(self.store)

    @cached_property
    def search(self) -> Search:
        """Search over the notes, by Whoosh or by the database."""
        from graph.search.search import Search

        engine = "database" if self.store.hidden else self.settings.search  # the index of Whoosh is of all notes
        found = Search(self.store, self.settings.home / "index", engine, self.merged_tags)
        return self._to_close.enter_context(closing(found))

    @cached_property
    def names(self) -> NameSearch:
        """Claims, prices, terms, tags and sources by their names."""
        from api.services.names import NameSearch

        return NameSearch(self.status, self.prices, lambda: self.search, self.library.folders)

    @cached_property
    def importer(self) -> DocumentImporter:
        """Imports documents with their rules."""
        from api.services.importing.document_importer import DocumentImporter

        return DocumentImporter(self.prices, self.mapper)

    @cached_property
    def library(self) -> Library:
        """The folders that the nightly job reads again."""
        return Library(self.store)

    def ingest(
        self,
        paths: Iterable[Path],
        *,
        at: datetime,
        shipped: bool = False,
        follow_links: bool = False,
        options: ImportOptions | None = None,
        step: ProgressStep = no_progress,
    ) -> ImportReport:
        """Ingest files and folders in one transaction, as `DocumentImporter.take`.

        `shipped` adds the content of the program. Symbolic links out of a folder are read only with `follow_links`; the
        report names the others.

        Raises:
            OSError: a path is missing or cannot be read.
            EmptyFolderError, RuleLossError: as in `take`.
        """
        from api.services.importing.document_importer import DEFAULTS
        from ingest.source_files import SkippedFile, listing

        home = self.settings.home.resolve()
        every = listing([*paths, *([SHIPPED] if shipped else [])], follow=follow_links)
        found = (one for one in every if not (isinstance(one, SkippedFile) and Path(one.root, one.name) == home))
        return self.importer.take(found, at=at, options=options or DEFAULTS, step=step)

    def verify(self, as_of: date, *, at: datetime, clock: Callable[[], datetime]) -> Run:
        """Evaluate all claims for a day, append the run, bring the flags up to date.

        `at` is the start time, `clock` gives the end time. A run for another day than that of `at` changes no flag and
        never counts as the latest.
        """
        run = self.evaluator.append(as_of, at=at, clock=clock)
        self.alert_processor.catch_up(at)
        return run

    def replay(
        self, days: Iterable[date], *, at: datetime, clock: Callable[[], datetime], step: ProgressStep = no_progress
    ) -> tuple[Run, ...]:
        """Append a run, marked as replayed, for each past day without one; no flag moves."""
        listed = [day for day in sorted(days) if self.ledger.latest_run(day) is None]
        found = []
        for number, day in enumerate(listed):
            step(f"replaying {day:%B %Y}", number, len(listed))
            found.append(self.evaluator.append(day, at=at, clock=clock, replay=True))
        self.alert_processor.catch_up(at)
        return tuple(found)

    @cached_property
    def alert_processor(self) -> AlertProcessor:
        """Flags and notices."""
        from compute.runs.alerts import AlertProcessor

        days = self.settings.remind_days
        return AlertProcessor(self.store, self.site, remind_days=days, moved=self.reports.moved_prices)

    def find(self, text: str, query: NodeQuery) -> Page | Answer:
        """Nodes that match a text and filters, best first; without a text all that pass. Raises `CursorError`."""
        if query.tags and (merged := self.merged_tags()):
            from ingest.terms.tag_merges import renamed

            query = query.model_copy(update={"tags": renamed(query.tags, merged)})
        return self.search.search(text, query) if text.strip() else self.store.nodes.page(query)

    @cached_in("_merged")
    def merged_tags(self) -> Mapping[str, str]:
        """The tags that `tags` documents replace and that no note has, each with its replacement."""
        from ingest.terms.tag_merges import load_mapping

        texts = ((one.name, self.documents.get(one.name).text or "") for one in self.documents.heads(["tags"]))
        merged = {old: new for name, text in texts for old, new in load_mapping(text, name)[0].items()}
        present = {one.value for one in self.tags.all()} if merged else set()
        return {old: new for old, new in merged.items() if old not in present}

    def node(self, node: str) -> api_models.NodeView:
        """A node with its health. Raises `UnknownNodeError`, with the tombstone if there is one."""
        return api_models.node_view(self.store.nodes.get(node), self.status.health(node).state.value)

    def definitions(self, term: str) -> list[api_models.NodeView]:
        """A term and the terms of the same name in other glossaries. Raises `UnknownNodeError`."""
        asked = self.store.nodes.get(term)
        same = [edge.target for edge in self.store.edges.select(kind="same_as", subject=term)]
        same += [edge.subject for edge in self.store.edges.select(kind="same_as", target=term)]
        others = self.store.nodes.get_many(dict.fromkeys(one for one in same if one != term))
        return [api_models.node_view(one, self.status.health(one.id).state.value) for one in (asked, *others)]

    def backlinks(self, node: str) -> list[api_models.Backlink]:
        """What points to a node, with the sentence in which it does. Raises `UnknownNodeError`."""
        self.store.nodes.get(node)
        return [api_models.backlink(one) for one in self.store.edges.backlinks(node)]

    def about(self) -> dict[str, object]:
        """Counts of documents, nodes by kind and claims; the version of the store."""
        kinds = self.store.nodes.count()
        return {
            "documents": len(self.store.documents.heads()),
            "nodes": sum(kinds.values()),
            "kinds": {kind.value: count for kind, count in kinds.items()},
            "claims": self.store.claims.count(),
            "version": self.store.version(),
        }
