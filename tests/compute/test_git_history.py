"""Observations from the Git history of a price list; no command of a hostile repository runs."""

import json
import os
import shutil
import subprocess
from datetime import date

import pytest
import yaml

from compute.catalogs import git_files
from compute.catalogs.git_files import GitHistoryError, file_history
from compute.catalogs.list_history import csv_text, observations
from compute.catalogs.price_observations import load
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`
from tests.stories.test_refreshed_catalogs import litellm

TODAY = date(2026, 11, 20)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


class Repository:
    def __init__(self, path, file="map.json"):
        self.path, self.file = path, file
        path.mkdir()
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments, day="2026-01-01"):
        moment = f"{day}T12:00:00Z"
        who = {f"GIT_{role}_{part}": "a@b" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, "GIT_CONFIG_GLOBAL": "/dev/null"}
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.path), **who, **dates}
        subprocess.run(["git", *arguments], cwd=self.path, check=True, env=environment, capture_output=True)

    def commit(self, day, text, file=None):
        path = self.path / (file or self.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self("add", "--", str(path.relative_to(self.path)), day=day)
        self("commit", "-q", "--allow-empty", "-m", day, day=day)
        return self


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repo")


def rows(path, file="map.json"):
    with file_history(path, file, TODAY) as found:
        return observations(file, found.versions, found.last, lambda _: None)


def said(found):
    return [f"{provider}/{' '.join(map(str, rest))}" for provider, *rest in found]


def test_versions_become_days_and_a_correction_is_no_move(repository):
    repository.commit("2026-01-01", litellm(one=3, two=5))
    repository.commit("2026-02-01", litellm(one=30, two=5))
    repository.commit("2026-02-04", litellm(one=2))
    repository.commit("2026-02-04", litellm(one=2.5))  # only the last version of a day counts
    repository.commit("2026-03-01", "{ this is no map", None)
    repository.commit("2026-04-01", "x", "other.txt")
    found = rows(repository.path)
    assert said(found) == [
        "acme/one input 2.5 2026-02-04 2026-04-01",
        "acme/one input 3 2026-01-01 2026-01-31",
        "acme/one input 30 2026-02-01 2026-02-03",
        "acme/two input 5 2026-01-01 2026-02-03",
    ]
    catalog, problems = load("observations-litellm.csv", csv_text(found), TODAY)
    assert not problems
    moves = [(str(p.value), str(p.valid_from)) for p in catalog.prices if p.item == "acme/one"]
    assert sorted(moves) == [("2.5", "2026-02-01"), ("3", "2026-01-01")], "the wrong 30 was corrected after three days"


def test_a_list_that_is_deleted_has_no_price_until_it_is_back(repository):
    repository.commit("2026-01-01", litellm(one=3))
    repository("rm", "-q", "map.json")
    repository.commit("2026-02-01", "x", "other.txt").commit("2026-03-01", litellm(one=3))
    repository("mv", "map.json", "new.json")
    repository.commit("2026-04-01", "y", "other.txt").commit("2026-06-01", "z", "other.txt")
    deleted = ["acme/one input 3 2026-01-01 2026-01-31", "acme/one input 3 2026-03-01 2026-03-31"]
    assert said(rows(repository.path)) == deleted
    assert said(rows(repository.path, "new.json")) == ["acme/one input 3 2026-04-01 2026-06-01"]


def test_a_commit_is_no_earlier_than_the_one_before_it_and_wrong_clocks_say_nothing(repository):
    dates = ("2026-02-01", "2026-01-01", "1999-01-01", "2099-01-01")
    for value, day in enumerate(dates, 1):
        repository.commit(day, litellm(one=value))
    assert said(rows(repository.path)) == ["acme/one input 2 2026-02-01 2026-02-01"]


@pytest.mark.parametrize("file", ["providers/acme.yml", "data.json"])
def test_a_list_of_genai_prices_is_read_as_yaml_and_as_json(tmp_path, file):
    repository = Repository(tmp_path / "repo", file)
    for day, value in (("2026-01-01", "2.50"), ("2026-01-10", "2.25"), ("2026-03-01", "2.25")):
        prices = [
            {"prices": {"input_mtok": float(value)}},
            {"constraint": {"type": "start_date", "start_date": "2026-02-01"}, "prices": {"input_mtok": 7}},
        ]
        model = {"id": "zorn", "match": {"equals": "zorn"}, "prices": prices}
        listed = [{"id": "acme", "name": "Acme", "api_pattern": "https://acme", "models": [model]}]
        text = yaml.safe_dump(listed[0]) if file.endswith(".yml") else json.dumps(listed)
        repository.commit(day, text + "\n" * int(day[6]))
    assert said(rows(repository.path, file)) == [
        "acme/zorn input 2.25 2026-01-10 2026-01-31",
        "acme/zorn input 2.5 2026-01-01 2026-01-09",
        "acme/zorn input 7 2026-02-01 2026-03-01",
    ]


def test_the_command_writes_what_the_import_reads(home, repository):
    repository.commit("2026-01-01", litellm(one=3)).commit("2026-06-01", litellm(one=2))
    home.on("2026-11-20")
    written = repository.path / "observations-litellm.csv"
    told = home("prices", "history", repository.path, "map.json", "--output", written)
    assert (told.code, "2 rows of 2 versions up to 2026-06-01" in told.err) == (0, True)
    assert home("prices", "import", written, "--json").json["catalog"] == "observed-litellm"
    shown = home("prices", "show", "acme/one", "--json").json["items"]
    assert [(one["value"], one["valid_from"]) for one in shown] == [(3, "2026-01-01"), (2, "2026-06-01")]
    assert home("prices", "history", repository.path, "map.json").out == written.read_text()
    assert home("prices", "history", repository.path, "none.json").code == 3
    repository.commit("2026-06-02", "words", "notes.txt")
    assert "notes.txt has no prices per token" in home("prices", "history", repository.path, "notes.txt").err


def test_no_command_of_a_hostile_repository_runs_and_a_missing_object_is_not_fetched(repository, tmp_path):
    repository.commit("2026-01-01", litellm(one=3)).commit("2026-06-01", litellm(one=2))
    mark, evil, git = tmp_path / "mark", tmp_path / "evil", repository.path / ".git"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    evil.chmod(0o755)
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        shutil.copy(evil, git / "hooks" / hook)
    (git / "info/attributes").write_text("* filter=evil diff=evil\n")
    (tmp_path / "more").write_text(f"[core]\n\tfsmonitor = {evil}\n")
    with (git / "config").open("a") as config:
        config.write(
            f"[core]\n\tfsmonitor = {evil}\n\tpager = {evil}\n\tsshCommand = {evil}\n\talternateRefsCommand = {evil}\n"
            f'[filter "evil"]\n\tclean = {evil}\n\tsmudge = {evil}\n\trequired = true\n[include]\n\tpath = {tmp_path}/more\n'
            f'[diff]\n\texternal = {evil}\n[diff "evil"]\n\ttextconv = {evil}\n[log]\n\tshowSignature = true\n'
            f'[gpg]\n\tprogram = {evil}\n[alias]\n\tcat-file = !{evil}\n[protocol "ext"]\n\tallow = always\n'
            f'[remote "origin"]\n\turl = ext::{evil}\n\tpromisor = true\n\tuploadpack = {evil}\n'
            f"[extensions]\n\tpartialClone = origin\n[uploadpack]\n\tpackObjectsHook = {evil}\n"
        )
    assert len(rows(repository.path)) == 2
    assert not mark.exists()
    subprocess.run(["git", "status"], cwd=repository.path, capture_output=True, check=False)
    assert mark.exists(), "the repository is hostile: git itself runs a command of it"
    mark.unlink()
    blob = subprocess.run(["git", "hash-object", "map.json"], cwd=repository.path, capture_output=True, check=False)
    (git / "objects" / blob.stdout.decode()[:2] / blob.stdout.decode().strip()[2:]).unlink()
    mark.unlink(missing_ok=True)
    with pytest.raises(GitHistoryError, match="clone it completely"):
        rows(repository.path)
    assert not mark.exists()


def test_a_renamed_branch_a_bare_and_a_shallow_clone_are_read_too(repository, tmp_path):
    for day, value in (("2026-01-01", 3), ("2026-02-01", 2), ("2026-03-01", 1)):
        repository.commit(day, litellm(one=value))
    repository("branch", "-m", "trunk/new")
    repository("pack-refs", "--all")
    repository("clone", "-q", "--bare", str(repository.path), str(tmp_path / "bare"))
    repository("clone", "-q", "--depth", "2", f"file://{repository.path}", str(tmp_path / "shallow"))
    for path, values in ((repository.path, "123"), (tmp_path / "bare", "123"), (tmp_path / "shallow", "12")):
        assert [row[3] for row in rows(path)] == [*values]


def replace_by_link(path):
    path.rename(path.with_name("moved"))
    path.symlink_to(path.with_name("moved"), target_is_directory=path.with_name("moved").is_dir())


def alternates(git):
    (git / "objects/info").mkdir(exist_ok=True)
    (git / "objects/info/alternates").write_text("/somewhere/objects\n")


def fifo(git):
    (git / "objects/pack").mkdir(exist_ok=True)
    os.mkfifo(git / "objects/pack/pack-x.pack")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (shutil.rmtree, "it is not a Git repository"),
        (replace_by_link, "a part of it is a symbolic link"),
        (lambda git: replace_by_link(git / "objects"), "a part of it is a symbolic link"),
        (lambda git: replace_by_link(git / "HEAD"), "a part of it is a symbolic link"),
        (lambda git: replace_by_link(git / "refs/heads/main"), "symbolic link or no file"),
        (lambda git: (git / "objects/pack/x.pack").symlink_to("/etc/passwd"), "symbolic link or no file"),
        (fifo, "symbolic link or no file"),
        (alternates, "alternates"),
        (lambda git: (git / "HEAD").write_text("ref: refs/heads/../../x\n"), "git failed"),
        (lambda git: (git / "HEAD").write_text("a" * 40), "git failed"),
        (lambda git: shutil.rmtree(git / "refs"), "its references cannot be copied"),
        (lambda git: os.mkfifo(git / "packed-refs"), "its references cannot be copied"),
        (lambda git: [path.unlink() for path in (git / "objects").glob("??/*")], "git failed"),
    ],
)
def test_a_damaged_repository_is_refused(repository, change, reason):
    repository.commit("2026-01-01", litellm(one=3))
    change(repository.path / ".git")
    with pytest.raises(GitHistoryError, match=reason):
        rows(repository.path)


@pytest.mark.parametrize("file", ["", "/etc/passwd", ":(top)map.json", "a\nb", "no.json", "folder"])
def test_a_path_that_is_no_file_of_the_repository_is_refused(repository, file):
    repository.commit("2026-01-01", "{}", "folder/x.json")
    with pytest.raises(GitHistoryError):
        rows(repository.path, file)


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MOST_COMMITS", 1, "more than 1 commits"),
        ("LARGEST_FILE", 50, "larger than 50 bytes"),
        ("LARGEST_HISTORY", 100, "or all together"),
        ("SECONDS", 0, "too long"),
    ],
)
def test_a_history_beyond_the_limits_is_refused(repository, monkeypatch, limit, value, reason):
    repository.commit("2026-01-01", litellm(one=3)).commit("2026-02-01", litellm(one=2))
    monkeypatch.setattr(git_files, limit, value)
    with pytest.raises(GitHistoryError, match=reason):
        rows(repository.path)
