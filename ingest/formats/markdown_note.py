"""The Markdown note: one node in one file, with front matter (YAML or TOML); a folder of them is a vault.

    title        else the first heading of level 1, else the file's name
    kind         `reading` by default
    brain        else the caller's, else `notes`
    tags         those inside the text are added
    aliases      names by which links may call the note
    published    else a line at the head of the text, such as Date: 2025-02-01
    origin       where its content was first written: page.txt:119
    sources      addresses, or mappings with url, title and date
    cites        names, or mappings with the CiTO name of the link (to: other-note, as: citesAsEvidence)

The file name is the slug. `brain_export: 1` marks a note that Brain exported: nothing is inferred from its text, and
exporting it again gives the same bytes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from datetime import date

from pydantic import BaseModel, Field, ValidationError

from graph.ids import slug
from graph.models.link_models import CITO_PROPERTIES
from graph.models.node_models import Kind, Labels, Node, Property, Source
from graph.name_rules import InvalidNameError, check_node_id
from graph.problems import Problem, Severity
from graph.yaml.reader import Tree, Word, field, mappings, place, word, words
from graph.yaml.validation import Day, Written
from ingest.brain_page.page_entry import source_of
from ingest.formats.format_protocol import Format
from ingest.markdown.front_matter import Front, front_matter
from ingest.markdown.head_date import head_date, written_day
from ingest.markdown.link_rewriting import restored
from ingest.markdown.logseq_page import DROPPED, logseq_page
from ingest.markdown.markdown_tables import tables_in
from ingest.markdown.wikilinks import footnotes_in, link_citations, links_in, tags_in
from ingest.quotations.block_quotes import block_quotes
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.decoding import DecodedText, Parsed
from ingest.text.name_checks import declared_brain

MOST = 100  # maximum number of properties
LONGEST = 2000  # maximum characters of a property
DISPLAY = frozenset({"cssclass", "cssclasses", "publish", "permalink", "position"})  # settings of the editor


def properties_of(front: Front, read: Collection[str]) -> tuple[Property, ...]:
    """The fields other than `read`, each as a line of text."""
    found = (
        Property(name=str(name), value=_text(value)[:LONGEST])
        for name, value in front.fields.items()
        if str(name) not in read and str(name).lower() not in DISPLAY
    )
    return tuple(one for one in found if one.value)[:MOST]


def _text(value: Tree) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    return " ".join((value or "").split())


class NoteSource(Written):
    """A source of a note."""

    url: str
    title: str | None = None
    date: str | int | None = None


class Cite(Written):
    """A typed link to another note."""

    to: str
    cito: str = Field("cites", validation_alias="as", description="A CiTO property, such as citesAsEvidence.")


class FrontMatter(BaseModel):
    """The front matter of a note; unknown fields are allowed."""

    # For editors only: `parse` below accepts more, because vaults come from many programs.
    title: str
    kind: Kind = Kind.READING
    tags: list[str] = []
    published: Day | None = None
    origin: str | None = None
    aliases: list[str] = []
    sources: list[NoteSource | str] = []
    cites: list[Cite | str] = []


FIELDS = ("title", "kind", "brain", "tags", "aliases", "published", "origin", "sources", "cites", "section")
_NEAR = 0.75
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:|(?:[\w-]+\.)+[a-z]{2,}(?=[/?#:]|\Z))\S*", re.I)
_READ = frozenset({*FIELDS, "alias", "tag", "source", "date"})
_NO_MAPPING = frozenset({"title", "published", "date", "origin", "section"})  # a mapping here is a property
_SWITCHES = frozenset({"true", "false", "yes", "no"})
_OF_RENDERING = frozenset({"today", "now", "last-modified"})  # what Quarto replaces
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
_WORDS = frozenset({"tags", "tag", "aliases", "alias"})


def parse(text: DecodedText) -> Parsed:
    """The one node of a note."""
    front = front_matter(text)
    skips = front.skips(text)
    if front.word("brain_export"):
        node, problems = _exact(text, front)
    elif page := logseq_page(text, front.end):
        text, skips = page.text, (*skips, *page.skips)
        node, problems = _read(text, front._replace(fields={**page.fields, **front.fields}), page.day)
    else:
        node, problems = _read(text, front)
    found = (*front.problems, *problems)
    return Parsed(node.brain if node else text.note_brain, (node,) if node else (), skips, found)


def _read(text: DecodedText, front: Front, day: date | None = None) -> tuple[Node, tuple[Problem, ...]]:
    """An author's note; `day` is that of a journal."""
    start, title = _opening(text, front, day.isoformat() if day else text.stem)
    body = "\n".join(line.rstrip() for line in text.lines[start:] if line != DROPPED).strip("\n")
    named, problems = declared_brain(text, front.get("brain"), text.default_brain)
    brain, fields = text.brain or named, _Fields(text, front)
    kind, published, sources, typed = fields.kind(), fields.published(), fields.sources(), fields.typed()
    names = (name.strip() for name in front.listed("aliases", "alias", separators=","))
    aliases = tuple(dict.fromkeys(filter(None, names)))
    unread = {name for name in _NO_MAPPING if isinstance(front.get(name), dict)} | fields.unread
    properties = properties_of(front, _READ - unread - ({"date"} if front.get("published") else set()))
    typed += [(link.target, "cites") for one in properties for link in links_in(one.value)]
    every = _once((*sources, *footnotes_in(body)))
    node = Node(
        id=f"{brain}/{slug(text.stem)}",
        brain=brain,
        kind=kind,
        title=title,
        body=body,
        tags=tuple(dict.fromkeys((*front.tags(), *tags_in(body)))),
        sources=every,
        citations=(*link_citations(body, typed), *block_quotes(body, every, _once(sources))),
        labels=Labels(preferred=title, variants=aliases) if aliases else None,
        tables=tuple(found.table for found in tables_in(text.lines[start:], title, start + 1)),
        section=tuple(str(name) for name in words(front.get("section"))),
        published=published or day,
        origin=", ".join(map(str, words(front.get("origin")))) or None,
        properties=properties,
        provenance=text.provenance(),
    )
    return node, (*problems, *fields.problems, *_no_list(text, front), *_misspelt(text, front))


