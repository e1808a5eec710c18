"""One address for every kind of page, for the tests that go through all of them."""

KINDS = {
    "/": "/",
    "/search": "/search?q=tokens",
    "/nodes/{brain}/{slug}": "/nodes/fable/price-is-the-product",
    "/nodes/{brain}/{slug}/statements": "/nodes/fable/tiers-of-acme/statements",
    "/claims": "/claims",
    "/claims/{claim:path}": "/claims/output-multiple",
    "/prices": "/prices",
    "/prices/{item:path}": "/prices/acme/large",
    "/tags": "/tags",
    "/tags/{tag:path}": "/tags/pricing",
    "/sources": "/sources",
    "/sources/{work:path}": "/sources/https%3A%2F%2Fwires.example%2Fstudy",
    "/terms": "/terms",
    "/terms/{brain}/{slug}": "/terms/lexicon/token",
    "/runs": "/runs",
    "/runs/{run}": "/runs/2",
    "/changes": "/changes",
    "/errata": "/errata",
    "/record": "/record?by=kind",
    "/graph": "/graph",
    "/proof": "/proof",
    "/about": "/about",
    "/brains/{brain}": "/brains/fable",
    "/documents/{document:path}": "/documents/prices.yaml",
    "/assumptions/{name}": "/assumptions/crew",
    "/claims/{claim:path}/on/{day}": "/claims/output-multiple/on/2026-11-20",
}
"""The address of a route, and an example of it in the small brain."""

PARTS = {
    "/suggest.json": "/suggest.json?q=tok",
    "/claim-previews/{claim:path}": "/claim-previews/fresh-token",
    "/previews/{brain}/{slug}": "/previews/fable/tiers-of-acme",
    "/charts/record.{form}": "/charts/record.png?scheme=dark",
    "/charts/nodes/{brain}/{slug}/card.{form}": "/charts/nodes/fable/price-is-the-product/card.png",
    "/charts/claims/{claim:path}/card.{form}": "/charts/claims/fresh-token/card.png",
    "/charts/prices/{item:path}/card.{form}": "/charts/prices/acme/large/card.png",
    "/charts/claims/{claim:path}/history.{form}": "/charts/claims/fresh-token/history.svg",
    "/charts/prices/{item:path}.{form}": "/charts/prices/acme/large.png?chart=input/standard&scheme=dark",
    "/graph.json": "/graph.json",
}
"""What pages load: no pages themselves."""
