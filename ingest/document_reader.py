"""Reads a document: bytes in, a `Document` out.

bytes ─decode─▶ Text ─detect─▶ format ─parse─▶ nodes, skips ─account─▶ Document
  │               └── undecided: the first special format with its sign that loses nothing, else a note
  └── empty, binary, of no known format: no nodes and an error; the caller rejects it
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

from graph.models.document_models import Document, LineCount, Skip
from graph.models.node_models import Kind, Node
from graph.problems import Problem, Severity
from graph.text.code_blocks import fenced
from ingest.format_detection import BY_NAME, DATA, FORMATS, KEYS, NOTE, PROSE, SPECIAL, Detection, detect, keys_meant
from ingest.formats import context_pack
from ingest.formats.brain_export import read_json
from ingest.formats.format_protocol import is_called_glossary
from ingest.markdown.private_comments import REASON, UNCLOSED, public_text, uncommented
from ingest.terms.glossary_terms import is_letter, markdown_heading
from ingest.text.decoding import DecodedText, Parsed, as_brain, decode, in_order
from ingest.text.line_accounting import LEFT_TEXT, account
from ingest.text.name_checks import given_names
from ingest.text.page_boilerplate import without_boilerplate

_KEY = re.compile(r"([A-Za-z_-]{3,30}):(?:\s|$)")

UNKNOWN = "unknown"
SAMPLE = 150_000  # characters searched for Markdown
_MARKDOWN = re.compile(r"\[\[[^\[\]\n]{1,300}\]\]|(?s:\A\s*#[ \t]+\S.*^(?:#{2,6}[ \t]|[-*][ \t]))", re.M)
"""Signs of Markdown: a wikilink; a title with sections or lists."""
_SENTENCE = re.compile(r"[^\W\d_]{2}[.!?…。！？](?=[\s\"'”’)]|\Z)")
MOSTLY = 0.85  # share of letters and spaces from which a text file with sentences is prose
TENTH = 0.1  # share of lines in no node above which there is a warning


def read(
    data: bytes,
    name: str,
    *,
    brain: str | None = None,
    default_brain: str = "notes",
    format: str | None = None,  # noqa: A002 - the name that the command line and the API use for it
    folder_format: str = "",
) -> Document:
    """The document in `data`; never raises: one that cannot be read has no nodes and an error among its problems.

    `brain` overrides the document's own, `default_brain` is for notes that name none. `format` applies to prose only;
    `folder_format` is what the folder's settings declare. Files of rules and figures (`ingest.format_detection.DATA`)
    have neither nodes nor an error: other packages read them. `ingest.linking.link_resolution` resolves links.
    """
    name = name.encode("utf-8", "replace").decode() or "document"
    invalid = tuple(given_names(name, (brain, default_brain)))
    if invalid:
        return _refused(name, data, invalid)
    own, other = as_brain(brain) if brain and brain.strip() else None, as_brain(default_brain)
    content, problems = decode(data, name)
    if content is None:
        return _refused(name, data, problems, own or other)
    digest = hashlib.sha256(data).hexdigest()
    text = DecodedText(name, content, tuple(content.split("\n")), digest, own, other, folder_format)
    if format in BY_NAME and format not in PROSE and text.is_markdown:
        message = f"a Markdown file cannot be read as {format}; --format was not applied"
        problems = (*problems, text.problem(None, "format-kept", message))
    detection = detect(text, format)
    return _undecided(text, problems) if detection is None else _certain(text, detection, problems)


def _certain(text: DecodedText, detection: Detection, problems: tuple[Problem, ...]) -> Document:
    """The document in a format; prose without a node is a note."""
    document = _document(text, detection, problems)
    if document.nodes or detection.format not in PROSE or detection.format == NOTE:
        return document
    warning = text.problem(None, "no-nodes", f"nothing in it is {detection.format}; read as a note")
    return _document(text, Detection(NOTE, (*detection.evidence, warning.message)), (*problems, warning))


def _undecided(text: DecodedText, problems: tuple[Problem, ...]) -> Document:
    """The document in the first format that loses nothing, else a note."""
    if text.is_data:
        return _document(text, Detection(None, ("it has no field that names one, such as claims or prices",)), problems)
    note = _document(text, Detection(NOTE, ("Markdown",)), problems)
    why: list[str] = []
    for known in SPECIAL:
        if known.sign and known.sign(text):
            found = _document(text, Detection(known.name, (f"it looks like {known.name}",)), problems)
            lost = "" if known.one_note else misfit(text, found, note)
            if not lost:
                evidence = (f"{known.name} reads it without loss", *why)
                return found.model_copy(update={"evidence": evidence})
            why.append(f"not {known.name}: {lost}")
    if text.is_markdown or why or text.front_end or _MARKDOWN.search(text.content[:SAMPLE]) or _is_prose(text):
        named = "the name is that of a Markdown file" if text.is_markdown else "it is written as Markdown or prose"
        return note.model_copy(update={"evidence": (named, *why)})
    return _document(text, Detection(None, ("it is neither Markdown nor prose",)), problems)


def _is_prose(text: DecodedText) -> bool:
    """Whether a text has sentences, unlike logs and programs."""
    sample = text.content[:SAMPLE]
    if not text.name.lower().endswith((".txt", ".text")) or not _SENTENCE.search(sample):
        return False
    return sum(sign.isalpha() or sign.isspace() for sign in sample) >= MOSTLY * len(sample)


def _unknown(text: DecodedText, detection: Detection) -> Problem:
    message = f"no known format: {'; '.join(detection.evidence)}"
    if tab := _tab_before_key(text):
        return tab
    number, key, meant = next(keys_meant(text.content), (None, "", ""))
    told = f"{key!r} may be meant as {meant!r}; or n" if number else "n"
    prose = "" if text.is_data else " (--format note reads any prose)"
    hint = f"{told}ame the format{prose}: {', '.join(FORMATS)}"
    return text.problem(number, "format-unknown", message, severity=Severity.ERROR, hint=hint)


def _tab_before_key(text: DecodedText) -> Problem | None:
    number, line = next(((number, line) for number, line in enumerate(text.lines, 1) if line.strip()), (1, ""))
    found = _KEY.match(line.lstrip())
    indent = line[: len(line) - len(line.lstrip())]
    if found is None or found[1] not in KEYS or "\t" not in indent:
        return None
    message, column = "a tab is used for indentation", indent.index("\t") + 1
    hint = f"begin {found[1]!r} in the first column and replace every tab by spaces; YAML is indented with spaces only"
    return text.problem(number, "yaml", message, severity=Severity.ERROR, column=column, hint=hint)


def _document(text: DecodedText, detection: Detection, problems: tuple[Problem, ...]) -> Document:
    if detection.format == "brain-export":
        return _exported(text, detection, problems)
    if detection.format in DATA:
        return _finished(text, detection, Parsed(text.note_brain), problems, whole=True)
    known = BY_NAME.get(detection.format or "")
    if known is None or known.parse is None:
        unknown = _unknown(text, detection)
        return _finished(text, Detection(UNKNOWN, detection.evidence), Parsed(text.note_brain), (*problems, unknown))
    public, private, unclosed = _without_comments(text) if known.name in PROSE else (text, (), ())
    plain, furniture = without_boilerplate(public) if known.printed else (public, ())
    has_front = not known.printed or known is context_pack.FORMAT
    bare, front = plain.without(() if has_front else range(1, plain.front_end + 1), "front matter")
    parsed = known.parse(bare)
    parsed = parsed._replace(skips=(*parsed.skips, *front, *furniture, *private))
    found = (*problems, *unclosed, *parsed.problems)
    if not parsed.nodes and not any(problem.severity is Severity.ERROR for problem in parsed.problems):
        message = f"read as {known.name}, and nothing was found in it"
        found = (*found, text.problem(None, "no-nodes", message, severity=Severity.ERROR))
    return _public(_with_loss(_finished(text, detection, parsed, found), text), public)


def _with_loss(document: Document, text: DecodedText) -> Document:
    """Adds a warning if more than a tenth of the lines is left out."""
    left = list(unplaced(document))
    count = sum(number for _, number in left)
    if not document.nodes or count <= TENTH * document.lines.total:
        return document
    share = f"{count} of {document.lines.total} lines"
    message = f"read as {document.format}, {share} are left out: {named(run for run, _ in left)}"
    warning = text.problem(None, "lines-left-out", message, hint="`format: note` in its front matter keeps everything")
    return document.model_copy(update={"problems": (warning, *document.problems)})


def _without_comments(text: DecodedText) -> tuple[DecodedText, tuple[Skip, ...], tuple[Problem, ...]]:
    """The text without private comments, their lines, and a warning if unclosed."""
    lines, opened = uncommented(text.lines)
    if lines == text.lines:
        return text, (), ()
    plain = text._replace(lines=lines, content="\n".join(lines))
    pairs = enumerate(zip(text.lines, lines, strict=True), 1)
    _, skips = text.without((number for number, (was, left) in pairs if was.strip() and not left.strip()), REASON)
    unclosed = (plain.problem(opened, "comment-unclosed", UNCLOSED),) if opened else ()
    return plain, skips, unclosed


def _public(document: Document, plain: DecodedText) -> Document:
    """Removes private comments from the lines shown in problems."""
    if plain.content == document.text:
        return document
    shown = (
        one.model_copy(update={"text": plain.lines[one.line - 1]}) if one.text is not None and one.line else one
        for one in document.problems
    )
    return document.model_copy(update={"problems": tuple(shown)})


def shareable_text(form: str, text: str) -> str:
    """The text of a document of the format `form` without private comments."""
    known = BY_NAME.get(form)
    return public_text(text) if known and known.markdown else text


def _finished(
    text: DecodedText, detection: Detection, parsed: Parsed, problems: tuple[Problem, ...], *, whole: bool = False
) -> Document:
    """The document with its lines counted; `whole`: all are kept."""
    lines, skipped, left = account(text, parsed.nodes, parsed.skips)
    if whole:
        lines, skipped, left = LineCount(total=lines.total, kept=lines.total, skipped=0), (), ()
    found = (*problems, *(left if parsed.nodes else ()))
    return Document(
        name=text.name,
        format=detection.format or UNKNOWN,
        brain=parsed.brain,
        sha256=text.sha256,
        text=text.content,
        declared_nodes=parsed.declared,
        nodes=parsed.nodes,
        lines=lines,
        skipped=skipped,
        problems=found if whole else tuple(sorted(found, key=in_order)),
        evidence=detection.evidence,
        about=parsed.about,
    )


def _exported(text: DecodedText, detection: Detection, problems: tuple[Problem, ...]) -> Document:
    """One exported document unchanged, several as one."""
    documents, errors = read_json(text)
    if text.brain and documents:
        message = "the nodes of an export keep their brains; --brain was not applied"
        problems = (*problems, text.problem(None, "export-brain", message))
    if len(documents) == 1 and not errors:
        return documents[0].model_copy(update={"problems": (*documents[0].problems, *problems)})
    nodes = tuple(node for document in documents for node in document.nodes)
    return _finished(text, detection, Parsed(text.note_brain, nodes), (*problems, *errors), whole=True)


def _refused(name: str, data: bytes, problems: tuple[Problem, ...], brain: str = "notes") -> Document:
    return Document(
        name=name,
        format=UNKNOWN,
        brain=brain,
        sha256=hashlib.sha256(data).hexdigest(),
        text="",
        lines=LineCount(total=0, kept=0, skipped=0),
        problems=problems,
    )


MARKDOWN, TEXT = 2, 10  # percentage of lines that a format may leave out of Markdown, and of other text
MOST_NAMED = 5


def misfit(text: DecodedText, found: Document, note: Document) -> str:
    """What `found` lacks of `note`; empty if nothing."""
    if not found.nodes:
        return "it would have no node"
    left = sum(count for _, count in unplaced(found))
    if 100 * left > (MARKDOWN if text.is_markdown else TEXT) * found.lines.total:
        return f"it would leave out {left} of {found.lines.total} lines"
    if not (text.is_markdown or text.front_end):
        return ""
    if text.is_markdown and any(node.kind is Kind.TERM for node in found.nodes) and not is_called_glossary(text):
        return "neither its name nor its first line calls it a glossary"
    if any(problem.code == "section-unknown" for problem in found.problems):
        return "its sections are not those of a page"
    lost = _lost(text, found, note)
    return next((f"it would lose {len(names)} {what}, such as {min(names)!r}" for what, names in lost if names), "")


def unplaced(found: Document) -> Iterator[tuple[str, int]]:
    """The runs of lines in no node, and their filled lines."""
    lines = found.text.split("\n")
    for skip in found.skipped:
        if skip.reason in LEFT_TEXT:
            name = str(skip.first_line) if skip.last_line == skip.first_line else f"{skip.first_line}–{skip.last_line}"
            yield name, sum(bool(line.strip()) for line in lines[skip.first_line - 1 : skip.last_line])


def named(runs: Iterable[str]) -> str:
    """The runs of lines as words, the first few by number."""
    names = list(runs)
    more = f" and {len(names) - MOST_NAMED} more passages" if len(names) > MOST_NAMED else ""
    return ("lines " if len(names) > 1 or "–" in names[0] else "line ") + ", ".join(names[:MOST_NAMED]) + more


def _lost(text: DecodedText, found: Document, note: Document) -> Iterator[tuple[str, set[str]]]:
    """The tags, links, sources and headings that the nodes lack."""
    for what, names_of in _NAMES:
        had, have = ({name for node in one.nodes for name in names_of(node)} for one in (note, found))
        yield what, had - have
    names = {name for node in found.nodes for name in (node.title, *node.section)}
    bodies = "\n".join(node.body for node in found.nodes)
    title = dict(found.about).get("title")
    lines = zip(text.lines, fenced(text.lines), strict=True)
    headings = {heading[1] for line, code in lines if not code and (heading := markdown_heading(line))}
    yield "headings", {one for one in headings - names if one != title and not is_letter(one) and one not in bodies}


_NAMES: tuple[tuple[str, Callable[[Node], Iterable[str]]], ...] = (
    ("tags", lambda node: node.tags),
    ("links", lambda node: (cite.marker for cite in node.cites)),
    ("sources", lambda node: (source.url for source in node.sources)),
)
