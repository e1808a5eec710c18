"""Documents of our own invention and the real ones, ready to be read."""

from functools import cache
from pathlib import Path

import pytest

from ingest.document_reader import read
from tests.ingest.own_documents import OWN, resolve

REAL = Path(__file__).parents[2] / "../shared/documents"


@pytest.fixture(params=sorted(OWN))
def own(request):
    return (request.param, *OWN[request.param])


@pytest.fixture
def reading():
    def read_text(text, name="document.txt", **options):
        return read(text.encode(), name, **options)

    return read_text


@pytest.fixture
def real():
    if not REAL.is_dir():
        pytest.skip("the documents are not next to the repository")

    return read_real


@cache
def read_real(name):
    return read((REAL / name).read_bytes(), name)


@pytest.fixture
def own_documents(reading):
    return resolve([reading(text, name) for name, text in OWN.values()])
