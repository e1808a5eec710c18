"""Imports of other lists, on fixtures of our own and on the real files; downloads that are cut off or lead into a private network."""

import io
import json
import re
import socket
import zipfile
from contextlib import suppress
from datetime import date
from decimal import Decimal
from pathlib import Path
from threading import Event, Thread

import pytest

from compute.catalogs import catalog_download, catalog_files, gpuhunt_zip, litellm_map, skypilot_csv
from compute.catalogs.catalog_download import RefreshError, download
from compute.catalogs.import_rows import gpu_name
from compute.prices.price_models import IMPORTED, OBSERVED, Catalog
from tests.compute.test_price_observations import real

DAY = date(2026, 11, 20)

MAP = """{
  "sample_spec": {"input_cost_per_token": 0.0, "litellm_provider": "acme"},
  "gemini/zorn": {
    "litellm_provider": "gemini",
    "source": "https://acme.example",
    "input_cost_per_token": 1.25e-06,
    "input_cost_per_token_above_200k_tokens": 2.5e-06,
    "input_cost_per_token_above_200k_tokens_batches": 1.25e-06,
    "output_cost_per_token_batches": 5e-06,
    "cache_read_input_token_cost": 1.6000000000000001e-07,
    "cache_creation_input_token_cost_above_1hr": 2e-06,
    "output_cost_per_token": 0.0,
    "search_context_cost_per_query": {"search_context_size_low": 0.01}
  },
  "azure/eu/zorn": {"litellm_provider": "azure", "input_cost_per_token": 3e-06},
  "bedrock/us-east-1/zorn-v1": {"litellm_provider": "bedrock", "input_cost_per_token": 8e-06},
  "odd": {"litellm_provider": "acme", "input_cost_per_token": "cheap"},
  "minus": {"litellm_provider": "acme", "input_cost_per_token": -1e-06},
  "nobody": {"input_cost_per_token": 1e-06},
  "gift:free": {"litellm_provider": "acme", "input_cost_per_token": 0}
}"""


@pytest.fixture(scope="module")
def imported():
    return litellm_map.load("map.json", MAP, DAY)


def said(catalog, item):
    return {(p.component, p.processing, p.above): str(p.value) for p in catalog.prices if p.item == item}


def test_keys_become_components_processings_and_tiers_per_million_tokens(imported):
    assert said(imported[0], "google/zorn") == {
        ("input", "standard", 0): "1.25",
        ("input", "standard", 200_000): "2.5",
        ("input", "batch", 200_000): "1.25",
        ("output", "batch", 0): "5",
        ("cache_read", "standard", 0): "0.16",
        ("cache_write_1h", "standard", 0): "2",
    }


def test_a_price_is_a_record_of_the_import_and_a_zero_a_word_or_the_sample_is_none_and_reported(imported):
    catalog, problems = imported
    prices = catalog.prices
    assert "1.6000000000000001E-7" in next(p for p in prices if p.component == "cache_read").derived
    assert {(p.valid_from, p.dated, p.checked) for p in prices} == {(DAY, "record", DAY)}
    assert {("azure/zorn", "eu"), ("aws/zorn-v1", "us-east-1")} <= {(p.item, p.region) for p in prices}
    assert said(catalog, "acme/gift:free") == {("input", "standard", 0): "0"}
    assert ("output", "standard", 0) not in said(catalog, "google/zorn")
    messages = " ".join(problem.message for problem in problems)
    told = ("1 figures of zero", "'odd'", "'minus'", "'nobody'", "search_context_cost_per_query")
    assert [words for words in told if words not in messages] == []
    assert not any("sample" in p.item for p in prices)


def tiers(**fields):
    text = json.dumps({"acme/tiered": {"litellm_provider": "acme", **fields}})
    catalog, problems = litellm_map.load("map.json", text, DAY)
    return [(one.component, one.above, str(one.value)) for one in catalog.prices], [one.message for one in problems]


def test_a_list_of_tiers_is_read_as_prices_above_the_lower_end_of_each_range():
    ranges = [
        {"range": [0, 32000], "input_cost_per_token": 1e-06, "output_cost_per_token": 4e-06},
        {"range": [32000.0, 128000.0], "input_cost_per_token": 2e-06, "cache_read_input_token_cost": 2e-07},
    ]
    expected = [("input", 0, "1"), ("output", 0, "4"), ("input", 32000, "2"), ("cache_read", 32000, "0.2")]
    assert tiers(tiered_pricing=ranges) == (expected, [])
    ranges = [{"range": [low, 2e5 + low], "input_cost_per_token": 9e-06} for low in (0, 200000)]
    fields = {"input_cost_per_token": 1e-06, "input_cost_per_token_above_200k_tokens": 2e-06}
    stated = [("input", 0, "1"), ("input", 200000, "2")]
    assert tiers(**fields, tiered_pricing=ranges) == (stated, []), "what a model itself states goes first"
    for figure, shown in ((-1.0, "-1.0"), ("n/a", "'n/a'"), (None, "null"), (True, "true"), ([1.5], "[1.5]")):
        assert tiers(input_cost_per_token=figure)[1] == [f"'acme/tiered': input is {shown}, which is not a price"]


