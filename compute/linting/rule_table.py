"""The rules of the linter, in the order in which they are documented and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import getdoc

from compute.linting import claim_rules, input_rules, model_rules
from compute.linting.subjects import Finding, Subject
from graph.problems import Severity

Check = Callable[[Subject], Iterable[Finding]]
CHECKS: dict[str, Check] = {
    "unstated-input": input_rules.unstated_inputs,
    "unknown-input": input_rules.unknown_inputs,
    "price-cancels": input_rules.cancelled_prices,
    "cannot-fail": input_rules.unfailing,
    "model-named": model_rules.models,
    "tolerance-narrow": claim_rules.tolerances,
    "tense-family": claim_rules.dated_families,
    "tense-superseded": claim_rules.superseded,
    "severity-quote": claim_rules.severity,
    "quote-figure": claim_rules.quoted_figure,
    "stance-holds": claim_rules.disputed,
    "root": claim_rules.roots,
}
"""The function of each rule; its docstring is the rule's title and help, which users read."""
_NOTES = frozenset({"tense-family", "tense-superseded"})


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule: its title in a sentence, `help` with what to do, and its usual severity."""

    code: str
    title: str
    help: str
    severity: Severity = Severity.WARNING

    @property
    def id(self) -> str:
        """The code without its prefix `claims/`."""
        return self.code.rpartition("/")[2]


def _rule(name: str, check: Check) -> LintRule:
    title, *text = (getdoc(check) or "").splitlines()
    help_text, severity = " ".join(text).strip(), Severity.NOTE if name in _NOTES else Severity.WARNING
    return LintRule(f"claims/{name}", title, help_text, severity)


RULES: tuple[LintRule, ...] = (
    *(_rule(name, check) for name, check in CHECKS.items()),
    LintRule(
        "claims/exception",
        "An exception under allow has no reason, names no rule, or its rule finds nothing.",
        "Write the reason behind the rule, and remove an exception when it is not needed any more.",
    ),
)
BY_ID = {rule.id: rule for rule in RULES}
