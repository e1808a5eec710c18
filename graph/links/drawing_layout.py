"""Node positions for the map of the brain, from 0 to 1.

A spring layout takes time that grows with the square of the nodes, so there are two steps: communities (Louvain) as
discs by a spring layout, then the nodes of each disc by a spring layout, or if they are many on a sunflower spiral with
the best connected in the middle.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import networkx as nx

from graph.links.rings import Place, within

SEED = 7
SPRINGS = 250  # maximum nodes of a spring layout

GOLDEN = math.pi * (3 - math.sqrt(5))  # the golden angle, between successive points of a sunflower spiral


def laid_out(graph: nx.Graph[str]) -> dict[str, Place]:
    """Positions of all nodes, equal for equal graphs."""
    if not graph:
        return {}
    names = list(graph)
    number = {name: place for place, name in enumerate(names)}
    numbered: nx.Graph[int] = nx.Graph()  # sets of numbers have one order in all processes, sets of names do not
    numbered.add_nodes_from(range(len(names)))
    numbered.add_edges_from((number[start], number[end]) for start, end in graph.edges)
    groups = _communities(numbered)
    discs = _discs(numbered, groups)
    places = {}
    for (middle, radius), group in zip(discs, groups, strict=True):
        for node, (x, y) in _inside(numbered, group).items():
            places[names[node]] = (middle[0] + radius * x, middle[1] + radius * y)
    return _fitted(places)


def few_laid_out(names: Sequence[str], links: Iterable[tuple[str, str]]) -> dict[str, Place]:
    """Positions by no other links than these, the same for the same order of names and links."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(links)
    if not graph or not nx.is_connected(graph):
        return laid_out(graph)
    return _fitted({name: (float(x), float(y)) for name, (x, y) in nx.spring_layout(graph, seed=SEED).items()})


def evened(places: Mapping[str, Place]) -> dict[str, Place]:
    """Each axis from 0 to 1 and two thirds of the way to equal distances, so that no crowd forms."""
    columns = []
    for values in zip(*places.values(), strict=True):
        ranks = {value: rank for rank, value in enumerate(sorted({*values}))}
        least, most, last = min(values), max(values), len(ranks) - 1
        columns.append([((v - least) / (most - least) + 2 * ranks[v] / last) / 3 if last > 0 else 0.5 for v in values])
    return dict(zip(places, zip(*columns, strict=True), strict=True))


