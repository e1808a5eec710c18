"""The example files for operators name what exists in the program; `run` makes the environment and calls the program in it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from api.cli import FAILED, USAGE
from api.cli.command_table import COMMANDS, loaded
from api.cli.service_commands import OUTCOMES
from api.settings import Settings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "docs/deploy"


def test_every_alarm_reads_metrics_that_the_service_has_and_the_docs_name_each_metric():
    sources = (ROOT / "api/metrics.py").read_text()
    there = set(re.findall(r'"(brain_\w+)"', sources))
    text = (DEPLOY / "alarms.yml").read_text()
    asked = set(re.findall(r"\b(brain_\w+)", " ".join(re.findall(r"expr: (.*)", text))))
    assert {name.removesuffix("_total") for name in asked} <= there
    rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
    assert all({"alert", "expr", "annotations"} <= set(rule) for rule in rules)
    table = (ROOT / "docs/nights.md").read_text().partition("## Metrics and alarms")[2].partition("\n## ")[0]
    assert {name.removesuffix("_total") for name in re.findall(r"`(brain_\w+)", table)} == there


def accepted(arguments):
    name, *rest = arguments
    listed = next(one for one in COMMANDS if one.name == name)
    return loaded(listed).make_context(name, list(rest)).params


def instructions():
    text = re.sub(r"\\\n", " ", (DEPLOY / "Containerfile").read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(line.split(None, 1)) for line in lines]


def settings_of(names):
    return [name for name in names if name.removeprefix("BRAIN_").lower() not in Settings.model_fields]


def test_the_container_file_copies_what_the_package_needs_and_starts_the_service():
    found = instructions()
    assert {kind for kind, _ in found} <= {
        "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD",
    }  # fmt: skip
    images = [text.split()[0] for kind, text in found if kind == "FROM"]
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+", image) for image in images), "no address of a registry"
    copied = {part for kind, text in found if kind == "COPY" and "--from" not in text for part in text.split()[:-1]}
    assert all((ROOT / one).exists() for one in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {one.rstrip("*") for one in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages | {"pyproject.toml", "setup.py", "constraints.txt", "README.md", "LICENSE"} == copied
    installed = next(text for kind, text in found if kind == "RUN" and "pip install" in text)
    assert set(re.findall(r"\[(\w+)\]", installed)) <= set(project["project"]["optional-dependencies"])
    entry = json.loads(next(text for kind, text in found if kind == "ENTRYPOINT"))
    assert entry == list(project["project"]["scripts"]) == ["brain"]
    served = accepted(json.loads([text for kind, text in found if kind == "CMD"][-1]))
    exposed = int(next(text for kind, text in found if kind == "EXPOSE"))
    assert (served["host"], served["port"]) == ("0.0.0.0", exposed)
    health = next(text for kind, text in found if kind == "HEALTHCHECK")
    assert f"http://127.0.0.1:{exposed}/healthz" in health
    compile(json.loads(health.partition("CMD ")[2])[2], "healthcheck", "exec")
    assert settings_of(re.findall(r"BRAIN_\w+", " ".join(text for kind, text in found if kind == "ENV"))) == []
    assert next(text for kind, text in found if kind == "USER") == "10001", "not the superuser"
    for line in (DEPLOY / "Containerfile").read_text().splitlines():
        if " brain ingest " in line:
            assert accepted(shlex.split(line.split(" brain ", 1)[1]))["paths"]


def test_the_compose_file_names_commands_and_settings_that_exist():
    found = yaml.safe_load((DEPLOY / "compose.yml").read_text())
    services = found["services"]
    assert set(services) == {"web", "night", "database"}
    for name in ("web", "night"):
        one = services[name]
        assert settings_of(one["environment"]) == []
        assert (DEPLOY / one["build"]["context"] / one["build"]["dockerfile"]).resolve() == DEPLOY / "Containerfile"
        assert accepted(one["command"])
        assert one["environment"]["BRAIN_DB"].startswith("postgresql://brain:${POSTGRES_PASSWORD:?")
        assert "@database:5432/brain" in one["environment"]["BRAIN_DB"]
        assert {volume.split(":")[0] for volume in one["volumes"]} <= set(found["volumes"])
        assert one["volumes"] == [f"home:{one['environment']['BRAIN_HOME']}"]
    assert services["database"]["environment"]["POSTGRES_USER"] == "brain"
    assert re.fullmatch(r"postgres:\d+", services["database"]["image"])
    assert services["web"]["ports"] == ["127.0.0.1:8000:8000"], "nobody else reaches it without a proxy"


def test_the_cron_job_of_kubernetes_names_a_command_settings_and_exit_codes_that_exist():
    found = yaml.safe_load((DEPLOY / "cronjob.yaml").read_text())
    assert (found["apiVersion"], found["kind"]) == ("batch/v1", "CronJob")
    assert found["spec"]["concurrencyPolicy"] == "Forbid"
    job = found["spec"]["jobTemplate"]["spec"]
    pod = job["template"]["spec"]
    (container,) = pod["containers"]
    assert accepted(container["args"])["fail_on"]
    private = re.search(r"are private: ([^.]+)\.", (DEPLOY / "cronjob.yaml").read_text())[1]
    assert settings_of([one["name"] for one in container["env"]] + private.split(", ")) == []
    (rule,) = job["podFailurePolicy"]["rules"]
    assert (rule["onExitCodes"]["values"], pod["restartPolicy"]) == ([FAILED, USAGE], "Never")
    assert not set(rule["onExitCodes"]["values"]) & {code for name, code in OUTCOMES.items() if name.startswith("not ")}
    seconds = next(float(one["value"]) for one in container["env"] if one["name"] == "BRAIN_NIGHTLY_SECONDS")
    assert seconds < job["activeDeadlineSeconds"]
    assert {one["name"] for one in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
    assert pod["securityContext"]["runAsUser"] == 10001


@pytest.mark.parametrize("name", ["crontab", "brain-nightly.service", "nightly.yml"])
def test_the_other_files_name_commands_and_settings_that_exist(name):
    text = (DEPLOY / name).read_text()
    assert settings_of(re.findall(r"\bBRAIN_[A-Z_]+", text)) == []
    calls = [shlex.split(call) for call in re.findall(r"(?:bin/brain|run: brain) ([^>|\n]+)", text)]
    assert calls
    for call in calls:
        accepted(call)


PROGRAM = '#!/bin/sh\necho "$PWD" "${BRAIN_HOME-none}" "$@"\n'


@pytest.fixture
def clone(tmp_path):
    """A copy of what `run` reads, with a program that says where it is and what it is asked."""
    made = tmp_path / "clone"
    (made / ".venv/bin").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, made)
    command = "cat pyproject.toml constraints.txt run | cksum"
    sums = subprocess.check_output(command, shell=True, cwd=made, text=True)
    (made / ".venv/stamp").write_text(f"{sums.strip()} \n")
    program = made / ".venv/bin/brain"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return made


def said(clone, where, *arguments, **settings):
    where.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
    command, environment = [clone / "run", *arguments], {**kept, **settings}
    return subprocess.check_output(command, cwd=where, env=environment, text=True).strip()


def test_paths_are_those_of_the_caller_and_the_brain_is_that_of_the_clone(clone, tmp_path):
    notes = tmp_path / "notes"
    assert said(clone, notes, "brain", "proof", "draft.md") == f"{notes} {clone}/.brain proof draft.md"
    assert said(clone, notes, "demo", "--no-serve") == f"{notes} {clone}/.brain demo --no-serve"
    assert said(clone, notes, "brain", "runs", BRAIN_HOME="mine") == f"{notes} mine runs"
    assert said(clone, clone, "brain", "runs") == f"{clone} none runs"


def test_without_a_job_it_says_what_there_is_from_anywhere(clone, tmp_path):
    done = subprocess.run(["../clone/run"], cwd=clone, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("./run ")) == (2, 3)
