"""A price that nothing knows is said when its claim is written, at its line, with the names near it."""

import pytest

CLAIM = """\
claims:
  - id: answer
    node: notes/answer
    says: It costs something.
    as_of: 2026-11-02
    given:
      one: {formula}
    value: one
    expect: {{at_least: {least}}}
"""
FOUND = "source: 'https://example.org', checked: 2026-11-03"
PRICES = (
    f"prices: [{{item: cloud-north/h100, component: on_demand, value: 2.10 USD/GPU/h, from: 2026-10-01, {FOUND}}}]\n"
)
ASSUMED = f"assumptions:\n  - {{name: facility-overhead, value: 1.3, {FOUND}}}\n"


def told(brain, *paths):
    found = brain("ingest", *paths, "--json")
    return [
        (one["document"].rpartition("/")[2], one["line"], one["message"], one["hint"])
        for document in found.json["documents"]
        for one in document["problems"]
        if one["code"] == "claims/unknown-input"
    ]


@pytest.mark.parametrize(
    ("formula", "least", "message", "near"),
    [
        ('price("anthropic/claude-sonet-5.5", "input")', "1 USD/Mtok", "no catalogue knows 'anthropic/claude-sonet-5.5'",
         "anthropic/claude-sonnet-5-5"),
        ('price("antropic/claude-sonnet-5-5", "output")', "1 USD/Mtok", "no catalogue knows 'antropic/claude-sonnet-5-5'",
         "anthropic/claude-sonnet-5-5"),
        ('price("anthropic/claude-sonnet-5-5", "cache_raed")', "1 USD/Mtok", "no catalogue has a price for 'cache_raed'",
         "cache_read"),
        ('assume("facility-overhed")', "1", "there is no assumption 'facility-overhed'", "facility-overhead"),
        ('cheapest(["cloud-north/h100", "cloud-nort/h100"], "on_demand")', "1 USD/GPU/h",
         "no catalogue knows 'cloud-nort/h100'", "cloud-north/h100"),
    ],
)  # fmt: skip
def test_it_is_said_at_its_line_with_names_near_it(brain, write, formula, least, message, near):
    claims = write("a.claims.yaml", CLAIM.format(formula=formula, least=least))
    ((document, line, said, hint),) = told(brain, claims, write("prices.yaml", PRICES), write("assumed.yaml", ASSUMED))
    assert (document, line) == ("a.claims.yaml", 7)
    assert message in said
    assert near in hint
    assert "claims/unknown-input" in brain("check", "--json").out


@pytest.mark.parametrize(("formula", "other", "message"), [
    ("3 USD", "answr", "answer: there is no claim 'answr'"), ("3 USD/h", "other", "answer: units do not match: USD/h, and USD of other"),
    ("3 EUR", "other", "answer: units do not match: EUR, and USD of other"), ("3 USD", "other", None),
])  # fmt: skip
def test_a_claim_to_compare_with_is_known_and_measures_the_same(brain, write, formula, other, message):
    text = CLAIM.format(formula=formula, least=1).replace("at_least: 1", f"same_as: {other}")
    second = CLAIM.format(formula="3 USD", least="1 USD").replace("answer", "other").removeprefix("claims:\n")
    claims = write("a.claims.yaml", text + second)
    assert [(line, said) for _, line, said, _ in told(brain, claims)] == ([(9, message)] if message else [])
    assert brain("check", "--json").out.count("claims/unknown-input") == bool(message)


def test_prices_that_come_with_the_claim_or_before_it_are_known(brain, write):
    claims = write("a.claims.yaml", CLAIM.format(formula='price("cloud-north/h100", "on_demand")', least="1 USD/GPU/h"))
    assert len(told(brain, claims)) == 1, "a warning: the claim is stored"
    assert [one["id"] for one in brain("claims", "--json").json["items"]] == ["answer"]
    assert told(brain, claims, write("prices.yaml", PRICES)) == []
    assert told(brain, claims) == []
    assert "claims/unknown-input" not in brain("check", "--json").out


def test_an_author_who_knows_says_so(brain, write):
    text = CLAIM.format(formula='price("nobody/knows", "input")', least="1 USD/Mtok")
    claims = write("a.claims.yaml", text + "    allow: {unknown-input: No catalogue has this price.}\n")
    assert told(brain, claims) == []
    assert "unknown-input" not in brain("check", "--json").out


def test_strict_refuses_it_and_a_dry_run_says_it(brain, write):
    claims = write("a.claims.yaml", CLAIM.format(formula='price("nobody/knows", "input")', least="1 USD/Mtok"))
    assert "no catalogue knows" in brain("ingest", claims, "--dry-run").out
    assert brain("ingest", claims, "--strict").code == 1


def test_a_source_whose_url_is_none_is_said_at_its_line(brain, write):
    wrong = ("not a url", "see the book", "page 12")
    right = ("https://example.org/a", "example.org/a", "doi:10.1000/182", "arXiv:2301.00001")
    sources = "".join(f"  - title: A page\n    url: {url}\n" for url in (*wrong, *right))
    note = write("Note.md", f"---\ntitle: A note\nsources:\n{sources}---\nText.\n")
    (document,) = brain("ingest", note, "--json").json["documents"]
    found = [(one["line"], one["message"]) for one in document["problems"]]
    assert found == [(5 + 2 * number, f"{url!r} is not an address") for number, url in enumerate(wrong)]