def _opening(text: DecodedText, front: Front, name: str) -> tuple[int, str]:
    """The index at which the body begins, and the title, else `name`."""
    title = " ".join(front.word("title").removeprefix("[[").removesuffix("]]").split())
    first = next((index for index in range(front.end, len(text.lines)) if text.lines[index].strip()), front.end)
    line, below = (*text.lines[first : first + 2], "", "")[:2]
    underlined = line.strip() and _UNDERLINE.fullmatch(below)
    level, heading = (1, line.strip()) if underlined else markdown_heading(line) or (0, "")
    if level == 1 and (not title or title.casefold() == heading.casefold()):
        return first + (2 if underlined else 1), title or heading
    return front.end, title or name


class _Fields:
    def __init__(self, text: DecodedText, front: Front) -> None:
        self.text, self.front, self.problems, self.unread = text, front, list[Problem](), set[str]()

    def complain(self, tree: Tree, code: str, message: str, *, near: frozenset[str] = frozenset()) -> None:
        """Adds a warning at a value, with a suggestion from `near`."""
        where = place(tree) or Word("", 1, 1)
        meant = difflib.get_close_matches(word(tree), near, 1, 0.6)
        hint = f"did you mean {meant[0]}?" if meant else None
        self.problems.append(self.text.problem(where.line, code, message, column=where.column, hint=hint))

    def listed(self, name: str) -> list[Tree]:
        """The values of a field; a single one as a list."""
        tree = self.front.get(name)
        return tree if isinstance(tree, list) else [tree]

    def kind(self) -> Kind:
        """The kind of the note."""
        value = self.front.get("kind")
        name = word(value).strip().lower()
        if value is not None and name not in set(Kind):
            self.complain(value, "note-kind", f"{name!r} is not a kind; read as reading; kinds: {', '.join(Kind)}")
        return Kind(name) if name in set(Kind) else Kind.READING

    def published(self) -> date | None:
        """The day of the field (`true` is none), else at the head of the text."""
        name, value = "published", self.front.get("published")
        if value is None or word(value).strip().lower() in _SWITCHES:
            name, value = "date", self.front.get("date")
        written = word(value).strip()
        if not written or written in _OF_RENDERING:
            return head_date(self.text.lines[self.front.end :])
        if not (found := written_day(written)):
            self.unread.add(name)
            self.complain(value, "note-date", f"{written!r} is not a date; write YYYY-MM-DD")
        return found

    def sources(self) -> tuple[Source, ...]:
        """The sources; one without an address is a problem."""
        found: list[Source] = []
        for item in (*self.listed("sources"), *self.listed("source")):
            url = (word(item) or word(field(item, "url"))).strip()
            if url and isinstance(item, dict) and not _ADDRESS.fullmatch(url):
                self.complain(field(item, "url"), "note-source", f"{url!r} is not an address")
            if url:
                title, day = word(field(item, "title")).strip(), word(field(item, "date")).strip()
                found.append(source_of(url, title or None, day or None))
            elif item is not None:
                self.complain(item, "note-source", "this source has no 'url'; it is left out")
        return tuple(found)

    def typed(self) -> list[tuple[str, str]]:
        """The typed links as pairs of target and CiTO name."""
        links: list[tuple[str, str]] = []
        for item in self.listed("cites"):
            target = (word(item) or word(field(item, "to"))).strip().removeprefix("[[").removesuffix("]]")
            cito = word(field(item, "as")).strip() or "cites"
            if cito not in CITO_PROPERTIES:
                message = f"{cito!r} is not a property of CiTO; read as cites"
                self.complain(field(item, "as"), "note-cito", message, near=CITO_PROPERTIES)
                cito = "cites"
            if target:
                links.append((target, cito))
            elif item is not None:
                self.complain(item, "note-cites", "this link has no 'to'; it is left out")
        return links


