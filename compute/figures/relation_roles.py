"""Which figures may fill the roles of a relation, alone and together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from compute.figures.figure_models import Figure, combined
from compute.figures.number_words import ALIKE, NODES
from compute.figures.relation_models import LESS, Lengths, Relation, Role, Value, kinds
from compute.figures.text_structure import Sentence

_READ = re.compile(r"\b(?:input|prompt|in|reads?|sen[dt]s?|long)\b", re.I)
_WRITTEN = re.compile(
    r"\b(?:output|completion|out|writ\w+|back|returns?|generat\w+|answers?|repl\w+|respon\w+)\b", re.I
)
_TAKEN = re.compile(r" (?:off|discount|saved|less|cheaper)\b")
PART = re.compile(r";|,? (?:while|whereas) (?!\w+ing )|, (?:although|though|but) ")
"""What separates the parts of a sentence."""
_WORDS = r"(?:[\w'’]+ ){0,5}"
_TO = rf"(?:[^;()□%¤]{{0,50}}\sto {_WORDS}|\s?(?:→|->)\s?)"
_PAIRS = (
    re.compile(rf"¤ (?:again )?from {_WORDS}(?P<first>[□%])(?:{_TO}(?P<last>[□%]))?"),
    re.compile(r"(?<!\badd )(?<!\badds )¤ (?:again )?to (?:about |just |only )?(?P<last>□)(?P<first>)"),
    re.compile(
        rf"(?:\bfrom {_WORDS}|(?=.\s?(?:→|->)))(?P<first>[□%]){_TO}(?P<last>[□%])"
        r"(?!.{0,80}?(?:[;:]|\b(?:and|then)\b).{0,80}¤)[^,(—–□%]{0,40}(?:,|\(|\s[—–])[^,□%]{0,30}¤"
        r"(?:\s*(?:[.,;:)—–]|$)| (?:while|whereas|but|and|more|less|lower|higher|cheaper|fewer)\b)",
        re.I,
    ),
)
"""How words bind a share ¤ to amounts: 20% from X to Y, 20% to Y, from X to Y, 20%."""
_CHANGES = frozenset({"fall", "rise", "factor", "points", "pue-share", "discounted", "raised"})
_KEPT = re.compile(r"profit|margin|contribution|\bidle|unused|wast|under(?:use|spen)", re.I)
_LEFT = re.compile(rf"{_KEPT.pattern}|\bkeep|leav|left|net\b|remain|empty|spare|surplus|sav|EBITDA", re.I)
_SPENT = re.compile(r"cost|spen[dt]|expens|utili|busy|occup", re.I)


@dataclass(frozen=True, eq=False)
class Quantity:
    """A figure in the sentence numbered `place`."""

    figure: Figure
    sentence: Sentence
    place: int

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What the figure may be in a relation."""
        figure, sentence = self.figure, self.sentence
        return kinds(figure, sentence.around(figure), sentence.before(figure, 40), sentence.words)

    @cached_property
    def value(self) -> Fraction:
        """The figure in base units."""
        return self.figure.value

    def measured(self, lengths: Lengths) -> Value:
        """The figure in base units, for a length of month and year."""
        figure, number = self.figure, self.value
        if figure.unit == "bit" or (figure.unit == "byte" and figure.low <= 8 and not figure.per):
            return Value(number, (("byte", 1), ("parameter", -1)))
        for name, plain, actual in (("month", 730, lengths[0]), ("year", 8760, lengths[1])):
            if figure.period == name:
                number = number * plain / actual
            elif figure.unit == name or figure.unit.endswith(f"*{name}"):
                number = number * actual / plain
        return Value(number, figure.dimensions)

    @cached_property
    def timed(self) -> bool:
        """Whether it depends on the length of a month or a year."""
        unit = self.figure.period or self.figure.unit
        return unit in {"month", "year", "quarter"} or self.figure.unit.endswith("month")

    @cached_property
    def near(self) -> str:
        """The words of its own clause."""
        return self.sentence.near(self.figure)

    @cached_property
    def pair(self) -> tuple[Figure | None, Figure | None]:
        """The amounts before and after the change that a share is of, as far as its words bind it to them."""
        words, start = self.sentence.words, self.sentence.start
        outline, end, places = "", 0, dict[int, Figure]()
        for one in self.sentence.figures:
            outline += words[end : one.start - start]
            places[len(outline)] = one
            outline += "¤" if one.start == self.start else "%" if one.sort == "%" else "□"
            end = one.end - start
        found = next(filter(None, (each.search(outline + words[end:]) for each in _PAIRS)), None)
        return (places.get(found.start("first")), places.get(found.start("last"))) if found else (None, None)

    @cached_property
    def window(self) -> str:
        """The words on both sides in its part of the sentence, from those before the pair that it stands behind."""
        sentence, (first, last) = self.sentence, self.pair
        one = first if first and last and last.end <= self.start else self.figure
        before = PART.split(sentence.before(one, 45))[-1]
        own = sentence.words[one.start - sentence.start : self.stop]
        return f"{before} {own} {PART.split(sentence.after(self.figure, 30))[0]}"

    @property
    def start(self) -> int:
        """The offset of the figure in its text."""
        return self.figure.start

    @property
    def at(self) -> int:
        """The offset of the figure in its sentence."""
        return self.figure.start - self.sentence.start

    @property
    def stop(self) -> int:
        """Where the figure ends in its sentence."""
        return self.figure.end - self.sentence.start


