"""Catalogues refreshed by address: a file that did not change costs a 304, and figures out of bounds wait for a decision."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from api.services import price_refresh
from compute.catalogs import catalog_files
from compute.catalogs.catalog_download import Download, Validators
from tests.compute.test_prices_imports import archive
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`

RATES = b"Date,USD,\n2026-11-09,1.10,\n"
VMS = b"InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\nbig.8,H100,8,80,,north\n"


def litellm(**values):
    prices = {name: {"input_cost_per_token": float(f"{value}e-06")} for name, value in values.items()}
    return json.dumps({name: {"litellm_provider": "acme", **price} for name, price in prices.items()})


def genai(value):
    model = {"id": "zorn", "match": {"equals": "zorn"}, "prices": {"input_mtok": value}}
    return json.dumps([{"id": "acme", "name": "Acme", "api_pattern": "https://acme", "models": [model]}])


PATHS = {
    "genai_prices": "genai.json", "ecb": "eurofxref.csv", "litellm": "map.json", "skypilot": "acme/vms.csv",
}  # fmt: skip


def set_lists(monkeypatch, address="", **paths):
    """Fetch these lists from an address and no other: the defaults are on the internet."""
    monkeypatch.setenv("BRAIN_OFFLINE", "0")
    for name in (catalog.replace("-", "_") for catalog in price_refresh.DEFAULTS):
        monkeypatch.setenv(f"BRAIN_{name.upper()}_URL", f"{address}/{paths[name]}" if name in paths else "")


class Files(BaseHTTPRequestHandler):
    """Serves files with an ETag or a Last-Modified header, and honours both; paths that `moved` redirect."""

    def do_GET(self):
        if self.path in self.server.moved:
            self.send_response(302)
            self.send_header("Location", self.server.moved[self.path])
            self.end_headers()
            return
        text = self.server.files.get(self.path, b"")
        body = text.encode() if isinstance(text, str) else text
        tag = f'"{hash(body)}"'
        header = ("Last-Modified", self.server.modified) if self.path == "/eurofxref.csv" else ("ETag", tag)
        same = self.headers.get("If-None-Match") == tag or self.headers.get("If-Modified-Since") == self.server.modified
        status = 404 if not body else 304 if same else 200
        self.server.log.append((self.path, status))
        self.send_response(status)
        self.send_header(*header)
        self.end_headers()
        if status == 200:
            self.wfile.write(body)

    def log_message(self, *_arguments):
        """Keep the output of the test quiet."""


@pytest.fixture(name="server")
def list_server(monkeypatch):
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as opened:
        opened.files, opened.moved, opened.log, opened.modified = {}, {}, [], "Mon, 09 Nov 2026 16:00:00 GMT"
        opened.address = f"http://127.0.0.1:{opened.server_address[1]}"
        set_lists(monkeypatch, opened.address, **PATHS)
        thread = Thread(target=opened.serve_forever, args=(0.005,))
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def requests_to(server):
    found, server.log[:] = dict(server.log), []
    return found


def price(home, item):
    return [one["value"] for one in home("prices", "show", item, "--json").json["items"] if not one["last_seen"]]


def test_an_unchanged_catalogue_costs_a_304_and_counts_as_checked(home, server):
    listed = {"/genai.json": genai(2), "/map.json": litellm(a=1, b=2)}
    server.files = {**listed, "/eurofxref.csv": RATES, "/acme/vms.csv": VMS}
    home.on("2026-11-10")
    first = home("prices", "refresh", "--json")
    assert set(requests_to(server).values()) == {200}
    assert first.code == 1
    assert [one["catalog"] for one in first.json["held"]] == ["genai-prices"], "a short list in place of the package's"
    assert len(first.json["held"][0]["lost"]) > 100
    assert home("prices", "accept", "genai-prices").code == 0
    assert price(home, "acme/zorn") == [2]

    home.on("2026-11-12")
    again = home("prices", "refresh", "--json")
    assert (again.code, again.json["items"]) == (0, [])
    assert set(again.json["unchanged"]) == {"genai-prices", "ecb", "litellm", "skypilot"}
    assert set(requests_to(server).values()) == {304}, "the accepted catalogue too"
    shown = home("prices", "show", "acme/a", "--json").json["items"]
    assert [(one["valid_from"], one["checked"]) for one in shown] == [("2026-11-10", "2026-11-12")]
    home("prices", "refresh")
    assert set(requests_to(server).values()) == {304}, "the confirmed snapshot keeps the headers"

    server.files["/map.json"] = litellm(a=1, b=3)
    changed = home("prices", "refresh", "--json").json["items"]
    assert [(one["before"]["value"], one["after"]["value"]) for one in changed] == [(2, 3)]
    shown = home("prices", "show", "acme/b", "--json").json["items"]
    assert [one["first_seen"] for one in shown if not one["last_seen"]] == ["2026-11-12"]
    assert requests_to(server)["/map.json"] == 200

    home.write("map.json", litellm(a=5))
    home("prices", "import", "written/map.json")
    home("prices", "refresh")
    assert requests_to(server)["/map.json"] == 200, "what is in use is not what the headers are of"
    assert price(home, "acme/a") == [1]


def test_a_price_that_moves_by_ten_times_is_put_on_hold_until_it_is_accepted(home, server, monkeypatch):
    monkeypatch.setenv("BRAIN_ECB_URL", "")
    server.files = {"/genai.json": genai(2), "/map.json": litellm(a=1, b=2, c=3), "/acme/vms.csv": VMS}
    home.on("2026-11-10")
    home("prices", "refresh")
    home("prices", "accept", "genai-prices")
    server.files |= {"/map.json": litellm(a=10, b="1.9", c=3), "/genai.json": genai(19)}

    home.on("2026-11-11")
    told = home("prices", "refresh")
    assert told.code == 1
    assert "acme/a input 1 USD/Mtok → 10 USD/Mtok" in told.out
    assert (price(home, "acme/a"), price(home, "acme/b")) == ([1], [2]), "the complete catalogue stays as it was"
    assert price(home, "acme/zorn") == [19], "less than ten times, in another catalogue"
    for _ in range(2):
        night = home("nightly", "--json")
        assert (night.code, night.json["outcome"]) == (3, "held")
        assert "brain prices accept litellm" in night.json["held"][0]
        assert night.json["run"]["notes"] == night.json["held"]
        assert (price(home, "acme/a"), price(home, "acme/b")) == ([1], [2])
    assert "are on hold: 1 price moved" in home("nightly", "--no-refresh").out
    problems = [one for one in home("check", "--json").json["problems"] if one["code"] == "price-held"]
    assert any("acme/a input 1 USD/Mtok → 10 USD/Mtok" in one["message"] for one in problems)
    assert {one["severity"] for one in problems} == {"warning"}

    requests_to(server)
    (held,) = home("prices", "held", "--json").json["items"]
    assert [(one["before"]["value"], one["after"]["value"]) for one in held["moves"]] == [(1, 10)]
    assert home("prices", "accept", "ecb").code == 3
    assert home("prices", "accept", "litellm").code == 0
    assert (price(home, "acme/a"), price(home, "acme/b")) == ([10], [1.9])
    assert home("prices", "held", "--json").json["items"] == []
    assert home("prices", "refresh").code == 0
    assert home("check").code == 0

    server.files["/map.json"] = litellm(a=10)
    lost = home("prices", "refresh", "--json").json["held"]
    assert lost[0]["lost"] == ["acme/b", "acme/c"]
    server.files["/map.json"] = litellm(a=11, b=2, c=3)
    assert home("prices", "refresh").code == 0, "a good file after a bad one is taken"
    assert home("prices", "held", "--json").json["items"] == []
    server.files["/map.json"] = litellm(a=1, b=2, c=3)
    assert home("prices", "refresh").code == 1
    home.write("map.json", litellm(a=1, b=2, c=3))
    home("prices", "import", "written/map.json")
    assert home("prices", "held", "--json").json["items"] == [], "an import by hand decides too"


def test_a_file_that_is_another_catalogue_or_too_large_changes_nothing(home, server, monkeypatch):
    monkeypatch.setenv("BRAIN_ECB_URL", "")
    server.files = {"/genai.json": "{}", "/map.json": VMS, "/acme/vms.csv": b"x" * 3000}
    home.on("2026-11-10")
    for name, why in (("genai.json", "genai.json contains no prices"), ("", "map.json contains no prices")):
        told = home("prices", "refresh")
        assert (told.code, why in told.error) == (3, True), (name, told.err)
        server.files["/genai.json"] = genai(2)
    monkeypatch.setenv("BRAIN_LITELLM_URL", "file:///etc/hostname")
    assert "only http and https" in home("prices", "refresh").err
    assert "big.8" not in home("prices", "list").out


def test_each_catalogue_that_fails_is_reported_and_hides_nothing_of_the_others(home, server, monkeypatch):
    monkeypatch.setenv("BRAIN_SKYPILOT_URL", "")
    server.files = {"/genai.json": genai(2), "/map.json": litellm(a=1, b=2), "/eurofxref.csv": RATES}
    home.on("2026-11-10")
    home("prices", "refresh")
    home("prices", "accept", "genai-prices")

    home.on("2026-11-11")
    server.files |= {"/genai.json": genai(2)[:-9], "/map.json": litellm(a=1, b=2)[:-9], "/eurofxref.csv": b""}
    told = home("prices", "refresh")
    assert told.code == 3
    said = told.error
    night = home("nightly", "--json")
    assert (night.code, night.json["outcome"]) == (3, "not refreshed")
    for text in (said, night.json["unrefreshed"], *night.json["run"]["notes"]):
        assert all(f"/{name}: " in text for name in ("genai.json", "map.json", "eurofxref.csv"))
    assert home("check").code == 0

    rates = b"Date,USD,\n2026-11-11,1.15,\n2026-11-09,1.10,\n"
    server.files |= {"/map.json": litellm(a=20, b=2), "/eurofxref.csv": rates}
    server.modified = "Wed, 11 Nov 2026 16:00:00 GMT"
    told = home("prices", "refresh", "--json")
    assert (told.code, "genai.json" in told.err) == (3, True)
    assert [one["catalog"] for one in told.json["held"]] == ["litellm"]
    assert [one["address"].rpartition("/")[2] for one in told.json["failed"]] == ["genai.json"]
    assert told.json["items"]
    told = home("prices", "refresh")
    assert (told.code, "acme/a input 1 USD/Mtok → 20 USD/Mtok" in told.out) == (3, True)


def test_offline_makes_no_connection_and_says_so(home, server, monkeypatch):
    monkeypatch.setenv("BRAIN_OFFLINE", "1")
    home.on("2026-11-10")
    told = home("prices", "refresh")
    assert (told.code, "BRAIN_OFFLINE is set: no price list was fetched" in told.out) == (0, True)
    night = home("nightly", "--json")
    assert (night.code, night.json["list_notes"]) == (0, ["BRAIN_OFFLINE is set: no price list was fetched"])
    assert home("prices", "import", "http://127.0.0.1:1/vms.csv").code == 3
    assert requests_to(server) == {}
    assert "offline" in home("prices", "lists").out


def test_a_default_list_that_is_not_reached_changes_no_outcome_and_is_said(home, server, monkeypatch):
    """A default address is public: one that leads into a private network, as here, is refused without a request."""
    monkeypatch.setattr(price_refresh, "DEFAULTS", {"litellm": f"{server.address}/map.json"})
    monkeypatch.delenv("BRAIN_LITELLM_URL")
    server.files = {f"/{path}": b"x" for path in PATHS.values()}
    for name in ("GENAI_PRICES", "ECB", "SKYPILOT"):
        monkeypatch.setenv(f"BRAIN_{name}_URL", "")
    home.on("2026-11-10")
    night = home("nightly", "--json")
    assert (night.code, night.json["outcome"], night.json["unrefreshed"]) == (0, "done", None)
    (said,) = night.json["list_notes"]
    assert "the name is that of a private network" in said
    assert said in night.json["run"]["notes"]
    assert requests_to(server) == {}
    assert "the price lists litellm were not reached" in home("nightly").said
    assert home("prices", "refresh").code == 3

    home("prices", "import", home.write("map.json", litellm(a=1)))
    fetched = Download(litellm(a=20).encode(), Validators())
    monkeypatch.setattr(catalog_files, "download", lambda *_, **__: fetched)
    home.on("2026-11-11")
    night = home("nightly", "--json")
    assert (night.code, night.json["held"], "on hold" in night.json["list_notes"][0]) == (0, [], True)


def test_each_list_says_when_it_was_reached(home, server):
    server.files = {"/map.json": litellm(a=1), "/acme/vms.csv": VMS, "/genai.json": genai(2)}
    home.on("2026-11-10")
    home("prices", "refresh")
    server.files["/map.json"] = ""
    home.on("2026-11-12")
    home("prices", "refresh")
    found = {one["catalog"]: one for one in home("prices", "lists", "--json").json["items"]}
    reached = {"genai-prices": "2026-11-12", "ecb": "never", "litellm": "2026-11-10", "skypilot": "2026-11-12"}
    assert {name: (one["reached"] or "never")[:10] for name, one in found.items()} == reached
    assert (found["litellm"]["failed"][:10], found["litellm"]["why"]) == ("2026-11-12", "404 Not Found")
    assert "2026-11-10 06:30" in home("prices", "lists").out
    with home.web() as web:
        shown = web.get("/v1/price-lists").json()["items"]
        assert {one["catalog"]: one for one in shown} == {name: one | {"address": ""} for name, one in found.items()}
        assert "Last reached" in web.get("/prices").text


def test_readers_get_no_address_that_is_set_in_the_reason_of_a_failure_either(home, server, monkeypatch):
    monkeypatch.setenv("BRAIN_GPUHUNT_URL", f"{server.address}/key-7/{{version}}/catalog.zip")
    server.files = {"/key-7/version": "no version"}
    home.on("2026-11-10")
    home("prices", "refresh")
    assert "/key-7/version names no version" in home("prices", "lists", "--json").out
    with home.web() as web:
        shown = web.get("/v1/price-lists").text + web.get("/prices").text
        assert ("names no version" in shown, "key-7" in shown) == (True, False)


def test_files_of_several_clouds_are_one_list_and_a_version_is_looked_up(home, server, monkeypatch):
    set_lists(monkeypatch, server.address, gpuhunt="v2/{version}/catalog.zip")
    lists = " ".join(f"{server.address}/{name}/vms.csv" for name in ("acme", "bazaar"))
    monkeypatch.setenv("BRAIN_SKYPILOT_URL", lists)
    rows = "instance_name,location,price,gpu_count,gpu_name,spot\ngpu_8x_h100_sxm5,us-1,24,8,H100,False\n"
    server.files = {
        "/acme/vms.csv": VMS, "/bazaar/vms.csv": VMS, "/v2/version": b"20261110\n",
        "/v2/20261110/catalog.zip": archive(lambdalabs=rows),
    }  # fmt: skip
    home.on("2026-11-10")
    assert home("prices", "refresh").code == 0
    assert (price(home, "acme/h100"), price(home, "bazaar/h100"), price(home, "lambda/h100-sxm")) == ([10], [10], [3])
    requests_to(server)
    home.on("2026-11-11")
    assert set(home("prices", "refresh", "--json").json["unchanged"]) == {"skypilot", "gpuhunt"}
    assert requests_to(server)["/bazaar/vms.csv"] == 304
    server.files["/acme/vms.csv"] = VMS.replace(b"80", b"96")
    home.on("2026-11-12")
    home("prices", "refresh")
    shown = home("prices", "show", "bazaar/h100", "--json").json["items"]
    assert (price(home, "acme/h100"), [one["checked"] for one in shown]) == ([12], ["2026-11-12"])
    server.files["/v2/version"] = b"../../etc"
    assert "names no version" in home("prices", "refresh").err
