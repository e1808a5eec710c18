"""Whatever the texts, ids and addresses hold, every format is read again by two parsers as the same triples."""

import re
from dataclasses import replace
from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.models.claim_models import Claim, Expectation
from graph.models.link_models import Link
from graph.models.node_models import Citation, Kind, Labels, Node, Provenance, Quotation, Relation, Source, Table
from graph.rdf.claim_triples import claim_facts
from graph.rdf.glossary_labels import Glossaries
from graph.rdf.node_triples import edge_facts, node_facts, source_facts
from graph.rdf.rdf_formats import write
from graph.rdf.triples import once

NASTY = (
    '"', '"""', "\\", "\\u0041", "\n", "\r", "\r\n", "\t", "\x00", "\x01", "\x0b", "\x1f", "\x7f", "\x85", "\u2028", "\u202eRTL",
    "\ufeff", "\ufffe", "\ud800", "<", ">", "{", "}", "|", "^", "`", " ", "%", "%zz", "#", "?", "/", "../", "@en", "^^xsd:int",
    ".", "'", "'''", "é", "中", "😀", "a b", "</script>", "]]>", "&amp;", "_:b0", "https://[", "http://host:99999/", "//",
)  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(NASTY), st.text(max_size=3)), max_size=5).map("".join)
addresses = st.one_of(texts, texts.map(lambda tail: "https://host/" + tail), texts.map(lambda host: f"http://{host}/"))
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
quick = settings(max_examples=25, suppress_health_check=CHECKS)


@st.composite
def nodes(draw):
    kind, url, any_ = draw(st.sampled_from(Kind)), draw(addresses), lambda: draw(texts)
    citation = Citation(marker=any_(), target=any_(), resolution="link", context=any_(), cito=any_())
    quotation = Quotation(marker=any_(), document=1, quote=any_(), source=url, candidates=(draw(addresses), url))
    return Node(
        id=f"{any_()}/{any_()}", brain=any_(), kind=kind, title=any_(), body=any_(), section=(any_(),),
        tags=tuple(draw(st.lists(texts, max_size=2))), sources=(Source(id=any_(), url=url, title=any_()),),
        citations=(citation, quotation), labels=Labels(preferred=any_(), variants=(any_(),)) if kind is Kind.TERM else None,
        relations=(Relation(kind="same_as", target=any_(), reason=any_(), confidence=draw(st.floats(0, 1))),),
        tables=(Table(name=any_(), header=(any_(),), units=(None,), rows=((any_(),),)),),
        provenance=Provenance(document=any_(), first_line=1, last_line=2, sha256=any_()),
    )  # fmt: skip


def check(triples, names, read):
    told = {tuple(map(read.of_ox, triple)) for triple in triples}
    for form in ("turtle", "ntriples", "jsonld"):
        data = b"".join(write(triples, form, names))
        assert set(read.ox(data, form)) == told
        assert set(read.rdflib(data, form)) == told
    for triple in triples:
        assert re.fullmatch(r"[!-~]+", triple.subject.value)


@given(node=nodes())
@quick
def test_any_node(node, names, read):
    edges = [Link(subject=node.id, **relation.model_dump()) for relation in node.relations]
    facts = (
        node_facts(node, names, Glossaries()),
        *(edge_facts(edge, names, {}, Glossaries(), derived=False) for edge in edges),
        *(source_facts(source, [source.url], names) for source in node.sources),
    )
    check(once(*facts), names, read)


@given(
    claim=st.builds(
        Claim,
        id=texts, node=texts, says=texts, as_of=st.just(date(2026, 1, 1)), value=texts, tags=st.tuples(texts),
        given=st.tuples(st.tuples(texts, texts)), contradicts=st.tuples(texts), note=texts, source=addresses,
        expect=st.builds(Expectation, form=st.just("is"), bound=texts, within=texts),
    )
)  # fmt: skip
@quick
def test_any_claim(claim, names, read):
    check(list(claim_facts(claim, names)), names, read)


@given(pairs=st.lists(st.tuples(texts, texts), max_size=6))
@quick
def test_ids_that_differ_have_names_that_differ(pairs, names):
    ids = {f"{brain}/{slug}".encode("utf-8", "replace").decode() for brain, slug in pairs}
    assert len({names.node(one) for one in ids}) == len(ids)
    assert len({names.tag(one) for one in ids}) == len(ids)


def test_edges_that_say_different_things_are_different_links(names):
    one = Link(subject="a/b", kind="related", target="a/c", reason="x")
    links = {names.link(e, derived=False) for e in (one, replace(one, reason="y"))}
    assert len({*links, names.link(one, derived=True)}) == 3