def column_rows(names: Collection[str], others: int, links: Iterable[Sequence[str]]) -> int:
    """Height of a drawing in columns, in steps of ten of the others; 0 for too many, or for names that are linked."""
    if len(names) > 16 or not 1 < others <= 80 or any(link[0] in names and link[1] in names for link in links):
        return 0
    return max(-(-others // 10), -(-2 * len(names) // 5))


def in_columns(names: Sequence[str], others: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, Place]:
    """`names` in the middle column, each after the one with which it shares most; `others` beside them at both sides.

    The same for the same order of names and links.
    """
    near: dict[str, list[str]] = {name: [] for name in (*names, *others)}
    for start, end in links:
        near[start].append(end)
        near[end].append(start)
    middle: list[str] = []
    while len(middle) < len(names):
        shared = Counter(name for one in middle for other in near[one] for name in near[other])
        last = Counter(name for one in middle[-1:] for other in near[one] for name in near[other])
        middle.append(max((name for name in names if name not in middle), key=lambda name: (last[name], shared[name])))
    rows = {name: (place + 0.5) / len(middle) for place, name in enumerate(middle)}
    means = {one: sum(rows[name] for name in near[one]) / len(near[one]) for one in near if one not in rows}
    places = {name: (0.5, row) for name, row in rows.items()}
    for side, column in enumerate(sorted(means, key=means.__getitem__)[turn::2] for turn in (0, 1)):
        steps = len(column) - 1
        places |= {one: (float(side), place / steps if steps else 0.5) for place, one in enumerate(column)}
    return places


def grown(graph: nx.Graph[str], known: Mapping[str, Place]) -> dict[str, Place]:
    """Known positions unchanged, and new nodes near their neighbours."""
    places = {node: known[node] for node in graph if node in known}
    for number, node in enumerate(node for node in graph if node not in known):
        near = [places[other] for other in graph[node] if other in places] or [(0.5, 0.5)]
        x, y = (sum(place[axis] for place in near) / len(near) for axis in (0, 1))
        places[node] = within(x + 0.02 * math.cos(number * GOLDEN), y + 0.02 * math.sin(number * GOLDEN))
    return places


def _communities(graph: nx.Graph[int]) -> list[list[int]]:
    """Communities, the largest first; nodes without links form one group."""
    order = {node: place for place, node in enumerate(graph)}
    linked = [node for node in graph if graph.degree[node]]
    found = (
        nx.community.louvain_communities(graph.subgraph(linked), weight=None, seed=SEED, max_level=2) if linked else []
    )
    groups = [sorted(group, key=order.__getitem__) for group in found]
    loose = [node for node in graph if not graph.degree[node]]
    return sorted(groups, key=lambda group: (-len(group), order[group[0]])) + ([loose] if loose else [])


def _discs(graph: nx.Graph[int], groups: Sequence[Sequence[int]]) -> list[tuple[Place, float]]:
    """A centre and a radius for each group; linked groups are near each other."""
    group_of = {node: number for number, group in enumerate(groups) for node in group}
    between: nx.Graph[int] = nx.Graph()
    between.add_nodes_from(range(len(groups)))
    for start, end in graph.edges:
        one, two = group_of[start], group_of[end]
        if one != two:
            weight = between.get_edge_data(one, two, {"weight": 0})["weight"]
            between.add_edge(one, two, weight=weight + 1)
    radii = [math.sqrt(len(group)) for group in groups]
    return _separate(_springs(between), radii)


def _springs(graph: nx.Graph[int]) -> list[Place]:
    """A spring layout; the smallest of too many groups are on a spiral around it."""
    few = list(graph)[:SPRINGS]
    found = nx.spring_layout(graph.subgraph(few), seed=SEED, weight="weight") if len(few) > 1 else {0: (0.0, 0.0)}
    spiral = (_sunflower(place, 1.2) for place in range(len(few), len(graph)))
    return [(float(found[node][0]), float(found[node][1])) for node in few] + list(spiral)


def _separate(middles: Sequence[Place], radii: Sequence[float]) -> list[tuple[Place, float]]:
    """Move the discs outwards, the largest first, until none overlap."""
    scale = 2 * max(radii)
    placed: list[tuple[Place, float]] = []
    for (x, y), radius in zip(middles, radii, strict=True):
        angle, distance = math.atan2(y, x), scale * math.hypot(x, y)
        while any(_overlap(angle, distance, radius, disc) for disc in placed):
            distance += 0.5 * radius + 0.5
            angle += 0.1
        placed.append(((distance * math.cos(angle), distance * math.sin(angle)), radius))
    return placed


def _overlap(angle: float, distance: float, radius: float, disc: tuple[Place, float]) -> bool:
    (x, y), other = disc
    return math.hypot(distance * math.cos(angle) - x, distance * math.sin(angle) - y) < 1.1 * (radius + other)


def _inside(graph: nx.Graph[int], group: Sequence[int]) -> dict[int, Place]:
    """Positions in a disc of radius 1."""
    linked = any(graph.degree[node] for node in group)
    if 2 < len(group) <= SPRINGS and linked:
        found = nx.spring_layout(graph.subgraph(group), seed=SEED, weight=None)
        most = max(math.hypot(*place) for place in found.values()) or 1.0
        return {node: (float(x) / most, float(y) / most) for node, (x, y) in found.items()}
    ranked = sorted(group, key=lambda node: -graph.degree[node])
    widest = math.sqrt(len(group))
    return {node: _sunflower(place, 1 / widest) for place, node in enumerate(ranked)}


def _sunflower(place: int, scale: float) -> Place:
    radius = scale * math.sqrt(place)
    return radius * math.cos(place * GOLDEN), radius * math.sin(place * GOLDEN)


def _fitted(places: Mapping[str, Place]) -> dict[str, Place]:
    """Move and scale into the square from 0 to 1, in proportion."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    size = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    left, low = (min(xs) + max(xs) - size) / 2, (min(ys) + max(ys) - size) / 2
    return {node: within((x - left) / size, (y - low) / size) for node, (x, y) in places.items()}
