"""From a sentence to a claim: `claim new`, `new note|price`, and what a save changes under `watch`."""

import re
from threading import Event, Timer

import pytest

from api.brain import Brain
from api.services.importing.folder_watch import FolderWatch
from api.settings import Settings
from tests.command import written
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("few_prices")

CARD = (
    "  - {{item: acme/{}, component: {}, value: {}, from: 2025-01-01, source: 'https://x.org', checked: 2026-11-01}}\n"
)
LISTED = [("h100-sxm", "on_demand", "2.50 USD/GPU/h"), ("h100-sxm", "spot", "1.20 USD/GPU/h")]
for _model in ("large", "vision-xl"):
    LISTED += [(_model, "input", "2.00 USD/Mtok"), (_model, "cache_read", "0.20 USD/Mtok")]
PRICES = "prices:\n" + "".join(CARD.format(*one) for one in LISTED)
NOTE = "---\npublished: 2026-02-01\n---\n{}\n"
RENT = "An H100 at Acme rents for $2.50 an hour."
LOOKUP = 'price("acme/h100-sxm", "on_demand")'


@pytest.fixture
def vault(tmp_path, brain):
    def put(text):
        assert brain("ingest", written(tmp_path, {"prices.yaml": PRICES, "fees.md": NOTE.format(text)})).code == 0
        return tmp_path

    return put


