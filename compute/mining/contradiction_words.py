"""Words by what they say of a figure: its metric, a condition of it, or nothing.

inhabitants, residents, population      one metric
median, average                         two conditions of one kind: figures under them are not compared
according, amounts                      nothing
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_SAME = """
population inhabitant resident people
price cost charge fee rent rental tariff priced pricing rate
revenue turnover sale
profit earning
salary wage
long length longest
tall tallest high height elevation altitude
weight weigh heavy heaviest
wide widest width
deep deepest depth
distance away far apart
area cover
capacity hold seat accommodate
memory ram vram
card accelerator gpu chip
release launch debut introduce unveil
found establish
open inaugurate
crowd spectator attendance watch audience visitor visit
dose dosage
guarantee promise
availability uptime available
employee staff worker headcount employ workforce
harvest yield
death die dead killed fatality casualty
draw consume consumption
discount off cheaper reduction reduce saving save cut less lower fewer decrease drop fall cheap
increase rise grow growth gain higher more jump climb
faster speedup quicker acceleration speed fast
share portion fraction proportion percentage
breakeven break-even crossover even
utilization utilisation utilized utilised
pretrain pretraining train training trained
own owning owned on-prem on-premise on-premises onprem purchase buy self-hosted self-hosting
lifetime life lifespan
older old age
retail shop
student pupil
begin start starting
finish end
parameter param weights
query request call
datacenter datacentre data-center
kv key-value
customer client
doctor physician
car vehicle
journey trip
team crew
waste wasted
"""
_CONTRASTS = """
input prompt | output completion generated | embedding | image | audio | fine-tuning finetuning finetune fine-tune | write | read | thinking
cached cache caching | fresh uncached
standard basic | business | pro | premium | enterprise | free | starter | plus
on-demand demand | reserved reservation reserve committed commitment | spot preemptible interruptible
median | average mean averaged | maximum max peak highest top most | minimum min lowest least floor | total | percentile p90 p95 p99
adult | child children paediatric | infant
men male | women female
wholesale | retail
north | south | east | west | northern | southern | eastern | western
planned expected expect forecast target budget budgeted proposed projected projection quota entitled entitlement | actual actually achieved eventually landed caught
gross | net
road driving | crow air straight flight | rail train
inference serving | pretraining
pre-training pretraining pretrain pre-trained | instruction-tuning tuning tuned fine-tuning finetuning
prefill | decode decoding
card gpu chip accelerator | node server machine system | rack | cluster | stack die | cell
download downloaded | install installed
dense | sparse sparsity | moe
launch original originally former formerly previously earlier initial initially | now today current currently present latest
yearly annual annually | monthly | weekly | daily | quarterly | hourly
winter | summer | spring | autumn
indoor | outdoor
batch batched batching | synchronous real-time realtime interactive
domestic | international foreign export worldwide global globally | home
organic | conventional
boiling | frozen
league | cup
weekday | weekend
day | night
full-time | part-time
upload | download
bf16 fp16 16-bit half-precision | fp8 8-bit int8 | int4 4-bit fp4 | fp32 fp64 | tf32
forward | backward
single | double | dual
idle | load busy
capex | opex
hot | cold
strong | weak
teacher | student
import | export
win | lose loss | draw
birth | death
male | female
city municipal | metropolitan
urban | rural
primary | secondary
deposit | loan mortgage
"""
_ALONE = re.findall(
    r"\S+",
    """ordered youth junior senior cancelled pending registered eligible screened core underlying seasonally optional refurbished including excluding counting alone combined together additional extra another other further remaining
    besides except without plus paying each nearly-all sustained including net cumulative
    attempt attempts tries""",
)
_FILLER = """
a an the of to in on at by for with from and or nor as is are was were be been being it its this that these those
than then can could may might will would has have had having do does did not no up down about around roughly
approximately typically usually often just also per every any all some such when where which who whom whose what how
why into onto out if so s t we our you your they their them he she his her i my me us one two once under over above
below between through across within during after before since until while whereas but yet very much many both either
same own there here still even ever come came comes carry carries carried get gets got make makes made take takes
took give gives gave given lie lies lay stand stands stood amount amounts amounted sit sits sat reach reaches
reached run runs ran say says said put puts set sets see saw seen find found finds count counts need needs needed
know known use uses used using show shows shown report reports reported according state states stated quote quotes
quoted claim claims claimed estimate estimates estimated note version document glossary entry entries context page
pack reading text table author figure figures number value level volume example see sole only configuration list
listed time times size roughly exactly officially overall general mean means approximately nearly almost first
second third fourth fifth million bn billion thousand hundred dozen trillion usd eur gbp dollar dollars euro euros
percent cent cents pound pounds year years month months week weeks day days hour hours hr minute minutes second
seconds season season's annual kilometre kilometer metre meter km mile miles tonne tonnes kg gb tb mb mw kw gw watts
gwh mwh kwh wh twh w tw pb eb tb/s gb/s mb/s t/ha ha ml l mg g tbps gbps mbps ms least most more-than up-to well please another sold place put long-term pay pays paid sell sells
selling bill billed become became becomes remain remains remained total totals amounted offer offers offered deliver
delivers delivered provide provides provided support supports supported include includes included feature features
work works let lets come require requires required typical average-sized large small big new good great full half
some few several various kind type way thing part whole case like new don't doesn't isn't wasn't must should shall
ask asks asked want wants charge-free thus therefore hence however allow allows allowed permit permits permitted
accept accepts accepted limit limited limits cap capped plan plans enter enters entered join joined serve serves
served employs rated rate rating stated keep keeps kept leave leaves left live lives lived move moves moved play
plays played win wins buy buys bought spend spends spent earn earns earned pass passes passed follow follows
followed help helps turn turns turned bring brings brought write writes wrote build builds built grow produce
produces produced measure measures measured weigh cover covers covered last lasts lasted fit fits fitted equal
equals equalled range ranges ranged exceed exceeds exceeded house houses housed boast boasts comprise comprises
comprised consist consists consisted contain contains contained receive receives received registered recorded record
attract attracted welcome welcomed complete completed score scored manufacture manufactured operate operates
operated handle handles handled process processes processed available mean means make-up form forms formed lie
located situated home built-in according officially exactly precisely currently permanent permanently overall
altogether altogether's merely barely comfortably maker company firm organisation organization association official
latest annual-report data statistics site website brochure letter press expected-to well-known popular fast slow
cheap expensive young second-hand standard-issue basically simply actual so-called called named known-as within
beyond along inside outside worth sum quantity count counting total number-of share shares percent percentage
figure-of level long-standing early mid late end start begin begins beginning starts starting started respectively
namely roughly nearly precisely fully early late later recently newly soon already always never again too own-ish
"""
_ENDINGS = ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s")
_IRREGULAR = dict(
    pair.split(":")
    for pair in [
        "children:child",
        "men:men",
        "women:women",
        "costs:cost",
        "its:",
        "prices:price",
        "drew:draw",
        "drawn:draw",
        "rose:rise",
        "grew:grow",
        "fell:fall",
        "cuts:cut",
        "began:begin",
        "held:hold",
        "people:people",
        "pricing:price",
        "bytes:byte",
        "batches:batch",
        "caches:cache",
        "died:die",
        "sales:sale",
        "series:series",
        "weights:weights",
        "won:win",
        "lost:lose",
    ]
)


def stem(word: str) -> str:
    """A word without its ending, in lower case; `''` for one that says nothing."""
    word = word.lower().removesuffix("'s").removesuffix("’s").strip("'’")
    if any(sign.isdigit() for sign in word):
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            base = word[: -len(ending)]
            return base[:-1] if ending in {"ing", "ings", "ed"} and base[-1] == base[-2] not in {"l", "s"} else base
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _by_stem(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        stems = [stem(word) for word in line.split()]
        found.update(dict.fromkeys(stems, stems[0]))
    return found


_CLASSES: Mapping[str, str] = _by_stem(_SAME)
IMPLIED: Mapping[str, frozenset[str]] = {
    "g": frozenset({"weight"}), "m": frozenset({"distanc", "increas"}), "count": frozenset({"popul"}), "byte": frozenset({"siz"}), "W": frozenset({"power"}),
}  # fmt: skip
"""Words that a unit says already."""
_EMPTY = frozenset({*_FILLER.split(), *(stem(word) for word in _FILLER.split()), ""})
_HARD = frozenset(stem(word) for word in _ALONE)


def _groups() -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(_CONTRASTS.strip().splitlines()):
        for member, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(stem(word), []).append((number, member))
    return {word: tuple(places) for word, places in found.items()}


_PLACES = _groups()
HIGHEST = _PLACES[stem("maximum")][0]
"""The condition of a maximum, which an upper bound states as well."""
PERIOD = _PLACES[stem("monthly")][0][0]
"""The kind of the conditions monthly and yearly, which a price per year states already."""


def metric(item: str) -> bool:
    """Whether a word by its meaning names what is measured: a price, a population."""
    return item in _METRIC_WORDS


_METRIC_WORDS = frozenset(_CLASSES.values()) - {"popul", "peopl"}


@lru_cache(maxsize=65_536)
def meaning(word: str) -> str:
    """What a word is matched by: the first word of its group, else its stem; empty if it says nothing."""
    lowered = word.lower()
    if lowered in _EMPTY:
        return ""
    base = stem(lowered)
    return "" if base in _EMPTY else _CLASSES.get(base, base)


_NO_CONDITION = frozenset({"plan", "plans", "drew", "drawn", "drawing"})
"""Forms of words that state a condition which state none: a plan that is sold, visitors who were drawn."""


@lru_cache(maxsize=65_536)
def places(word: str) -> tuple[tuple[int, int], ...]:
    """The kinds of condition that a word states, each with its member: (kind, member)."""
    return () if word.lower() in _NO_CONDITION else _PLACES.get(stem(word.lower()), ())


@lru_cache(maxsize=65_536)
def alone(word: str) -> bool:
    """Whether a word limits or widens a figure, so that one without it says something else."""
    return stem(word.lower()) in _HARD


NAME = re.compile(r"[A-Z][A-Z0-9]|[A-Z][a-z]*[A-Z0-9]|\d.*[A-Za-z]|[A-Za-z].*\d")
"""What is a name wherever it appears: capitals or digits within a word."""
