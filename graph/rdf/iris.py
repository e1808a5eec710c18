"""The IRIs of everything in the graph, below one base.

    nodes/BRAIN/SLUG            #citation-0  #quotation-0  #table-0  #link-HASH
    brains/BRAIN  tags/TAG  sources/WORK  documents/NAME/SHA256
    claims/CLAIM                #given-NAME
    runs/N        runs/N/claims/CLAIM (a verdict)  #rating  #input-NAME  #flip-NAME  #step-1
    snapshots/HASH  prices/ITEM  assumptions/NAME  ns#TERM

Every IRI is plain ASCII, whatever text the id contains: other octets are percent-encoded.
"""

from __future__ import annotations

import hashlib
import re
from datetime import date
from functools import lru_cache
from urllib.parse import quote, urlsplit

from pyoxigraph import NamedNode

from graph.models.node_models import Edge
from graph.rdf.vocabulary import STANDARD, Namespace

Iri = NamedNode
"""The IRI of a thing."""

_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_IN_ADDRESSES = ":/?#@!$&'()*+,;=%~"


class BaseError(ValueError):
    """The base is not an absolute `http:` or `https:` address without query and fragment."""

    def __init__(self, base: str) -> None:
        super().__init__(f"{base!r} cannot be the base of addresses: expected https://host/ or https://host/path/")


class IriFactory:
    """The IRIs of one publication of the graph.

    Raises:
        BaseError: `base` is not an absolute web address that may carry paths.
    """

    def __init__(self, base: str) -> None:
        self.base = _checked(base)
        self.own = Namespace(self.base + "ns#")
        self.prefixes = {prefix: space.iri for prefix, space in STANDARD.items()} | {"brain": self.own.iri}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IriFactory) and other.base == self.base

    def __hash__(self) -> int:
        return hash(self.base)

    def node(self, node_id: str) -> NamedNode:
        """A node or its tombstone."""
        return self._at("nodes", node_id, keep="/")

    def brain(self, name: str) -> NamedNode:
        """A brain; also the concept scheme of a glossary."""
        return self._at("brains", name)

    def tag(self, tag: str) -> NamedNode:
        """A tag."""
        return self._at("tags", tag)

    @property
    def tags(self) -> NamedNode:
        """The scheme of all tags."""
        return NamedNode(self.base + "tags")

    @property
    def publisher(self) -> NamedNode:
        """Who runs the service."""
        return NamedNode(self.base + "#publisher")

    def source(self, work: str) -> NamedNode:
        """A work that nodes list or quote."""
        return self._at("sources", work)

    def document(self, name: str, sha256: str) -> NamedNode:
        """One version of a document."""
        return self._at("documents", f"{_quoted(name)}/{_quoted(sha256)}", keep="/%")

    def link(self, edge: Edge, *, derived: bool) -> NamedNode:
        """An edge as a resource, identified by its content: a part of the node at which it begins."""
        told = "\x1f".join((edge.kind, edge.target, edge.reason, str(edge.confidence), str(derived)))
        return part(self.node(edge.subject), "link", hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:24])

    def claim(self, claim: str) -> NamedNode:
        """A claim."""
        return self._at("claims", claim)

    def run(self, run: int) -> NamedNode:
        """A run of the ledger."""
        return self._at("runs", str(run))

    def verdict(self, claim: str, run: int | None, as_of: date) -> NamedNode:
        """The verdict of a run on a claim, or an evaluation for a day that no run has stored."""
        if run is None:
            return NamedNode(f"{self.claim(claim).value}/on/{as_of.isoformat()}")
        return NamedNode(f"{self.run(run).value}/claims/{_quoted(claim)}")

    def nanopublication(self, claim: str, run: int | None, as_of: date) -> NamedNode:
        """The nanopublication of a verdict; its graphs are parts of it."""
        return NamedNode(self.verdict(claim, run, as_of).value + "/nanopub")

    @property
    def vocabulary(self) -> NamedNode:
        """The vocabulary `brain:`; its terms are parts of it."""
        return NamedNode(self.base + "ns")

    def snapshot(self, digest: str) -> NamedNode:
        """A catalogue snapshot."""
        return self._at("snapshots", digest)

    def price(self, item: str) -> NamedNode:
        """A priced item."""
        return self._at("prices", item, keep="/")

    def assumption(self, name: str) -> NamedNode:
        """An assumption."""
        return self._at("assumptions", name)

    def _at(self, room: str, name: str, keep: str = "") -> NamedNode:
        return NamedNode(f"{self.base}{room}/{_quoted(name, keep)}")


def part(whole: NamedNode, kind: str, which: object) -> NamedNode:
    """A part of a resource, without its own page: `…#citation-3`."""
    return NamedNode(f"{whole.value}#{kind}-{_quoted(str(which))}")


def web(address: str) -> NamedNode | None:
    """A web address as an IRI, percent-encoded as needed; None if it is not an `http:` or `https:` address."""
    text = re.sub(r"[\x00-\x20\x7f]+", lambda found: "" if found[0].strip(" ") else "%20", address.strip())
    try:
        parts = urlsplit(text)
        if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
            return None
        written = _STRAY_PERCENT.sub("%25", quote(text, safe=_IN_ADDRESSES, errors="replace"))
        if "[" in parts.netloc:  # an IPv6 address: the only place where brackets are allowed
            written = written.replace("%5B", "[", 1).replace("%5D", "]", 1)
        return NamedNode(written)
    except ValueError:
        return None


@lru_cache(maxsize=20_000)
def _quoted(text: str, keep: str = "") -> str:
    return quote(text, safe=keep, errors="replace")


def _checked(base: str) -> str:
    address = web(base)
    if address is None or set("?#") & set(base):
        raise BaseError(base)
    return address.value.rstrip("/") + "/"