@pytest.mark.parametrize(
    ("text", "words", "more", "value", "expect", "verdict", "tense"),
    [
        (RENT, "rents for", (), LOOKUP, "is: 2.50 USD/GPU/h, within: 0.005", "holds", "2026-02-01 standing"),
        ("An H100 at Acme rents for $3.10 an hour.", "3.10", (), LOOKUP, "is: 3.10 USD/GPU/h", "refuted", "standing"),
        ("A spot H100 at Acme is $1.20 an hour.", "H100", (), '"spot"', "is: 1.20 USD/GPU/h", "holds", "standing"),
        (
            "On Acme Large a cached input token costs 90% less than a fresh one.", "costs 90%", (),
            '1 - price("acme/large", "cache_read") / price("acme/large", "input")', "is: 90%", "holds", "standing",
        ),
        (
            "A cached token of Vision XL at Acme costs 90% less than a fresh one.", "costs 90%", (),
            '1 - price("acme/vision-xl", "cache_read") / price("acme/vision-xl", "input")', "is: 90%", "holds", "",
        ),
        ("Vision XL kostet bei Acme 2,00 $ je Million Token Input.", "kostet", (), 'xl", "input")', "2.00 USD/Mtok", "holds", ""),
        ("In March 2025 an H100 at Acme was $2.50 an hour.", "H100", (), LOOKUP, "2.50", "holds", "2025-03-31 dated"),
        ("A Zeta H100 rents for $9 an hour.", "Zeta", (), 'assume("formula-of-fees-9-usd-h")', "is: 9", "gap", ""),
        ("Some 40% of it is lost.", "40%", ("--formula", "2 / 5"), "2 / 5", "is: 40%", "holds", "standing"),
        ("It is cheaper.", "cheaper", ("--formula", f"{LOOKUP} < 3 USD/GPU/h"), "<", "is: true", "holds", ""),
        ("It is $2.50 an hour.", "an hour", ("--formula", LOOKUP), LOOKUP, "is: 2.50 USD/GPU/h", "holds", "standing"),
        ("| at | price |\n|---|---|\n| Acme H100 | $2.50/h |", "Acme H100", (), LOOKUP, "2.50", "holds", "standing"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_claim(vault, brain, text, words, more, value, expect, verdict, tense):
    folder = vault(f"Before it.\n\n{text}\n\nBehind it.")
    found = brain("claim", "new", "fees", words, *more, "--json").json
    assert found["gap"] == (verdict == "gap")
    assert found["verdict"]["verdict"] == ("unverifiable" if found["gap"] else verdict), found
    written = (folder / "fees.claims.yaml").read_text("utf-8")
    assert all(part in written for part in (f"id: {found['claim']}", "# fees.md:", value, expect))
    stated = re.search(r"as_of: (.+)\n    tense: (.+)\n", written)
    assert " ".join(stated.groups()).endswith(tense)
    assert brain("explain", found["claim"], "--json").json["quote"]["exact"] is True


def test_a_gap_lists_the_prices_of_the_names(vault, brain):
    vault("Acme Large has 40% of the market.")
    found = brain("claim", "new", "fees", "40%", "--print")
    assert "# GAP: write the formula under value. Prices of the names:" in found.out
    assert 'price("acme/large", "cache_read")  0.20 USD/Mtok' in found.out
    brain("claim", "new", "fees", "40%")
    assert "write its formula there" in brain("claim", "new", "fees", "40%", "--formula", "2 / 5").err


REFUSED = (
    ("fee", "it", (), "near it: notes/fees"),
    ("fees", "An H100 at Acmy rents", (), "most similar words, at fees.md:4: “An H100 at Acme rents”"),
    ("fees", "twice", (), "in 2 sentences, on lines 6, 8; add words that only one of them has"),
    ("fees", "Nothing here", (), "has no figure: --formula"),
    ("fees", "Several", (), "has the figures 4, 6 TB: add words with the one that you mean"),
    ("fees", "rents for", ("--formula", "price("), "value: price("),
    ("prices.yaml", "x", (), "prices.yaml contains no note: name the note"),
    ("new.md", "x", ("--print",), "new.md is not in the brain yet; run brain ingest ."),
)


def test_an_error_says_what_to_do(vault, brain):
    folder = vault(f"{RENT}\n\nIt is said twice.\n\nAs said twice. Nothing here. Several: 4 GPUs, 6 TB in FP16.")
    (folder / "new.md").write_text("A text.\n", "utf-8")
    for note, words, more, says in REFUSED:
        found = brain("claim", "new", note, words, *more)
        assert found.code in {2, 3}, words
        assert says in found.error, words
        assert not list(folder.glob("*.claims.yaml"))


OTHER = "- {id: other, node: notes/fees, says: x, as_of: 2026-02-01, value: 1, expect: {is: 1}}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"# mine\nclaims:  # all\n{OTHER}  # first\n# end", "\n# end\n# fees.md:4\n- id: fees"),
        (f"claims:\r\n    {OTHER}\r\n", "\r\n    # fees.md:4\r\n    - id: fees"),
        ("- id: other\n  " + OTHER[14:-1].replace(", ", "\n  ") + "\n", "\n# fees.md:4\n- id: fees"),
        ("claims: []\n", "claims:\n  # fees.md:4\n  - id: fees"),
        ("\ufeffclaims: []\n", "\ufeffclaims:\n  # fees.md:4\n  - id: fees"),
        ("# nothing yet\n", "# nothing yet\nclaims:\n  # fees.md:4\n  - id: fees"),
    ],
)
def test_a_file_keeps_what_it_has(vault, brain, before, after):
    folder = vault(RENT)
    path = folder / "mine.yaml"
    path.write_bytes(before.encode())
    assert brain("claim", "new", "fees", "rents", "--file", path).code == 0
    written = path.read_bytes().decode()
    assert after in written
    assert written.startswith(before.removesuffix(" []\n"))
    again = brain("claim", "new", "fees", "rents")
    assert (again.code, "states this figure already (" in again.err and "mine.yaml:" in again.err) == (2, True)


@pytest.mark.parametrize(
    "raw",
    [
        f"claims: [{OTHER[2:]}]\n".encode(), b"claims:\n  - id: broken\n", b"claims: {\n", b"# caf\xe9\n",
        "claims: []\n".encode("utf-16"),
    ],
    ids=["flow", "broken", "no YAML", "no UTF-8", "UTF-16"],
)  # fmt: skip
def test_a_file_that_cannot_be_continued_is_not_changed(vault, brain, raw):
    path = vault(RENT) / "mine.yaml"
    path.write_bytes(raw)
    found = brain("claim", "new", "fees", "rents", "--file", path)
    assert (found.code, "is not changed" in found.err, path.read_bytes()) == (2, True, raw)


def test_a_note_is_read_again_and_its_claims_stay_together(vault, brain):
    folder = vault(RENT)
    brain("claim", "new", "fees", "rents", "--file", folder / "kept.yaml")
    (folder / "fees.md").write_text(NOTE.format(f"{RENT} A spot H100 at Acme is $1.20 an hour."), "utf-8")
    assert brain("claim", "new", folder / "fees.md", "A spot", "--json").json["file"] == "kept.yaml"
    assert len(brain("claims", "--json").json["items"]) == 2


@pytest.mark.parametrize(
    ("command", "path", "holds"),
    [
        (("note", "notes/spot-rates", "--on", "2026-02-01"), "notes/spot-rates.md", "published: 2026-02-01"),
        (("note", 'v1.5: a "b"'), 'v1.5: a "b".md', 'title: "V1.5: a \\"b\\""'),
        (("price", "acme/h100", "2.50 USD/GPU/h", "--on", "2026-01-01"), "acme-h100.yaml", "component: on_demand"),
        (("price", "acme/large", "2 USD/Mtok", "output=8 USD/Mtok"), "acme-large.yaml", "component: output"),
        (("price", "acme/large", "$0.02 per million tokens"), "acme-large.yaml", "component: input"),
        (("price", "acme/large"), "acme-large.yaml", "# prices:"),
    ],
)
def test_a_file_to_start_from_is_valid_and_written_once(brain, tmp_path, command, path, holds):
    made = brain("new", *command, "--json").json
    assert made["path"] == path
    assert "brain ingest" in made["next"]
    assert holds in (tmp_path / path).read_text("utf-8")
    assert brain("ingest", tmp_path / path, "--strict").code == 0
    (tmp_path / path).write_text("mine\n", "utf-8")
    again = brain("new", *command)
    assert (again.code, (tmp_path / path).read_text("utf-8")) == (2, "mine\n")


@pytest.mark.parametrize("name", ["", ".", "notes/.."])
def test_a_note_needs_a_name(brain, name):
    assert brain("new", "note", name).code == 2


@pytest.mark.parametrize(
    ("price", "says"),
    [
        ("2.50", "a price needs its unit"),
        ("input=2 USD/GB", "USD/Mtok"),
        ("0,13 USD/Mtok", "0,13 has a decimal comma"),
        ("0,125 USD/Mtok", "write it with a point: 0.125"),  # no 125 with groups of three digits
    ],
)
def test_a_wrong_price_is_refused(brain, tmp_path, price, says):
    found = brain("new", "price", "acme/large", price)
    assert (found.code, says in found.error) == (2, True)
    assert not list(tmp_path.glob("*.yaml"))


def test_each_save_says_what_it_changed(tmp_path):
    """A price, a quote, a slip in YAML, a rename, a deletion; temporary and half-written files say nothing."""
    stated = (
        f"claims:\n  - id: rent\n    node: notes/fees\n    says: x\n    as_of: 2026-02-01\n    value: {LOOKUP}\n"
        "    expect: {is: 2.50 USD/GPU/h, within: 0.005 USD/GPU/h}\n    quote: rents for $2.50 an hour\n"
    )
    files = {"fees.md": NOTE.format(RENT), "prices.yaml": PRICES, "fees.claims.yaml": stated}
    vault = written(tmp_path / "vault", files)
    note, prices, claims = (vault / name for name in files)
    ended, begun = "to: 2026-06-01, source", "value: 2.90 USD/GPU/h, from: 2026-06-01"
    old = PRICES.splitlines(keepends=True)[1]
    moved = old.replace("source", ended) + old.replace("value: 2.50 USD/GPU/h, from: 2025-01-01", begun)
    with Brain.open(Settings(home=vault / "data")) as brain:
        stop = Event()
        deadline = Timer(120, stop.set)  # a save that is not noticed fails, and does not wait
        deadline.start()

        def write(path, text):
            written(vault, dict.fromkeys((".fees.md.swp", "4913", "fees.md~", "#fees.md#", "x.tmp"), "noise"))
            temporary = vault / f"{path.name}.tmp"
            temporary.write_text(text, "utf-8")
            temporary.replace(path)

        def ready(first):
            assert [one.after for one in first.changes] == ["holds"]
            write(prices, PRICES.replace(old, moved))

        saves = FolderWatch(brain, vault).changes(lambda: NOW, ready, stop)

        def save(*given):
            if given:
                write(*given)
            found = next(saves)
            turned = [(one.claim, one.before, one.after) for one in found.changes]
            codes = [[problem.code for problem in some] for some in (found.problems, found.mended)]
            return found.documents, turned, *codes

        assert save() == (("prices.yaml",), [("rent", "holds", "stale")], [], [])
        assert save(prices, PRICES)[:2] == (("prices.yaml",), [("rent", "stale", "holds")])
        less = NOTE.format(RENT.replace("$2.50", "$2.40"))
        documents, turned, problems, _ = save(note, less)
        assert (documents, turned, "quote-moved" in problems) == (("fees.md",), [], True)
        assert "quote-moved" in save(note, NOTE.format(RENT))[3]
        assert save(claims, stated.replace(LOOKUP, "price("))[1] == []  # the version of before stays
        note.write_text("", "utf-8")  # an editor empties it first
        assert len(save(claims, stated)[3]) == 1
        note.write_text(NOTE.format(RENT), "utf-8")
        note.rename(vault / "rents.md")
        assert "claim-without-node" in [one.code for one in next(saves).problems]
        claims.unlink()
        assert save() == (("fees.claims.yaml",), [], ["kept"], [])
        documents, _, problems, mended = save(claims, stated)
        assert (documents, problems, mended[:1]) == ((), [], ["kept"])
        assert list(brain.ledger.runs()) == []
        deadline.cancel()
        stop.set()
        assert list(saves) == []
