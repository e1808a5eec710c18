"""JSON Schemas of content files, from the models that read them; `python -m api.content_schema FOLDER` writes them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from compute.catalogs.price_cards import Prices
from compute.claims.claim_loader import Claims
from compute.prices.data_freshness import Limits
from compute.prices.families import Families
from compute.prices.rule_files import Assumptions, Decisions, Units
from ingest.formats.markdown_note import FrontMatter
from ingest.formats.term_file import Terms
from ingest.terms.tag_merges import Tags

FILES: Mapping[str, type[BaseModel]] = {
    "claims": Claims,
    "prices": Prices,
    "assumptions": Assumptions,
    "families": Families,
    "decisions": Decisions,
    "freshness": Limits,
    "units": Units,
    "tags": Tags,
    "terms": Terms,
    "note": FrontMatter,
}
"""The models of the files, by the name of the schema under content/schema."""


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
