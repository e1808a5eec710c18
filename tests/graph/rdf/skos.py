"""The integrity conditions of SKOS (https://www.w3.org/TR/skos-reference/), checked on triples with what they entail."""

from collections import defaultdict

from pyoxigraph import NamedNode

SKOS = "http://www.w3.org/2004/02/skos/core#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABELS = ("prefLabel", "altLabel", "hiddenLabel")


def violations(triples):
    """Each violation as (condition, what violates it), in order; S9, S13, S14, S27, S37, S46."""
    data = _read(triples)
    return sorted({*_classes(data), *_labels(data), *_relations(data)})


def shared_labels(triples):
    """Labels, preferred or alternative, that two concepts of one scheme have: no condition of SKOS, but a bad glossary."""
    data = _read(triples)
    schemes, owners = defaultdict(set), defaultdict(set)
    for concept, scheme in data["inScheme"]:
        schemes[concept].add(scheme)
    for concept, label in data["prefLabel"] | data["altLabel"]:
        for scheme in schemes[concept]:
            owners[scheme, label].add(concept)
    return sorted((label, *sorted(concepts)) for (_, label), concepts in owners.items() if len(concepts) > 1)


def _read(triples):
    data = defaultdict(set)
    for triple in triples:
        name, end = triple.predicate.value, triple.object
        pair = (triple.subject.value, end.value if isinstance(end, NamedNode) else (end.value, end.language))
        if name == TYPE:
            data[pair[1].removeprefix(SKOS)].add(pair[0])
        elif name.startswith(SKOS):
            data[name.removeprefix(SKOS)].add(pair)
    return data


def _classes(data):
    yield from (("S9", thing) for thing in data["Concept"] & data["ConceptScheme"])
    collections = data["Collection"] | data["OrderedCollection"]
    yield from (("S37", thing) for thing in collections & (data["Concept"] | data["ConceptScheme"]))


def _labels(data):
    for one, other in (LABELS[:2], LABELS[1:], LABELS[::2]):
        yield from (("S13", thing, label[0]) for thing, label in data[one] & data[other])
    named = defaultdict(list)
    for thing, (_, language) in data["prefLabel"]:
        named[thing, language].append(1)
    yield from (("S14", thing) for (thing, _), labels in named.items() if len(labels) > 1)


def _relations(data):
    broad = data["broadMatch"] | _inverted(data["narrowMatch"])
    above = _closure(
        data["broader"] | data["broaderTransitive"] | broad | _inverted(data["narrower"] | data["narrowerTransitive"])
    )
    near = _both(data["related"] | data["relatedMatch"])
    yield from (("S27", *sorted(pair)) for pair in near & _both(above))
    exact = {pair for pair in _closure(_both(data["exactMatch"])) if pair[0] != pair[1]}
    yield from (("S46", *sorted(pair)) for pair in exact & (_both(broad) | _both(data["relatedMatch"])))


def _inverted(pairs):
    return {(end, start) for start, end in pairs}


def _both(pairs):
    return pairs | _inverted(pairs)


def _closure(pairs):
    beside = defaultdict(set)
    for start, end in pairs:
        beside[start].add(end)
    found = set()
    for start in list(beside):
        waiting, seen = list(beside[start]), set()
        while waiting:
            term = waiting.pop()
            if term not in seen:
                seen.add(term)
                waiting += beside.get(term, ())
        found |= {(start, end) for end in seen}
    return found
