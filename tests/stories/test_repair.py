"""`brain check --repair` rebuilds what is derived and touches nothing else."""

import sqlite3
from contextlib import closing

from filelock import FileLock

from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.written import stated

PRICE = 'price("acme/zorn", "input")'
MAP = '{{"zorn": {{"litellm_provider": "acme", "input_cost_per_token": {value}e-06}}}}'
DAMAGE = (
    "UPDATE meta SET value = '[1]' WHERE key = 'prices.seen'",
    "UPDATE seen_prices SET body = 'x'",
    """UPDATE meta SET value = replace(value, '"digest": "', '"digest": "0') WHERE key = 'prices.seen'""",
)


def repaired(home):
    told = home("check", "--repair", "--json")
    return {one["part"]: one["done"] for one in told.json["repairs"]}


def stored_tables(home):
    """Every table that is not derived, and the seen prices."""
    with home.brain() as brain:
        return {name: list(rows) for name, rows in brain.store.history.sections() if name != "meta"}


def test_derived_parts_are_rebuilt_and_nothing_else_is_touched(home):
    for day, value in (("2026-11-10", 2), ("2026-11-12", 3), ("2026-11-15", 4)):
        home.on(day)
        home("prices", "import", home.write("map.json", MAP.format(value=value)))
        if value == 2:
            stated(home, "zorn", PRICE, "2 USD/Mtok")
        assert home("verify").code == 0
    before = stored_tables(home)
    assert before["seen_prices"]
    sound = {"links": "sound", "seen prices": "sound", "search index": "rebuilt"}
    assert repaired(home) == sound
    assert stored_tables(home) == before

    for statement in DAMAGE:
        with home.brain() as brain, brain.store.writing() as work:
            assert work.sql.exec_driver_sql(statement).rowcount, statement
        told = home("check", "--json")
        assert "check --repair" in told.out + told.err, statement
        assert repaired(home) == {**sound, "seen prices": "rebuilt"}
        after = stored_tables(home)
        rows = [[{**row, "id": 0} for row in each["seen_prices"]] for each in (before, after)]
        assert rows[0] == rows[1], statement
        assert {**after, "seen_prices": 0} == {**before, "seen_prices": 0}, statement

    with FileLock(home.folder / "index" / "lock"):
        assert "could not be written now" in home("check", "--repair").out, "it said that all was rebuilt"
    with closing(sqlite3.connect(home.folder / "brain.db")) as other, other:
        other.execute("INSERT INTO node_tags (node, tag) VALUES ('gone/node', 'prices')")  # foreign keys are off
    (home.folder / "index" / "manifest.json").write_text("{}", "utf-8")
    told = home("check", "--repair")
    assert "removed 1 rows of node_tags" in told.out
    assert "rebuilt from" in told.out
    assert home("check").code == 0
    assert "index" not in [one["document"] for one in home("check", "--json").json["problems"]]
