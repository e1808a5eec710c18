"""The example files for operators: what they name exists in the program."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "docs/deploy"


def test_every_alarm_reads_metrics_that_the_service_has_and_the_docs_name_each_metric():
    sources = "".join((ROOT / f"api/http/middleware/{name}.py").read_text() for name in ("metrics", "operator_metrics"))
    there = set(re.findall(r'"(brain_\w+)"', sources))
    text = (DEPLOY / "alarms.yml").read_text()
    asked = set(re.findall(r"\b(brain_\w+)", " ".join(re.findall(r"expr: (.*)", text))))
    assert {name.removesuffix("_total") for name in asked} <= there
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    assert all({"alert", "expr", "annotations"} <= set(rule) for rule in rules)
    table = (ROOT / "docs/nights.md").read_text().partition("## Metrics and alarms")[2].partition("\n## ")[0]
    assert {name.removesuffix("_total") for name in re.findall(r"`(brain_\w+)", table)} == there
