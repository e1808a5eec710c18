"""The one place where the rooms meet: an open home with its store, search, links, prices and claims.

It knows no web framework and no terminal; every door opens one and asks it. Time is always an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import Self

from api import views
from api.services import doubts
from api.services.auditor import Auditor
from api.services.exporter import Exporter
from api.services.home_folder import open_home
from api.services.intake import Intake, LinkLeft, Removal, Step, unseen
from api.services.intaker import Intaker
from api.services.market import Market
from api.services.miner import Mining
from api.services.placing import orphaned
from api.services.standing import Standing
from api.settings import SHIPPED, Settings
from compute.watch import Watch
from graph.claims import Run
from graph.links import Links
from graph.problems import Problem
from graph.query import NodeQuery
from graph.search import Search
from graph.store import Store
from ingest.paths import Found, Passed, listing

UNSERVED = "http://127.0.0.1:8000"
"""The address in links where nothing is served and none is set: where `brain serve` listens by default."""


class Brain:
    """An open home. Parts that are costly to make are made when first asked for, and kept until the store changes."""

    def __init__(self, settings: Settings, store: Store, served: str | None = None) -> None:
        self.settings = settings
        self.store = store
        self._served = served

    @property
    def site(self) -> str:
        """The address of the service without a slash at its end: the public one, or the one that is served."""
        return (self.settings.url or self._served or UNSERVED).rstrip("/")

    @classmethod
    def open(cls, settings: Settings, served: str | None = None) -> Self:
        """The brain of a home; the folder is made where it is missing, for its owner alone.

        `served` is the address that this process listens on; links use it where the settings name no public address.

        Raises:
            OpeningError: the store cannot be used; the subclass says why.
        """
        open_home(settings.home)
        return cls(settings, Store.open(settings.database), served)

    def close(self) -> None:
        """Give the store and the index back."""
        if "search" in self.__dict__:
            self.search.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @cached_property
    def market(self) -> Market:
        """Prices, families, assumptions, decisions."""
        return Market(self.store)

    @cached_property
    def auditor(self) -> Auditor:
        """Claims evaluated: now, then, with one's own numbers, in days to come."""
        return Auditor(self.store, self.market)

    @cached_property
    def standing(self) -> Standing:
        """How claims and nodes stand after the last run, and what rests on what."""
        return Standing(self.store, self.market, self.auditor)

    @cached_property
    def mining(self) -> Mining:
        """Statements in prose that can be checked."""
        return Mining(self.store, self.market)

    @cached_property
    def links(self) -> Links:
        """The graph of nodes, built anew when the store's has changed."""
        return Links(self.store, self.settings.home)

    @cached_property
    def search(self) -> Search:
        """The search index, brought up to the store whenever it is asked."""
        return Search(self.store, self.settings.home / "index", self.settings.search)

    def ingest(
        self,
        paths: Iterable[Path],
        *,
        at: datetime,
        brain: str | None = None,
        form: str | None = None,
        strict: bool = False,
        dry_run: bool = False,
        prune: bool = False,
        shipped: bool = False,
        follow_links: bool = False,
        step: Step = unseen,
    ) -> Intake:
        """Take files and folders in, all or nothing; `at` is when they came.

        `prune` takes out what is of the same brains and formats and not among them; `shipped` adds the content of the
        program. Symbolic links out of a folder are read only with `follow_links`; the report names the others.
        """
        links: list[LinkLeft] = []
        found = _documents(listing([*paths, *([SHIPPED] if shipped else [])], follow=follow_links), links)
        report = Intaker(self.store).take(
            found, at=at, brain=brain, form=form, strict=strict, dry_run=dry_run, prune=prune, step=step
        )
        return report.model_copy(update={"links_left": tuple(links)})

    def remove(self, documents: Sequence[str], *, at: datetime, dry_run: bool = False) -> tuple[Removal, ...]:
        """Take documents out with their nodes and rules, all of them or none.

        Raises:
            UnknownDocumentError: there is none of a name.
        """
        return Intaker(self.store).remove(documents, at=at, dry_run=dry_run)

    def index(self, step: Step = unseen) -> None:
        """Index what came in, changed or was removed since the last time; inside a transaction this is refused.

        Raises:
            SearchError: another process holds the index, or its folder cannot be written. The store is as it was.
        """
        self.search.index(step)

    def verify(self, as_of: date, *, at: datetime, clock: Callable[[], datetime]) -> Run:
        """Evaluate all claims for a day, append the run, and bring the flags forward.

        `at` is when it begins, `clock` tells when it ends.
        """
        run = self.auditor.append(as_of, at=at, clock=clock)
        self.watch.catch_up(at)
        return run

    @cached_property
    def watch(self) -> Watch:
        """Flags and notices; these are sent only where a receiver is set."""
        return Watch(self.store, self.site, send=self.settings.webhook_url is not None)

    def find(self, text: str, query: NodeQuery) -> views.NodePage:
        """Nodes that match a text and the filters, best first; without a text all that pass the filters.

        Raises:
            CursorError: the cursor is not of this list.
        """
        if not text.strip():
            return views.page(self.store.summaries(query))
        return views.found(self.search.search(text, query))

    def node(self, node: str) -> views.NodeView:
        """A node with its health.

        Raises:
            UnknownNodeError: there is none of that id; it tells of a tombstone.
        """
        return views.whole(self.store.node(node), self.standing.health(node).state.value)

    def definitions(self, term: str) -> list[views.NodeView]:
        """A term and its namesakes in the other glossaries, whole.

        Raises:
            UnknownNodeError: there is none of that id.
        """
        asked = self.store.node(term)
        same = [edge.target for edge in self.store.edges(kind="same_as", subject=term)]
        same += [edge.subject for edge in self.store.edges(kind="same_as", target=term)]
        others = self.store.nodes(dict.fromkeys(one for one in same if one != term))
        return [views.whole(one, self.standing.health(one.id).state.value) for one in (asked, *others)]

    def backlinks(self, node: str) -> list[views.Backlink]:
        """What points to a node, with the sentence in which it does."""
        self.store.node(node)
        return [views.backlink(one) for one in self.store.backlinks(node)]

    @cached_property
    def exporter(self) -> Exporter:
        """The whole brain in other programs' forms."""
        return Exporter(self.store, self.auditor, self.standing, self.links, self.site)

    def check(self) -> list[Problem]:
        """What is unsound in the data directory, and what authors should look at."""
        claims = {claim.id for claim in self.standing.claims()}
        return [
            *self.store.check(),
            *self.store.problems(),
            *self.standing.dangling(),
            *orphaned(self.store),
            *doubts.contradictions(self.market.cards()),
            *doubts.modelless(self.market.library().families, self.market.book()),
            *doubts.unheard(self.store.silences(), claims),
        ]

    def about(self) -> dict[str, object]:
        """How much there is."""
        kinds = self.store.node_count()
        return {
            "documents": len(self.store.document_heads()),
            "nodes": sum(kinds.values()),
            "kinds": {kind.value: count for kind, count in kinds.items()},
            "claims": self.store.claim_count(),
            "version": self.store.version(),
        }


def _documents(listed: Iterable[Found | Passed], links: list[LinkLeft]) -> Iterator[Found]:
    """The documents of a listing; the symbolic links that it passes over are added to `links`."""
    for one in listed:
        if isinstance(one, Found):
            yield one
        elif one.link:
            links.append(LinkLeft(name=one.name, reason=one.reason))
