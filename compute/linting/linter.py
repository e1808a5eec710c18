"""The linter: claims in, findings out, each at its line and column.

A claim switches a rule off with `allow: {rule: reason}`. An exception without a reason, of an unknown rule, or of a
rule that finds nothing, is itself a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compute.claims.claim_cases import Cases
from compute.claims.claim_loader import formula_position
from compute.figures.price_subjects import lexicon
from compute.linting.claim_rules import moves
from compute.linting.rule_table import BY_ID, CHECKS
from compute.linting.subjects import Finding, LintContext, Subject, subject
from compute.prices.price_book import CatalogBook
from graph.models.claim_models import Claim
from graph.models.node_models import Node
from graph.problems import Problem
from graph.text.similar_names import did_you_mean
from graph.yaml.reader import Mapping as YamlMapping
from graph.yaml.reader import Position, Tree, Word, at, key_position, mappings, position, position_at, word
from graph.yaml.reader import field as yaml_field
from graph.yaml.validation import Source


@dataclass(frozen=True)
class Linter:
    """What the linter reads: prices, the evaluation of claims, nodes by id, and every claim that `root` may name."""

    book: CatalogBook
    cases: Cases
    node: Callable[[str], Node | None]
    known: Mapping[str, Claim] = field(default_factory=dict)

    def findings(self, claims: Sequence[Claim]) -> list[Finding]:
        """What the rules find in claims, by claim in their order, without what the claims allow."""
        found, context = self._subjects(claims)
        return [finding for one in found for finding in _not_allowed(one, context)]

    def moving(self, claims: Sequence[Claim]) -> list[str]:
        """The standing claims that a current price can change."""
        found, context = self._subjects(claims)
        return [one.claim.id for one in found if moves(one, context)]

    def _subjects(self, claims: Sequence[Claim]) -> tuple[list[Subject], LintContext]:
        found = [subject(claim, self.cases, self.node(claim.node)) for claim in claims]
        known = self.known or {claim.id: claim for claim in claims}
        return found, LintContext(self.book, lexicon(self.book), known)

    def problems(self, claims: Sequence[Claim], text: Callable[[str], str | None]) -> list[Problem]:
        """The findings as problems; `text` gives the text of the document of a claim."""
        by_id = {claim.id: claim for claim in claims}
        places = _Places(text)
        return [places.problem(finding, by_id[finding.claim]) for finding in self.findings(claims)]


def counts(problems: Iterable[Problem]) -> dict[str, int]:
    """The findings of the linter by rule, without the prefix, most first."""
    found = Counter(one.code.removeprefix("claims/") for one in problems if one.code.startswith("claims/"))
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _not_allowed(one: Subject, context: LintContext) -> Iterator[Finding]:
    """What the rules find in a claim that it does not allow, and what is wrong with its exceptions themselves."""
    found = [finding for check in CHECKS.values() for finding in check(one, context)]
    allowed, fired = dict(one.claim.allow), {finding.rule for finding in found}
    yield from (finding for finding in found if finding.rule not in allowed)
    for rule, reason in allowed.items():
        if wrong := _wrong(rule, reason, fires=rule in fired):
            yield Finding("exception", one.claim.id, ("allow", rule), *wrong)


def _wrong(rule: str, reason: str, *, fires: bool) -> tuple[str, str] | None:
    if rule not in BY_ID:
        hint = did_you_mean(rule, BY_ID) or "one of " + ", ".join(BY_ID)
        return f"allow names {rule!r}, and there is no such rule", hint
    if len(reason.split()) < 2:
        return f"the exception from {rule} has no reason", f"write why: {rule}: the reason in a few words"
    if not fires:
        return f"the exception from {rule} is not needed: the rule finds nothing here", "remove it"
    return None


class _Places:
    """The positions of the fields of claims; each document is read once."""

    def __init__(self, text: Callable[[str], str | None]) -> None:
        self._text = text
        self._read: dict[str, tuple[Source | None, dict[str, Tree]]] = {}

    def problem(self, finding: Finding, claim: Claim) -> Problem:
        """A finding with its line, column and text."""
        rule, document = BY_ID[finding.rule], claim.place.document if claim.place else ""
        source, trees = self._document(document)
        where = self._position(source, trees.get(claim.id), finding) or (
            claim.place.line if claim.place else None,
            None,
        )
        line = source.lines[where[0] - 1] if source and where[0] and where[0] <= len(source.lines) else None
        return Problem(
            document=document, line=where[0], column=where[1], severity=rule.severity, code=rule.code,
            message=f"{claim.id}: {finding.message} [{rule.id}]", text=line, hint=finding.hint,
        )  # fmt: skip

    def _document(self, name: str) -> tuple[Source | None, dict[str, Tree]]:
        if name not in self._read:
            text = self._text(name)
            source = Source(name, text) if text else None
            self._read[name] = (source, _by_id(source.tree()) if source else {})
        return self._read[name]

    @staticmethod
    def _position(source: Source | None, tree: Tree, finding: Finding) -> Position | None:
        """The place of a field; of a field that is not written, that of the id of the claim."""
        if source is None or tree is None:
            return None
        value = at(tree, finding.path)
        if isinstance(value, Word) and finding.offset:
            return formula_position(source.lines, value, finding.offset)
        if finding.path[0] == "allow":
            return key_position(yaml_field(tree, "allow"), str(finding.path[-1])) or position_at(tree, finding.path)
        written = yaml_field(tree, str(finding.path[0])) is not None
        return position_at(tree, finding.path) if written else position_at(tree, ("id",)) or position(tree)


def _by_id(tree: Tree) -> dict[str, Tree]:
    listed = yaml_field(tree, "claims") if isinstance(tree, YamlMapping) else tree
    return {word(yaml_field(entry, "id")): entry for entry in mappings(listed)}
