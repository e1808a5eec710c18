"""The life lines of claims, by the prices of a book."""

from compute.claims.claim_cases import PLAIN
from compute.record.replay import Replay


def life_lines(claims, book, today, terms=PLAIN):
    """The life line of each claim, in their order."""
    replay = Replay(book, min(claim.as_of for claim in claims), today, terms.among(claims))
    yield from map(replay.life, claims)
