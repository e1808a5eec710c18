"""Claims as their documents state them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pydantic_core import PydanticSerializationError
from sqlalchemy import func, select

from graph.groups import group_by
from graph.models.claim_models import Claim
from graph.models.document_models import Changes
from graph.store.database import WriteTransaction
from graph.store.schema import claim_log, claims, counters, documents
from graph.store.store_errors import DuplicateError, TakenError, UnknownClaimError, UnstorableError
from graph.store.store_part import StorePart, delete_among, insert_all, rows_among


class ClaimTables(StorePart):
    """Claims as their documents state them."""

    def put(self, document: str, stated: Iterable[Claim]) -> Changes:
        """Replace the claims of a document, all or none.

        Raises:
            TakenError: another document has a claim of the same id.
            DuplicateError: the document has a claim id twice.
            UnstorableError: a text contains a lone surrogate.
        """
        fresh: dict[str, Claim] = {}
        for claim in stated:
            if claim.id in fresh:
                raise DuplicateError("claim", claim.id, document)
            fresh[claim.id] = claim
        try:
            with self._database.writing() as work:
                return _replace(work, document, fresh)
        except PydanticSerializationError as error:
            raise UnstorableError(f"the claims of {document!a}", str(error)) from error

    def all(
        self, node: str | None = None, document: str | None = None, ids: Iterable[str] | None = None
    ) -> Iterator[Claim]:
        """Matching claims by id, of one state; without `ids`, read in batches."""
        fields = {"node": node, "document": document}
        query = _BODIES.where(*(claims.c[name] == value for name, value in fields.items() if value is not None))
        return self._stream(query, _claim) if ids is None else map(_claim, self._among(query, claims.c.id, ids))

    def get(self, claim_id: str) -> Claim:
        """One claim. Raises `UnknownClaimError` if there is none."""
        found = self.find(claim_id)
        if found is None:
            raise UnknownClaimError(claim_id)
        return found

    def find(self, claim_id: str) -> Claim | None:
        """One claim, or None."""
        body = self._value(select(claims.c.body).where(claims.c.id == claim_id))
        return None if body is None else Claim.model_validate_json(body)

    def of_brain(self, brain: str) -> Iterator[Claim]:
        """Claims on nodes or in documents of a brain, by id."""
        own = (claim_log.c.node_brain == brain) | (claim_log.c.document_brain == brain)
        return self._stream(_BODIES.join(claim_log, claim_log.c.claim == claims.c.id).where(own), _claim)

    def brains(self, claim_id: str) -> frozenset[str]:
        """Brains of the node and the document of a present or former claim."""
        query = select(claim_log.c.node_brain, claim_log.c.document_brain).where(claim_log.c.claim == claim_id)
        return frozenset(self._first(query) or ())

    def count(self) -> int:
        """Number of claims."""
        return self._value(select(func.count()).select_from(claims)) or 0

    def documents(self) -> dict[str, int]:
        """Number of claims by document, where there are any."""
        query = select(claims.c.document, func.count()).group_by(claims.c.document).order_by(claims.c.document)
        return dict(self._rows(query))

    def owners(self, ids: Iterable[str]) -> dict[str, str]:
        """Document of each of these claims that is stored."""
        return dict(self._among(select(claims.c.id, claims.c.document), claims.c.id, ids))

    def release(self, ids: Iterable[str]) -> None:
        """Delete claims, so that another document can state them."""
        with self._database.writing() as work:
            gone = list(ids)
            work.changes = bool(gone)
            delete_among(work.sql, claims.c.id, gone)
            work.take("claims")

    def by_node(self) -> dict[str, tuple[str, ...]]:
        """Ids of claims by node id, where there are any."""
        rows = self._rows(select(claims.c.node, claims.c.id).order_by(claims.c.node, claims.c.id))
        found = group_by(rows, lambda row: row.node)
        return {node: tuple(row.id for row in those) for node, those in found.items()}


_BODIES = select(claims.c.body).order_by(claims.c.id)


def _claim(row: Any) -> Claim:  # noqa: ANN401  # a row of a claim's JSON
    return Claim.model_validate_json(row[0])


def _replace(work: WriteTransaction, document: str, fresh: dict[str, Claim]) -> Changes:
    stored = work.sql.execute(select(claims.c.id, claims.c.body).where(claims.c.document == document))
    held = {str(row[0]): str(row[1]) for row in stored}
    bodies = {name: claim.model_dump_json() for name, claim in fresh.items()}
    added = tuple(name for name in fresh if name not in held)
    changed = tuple(name for name in fresh if name in held and bodies[name] != held[name])
    removed = tuple(name for name in held if name not in fresh)
    for taken in rows_among(work.sql, select(claims.c.id, claims.c.document), claims.c.id, added):
        raise TakenError("claim", taken.id, taken.document, document)
    delete_among(work.sql, claims.c.id, [*changed, *removed])
    new = [fresh[name] for name in (*added, *changed)]
    plain = ({"id": c.id, "node": c.node, "severity": c.severity.value, "body": bodies[c.id]} for c in new)
    insert_all(work.sql, claims, (row | {"document": document} for row in plain))
    _log(work, document, fresh.values())
    changes = Changes(added=added, changed=changed, removed=removed, unchanged=len(fresh) - len(added) - len(changed))
    work.changes = not changes.nothing
    if work.changes:
        work.take("claims")
    return changes


def _log(work: WriteTransaction, document: str, stated: Collection[Claim]) -> None:
    """Store the brains of claims, which outlast the claims.

    `since` is the last run before a claim changed its brains: earlier verdicts belong to the earlier ones.
    """
    current = select(documents.c.brain).where(documents.c.name == document, documents.c.current)
    brain = work.sql.execute(current).scalar()
    run = int(work.sql.execute(select(counters.c.number).where(counters.c.name == "run")).scalar_one())
    ids = [claim.id for claim in stated]
    held = rows_among(work.sql, select(claim_log), claim_log.c.claim, ids)
    known = {row.claim: (row.node_brain, row.document_brain, row.since) for row in held}
    delete_among(work.sql, claim_log.c.claim, ids)
    insert_all(work.sql, claim_log, (_logged(claim, brain, known.get(claim.id), run) for claim in stated))


def _logged(claim: Claim, brain: str | None, known: tuple[str, str, int] | None, run: int) -> dict[str, Any]:
    owner = claim.node.partition("/")[0]
    own = (owner, brain or owner)
    since = 0 if known is None else known[2] if known[:2] == own else run
    return {"claim": claim.id, "node_brain": own[0], "document_brain": own[1], "since": since}
