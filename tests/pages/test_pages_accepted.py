"""Whatever an ingest accepts can be shown: every page of every node, every form of it, and every export."""

import json
from collections import deque
from itertools import islice
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.brain import Brain
from api.cli.home_commands import ExportFormat
from api.services import exports
from api.services.importing.document_importer import ImportOptions
from api.settings import Settings
from ingest.document_reader import read
from ingest.source_files import SourceFile
from tests.ingest.formats_laws import DEMANDS, texts, write_json
from tests.ingest.own_documents import OWN, resolve
from tests.pages.invented import TODAY, at
from tests.web_client import web_client

NOW = at(TODAY, 7)
PAGES = ("/nodes/{id}", "/nodes/{id}/statements", "/previews/{id}", "/terms/{id}")
RECORDS = (
    "",
    *(f"?format={form}" for form in ("json", "turtle", "jsonld", "markdown", "html")),
    *(f"/{part}" for part in ("citations", "backlinks", "related", "dependents", "claims", "health", "statements")),
)
LISTS = ("/", "/search?q=the", "/tags", "/sources", "/terms", "/claims", "/graph", "/graph.json", "/changes", "/about",
         "/v1/nodes", "/v1/nodes?format=csv", "/v1/tags", "/v1/sources", "/v1/terms", "/v1/documents", "/v1/graph", "/feed.atom")  # fmt: skip  # one list
FOLDERS = ("markdown", "vault")
EXPORTS = tuple(form for form in get_args(ExportFormat) if form not in FOLDERS)
NOTES = {
    "only front matter": "---\ntitle: Only front matter\n---\n",
    "only front matter and a blank line": "---\ntitle: Only front matter\n---\n\n",
    "a lone heading": "# A lone heading\n",
    "a lone heading of level 2": "## A lone heading\n",
    "only definitions of links": "[a]: https://a.example\n[b]: https://b.example 'B'\n",
    "front matter and definitions of links": "---\ntitle: A\n---\n\n[a]: https://a.example\n",
    "only a footnote that nothing refers to": "---\ntitle: A\n---\n\n[^a]: Nobody refers to this.\n",
    "only a rule": "---\ntitle: A\n---\n\n***\n",
    "only an empty list item": "---\ntitle: A\n---\n\n-\n",
    "only an empty quotation": "---\ntitle: A\n---\n\n>\n",
    "only a comment": "---\ntitle: A\n---\n\n<!-- nothing -->\n",
    "only an empty fence": "---\ntitle: A\n---\n\n```\n```\n",
    "an empty table": "---\ntitle: A\n---\n\n| |\n|-|\n",
    "only spaces that do not break": "---\ntitle: A\n---\n\n\xa0\u2003\u200b\n",
    "only an empty formula": "---\ntitle: A\n---\n\n$$\n$$\n",
}


class Shown:
    """A service with its pages, and an ingest next to it."""

    def __init__(self, brain, client):
        self.brain, self.client = brain, client

    def take(self, data, name="x.md", form=None):
        """Put a document in the place of the one of before; False where it was refused."""
        return self.brain.importer.take([SourceFile(data, name)], at=NOW, options=ImportOptions(form=form)).stored

    def check(self, most=3):
        """Ask every address about the first nodes: a glossary has dozens of one kind."""
        for node in islice(self.brain.nodes.all(), most):
            for path in PAGES:
                self.ask(path.format(id=node.id), 404 if path.startswith("/terms") else 200)
            for part in RECORDS:
                self.ask(f"/v1/nodes/{node.id}{part}")
        for path in LISTS:
            self.ask(path)
        for form in EXPORTS:
            deque(exports.pieces(self.brain, form, "http://localhost"), maxlen=0)

    def ask(self, path, also=200):
        """The answer is no error."""
        accept = "*/*" if path.startswith(("/v1", "/feed", "/graph.json")) else "text/html"
        answer = self.client.get(path, headers={"accept": accept})
        assert answer.status_code in {200, also}, (path, answer.status_code, answer.text[:300])


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with (
        Brain.open(Settings(home=tmp_path_factory.mktemp("accepted"))) as brain,
        web_client(brain, lambda: NOW) as client,
    ):
        yield Shown(brain, client)


def test_notes_with_hardly_any_text_have_their_pages(tmp_path):
    with Brain.open(Settings(home=tmp_path)) as brain, web_client(brain, lambda: NOW) as client:
        files = [SourceFile(text.encode(), f"{name}.md") for name, text in NOTES.items()]
        assert brain.importer.take(files, at=NOW).stored
        assert sum(brain.nodes.count().values()) == len(NOTES)
        Shown(brain, client).check(len(NOTES))


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # Whoosh leaves a file open when it rebuilds
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts([text for _, text in OWN.values()]), form=st.sampled_from((None, None, *DEMANDS)))
def test_whatever_is_accepted_can_be_shown(shown, text, form):
    if shown.take(text.encode("utf-8", "surrogatepass"), form=form):
        shown.check()


ODD = (
    None, -1, 0, 2**31, 2**63, 2**70, 1e308, float("nan"), "", " ", "\x00", "\ud800", "../x", "/abs", "a/b", "x" * 3000, "[[a]]", "$x$",
    "https://[::1", "http://a b", "javascript:1", "//", "2024-02-30", "0001-01-01", [], {}, [None], True, "\u202e", "<b>", "=1+1", "\n",
)  # fmt: skip  # a bag of values
EXPORTED = [read(text.encode(), "x.md", format=form) for form, (_, text) in OWN.items()]


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # Whoosh leaves a file open when it rebuilds
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(document=st.sampled_from(EXPORTED), chance=st.randoms(use_true_random=False), count=st.integers(1, 3))
def test_whatever_export_is_accepted_can_be_shown(shown, document, chance, count):
    """One of our exports with a few of its values replaced by odd ones."""
    tree = json.loads(write_json(resolve([document])))
    for _ in range(count):
        *way, last = chance.choice(list(_ways(tree))[1:])
        place = tree
        for step in way:
            place = place[step]
        place[last] = chance.choice(ODD)
    if shown.take(json.dumps(tree).encode("utf-8", "surrogatepass")):
        shown.check()


def _ways(tree, way=()):
    """The way to every value of a tree, that to the tree itself first."""
    yield way
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for step, value in list(pairs):
        yield from _ways(value, (*way, step))
