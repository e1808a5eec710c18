import re

from tests.api.relay import DAY, relay_home  # noqa: F401  # the fixture `home`

LIVE = (
    "Relay is <!-- brain:relay-discount -->40%<!-- /brain --> off.\r\n\r\n"
    "```\r\n<!-- brain:relay-discount -->40%<!-- /brain -->\r\n```\r\n\r\n"
    "    <!-- brain:relay-discount -->40%<!-- /brain -->\r\n\r\n"
    "Code: `<!-- brain:relay-discount -->40%<!-- /brain -->`. Now 40% [claim:: relay-discount], $5.00 [claim:: counter-tariff].\r\n"
)


def test_live_figures_are_brought_up_to_date_in_place_and_nothing_else(home, write):
    note = write("vault/a.md", LIVE)
    assert home("proof", note, *DAY, "--check").code == 1
    assert note.read_bytes() == LIVE.encode()
    assert home("proof", note.parent, *DAY, "--write").code == 0
    expected = LIVE.replace("-->40%", "-->60%", 1).replace("Now 40%", "Now 60%")
    assert note.read_bytes() == expected.encode()
    assert home("proof", note.parent, *DAY, "--write").code == 0
    assert note.read_bytes() == expected.encode()
    assert home("proof", note.parent, *DAY, "--check").code == 0


def test_an_empty_mark_is_filled_and_an_unknown_claim_named_with_its_neighbour(home, write):
    note = write("a.md", "<!-- brain:counter-tariff --><!-- /brain -->\n")
    assert home("proof", note, *DAY, "--write").code == 0
    assert note.read_text() == "<!-- brain:counter-tariff -->5.00 USD<!-- /brain -->\n"
    lost = home("proof", write("b.md", "It is 40% [claim:: relay-discont], and [claim:: relay-discount]\n"), "--check")
    assert lost.code == 1
    said = lost.said
    assert "did you mean 'relay-discount'" in said
    assert "there is no figure" in said


KEPT = (
    "One <!-- brain:relay-discount -->is cheap; two <!-- brain:relay-discount -->[40%|60%]<!-- /brain --> end.\n"
    "<!-- brain:relay-discount -->a <!-- brain:relay-discount -->[40%|60%]<!-- /brain --> b<!-- /brain -->\n"
    "Bold <!-- brain:relay-discount -->**[40%|60%]**<!-- /brain -->, lost <!-- brain:relay-discount -->about 40% less<!-- /brain -->.\n"
    "<pre>\n<!-- brain:relay-discount -->40%<!-- /brain -->\n</pre>\n"
    "Half <!-- /brain --> of a mark.\n"
)


def test_no_word_is_lost_between_marks_and_half_a_mark_is_named(home, write):
    before, after = (re.sub(r"\[(\d+%)\|(\d+%)\]", rf"\{side}", KEPT) for side in (1, 2))
    note = write("a.md", before)
    found = home("proof", note, *DAY, "--write")
    assert found.code == 1
    assert note.read_text() == after
    assert found.out.count("unclosed") == 5  # four marks, and their sum
    assert "other words between the marks" in found.said
    note.write_text("Alone <!-- brain:relay-discount -->60%\n")
    assert home("proof", note, *DAY, "--check").code == 1


def test_live_figures_of_a_file_in_another_encoding_are_not_passed_over(home, write):
    note = write("vault/a.md", "")
    note.write_bytes("café <!-- brain:relay-discount -->40%<!-- /brain -->\n".encode("latin-1"))
    found = home("proof", note.parent, *DAY, "--check")
    assert found.code == 3
    assert "is not in UTF-8" in found.error


STYLES = (
    ("33% [claim:: relay-discount]", "the file says 33%, the brain 60%"),
    ("<!-- brain:relay-discount -->$40<!-- /brain -->", "the file says $40, the brain 60%"),
    ("<!-- brain:relay-discount -->0.40<!-- /brain -->", "the file says 0.40, the brain 60%"),
    ("<!-- brain:relay-discount -->40<!-- /brain -->", "<!-- brain:relay-discount -->60<!-- /brain -->"),
    ("<!-- brain:counter-tariff -->$5<!-- /brain -->", None),
    ("40% [claim:: relay-discount], no <pre> in `<pre>`", "60% [claim:: relay-discount], no <pre> in `<pre>`"),
    ("`<pre>` and 40% [claim:: relay-discount]", "`<pre>` and 60% [claim:: relay-discount]"),
    ("40,0 % [claim:: relay-discount]", "60 % [claim:: relay-discount]"),
    ("<!-- brain:relay-discount -->40,0%<!-- /brain -->", "<!-- brain:relay-discount -->60%<!-- /brain -->"),
    ("60,0 % [claim:: relay-discount]", None),
    ("40,25 % [claim:: relay-discount]", "edited"),
    ("<!-- brain:relay-discount -->40,5 %<!-- /brain -->", "edited"),
    ("0,40 [claim:: relay-discount]", "edited"),
    ("1 040% [claim:: relay-discount]", "edited"),
    ("40% dann 41,250 % [claim:: relay-discount], und 2,5 %", "edited"),
)
"""What a file says, and what it says then; if it is left as it is, None, or a part of the message."""


def test_a_figure_that_the_claim_had_is_replaced_in_its_style_and_one_edited_by_hand_is_not(home, write):
    """With a decimal comma it is one figure, of which never a half is replaced; in another unit both are shown."""
    edited = [row for row in STYLES if row[1] and "relay" not in row[1]]
    current = [row for row in STYLES if row not in edited]
    notes = [write(f"vault/{number}.md", f"Das sind {before}.\n") for number, (before, _) in enumerate(current)]
    found = home("proof", notes[0].parent, *DAY, "--write")
    assert (found.code, "edited" in found.out) == (0, False)
    assert [note.read_text() for note in notes] == [f"Das sind {after or before}.\n" for before, after in current]
    note = notes[0]
    for before, after in edited:
        note.write_text(f"Das sind {before}.\n")
        found = home("proof", note, *DAY, "--write")
        assert (found.code, note.read_text()) == (1, f"Das sind {before}.\n")
        assert "edited" in found.out
        assert after in found.said


def test_what_check_and_write_do_is_said_where_they_are_asked_for(home, write):
    note = write("a.md", "---\nrate: 40% [claim:: relay-discount]\n---\nNo figure.\n")
    both = home("proof", note, "--check", "--write")
    assert both.code == 2
    assert "--check changes nothing, and --write does: choose one" in both.error
    assert "if a live figure is not current" in home("proof", "--help").said
    found = home("proof", note, "--check")
    assert found.code == 0
    assert "there are no live figures; marks in code and in front matter are not read" in found.said
    note.write_text("No mark.\n")
    assert home("proof", note, "--check").out.strip() == "there are no live figures"
