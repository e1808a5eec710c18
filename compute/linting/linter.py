"""The linter: its rules, and their findings in claims, each at its line and column.

A claim switches a rule off with `allow: {rule: reason}`; a wrong or needless exception is itself a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from inspect import getdoc

from compute.claims.claim_loader import formula_position
from compute.linting import claim_rules, input_rules, model_rules
from compute.linting.subjects import Finding, LintContext, Subject
from graph.models.claim_models import Claim
from graph.problems import Problem, Severity
from graph.text.similar_names import did_you_mean
from graph.yaml.reader import Mapping as YamlMapping
from graph.yaml.reader import Position, Tree, Word, at, key_position, mappings, position, position_at, word
from graph.yaml.reader import field as yaml_field
from graph.yaml.validation import Source

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


_Read = Callable[[str], tuple[Source | None, dict[str, Tree]]]


def problems(claims: Sequence[Claim], context: LintContext, text: Callable[[str], str | None]) -> list[Problem]:
    """What the rules find in claims and these do not allow; `text` gives the text of a claim's document."""
    read = cache(partial(_document, text))  # each document is read once
    subjects = map(context.subject, claims)
    return [_problem(*found, one.claim, read) for one in subjects for found in _not_allowed(one)]


def counts(problems: Iterable[Problem]) -> dict[str, int]:
    """The number of findings of each rule, most first."""
    found = Counter(one.code.removeprefix("claims/") for one in problems if one.code.startswith("claims/"))
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _not_allowed(one: Subject) -> Iterator[tuple[str, Finding]]:
    """Findings that a claim does not allow, and those on its exceptions, by rule."""
    found = [(rule, finding) for rule, check in CHECKS.items() for finding in check(one)]
    allowed, fired = dict(one.claim.allow), {rule for rule, _ in found}
    yield from ((rule, finding) for rule, finding in found if rule not in allowed)
    for rule, reason in allowed.items():
        if wrong := _wrong(rule, reason, fires=rule in fired):
            yield "exception", Finding(("allow", rule), *wrong)


def _wrong(rule: str, reason: str, *, fires: bool) -> tuple[str, str] | None:
    if rule not in BY_ID:
        hint = did_you_mean(rule, BY_ID) or "one of " + ", ".join(BY_ID)
        return f"allow names {rule!r}, and there is no such rule", hint
    if len(reason.split()) < 2:
        return f"the exception from {rule} has no reason", f"write why: {rule}: the reason in a few words"
    if not fires:
        return f"the exception from {rule} is not needed: the rule finds nothing here", "remove it"
    return None


def _document(text: Callable[[str], str | None], name: str) -> tuple[Source | None, dict[str, Tree]]:
    written = text(name)
    if not written:
        return None, {}
    source = Source(name, written)
    tree = source.tree()
    listed = yaml_field(tree, "claims") if isinstance(tree, YamlMapping) else tree
    return source, {word(yaml_field(entry, "id")): entry for entry in mappings(listed)}


def _problem(name: str, finding: Finding, claim: Claim, read: _Read) -> Problem:
    rule, document = BY_ID[name], claim.place.document if claim.place else ""
    source, trees = read(document)
    place = _position(source, trees.get(claim.id), finding)
    line, column = place or (claim.place.line if claim.place else None, None)
    return Problem(
        document=document, line=line, column=column, severity=rule.severity, code=rule.code,
        message=f"{claim.id}: {finding.message} [{rule.id}]", hint=finding.hint,
        text=source.lines[line - 1] if source and line and line <= len(source.lines) else None,
    )  # fmt: skip


def _position(source: Source | None, tree: Tree, finding: Finding) -> Position | None:
    """The place of a field, or of the claim's id if it is not written."""
    if source is None or tree is None:
        return None
    value = at(tree, finding.path)
    if isinstance(value, Word) and finding.offset:
        return formula_position(source.lines, value, finding.offset)
    if finding.path[0] == "allow":
        return key_position(yaml_field(tree, "allow"), str(finding.path[-1])) or position_at(tree, finding.path)
    written = yaml_field(tree, str(finding.path[0])) is not None
    return position_at(tree, finding.path) if written else position_at(tree, ("id",)) or position(tree)
