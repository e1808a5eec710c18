"""Documents of our own invention: for each format that has a parser, one file in a folder of its name."""

from pathlib import Path

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*/*"))
OWN = {path.parent.name: (path.name, path.read_text("utf-8")) for path in SAMPLES}
PAGE = OWN["brain-page"][1]
