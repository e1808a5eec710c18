"""What a terminal of 80, 60 and 40 columns shows, and what a file gets."""

from io import StringIO
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from api.terminal.proof_tables import MarkedLine
from api.terminal.tables import FileConsole, styled, table

LONG = (
    "The fee of the harbour, which had been set at $8 for as long as anybody could remember, fell in the spring to $2 "
    "after the talks, a 60% cut, and nobody who was asked had expected anything of the kind."
)


def on_screen(shown, width):
    to = Console(width=width, file=StringIO(), force_terminal=True, color_system=None, highlight=False)
    to.print(shown)
    return [line.rstrip() for line in to.file.getvalue().splitlines()]


def in_file(shown, monkeypatch, width=None):
    monkeypatch.setenv("COLUMNS", str(width)) if width else monkeypatch.delenv("COLUMNS", raising=False)
    to = FileConsole(StringIO())
    to.print(shown)
    return to.file.getvalue().splitlines()


def under(line, carets):
    """The characters of a line that have carets under them."""
    found, column = "", 0
    for character in line:
        if column < len(carets) and carets[column] == "^":
            found += character
        column += cell_len(character)
    return found


def marked(text, figure):
    return MarkedLine(text, text.index(figure), text.index(figure) + len(figure))


def test_a_short_sentence_is_shown_as_it_is_and_wide_characters_count_twice():
    assert on_screen(marked("A 60% cut.", "60%"), 40) == ["  | A 60% cut.", "  |   ^^^"]
    line, carets = on_screen(marked("料金は $8 から $2 へ、60% 引き", "60%"), 60)
    assert under(line, carets) == "60%"


def test_a_file_gets_the_whole_sentence_with_the_carets_in_its_middle(monkeypatch):
    lines = in_file(marked(LONG, "60%"), monkeypatch)
    assert " ".join(line.removeprefix("  | ") for line in lines if "^" not in line) == LONG
    at = next(number for number, line in enumerate(lines) if "^" in line)
    assert under(lines[at - 1], lines[at]) == "60%"
    assert max(map(len, lines)) <= 120
    assert not any(line.endswith(" ") for line in lines)


@given(
    st.text("ab 料é,", max_size=150), st.sampled_from(["60%", "$2.50 a day", "12.25 million output tokens a month"]),
    st.text("ab 料é,", max_size=150), st.integers(16, 130),
)  # fmt: skip
def test_on_any_width_the_carets_stand_under_the_figure_and_nothing_else(before, figure, after, width):
    text = f"{before.strip()} {figure} {after.strip()}".strip()
    lines = on_screen(marked(text, figure), width)
    assert all(cell_len(line) <= width for line in lines)
    carets = [under(line, below) for line, below in pairwise(lines) if "^" in below]
    assert "".join("".join(carets).split()) == "".join(figure.split())


PROSE = "At both makers cached input is 50 to 90% cheaper [1]."


def claims():
    rows = [("stale", "four-hundred-tokens-at-most", "97.5%", PROSE), styled("dim", "holds", "one", "", "It rains.")]
    return table("verdict | claim | value>= | says~", rows)


def test_a_table_has_its_columns_where_the_prose_has_room_and_lines_where_it_would_be_a_tower(monkeypatch):
    wide = on_screen(claims(), 120)
    assert wide[0].split() == ["verdict", "claim", "value", "says"]
    assert wide[1].split("  ")[-1] == PROSE
    second = ["holds  one", "  It rains."]
    assert on_screen(claims(), 60) == ["stale  four-hundred-tokens-at-most  value 97.5%", f"  {PROSE}", *second]
    first = ["stale  four-hundred-tokens-at-most", "  value 97.5%", "  At both makers cached input is 50 to"]
    assert on_screen(claims(), 40) == [*first, "  90% cheaper [1].", *second]
    assert in_file(claims(), monkeypatch)[0].startswith("verdict  claim")
    assert in_file(claims(), monkeypatch, 60) == on_screen(claims(), 60)


def test_listings_lose_nothing_on_a_narrow_screen_and_take_few_lines(brain, shipped_home, monkeypatch):
    stale = brain("claims", "--verdict", "stale", "--json", home=shipped_home).json["items"]
    for width in (80, 60, 40):
        monkeypatch.setenv("COLUMNS", str(width))
        listed = brain("claims", "--verdict", "stale", home=shipped_home).out
        words = "".join(listed.split())
        assert all("".join(one[key].split()) in words for one in stale for key in ("id", "says"))
        assert len(listed.splitlines()) <= 8 * len(stale)
        run = brain("runs", home=shipped_home).out
        assert run.startswith("run 1  for 2026-")
        assert " ".join(run.split()).endswith("stale")
        assert max(map(len, (listed + run).splitlines())) <= width


def test_carets_stand_under_the_figure_that_is_meant_if_the_sentence_has_it_twice(brain, write):
    text = "Of 120 seats 20 are taken, and 120 - 20 = 90 of them, not 90 of all, are free.\n"
    out = brain("proof", write("draft.md", text)).out.splitlines()
    line, carets = next((out[at - 1], one) for at, one in enumerate(out) if "^" in one)
    assert under(line, carets) == "90"
    assert carets.index("^") == line.index("= 90") + 2


def test_a_figure_after_a_word_that_is_wider_than_the_page_has_its_caret_in_a_file():
    text = f"{'x' * 300} fell by 60% and {'界' * 90} 70%"
    for figure in ("60%", "70%"):
        console = Console(width=40, file=StringIO(), force_terminal=False)
        console.print(marked(text, figure))
        lines = console.file.getvalue().splitlines()
        at = next(index for index, line in enumerate(lines) if "^^^" in line)
        assert figure in lines[at - 1]
        assert max(cell_len(line) for line in lines) <= 40
