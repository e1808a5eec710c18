"""Metrics that texts on computing state in many words: spot discount, break-even, bandwidth of a card, price of a model.

Spot is often 50–80% cheaper.            spot discount
$6.88 for an H100 at AWS, on demand      rent of h100 at aws, on demand
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compute.mining.contradiction_entities import Entity, entities

_OFF = r"\boff\b|discount|cheaper|\bless\b|sav(?:e|es|ed|ing|ings)\b|reduc\w+|cuts?\b|below|lower"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: figures of a dimension near these words; `of` is what must be the same: a device, a name, or nothing."""

    name: str
    dimension: str
    words: tuple[re.Pattern[str], ...]
    without: re.Pattern[str] | None = None
    of: str = ""
    titled: bool = False
    """Whether the title of a text may say what it is about."""
    never: re.Pattern[str] | None = None
    """What makes it another metric anywhere in the sentence or in the title."""


def _metric(
    name: str, dimension: str, *words: str, without: str = "", of: str = "", titled: bool = False, never: str = ""
) -> Metric:
    compiled = tuple(re.compile(word, re.I) for word in words)
    return Metric(
        name,
        dimension,
        compiled,
        re.compile(without, re.I) if without else None,
        of,
        titled,
        re.compile(never, re.I) if never else None,
    )


_METRICS = (
    _metric("spot discount", "share", r"\bspot\b|preemptible", rf"(?:{_OFF}).{{0,40}}#|#.{{0,40}}(?:{_OFF}|on-demand)|(?:page|glossary['’]s|table) #|GPUperHour #|row gives #", without=r"reserv|below, but", titled=True, never=r"redundancy|downtime|nines|Spheron sets"),
    _metric("reservation discount", "share", r"\breserv\w+|commit(?:ted|ment)", rf"(?:{_OFF}).{{0,30}}#|#.{{0,30}}(?:{_OFF})|months? bring #|says #|its # for",
            without=r"MACC|PTU|Azure|EA-|spot|annual|shortfall|cache|premium|Nebius|Vultr", titled=True, never=r"MACC|PTU|CoreWeave|hourly|parallelism|months of|Orca"),
    _metric("use below which the cloud wins", "share", r"cloud (?:still )?(?:wins?|may be cheaper|is (?:often )?(?:cheaper|more economical))|renting wins|cloud (?:wins? |win )?below|\bcloud\b.{0,12}#|#.{0,12}cloud is|# (?:here|util)",
            r"cloud|renting", r"(?:below|<|under|says)\W{0,3}#", without=r"payback"),
    _metric("use above which owning pays", "share", r"\bon-?prem\w*|owning|owned|self-host\w*|break-?\s?even|pack's rule", r"(?:break-?\s?even|wins? above|crosses|stays? above|pays (?:from|above)|rule of|versus cloud).{0,24}#",
            without=r"\b(?:7|13)B|against|\$|months?\b", never=r"change of unit|own list"),
    _metric("saving by routing", "share", r"\brout(?:ing|ers?)\b|easy requests|complex ones to|other reading", rf"(?:{_OFF}|cuts costs|own|reading says).{{0,12}}#|#.{{0,12}}(?:{_OFF}|cost)", without=r"MMLU|MT Bench|GSM8K|RouteLLM|Anyscale|\bcalls\b|GPT-4 |up to", never=r"random|mix|GPT-4.?calls|prefetch|distill|energy|lead|two-part|cached"),
    _metric("share of egress in the bill", "share", r"egress", r"(?:#.{0,12}of (?:total |a |the |all )*(?:cloud )?(?:costs?|spend\w*|bill))|lower than the #|OpenMetal"),
    _metric("share of compute in the price", "share", r"raw compute|# for compute|compute at #|pack says #|compute cost is #", without=r"rent|cloud"),
    _metric("saving of NVFP4", "share", r"NVFP4|four-bit cache", r"cut is #|footprint.{0,30}#"),
    _metric("bandwidth", "unit/byte/second", r"", without=r"link|bridge|each other|benchmark|measur|achiev|sustain|per stack|a stack|stacks|SRAM|HBM4|site|bisection|PCIe|fabric|board|chip|gradients|GB200|per site", of="device", never=r"on-chip|multiprocessor"),
    _metric("multiprocessors", "count", r"# SMs\b|# multiprocessors|SXM has #", of="device"),
    _metric("peak FP16", "unit/FLOPS", r"# (?:at|with|in|of) B?FP?16|FP16 tensor.*# at that precision|FP16\); the \w+ has #", without=r"spars|achiev|sustain|clock", of="subject"),
    _metric("peak FP8", "unit/FLOPS", r"# (?:at|with|in|of) FP8|# FP8 dense|FP8 tensor.{0,24}#|FP8 doubles.{0,40}#", without=r"spars|achiev|sustain|clock", of="subject"),
    _metric("price of input tokens", "money/USD/Mtok", r"#[^$]{0,20}\binput\b(?!/)|input[^$]{0,30}#", without=r"cach|batch|fine-?tun|longer|above|output[^$]{0,20}#|#[^$]{0,20}output|# per million output", of="names"),
    _metric("price of output tokens", "money/USD/Mtok", r"#[^$]{0,20}\boutput\b|output[^$]{0,30}#", without=r"cach|batch|fine-?tun|longer|above|input[^$]{0,20}#|#[^$]{0,20}input", of="names"),
    _metric("output over input price", "ratio", r"\boutput\b.{0,40}#.{0,20}\binput", without=r"cheaper|Haiku|Opus|GPT-4 Turbo|fell|cut|reduction|blend"),
    _metric("useful life of a GPU", "time", r"economic li(?:fe|ves) of #|useful li(?:fe|ves|fespan).{0,40}#|<?# economic life|infers an economic life of #", without=r"%|\$|salvage|schedule|chassis"),
    _metric("size of a small model", "unit/parameter", r"^small[ -]models?$", titled=True),
    _metric("size of a medium model", "unit/parameter", r"^medium[ -]models?$", titled=True),
    _metric("size of a large model", "unit/parameter", r"^large[ -]models?$", titled=True),
)  # fmt: skip


