"""The web page (`.html`): its main part as Markdown, with headings, lists, tables, links and quotations.

<title>, one <h1>             the title; a <title> beside an <h1> is the property page-title
<main>, one <article>         the text; else the entire page without navigation
<blockquote cite="URL">       a quotation, and a source of the note
<link rel="canonical">        the page's own address, a source too
<meta name="keywords">        tags; article:published_time or date: the day of publication
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from bs4 import BeautifulSoup, Comment, Tag
from markdownify import ATX, MarkdownConverter

from graph.models.document_models import Skip
from graph.models.node_models import Property, Source
from ingest.brain_page.page_entry import source_of
from ingest.formats.converted_notes import converted_note, left_out, unreadable
from ingest.formats.format_protocol import Format, marks
from ingest.markdown.head_date import written_day
from ingest.terms.tag_parsing import normal
from ingest.text.decoding import DecodedText, Parsed

_NO_TEXT = "script style template noscript nav form button iframe svg canvas object dialog"
_LEFT = tuple(_NO_TEXT.split())
_BLOCKS = "details summary header footer aside address fieldset legend hgroup center search option"
"""Elements of text with lines of their own, which the converter does not know."""
_WEB = re.compile(r"https?://\S{1,2000}", re.I)
_PAGE = re.compile(r"(?![a-z][a-z0-9+.-]*:|[/#])(?P<path>[^?#]{1,300})\.(?:html?|md)(?:#\S*)?", re.I)
_SAVED = re.compile(r"saved from url=\(\d{1,6}\)(?P<url>https?://\S{1,2000})")
_BLOCK = re.compile(r"<(?P<name>script|style)\b.*?(?:</(?P=name)[^>]*(?:>|\Z)|\Z)", re.I | re.S)
_RUN = re.compile(r"\s{2,}")
_LONGEST_RUN = 200  # longest white space in preformatted text
_GAPS = re.compile(r"\n{3,}")


class _Converter(MarkdownConverter):
    """Converts HTML to Markdown, links between pages to wikilinks."""

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A link; one to another page is a wikilink."""
        found = _PAGE.fullmatch(_value(el, "href").strip())
        words = " ".join(text.split())
        if found is None or not words or "_noformat" in parent_tags or re.search(r"[\[\]|\\]", words + found["path"]):
            return str(super().convert_a(el, text, parent_tags))  # type: ignore[misc]  # made for each tag by the library
        return f"[[{unquote(found['path'])}|{words}]]"

    def convert_blockquote(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A quotation, and the address that it cites."""
        cited = _value(el, "cite").strip()
        said = f"{text.rstrip()}\n\n<{cited}>" if _WEB.fullmatch(cited) else text
        return str(super().convert_blockquote(el, said, parent_tags))  # type: ignore[misc]  # the same


def parse(text: DecodedText) -> Parsed:
    """A page as one note."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library warns of text that is no HTML; what comes of it is checked below
        try:
            return _page(text, BeautifulSoup(_closed(text.content), "html.parser"))
        except (RecursionError, AssertionError):
            return unreadable(text, "html", "this page cannot be read: its elements are broken or nested too deeply")


def _closed(content: str) -> str:
    """A page without unclosed comments, which would hide the rest."""
    end = content.rfind("-->") + 1
    return content[:end] + content[end:].replace("<!--", "&lt;!--")


def _page(text: DecodedText, soup: BeautifulSoup) -> Parsed:
    sources = [source_of(url) for url in _addresses(soup) if _WEB.fullmatch(url)]
    dates = _meta(soup, "article:published_time", "date", "dc.date", "citation_publication_date")
    tags, published = _tags(soup), next(filter(None, map(written_day, dates)), None)
    titles = [_words(element) for element in soup.find_all("title") if not element.find_parent("svg")]
    left = Counter(element.name for element in soup.find_all(_LEFT))
    for element in soup.find_all((*_LEFT, "head", "title")):
        if not element.decomposed:
            element.decompose()
    part = _main(soup)
    _collapse(part)
    headings = [words for element in part.find_all("h1") if (words := _words(element))]
    title = headings[0] if len(headings) == 1 else next((title for title in titles if title), text.stem)
    converter = _Converter(heading_style=ATX, bullets="-", escape_underscores=False, code_language_callback=_language)
    for element in part.find_all(_BLOCKS.split()):
        element.name = "div"
    body = _GAPS.sub("\n\n", converter.convert_soup(part)).strip()
    if not body:
        return unreadable(text, "html", "a page without text")
    every = (*sources, *_cited(part))
    node, problems = converted_note(text, title, body, tags=tags, sources=every, published=published)
    left_parts = left_out(text, "html-parts", "parts that are no text", left)
    named = next((Property(name="page-title", value=one) for one in titles if one not in {"", node.title}), None)
    node = node.model_copy(update={"properties": (named,)}) if named else node
    return Parsed(node.brain, (node,), tuple(_skips(text)), (*problems, *left_parts))


def _collapse(part: Tag) -> None:
    """Collapses white space, on which the converter is slow."""
    for string in list(part.find_all(string=_RUN)):
        shown = string.find_parent(("pre", "textarea")) is not None
        short = _RUN.sub(lambda run: run[0][:_LONGEST_RUN] if shown else "\n" if "\n" in run[0] else " ", string)  # noqa: B023  # called at once
        string.replace_with(type(string)(short))


def _main(soup: BeautifulSoup) -> Tag:
    for name in ("main", "article"):
        found = soup.find_all(name)
        if len(found) == 1 and _words(found[0]):
            return found[0]
    return soup.body or soup


def _value(element: Tag, name: str) -> str:
    value = element.get(name)
    return value if isinstance(value, str) else " ".join(value or ())


def _words(element: Tag) -> str:
    return " ".join(element.get_text(" ").split())


def _language(element: Tag) -> str:
    """The language of code, from a class `language-…`."""
    inside = element.find("code")
    names = _value(element, "class").split() + (_value(inside, "class").split() if isinstance(inside, Tag) else [])
    return next((name.removeprefix("language-") for name in names if re.fullmatch(r"language-[\w+#-]{1,30}", name)), "")


def _addresses(soup: BeautifulSoup) -> Iterator[str]:
    for link in soup.find_all("link", rel="canonical"):
        yield _value(link, "href").strip()
    for comment in soup.find_all(string=lambda string: isinstance(string, Comment)):
        if saved := _SAVED.search(str(comment)[:3000]):
            yield saved["url"]


def _cited(part: Tag) -> Iterator[Source]:
    for element in part.find_all(["blockquote", "q"]):
        if _WEB.fullmatch(cited := _value(element, "cite").strip()):
            yield source_of(cited)


def _meta(soup: BeautifulSoup, *names: str) -> Iterator[str]:
    for element in soup.find_all("meta"):
        if (_value(element, "name") or _value(element, "property")).lower() in names:
            yield _value(element, "content").strip()


def _tags(soup: BeautifulSoup) -> tuple[str, ...]:
    written = (word.strip() for content in _meta(soup, "keywords", "article:tag") for word in content.split(","))
    return tuple(dict.fromkeys(tag for word in written if word and (tag := normal(word))))


def _skips(text: DecodedText) -> Iterator[Skip]:
    """The lines with nothing but scripts and styles."""
    content = text.content
    for match in _BLOCK.finditer(content):
        start, end = match.span()
        first, last = content.count("\n", 0, start) + 1, content.count("\n", 0, end) + 1
        first += bool(content[:start].rpartition("\n")[2].strip())
        last -= bool(content[end:].partition("\n")[0].strip())
        if first <= last:
            yield text.skip(first, last, f"a {match['name'].lower()}")


_BEGINNING = (
    r"\A\s{0,100}(?:<\?xml[^<>]{0,200}>\s{0,100})?(?:<!--(?:(?!-->)[^\n]){0,500}-->\s{0,100})?"
    r"<(?:!doctype\s{1,10}html|html)\b"
)
FORMAT = Format(
    "html-page",
    "a web page (`.html`): headings, paragraphs, lists, tables, links, quotations with their address; no scripts",
    parse,
    sign=marks((1, _BEGINNING)),
    suffixes=(".html", ".htm", ".xhtml"),
    one_note=True,
)
