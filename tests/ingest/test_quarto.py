"""A Quarto document: blocks between colons, cells of code, links to other documents."""

import pytest

from tests.ingest.own_documents import resolve

QUARTO = {
    "::: callout-note\nText\n:::": "> [!note]\n> Text",
    "::: {.callout-note collapse=false}\n# Dues\nText\n:::\nAfter": "> [!note]+ Dues\n> Text\n\nAfter",
    "::: {.callout-note}\n```{r, echo=FALSE}\n:::\n```\n:::": "> [!note]\n> ```r {echo=FALSE}\n> :::\n> ```",
    "```{.python}\n```{r}\n```\n:::": "```python\n```{r}\n```\n:::",
    "````{{python}}\n:::\n````": "````{{python}}\n:::\n````",
    "## Tides {#sec-tides .x}\n[it](#sec-tides) [b](c.qmd#sec-d)": "## Tides ^sec-tides\n[it](#^sec-tides) [b](c.md#^sec-d)",
    "![Dues](a.png){#fig-dues width=50%}\n\n[mine]{.x} `a`{.r} `[b](c.qmd){.d}`": "![Dues](a.png) ^fig-dues\n\n[mine] `a` `[b](c.qmd){.d}`",
    "$$\nx\n$$ {#eq-a}\n\n{{< kbd a >}} {b}": "$$\nx\n$$\n\n{{< kbd a >}} {b}",
    "---\ndate: last-modified\n---\nText": "Text",
    "[a](https://example.org/b.qmd) [c](d.qmd)": "[a](https://example.org/b.qmd) [c](d.md)",
}


@pytest.mark.parametrize("written", QUARTO)
def test_what_quarto_writes_becomes_markdown(reading, written):
    found = reading(written, "dues.qmd")
    assert (found.format, found.nodes[0].body, found.problems) == ("quarto-document", QUARTO[written], ())


def test_a_name_of_quarto_is_no_tag_and_links_find_it(reading):
    tides = reading("# Tides\n\n## Spring {#sec-spring}\n\nHigh.\n", "sea/tides.qmd")
    dues = reading("See [it](sea/tides.qmd#sec-spring).", "dues.qmd")
    assert tides.nodes[0].tags == ()
    (found,) = (one for one in resolve([dues, tides]) if one.name == "dues.qmd")
    assert ([one.target for one in found.nodes[0].cites], found.problems) == (["notes/tides"], ())


def test_a_block_that_is_never_closed_is_named_and_private_comments_stay_private(reading):
    found = reading("# Dues\n\n::: {.callout-note}\n%%mine%%\nText", "dues.qmd")
    assert [(one.code, one.line) for one in found.problems] == [("block-unclosed", 3)]
    assert "mine" not in found.nodes[0].body
