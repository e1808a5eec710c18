"""A brain whose relay discount went from 40% to 60% on the first of September."""

import shutil

import pytest

from api.brain import Brain
from api.settings import Settings
from tests.command import written
from tests.conftest import NOW, TODAY

DAY = ("--as-of", "2026-11-20")
CLAIMS = """
claims:
  - {id: relay-discount, node: ledger/relay, says: A relayed parcel costs 40% less than the counter tariff of the depot.,
     as_of: 2026-01-10, given: {counter: 'price("depot/parcel", "counter")', relay: 'price("depot/parcel", "relay")'},
     value: 1 - relay / counter, expect: {is: 40%, within: 0.5pp}}
  - {id: counter-tariff, node: ledger/relay, says: The counter tariff of the depot is five dollars.,
     as_of: 2026-01-10, value: 'price("depot/parcel", "counter")', expect: {is: 5 USD, within: 0.01 USD}}
"""
PRICES = """
prices:
  - {item: depot/parcel, component: counter, value: 5.00 USD, from: 2025-06-01, <>}
  - {item: depot/parcel, component: relay, value: 3.00 USD, from: 2025-06-01, to: 2026-09-01, <>}
  - {item: depot/parcel, component: relay, value: 2.00 USD, from: 2026-09-01, <>}
""".replace("<>", "source: 'https://depot.example/tariff', checked: 2026-11-01")
NOTE = "---\ntitle: Relay\nbrain: ledger\n---\n\nA relayed parcel is two fifths below the counter tariff.\n"


@pytest.fixture(name="home")
def relay_home(brain, tmp_path, tmp_path_factory):
    """The command of the brain, on a copy of a home that read its notes, prices and claims."""
    made = tmp_path_factory.getbasetemp() / "relay"
    if not made.exists():
        files = {"prices.yaml": PRICES, "claims.yaml": CLAIMS, "relay.md": NOTE}
        written(made, files)
        with Brain.open(Settings(home=made / "own")) as opened:
            assert all(opened.ingest([made / name], at=NOW).stored for name in files)
            opened.verify(TODAY, at=NOW, clock=lambda: NOW)
    shutil.copytree(made / "own", tmp_path / "own")
    return brain
