"""The description is valid, and clients that other people's generators make of it work against a running service."""

import hashlib
import json
import keyword
import os
import re
import shutil
import subprocess
import sys
import venv
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from openapi_spec_validator import OpenAPIV31SpecValidator

pytestmark = pytest.mark.usefixtures("exports_here")

CLIENTS = Path(__file__).with_name("clients")


@pytest.fixture(scope="module")
def document(shipped):
    return shipped.get("/openapi.json").json()


def test_the_description_is_valid_and_readable_and_a_later_version_may_add_keys_to_an_answer(document):
    found = [f"{error.json_path}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
    assert not found
    schemas = document["components"]["schemas"]
    assert not [name for name in schemas if not re.fullmatch(r"[A-Z][A-Za-z]+", name)]
    assert [schema["title"] for schema in schemas.values()] == list(schemas)
    assert not [name for name, schema in schemas.items() if schema.get("additionalProperties") is False]


@pytest.mark.slow
def test_a_generated_python_client_walks_every_get(document, tmp_path, live_part, bearer):
    python = _environment()
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    _run(
        python.with_name("openapi-python-client"), "generate", "--path", tmp_path / "openapi.json",
        "--output-path", tmp_path / "brain_client", "--meta", "none", "--config", CLIENTS / "generator.yaml", path=python.parent,
    )  # fmt: skip
    plan = [{"module": _module(one), "arguments": _arguments(one)} for _, one in _gets(document)]
    done = _run(python, CLIENTS / "walk.py", tmp_path, live_part, _token(bearer), given=json.dumps(plan))
    found = json.loads(done.stdout)
    assert len(found) == len(plan) >= 50
    assert not {name: told for name, told in found.items() if told["status"] != 200 or not told["bytes"]}
    assert not {name: told["undescribed"] for name, told in found.items() if told["undescribed"]}
    assert not {name for name, told in found.items() if told["parsed"] == "NoneType" and told["json"]}


@pytest.mark.slow
def test_a_generated_typescript_client_compiles_and_walks_every_get(document, tmp_path, live_part, bearer):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed; .ci/run installs it")
    for name in ("package.json", "tsconfig.json", "use.ts"):
        shutil.copy(CLIENTS / name, tmp_path)
    with _installed("package.json") as folder:
        if not (folder / "node_modules/.bin/tsc").exists():
            shutil.copy(CLIENTS / "package.json", folder)
            _run(shutil.which("npm"), "install", "--no-audit", "--no-fund", "--no-package-lock", cwd=folder)
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    tools = tmp_path / "node_modules/.bin"
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    _run(tools / "openapi-typescript", "openapi.json", "-o", "api.d.ts", cwd=tmp_path)
    (tmp_path / "walk.ts").write_text(_program(document))
    _run(tools / "tsc", "--noEmit", "false", "--outDir", "out", "-p", ".", cwd=tmp_path)  # fails on a wrong type
    told = _run(shutil.which("node"), "out/walk.js", live_part, _token(bearer), cwd=tmp_path)
    assert json.loads(told.stdout) == {one["operationId"]: 200 for _, one in _gets(document)}


def _gets(document):
    return [(path, methods["get"]) for path, methods in document["paths"].items() if "get" in methods]


def _module(one):
    return f"api.{one['tags'][0].replace(' ', '_')}.{one['operationId']}"


def _required(one):
    return {given["name"]: given for given in one.get("parameters", []) if given.get("required")}


def _arguments(one):
    """The examples of the required parameters, by the names that the Python client gives them."""
    return {name + "_" * keyword.iskeyword(name): given["example"] for name, given in _required(one).items()}


def _program(document):
    calls = (f"await told({json.dumps(one['operationId'])}, {_call(path, one)});\n" for path, one in _gets(document))
    return WALK + "".join(calls) + "process.stdout.write(JSON.stringify(found));\n"


WALK = """\
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };
const [, , baseUrl = "", token = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const found: Record<string, number> = {};

async function told(name: string, asked: Promise<{ response: Response }>): Promise<void> {
  found[name] = (await asked).response.status;
}

"""


def _call(path, one):
    given = {"path": {}, "query": {}}
    for name, parameter in _required(one).items():
        given[parameter["in"]][name] = parameter["example"]
    parameters = {place: values for place, values in given.items() if values}
    first = next(iter(one["responses"]["200"]["content"]))
    read = "json" if first == "application/json" else "text"
    options = {"parseAs": read} | ({"params": parameters} if parameters else {})
    return f"client.GET({json.dumps(path)}, {json.dumps(options)})"


def _token(bearer):
    return bearer["Authorization"].removeprefix("Bearer ")


@contextmanager
def _installed(listed):
    """A folder beside this environment for what a list of packages names: it is installed once for each list."""
    folder = Path(sys.prefix) / "clients" / hashlib.sha256((CLIENTS / listed).read_bytes()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):
        yield folder


def _environment():
    with _installed("requirements.txt") as folder:
        python = folder / "bin/python"
        if not python.with_name("openapi-python-client").exists():
            venv.create(folder, with_pip=False)
            listed = CLIENTS / "requirements.txt"
            _run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--requirement", listed)
    return python


def _run(*command, cwd=None, given=None, path=None):
    environment = os.environ | ({"PATH": f"{path}:{os.environ['PATH']}"} if path else {})
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=given, env=environment, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done