def preferred(
    role: Role, found: list[Quantity], groups: Sequence[Sequence[Quantity]], target: Quantity
) -> list[Quantity]:
    """The candidates with the words that a role prefers, if any of the groups has one."""
    prefer, every = role.prefer, (one for group in groups for one in group)
    if prefer is None or not any(prefer.search(one.near) and may(role, one, target) for one in every):
        return found
    return [one for one in found if prefer.search(one.near)]


def distinct(
    choices: Sequence[Sequence[Quantity | None]], taken: tuple[Quantity | None, ...] = ()
) -> Iterator[tuple[Quantity | None, ...]]:
    """The ways to choose one of each, no figure twice."""
    if len(taken) == len(choices):
        yield taken
        return
    for one in choices[len(taken)]:
        if one is None or not any(one is other for other in taken):
            yield from distinct(choices, (*taken, one))


def may(role: Role, one: Quantity, target: Quantity) -> bool:
    """Whether a quantity may fill a role for a target."""
    if one is target or one.figure.ranged:
        return False
    if "same" in role.kinds:
        if not _same(one.figure, target.figure):
            return False
    elif not role.kinds & one.kinds:
        return False
    if role.label and one.figure.label != role.label:
        cue = {"input": _READ, "output": _WRITTEN}.get(role.label)
        if one.figure.label or cue is None or not cue.search(one.near):
            return False
    return role.cue is None or role.cue.search(one.near) is not None


def _same(one: Figure, target: Figure) -> bool:
    """Whether two figures are of one kind; money may leave out what it is per."""
    if one.sort != target.sort or not _same_thing(one, target):
        return False
    if one.dimensions == target.dimensions:
        return True
    bare = one.unit == target.unit and not one.per and not one.of
    timed = not target.per and combined(one.dimensions, target.dimensions, -1) == (("hour", -1),)
    return target.sort == "money" and (bare or timed)


def _same_thing(one: Figure, other: Figure) -> bool:
    return one.noun == other.noun or not one.noun or not other.noun


