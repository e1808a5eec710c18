"""The Jupyter notebook (`.ipynb`): Markdown cells, and code with the text that it printed as blocks of code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ingest.formats.converted_notes import converted_note, fenced, left_out, load, objects, unreadable, words
from ingest.formats.format_protocol import Format, marks
from ingest.terms.glossary_terms import markdown_heading
from ingest.text.decoding import DecodedText, Parsed

_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")


def parse(text: DecodedText) -> Parsed:
    """A notebook as one note, titled by its first level-1 heading."""
    notebook, failed = load(text, "notebook")
    if failed:
        return failed
    if not isinstance(notebook, dict) or not (cells := objects(notebook.get("cells"))):
        return unreadable(text, "notebook", "a notebook without cells")
    left: Counter[str] = Counter()
    parts = [part for cell in cells for part in _cell(cell, _language(notebook), left) if part.strip()]
    if not parts:
        return unreadable(text, "notebook", "a notebook without text")
    lines = (
        line for cell in cells if cell.get("cell_type") == "markdown" for line in words(cell.get("source")).split("\n")
    )
    title = next((found[1] for line in lines if (found := markdown_heading(line)) and found[0] == 1), text.stem)
    node, problems = converted_note(text, title, "\n\n".join(parts))
    outputs = left_out(text, "notebook-output", "outputs that are not text", left)
    return Parsed(node.brain, (node,), problems=(*problems, *outputs))


def _language(notebook: dict[str, object]) -> str:
    metadata = notebook.get("metadata")
    for field in ("language_info", "kernelspec"):
        about = metadata.get(field) if isinstance(metadata, dict) else None
        name = words(about.get("name" if field == "language_info" else "language")) if isinstance(about, dict) else ""
        if _LANGUAGE.fullmatch(name):
            return name
    return "python"


def _cell(cell: dict[str, object], language: str, left: Counter[str]) -> Iterator[str]:
    """A cell as Markdown; counts other outputs in `left`."""
    source, kind = words(cell.get("source")), cell.get("cell_type")
    if kind == "markdown":
        yield source
    elif source.strip():
        yield fenced(source, language if kind == "code" else "")
    for output in objects(cell.get("outputs")):
        data = output.get("data")
        shown = words(output.get("text")) or (words(data.get("text/plain")) if isinstance(data, dict) else "")
        if shown.strip():
            yield fenced(shown, "text")
        for form in data if isinstance(data, dict) else ():
            if not str(form).startswith("text/"):
                left[str(form)] += 1


FORMAT = Format(
    "notebook",
    "a Jupyter notebook (`.ipynb`): Markdown cells, code, and the text that it printed; no pictures",
    parse,
    sign=marks((1, r'"cell_type"\s{0,20}:\s{0,20}"(?:markdown|code|raw)"')),
    suffixes=(".ipynb",),
    one_note=True,
)
