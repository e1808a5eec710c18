"""What services and pages derive from the store is of a committed state, whatever is written and rolled back meanwhile.

Each test asks a brain that saw the write as it happened, and one that is opened afterwards: both must say the same.
"""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from api.brain import Brain
from api.pages.views.claim_table import PageContext
from api.pages.views.ledger_pages import changes_of_run
from api.services.price_service import PriceService
from api.settings import Settings
from graph.models.query_models import NodeQuery
from tests.command import written
from tests.conftest import NOW, TODAY, few_packaged_prices
from tests.statements import after_statement

pytestmark = pytest.mark.usefixtures("few_prices")

FILES = {
    "cards.yaml": """prices:
  - {{item: acme/box, component: on_demand, value: {number} USD/GPU/h, from: 2025-01-01, since: record,
      source: 'https://example.org/acme', checked: 2026-01-01}}
""",
    "claims.yaml": """claims:
  - {{id: box-costs, node: notes/quay, says: 'A box costs {number}.', as_of: 2026-01-01,
      value: 'price("acme/box", "on_demand") * {number}', expect: {{at_most: 2 USD/GPU/h}}}}
""",
    "quay.md": "---\ntitle: Quay {number}\ntags: [t{number}]\n---\nSee [[tide]], {number} boxes for 9 USD each.\n",
    "tide.md": "---\ntitle: Tide\n---\nIt comes back.\n",
}


class Home:
    """A folder of files and a brain; `write` brings them all with another number, as another process would."""

    def __init__(self, folder):
        self.folder, self.settings = folder, Settings(home=folder / "home")

    def open(self):
        return Brain.open(self.settings)

    def write(self, brain, number):
        written(self.folder, {name: text.format(number=number) for name, text in FILES.items()})
        assert brain.ingest([self.folder / name for name in FILES], at=NOW).stored

    def run(self, brain):
        brain.verify(TODAY, at=NOW, clock=lambda: NOW)


ASKED = {
    "prices": lambda context: context.brain.prices.book().prices("acme/box"),
    "explained": lambda context: context.brain.evaluator.explain("box-costs", TODAY),
    "claims": lambda context: context.brain.status.claims(),
    "states": lambda context: context.brain.status.states(),
    "readers": lambda context: sorted(context.brain.status.impact("acme/box", TODAY).claims),
    "health": lambda context: sorted(context.brain.status.healths().items()),
    "rests": lambda context: sorted(context.brain.status.dependencies().nodes),
    "drafts": lambda context: context.brain.mining.drafts(context.brain.store.nodes.get("notes/quay"), TODAY),
    "drawing": lambda context: [(dot.id, dot.title) for dot in context.brain.links.drawing().dots],
    "related": lambda context: context.brain.links.related("notes/quay"),
    "claim table": lambda context: sorted(context.claim_table().lines.items()),
    "changes": lambda context: changes_of_run(context, *[*context.brain.ledger.runs(2), None, None][:2], TODAY),
    "page explained": lambda context: context.explain("box-costs", TODAY),
    "node": lambda context: context.brain.store.nodes.get("notes/quay"),
    "list": lambda context: context.brain.store.nodes.page(NodeQuery()),
    "tags": lambda context: context.brain.store.tags.all(),
}


@pytest.fixture(scope="module")
def first_home(tmp_path_factory):
    made = Home(tmp_path_factory.mktemp("first"))
    with few_packaged_prices(), made.open() as brain:
        made.write(brain, 1)
        made.run(brain)
    return made


@pytest.fixture
def home(first_home, tmp_path):
    return Home(Path(shutil.copytree(first_home.folder, tmp_path / "copy")))


def answers(context, names=tuple(ASKED)):
    return {name: repr(ASKED[name](context)) for name in names}


def fresh(home, names=tuple(ASKED)):
    with home.open() as brain:
        return answers(PageContext(brain), names)


def test_inside_a_write_one_sees_what_it_did_and_what_is_rolled_back_is_forgotten(home):
    with home.open() as brain:
        context, inside = PageContext(brain), []
        answers(context)

        def undone():
            with suppress(InterruptedError), brain.transaction():
                home.write(brain, 2)
                home.run(brain)
                inside.append(answers(context))
                raise InterruptedError

        for write in (lambda: home.write(brain, 3), lambda: home.run(brain)):  # one commit each, as the one undone
            undone()
            write()
            assert answers(context) == fresh(home)
        undone()
        assert answers(context) == fresh(home)
        home.write(brain, 2)
        home.run(brain)
        assert inside[-1] == answers(context) == fresh(home)


@pytest.mark.parametrize("name", FILES)
def test_each_answer_follows_whichever_document_alone_has_changed(home, name):
    with home.open() as brain:
        context = PageContext(brain)
        answers(context)
        (home.folder / name).write_text(FILES[name].format(number=2) + "\n", "utf-8")
        assert brain.ingest([home.folder / name], at=NOW).stored
        seen = answers(context)
    assert seen == fresh(home)


INTERLEAVED = ("prices", "claims", "states", "health", "rests", "claim table", "related", "node", "list", "tags")
"""One question for each cache; the others are made from these."""


@pytest.mark.parametrize("name", INTERLEAVED)
def test_a_write_between_any_two_statements_of_a_question_leaves_no_stale_answer(home, name):
    ask, number = ASKED[name], 1
    with home.open() as other:
        while True:
            with home.open() as brain:
                context = PageContext(brain)

                def write(number=number):
                    home.write(other, number + 1)
                    home.run(other)

                with after_statement(brain.store, number, write) as seen:
                    ask(context)
                if len(seen) < number:
                    break
                assert repr(ask(context)) == fresh(home, [name])[name], f"written after statement {number}"
            number += 1
    assert number > 1


def test_a_run_records_what_it_was_made_from_whatever_is_written_meanwhile(home):
    """A write between any two statements comes before the run or after it, so the run can be computed again."""
    number = 1
    with home.open() as other:
        while True:
            with home.open() as brain:

                def write(number=number):
                    home.write(other, number + 1)

                with after_statement(brain.store, number, write) as seen:
                    run = brain.evaluator.append(TODAY, at=NOW, clock=lambda: NOW)
                assert brain.evaluator.rerun(run.id).same, f"written after statement {number}"
                if len(seen) < number:
                    break
            number += 1


def test_the_book_outlives_a_run_and_not_a_price(home):
    with home.open() as brain:
        book = brain.mining.book()
        assert book is brain.prices.book()
        home.run(brain)
        assert brain.mining.book() is book
        home.write(brain, 2)
        assert brain.mining.book() is brain.prices.book() is not book


def test_the_prices_of_an_earlier_run_are_read_once_until_anything_is_written(home, monkeypatch):
    """Each question about an earlier run made its price book again: over a second with the shipped catalogues."""
    read = []
    snapshot = PriceService.snapshot
    monkeypatch.setattr(PriceService, "snapshot", lambda self, digest: (read.append(digest), snapshot(self, digest))[1])
    with home.open() as brain:
        old = brain.ledger.latest_run()
        home.write(brain, 3)

        def values():
            return [brain.evaluator.explain("box-costs", TODAY, run=old).now.value for _ in range(3)]

        assert values() == [1, 1, 1]
        assert read.count(old.snapshot) == 1
        assert brain.evaluator.explain("box-costs", TODAY).now.value == 9
        home.run(brain)
        assert values() == [1, 1, 1]
        assert read.count(old.snapshot) == 2
        assert brain.evaluator.rerun(old.id).same
        assert read.count(old.snapshot) == 3, "a run is checked against what is stored, not against the cache"
