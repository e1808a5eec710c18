"""Claims with ranges, each with its formula written again in numpy, for brute force and for other implementations."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from graph.models.written_figures import GivenRange
from tests.compute import made

START = date(2025, 1, 1)
WIDE = 1.6448536269514722
"""Half of the width of a range of 90%, in standard deviations."""


def claim(name, given, value, expect, ranges, **rest):
    fields = [(one, *told, "uniform")[:4] for one, told in ranges.items()]
    stated = tuple(GivenRange(name=one, low=low, high=high, shape=shape) for one, low, high, shape in fields)
    return made.claim(value, given, id=name, as_of=START, ranges=stated, **expect, **rest)


@dataclass(frozen=True)
class Case:
    name: str
    given: dict[str, str]
    value: str
    expect: dict[str, str]
    ranges: dict[str, tuple[str, ...]]
    formula: Any
    holds: Any

    @property
    def claim(self):
        return claim(self.name, self.given, self.value, self.expect, self.ranges)


def drawn(rng, mode, told, count):
    low, high, shape = float(told[0]), float(told[1]), (*told, "uniform")[2]
    match shape:
        case "uniform":
            return rng.uniform(low, high, count)
        case "triangular":
            return rng.triangular(low, float(mode), high, count)
        case "normal":
            return rng.normal((low + high) / 2, (high - low) / 2 / WIDE, count)
    return rng.lognormal((np.log(low) + np.log(high)) / 2, (np.log(high) - np.log(low)) / 2 / WIDE, count)


A = {"a": "3", "b": "2", "c": "0.5"}
UNI = {"a": ("1", "5"), "b": ("1", "4"), "c": ("0.1", "0.9")}
MIX = {"a": ("1", "5", "triangular"), "b": ("1", "4", "normal"), "c": ("0.1", "0.9", "lognormal")}

CASES = (
    Case("sum", A, "a + b * c", {"at_most": "4"}, UNI, lambda a, b, c: a + b * c, lambda v: v <= 4),
    Case("sum-mixed", A, "a + b * c", {"at_most": "4"}, MIX, lambda a, b, c: a + b * c, lambda v: v <= 4),
    Case("quotient", A, "a / (b * c)", {"at_least": "2"}, UNI, lambda a, b, c: a / (b * c), lambda v: v >= 2),
    Case("quotient-mixed", A, "a / (b * c)", {"at_least": "2"}, MIX, lambda a, b, c: a / (b * c), lambda v: v >= 2),
    Case("band", A, "a * b", {"between": "5", "upper": "8"}, UNI, lambda a, b, c: a * b, lambda v: (v >= 5) & (v <= 8)),
    Case("within", A, "a - b", {"is": "1", "within": "0.5"}, UNI, lambda a, b, c: a - b, lambda v: np.abs(v - 1) <= 0.5),
    Case("times", A, "ratio(a, b)", {"times": "1.5", "within": "30%"}, MIX, lambda a, b, c: a / b, lambda v: np.abs(v - 1.5) <= 0.45),
    Case("root", A, "sqrt(a * b)", {"at_most": "2.2"}, UNI, lambda a, b, c: np.sqrt(a * b), lambda v: v <= 2.2),
    Case("root-undefined", A, "sqrt(a - b)", {"at_most": "1"}, UNI, lambda a, b, c: np.sqrt(a - b), lambda v: v <= 1),
    Case("log", A, "log(a * c)", {"at_least": "0"}, UNI, lambda a, b, c: np.log(a * c), lambda v: v >= 0),
    Case("log-undefined", A, "log(a - b)", {"at_least": "0"}, MIX, lambda a, b, c: np.log(a - b), lambda v: v >= 0),
    Case("power", A, "a ^ c", {"at_most": "1.5"}, UNI, lambda a, b, c: a**c, lambda v: v <= 1.5),
    Case("power-undefined", A, "(a - b) ^ c", {"at_least": "1"}, UNI, lambda a, b, c: (a - b) ** c, lambda v: v >= 1),
    Case("smallest", A, "min(a, b, 4 * c)", {"at_least": "1.5"}, UNI, lambda a, b, c: np.minimum(np.minimum(a, b), 4 * c), lambda v: v >= 1.5),
    Case("servers", A, "ceil(a * b)", {"at_most": "6"}, UNI, lambda a, b, c: np.ceil(a * b), lambda v: v <= 6),
    Case("branch", A, "if(a > b, a / b, b / a)", {"at_most": "1.6"}, UNI, lambda a, b, c: np.where(a > b, a / b, b / a), lambda v: v <= 1.6),
    Case("pole", A, "1 / (a - b)", {"at_least": "0.5"}, UNI, lambda a, b, c: 1 / (a - b), lambda v: v >= 0.5),
    Case("comparison", A, "a * c > b", {"is": "true"}, MIX, lambda a, b, c: (a * c > b).astype(float), lambda v: v == 1),
    Case("solved", A, "solve(u, a * u == b, between=0..1)", {"at_most": "0.6"}, UNI,
         lambda a, b, c: np.where(b / a <= 1, b / a, np.nan), lambda v: v <= 0.6),
    Case("solved-curve", A, "solve(u, u ^ 2 + c * u == a, between=0..4)", {"at_most": "1.5"}, UNI,
         lambda a, b, c: (-c + np.sqrt(c**2 + 4 * a)) / 2, lambda v: v <= 1.5),
    Case("one-uniform", A, "100 / a + b", {"at_most": "40"}, {"a": ("1", "5")}, lambda a, b, c: 100 / a + b, lambda v: v <= 40),
    Case("one-triangular", A, "a / (a + b)", {"at_least": "0.6"}, {"a": ("1", "5", "triangular")}, lambda a, b, c: a / (a + b), lambda v: v >= 0.6),
    Case("one-normal", A, "b - a * c", {"between": "0", "upper": "1"}, {"a": ("1", "5", "normal")}, lambda a, b, c: b - a * c, lambda v: (v >= 0) & (v <= 1)),
    Case("one-lognormal", A, "b / a", {"at_most": "1"}, {"a": ("1", "5", "lognormal")}, lambda a, b, c: b / a, lambda v: v <= 1),
)  # fmt: skip


def brute(case, count, seed=7):
    """The values of a claim at `count` random points, by numpy alone."""
    rng = np.random.default_rng(seed)
    columns = [
        drawn(rng, case.given[name], case.ranges[name], count) if name in case.ranges else np.full(count, float(case.given[name]))
        for name in ("a", "b", "c")
    ]  # fmt: skip
    with np.errstate(all="ignore"):
        return case.formula(*columns)
