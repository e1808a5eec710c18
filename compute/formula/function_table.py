"""The closed list of functions of the formula language, as data.

    lookups    values from catalogues, assumptions and tables on a day
    numeric    computed directly: min, max, sum, round, log …
    library    written in the language itself: the `body` is the definition, `doc` names its source

A number without a unit takes the `unit` of the parameter, if it has one.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from compute.formula import numeric
from compute.formula.function_signatures import Function, Kind, Parameter, Takes


def _optional(name: str, takes: Takes, choices: tuple[str, ...] = ()) -> Parameter:
    return Parameter(name, takes, needed=False, choices=choices)


_VARIANT = (
    _optional("processing", "text"),
    _optional("context", "count"),
    _optional("region", "text"),
    _optional("catalog", "text"),
    _optional("on", "day"),
)
_ITEM = (Parameter("item", "text"), Parameter("component", "text"))
_ITEMS = (Parameter("items", "texts"), Parameter("component", "text"))


LOOKUPS = (
    Function(
        "price",
        "lookup",
        "The price of a component of an item on the day, or on the day `on`. `context` is the number of tokens in the "
        "context, which chooses the tier; `processing` defaults to standard; `catalog` selects one catalogue.",
        (*_ITEM, *_VARIANT),
        'price("acme/large", "input")',
        "2.00 USD/Mtok",
    ),
    Function(
        "latest",
        "lookup",
        "The price on the day or, if it has ended, the last price before: for models that are no longer sold.",
        (*_ITEM, *_VARIANT),
        'latest("acme/retired", "input")',
        "8.00 USD/Mtok",
    ),
    Function(
        "cheapest",
        "lookup",
        "The lowest price among the items; all of them must have one, in the same unit.",
        (*_ITEMS, *_VARIANT),
        'cheapest(["north/h100", "south/h100"], "on_demand")',
        "2.00 USD/GPU/h",
    ),
    Function(
        "dearest",
        "lookup",
        "The highest price among the items; all of them must have one, in the same unit.",
        (*_ITEMS, *_VARIANT),
        'dearest(["north/h100", "south/h100"], "on_demand")',
        "3.50 USD/GPU/h",
    ),
    Function(
        "assume",
        "lookup",
        "The assumption with that name on the day, or on the day `on`.",
        (Parameter("name", "text"), _optional("on", "day")),
        'assume("pue")',
        "1.3",
    ),
    Function(
        "table",
        "lookup",
        'A cell of a table in a node: the table by its name or its number from 1, in quotes (`"1"`), the row by its '
        "first cell, the column by its header. A cell that holds a range needs `pick`.",
        (
            Parameter("node", "text"),
            Parameter("table", "text"),
            Parameter("row", "text"),
            Parameter("column", "text"),
            _optional("pick", "choice", ("low", "middle", "high")),
        ),
        'table("acme/handbook", "Training runs", "Large", "Parameters")',
        "70 billion",
    ),
)


def _numbers(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name) for name in names)


NUMERIC = (
    Function(
        "min",
        "numeric",
        "The smallest argument.",
        _numbers("a"),
        "min(3 USD, 2 USD)",
        "2.00 USD",
        many=True,
        compute=numeric.smallest,
    ),
    Function(
        "max",
        "numeric",
        "The largest argument.",
        _numbers("a"),
        "max(3 USD, 2 USD)",
        "3.00 USD",
        many=True,
        compute=numeric.largest,
    ),
    Function(
        "sum",
        "numeric",
        "The sum of all arguments.",
        _numbers("a"),
        "sum(1 h, 2 h, 3 h)",
        "6 h",
        many=True,
        compute=numeric.total,
    ),
    Function(
        "average",
        "numeric",
        "The arithmetic mean.",
        _numbers("a"),
        "average(2, 4, 9)",
        "5",
        many=True,
        compute=numeric.average,
    ),
    Function("abs", "numeric", "The absolute value.", _numbers("a"), "abs(2 USD - 5 USD)", "3.00 USD", compute=abs),
    Function(
        "round",
        "numeric",
        "The nearest multiple of `to`; halves round to even.",
        (Parameter("a"), Parameter("to", default="1", needed=False)),
        "round(2.345 USD, to=0.01 USD)",
        "2.34 USD",
        compute=numeric.stepped(ROUND_HALF_EVEN),
    ),
    Function(
        "ceil",
        "numeric",
        "Rounds up to a multiple of `to`, such as full GPUs or full servers.",
        (Parameter("a"), Parameter("to", default="1", needed=False)),
        "ceil(7.2)",
        "8",
        compute=numeric.stepped(ROUND_CEILING),
    ),
    Function(
        "floor",
        "numeric",
        "Rounds down to a multiple of `to`.",
        (Parameter("a"), Parameter("to", default="1", needed=False)),
        "floor(532.4 GPU, to=1 GPU)",
        "532 GPU",
        compute=numeric.stepped(ROUND_FLOOR),
    ),
    Function(
        "sqrt",
        "numeric",
        "The square root, also of the unit.",
        _numbers("a"),
        "sqrt(144)",
        "12",
        compute=numeric.square_root,
        units="root",
    ),
    Function(
        "exp",
        "numeric",
        "e raised to a plain number.",
        _numbers("a"),
        "exp(0)",
        "1",
        compute=numeric.exponential,
        units="plain",
    ),
    Function(
        "log",
        "numeric",
        "The logarithm of a plain number; natural if `base` is omitted.",
        (Parameter("a"), Parameter("base", default="0", needed=False)),
        "log(1024, base=2)",
        "10",
        compute=numeric.logarithm,
        units="plain",
    ),
    Function(
        "if",
        "numeric",
        "Chooses one of two figures in the same unit by a comparison. All lookups in both must have a value.",
        (Parameter("condition", "truth"), Parameter("then"), Parameter("otherwise")),
        "if(300k > 200k, 4 USD, 2 USD)",
        "4.00 USD",
        units="choice",
    ),
)

SOLVE = Function(
    "solve",
    "solve",
    "The value of an unknown, between two bounds, at which both sides of an equation are equal. An equation that is "
    "linear in the unknown is solved in closed form. With no such value the figure does not exist; with several it is "
    "not certain.",
    (Parameter("unknown", "unknown"), Parameter("equation", "equation"), Parameter("between", "range")),
    "solve(u, 3 USD/h * u == 2 USD/h, between=0%..100%)",
    "0.666667",
)

LIBRARY = (
    Function(
        "ratio",
        "library",
        "`a` as a multiple of `b`.",
        _numbers("a", "b"),
        "ratio(15 USD, 0.25 USD)",
        "60",
        "a / b",
    ),
    Function(
        "discount",
        "library",
        "The discount of a price from a list price, as a share.",
        _numbers("list", "paid"),
        "discount(2 USD, 0.5 USD)",
        "0.75",
        "1 - paid / list",
    ),
    Function(
        "change",
        "library",
        "The relative change from `first` to `last`.",
        _numbers("first", "last"),
        "change(50, 60)",
        "0.2",
        "last / first - 1",
    ),
    Function(
        "cagr",
        "library",
        "Compound annual growth rate.",
        (*_numbers("first", "last"), Parameter("years", unit="year")),
        "cagr(100 USD, 25 USD, 2)",
        "-0.5",
        "(last / first) ^ (1 year / years) - 1",
    ),
    Function(
        "elapsed",
        "library",
        "The time between two dates.",
        (Parameter("first", "day"), Parameter("last", "day")),
        "elapsed(2024-03-01, 2025-03-01)",
        "8,760 h",
        "last - first",
    ),
    Function(
        "training_flop",
        "library",
        "Compute of a training run: 6 floating-point operations for each parameter and token (Kaplan et al. 2020, "
        "arXiv 2001.08361; Hoffmann et al. 2022, arXiv 2203.15556).",
        (Parameter("params", unit="parameter"), Parameter("tokens", unit="token")),
        "training_flop(70B, 2T)",
        "8.4e23 FLOP",
        "6 FLOP/parameter/token * params * tokens",
    ),
    Function(
        "inference_flop",
        "library",
        "Compute of a forward pass: 2 floating-point operations for each parameter and token (Kaplan et al. 2020).",
        (Parameter("params", unit="parameter"), Parameter("tokens", unit="token")),
        "inference_flop(70B, 1M)",
        "1.4e17 FLOP",
        "2 FLOP/parameter/token * params * tokens",
    ),
    Function(
        "gpu_hours",
        "library",
        "GPU-hours of a computation: operations divided by the rate that a GPU achieves; `flops` is the peak of one "
        "GPU, `mfu` the share of the peak that is used (Chowdhery et al. 2022, arXiv 2204.02311).",
        (Parameter("flop", unit="FLOP"), Parameter("flops", unit="FLOPS/GPU"), Parameter("mfu")),
        "gpu_hours(8.4e23 FLOP, 312 TFLOPS/GPU, 40%)",
        "1,869,658 GPUh",
        "flop / (flops * mfu)",
    ),
    Function(
        "mfu",
        "library",
        "Model FLOPS utilisation: the share of the peak that a run achieved.",
        (Parameter("flop", unit="FLOP"), Parameter("gpu_time", unit="GPUh"), Parameter("flops", unit="FLOPS/GPU")),
        "mfu(8.4e23 FLOP, 1.7M GPUh, 312 TFLOPS/GPU)",
        "0.43992",
        "flop / (gpu_time * flops)",
    ),
    Function(
        "amortise",
        "library",
        "A purchase spread evenly over its life (straight line) and over the share of the time it is used, as a rate "
        "per hour; `residual` is the resale value at the end.",
        (
            Parameter("cost"),
            Parameter("years", unit="year"),
            Parameter("utilisation", default="1", needed=False),
            Parameter("residual", default="0", needed=False),
        ),
        "amortise(26_280 USD/GPU, 3 years, utilisation=50%)",
        "2.00 USD/GPU/h",
        "(cost - residual) / (years * utilisation)",
    ),
    Function(
        "pue",
        "library",
        "Power usage effectiveness: total facility power divided by the power of its computers (ISO/IEC 30134-2).",
        _numbers("facility", "computers"),
        "pue(1.3 MW, 1 MW)",
        "1.3",
        "facility / computers",
    ),
    Function(
        "facility_power",
        "library",
        "The power that a facility draws for its computers.",
        _numbers("computers", "pue"),
        "facility_power(700 W, 1.3)",
        "910 W",
        "computers * pue",
    ),
    Function(
        "energy_cost",
        "library",
        "The cost of the energy that a load uses over a time.",
        (*_numbers("power", "time", "rate"), Parameter("pue", default="1", needed=False)),
        "energy_cost(700 W, 3 years, 0.06 USD/kWh, pue=1.3)",
        "1,434.89 USD",
        "power * pue * time * rate",
    ),
    Function(
        "cache_blend",
        "library",
        "The average price of an input token when a share of the tokens is read from the cache.",
        _numbers("list", "cached", "hit_rate"),
        "cache_blend(3 USD/Mtok, 0.30 USD/Mtok, 90%)",
        "0.57 USD/Mtok",
        "list * (1 - hit_rate) + cached * hit_rate",
    ),
    Function(
        "cache_write_blend",
        "library",
        "As `cache_blend`, but a miss pays the cache write price.",
        _numbers("write", "cached", "hit_rate"),
        "cache_write_blend(3.75 USD/Mtok, 0.30 USD/Mtok, 90%)",
        "0.645 USD/Mtok",
        "write * (1 - hit_rate) + cached * hit_rate",
    ),
)

FUNCTIONS: tuple[Function, ...] = (*LOOKUPS, *NUMERIC, SOLVE, *LIBRARY)
BY_NAME = {function.name: function for function in FUNCTIONS}
COMPUTED = {function.name: function.compute for function in FUNCTIONS if function.compute}

_SECTIONS: tuple[tuple[str, Kind], ...] = (
    ("Lookups", "lookup"),
    ("Numbers", "numeric"),
    ("Equations", "solve"),
    ("Library", "library"),
)


def reference() -> str:
    """Every function as Markdown, by kind: the function reference in docs/formulas.md."""
    return "\n\n".join(
        "\n\n".join([f"### {title}", *(one.described() for one in FUNCTIONS if one.kind == kind)])
        for title, kind in _SECTIONS
    )


if __name__ == "__main__":
    print(reference())  # noqa: T201 the text to paste
