"""What an author starts from: a claim from words of a note, a note with front matter, a card with prices.

words ─▶ sentence ─▶ figure ─▶ the mined formula, else the only price of the names in it, else a gap ─▶ YAML ─▶ checked
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import chain, count
from pathlib import Path
from textwrap import dedent, indent
from typing import NamedTuple

from api.services.importing.stored_files import path_of
from api.services.texts.claim_drafts import CheckedClaim, MiningService, passage
from api.services.texts.claim_matcher import converted
from api.settings import SHIPPED
from compute.catalogs import price_cards
from compute.claims.claim_loader import load
from compute.claims.input_lookups import questions
from compute.figures.claim_writer import claim_entry, readable_id
from compute.figures.figure_models import Figure, Passage, Statement
from compute.figures.figure_reader import figures
from compute.figures.price_formulas import Proposal, proposals
from compute.figures.price_subjects import day_of_price
from compute.figures.statement_writer import statement, unit_of
from compute.figures.text_days import periods
from compute.figures.text_structure import Sentence, read
from compute.prices.amounts import COUNTED_IN, parse, price_unit_problem
from compute.units.units import UnitError
from graph.ids import slug
from graph.models.claim_models import Claim
from graph.models.node_models import Kind, Node
from graph.problems import Severity
from graph.text.quote_anchor import QuoteMatch, find_quote, quote_places
from graph.values import Value, dumps

MOST_PROPOSED = 8  # how many prices a gap lists


class AuthorError(Exception):
    """A claim or a starting file cannot be written; the message says what to do."""


class NewClaim(Value):
    """A claim that is not written yet; `gap`: it has no formula. `checked` has its verdict and what to change."""

    id: str
    node: str
    place: str
    yaml: str
    gap: bool
    proposals: tuple[Proposal, ...]
    checked: CheckedClaim

    def fields(self) -> dict[str, object]:
        """The claim with its verdict, for JSON."""
        verdict = {"verdict": self.checked.verdict, "changes": self.checked.changes}
        return {"claim": self.id, **self.model_dump(exclude={"id", "checked"}), **verdict}


class _Chosen(NamedTuple):
    """A sentence `start:end` of a note with the figure that the words mean."""

    text: Passage
    start: int
    end: int
    sentence: Sentence | None
    figure: Figure | None

    @property
    def quote(self) -> str:
        """Its words; of a row of a table those of the cells."""
        return " ".join(cell.strip() for cell in self.text.text[self.start : self.end].split("|")).strip()


class ClaimAuthor:
    """Writes claims on the notes of a store."""

    def __init__(self, mining: MiningService) -> None:
        self._store, self._mining = mining.store, mining

    def source(self, name: str) -> Path | None:
        """The file of a note, to be read again first; None if it is gone. Raises `UnknownNodeError`."""
        path = Path(name)
        if not path.is_file():
            document = self.note(name, "").provenance.document
            path = Path(path_of(self._store.origins.of([document]).get(document)))
        return path if path.is_file() else None

    def note(self, name: str, words: str) -> Node:
        """The note of an id, a name or a file. Raises `UnknownNodeError`; `AuthorError` if a file has none."""
        if Path(name).is_file():
            return self._note_of_file(name, words)
        return self._store.nodes.get(self._store.nodes.named(name))

    def _note_of_file(self, name: str, words: str) -> Node:
        path = os.path.realpath(name)
        known = self._store.origins.of(head.name for head in self._store.documents.heads())
        document = next((one for one, place in known.items() if path_of(place) == path), None)
        nodes = self._store.nodes.of_documents([document]) if document else []
        if not document:
            folder = os.path.dirname(name) or "."  # noqa: PTH120  # "" for a bare name
            raise AuthorError(f"{name} is not in the brain yet; run brain ingest {folder}")
        if not nodes:
            raise AuthorError(f"{name} contains no note: name the note that has the sentence")
        return next((node for node in nodes if quote_places(node.body, words)), nodes[0])

    def propose(self, node: Node, words: str, on: date, formula: str = "") -> NewClaim:
        """A claim on the sentence with some words; `on` is today. Raises `AuthorError` if no figure is meant."""
        chosen = self._chosen(node, words, on)
        if chosen.figure is None and not formula:
            none = """no figure: --formula 'price("ITEM", "input") < 3 USD/Mtok' writes a claim that must be true"""
            raise AuthorError(f"“{' '.join(chosen.quote.split())}” has {none}")
        statement, proposals = self._statement(node, chosen, on, formula)
        name = self._free(readable_id(statement) if chosen.figure else readable_id(statement).rpartition("-")[0])
        gap, where = not statement.expression, self._mining.quotes.line(node, chosen.start, chosen.end)
        lines = [where]
        if gap:
            statement = statement.model_copy(update={"expression": f'assume("formula-of-{name}")'})
            lines.append("GAP: write the formula under value." + (" Prices of the names:" if proposals else ""))
            lines += [f"  {one.formula}  {one.value.normalize():f} {one.unit}" for one in proposals]
        expect = "" if chosen.figure else "{is: true}"
        text = claim_entry(statement, name, _fields(node, chosen, on), lines, expect=expect)
        (checked,) = self._mining.check_drafts(f"claims:\n{text}", on).items
        return NewClaim(id=name, node=node.id, place=where, yaml=text, gap=gap, proposals=proposals, checked=checked)

    def _chosen(self, node: Node, words: str, on: date) -> _Chosen:
        words = words.strip()
        places = quote_places(node.body, words) if words else []
        if not places:
            hint = f"copy them from its text: brain show {node.id}"
            if near := find_quote(node.body, words):
                nearest = " ".join(node.body[near.start : near.end].split())
                hint = f"the most similar words, at {self._mining.quotes.line(node, *near[:2])}: “{nearest}”"
            raise AuthorError(f"{node.id} does not have the words “{words}”; {hint}")
        text = passage(node)
        sentences = read(text).sentences
        found = {_span(text, sentences, *place): place for place in reversed(places)}
        if len(found) > 1:
            lines = sorted({self._mining.quotes.located(node, QuoteMatch(*span)).anchor.line for span in found})
            where = f"on line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"
            what = f"{node.id} has “{words}” in {len(found)} sentences, {where}"
            raise AuthorError(f"{what}; add words that only one of them has")
        (start, end), place = next(iter(found.items()))
        sentence = next((one for one in sentences if one.start <= start < one.end), None)
        every = sentence.figures if sentence else [one for one in figures(text.mask) if start <= one.start < end]
        inside = [one for one in every if place[0] < one.end and one.start < place[1]]
        chosen = _Chosen(text, start, end, sentence, None)
        return chosen._replace(figure=self._figure(node, inside or every, chosen.quote, on))

    def _figure(self, node: Node, some: Sequence[Figure], quote: str, on: date) -> Figure | None:
        """The only one of some figures, or the only one with a formula."""
        some = [one for one in some if one.noun != "format"]  # not FP16
        if len(some) > 1:
            mined = {one.figure_start for one in self._mining.drafts(node, on) if one.claim}
            checked = [one for one in some if one.start in mined]
            if len(checked) != 1:
                several = ", ".join(one.text.strip() for one in some)
                sentence = " ".join(quote.split())
                raise AuthorError(f"“{sentence}” has the figures {several}: add words with the one that you mean")
            return checked[0]
        return some[0] if some else None

    def _statement(self, node: Node, chosen: _Chosen, on: date, formula: str) -> tuple[Statement, tuple[Proposal, ...]]:
        figure = chosen.figure
        if figure is None:
            zero = Decimal(0)
            return Statement(
                id=node.id, node=node.id, quote=chosen.quote, kind="price", inputs=(), expression=formula, stated=zero,
                computed=None, unit="", verdict="needs-assumption", confidence=zero, note="", start=chosen.start,
            ), ()  # fmt: skip
        mined = self._mining.drafts(node, on)
        best = next((one for one in mined if one.figure_start == figure.start and one.claim), None)
        if best is not None and not formula:
            return best, ()
        found = proposals(self._mining.book(), on, chosen.text, figure)[:MOST_PROPOSED]
        plain = statement(
            chosen.text, figure, (chosen.start, chosen.end), kind="price", inputs=(),
            expression=formula or _only(found, figure), computed=figure.low, unit=unit_of(figure),
            finding="needs-assumption", note="", on=None,
        )  # fmt: skip
        return plain.model_copy(update={"unit": self._unit(plain, figure, on), "quote": chosen.quote}), found

    def _unit(self, plain: Statement, figure: Figure, on: date) -> str:
        """The unit of the stated figure; the formula's where prose leaves a part out: $2.50 an hour, of a GPU."""
        if not plain.expression or figure.sort != "money":
            return plain.unit
        draft = claim_entry(plain, "unit", {}, expect="{at_least: 0}")
        unit = self._mining.check_drafts(f"claims:\n{draft}", on).items[0].verdict.unit
        same = converted(Decimal(1), plain.unit, unit) is not None
        return plain.unit if same or not unit.startswith(figure.unit) else unit

    def _free(self, name: str) -> str:
        taken = {claim for claims in self._store.claims.by_node().values() for claim in claims}
        numbered = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(one for one in numbered if one not in taken)

    def file(self, node: Node) -> Path:
        """The file for claims of a note: one that has some, else one next to the note, else one here."""
        ids = self._store.claims.by_node().get(node.id, ())
        documents = [claim.place.document for claim in self._store.claims.all(ids=ids) if claim.place] if ids else []
        note = node.provenance.document
        known = {name: Path(path_of(place)) for name, place in self._store.origins.of([*documents, note]).items()}
        paths = [
            known[name] for name in reversed(documents) if name in known and known[name].suffix in {".yaml", ".yml"}
        ]
        if note in known:
            paths.append(known[note].with_suffix(".claims.yaml"))
        own = (path for path in paths if path.parent.is_dir() and not path.is_relative_to(SHIPPED))
        return next(own, Path(f"{node.id.rpartition('/')[2]}.claims.yaml"))

    def appended(self, path: Path, new: NewClaim) -> str:
        """The text of a file with the claim appended. Raises `AuthorError` if the file does not allow it."""
        try:
            text = path.read_bytes().decode() if path.is_file() else ""
        except UnicodeDecodeError:
            raise AuthorError(f"{path} is not changed: it is not UTF-8: save it as UTF-8 first") from None
        before, problems = load(str(path), text) if text.strip() else ([], [])
        if wrong := next((one for one in problems if one.severity is Severity.ERROR), None):
            raise AuthorError(f"{path} is not changed: fix it first\n{wrong.render()}")
        (fresh,) = load("new", f"claims:\n{new.yaml}")[0]
        ids = self._store.claims.by_node().get(new.node, ())
        for one in (*before, *(self._store.claims.all(ids=ids) if ids else ())):
            if (one.node, one.quote, one.expect) == (fresh.node, fresh.quote, fresh.expect):
                place = f" ({one.place.document}:{one.place.line})" if one.place else ""
                gap = one.value.startswith('assume("formula-of-')
                then = "write its formula there" if gap else f"brain explain {one.id}"
                raise AuthorError(f"the claim {one.id} states this figure already{place}: {then}")
        result = _with_entry(text, before, new.yaml)
        after = load(str(path), result)[0]
        if [*map(_content, before), _content(fresh)] != [*map(_content, after)]:
            why = "its list cannot be continued line by line; add this yourself"
            raise AuthorError(f"{path} is not changed: {why}\n{new.yaml}")
        return result


