"""Which files of a folder are left out: by `.brainignore`, and by an Obsidian vault's own settings.

    FOLDER/.brainignore                     gitignore syntax; applies to its folder, the deepest decides;
                                            `!name` brings back what a default or Obsidian leaves out
    FOLDER/.obsidian/app.json               userIgnoreFilters: paths, or regular expressions between slashes
    FOLDER/.obsidian/templates.json         folder: of the core plugin Templates, unless core-plugins.json disables it
    FOLDER/.obsidian/plugins/templater-obsidian/data.json    templates_folder: of the plugin Templater

Rules apply to the folder they are in, so a folder may contain several vaults.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pathspec import GitIgnoreSpec

IGNORE_FILE = ".brainignore"
VAULT = ".obsidian"
TEMPLATER = f"{VAULT}/plugins/templater-obsidian/data.json"

Readable = Callable[[Path], bool]  # whether a file of rules exists and does not link out of the folder


class BadRule(NamedTuple):
    """A rule or file of rules that cannot be read: its path in the folder, and why."""

    name: str
    reason: str


class _Ignore(NamedTuple):
    """The rules of one `.brainignore`; `lines` holds the number and text of each pattern."""

    base: str
    file: str
    spec: GitIgnoreSpec
    lines: Sequence[tuple[int, str]]

    def decide(self, name: str) -> tuple[bool, str] | None:
        """Whether a path is left out, by which line; None if undecided."""
        found = self.spec.check_file(name.removeprefix(self.base))
        if found.include is None or found.index is None:
            return None
        number, line = self.lines[found.index]
        return found.include, f"{self.file} line {number}: {line}"


class _Excluded(NamedTuple):
    base: str
    pattern: re.Pattern[str]
    reason: str


class FolderRules(NamedTuple):
    """The rules that apply in a folder: its own and those of the folders above it."""

    ignores: tuple[_Ignore, ...] = ()
    excluded: tuple[_Excluded, ...] = ()

    def reason(self, name: str) -> str:
        """The rule that leaves out a path (a folder's ends with a slash); empty if none does."""
        decided = self._decided(name)
        if decided:
            return decided[1] if decided[0] else ""
        found = (rule for rule in self.excluded if rule.pattern.search(name.removeprefix(rule.base)))
        return next((rule.reason for rule in found), "")

    def brings_back(self, name: str) -> bool:
        """Whether a `.brainignore` brings back this path by name; `!*/` and `!*.md` do not."""
        decided = self._decided(name)
        return decided is not None and not decided[0] and PurePosixPath(name).name in decided[1]

    def _decided(self, name: str) -> tuple[bool, str] | None:
        """The decision of the deepest `.brainignore` about a path."""
        decisions = (ignore.decide(name) for ignore in reversed(self.ignores))
        return next((decision for decision in decisions if decision), None)

    def inside(self, folder: Path, base: str, readable: Readable) -> tuple[FolderRules, list[BadRule]]:
        """The rules inside `folder`; `base` is its path in the root, ending with a slash if any."""
        bad: list[BadRule] = []
        ignores, excluded = _ignores(folder, base, readable, bad), _vault_rules(folder, base, readable, bad)
        return FolderRules((*self.ignores, *ignores), (*self.excluded, *excluded)), bad


def _ignores(folder: Path, base: str, readable: Readable, bad: list[BadRule]) -> Iterator[_Ignore]:
    path, file = folder / IGNORE_FILE, f"{base}{IGNORE_FILE}"
    if not readable(path):
        return
    try:
        written = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        bad.append(BadRule(file, f"cannot be read: {error}"))
        return
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(written, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError as error:
            bad.append(BadRule(file, f"line {number} is not a pattern: {error}"))
        else:
            lines.append((number, line))
    yield _Ignore(base, file, GitIgnoreSpec.from_lines([line for _, line in lines]), lines)


def _vault_rules(folder: Path, base: str, readable: Readable, bad: list[BadRule]) -> Iterator[_Excluded]:
    filters = _settings(folder, base, f"{VAULT}/app.json", readable, bad).get("userIgnoreFilters")
    for written in map(str, filters if isinstance(filters, list) else []):
        file = f"{base}{VAULT}/app.json"
        is_pattern = len(written) > 2 and written.startswith("/") and written.endswith("/")
        try:
            pattern = re.compile(written[1:-1]) if is_pattern else _below(written.strip("/"))
            yield _Excluded(base, pattern, f"excluded in {file}: {written}")
        except re.error as error:
            bad.append(BadRule(file, f"the excluded files {written!r} are not a regular expression: {error}"))
    for file, field, plugin in (
        (f"{VAULT}/templates.json", "folder", "templates"),
        (TEMPLATER, "templates_folder", ""),
    ):
        named = str(_settings(folder, base, file, readable, bad).get(field) or "").strip().strip("/")
        if named and not (plugin and _switched_off(folder, plugin, readable)):
            yield _Excluded(base, _below(named), f"the templates folder {named!r} of {base}{file}")


def _below(name: str) -> re.Pattern[str]:
    return re.compile(rf"\A{re.escape(name)}(?:/|\Z)")


def _switched_off(folder: Path, plugin: str, readable: Readable) -> bool:
    path = folder / VAULT / "core-plugins.json"
    plugins = _json(path) if readable(path) else None
    if isinstance(plugins, list):
        return plugin not in plugins
    return isinstance(plugins, dict) and plugins.get(plugin) is False


def _settings(folder: Path, base: str, file: str, readable: Readable, bad: list[BadRule]) -> dict[str, Any]:
    path = folder / file
    found = _json(path) if readable(path) else {}
    if isinstance(found, dict):
        return found
    bad.append(BadRule(f"{base}{file}", "cannot be read as JSON settings; what it excludes is not left out"))
    return {}


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
