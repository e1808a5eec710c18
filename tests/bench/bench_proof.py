"""Measures of `brain proof` on drafts with ten seeded errors each, and of the errata of the content.

    python -m tests.bench.bench_proof

Next to each draft is a list of its errors: line, the wrong figure, the right one. A seeded error is found if its figure is
refuted; every other refuted figure is a true one that is accused. The second list says which errors of `docs/errata.md`, which the claims of the
content know, are found from prose alone: from that of the documents, and from the
notes of the content as other texts that may differ.
"""

import json
import re
import tempfile
from pathlib import Path

from api.brain import Brain
from api.settings import Settings
from tests.conftest import DOCUMENTS, NOW, ROOT, TODAY

DRAFTS = Path(__file__).parents[1] / "compute" / "mining_bank" / "drafts"


HEDGES = {"roughly", "about", "around", "nearly", "a", "factor", "of", "some"}


def plain(text):
    """The digits of a figure; the first word of one without digits."""
    digits = "".join(sign for sign in text if sign.isdigit() or sign == ".").strip(".")
    return digits or next((word for word in text.lower().split() if word not in HEDGES), "")


def draft_of(brain, path):
    """What is found of the errors of a draft: at the figure, at another figure of the same sentence, or not."""
    wrong = json.loads(path.with_suffix(".json").read_text("utf-8"))
    proof = brain.proofreader.proof(path.read_bytes(), path.name, TODAY)
    seeded = {(one["line"], plain(one["wrong"])): one["wrong"] for one in wrong}
    at, beside, accused = set(), set(), []
    for item in (item for item in proof.items if item.verdict == "refuted"):
        inputs = {plain(one.text) for one in item.inputs}
        of_error = {key for key in seeded if key[0] == item.line and key[1] in inputs}
        if (item.line, plain(item.text)) in seeded:
            at.add((item.line, plain(item.text)))
        elif of_error:
            beside |= of_error
        else:
            accused.append(f"line {item.line}: {item.text}")
    held = {(item.line, plain(item.text)) for item in proof.items if item.verdict == "holds"} & set(seeded)
    missed = [f"line {key[0]}: {text}" for key, text in seeded.items() if key not in at | beside]
    return {"figures": proof.figures, "checked": proof.summary.checked, "seeded": len(seeded), "at": len(at), "beside": len(beside - at),
            "held": len(held), "missed": missed, "accused": accused}  # fmt: skip


def drafts(brain):
    print(
        "| draft | figures | checked | errors refuted | refuted at another figure | errors that hold | true figures accused |"
    )
    print("|---|---|---|---|---|---|---|")
    told = {path.stem: draft_of(brain, path) for path in sorted(DRAFTS.glob("*.md"))}
    for name, one in told.items():
        numbers = (
            one["figures"],
            one["checked"],
            f"{one['at']} of {one['seeded']}",
            one["beside"],
            one["held"],
            len(one["accused"]),
        )
        print(f"| {name} | {' | '.join(map(str, numbers))} |")
    total = {
        key: sum(one[key] for one in told.values()) for key in ("figures", "checked", "at", "seeded", "beside", "held")
    }
    accused = sum(len(one["accused"]) for one in told.values())
    print(
        f"| together | {total['figures']} | {total['checked']} | {total['at']} of {total['seeded']} | {total['beside']} | {total['held']} | {accused} |\n"
    )
    for name, one in told.items():
        print(f"{name}: missed {'; '.join(one['missed'])}")
        if one["accused"]:
            print(f"{name}: accused {'; '.join(one['accused'])}")


ROW = re.compile(
    r"^\| `(?P<claim>[\w.-]+)` \| (?P<stated>[^|]+) \|[^|]*\|[^|]*\| (?P<document>[\w.-]+):(?P<lines>[\d,]+)", re.M
)


def errata(brain):
    """Each error of `docs/errata.md`, and the statement of its document that refutes it or differs; None if none does."""
    found = [one for one in brain.mining.statements([], TODAY) if one.verdict in {"refuted", "differs"}]
    places = [(brain.mining.place(one), one) for one in found]
    for row in ROW.finditer((ROOT / "docs" / "errata.md").read_text("utf-8")):
        lines = {f"{row['document']}:{line}" for line in row["lines"].split(",")}
        there = [one for place, one in places if place in lines and states(one, row["stated"])]
        yield row["claim"], row["stated"], row["document"] + ":" + row["lines"], there


def states(one, stated):
    """Whether the figure of a statement is one of those of a text, in any scale."""
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", stated.partition("±")[0])]
    value = float(one.stated)
    return any(
        abs(value - number * scale) <= abs(value) / 100 for number in numbers for scale in (1, 0.01, 100, 1e3, 1e6, 1e9)
    )


def known_errors(brain):
    listed = list(errata(brain))
    for claim, stated, place, there in listed:
        how = there[0].verdict if there else "not found"
        print(f"{how:10} {claim:45} {stated:32} {place}")
    print(f"found from the prose alone: {sum(bool(there) for *_, there in listed)} of {len(listed)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        with Brain.open(Settings(home=Path(folder) / "drafts")) as brain:
            drafts(brain)
        if DOCUMENTS.is_dir():
            with Brain.open(Settings(home=Path(folder) / "documents")) as brain:
                brain.ingest([ROOT / "content", *sorted(DOCUMENTS.glob("*"))], at=NOW)
                known_errors(brain)


if __name__ == "__main__":
    main()
