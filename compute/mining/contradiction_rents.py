"""What a GPU costs per hour at a provider, as a measure: device, provider and tier.

puts AWS at $6.88 and Azure at $12.29     h100 at aws, on demand: 6.88; at azure: 12.29
| AWS | H100 (p5.48xlarge, 8x) | ~$98/hr  h100 at aws, on demand: 12.25 for one of eight
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from compute.mining.contradiction_measures import UNSAID, Measure

_ALIASES = {"amazon web services": "aws", "google cloud": "gcp", "google": "gcp", "oci": "oracle"}
_PROVIDER = (
    r"(?:Amazon Web Services|Google Cloud|AWS|Azure|GCP|Google|Oracle|OCI|CoreWeave|Lambda|RunPod|Nebius|Vultr"
    r"|Hyperbolic|Spheron|Crusoe|Together|Vast\.ai|Voltage Park|Paperspace|FluidStack|Scaleway|OVHcloud"
    r"|DigitalOcean|Modal|TensorDock|Jarvislabs)\b"
)
_PROVIDERS = re.compile(_PROVIDER)
_BEHIND = re.compile(rf"\s*(?:/\w+)*\s*(?:an hour |per hour |hourly )?\(?(?:at|on|from|with) ({_PROVIDER})")
_BOTH = re.compile(rf"({_PROVIDER}),? and ({_PROVIDER}) both\b")
_BASE = re.compile(r"\b(?:times|than|over|under|below|above|against|beyond|off)\s(?:the )?$", re.I)
"""Before the name of a provider that another one is compared with."""
_DEVICE = re.compile(r"\b(?:(?:GH|GB|H|A|B|L|V|P|T)\d{1,3}|MI\d{3}[AX]?|RTX \d{4}|TPU v\d\w?)(?=s?\b)")
_TIER = re.compile(
    r"(?P<spot>spot|preemptible|interruptible)|(?P<reserved>reserv\w+|commit\w+|prepaid|savings plan)"
    r"|(?P<demand>on[- ]demand|list price)",
    re.I,
)
_TIER_BEHIND = re.compile(
    r"\s*(?:/\w+)*\s*(?:an hour |per hour |hourly |a GPU )?\(?(?:on |as )?"
    r"(?=spot|preempt|interrupt|reserv|commit|prepaid|with \S+ (?:commit|prepaid)|on[- ]demand)"
    r"|,\s(?=(?:spot|reserved|committed|on[- ]demand)[.;)])",
    re.I,
)
_RENTED = re.compile(r"\bhour\w*|/hr?\b|\brent\w*|\bon[- ]demand|\bspot\b|\breserv\w+|\bcommit\w+", re.I)
_EIGHT = re.compile(r"\b8x|\bx8\b|×\s?8\b|\b8\s?×|48xlarge|-8g\b|\b(?:for|of) eight\b|\b8-GPU", re.I)
_EXTREME = re.compile(
    r"\b(?:top|low end|high end|lowest|highest|cheapest|dearest|as low as|up to|starts?|from)\b", re.I
)
_MONEY = re.compile(r"\$\d[\d.,]*(?:\s?[-–]\s?\$?\d[\d.,]*)?(?:/\w+)*")
RENT = "money/USD/h"
LEAST, MOST = Decimal("0.1"), Decimal(40)
"""Between which amounts in USD a rent of one GPU for an hour is."""


def rents(measure: Measure) -> Iterator[tuple[tuple[str, str, str], Measure]]:
    """The rents that a figure states: (device, provider, tier), and the measure in USD for one GPU and hour."""
    if measure.dimension not in {"money/USD", RENT}:
        return
    table = ":" in measure.place
    before, after = _row(measure) if table else _segment(measure)
    around = f"{before} {after}"
    if not _RENTED.search(f"{measure.sentence} {around}") or (
        not table and (_EXTREME.search(before) or UNSAID.search(measure.sentence))
    ):
        return
    one = _of_one(measure, around)
    device = _device(measure, before)
    if device and one.low >= LEAST and one.high <= MOST:
        for name in _named(before, after):
            yield (device, name, _tier(before, after)), one


def _row(measure: Measure) -> tuple[str, str]:
    """The words of a row with its column, and those after the figure in its cell."""
    rest = measure.passage.mask[measure.figure.end : measure.end].partition("|")[0]
    return f"{measure.sentence.split('$')[0]} {measure.texts[0]}", rest


def _segment(measure: Measure) -> tuple[str, str]:
    """The words between the amount before and this one, and those up to the next."""
    start, figure = measure.start, measure.figure
    before, after = measure.sentence[: figure.start - start], measure.sentence[figure.end - start :]
    amounts = list(_MONEY.finditer(before))
    following = _MONEY.search(after)
    return before[amounts[-1].end() if amounts else 0 :], after[: following.start() if following else 60]


def _named(before: str, after: str) -> list[str]:
    behind = _BEHIND.match(after)
    if behind:
        return [_known(behind[1])]
    both = _BOTH.search(before)
    if both:
        return [_known(both[1]), _known(both[2])]
    names = [match[0] for match in _PROVIDERS.finditer(before) if not _BASE.search(before[: match.start()])]
    return [_known(names[-1])] if names else []


def _known(name: str) -> str:
    return _ALIASES.get(name.lower(), name.lower())


def _tier(before: str, after: str) -> str:
    start = _TIER_BEHIND.match(after)
    found = [*_TIER.finditer(after[start.end() : start.end() + 30])][:1] if start else [*_TIER.finditer(before)][-1:]
    return next((str(match.lastgroup) for match in found), "demand")


def _device(measure: Measure, before: str) -> str:
    """The GPU named last before the figure, else the only one of the sentence, else the only one of the text."""
    near = _DEVICE.findall(before)
    if near:
        return str(near[-1]).lower()
    for text in (measure.sentence, measure.passage.mask):
        names = set(_DEVICE.findall(text))
        if names:
            return str(names.pop()).lower() if len(names) == 1 else ""
    return ""


def _of_one(measure: Measure, around: str) -> Measure:
    parts = Decimal(8) if measure.low > MOST / 2 and _EIGHT.search(around) else Decimal(1)
    return replace(
        measure,
        dimension=RENT,
        low=measure.low / parts,
        high=measure.high / parts,
        slack=measure.slack / parts,
    )
