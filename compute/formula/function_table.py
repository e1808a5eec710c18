"""The closed list of functions of the formula language, as data.

    lookup     values from catalogues, assumptions and tables on a day
    numeric    computed directly: min, max, sum, round, log …
    library    written in the language itself: the body is the definition, the documentation names its source

After the heading of their kind, entries have lines for the signature with the body, the documentation, and an example:

    signature = name "(" parameter { ", " parameter } [ ", …" ] ")" [ " = " body ]
    parameter = name [ "?" ] [ ": " what ] [ " = " default ]

`?` is an optional parameter, `…` means that the last one may be repeated. `what` is one of `Takes`, texts to choose
from (`low|high`), or the unit of a plain number; a parameter without it is a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

Takes = Literal["number", "truth", "text", "texts", "day", "count", "range", "unknown", "equation", "choice"]
Kind = Literal["lookup", "numeric", "library", "solve"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; `unit` is that of a plain number, `default` a formula, `choices` the allowed texts."""

    name: str
    takes: Takes = "number"
    unit: str | None = None
    default: str | None = None
    needed: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function with an example and its displayed result; `many`: the last parameter may be repeated."""

    name: str
    kind: Kind
    doc: str
    parameters: tuple[Parameter, ...]
    example: str
    result: str
    body: str
    many: bool

    def usage(self) -> str:
        """The call syntax, for messages."""
        parts = [p.name if p.needed else f"{p.name}=…" for p in self.parameters]
        return f"{self.name}({', '.join(parts)}{', …' if self.many else ''})"

    def described(self) -> str:
        """The row of this function in docs/formulas.md."""
        meaning = f"{self.doc} `= {self.body}`" if self.body else self.doc
        if plain := ", ".join(f"`{p.name}` in {p.unit}" for p in self.parameters if p.unit):
            meaning += f"; without a unit: {plain}"
        return f"| `{self.usage()}` | {meaning} | `{self.example}` → {self.result} |"


_SIGNATURE = re.compile(r"(?P<name>\w+)\((?P<parameters>[^()]*)\)(?: = (?P<body>.+))?")
_PARAMETER = re.compile(r"(?P<name>\w+)(?P<optional>\?)?(?:: (?P<what>[^ ]+))?(?: = (?P<default>.+))?")
_TAKES: dict[str, Takes] = {takes: takes for takes in get_args(Takes)}


def _functions(table: str) -> Iterator[Function]:
    for section in table.split("\n# ")[1:]:
        kind, *entries = section.strip().split("\n\n")
        for entry in entries:
            yield _function(cast("Kind", kind), entry.splitlines())


def _function(kind: Kind, lines: list[str]) -> Function:
    signature = _SIGNATURE.fullmatch(lines[0])
    if signature is None:
        raise ValueError(f"{lines[0]!r} is not a signature")
    written = signature["parameters"].removesuffix(", …")
    parameters = tuple(map(_parameter, written.split(", ")))
    example, _, result = lines[-1].partition(" → ")
    body, many = signature["body"] or "", written != signature["parameters"]
    return Function(signature["name"], kind, " ".join(lines[1:-1]), parameters, example, result, body, many)


def _parameter(text: str) -> Parameter:
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a parameter")
    name, optional, what, default = found.groups()
    choices = tuple(what.split("|")) if what and "|" in what else ()
    takes = "choice" if choices else _TAKES.get(what or "", "number")
    unit = None if choices or what in _TAKES else what
    return Parameter(name, takes, unit, default, not optional and default is None, choices)


_VARIANT = "processing?: text, context?: count, region?: text, catalog?: text, on?: day"

_TABLE = f"""
# lookup

price(item: text, component: text, {_VARIANT})
A price on the day, or on the day `on`. `context`: tokens in the context, for the tier; `processing`: standard by
default; `catalog`: one catalogue.
price("acme/large", "input") → 2.00 USD/Mtok

latest(item: text, component: text, {_VARIANT})
The price on the day or, if it has ended, the last one before.
latest("acme/retired", "input") → 8.00 USD/Mtok

cheapest(items: texts, component: text, {_VARIANT})
The lowest price; all items must have one, in one unit.
cheapest(["north/h100", "south/h100"], "on_demand") → 2.00 USD/GPU/h

dearest(items: texts, component: text, {_VARIANT})
The highest price; all items must have one, in one unit.
dearest(["north/h100", "south/h100"], "on_demand") → 3.50 USD/GPU/h

assume(name: text, on?: day)
An assumption on the day, or on the day `on`.
assume("pue") → 1.3

table(node: text, table: text, row: text, column: text, pick?: low|middle|high)
A cell of a node's table: the table by name or number (`"1"`), the row by its first cell, the column by its header.
`pick` is for a range: low, middle or high.
table("acme/handbook", "Training runs", "Large", "Parameters") → 70 billion

# numeric

min(a, …)
The smallest argument.
min(3 USD, 2 USD) → 2.00 USD

max(a, …)
The largest argument.
max(3 USD, 2 USD) → 3.00 USD

