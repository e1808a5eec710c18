"""The examples of content/README.md, as its reader would try them."""

import re

from api.settings import SHIPPED

GUIDE = (SHIPPED / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"<!-- example: (\S+) -->\n```\w+\n(.*?)```", GUIDE, flags=re.S)


def test_the_guide_shows_one_of_each():
    assert [name.partition("/")[0] for name, _ in EXAMPLES] == ["notes", "terms", "prices", "claims"]


def test_the_examples_work_together(brain, write):
    for name, text in EXAMPLES:
        path = write(name, text)
    write("brain.yaml", "brain: analyst\n")
    report = brain("ingest", path.parents[1], "--strict", "--json")
    assert report.code == 0, report.out
    found = brain("explain", "v100-spot-below-its-power", "--as-of", "2026-11-21", "--json").json
    assert found["verdict"] == "holds"
    assert round(found["value"], 3) == 0.889
