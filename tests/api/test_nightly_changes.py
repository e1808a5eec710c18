"""What a nightly run reports of a changed claim is about that night, not about the day of the claim."""

from datetime import UTC, date, datetime, timedelta

from api.brain import Brain
from api.settings import Settings

NOTE = "---\ntitle: Sea\nkind: thesis\n---\nA ton costs at most $10.\n"
CLAIM = """claims:
  - {id: ton, node: sea/n, says: A ton., quote: A ton costs at most $10., as_of: 2026-05-01,
     value: 'price("sea/ton", "energy")', expect: {at_most: 10 USD/kWh}}
"""
NIGHTS = [
    ("9", "ports"),
    ("14", "ports"),  # the price rises
    ("9.5", "harbour"),  # another site answers: it returns, above the price of its own day
    ("12", "harbour"),  # the price of that other site rises
]
FIRST = date(2026, 6, 1)


def cards(nights):
    """The price cards after some nights, each of which brought another price."""
    told = "catalog: cards\nlicence: own\nprices:\n"
    for number, (value, place) in enumerate(nights):
        end = f", to: {FIRST + timedelta(number + 1)}" if number + 1 < len(nights) else ""
        start = FIRST + timedelta(number) if number else date(2026, 1, 1)
        told += (
            f"  - {{item: sea/ton, component: energy, value: {value} USD/kWh, from: {start}{end}, "
            f"source: 'https://{place}.example/p', checked: {FIRST + timedelta(len(nights))}}}\n"
        )
    return told


def test_each_turn_has_the_cause_and_the_effect_of_its_night(tmp_path):
    folder = tmp_path / "sea"
    folder.mkdir()
    for name, text in {"brain.yaml": "brain: sea\n", "n.md": NOTE, "claims.yaml": CLAIM}.items():
        (folder / name).write_text(text)
    told = []
    for night in range(len(NIGHTS)):
        (folder / "prices.yaml").write_text(cards(NIGHTS[: night + 1]))
        day = FIRST + timedelta(night)
        at = datetime(day.year, day.month, day.day, 4, tzinfo=UTC)
        with Brain.open(Settings(home=tmp_path / "home")) as brain:
            brain.ingest([folder], at=at)
            report = brain.reports.report(brain.verify(day, at=at, clock=lambda at=at: at))
        told += [(one.after, one.cause, one.helps_thesis) for one in report.changes if one.before]
    assert told == [
        ("stale", "price_moved", False),
        ("holds", "source_changed", True),  # it was: a price moved, which hurts the thesis
        ("stale", "price_moved", False),  # it was: another source answers
    ]
