"""Training in figures: the operations of a run, and how much of the peak of an accelerator was used.

7B parameters, 2T tokens … the run took 8.4E22 FLOPs     training_flop(params, tokens)
400 TFLOPS on each H100, 40% of the peak                   flops / assume("h100_flops")

The readings are reported only if they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from compute.mining.mining_models import Figure, Reading
from compute.mining.number_formats import fits, parameters
from compute.mining.readings import Named, given, reading
from compute.mining.text_windows import Window


def training(window: Window) -> Iterator[Reading]:
    """Readings of training runs in a sentence."""
    yield from _operations(window)
    yield from _utilised(window)


_POWER = re.compile(
    r"(?P<digits>\d(?:\.\d{1,3})?)\s?(?:[eE]\+?|[×x]\s?10\^?\s?)(?P<power>\d\d)\s"
    r"(?:FLOPs?|floating[- ]point operations)\b"
)


def _operations(window: Window) -> Iterator[Reading]:
    """The operations of a training run from its parameters and its tokens."""
    for match in _POWER.finditer(window.passage.mask, window.start, window.end):
        value = Decimal(match["digits"]).scaleb(int(match["power"]))
        half = Decimal(5).scaleb(int(match["power"]) - len(match["digits"].partition(".")[2]) - 1)
        stated = Figure(match.start(), match.end(), match[0], value, value, half, "unit", "FLOP")
        found = [*window.earlier[-16:], *window.figures]
        sizes = [one for one in found if parameters(one) and one.unit != "token"][::-1]
        tokens = [one for one in found if one.unit == "token" and one.low >= 10**6 and not one.ranged][::-1]
        for size, seen in ((size, seen) for size in sizes for seen in tokens):
            if fits(size.low * seen.low * 6, stated):
                inputs = given(Named("params", size, unit="parameter"), Named("tokens", seen, unit="token"))
                yield reading(
                    window, "training", inputs, "training_flop(params, tokens)", stated, unit="FLOP", cautious=True
                )
                return


_CHIP = re.compile(r"\b(?P<chip>[A-Z]{1,2}\d{2,3}[A-Z]?)s?\b(?! \d)")
_USED = re.compile(r"\butili[sz]ation\b|\bMFU\b|\bof (?:the |its |their )?(?:theoretical )?(?:peak|maximum)\b", re.I)
_FLOPS = {"GFLOPS", "TFLOPS", "PFLOPS"}


def _utilised(window: Window) -> Iterator[Reading]:
    """How much of the peak of the only accelerator of a sentence was used."""
    if not _USED.search(window.prose):
        return
    chips = {match["chip"].lower() for match in _CHIP.finditer(window.passage.mask, window.start, window.end)}
    rates = [one for one in window.of("unit") if one.unit.removesuffix("/s") in _FLOPS and not one.ranged]
    if len(chips) != 1 or len(rates) != 1:
        return
    for stated in (one for one in window.of("%") if not one.ranged):
        around = window.passage.mask[max(window.start, stated.start - 30) : stated.end + 40]
        if _USED.search(around):
            inputs = given(Named("flops", rates[0], unit=f"{rates[0].unit.removesuffix('/s')}/GPU"))
            way = f'flops / assume("{chips.pop()}_flops")'
            yield reading(
                window, "utilised", inputs, way, stated, note="of the assumed peak", confidence="0.7", cautious=True
            )
            return
