"""No detector takes lines from a folder: what is read as a special format keeps what the notes would keep.

A line is kept in a node, or as the frame of a format: the title of a glossary, the letter above its terms, the head of a
table, the card of a page. The folders are the samples, a vault of people, the small cases and the real documents.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from ingest import document_reader
from ingest.document_reader import read, unplaced
from ingest.source_files import read_paths
from tests.ingest.own_documents import written

TESTS = Path(__file__).parents[1]
SHARED = TESTS.parent.parent / "shared"
FOLDERS = [TESTS / "ingest/samples", *(TESTS.parent / name for name in ("docs", "content"))]
FOLDERS += [SHARED / name for name in ("cases", "documents")]
VAULT = {
    "README.md": "# Where to begin\n\n- **Prices:** in [prices](prices/README.md)\n- **People:** in [[Ruth]]\n",
    "prices/README.md": "# Prices\n\n| Name | Description |\n|---|---|\n| **H100** | 2.10 USD/h |\n",
    "Glossary.md": "# Glossary\n\nMy words, as I use them #words\n\n## B\n- **Batch:** half the price, see [[Prices]]\n\n## C\n- **Cache:** a tenth\n",
    "Definitions.md": "# Definitions\n\n- **Batch:** half\n- **Cache:** a tenth\n\nI wrote these in May.\n",
    "Inference.md": "#seed\nup: [[AI]]\n\n**Prefill**: reads\n\n**Decode**: writes\n\n## Measured\n\n- **Latency:** 310 ms\n\nWe split them.\n",
    "Moves.md": "# Moves\n\n- **Paris** → Lyon\n- **Nice** → Metz\n- **Brest** → Lille\n\nNobody liked the third.\n",
    "Skill.md": "---\nname: skill\ndescription: how to rent\n---\n# Rent\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSee [[H100]] #rent\n",
    "Cluster.md": "@ada\n\nAda's brain\n\nSmall 12 nodes\n\nLarge 96 nodes\n\n- a list of them\n",
    "Minutes.txt": "Minutes of May\n\n- **Chair:** Ruth\n- **Next:** June\n\nIt rained.\n\nWe sang.\n\nWe went home at ten.\n",
    "Lock.md": "# Glossary\n\nWords of those who look after the lock.\n\n- **Sill:** a step.\n- **Pound:** water.\n- **Gate:** oak.\n",
    "Front.md": "---\ntags: [lock]\n---\n# Glossary\n\n- **Sill:** a step\n- **Pound:** water\n",
    "Spares.md": "| Term | Definition |\n|---|---|\n| Seal | rubber |\n\nWe ordered three of them.\n",
    "Guide.md": "# Guide\n\n| **Sill** | the step |\n| **Pound** | water |\n"
    + "\nA line of the guide to locks, one of many.\n" * 12,
    "Pump.md": "# Pump\n\n## Parts\n\n```\nlist\n```\n\n| part | price |\n|---|---|\n| seal | 4 |\n\n## Winter\n\n| May | 3 |\n",
    "Purpose.md": "# Pump\n\n- **Type:** a pump\n- **Purpose:** to drain\n- **Owner:** Ruth\n",
    "Ruth.md": "- **Type:** person\n- **Purpose:** to chair\n- **Since:** May\n",
}


def losses(folder):
    """The files of a folder that keep fewer lines as they are detected than as notes, and how many fewer."""
    found = {}
    for one in read_paths([folder]):
        seen, note = read(one.data, one.name, folder_format=one.form), read(one.data, one.name, format="note")
        lost = note.lines.kept - (seen.lines.total - sum(count for _, count in unplaced(seen)))
        if note.format == "note" and seen.nodes and lost > 0:
            found[one.name] = (seen.format, lost)
    return found


@pytest.fixture
def vault(tmp_path):
    return written(tmp_path, VAULT)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_file_of_a_folder_keeps_fewer_lines_than_as_a_note(folder):
    if not folder.is_dir():
        pytest.skip("the folder is not next to the repository")
    found = losses(folder)
    allowed = {  # one sentence of introduction in a text that is no Markdown
        "genai-glossary.txt": ("arrow-glossary", 1),
        "arrow-glossary/quay.txt": ("arrow-glossary", 1),
        "bullet-glossary/pilots.txt": ("bullet-glossary", 1),
    }
    assert {name: lost for name, lost in found.items() if allowed.get(name) != lost} == {}


def test_a_vault_of_people_keeps_every_line_every_tag_and_every_link(vault):
    assert losses(vault) == {}
    seen = [read(one.data, one.name) for one in read_paths([vault])]
    notes = [read(one.data, one.name, format="note") for one in read_paths([vault])]
    assert [document.nodes for document in seen] == [document.nodes for document in notes]
    assert len(seen) == len(VAULT)


@pytest.mark.parametrize("form", [known.name for known in document_reader.SPECIAL if not known.one_note])
def test_what_fits_is_kept_whatever_a_detector_claims(vault, monkeypatch, form):
    greedy = tuple(replace(known, sign=lambda _text: True) for known in document_reader.SPECIAL if known.name == form)
    monkeypatch.setattr(document_reader, "SPECIAL", greedy)
    assert losses(vault) == {}
