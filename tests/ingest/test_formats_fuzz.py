"""Any input: nothing but problems, every line accounted for, and what was read can be written and read again."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.format_detection import FORMATS
from tests.ingest.formats_laws import DEMANDS, check, check_round_trip, texts
from tests.ingest.own_documents import OWN

BRIEF = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = [text for _, text in OWN.values()]
NAMES = st.sampled_from(("x.txt", "x.md", "a/b.yaml", "", "\udcff", "../../x"))


@BRIEF
@given(data=st.binary(max_size=400), name=NAMES, demand=st.sampled_from(DEMANDS))
def test_any_bytes_under_any_name_and_format(data, name, demand):
    check(data, name, demand)


@settings(BRIEF, max_examples=300)
@given(text=texts(), form=st.sampled_from(FORMATS))
def test_any_pieces_in_any_format(text, form):
    check(text.encode("utf-8", "surrogatepass"), "x.txt", form)


@settings(BRIEF, max_examples=200)
@given(text=texts(SEEDS), name=NAMES)
def test_a_damaged_document_is_read_and_comes_back_as_it_was(text, name):
    document = check(text.encode("utf-8", "surrogatepass"), name)
    if document.nodes:
        check_round_trip(document)
