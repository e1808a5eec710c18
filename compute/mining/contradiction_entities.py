"""Names in a sentence as entities: Claude 3.5 Sonnet and Sonnet 3.5 are one, Llama 2 7B and Llama 2 70B are two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PART = r"(?:[A-Z][A-Za-z]*(?:[-.][A-Za-z0-9]+)*\d*[A-Za-z]{0,3}|[A-Z]+[\w.-]*\d[\w-]*|\d+(?:\.\d+)+|\d+[A-Z]{1,2}\b|[a-z]+-?\d+[a-z]*\b)"
_ENTITY = re.compile(
    rf"(?<![\w.$€£-]){_PART}(?:[ -](?:{_PART}|\d(?:\.\d)?\b(?! (?:percent|tokens|times|hours))|mini|nano|turbo|tiny|large|small|medium))*"
)
_DEVICE = re.compile(
    r"(?:[abhltvp]\d{1,3}[a-z]?|gb\d{3}|mi\d{3}[a-z]?|rtx|tpu|h20|trainium\d?|gaudi\d?|dgx|hgx|p5|b\d{3})$"
)
_PRECISION = re.compile(r"(?:fp|bf|tf|int|nvfp|mxfp|w)\d+(?:a\d+)?$|^\d+-bit$", re.I)
_GENERIC = frozenset(
    re.findall(
        r"\S+",
        """gpu gpus api apis kv mfu hfu tco cpu sla slas llm llms ai ml usd eur hbm vram ram io ui us eu uk
        opex capex pue roi qps ttft itl sota moe gqa mha rlhf ppo lora nlp sms sm gemm attention flops flop
        tflops tdp nvidia amd openai anthropic google meta microsoft sxm pcie ultra-x the a an in on at for
        this that these it its and or but with by from as of to no one two three four five all each every
        most some both their there here then than when where what which who how why if so not only our we
        you they he she his her i my january february march april may june july august september october
        november december monday tuesday wednesday thursday friday saturday sunday q1 q2 q3 q4 h1 h2 gb tb
        mb kb pb eb gib mib kib w kw mw gw wh kwh mwh gwh gt gbps m k b t bn flop/s tops cloud spot against
        below above only between most since reserved continuous weak strong actual cost costs power training
        serving full small medium large frontier early late today input output batch source sources note
        table figure section chapter step part""",
    )
)
_SAID = re.compile(
    r"\W{0,3}(?:says?|said|reports?|reported|puts?|advises|estimates|reckons|argues|expects|quotes|states|writes|finds|calls)\b"
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A name at `start:end`: its words, and those of them with digits; `device` for an accelerator."""

    start: int
    end: int
    words: frozenset[str]
    device: bool = False

    @property
    def numbered(self) -> frozenset[str]:
        """The words with digits."""
        return frozenset(word for word in self.words if any(sign.isdigit() for sign in word))


def entities(text: str) -> Iterator[Entity]:
    """The names of a sentence, in order; who says something is none, nor is the capital of the first word."""
    for match in _ENTITY.finditer(text):
        if _SAID.match(text, match.end()) or re.search(r"\b(?:according to|says|by)\s$", text[: match.start()]):
            continue
        words = [word for word in re.split(r"[\s-]+", match[0].lower().removesuffix("'s")) if word]
        if (
            match.start() == len(text) - len(text.lstrip(" *_#>-"))
            and len(words) >= 1
            and not any(sign.isdigit() for sign in words[0])
            and len(words) == 1
            and not match[0].isupper()
        ):
            continue
        names = frozenset(word for word in words if word not in _GENERIC and not _PRECISION.match(word))
        if names and any(word[0].isalpha() for word in names):
            yield Entity(match.start(), match.end(), names, any(_DEVICE.match(word) for word in names))


_KINDS = frozenset(
    re.findall(
        r"\S+",
        """mini nano micro turbo pro flash lite ultra max plus opus sonnet haiku small medium large tiny""",
    )
)
"""Words that make another model of a name."""
_SIZES = re.compile(r"\d+(?:gb|g|b)$")


def alike(one: Entity, two: Entity) -> bool:
    """Whether two names may be of one thing."""
    here, there = one.words, two.words
    if one.device or two.device:
        return bool({w for w in here if _DEVICE.match(w)} & {w for w in there if _DEVICE.match(w)}) and not _sizes(
            here, there
        )
    if (here ^ there) & _KINDS:
        return False
    return here == there or (bool(here & there) and one.numbered == two.numbered and (here <= there or there <= here))


def _sizes(one: frozenset[str], two: frozenset[str]) -> bool:
    here, there = ({word for word in words if _SIZES.match(word)} for words in (one, two))
    return bool(here and there and here != there)
