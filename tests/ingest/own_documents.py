"""Documents of our own invention: for each format that has a parser, one file in a folder of its name."""

from pathlib import Path

from graph.models.node_models import Node, Provenance
from ingest.linking.link_resolution import linked_documents

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*/*"))
OWN = {path.parent.name: (path.name, path.read_text("utf-8")) for path in SAMPLES}
PAGE = OWN["brain-page"][1]


def own_text(form):
    return OWN[form][1]


def resolve(documents, known=None):
    """Documents with their links resolved, for tests that do not ask which are left."""
    return [linked.document for linked in linked_documents(documents, known)]


def node(kind, title, body, tags, line):
    where = Provenance(document="page", first_line=line, last_line=line + 9, sha256="0" * 64)
    return Node(id=f"page/{kind}-{line}", brain="page", kind=kind, title=title, body=body, tags=tags, provenance=where)
