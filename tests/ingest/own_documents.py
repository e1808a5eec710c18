"""Documents of our own invention, one for each format."""

PAGE = """\
Skip to content
← Contributors
Mira Voss
Contributor · harbours
@mira · pilot · night desk
Mira reads tide tables for a living and distrusts every round number in them.
tidesdredging-costsquay
Mira’s brain
6 nodes
Notes on harbours, kept as they come.
View the full brain →
Operating POV1 node
  • Depth is bought by the centimetre

    A harbour that dredges to 14 m sells 14 m [2]. The next metre costs more than the last four [1, 3].

    - silt comes back
    - pilots know where

    #dredging-costs#tides
Currently watching0 nodes
Theses1 node
  • *Tide windows are a price list*

    Ships that wait pay twice: once for the berth, once for the crew [1].

    #tides#quay
Readings4 nodes
  • Quay cranes idle a third of the day

    (cite index="2-1,2-3">Cranes stand still for eight hours of twenty-four</cite>, says the terminal.

    Sources:

    • https://example.org/cranes
    • https://www.example.org/cranes/2
    #quay
  • A metre of silt returns each winter

    Two surveys agree. (cite index="1-4">The bar rose by 0.9 m</cite> (cite index="3-1">and again by 1.1 m.</cite>

    Sources:

    • https://arxiv.org/abs/2101.00001v2
    #dredging-costs#silt
  • Pilots charge by draught

    1. Up to 8 m: one rate.
    2. Beyond: another.

    Sources:

    • https://example.net/pilots?utm_source=x
    #tides
  • Dredging bids fell by 12% in a year

    The lowest bid was 3.10 a cubic metre.

    Sources:

    • https://example.com/bids
    #dredging-costs
"""

TABLE = """\
# Harbour Words

## Water

| Term | Definition |
|------|------------|
| **MHW** | Mean High Water — the average of all high tides |
| **Ebb / Flood** | Falling / rising tide — the two halves of a cycle |
| **Lowest Astronomical Tide (LAT)** | The datum of most charts |

## Ships

| Term | Meaning | Unit |
|:-----|:-------:|-----:|
| Draught | How deep a hull sits \\| laden | m |
| **GT** | Gross Tonnage; volume, not weight | |
"""

PACK = """\
---
name: harbour-costs
description: What a harbour costs to keep open.
---

# Harbour Cost Pack

## Dredging

### Rates

| Soil | Price ($/m3) | Share (%) |
|------|-------------:|-----------|
| **Silt** | 3.10 | 60 |
| Sand | 4.40 | 40 |

Rates exclude disposal.

### Volume

```
volume = length x width x depth
# not a heading
```

Loss follows $V \\propto d^{1.5}$.

## Sources of error

- tide gauges drift
- bids are *not* prices
"""

BULLETS = """\
# Pilot Glossary

Words that pilots use.

## A
- **Abeam:** At a right angle to the keel.
- **AIS (Automatic Identification System):** Broadcasts a ship's place
  and course every few seconds.

## B
- **Berth**: Where a ship lies.
  - **Lay-by berth:** One without cranes.
- **Bollard pull** — The force of a tug at rest, in tonnes.
"""

ARROWS = """\

Harbour Glossary - Quay to Sea

From the first stone to the open water.

■ L1 - Stone	2
1. Quay Walls	2
2. Moving Parts.....	3

L1 - Stone

1. Quay Walls

Basic Shapes

- **Caisson** → A concrete box sunk in place.
- **Sheet pile** → Steel driven into the bed:
 - **Z pile** → Interlocks at the flange.
 - **U pile** → Interlocks at the centre line.



Section through a quay, drawn from the land side.

Source: <https://example.org/quay.png>

- **Fender** → Keeps hull and wall apart.
Often of rubber.

Materials

- **Basalt** → Hard and heavy.
 - **Larch** → Lasts in salt water.
 - **Greenheart** → Lasts longer.
-

L2- Water

2. Moving Parts

1. **Arrive** → The pilot boards.
2. **Turn** → Two tugs swing the bow.
3. **Berth** → Lines go ashore.
- **Fender** → Here: the person who fends off.
"""

NOTE = """\
---
title: Depth sells
kind: thesis
tags: [Dredging Costs, tides]
aliases: [The price of depth]
published: 2025-02-01
origin: page.txt:12
sources:
  - url: https://example.org/depth
    title: Depth
    date: 2024-11-02
  - https://example.org/bare
cites:
  - to: silt-returns
    as: citesAsEvidence
---
Depth is sold by the centimetre, as [[silt-returns]] shows. See also [[pilots|the pilots]].

| Year | Price ($/m3) |
|------|--------------|
| 2024 | 3.10 |

Not a link: `[[code]]`, nor a tag: https://example.org/#top. A tag: #harbour/deep.[^1]

[^1]: The harbour master's report. https://example.org/report
"""

TERMS = """\
# kept by hand
brain: words
terms:
  - label: Mean high water
    abbreviation: MHW
    variants: [mean-high-water]
    definition: The average of all high tides; see [[depth-sells]].
    broader: [Tide]
    tags: [tides]
    differs: One table averages over 18.6 years, another over 19.
    origin: [table.md:7, glossary.md:3]

  # the parent
  - label: Tide
    definition: The rise and fall of the sea.
    related: [MHW]
"""

OWN = {
    "brain-page": ("mira.txt", PAGE),
    "term-table": ("words.md", TABLE),
    "context-pack": ("pack.md", PACK),
    "bullet-glossary": ("pilots.md", BULLETS),
    "arrow-glossary": ("quay.txt", ARROWS),
    "note": ("depth-sells.md", NOTE),
    "terms": ("tides.yaml", TERMS),
}
