"""JSON Schemas of the content files, for editors: `python -m api.schemas content/schema` writes them.

The loaders of the rooms decide what is right, with line and caret; these shapes let an editor complete fields and mark
mistakes while one types. A test holds their fields to those of the loaders, and the shipped content to the schemas.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from graph.nodes import Kind

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="A day, as 2026-11-21.")]
Figure = Annotated[
    str | int | float | bool, Field(description="A number with its unit, such as 2.50 USD/GPU/h or 60%.")
]
Formula = Annotated[str | int | float, Field(description="A formula; see docs/formulas.md.")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
Web = Annotated[str, Field(pattern=r"^https?://")]


class Shape(BaseModel):
    """A mapping of a file; unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Expect(Shape):
    """The bar: exactly one of the forms."""

    is_: Figure | None = Field(None, alias="is", description="This figure, within a tolerance.")
    within: Figure | None = Field(None, description="The tolerance of is, times and same_as; inclusive.")
    at_least: Figure | None = None
    at_most: Figure | None = None
    between: tuple[Figure, Figure] | str | None = Field(None, description="Two bounds, inclusive.")
    times: Figure | None = Field(None, description="A ratio.")
    same_as: str | None = Field(None, description="The id of another claim.")


class Claim(Shape):
    """A figure of the argument as a formula."""

    id: Slug
    node: str = Field(pattern=r"^[^/]+/.+$", description="The node that asserts it: brain/slug.")
    says: str = Field(description="The claim in one sentence.")
    as_of: Day = Field(description="The day on which the node asserted it.")
    given: dict[str, Formula] = Field(default_factory=dict, description="Names, each with its formula, in order.")
    value: Formula
    expect: Expect
    severity: Literal["info", "warning", "critical"] = "warning"
    tags: list[str] = []
    for_runs: int = Field(1, ge=1, description="So many runs in a row before a flag goes up.")
    contradicts: list[str] = Field([], description="Ids of claims that cannot hold as well.")
    note: str = ""
    source: str | None = None


class Price(Shape):
    """A price card."""

    item: str = Field(pattern=r"^[^/]+/.+$", description="provider/thing")
    component: str = Field(description="input, output, cache_read, on_demand, reserved_1y, spot, purchase, energy …")
    value: Figure
    from_: Day = Field(alias="from", description="The first day.")
    to: Day | None = Field(None, description="The day on which it no longer holds.")
    since: Literal["price", "record"] = Field("price", description="record: `from` is only the day of the record.")
    processing: str | None = None
    above: str | int | None = Field(None, description="Holds above so many tokens of context, such as 200k.")
    region: str | None = None
    source: Web
    checked: Day
    derived: str | None = Field(None, description="How it was computed, where the source does not state it.")
    note: str | None = None


class Assumption(Shape):
    """A named figure that nobody quotes a price for."""

    name: str
    value: Figure
    low: Figure | None = None
    high: Figure | None = None
    from_: Day | None = Field(None, alias="from")
    to: Day | None = None
    source: Web | None = None
    checked: Day | None = None
    note: str | None = None


class Member(Shape):
    """The model that a family meant from a day on."""

    from_: Day = Field(alias="from")
    model: str
    source: Web | None = None
    released: Day | None = None
    note: str | None = None


class Decision(Shape):
    """Which catalogue is believed, and why."""

    item: str
    component: str | None = None
    processing: str | None = None
    from_: Day = Field(alias="from")
    to: Day | None = None
    catalog: str
    reason: str
    note: str | None = None


class Limit(Shape):
    """The ages from which data are old, and too old."""

    catalog: str | None = None
    assumption: str | None = None
    warn_after: str = Field(pattern=r"^\d+ days?$")
    error_after: str = Field(pattern=r"^\d+ days?$")


class Term(Shape):
    """An entry of a glossary."""

    label: str
    abbreviation: str | None = None
    expansion: str | None = None
    variants: list[str] = []
    definition: str = ""
    broader: list[str] = []
    related: list[str] = []
    same_as: list[str] = []
    tags: list[str] = []
    sources: list[str] = []
    differs: str | None = Field(None, description="Where the definitions of others say something else.")
    note: str | None = None
    origin: list[str] = []


class NoteSource(Shape):
    """Where a note got something."""

    url: str
    title: str | None = None
    date: str | int | None = None


class Cite(Shape):
    """A typed link to another note."""

    to: str
    as_: str = Field("cites", alias="as", description="A CiTO property, such as citesAsEvidence or disputes.")


class Note(BaseModel):
    """The front matter of a note; fields that it does not know are kept."""

    title: str
    kind: Kind = Kind.READING
    tags: list[str] = []
    published: Day | None = None
    origin: str | None = None
    aliases: list[str] = []
    sources: list[NoteSource | str] = []
    cites: list[Cite | str] = []


class Claims(Shape):
    """A file of claims."""

    claims: list[Claim]


class Prices(Shape):
    """A file of price cards."""

    catalog: str = "cards"
    licence: str | None = None
    prices: list[Price]


class Assumptions(Shape):
    """A file of assumptions."""

    assumptions: list[Assumption]


class Families(Shape):
    """A file of families."""

    families: dict[str, list[Member]]


class Decisions(Shape):
    """A file of decisions."""

    decisions: list[Decision]


class Freshness(Shape):
    """A file of limits of age."""

    freshness: list[Limit]


class Tags(Shape):
    """A file of merged tags: each name, and the one that takes its place."""

    tags: dict[str, str]


class Terms(Shape):
    """A file of terms."""

    brain: str | None = None
    terms: list[Term]


FILES: Mapping[str, type[BaseModel]] = {
    "claims": Claims,
    "prices": Prices,
    "assumptions": Assumptions,
    "families": Families,
    "decisions": Decisions,
    "freshness": Freshness,
    "tags": Tags,
    "terms": Terms,
    "note": Note,
}
"""The schema of each kind of file, by the name of its file under content/schema."""


def schema(name: str) -> str:
    """The schema of a kind of file as JSON text."""
    made = TypeAdapter(FILES[name]).json_schema(by_alias=True)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **made}, indent=2) + "\n"


def write(folder: Path) -> None:
    """Write every schema into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (folder / f"{name}.json").write_text(schema(name), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "content/schema"))
