"""A small world for the linter: invented prices, a note with any text, and claims from YAML fragments."""

from datetime import date

import yaml

from compute.claims.claim_cases import Cases, Terms
from compute.claims.claim_loader import load
from compute.linting import linter
from compute.linting.subjects import LintContext
from compute.prices.families import Family, Member
from graph.models.node_models import Kind, Node, Provenance
from tests.compute.made import assumed, book_of, price

TODAY = date(2026, 6, 1)


BOOK = book_of(
    [
        price("30", "openai/gpt-4", "input"),
        price("60", "openai/gpt-4", "output"),
        price("12", "openai/gpt-4", "batch"),
        price("10", "openai/gpt-4-turbo", "input"),
        price("30", "openai/gpt-4-turbo", "output"),
        price("3", "anthropic/claude-3-5-sonnet", "input"),
        price("3", "anthropic/claude-sonnet-4-6", "input"),
        price("9", "openai/late-7", "input", valid_from=date(2025, 9, 1)),
        price("2.50", "market/h100", "on_demand", "USD/GPU/h"),
        price("30000", "market/h100", "purchase", "USD/GPU"),
        price("1.20", "market/a100", "on_demand", "USD/GPU/h"),
        price("0.10", "market/power", "energy", "USD/kWh"),
        price("210", "market/wheat", "spot", "USD/tonne"),
    ],
    families=[
        Family(
            name="anthropic/sonnet",
            members=(
                Member(begins=date(2024, 6, 20), model="anthropic/claude-3-5-sonnet"),
                Member(begins=date(2026, 2, 1), model="anthropic/claude-sonnet-4-6"),
            ),
        )
    ],
    assumptions=[assumed("pue", "1.3", "", "1.1", "1.6")],
)
PLAIN = {
    "id": "claim", "node": "acme/note", "says": "A sentence without a figure.", "as_of": "2026-05-31",
    "severity": "info", "value": 'price("market/power", "energy")', "expect": {"is": "0.10 USD/kWh"},
}  # fmt: skip
SIBLING = {**PLAIN, "id": "sibling", "given": {"tariff": "0.06 USD/kWh"}, "value": "tariff * 1 kW * 1 year",
           "expect": {"is": "525.6 USD"}, "source": "https://example.org"}  # fmt: skip


def note(text, slug="note", **rest):
    place = Provenance(document="note.md", first_line=1, last_line=1, sha256="0")
    return Node(id=f"acme/{slug}", brain="acme", kind=Kind.READING, title="A note", body=text, provenance=place, **rest)


def claim(fragment="", **fields):
    """The fields of a claim: those of a YAML fragment over plain ones."""
    found = {**PLAIN, **(yaml.load(fragment, yaml.BaseLoader) or {}), **fields}
    if "given" not in found and "given" not in fields:
        found.pop("given", None)
    return found


def problems(claims, text="", **rest):
    """The findings as problems, for claims as dictionaries; `text` is the text of their note."""
    written = yaml.safe_dump({"claims": claims}, sort_keys=False, allow_unicode=True)
    read, wrong = load("claims.yaml", written)
    assert [one.message for one in wrong if one.severity == "error"] == []
    nodes = {"acme/note": note(text, **rest)}
    cases = Cases(BOOK, TODAY, Terms(find={one.id: one for one in read}.get))
    context = LintContext(BOOK, cases, nodes.get, {one.id: one for one in read})
    return linter.problems(read, context, lambda _: written)


def rules(fragment="", text="", others=(), **rest):
    found = problems([claim(fragment, **rest), *others], text)
    return {one.code.removeprefix("claims/") for one in found if one.message.startswith("claim:")}
