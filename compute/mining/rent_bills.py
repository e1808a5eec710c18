"""What GPUs cost for a time: their number, the hours, and the rent of a provider.

64 of Lambda's H100s for three days (72 h each) are $18,386     64 GPU * 72 h * price("lambda/h100-sxm", "on_demand")
the cheapest H100 on RunPod for 24 hours, 48 dollars
12,000 H100-hours, or $17,400 at the reserved rate

Such a bill is reported only where it fits: rents have many prices, and a bill has discounts, idle hours and extras.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_words import NUMBERS
from compute.mining.price_figures import money
from compute.mining.price_rents import TIERS
from compute.mining.price_subjects import Subjects, gpus, providers
from compute.mining.readings import loose
from compute.mining.text_windows import Window
from compute.mining.token_volumes import count_of

_WORDS = "|".join(["an?", "one", *NUMBERS])
_HOURS = re.compile(
    rf"(?<![\w.,$])(?P<number>\d[\d,]*(?:\.\d+)?|{_WORDS})[ -](?:full |whole |straight |solid )?"
    r"(?P<unit>(?P<device>(?:GPU|[HABV]\d{2,3}|GB\d{3}|MI\d{3}X?)[- ])?hours?|h\b|days?|weeks?|months?|years?)",
    re.I,
)
_HOURS_OF = {"h": 1, "hour": 1, "day": 24, "week": 168, "month": 730, "year": 8760}
_NUMBER_OF = re.compile(
    rf"(?<![\w.,$])(?P<number>\d[\d,]*|{_WORDS}) (?:of )?"
    r"(?:(?:[A-Z]\w+['’]s?|on-demand|reserved|spot|rented|cloud) ){0,3}"
    r"(?:NVIDIA |AMD )?(?:[HABV]\d{2,3}|GB\d{3}|MI\d{3}X?)s\b"
)
_PER = re.compile(r"\s?(?:/|per |an |a |each )", re.I)
_MOST = 5
"""The most readings of one bill: rents of several tiers and hours."""


def rent_bills(window: Window, subjects: Subjects) -> Iterator[Reading]:
    """The bills of a sentence for one kind of GPU at one provider."""
    text = window.prose
    named = {one.key for one in gpus(text)} & subjects.gpus.keys()
    sellers = {one.key for one in providers(text)}
    if len(named) != 1 or len(sellers) != 1:
        return
    offers = subjects.gpus[named.pop()].get(sellers.pop(), [])
    tier = next((names for names, words in TIERS if words.search(text)), None)
    rents = dict.fromkeys((one.item, one.component) for one in offers if tier is None or one.component in tier)
    paid = [one for one in money(window) if not one.ranged and one.per in {"", "month", "year"}]
    for figure in paid if rents else ():
        if _rate(window, figure):
            continue
        ways = [*_ways(text, rents)][:_MOST]
        if ways:
            yield Reading(
                start=window.start, end=window.end, rule="bill", inputs=(), expression=ways[0], stated=figure,
                unit="USD", confidence=Decimal("0.7"), kind="price", slack=loose(figure), cautious=True,
                alternatives=tuple(ways[1:]),
            )  # fmt: skip  # the call on four lines is more readable


def _ways(text: str, rents: dict[tuple[str, str], None]) -> Iterator[str]:
    """The formulas of a bill, for each time that a text states, and for each rent."""
    counted = _NUMBER_OF.search(text)
    many = count_of(counted["number"]) if counted else Decimal(1)
    for match in _HOURS.finditer(text):
        unit = match["unit"].lower().rpartition("-")[2].split()[-1].rstrip("s")
        hours = count_of(match["number"]) * _HOURS_OF[unit]
        gpu = Decimal(1) if match["device"] else many
        for item, component in rents if gpu * hours > 1 else ():
            yield f'{gpu:f} GPU * {hours:f} h * price("{item}", "{component}")'


def _rate(window: Window, figure: Figure) -> bool:
    """Whether an amount is one per hour, or per something else."""
    return _PER.match(window.prose, figure.end - window.start) is not None and figure.per == ""