def metrics(dimension: str, texts: tuple[str, ...], named: tuple[Entity, ...]) -> Iterator[tuple[str, ...]]:
    """The keys under which a figure is compared, by the texts around it, nearest first, and by the names there.

    The nearest text with all words of a metric decides; the last is a title, which may only add what the text is about.
    """
    *around, title = texts if len(texts) > 1 else (*texts, "")
    for one in _METRICS:
        if dimension.strip("/") != one.dimension.strip("/"):
            continue
        text = next((text for text in around if _says(one, text)), None) or next(
            (text for text in around if one.titled and _says(one, text, title)), None
        )
        if (
            text is None
            or (one.never and one.never.search(f"{around[-1]} {title}"))
            or (one.without and one.without.search(text))
        ):
            continue
        if one.of == "device":
            yield from [(one.name, _device(entity)) for entity in named if entity.device][:1]
        elif one.of == "subject":
            names = [_device(entity) for entity in (*named, *entities(around[-1])) if entity.device]
            yield from [(one.name, name) for name in (*names, *_of_architecture(around[-1]))][:1]
        elif one.of == "names" and named:
            yield (one.name, *sorted({" ".join(sorted(entity.words)) for entity in named}))
        elif not one.of:
            yield (one.name,)


_ARCHITECTURES = {"hopper": "h100", "ampere": "a100", "volta": "v100"}


def _of_architecture(text: str) -> list[str]:
    """The accelerators for which the name of an architecture is used."""
    return [device for name, device in _ARCHITECTURES.items() if re.search(rf"\b{name}\b", text, re.I)]


def _says(metric: Metric, text: str, title: str = "") -> bool:
    first, *rest = metric.words
    return bool(first.search(text) or (title and first.search(title))) and all(word.search(text) for word in rest)


def _device(entity: Entity) -> str:
    return min(word for word in entity.words if any(sign.isdigit() for sign in word) and not word.endswith("gb"))