def _content(claim: Claim) -> Claim:
    return claim.model_copy(update={"place": None, "lines": ()})


def _with_entry(text: str, before: Sequence[Claim], entry: str) -> str:
    """A file with an entry behind the last claim, in its indentation and line ends."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    place = before[-1].place if before else None
    first = re.match(r"\s*", lines[(place.line or 1) - 1]) if place else None
    body = indent(dedent(entry), first[0] if first else "  ")
    if not before:
        text = re.sub(r"^(\ufeff?claims:)[ \t]*(?:\[[ \t]*\]|~|null)?[ \t]*\r?$", r"\1", text, flags=re.M)
        body = body if re.search(r"^\ufeff?claims:", text, flags=re.M) else f"claims:\n{body}"
    gap = end if text and not text.endswith("\n") else ""
    return text + gap + body.replace("\n", end)


def _span(text: Passage, sentences: Sequence[Sentence], start: int, end: int) -> tuple[int, int]:
    """The sentence around some words; in a table the row."""
    inside = next(((one.start, one.end) for one in sentences if one.start <= start and end <= one.end), None)
    if inside:
        return _stripped(text.text, *inside)
    first = max((border for border in text.borders if border <= start), default=0)
    last = min((border for border in text.borders if border >= end), default=len(text.text))
    if "|" in text.text[first:last]:
        first, last = text.text.rfind("\n", 0, start) + 1, (text.text + "\n").find("\n", end)
    return _stripped(text.text, first, last)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())


def _fields(node: Node, chosen: _Chosen, on: date) -> dict[str, str]:
    day = min(node.published or on, on)
    dated = bool(periods(chosen.text.mask[chosen.start : chosen.end]))
    if dated and chosen.sentence:
        day = day_of_price(chosen.sentence, node.published, on).last
    source = node.kind is Kind.READING and bool(node.sources)
    return {
        "asserted_by": "source" if source else "author",
        "as_of": day.isoformat(),
        "tense": "dated" if dated else "standing",
    }


def _only(found: Sequence[Proposal], figure: Figure) -> str:
    """The formula, if only one price or one pair of prices can be meant; else none."""
    fitting = [one for one in found if one.named and _fits(one, figure)]
    prices = {frozenset(map(repr, questions(one.formula))) for one in fitting}
    return fitting[0].formula if len(prices) == 1 else ""


def _fits(one: Proposal, figure: Figure) -> bool:
    """Whether the unit of a proposal fits the figure; prose may leave a part of it out."""
    if figure.sort in {"%", "x"}:
        return one.unit == figure.sort
    units = (one.unit, one.unit.replace("/GPU", ""), *([one.unit.partition("/")[0]] if not figure.per else []))
    return any(converted(Decimal(1), figure.full_unit, unit) is not None for unit in units)


SOURCE = "https://example.org/the-page-that-states-it"


class StartingFile(NamedTuple):
    """A file to write; `next` is the next command, `instead` what to do if the file exists."""

    path: Path
    text: str
    next: str
    instead: str


def note_file(name: str, on: date) -> StartingFile:
    """A note of a day, named or with its path. Raises `AuthorError` if the path has no name."""
    path = Path(name)
    if not path.name or path.name == "..":
        raise AuthorError(f"{name!r} does not name a note; write for example notes/spot-rates")
    path = path if path.suffix == ".md" else path.with_name(f"{path.name}.md")
    title = path.stem.replace("-", " ").capitalize()
    title = title if title.replace(" ", "").isalpha() else dumps(title)
    text = (
        f"---\ntitle: {title}\nkind: reading\ntags: []\npublished: {on}\n"
        "# sources: [{url: https://…, title: …}]\n---\n"
        "Write one sentence for each figure: what it is of, and its unit.\n"
    )
    return StartingFile(path, text, f"write its text; brain ingest {path.parent}", "write into it, or name another one")


def price_file(item: str, prices: Sequence[str], source: str, on: date, today: date) -> StartingFile:
    """A card for each `[COMPONENT=]PRICE`, or one as a comment. Raises `AuthorError` if one is not valid."""
    path = Path(f"{slug(item.replace('/', '-'))}.yaml")
    cards = "".join(_card(item, one, source or SOURCE, on, today) for one in prices or ["input=2.00 USD/Mtok"])
    text = f"prices:\n{cards}"
    if problems := price_cards.load(path.name, text)[1]:
        raise AuthorError(problems[0].render().partition("error: ")[2])  # its place is in no file
    if not prices:
        comment = "".join(f"# {line}\n" for line in text.splitlines())
        text = f"# Write price, day and source; then remove the signs # and the last line.\n{comment}prices: []\n"
    fill = "" if prices and source else "fill it in; " if not prices else "correct its source; "
    changed = f"for a changed price, add a card to it, and write to: {on} in the earlier card\n{cards}"
    return StartingFile(path, text, f"{fill}brain ingest {path.parent}", changed)


def _card(item: str, given: str, source: str, on: date, today: date) -> str:
    component, _, value = given.rpartition("=")
    component = component or _component(value)
    return (
        f"  - item: {item}\n    component: {component}\n    value: {value.strip()}\n"
        f"    from: {on}\n    source: {source}\n    checked: {max(on, today)}\n"
    )


def _component(value: str) -> str:
    """The first component that is priced in the unit of a value; `price` if none is."""
    amount = parse(value)
    unit = amount.unit if amount else ""
    try:
        return next((name for name, _ in COUNTED_IN if unit and price_unit_problem(name, unit) is None), "price")
    except UnitError:
        return "price"
