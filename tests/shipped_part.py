import shutil

import yaml

from api.settings import SHIPPED

PART = (
    *("*.yaml", "prices/*.yaml", "terms/serving-metrics.yaml", "terms/inference-and-serving.yaml"),
    *("claims/caching-batch-and-routing.yaml", "claims/the-two-questions.yaml", "claims/kv-cache-and-batching.yaml"),
)
"""Files of the content that ships: every kind of rule, and all that the examples of the description name."""

EXAMPLE_NODES = ("caching-and-batch-stack", "batch-size-and-gpu-utilisation", "transformer-2017-base-configuration")
"""The notes that the examples of the description name."""


def write_part(folder):
    """Copy the part to a folder; gives it."""
    rules = [file for pattern in PART for file in SHIPPED.glob(pattern)]
    claims = [claim for file in rules for claim in yaml.safe_load(file.read_text("utf-8")).get("claims", ())]
    slugs = dict.fromkeys([*EXAMPLE_NODES, *(claim["node"].removeprefix("analyst/") for claim in claims)])
    for file in (*rules, *(SHIPPED / f"notes/{slug}.md" for slug in slugs)):
        target = folder / file.relative_to(SHIPPED)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    return folder
