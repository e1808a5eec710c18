"""The rules of the linter, in the order in which they are documented and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from compute.linting import date_rules, hedge_rules, input_rules, model_rules, quote_rules, tense_rules, vacuous_rules
from compute.linting.lint_models import Finding, LintContext, LintRule, Subject
from graph.problems import Severity

RULES: tuple[LintRule, ...] = (
    LintRule(
        "quote-hedge",
        "The text hedges the figure, and expect does not follow.",
        "Up to, at most and less than state an upper bound: at_most. At least, more than and over state a lower one: "
        "at_least. About needs a tolerance, nearly and almost one that reaches below, a range needs between, and "
        "typically, usually, can and may need more room than the rounding of the figure. "
        "Without a quote, the sentence in says is read.",
    ),
    LintRule(
        "threshold-point",
        "The text states from where on something holds, and expect tests one point.",
        "Above 60%, beyond, exceeds, from 60% on and break-even at 60% are true of every smaller break-even too. "
        "Write at_most or at_least.",
    ),
    LintRule(
        "unstated-input",
        "A number in a formula is neither in the text nor an assumption nor a price.",
        "A reader cannot check a number that the text does not state. State it, or name it as an assumption with a "
        "range. 0, 1, exponents, and plain conversions such as 12, 100, 1000 and 8760 are exempt. Any form counts: "
        "1,500, 1.5k and fifteen hundred are one number.",
    ),
    LintRule(
        "unknown-input",
        "A formula reads a price or an assumption that nothing knows.",
        "The name is misspelt, or the prices are not imported yet: the claim stays unverifiable. Correct the name, "
        "import the catalogue, or state a price card. `brain ingest` says this too, as a warning at the line.",
    ),
    LintRule(
        "sibling-values",
        "Claims use different numbers for one quantity.",
        "Two claims of one node, or with a common tag, give the same name different numbers, and the text of the node "
        "states at most one of them; or they expect the same sum of money and compute it with different rates. "
        "Use one value, best an assumption, or two names.",
    ),
    LintRule(
        "price-cancels",
        "The value does not depend on a price that the formula reads.",
        "The price is in the numerator and in the denominator. The linter computes the value with a price "
        "between a millionth and a million times the real one: the value stays the same.",
    ),
    LintRule(
        "cannot-fail",
        "No change of a price or an assumption can make the claim fail.",
        "Only numbers enter it and its author states the figure; or the bound covers every possible value, as at_least "
        "0 does; or the value is the bound itself.",
    ),
    LintRule(
        "model-named",
        "The text names one model or card, and the formula reads another, or the family.",
        "A family moves to a new model when there is one. Where the text names a version, read the price of that "
        "version; where it names none, read the family.",
    ),
    LintRule(
        "tolerance-narrow",
        "The tolerance is narrower than the rounding of the stated figure.",
        "60% means 59.5% to 60.5%, and $2.5M for $2.45M to $2.55M. A narrower test refutes a rounding. "
        "Exempt are list prices, and figures that the formula gives exactly: they are not rounded.",
    ),
    LintRule(
        "tolerance-wide",
        "The tolerance is wider than the words, or the value lies exactly at its edge, and the claim does not say why.",
        "within is the rounding of the stated figure, and the room that a hedge leaves: about 60% is 60% to within a "
        "tenth. A wider one lets a wrong figure hold. Write a smaller tolerance, or say why it is wider in because.",
        Severity.NOTE,
    ),
    LintRule(
        "tense-standing",
        "The quote names a day, a price or a version, or is in the past tense, and the claim is standing.",
        "A standing claim is judged every day. Words that fix the day, the price or the version that they speak of are "
        "true or false of that day only: write tense: dated.",
        Severity.NOTE,
    ),
    LintRule(
        "tense-family",
        "The claim is dated, and its formula follows a family.",
        "A family means another model from the day on which it moves. A dated claim reads the model that its words "
        "mean.",
        Severity.NOTE,
    ),
    LintRule(
        "tense-superseded",
        "The claim is standing, and its formula reads a model that is superseded.",
        "A claim about a model of the past is true or false of its own day: write tense: dated, or read the family.",
        Severity.NOTE,
    ),
    LintRule(
        "own-numbers",
        "A source states the figure, every given is a number of the claim, and it holds.",
        "Such a claim restates the arithmetic of its words. Give it an independent input: a price, an assumption or a "
        "table.",
        Severity.NOTE,
    ),
    LintRule(
        "as-of",
        "as_of does not fit the text.",
        "The quote names one year or month and as_of is in another; or the node was published on another day; or a "
        "price that the formula reads began later.",
    ),
    LintRule(
        "severity-quote",
        "The severity is above info, and there is no quote.",
        "A failing claim of this severity accuses somebody, so it must show the words. "
        "A claim with asserted_by: nobody needs no quote.",
    ),
    LintRule(
        "quote-figure",
        "The quote states no figure, or other figures than expect.",
        "Any equivalent form counts: 60%, 0.6, three fifths, 40% less. Whether the quote is in the text is checked at "
        "ingest.",
    ),
    LintRule(
        "helps-bound",
        "helps says the opposite of the bound.",
        "A value that must be at_least a bound strengthens the thesis when it is higher; with at_most, "
        "when it is lower.",
    ),
    LintRule(
        "stance-holds",
        "The node disputes a figure that holds.",
        "Either the node is wrong, or the claim does not test the figure that the node disputes.",
    ),
    LintRule(
        "root",
        "root names an unknown claim, or a circle of claims.",
        "root is the id of the claim that reports the same error of a source first.",
    ),
    LintRule(
        "exception",
        "An exception under allow has no reason, names no rule, or its rule finds nothing.",
        "Write the reason behind the rule, and remove an exception when it is not needed any more.",
    ),
)
BY_ID = {rule.id: rule for rule in RULES}

OfClaim = Callable[[Subject, LintContext], Iterable[Finding]]


class Checks(NamedTuple):
    """The functions of the rules: `of_claim` for each claim, `of_all` for claims together."""

    of_claim: tuple[OfClaim, ...]
    of_all: tuple[Callable[[LintContext], Iterable[Finding]], ...]


CHECKS = Checks(
    of_claim=(
        hedge_rules.hedges,
        hedge_rules.thresholds,
        input_rules.unstated_inputs,
        input_rules.unknown_inputs,
        input_rules.cancelled_prices,
        vacuous_rules.unfailing,
        model_rules.models,
        hedge_rules.tolerances,
        hedge_rules.wide_tolerances,
        tense_rules.standing_words,
        tense_rules.dated_families,
        tense_rules.superseded,
        tense_rules.own_numbers,
        date_rules.dates,
        quote_rules.severity,
        quote_rules.quoted_figure,
        quote_rules.helped,
        quote_rules.disputed,
        quote_rules.roots,
    ),
    of_all=(input_rules.siblings, input_rules.sum_siblings),
)