sum(a, …)
The sum of all arguments.
sum(1 h, 2 h, 3 h) → 6 h

average(a, …)
The arithmetic mean.
average(2, 4, 9) → 5

abs(a)
The absolute value.
abs(2 USD - 5 USD) → 3.00 USD

round(a, to = 1)
The nearest multiple of `to`; halves round to even.
round(2.345 USD, to=0.01 USD) → 2.34 USD

ceil(a, to = 1)
Rounds up to a multiple of `to`.
ceil(7.2) → 8

floor(a, to = 1)
Rounds down to a multiple of `to`.
floor(532.4 GPU, to=1 GPU) → 532 GPUs

sqrt(a)
The square root, also of the unit.
sqrt(144) → 12

exp(a)
e raised to a plain number.
exp(0) → 1

log(a, base = 0)
The logarithm of a plain number; natural if `base` is omitted.
log(1024, base=2) → 10

if(condition: truth, then, otherwise)
One of two figures in one unit. All lookups in both must have a value.
if(300k > 200k, 4 USD, 2 USD) → 4.00 USD

# solve

solve(unknown: unknown, equation: equation, between: range)
The value between two bounds that solves an equation: none means that the figure does not exist, several that it is
not certain.
solve(u, 3 USD/h * u == 2 USD/h, between=0%..100%) → 0.666667

# library

ratio(a, b) = a / b
`a` as a multiple of `b`.
ratio(15 USD, 0.25 USD) → 60

discount(list, paid) = 1 - paid / list
The discount of a price from a list price, as a share.
discount(2 USD, 0.5 USD) → 0.75

change(first, last) = last / first - 1
The relative change from `first` to `last`.
change(50, 60) → 0.2

cagr(first, last, years: year) = (last / first) ^ (1 year / years) - 1
Compound annual growth rate.
cagr(100 USD, 25 USD, 2) → -0.5

elapsed(first: day, last: day) = last - first
The time between two dates.
elapsed(2024-03-01, 2025-03-01) → 8,760 h

training_flop(params: parameter, tokens: token) = 6 FLOP/parameter/token * params * tokens
Compute of a training run (Kaplan et al. 2020, arXiv 2001.08361; Hoffmann et al. 2022, arXiv 2203.15556).
training_flop(70B, 2T) → 8.4e23 FLOP

inference_flop(params: parameter, tokens: token) = 2 FLOP/parameter/token * params * tokens
Compute of a forward pass (Kaplan et al. 2020).
inference_flop(70B, 1M) → 1.4e17 FLOP

gpu_hours(flop: FLOP, flops: FLOPS/GPU, mfu) = flop / (flops * mfu)
GPU-hours of a computation; `flops`: peak of one GPU, `mfu`: share of the peak (Chowdhery et al. 2022, arXiv
2204.02311).
gpu_hours(8.4e23 FLOP, 312 TFLOPS/GPU, 40%) → 1,869,658 GPUh

mfu(flop: FLOP, gpu_time: GPUh, flops: FLOPS/GPU) = flop / (gpu_time * flops)
Model FLOPS utilisation: achieved share of the peak.
mfu(8.4e23 FLOP, 1.7M GPUh, 312 TFLOPS/GPU) → 0.43992

amortise(cost, years: year, utilisation = 1, residual = 0) = (cost - residual) / (years * utilisation)
A purchase spread evenly over its life and the share of time it is used, per hour; `residual`: resale value.
amortise(26_280 USD/GPU, 3 years, utilisation=50%) → 2.00 USD/GPU/h

pue(facility, computers) = facility / computers
Power usage effectiveness (ISO/IEC 30134-2).
pue(1.3 MW, 1 MW) → 1.3

facility_power(computers, pue) = computers * pue
Power of a facility for its computers.
facility_power(700 W, 1.3) → 910 W

energy_cost(power, time, rate, pue = 1) = power * pue * time * rate
Cost of the energy of a load over a time.
energy_cost(700 W, 3 years, 0.06 USD/kWh, pue=1.3) → 1,434.89 USD

cache_blend(list, cached, hit_rate) = list * (1 - hit_rate) + cached * hit_rate
Average price of an input token at a cache hit rate.
cache_blend(3 USD/Mtok, 0.30 USD/Mtok, 90%) → 0.57 USD/Mtok

cache_write_blend(write, cached, hit_rate) = write * (1 - hit_rate) + cached * hit_rate
As `cache_blend`, but a miss pays the cache write price.
cache_write_blend(3.75 USD/Mtok, 0.30 USD/Mtok, 90%) → 0.645 USD/Mtok
"""

BY_NAME = {function.name: function for function in _functions(_TABLE)}


def reference() -> str:
    """The table of all functions in docs/formulas.md, as Markdown."""
    return "\n".join(
        ["| function | meaning | example |", "|---|---|---|", *(one.described() for one in BY_NAME.values())]
    )


if __name__ == "__main__":
    print(reference())  # noqa: T201 the text to paste