def consistent(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:  # noqa: C901, PLR0911, PLR0912  # one case after the other
    """Whether figures fit together: direction, noun, and the order of values that the relation needs."""
    labels = _labels(*roles.values(), target)
    across = "across" in relation.flags or any(role.label for role in relation.roles)
    if len(labels) > 1 and not across:
        return False
    alike = [role.name for role in relation.roles if role.name in roles and role.kinds & {"amount", "same"}]
    if any(not _same_thing(roles[one].figure, roles[other].figure) for one, other in combinations(alike, 2)):
        return False
    if not _of_units(roles) or not _multiplied(relation, target, roles) or not _of_pairs(relation, target, roles):
        return False
    if len(roles) == 1 and {"rate", "speed"} & roles.keys():
        (alone,), stated = roles.values(), target.figure  # the same rate for another time
        timed = stated.period and alone.figure.period and stated.of == alone.figure.of
        if stated.period == alone.figure.period or ("rate" in roles and not timed):
            return False
    amounts = [roles[name] for name in ("whole", "before", "after") if name in roles]
    amounts += [target] if relation.name == "discounted" else []
    if any(_TAKEN.match(one.sentence.after(one.figure, 12)) for one in amounts):
        return False
    counted = [one.figure.noun for name, one in roles.items() if name in {"users", "items", "units", "nodes"}]
    if len(counted) > len({*counted}) and counted[0]:
        return False
    if relation.name == "rent" and not roles.keys() & {"time", "units", "nodes"}:
        return False
    if relation.name == "width" and (target.figure.unit, roles["bits"].figure.unit) != ("byte", "bit"):
        return False
    each = {"gross-profit": "revenue", "token-cost": "rate"}.get(relation.name)
    if each and "units" in roles and not roles[each].figure.of:
        return False
    if "capital" in roles and ("units" in roles) != bool(roles["capital"].figure.of):
        return False
    if "pairs" in relation.flags:
        places = [roles[name].start for name in ("first", "price", "second", "fee")]
        if any(len(_labels(roles[one], roles[other])) > 1 for one, other in (("first", "price"), ("second", "fee"))):
            return False
        return places == sorted(places) or places[0] < places[2] < places[1] < places[3]
    first, _, second = relation.condition.partition(" > ")
    if first in roles and second in roles:
        one, other = roles[first], roles[second]
        like = one.figure.dimensions == other.figure.dimensions  # else one leaves out the unit
        return one.value > other.value if like else one.figure.low > other.figure.low
    if "first" in relation.flags:
        share, first_price, second_price = (roles[name] for name in ("share", "first", "second"))
        if share.figure.label and first_price.figure.label:
            return share.figure.label == first_price.figure.label
        return abs(first_price.start - share.start) < abs(second_price.start - share.start)
    return True


def _of_pairs(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether shares are of the amounts that the words bind them to, and of what is kept if they name that."""
    if relation.title == "share of a whole" or relation.name == "saved-share":
        part, share = (roles["part"], target) if "part" in roles else (target, roles["share"])
        kept = _KEPT.search(share.near)
        if _KEPT.search(part.near) and _SPENT.search(share.near) and not kept:
            return False
        if kept and not _LEFT.search(part.near):
            return False
        if "part" in roles and (any(target.pair) or (LESS.search(share.near) and not LESS.search(part.near))):
            return False
    if relation.name not in _CHANGES:
        return True
    first, last = roles.get("before") or roles.get("whole"), roles.get("after", target)
    used = {one.start for one in roles.values()}
    among = ({first.start}, {last.start}) if first else (used, used)
    shares = (one for one in (target, *roles.values()) if one.kinds & {"share", "factor", "points"})
    ends = (each for one in shares for each in zip(one.pair, among, strict=True))
    return all(one is None or one.start in allowed for one, allowed in ends)


def _labels(*quantities: Quantity) -> set[str]:
    return {one.figure.label for one in quantities} - {""}


def _of_units(roles: Mapping[str, Quantity]) -> bool:
    """Whether a rate is per what is counted: $18 per node-hour and nodes, not GPUs."""
    for each in ("rate", "each"):
        thing = roles[each].figure.of if each in roles else ""
        if thing in {"", "each", "token"}:
            continue
        counted = {roles[name].figure.noun for name in ("units", "items", "nodes") if name in roles} - {""}
        if counted and not any(thing == one or {thing, one} <= ALIKE for one in counted):
            return False
        if "GPU" in counted and thing in NODES:
            return False
    alone = "units" in roles and "nodes" not in roles and "gpus_each" in roles["units"].kinds
    return not alone or roles.get("rate", roles["units"]).figure.of == "GPU"


def _multiplied(relation: Relation, target: Quantity, roles: Mapping[str, Quantity]) -> bool:
    """Whether a rate per thing is multiplied by a count, unless the result is per thing too."""
    counts = {"items", "units", "nodes", "users"} & {role.name for role in relation.roles}
    if not counts or (target.figure.of and target.figure.of != "GPU"):
        return True
    bound = counts & set(roles)
    for name in bound:
        thing = roles[name].figure.of
        others = [roles[other].figure.noun for other in bound if other != name]
        if thing == "each" and not others:
            return False
        known = thing in {"", "each", "token", *others} or (thing in ALIKE and ALIKE & set(others))
        if not known and "gpus_each" not in roles[name].kinds:
            return False
    rates = [roles[name] for name in ("tokens", "each", "first", "second") if name in roles]
    rated = any(one.figure.of or "each" in one.near.partition("¤")[2][:6] for one in rates)
    return bool(bound) or not rated or relation.name == "unit-cost"
