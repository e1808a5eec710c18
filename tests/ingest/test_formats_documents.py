"""The five real documents: what is known of them beside the counts of `test_cli_documents`; batches read off by eye."""

import re
from collections import Counter

import pytest

from graph.models.node_models import Kind

pytestmark = pytest.mark.documents

TERMS, PACK, BULLETS = "compute-economics-terms.md", "compute-economics-pack.md", "performance-glossary.md"
PAGE, ARROWS = "kai-brain-page.txt", "genai-glossary.txt"
NAMES = (PAGE, TERMS, PACK, BULLETS, ARROWS)


def terms(document):
    return [node for node in document.nodes if node.kind is Kind.TERM]


def by_slug(document):
    return {node.slug: node for node in document.nodes}


@pytest.mark.parametrize("name", NAMES)
def test_the_words_of_every_stored_line_are_in_its_node(real, name):
    document = real(name)
    lines = document.text.split("\n")
    assert "not understood" not in {skip.reason for skip in document.skipped}
    left_out = {n for skip in document.skipped for n in range(skip.first_line, skip.last_line + 1)}
    for node in document.nodes:
        urls, labels = [source.url for source in node.sources], node.labels.all() if node.labels else ()
        held = " ".join([node.title, node.body, *node.tags, *urls, *labels]).lower()
        for number in range(node.provenance.first_line, node.provenance.last_line + 1):
            line = re.sub(r"[<(]/?cite(?: index=\"[^\"]*\")?>", " ", lines[number - 1])
            line = re.sub(r"^\s*\d+\.\s+\*\*|^(?:name|description):", " ", line)
            missing = [word for word in re.findall(r"\w+", line.lower()) if word not in held and word != "sources"]
            if number not in left_out and document.format != "context-pack":
                assert not missing, (number, missing)


def test_the_page_holds_what_it_is_known_to_hold(real):
    document = real(PAGE)
    assert [one.line for one in document.problems if one.code == "declared-nodes"] == [18]
    assert all(quote.quote in node.body for node in document.nodes for quote in node.quotes)
    assert not any("cite index" in node.body or "</cite" in node.body for node in document.nodes)
    assert [value for name, value in document.about if name == "tag"] == ["ai", "model-economics", "capex", "gpu"]
    nodes = by_slug(document)
    assert nodes["on-my-screen-right-now"].body.count("\n- ") == 3
    assert "\n1. " in nodes["what-ai-coverage-is-for"].body
    assert sum("$N \\propto C^{0." in node.body for node in document.nodes) >= 2


def test_the_term_table_has_its_59_terms_and_the_bullet_glossary_its_35(real):
    table, bullets = real(TERMS), real(BULLETS)
    nodes, others = by_slug(table), by_slug(bullets)
    assert len(terms(table)) == len(table.nodes) == 59
    assert len(terms(bullets)) == len(bullets.nodes) == 35
    assert nodes["ttft"].labels.expansion == "Time To First Token"
    assert nodes["data-parallelism"].labels.abbreviation == "DP"
    assert {"FP16", "BF16"} <= set(nodes["fp16-bf16"].labels.variants)
    assert nodes["fp8"].labels.variants == ("E4M3", "E5M2")
    assert nodes["moe"].section == ("Architecture",)
    assert others["awq"].labels.expansion == "Activation-aware Weight Quantization"
    assert others["kv-cache"].labels.expansion == "Key-Value Cache"
    assert others["qlora"].labels.expansion == "Quantized LoRA"


def test_the_arrow_glossary_has_every_entry_and_its_flow_in_order(real):
    document = real(ARROWS)
    entry = re.compile(r"\s*(?:-|\d+\.) \*\*.*\*\* →")
    entries = [number for number, line in enumerate(document.text.split("\n"), 1) if entry.match(line)]
    assert [node.provenance.first_line for node in document.nodes] == entries
    nodes = by_slug(document)
    steps = [document.nodes[-10]]
    while following := [r.target for r in steps[-1].relations if r.kind == "step"]:
        steps.append(nodes[following[0].partition("/")[2]])
    assert steps == list(document.nodes[-10:])
    assert {r.target for r in nodes["fp32"].relations if r.kind == "broader"} == {"genai-glossary/floating-point"}
    assert nodes["ttft"].body.endswith("prompt processing.")
    assert len({node.section[0] for node in document.nodes}) == 6


def test_the_tables_of_the_pack_are_data(real):
    tables = {table.name: table for node in real(PACK).nodes for table in node.tables}
    assert len(tables) == 12
    prices = tables["Inference Pricing Benchmarks (API, 2025)"]
    assert prices.units == (None, "$/M tokens", "$/M tokens", None)
    assert prices.rows[3][:3] == ("Frontier", "$5.00-15.00", "$15.00-75.00")
    assert tables["Utilization Economics"].units[1] == "$/GPU-hr"


BATCHES = {
    134: ("model-layer-is-the-pricing", "output-tokens-are-the-margin", "prompt-caching-plus-batch"),
    71: ("measurement-determines", "pue-measurement", "depreciation-schedules", "batch-size-and-utilization"),
    1: ("price-the-model-layer", "memory-bandwidth-is-the-moat", "inference-adjusted", "the-cost-curve-is-a-power"),
}
"""The first reading of a batch, counted from the oldest, and the nodes that draw on it."""


@pytest.fixture
def brain(real):
    return real("kai-brain-page.txt").nodes


def test_every_node_draws_on_the_batch_that_was_read_off_by_eye_and_every_reference_is_resolved_and_sure(brain):
    readings = [node for node in brain if node.kind is Kind.READING][::-1]
    place = {node.id: number for number, node in enumerate(readings, 1)}
    found = {node.slug: {place[c.target] - c.number + 1 for c in node.cites} for node in brain if node.cites}
    assert len(found) == 11
    for first, names in BATCHES.items():
        for name in names:
            assert next(starts for slug, starts in found.items() if name in slug) == {first}
    cites = [citation for node in brain for citation in node.cites]
    assert Counter(citation.resolution for citation in cites) == {"batch": 97}
    assert min(citation.confidence for citation in cites) > 0.95
