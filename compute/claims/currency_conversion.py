"""Claims in another currency: the same claim with its money multiplied by dated exchange rates.

A claim with figures in several currencies is computed in one of them, and any claim about money can be shown in another
currency. Both rewrite the formulas, so that a rate is an input like others, with its day and its source:

    given:                                        given:
                                                    usd_per_eur: price("fx/usd_per_eur", "rate")
      cloud: price("acme/vm", "on_demand")   ──▶    cloud: (price("acme/vm", "on_demand")) / usd_per_eur

The rate is that of the day of evaluation, or of the day that a lookup names. It is quoted directly, or else goes
through the euro; if it is not quoted, an assumption of the same name (`usd_per_eur`) is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from compute.claims.claim_program import Program
from compute.claims.expectations import split_bounds
from compute.claims.input_lookups import Figure
from compute.formula.formula_tree import Leaf, Number, parts
from compute.prices.price_models import RATE, Assumption, Book, Missing, Question, Quote, rate_item, rate_name
from compute.units.unit_table import CURRENCIES
from compute.units.units import PLAIN, Unit, currencies, unit
from graph.models.claim_models import Claim
from graph.text.similar_names import did_you_mean

_LOOKUP = re.compile(r"[a-z]+\([^()]*\)")


class CurrencyError(ValueError):
    """A claim cannot be converted: no such currency, its value is not money, or it is compared."""


def currency_code(text: str) -> str:
    """Code of a currency, in either case; raises CurrencyError."""
    code = text.strip().upper()
    if code not in CURRENCIES:
        hint = did_you_mean(text.upper()[:20], CURRENCIES) or "write a code such as EUR"
        raise CurrencyError(f"{text[:60]!r} is not a currency; {hint}")
    return code


class _Rates:
    """Exchange rates that a claim needs, as given figures."""

    def __init__(self, claim: Claim, book: Book, on: date) -> None:
        self.given: dict[str, str] = {}
        self._book, self._on = book, on
        self._taken = {name for name, _ in claim.given}

    def factor(self, of: str, to: str, power: int, pinned: date | None = None) -> str:
        """Factor that converts a power of the currency `of` into `to`, such as ` / usd_per_eur`."""
        text = ""
        for name, mark in self._legs(of, to, pinned or self._on):
            exponent = power if mark == "*" else -power
            raised = f" ^ {abs(exponent)}" if abs(exponent) != 1 else ""
            text += f" {'*' if exponent > 0 else '/'} {self._name(name, pinned)}{raised}"
        return text

    def _legs(self, of: str, to: str, on: date) -> Iterator[tuple[str, str]]:
        for name, mark in ((rate_name(of, to), "/"), (rate_name(to, of), "*")):
            if self._lookup(name, on):
                yield name, mark
                return
        if to != "EUR":
            yield rate_name(to, "EUR"), "*"
        if of != "EUR":
            yield rate_name(of, "EUR"), "/"

    def _lookup(self, name: str, on: date) -> str:
        """The function that looks up a rate; empty if nothing knows it."""
        if isinstance(self._book.price(Question(item=rate_item(name), component=RATE), on), Quote):
            return "price"
        return "assume" if isinstance(self._book.assumption(name, on), Assumption) else ""

    def _name(self, name: str, pinned: date | None) -> str:
        """Name of the given figure of a rate; adds it if missing."""
        day = f", on={pinned.isoformat()}" if pinned else ""
        assumed = self._lookup(name, pinned or self._on) == "assume"
        text = f'assume("{name}"{day})' if assumed else f'price("{rate_item(name)}", "{RATE}"{day})'
        wanted = name + (f"_{pinned:%Y%m%d}" if pinned else "")
        while wanted in self._taken:
            wanted += "_rate"
        self.given[wanted] = text
        return wanted


def in_one_currency(
    claim: Claim, compiled: Program, figures: Sequence[Figure | Missing], book: Book, on: date
) -> Claim | None:
    """The claim with its figures in one currency; None if they are already, or one cannot be converted.

    That currency is the one that the formulas name, else that of the first money input.
    """
    known = [figure for figure in figures if isinstance(figure, Figure)]
    fixed = _named_currencies(compiled)
    found = list(dict.fromkeys(name for figure in known for name in sorted(currencies(figure.dimension))))
    if len(known) < len(figures) or len(fixed) > 1 or len(fixed.union(found)) < 2:
        return None
    to = next(iter(fixed), found[0])
    rates = _Rates(claim, book, on)
    factors = [_factor(rates, leaf, figure, to) for leaf, figure in zip(compiled.leaves, known, strict=True)]
    named = {given.name: factors[given.slot] for given in compiled.givens if given.leaf}
    inline = {label: factor for label, factor in zip(compiled.labels, factors, strict=True) if label not in named}
    claim = _ranges_renamed(claim, {name for name, factor in named.items() if factor})
    given = tuple(
        (name, _bracketed(text) + named[name] if named.get(name) else _replaced(text, inline))
        for name, text in claim.given
    )
    return _with(claim, rates, given, lambda text: _replaced(text, inline))


def stated_name(name: str) -> str:
    """Name of a ranged figure before its conversion: a converted figure is computed and has no range."""
    return f"{name}_stated"


def _ranges_renamed(claim: Claim, converted: set[str]) -> Claim:
    """The claim with converted figures that have ranges under names of their own."""
    ranged = {one.name for one in claim.ranges} & converted
    if not ranged:
        return claim
    given: list[tuple[str, str]] = []
    for name, text in claim.given:
        given += [(stated_name(name), text), (name, stated_name(name))] if name in ranged else [(name, text)]
    ranges = tuple(
        one.model_copy(update={"name": stated_name(one.name)}) if one.name in ranged else one for one in claim.ranges
    )
    return claim.model_copy(update={"given": tuple(given), "ranges": ranges})


def _bracketed(text: str) -> str:
    """A formula as one factor; a lookup needs no brackets."""
    return text if _LOOKUP.fullmatch(text.strip()) else f"({text})"


def _factor(rates: _Rates, leaf: Leaf, figure: Figure, to: str) -> str:
    powers = figure.dimension.powers
    others = sorted(currencies(figure.dimension) - {to})
    return "".join(rates.factor(of, to, powers[of], leaf.on) for of in others)


def _replaced(text: str, inline: dict[str, str]) -> str:
    """A formula with a factor after each lookup that needs one."""
    written = " ".join(text.split())
    for label in sorted(inline, key=len, reverse=True):
        if inline[label]:
            written = written.replace(label, f"({label}{inline[label]})")
    return written


def _named_currencies(compiled: Program) -> set[str]:
    """Currencies of the unnamed figures in formulas."""
    bar = compiled.bar
    terms = [compiled.term, *(given.term for given in compiled.givens if not given.leaf)]
    terms += [bound.term for bound in (bar.bound, bar.upper, bar.within) if bound is not None]
    units = (one.unit for term in terms for one in parts(term) if isinstance(one, Number) and one.unit)
    return {name for unit in units for name in currencies(unit.dimension)}


def in_currency(claim: Claim, found: Unit, to: str, book: Book, on: date) -> tuple[Claim, Unit]:
    """The claim with its value (of unit `found`) and expectation in the currency `to`, and the unit to show them in.

    Both sides get the same rate, so the verdict stays the same.

    Raises:
        CurrencyError: the value is not money in one currency, or the claim is compared with another claim.
    """
    powers = {name: power for name, power in found.dimension.powers.items() if name in CURRENCIES}
    if len(powers) != 1:
        what = "a ratio or a percentage" if found.dimension is PLAIN else f"in {found.dimension}"
        raise CurrencyError(f"the value of {claim.id} is {what}, not money; it is the same in every currency")
    if claim.expect.form == "same_as":
        other = claim.expect.bound
        raise CurrencyError(f"{claim.id} is compared with {other}; ask for {other} in that currency instead")
    [(of, power)] = powers.items()
    shown_in = _in(found, of, to)
    if of == to:
        return claim, shown_in
    rates = _Rates(claim, book, on)
    factor = rates.factor(of, to, power)
    return _with(claim, rates, claim.given, lambda text: f"({text}){factor}", whole=True), shown_in


def _in(found: Unit, of: str, to: str) -> Unit:
    """A unit in another currency: `USD/GPU/h` becomes `EUR/GPU/h`, `ct/kWh` becomes `USD/kWh`."""
    parts = found.text.replace("*", "/").split("/")
    if of in parts:
        return unit(found.text.replace(of, to, 1))
    money = next((part for part in parts if part and currencies(unit(part).dimension)), "")
    return unit(found.text.replace(money, to, 1)) if money else found


def _with(
    claim: Claim,
    rates: _Rates,
    given: tuple[tuple[str, str], ...],
    change: Callable[[str], str],
    *,
    whole: bool = False,
) -> Claim:
    expect = claim.expect
    bound, upper = split_bounds(expect)
    within = expect.within
    if within is not None and not (whole and _is_share(within, given)):
        within = change(within)
    changed = expect.model_copy(
        update={
            "bound": change(bound) if expect.form != "same_as" else bound,
            "upper": upper and change(upper),
            "within": within,
        }
    )
    return claim.model_copy(
        update={"given": (*rates.given.items(), *given), "value": change(claim.value), "expect": changed}
    )


def _is_share(text: str, given: Sequence[tuple[str, str]]) -> bool:
    """Whether a tolerance is a share of the bound, written directly or given."""
    written = dict(given).get(text.strip(), text).strip()
    return written.endswith(("%", "pp", "percent", "bps"))