def _once(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    return tuple({source.url: source for source in reversed(sources)}.values())[::-1]


def _no_list(text: DecodedText, front: Front) -> Iterator[Problem]:
    for name in front.fields:
        if str(name) in _WORDS and isinstance(front.get(str(name)), dict):
            message = f"the field {str(name)!r} is not read: it is a list or a line of words, not a mapping"
            yield text.problem(name.line, "note-list", message, column=name.column)


def _misspelt(text: DecodedText, front: Front) -> Iterator[Problem]:
    for name in front.fields:
        known = name in _READ or str(name).lower() in DISPLAY
        near = [] if known else difflib.get_close_matches(str(name), FIELDS, 1, _NEAR)
        if near:
            message = f"the field {str(name)!r} is not read; did you mean {near[0]!r}?"
            yield text.problem(name.line, "note-field", message, severity=Severity.NOTE, column=name.column)


def _exact(text: DecodedText, front: Front) -> tuple[Node | None, tuple[Problem, ...]]:
    body = restored("\n".join(text.lines[front.end :]).removesuffix("\n"), _pairs(front.get("wikilinks")))
    identity = front.word("id") or f"{text.default_brain}/{slug(text.stem)}"
    brain, _, name = identity.partition("/")
    named, odd_brain = declared_brain(text, front.get("brain"), brain)
    brain = text.brain or named
    identity = f"{brain}/{name or slug(text.stem)}"
    try:
        check_node_id(identity, brain)
    except InvalidNameError as error:
        return None, (_invalid(text, front, ("id",), str(error)),)
    fields = {
        "id": identity,
        "brain": brain,
        "title": front.word("title"),
        "kind": front.word("kind"),
        "body": body,
        "labels": front.get("labels"),
        "tables": [found.table for found in tables_in(text.lines[front.end :], front.word("title"), front.end + 1)],
        "provenance": text.provenance(),
        **{name: mappings(front.get(name)) for name in ("sources", "citations", "relations", "properties")},
        **{name: tuple(words(front.get(name))) for name in ("tags", "section")},
        **{name: front.word(name) or None for name in ("published", "origin")},
    }
    try:
        return Node.model_validate(fields), odd_brain
    except ValidationError as error:
        problems = (_invalid(text, front, detail["loc"], detail["msg"]) for detail in error.errors())
        return None, tuple(problems)


def _pairs(tree: Tree) -> tuple[tuple[str, str], ...]:
    listed = [words(item) for item in tree] if isinstance(tree, list) else []
    return tuple((str(pair[0]), str(pair[1])) for pair in listed if len(pair) == 2)


def _invalid(text: DecodedText, front: Front, path: tuple[int | str, ...], message: str) -> Problem:
    name = ".".join(str(part) for part in path)
    where = next((key for key in front.fields if path and key == path[0]), Word("", 1, 1))
    return text.problem(where.line, "note-exported", f"{name}: {message}", severity=Severity.ERROR, column=where.column)


FORMAT = Format(
    "note",
    "a Markdown note with YAML or TOML front matter, `[[wikilinks]]` and `#tags`; a folder of them is a vault",
    parse,
    one_note=True,
)
