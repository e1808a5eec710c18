"""The rules of the linter, in the order in which they are documented and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from compute.linting import claim_rules, input_rules, model_rules
from compute.linting.subjects import Finding, LintContext, Subject
from graph.problems import Severity


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule: `id` without the prefix `claims/`, what it finds, how to mend it, with a claim before and after."""

    id: str
    title: str
    help: str
    severity: Severity = Severity.WARNING

    @property
    def code(self) -> str:
        """The id in reports, SARIF and JSON."""
        return f"claims/{self.id}"


RULES: tuple[LintRule, ...] = (
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
        "version.",
    ),
    LintRule(
        "tolerance-narrow",
        "The tolerance is narrower than the rounding of the stated figure.",
        "60% means 59.5% to 60.5%, and $2.5M for $2.45M to $2.55M. A narrower test refutes a rounding. "
        "Exempt are list prices, and figures that the formula gives exactly: they are not rounded.",
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

RETIRED = frozenset(
    {
        "quote-hedge", "threshold-point", "sibling-values", "tolerance-wide", "tense-standing", "own-numbers", "as-of",
        "helps-bound",
    }
)  # fmt: skip
"""Rules of earlier versions: an exception from one of them is left alone."""

CHECKS: tuple[Callable[[Subject, LintContext], Iterable[Finding]], ...] = (
    input_rules.unstated_inputs,
    input_rules.unknown_inputs,
    input_rules.cancelled_prices,
    input_rules.unfailing,
    model_rules.models,
    claim_rules.tolerances,
    claim_rules.dated_families,
    claim_rules.superseded,
    claim_rules.severity,
    claim_rules.quoted_figure,
    claim_rules.disputed,
    claim_rules.roots,
)
"""The functions of the rules, for one claim each."""
