"""docs/linting.md: the table has every rule, each example is reported by its rule, and its mend is not."""

import re
from pathlib import Path

import pytest
import yaml

from compute.linting.rule_table import RULES
from tests.compute.lint_world import SIBLING, rules

DOCS = (Path(__file__).parents[2] / "docs/linting.md").read_text("utf-8")


def test_the_table_has_every_rule_with_its_level_and_title():
    told = re.findall(r"^\| \[`([\w-]+)`\]\(#([\w-]+)\) \| (\w+) \| (.+) \|$", DOCS, re.M)
    assert told == [(rule.id, rule.id, rule.severity.value, rule.title) for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_example_is_reported_and_its_mend_is_not(rule):
    section = DOCS.partition(f"\n### {rule.id}\n")[2].partition("\n### ")[0]
    assert " ".join(rule.help.split()) in " ".join(section.split())
    text = re.search(r"^> (.+)$", section, re.M)[1]
    claim, mend = re.findall(r"```yaml\n(.+?)```", section, re.S)
    mended = yaml.safe_dump({**yaml.load(claim, yaml.BaseLoader), **yaml.load(mend, yaml.BaseLoader)})
    assert rule.id in rules(claim, text, [SIBLING])
    assert rules(mended, text, [SIBLING]) == set()
