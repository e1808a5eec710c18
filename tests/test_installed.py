"""What people install: the wheel, in an environment of its own far from the source tree.

The environment has the wheel installed and sees the third-party packages of this one by a `.pth` line, so it need not
download them; `.pth` files among these are not read, so an editable install of the source tree stays unseen.
"""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.agent import connected
from tests.conftest import made_once
from tests.pages.pages_list import KINDS, PARTS

ROOT = Path(__file__).parents[1]
PACKAGES = ("graph", "ingest", "compute", "api", "content")
_TYPEFACES = "brain-sans.woff2 brain-serif.woff2 brain-serif-italic.woff2 brain-sans.ttf brain-serif.ttf"
MADE = {f"api/pages/static/{name}" for name in (*_TYPEFACES.split(), "fonts.css", "fonts-licence.txt")}
"""What `setup.py` makes; a source tree from which nothing was installed does not have it."""

BARE = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "BRAIN_OFFLINE": "1"}

pytestmark = pytest.mark.slow


def tree():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
                yield path.relative_to(ROOT).as_posix()


def copied_source(top):
    """The source tree without what was built in it, but with a compiled file, as a working copy has them."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, top / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, top)
    (top / "graph/__pycache__").mkdir()
    (top / "graph/__pycache__/values.cpython-311.pyc").write_bytes(b"compiled")
    return top


def install(top):
    venv.create(top / "env", with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", top / "env/bin/python", "--quiet", "--disable-pip-version-check"]
    (top / "source").mkdir()
    built = [*pip, "wheel", "--no-deps", "--wheel-dir", top / "dist", copied_source(top / "source")]
    subprocess.run(built, check=True, timeout=300, cwd=top)
    shutil.rmtree(top / "source")
    (wheel,) = (top / "dist").glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", wheel], check=True, timeout=300, cwd=top)
    ours = next((top / "env/lib").glob("python*/site-packages"))
    others = [path for path in sys.path if path.endswith("site-packages")]
    (ours / "third_party.pth").write_text("\n".join(others) + "\n", "utf-8")


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    """The folder with `dist/` and `env/`; made once for all workers of a test run."""
    return made_once(tmp_path_factory, "installed", install)


@pytest.fixture(scope="module")
def run(top, tmp_path_factory):
    """Runs a program of the environment in an empty folder, with nothing else set up."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def call(program, *arguments):
        command = [top / "env/bin" / program, *arguments]
        where = {"cwd": elsewhere, "env": BARE | {"HOME": str(elsewhere)}}
        done = subprocess.run(command, **where, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout

    return call


@pytest.fixture(scope="module")
def home(run, tmp_path_factory):
    made = tmp_path_factory.mktemp("installed-home") / "home"
    report = run("brain", "--home", made, "demo", "--no-serve", "--as-of", "2026-11-21")
    assert report.startswith("Morning report for 2026-11-21")
    return made


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(top):
    (wheel,) = (top / "dist").glob("brain_claims-*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert set(tree()) - held == set(), "files that pip leaves out"
    assert held - set(tree()) - MADE - {"content/.brainignore"} == set(), "files that are none of ours"
    assert held >= MADE, "the build makes the typefaces"


def test_the_program_runs_from_its_environment_and_not_from_the_source_tree(top, run):
    names = ", ".join(PACKAGES)
    told = run("python", "-c", f"import {names}\nprint(*[list(p.__path__) for p in ({names})])")
    assert str(ROOT) not in told.replace(str(top), "")
    assert told.count(str(top / "env")) == len(PACKAGES)
    assert run("brain", "--version").startswith("brain ")


@pytest.fixture(scope="module")
def site(top, home, tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [top / "env/bin/brain", "--home", home, "serve", "--port", str(port)]
    with log.open("wb") as out, subprocess.Popen(command, cwd=log.parent, env=BARE, stdout=out, stderr=out) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until_ready(server, f"{address}/readyz", log)
            yield address
        finally:
            server.terminate()
            server.wait(20)


def wait_until_ready(server, address, log):
    for _ in range(1_200):
        assert server.poll() is None, log.read_text("utf-8")
        try:
            if httpx.get(address, timeout=10).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    pytest.fail(f"the server does not answer\n{log.read_text('utf-8')}")


def shipped_addresses(client):
    """One address of the shipped brain for every pattern of the pages."""

    def first(path):
        return client.get(f"/v1/{path}").raise_for_status().json()["items"][0]

    claim, item, run = "sonnet-cached-batch-discount", "anthropic/sonnet", first("runs")
    model = first(f"prices?item={item}")
    given = {
        "brain": "analyst",
        "slug": "caching-and-batch-stack",
        "claim": claim,
        "item": item,
        "run": run["id"],
        "tag": quote(first("tags")["tag"], safe=""),
        "work": quote(first("sources")["id"], safe=""),
        "day": run["as_of"],
        "document": "assumptions.yaml",
        "name": "pue",
        "form": "png",
    }
    own = {
        "/suggest.json": "/suggest.json?q=tok",
        "/terms/{brain}/{slug}": f"/terms/{first('terms')['id']}",
        "/charts/claims/{claim:path}/history.{form}": f"/charts/claims/{claim}/history.svg",
        "/charts/prices/{item:path}.{form}": f"/charts/prices/{quote(model['item'])}.png"
        f"?chart={model['component']}/{model['processing']}",
    }
    for pattern in (*KINDS, *PARTS):
        yield own.get(pattern) or re.sub(r"\{(\w+)(?::path)?\}", lambda part: str(given[part[1]]), pattern)


def test_every_kind_of_page_is_served_with_what_it_loads(site):
    with httpx.Client(base_url=site, timeout=120, headers={"accept": "text/html,*/*"}) as client:
        answers = {address: client.get(address) for address in shipped_addresses(client)}
        texts = "\n".join(answer.text for answer in answers.values())
        loaded = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', texts))
        assert any("icon" in one for one in loaded)
        rest = ("/docs", "/openapi.json", "/feed.atom", "/feed.json", "/metrics", "/llms.txt", "/.well-known/void")
        answers |= {address: client.get(address) for address in (*loaded, *rest)}
    assert {address: answer.status_code for address, answer in answers.items() if answer.status_code != 200} == {}


def test_sparql_is_answered(site):
    asked, json_table = {"query": "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"}, "application/sparql-results+json"
    answer = httpx.get(f"{site}/sparql", params=asked, timeout=120, headers={"accept": json_table})
    assert int(answer.json()["results"]["bindings"][0]["n"]["value"]) > 1_000


def test_an_agent_is_answered(top, home):
    command = StdioServerParameters(
        command=str(top / "env/bin/brain"), args=["--home", str(home), "mcp"], env=BARE, cwd=str(home.parent)
    )
    with connected(stdio_client(command)) as agent:
        answer = agent("call_tool", "explain", {"claim": "sonnet-cached-batch-discount"})
    assert not answer.is_error
    assert json.loads(answer.content[0].text)["verdict"] == "stale"
