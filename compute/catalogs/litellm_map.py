"""LiteLLM's model price map as a catalogue: one JSON object of models, US dollars per **token**, without dates.

    key = base { qualifier }        input_cost_per_token _above_200k_tokens _batches
    base        what is paid for, from `_BASES`: text tokens and requests; other kinds are counted as left out
    qualifier   a tier of context, an hour or more of cache, or a processing, in any order

- A figure is read from its digits and scaled to a million tokens, never converted to a float. Figures of 15 or more
  digits are artefacts of float arithmetic at the source: they are rounded to 12 digits, with a note.
- `tiered_pricing` is a list of such figures for a `range` of tokens of context: `[32000, 128000]` is the tier above
  32,000. A figure that the model states for the same tier itself goes first. Tiers of anything else are left out.
- A price is a record that is known from the import day on.
- A zero means "free" or "unknown"; it is used only if the model's name says `:free`.
- `sample_spec` describes the format and is not a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Context, Decimal
from typing import NamedTuple

from compute.catalogs.import_rows import ImportProblems, as_written, number
from compute.prices.price_models import Catalog, Price
from graph.problems import Problem, Severity
from graph.values import loads

NAME = "litellm"
LICENCE = "MIT"
SAMPLE = "sample_spec"

_FLOAT_DIGITS, _KEPT_DIGITS = 15, 12


_BASES: Mapping[str, str] = {
    "input_cost_per_token": "input",
    "output_cost_per_token": "output",
    "cache_read_input_token_cost": "cache_read",
    "input_cost_per_token_cache_hit": "cache_read",
    "cache_creation_input_token_cost": "cache_write",
    "output_cost_per_reasoning_token": "output_reasoning",
    "citation_cost_per_token": "output_citation",
    "input_cost_per_query": "requests",
    "input_cost_per_request": "requests",
}

_TIER = re.compile(r"_above_(\d{1,6})k_tokens")
_CACHED = re.compile(r"_above_(\d{1,3})hr")
_PROCESSING = {"batches": "batch"} | {name: name for name in ("priority", "flex", "ultrafast", "balanced", "decisions")}

_PROVIDERS: Mapping[str, str] = {
    "gemini": "google",
    "bedrock": "aws",
    "bedrock_converse": "aws",
    "xai": "x-ai",
    "together_ai": "together",
    "fireworks_ai": "fireworks",
    "moonshot": "moonshotai",
    "github_copilot": "github-copilot",
    "voyage": "voyageai",
    "cohere_chat": "cohere",
    "text-completion-openai": "openai",
    "text-completion-codestral": "mistral",
    "codestral": "mistral",
}
"""Providers with another name in other catalogues; the rest keep the name from the map."""

_REGION = re.compile(r"(?:[a-z]{2}(?:-gov)?-[a-z]+-\d|eu|us|global|global-standard)")


_TIERS, _ZERO = "tiered_pricing", "zero"


class Key(NamedTuple):
    """What one key of the map prices."""

    component: str
    processing: str
    above: int


def load(document: str, text: str, imported: date) -> tuple[Catalog, tuple[Problem, ...]]:
    """The prices of a map from the day `imported` on, and what is left out."""
    problems = ImportProblems(document, "litellm-import")
    catalog = Catalog(name=NAME, prices=(), taken=imported, licence=LICENCE)
    wrong = "the map must be one JSON object of models"
    try:
        models = loads(text)
    except ValueError as error:
        models, wrong = None, f"not readable as JSON: {error}"
    if not isinstance(models, dict):
        problems.add(wrong, Severity.ERROR)
        return catalog, problems.all()
    lost: Counter[str] = Counter()
    each = (_prices(name, model, imported, problems, lost) for name, model in models.items() if name != SAMPLE)
    found = tuple(price for prices in each for price in prices)
    if zeros := lost.pop(_ZERO, 0):
        note = f"{zeros:,} figures of zero left out: the map writes 0 for free and for unknown alike"
        problems.add(note, Severity.NOTE)
    if lost:
        kinds = ", ".join(key for key, _ in lost.most_common(5)) + (" and others" if len(lost) > 5 else "")
        note = f"{lost.total():,} figures left out, of {len(lost)} kinds other than text tokens and requests: {kinds}"
        problems.add(note, Severity.NOTE)
    return catalog.model_copy(update={"prices": found}), problems.all()


def parse(key: str) -> Key | None:
    """What a key prices; None if unknown here."""
    tier, hours = _TIER.search(key), _CACHED.search(key)
    rest = _CACHED.sub("", _TIER.sub("", key))
    processing = "standard"
    for suffix, label in _PROCESSING.items():
        if rest.endswith(f"_{suffix}"):
            rest, processing = rest.removesuffix(f"_{suffix}"), label
    if rest not in _BASES:
        return None
    component = f"{_BASES[rest]}_{hours[1]}h" if hours else _BASES[rest]
    return Key(component, processing, int(tier[1]) * 1_000 if tier else 0)


def item(name: str, provider: str) -> tuple[str, str | None]:
    """The item that the map calls `name`, and the region in the name."""
    thing = name.removeprefix(f"{provider}/")
    thing = thing.removeprefix("bedrock/") if provider.startswith("bedrock") else thing
    head, slash, tail = thing.partition("/")
    region = head if slash and tail and _REGION.fullmatch(head) else None
    return f"{_PROVIDERS.get(provider, provider)}/{tail if region else thing}", region


def _figures(model: Mapping[str, object]) -> Iterator[tuple[int | None, str, object]]:
    """The fields of a model and its tiers, each with the tokens that it is above; None if unreadable."""
    yield from ((0, key, figure) for key, figure in model.items())
    tiers = model.get(_TIERS, [])
    for tier in tiers if isinstance(tiers, list) else [tiers]:
        fields = tier if isinstance(tier, dict) else {"costs": tier}
        above = _above(fields.get("range"))
        yield from ((above, key, figure) for key, figure in fields.items())


def _above(span: object) -> int | None:
    """The lower end of a range of tokens."""
    start = _figure(span[0]) if isinstance(span, list) and len(span) == 2 else None
    return int(start) if start is not None and start >= 0 and start == start.to_integral_value() else None


def _figure(value: object) -> Decimal | None:
    return None if isinstance(value, str) else number(value)


def _prices(name: str, model: object, imported: date, problems: ImportProblems, lost: Counter[str]) -> Iterator[Price]:
    """The prices of one model; `lost` counts zeros, and other kinds by key."""
    provider = model.get("litellm_provider") if isinstance(model, dict) else None
    written = isinstance(provider, str) and f"{provider}{name}".isprintable()  # half a surrogate pair cannot be stored
    if not isinstance(model, dict) or not written or not provider or not name:
        problems.add(f"{name!r} names no provider")
        return
    source = model.get("source")
    where, region = item(name, provider)
    stated: set[Key] = set()
    for above, key, figure in _figures(model):
        parsed = parse(key)
        if parsed is None or above is None:
            if "cost" in key:
                lost[key if above == 0 else f"{_TIERS}.{key}"] += 1
            continue
        tier = parsed._replace(above=above or parsed.above)
        if tier in stated:
            continue
        stated.add(tier)
        value = _figure(figure)
        if value is None or value < 0:
            problems.add(f"{name!r}: {tier.component} is {as_written(figure)}, which is not a price")
        elif value == 0 and not name.endswith(":free"):
            lost[_ZERO] += 1
        else:
            exact, derived = _cleaned(value)
            per, unit = (1, "USD/request") if tier.component == "requests" else (1_000_000, "USD/Mtok")
            yield Price(
                item=where,
                component=tier.component,
                value=Decimal(f"{(exact * per).normalize():f}"),
                unit=unit,
                processing=tier.processing,
                above=tier.above,
                region=region,
                valid_from=imported,
                dated="record",
                catalog=NAME,
                source=source if isinstance(source, str) and source.isprintable() else None,
                checked=imported,
                licence=LICENCE,
                derived=derived,
                note=f"listed as {name}" if name != where.partition("/")[2] else "",
            )


def _cleaned(value: Decimal) -> tuple[Decimal, str | None]:
    """A figure without float artefacts, and a note on the rounding."""
    if len(value.as_tuple().digits) < _FLOAT_DIGITS:
        return value, None
    return Context(prec=_KEPT_DIGITS).plus(value), f"rounded from {value}, a float artefact at the source"