@pytest.mark.parametrize(
    ("ranges", "kind"),
    [
        ([{"max_results_range": [0, 25], "input_cost_per_query": 0.005}], "tiered_pricing.input_cost_per_query"),
        ([{"range": [-1, 9], "input_cost_per_token": 1e-06}], "tiered_pricing.input_cost_per_token"),
        ([{"range": "all", "input_cost_per_token": 1e-06}], "tiered_pricing.input_cost_per_token"),
        ({"range": [0, 9]}, ""),
        ("see the site", "tiered_pricing.costs"),
        ([7], "tiered_pricing.costs"),
    ],
)
def test_tiers_of_anything_else_are_counted_as_left_out(ranges, kind):
    found, told = tiers(tiered_pricing=ranges)
    assert found == []
    assert told == ([f"1 figures left out, of 1 kinds other than text tokens and requests: {kind}"] if kind else [])


@pytest.mark.parametrize("text", ["", "[1]", "{", "null", '{"a": 3}', '{"": {"litellm_provider": ""}}'])
def test_a_file_that_is_no_map_is_reported_and_never_raises(text):
    catalog, problems = litellm_map.load("map.json", text, DAY)
    assert catalog.prices == ()
    assert problems


ROWS = """InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice
cpu-small,,0,4,16,0.0992,north,,
one,H9,1,16,200,3.00,north,,1.25
eight,H9,8.0,128,1600,20.00,north,,
third,Z,3,1,1,1.00,south,,
broken,H9,eight,1,1,5,north,,
nought,H9,1,1,1,0,north,,
"""


@pytest.fixture(scope="module")
def instances():
    return skypilot_csv.load("catalogs/v8/acme/vms.csv", ROWS, DAY)


def test_an_instance_has_a_price_and_so_has_one_gpu_the_lowest_of_its_instances(instances):
    catalog, problems = instances
    found = {p.item: p for p in catalog.prices if p.component == "on_demand"}
    assert (str(found["acme/eight"].value), found["acme/eight"].unit) == ("20.00", "USD/instance/h")
    assert str(found["acme/cpu-small"].value) == "0.0992"
    one = found["acme/h9"]
    assert (one.value, one.unit, one.region) == (Decimal("2.50"), "USD/GPU/h", "north")
    assert "eight, divided by its 8 accelerators" in one.derived
    assert str(found["acme/z"].value) == "0." + "3" * 28, "a division that does not end has 28 digits"
    assert [p.item for p in catalog.prices if p.component == "spot"] == ["acme/one", "acme/h9"]
    assert [(p.line, p.message.split()[0]) for p in problems] == [(6, "the"), (7, "Price")]


def test_the_clouds_of_two_files_are_one_catalogue(instances):
    other, _ = skypilot_csv.load("v8/bazaar/vms.csv", ROWS, DAY)
    again, _ = skypilot_csv.load("v8/acme/vms.csv", ROWS.replace("20.00", "24.00"), DAY)
    both = skypilot_csv.joined(skypilot_csv.joined(instances[0], other), again)
    found = {p.item: str(p.value) for p in both.prices if p.component == "on_demand" and p.unit == "USD/GPU/h"}
    assert (found["acme/h9"], found["bazaar/h9"]) == ("3.00", "2.5")
    assert skypilot_csv.cloud_of("my-list.csv") == "skypilot"
    assert catalog_files.imported("tables.csv", b"a,b\n1,2\n", DAY) == (Catalog(name="", prices=()), ()), "no list"
    catalog, (problem,) = skypilot_csv.load("vms.csv", "a,b\n1,2\n", DAY)
    assert (catalog.prices, "lacks InstanceType" in problem.message) == ((), True)


