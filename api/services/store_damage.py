"""Whether damage of the store explains an error: what stands in a damaged page may fail anywhere, in any way."""

from __future__ import annotations

from collections.abc import Iterable

from api.settings import Settings
from graph.problems import Problem
from graph.store import Store
from graph.store.integrity_checks import DAMAGED
from graph.store.store_errors import CorruptStoreError, StoreError


def is_damaged(problems: Iterable[Problem]) -> bool:
    """Whether a check of the store found damage, so that nothing in it is certain."""
    return any(problem.code == DAMAGED for problem in problems)


def damage(settings: Settings) -> CorruptStoreError | None:
    """The error of a home whose file is damaged; None for a sound one, and for a server, which checks its own files."""
    if settings.db is not None:
        return None
    try:
        with Store.open(settings.database) as store:
            return damage_error(store.where, store.check())
    except CorruptStoreError as error:
        return error
    except StoreError:
        return None


def damage_error(where: str, problems: Iterable[Problem]) -> CorruptStoreError | None:
    """The error that the problems of a store amount to; None if the file is sound."""
    found = [problem.message for problem in problems if problem.code == DAMAGED]
    return CorruptStoreError(where, " ".join(found[0].split())) if found else None