@pytest.mark.parametrize(
    ("name", "instance", "item"),
    [
        ("H100", "gpu_8x_h100_sxm5", "h100-sxm"),
        ("H100", "gpu_1x_h100_pcie", "h100-pcie"),
        ("H100", "p5.48xlarge", "h100-sxm"),
        ("H100", "a3-highgpu-8g", "h100-sxm"),
        ("H100", "Standard_ND96isr_H100_v5", "h100-sxm"),
        ("H100", "Standard_NC40ads_H100_v5", "h100-nvl"),
        ("H100", "BM.GPU.H100.8", "h100-sxm"),
        ("H100", "1H100.80S.30V", "h100-sxm"),
        ("H100", "NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("H100", "1x_H100_SECURE", "h100"),  # nothing says which
        ("H100-SXM", "1x_H100-SXM_SECURE", "h100-sxm"),
        ("H100NVL", "NVIDIA H100 NVL", "h100-nvl"),
        ("A100-80GB-SXM", "x", "a100-80gb-sxm"),
        ("A100 80GB", "Standard_NC24ads_A100_v4", "a100-80gb-pcie"),
        ("B200", "gpu-b200-sxm_8gpu", "b200-sxm"),
        ("MI300X", "Standard_ND96isr_MI300X_v5", "mi300x"),
        ("GB200", "x", "gb200"),
    ],
)
def test_a_gpu_is_named_with_its_form_where_the_list_says_it(name, instance, item):
    assert gpu_name(name, instance) == item


HUNT = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,flags\n"


def archive(**tables):
    """The same bytes at each call: what pytest calls a case holds them, and two workers collect at different seconds."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, rows in tables.items():
            made.writestr(zipfile.ZipInfo(f"{name}.csv"), rows, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def test_an_archive_of_gpuhunt_gives_the_price_of_one_gpu():
    rows = [
        "gpu_8x_h100_sxm5,us-1,31.92,208,1800,8,H100,80.0,False,,",
        "gpu_1x_h100_sxm5,us-1,4.29,26,200,1,H100,80.0,False,,",
        "gpu_1x_a100_sxm4,us-1,1.99,26,200,1,A100,40.0,True,,",
        "cpu_4x,us-1,0.2,4,16,0,,,False,,",
        "odd,us-1,free,4,16,1,H100,80,False,,",
    ]
    pods = [
        "NVIDIA H100 80GB HBM3,US-KS-2,3.99,16,200,1,H100,80.0,False,,",
        "NVIDIA H100 80GB HBM3,US,2.69,16,200,1,H100,80.0,False,,",
        "NVIDIA H100 80GB HBM3,US-KS-2,9.99,16,200,1,H100,80.0,False,,['runpod-cluster']",
    ]
    data = archive(lambdalabs=HUNT + "\n".join(rows), runpod=HUNT + "\n".join(pods), bad="a,b\n1,2\n")
    catalog, problems = catalog_files.imported("catalog.zip", data, DAY)
    assert catalog.name == "gpuhunt"
    assert {(p.item, p.component, str(p.value)) for p in catalog.prices} == {
        ("lambda/h100-sxm", "on_demand", "3.99"),
        ("lambda/a100-40gb-sxm", "spot", "1.99"),
        ("runpod/h100-sxm-secure", "on_demand", "3.99"),
        ("runpod/h100-sxm-community", "on_demand", "2.69"),
    }
    assert all((p.unit, p.dated, p.valid_from) == ("USD/GPU/h", "record", DAY) for p in catalog.prices)
    assert sorted(problem.document for problem in problems) == ["bad.csv", "lambdalabs.csv"]


def spoilt(data):
    start = 30 + int.from_bytes(data[26:28], "little") + 8
    return data[:start] + b"\xff\xff" + data[start + 2 :]


GPUS = HUNT + "gpu_1x_h100_sxm5,us-1,4.29,26,200,1,H100,80.0,False,,\n" * 99
RATES = archive(eurofxref="Date,USD,\n" + "2026-11-09,1.10,\n" * 99)
DEEP = "{" + '"a":{' * 100_000
PRICED = '{"a": {"litellm_provider": "acme", "input_cost_per_token": %s}}'


@pytest.mark.parametrize("data", [
    b"PK\x03\x04 cut off", archive(lambdalabs=HUNT + "x" * 300_000), archive(lambdalabs=HUNT + "a\0b,c\n"),
    spoilt(archive(lambdalabs=GPUS)), spoilt(RATES), RATES[:90], b"Date,USD,\rx,y", DEEP, "[" + DEEP,
    PRICED % "1e999999999", PRICED % "1e-999999999", PRICED.replace('"a"', '"a\\ud800"') % "1e-6",
])  # fmt: skip
def test_a_file_that_is_damaged_or_too_large_has_no_prices_and_raises_nothing(data, monkeypatch):
    monkeypatch.setattr(gpuhunt_zip, "LARGEST", 100_000)
    raw = data if isinstance(data, bytes) else data.encode()
    catalog, problems = catalog_files.imported("catalog.zip", raw, DAY)
    assert catalog.prices == ()
    assert problems or len(raw) < 500


def test_every_catalogue_has_its_precedence_its_reader_and_its_rows_in_the_docs():
    root = Path(__file__).parents[2]
    modules = {path.stem: path.read_text("utf-8") for path in (root / "compute/catalogs").glob("*.py")}
    named = ((stem, re.search(r'^NAME = "(?!cards")(.+)"$', text, re.M)) for stem, text in modules.items())
    found = {stem: name[1] for stem, name in named if name}
    assert set(found.values()) == set(IMPORTED) - set(OBSERVED), "list it in IMPORTED of compute/prices/price_models.py"
    assert [stem for stem in found if f"{stem}." not in modules["catalog_files"]] == [], "`_TEXTS` of catalog_files.py"
    rows = (root / "docs/prices.md").read_text("utf-8").partition("## Catalogues")[2].partition("\n\nIf ")[0]
    assert [name for name in IMPORTED if f"`{name}`" not in rows] == [], "docs/prices.md, in order of precedence"
    settings = (root / "docs/settings.md").read_text("utf-8").replace("_", "-").lower()
    assert [name for name in catalog_files.ADDRESSES if f"`brain-{name}-url`" not in settings] == [], "its setting"


@pytest.mark.documents
def test_the_real_map_gives_thousands_of_prices_and_agrees_on_sonnet():
    catalog, problems = litellm_map.load("map.json", real("litellm-model-prices.json"), DAY)
    assert len(catalog.prices) > 14_000
    assert said(catalog, "anthropic/claude-sonnet-5-5")["cache_read", "batch", 0] == "0.05"
    assert all(p.value > 0 or p.item.endswith(":free") for p in catalog.prices)
    assert len(problems) < 20


@pytest.mark.documents
def test_the_real_instances_divide_by_their_gpus():
    catalog, problems = skypilot_csv.load("nebius/vms.csv", real("skypilot-vms.csv"), DAY)
    assert problems == ()
    found = {(p.item, p.component): str(p.value) for p in catalog.prices if p.unit == "USD/GPU/h"}
    assert found["nebius/h100-sxm", "on_demand"] == "2.95"
    assert found["nebius/v100", "on_demand"] == "0.79"
    assert ("nebius/b200-sxm", "spot") not in found


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def server():
    """Serves the pieces in its list `said`, without an end if the last one is empty."""
    done, said = Event(), []

    def serve():
        while not done.is_set():
            with suppress(OSError):
                peer, _ = listening.accept()
                with peer:
                    peer.recv(4096)
                    for piece in said:
                        peer.sendall(piece)
                    while said[-1] == b"" and not done.wait(0.01):
                        peer.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.1)
        thread = Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", said
        done.set()
        thread.join()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((OK, b"Content-Length: 9\r\n\r\nInst"), "ends 5 bytes early"),
        ((OK, b"Transfer-Encoding: chunked\r\n\r\n9\r\nInst"), "IncompleteRead"),
        ((OK, b"Content-Length: 99999\r\n\r\n", b""), "the file took too long"),
        ((OK, b"X-Header: ", b""), "the file took too long"),
    ],
)
def test_a_file_without_its_end_is_no_file(server, said, why):
    host, pieces = server
    pieces += said
    with pytest.raises(RefreshError, match=why):
        download(f"http://{host}/vms.csv", seconds=0.1 if b"" in said else 5)


@pytest.fixture
def names(monkeypatch):
    """The addresses of public.example, one for each time that somebody asks."""
    found = []
    real = socket.getaddrinfo
    find = lambda host, *more, **named: real(found.pop(0) if host == "public.example" else host, *more, **named)  # noqa: E731  # short
    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setenv("no_proxy", "*")
    return found


def test_a_public_name_that_becomes_private_is_not_read(server, names):
    host, pieces = server
    pieces += (OK, b"Content-Length: 2\r\n\r\n{}")
    names += ["203.0.114.1", "127.0.0.1"]
    with pytest.raises(RefreshError, match="the name is that of a private network"):
        download(f"http://public.example:{host.partition(':')[2]}/", seconds=5, public=True)


@pytest.mark.parametrize("private", ["127.0.0.1", "%31%32%37.0.0.1", "[::ffff:127.0.0.1]", "2130706433"])
def test_a_redirect_into_a_private_network_is_refused_however_it_is_written(server, names, monkeypatch, private):
    host, pieces = server
    port = host.partition(":")[2]
    pieces.append(f"HTTP/1.1 302 Found\r\nLocation: http://{private}:{port}/\r\nContent-Length: 0\r\n\r\n".encode())
    names += ["203.0.114.1", "127.0.0.1", "203.0.114.1"]
    peers = iter([True])
    outside = catalog_download._outside
    monkeypatch.setattr(catalog_download, "_outside", lambda one: outside(one) or next(peers, False))
    with pytest.raises(RefreshError, match="it redirects into a private network"):
        download(f"http://public.example:{port}/", seconds=5)
