"""Statements about prices: in sentences, in tables, and ratios of prices.

sentence ─▶ models, GPUs, providers ─▶ facts (one price each) and readings (ratios) ─▶ verdicts against the book
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import pairwise

from compute.mining.figure_reader import figures
from compute.mining.mining_models import Figure, Passage, Reading, Statement
from compute.mining.model_mentions import FIRST_PARTY, Lexicon, Mention
from compute.mining.price_bills import bills, rates, totals
from compute.mining.price_days import paragraph_day
from compute.mining.price_discounts import Discounts, named_makers, sold_by_maker
from compute.mining.price_facts import NO_TIER, Judge, PriceFact
from compute.mining.price_figures import PER_TOKEN, unread
from compute.mining.price_innocence import is_price, other_models, otherwise_right, price_of_list
from compute.mining.price_layouts import NO_UNIT, layout_prices, with_code_names
from compute.mining.price_pronouns import Implied, implied, pronoun, section_start
from compute.mining.price_ratios import Priced, lookup, marked, other_pairs, ratios
from compute.mining.price_rents import rents
from compute.mining.price_subjects import Subjects, providers, resellers
from compute.mining.price_tables import table_prices
from compute.mining.price_times import hours_of
from compute.mining.price_tokens import LEAD, Sentence, sibling
from compute.mining.price_verdicts import RatioDays, RatioJudge
from compute.mining.price_versions import Told, Versions, least_accused
from compute.mining.rent_bills import rent_bills
from compute.mining.statement_judge import JudgeInputs
from compute.mining.text_windows import LONGEST, Window, paragraph, unwrapped
from compute.mining.token_volumes import volumes
from compute.prices.price_book import CatalogBook

_PRICE_WORDS = re.compile(
    r"\$|\bUSD\b|¢|\bcents?\b|\bdollars?\b|\bbucks?\b|\bdime\b|cheap|expensive|dearer|premium|surcharge|pric|cost|undercut|discount|\boff\b|\bless\b|\bhalf\b|multipl",
    re.I,
)


_FINE_TUNING = re.compile(r"fine-?tun", re.I)
_TUNED = re.compile(r"fine-?tuning (?:it )?(?:costs?|is|runs|at|for)\b[^;.]{0,16}$", re.I)


_ABOUT_PRICES = re.compile(
    r"(?:\W{0,3}\[[\d:]+\])?(?:\W{0,3}\w{1,12}:|\W{0,3}<\w{1,12}>)?"
    r"(?:\W{0,3}(?:if|when) (?:you|we|they)\b[^,;.$]{3,50},)?"
    r"(?:\W{0,3}(?:off-peak|(?:above|below|beyond|over|past) (?:it|that)),?)?"
    r"(?:\W{0,3}(?:(?:the|its|each|every|on|for|with|run|used|as|a|an|in|standard|list|regular|since|where|while|when|fresh|there|same"
    r"|plain) ){0,3}"
    r"(?:it|input|output|standard|batch|batches|flex|priority|cache[ds]?|caching|prices?|pric\w+|tokens?|reading"
    r"|writing"
    r"|prompts?|completions?|jobs?|requests?|rates?|costs?|million|in|out)\b"
    r"|\W{0,3}(?:US)?\$\d|\W{0,3}(?:[\w.,-]+ ){1,2}(?:cents|dollars|bucks)\b"
    r"|\W{0,3}(?:the )?(?:public|unit) (?:tariff|price)|\W{0,3}you(?:['’]ll)? (?:pay|are billed|be billed|get)\b)",
    re.I,
)
"""The beginning of a sentence that goes on about the prices of a model."""


_HOST = "the price may be that of a host"
_DOLLARS = re.compile(r"\$(\d{1,3}(?:\.\d+)?)(?![\d,]|\s?(?:[kKMB]\b|thousand|million))")
_FAR = 4
"""From how many sentences before a bill its tokens may be."""


class PriceMiner:
    """Finds and judges the prices of passages against one book, for one day."""

    def __init__(self, book: CatalogBook, inputs: JudgeInputs) -> None:
        self._book, self._inputs = book, inputs
        self._lexicon, self._subjects = Lexicon(book), Subjects(book)
        self._items = frozenset(book.items())
        self._judge, self._ratios = Judge(book, inputs), RatioJudge(book, inputs)
        self._named: tuple[str, int, int, frozenset[str]] = ("", 0, 0, frozenset())
        self._discounts = Discounts(book, self._lexicon, self._subjects)
        self._versions = Versions(book, self._lexicon)

    def prices(self, passage: Passage, windows: list[Window]) -> Iterator[Told]:
        """The statements about prices of a passage, each with what it was made from."""
        passage = with_code_names(passage, self._lexicon)
        read = set[int]()
        for made, told in self._written(passage, windows):
            read.add(told.figure_start)
            yield made, told
        yield from self._laid_out(passage, read)

    def _written(self, passage: Passage, windows: list[Window]) -> Iterator[Told]:
        """The statements of the sentences and the tables of a passage."""
        for window in _sentences(passage, [replace(window, passage=passage) for window in windows]):
            yield from self._versioned(passage, window)
        for facts in table_prices(passage, self._lexicon, self._subjects):
            meant = tuple(self._versions.priced(passage, one) for one in facts)
            found = self._each(facts, passage)
            yield from found if meant == facts else least_accused(self._each(meant, passage), found)

    def _versioned(self, passage: Passage, window: Window) -> Iterator[Told]:
        """The statements of a sentence; a family that it names may be the version that the text has named."""
        mentions, before = tuple(self._lexicon.mentions(window.prose)), implied(passage, window, self._lexicon)
        named = self._versions.named(passage, mentions, window.start)
        led = self._versions.implied(passage, before, window.start)
        found = self._sentence(passage, window, mentions, before)
        same = (named, led) == (mentions, before)
        yield from found if same else least_accused(self._sentence(passage, window, named, led), found)

    def _laid_out(self, passage: Passage, read: set[int]) -> Iterator[Told]:
        """The prices of a passage in lines of values, but for those that were `read` elsewhere.

        A card that names no unit has prices of a million tokens if two of them are right.
        """
        facts = [one for one in layout_prices(passage, self._lexicon) if one.figure.start not in read]
        right = [
            one.items
            for one in facts
            if one.doubt == NO_UNIT and (told := self._judge.judged(one, passage)) and told.verdict == "holds"
        ]
        facts = [replace(one, doubt="") for one in facts if one.doubt != NO_UNIT or right.count(one.items) > 1]
        facts = [self._resold(one, (), open_=self._is_open(one)) for one in facts]
        meant = [self._versions.priced(passage, one) for one in facts]
        found = self._token_prices(facts, passage, lambda: tuple(one.items[0] for one in facts))
        if meant == facts:
            yield from found
        else:
            yield from least_accused(
                self._token_prices(meant, passage, lambda: tuple(one.items[0] for one in meant)), found
            )

    def _is_open(self, fact: PriceFact) -> bool:
        """Whether hosts sell the model of a price as well."""
        return any(True for _ in self._subjects.anywhere(fact.items[0].rpartition("/")[2]))

    def _sentence(
        self, passage: Passage, window: Window, mentions: tuple[Mention, ...], before: Implied | None
    ) -> Iterator[Told]:
        named, items = self._hosted(window, mentions)
        before, word, carried = self._before(window, mentions, before)
        sure = before is not None and not mentions and (before.sure or self._only_one(passage, window, before.mention))
        day = paragraph_day(passage.mask, window.start)
        days = self._ratios.days(passage, window.prose, day)
        meant = (word, *mentions) if word else mentions
        found = Priced(window, meant, marked(window, meant), days.on, days.known, carried)
        every = tuple(bills(found)) or tuple(self._billed_before(passage, found))
        billed = [one for reading in every for one in self._ratios.judged(reading, passage, days)]
        summed = totals(found)
        facts = [*Sentence(window, named, items, self._items).facts(carried=carried, sure=sure, day=day)]
        per_token = {one.figure.start for one in facts} - summed
        held = {told.expression for _, told in billed if told.verdict in {"holds", "stale"}}
        billed = [
            (reading, told)
            for reading, told in billed
            if self._is_bill(told, per_token, found)
            if told.verdict != "refuted" or reading.expression not in held  # a second amount is of something else
        ]
        paid = {told.figure_start for _, told in billed} | summed
        facts = [one for one in facts if one.figure.start not in paid]
        asked = sold_by_maker(window.prose, mentions)
        hosts, opened = resellers(window.prose), {own[0] for own in items.values()}
        facts = [self._hourly(fact, window) for fact in facts] if ":" in window.prose else facts
        prices = [self._resold(self._followed(fact), hosts, open_=fact.items[0] in opened - asked) for fact in facts]
        yield from self._token_prices(prices, passage, partial(self._named_near, passage, window, mentions, carried))
        for fact in (*rents(window, self._subjects, day), *self._fine_tuned(passage, window, mentions)):
            yield from self._fact(fact, passage)
        if not named and not carried:
            for reading in _strangers(window):
                yield from self._ratios.judged(reading, passage, RatioDays(self._inputs.on))
        yield from billed
        read = {told.figure_start for _, told in billed}
        for reading in ratios(found) if meant or carried else ():
            for one in self._ratios.judged(reading, passage, days):
                read.add(one[1].figure_start)
                if one[1].verdict != "refuted" or not self._of_other_models(found, reading, passage, days.on):
                    yield one
        for reading in (*rent_bills(window, self._subjects), *self._discounts.readings(found)):
            if reading.stated.start not in read:
                yield from self._ratios.judged(reading, passage, RatioDays(days.on))

    def _before(
        self, window: Window, mentions: tuple[Mention, ...], before: Implied | None
    ) -> tuple[Implied | None, Mention | None, Mention | None]:
        """The model of the text before a sentence, the word for it, and it again if it is that of the prices."""
        makers = named_makers(window.prose)
        if before and makers and before.mention.item.partition("/")[0] not in makers:
            before = None  # it speaks of another maker
        word = pronoun(window, mentions, before.mention) if before else None
        return before, word, before.mention if before and (word or not mentions) else None

    def listed(self, passage: Passage, windows: list[Window]) -> Mapping[int, frozenset[str]]:
        """The figures of a passage that are list prices, by their offset, each with the items that it is a price of."""
        found: dict[int, frozenset[str]] = {}
        passage = with_code_names(passage, self._lexicon)
        for window in _sentences(passage, [replace(window, passage=passage) for window in windows]):
            mentions = self._versions.named(passage, self._lexicon.mentions(window.prose), window.start)
            before = self._versions.implied(passage, implied(passage, window, self._lexicon), window.start)
            carried = self._before(window, mentions, before)[2]
            named, items = self._hosted(window, mentions)
            for fact in Sentence(window, named, items, self._items).facts(carried=carried, sure=True):
                found[fact.figure.start] = frozenset(fact.items)
        return found

    def _is_bill(self, told: Statement, per_token: set[int], found: Priced) -> bool:
        """Whether an amount is what tokens cost at list prices, and no price per token of a model of the sentence."""
        if told.verdict != "refuted":
            return True
        items = {one.item for one in (*found.mentions, *([found.carried] if found.carried else ()))}
        own = [value for start, value in rates(found.window).items() if start < told.figure_start]
        lead = found.window.passage.mask[: told.start][-LEAD:].rpartition("\n\n")[2]
        if PER_TOKEN.search(lead):
            items |= {one.item for one in self._lexicon.mentions(lead)}
            own += [Decimal(one) for one in _DOLLARS.findall(lead)]
        if told.figure_start in per_token or any(not is_price(value, items, self._book) for value in own):
            return False
        return any(one.name == "count" for one in told.inputs) or not is_price(told.stated, items, self._book)

    def _of_other_models(self, found: Priced, reading: Reading, passage: Passage, day: date) -> bool:
        """Whether a ratio is that of two other models of the sentence."""
        others = (self._ratios.on_day(other, passage, day) for other in other_pairs(found, reading))
        return any(one is not None and one.verdict == "holds" for one in others)

    def _token_prices(
        self, facts: list[PriceFact], passage: Passage, named: Callable[[], tuple[str, ...]]
    ) -> Iterator[tuple[PriceFact, Statement]]:
        """The statements of prices per token; a second price of what has its right one is of something else.

        `named` gives the models near the sentence, which are looked for only if one of its prices is refuted.
        """
        found = [*self._pairs(facts, passage)]
        right = {_priced(fact): fact.figure.low for fact, one in found if one.verdict in {"holds", "stale"}}
        for fact, one in found:
            again = right.get(_priced(fact), fact.figure.low) != fact.figure.low
            if one.verdict != "refuted":
                yield fact, one
            elif not again:
                yield from self._innocent(fact, one, passage, () if self._is_plain(fact, passage) else named())

    def _is_plain(self, fact: PriceFact, passage: Passage) -> bool:
        """Whether a sentence says whose price a figure is, of what and for how many tokens, and names no other model.

        A price that another sentence states of another model is then no reading of it.
        """
        named = {one.item for one in self._lexicon.mentions(passage.mask[fact.start : fact.end])}
        return bool(fact.figure.label) and fact.figure.per == "Mtok" and named == {fact.items[0]}

    def _fine_tuned(self, passage: Passage, window: Window, mentions: tuple[Mention, ...]) -> Iterator[PriceFact]:
        """Prices of training on one's own data, of a model of the sentence, else of the first one of the text."""
        for figure in window.of("money") if _FINE_TUNING.search(window.prose) else ():
            lead = window.passage.mask[max(window.start, figure.start - 40) : figure.start]
            if figure.per != "Mtok" or not ("training tok" in figure.text or _TUNED.search(lead)):
                continue
            own = [one for one in mentions if window.start + one.end <= figure.start]
            subject = own[-1] if own else next(iter(mentions or self._lexicon.mentions(passage.mask)), None)
            if subject is not None and not subject.family:
                yield PriceFact(
                    start=window.start, end=window.end, figure=figure, items=(subject.item,),
                    components=("fine_tuning",), unit="USD/Mtok", confidence=Decimal("0.7"),
                )  # fmt: skip  # the call on three lines is more readable

    def _hosted(
        self, window: Window, mentions: tuple[Mention, ...]
    ) -> tuple[tuple[Mention, ...], dict[str, tuple[str, ...]]]:
        """The models of a sentence with those that another provider hosts, and the items of each."""
        hosts = providers(window.prose)
        if not hosts:
            return self._open(window, mentions)
        items: dict[str, tuple[str, ...]] = {}
        found = list(mentions)
        for mention, offers in self._subjects.hosted(window.prose, hosts):
            near = min(hosts, key=lambda host: (host.key not in offers, abs(host.start - mention.start)))
            alone = len({host.key for host in hosts}) == 1
            own = tuple(item for host in ([near] if alone else hosts) for item in offers.get(host.key, ()))
            if own:
                found = [one for one in found if one.end <= mention.start or one.start >= mention.end]
                found.append(mention)
                items[mention.item] = own
        return tuple(sorted(found, key=lambda one: one.start)), items

    def _open(
        self, window: Window, mentions: tuple[Mention, ...]
    ) -> tuple[tuple[Mention, ...], dict[str, tuple[str, ...]]]:
        """The models of a sentence without a provider: open ones have the prices of all their hosts as well."""
        items: dict[str, tuple[str, ...]] = {}
        found = list(mentions)
        for mention, own in self._subjects.anywhere(window.prose) if window.of("money") else ():
            same = next((one for one in found if one.start < mention.end and mention.start < one.end), None)
            if same is None:
                found.append(mention)
                items[mention.item] = own
            elif not same.family:
                dated = any(price.valid_from for price in self._book.prices(same.item))
                items[same.item] = (same.item,) if dated else tuple(dict.fromkeys((same.item, *own)))
        return tuple(sorted(found, key=lambda one: one.start)), items

    def _resold(self, fact: PriceFact, hosts: tuple[str, ...], *, open_: bool) -> PriceFact:
        """A price at another provider than the maker: with its own prices, and not refuted by those of the maker."""
        maker = fact.items[0].partition("/")[0]
        if not hosts or maker in hosts:
            fact = fact if hosts or maker in FIRST_PARTY else replace(fact, cautious=True)
            return replace(fact, doubt=_HOST) if open_ and not hosts else fact
        name = fact.items[0].partition("/")[2]
        own = tuple(item for host in hosts if (item := f"{host}/{name}") in self._items)
        return replace(fact, items=(*fact.items, *own), doubt=f"the price may be that of {', '.join(hosts)}")

    def _followed(self, fact: PriceFact) -> PriceFact:
        """A price before a change, with the models that came before in the families of its model."""
        if not fact.time.past or fact.family:
            return fact
        earlier = [
            member.model
            for family in self._book.families.values()
            for member, later in pairwise(family.members)
            if later.model == fact.items[0]
        ]
        return replace(fact, predecessors=tuple(dict.fromkeys(earlier))) if fact.role == "from" else fact

    def _hourly(self, fact: PriceFact, window: Window) -> PriceFact:
        """A price of the hours that its sentence names before it."""
        tiers = frozenset(one.processing for one in self._book.prices(fact.items[0]) if ":" in one.processing)
        hours = hours_of(window.prose[: fact.figure.start - window.start], tiers) if tiers else ""
        return replace(fact, processing=hours) if hours and not fact.processing else fact

    def _pairs(self, facts: list[PriceFact], passage: Passage) -> Iterator[tuple[PriceFact, Statement]]:
        """The statements of facts.

        A figure is not of another tier if the other one of its pair is of none, nor of a host beside one of the maker.
        """
        found = [(fact, one) for fact in facts if (one := self._judge.judged(fact, passage)) is not None]
        wrong = {fact.pair for fact, one in found if one.verdict == "refuted"}
        made = {fact.items for fact, one in found if fact.doubt == _HOST and _of_maker(fact, one)}
        for fact, one in found:
            if fact.pair in wrong and NO_TIER in one.note:
                yield from self._fact(replace(fact, strict=True), passage)
            elif fact.doubt == _HOST and fact.items in made:
                yield from self._fact(replace(fact, doubt=""), passage)
            else:
                yield fact, one

    def _billed_before(self, passage: Passage, found: Priced) -> Iterator[Reading]:
        """The bills of a sentence for the tokens that an earlier one counts: at list price that is $70 a night.

        It is the last one of the paragraph that counts tokens. A sentence that names no model is refuted only if the
        paragraph names one alone.
        """
        window, mask = found.window, unwrapped(passage.mask)
        if volumes(window.prose):
            return
        begin = paragraph(passage.mask, window.start)[0]
        place = bisect_left(passage.borders, window.start)
        starts = [max(begin, one) for one in passage.borders[max(0, place - _FAR) : place + 1]]
        pairs = list(pairwise(dict.fromkeys(starts)))
        earlier = next((text for one, end in reversed(pairs) if volumes(text := mask[one:end])), "")
        if not earlier:
            return
        for one in self._lexicon.mentions(earlier):
            earlier = f"{earlier[: one.start]}{' ' * (one.end - one.start)}{earlier[one.end :]}"
        sure = bool(found.mentions) or self._lexicon.alone_between(passage.mask, begin, window.start)
        if found.carried and all(one.implied for one in found.mentions):
            carried, unclear = sibling(window.prose, found.carried, self._items)
            meant = found.mentions if carried is found.carried else ()
            found, sure = replace(found, carried=carried, mentions=meant), sure and not unclear
        for reading in bills(found, earlier):
            yield reading if sure else replace(reading, cautious=True)

    def _only_one(self, passage: Passage, window: Window, model: Mention) -> bool:
        """Whether a sentence about prices can only mean one model: its paragraph and the heading name no other one."""
        begin, end = section_start(passage.mask, window.start), paragraph(passage.mask, window.start)[1]
        if self._named[:3] != (passage.mask, begin, end):
            named = frozenset(one.item for one in self._lexicon.mentions(passage.mask[begin:end]))
            self._named = passage.mask, begin, end, named
        named = self._named[3]
        return not model.family and named == {model.item} and _ABOUT_PRICES.match(window.prose) is not None

    def _named_near(
        self, passage: Passage, window: Window, mentions: tuple[Mention, ...], carried: Mention | None
    ) -> tuple[str, ...]:
        """The models that a sentence and its paragraph name, the nearest first."""
        begin, end = paragraph(passage.mask, window.start)
        around = self._lexicon.mentions(passage.mask[max(begin, window.start - LEAD) : min(end, window.end + LEAD)])
        found = (*mentions, *([carried] if carried else []), *around)
        return tuple(dict.fromkeys(one.item for one in found if not one.family))

    def _innocent(
        self, fact: PriceFact, one: Statement, passage: Passage, items: tuple[str, ...]
    ) -> Iterator[tuple[PriceFact, Statement]]:
        """A refutation, unless the figure is the price of something else which the text names."""
        others = [(other, self._judge.judged(other, passage)) for other in other_models(fact, items)]
        right = [(other, told) for other, told in others if told is not None]
        if right:
            yield right[0]
        elif not otherwise_right(fact, items, self._book, _around(fact, passage), one.as_of):
            yield fact, one

    def excused(self, passage: Passage, one: Statement) -> bool:
        """Whether a figure that other figures of its text deny follows from list prices of models named near it."""
        if one.verdict != "refuted" or one.kind != "arithmetic" or one.unit not in {"x", "%", "USD"}:
            return False
        begin, end = paragraph(passage.mask, one.start)
        near = passage.mask[max(begin, one.start - LEAD) : min(end, one.figure_end + LEAD)]
        items = [found.item for found in self._lexicon.mentions(near) if not found.family]
        beside = [found for found in figures(passage.mask) if one.start <= found.start < one.start + len(one.quote)]
        return bool(items) and price_of_list(one, items, self._book, beside)

    def _fact(self, fact: PriceFact, passage: Passage) -> Iterator[tuple[PriceFact, Statement]]:
        statement = self._judge.judged(fact, passage)
        if statement is not None:
            yield fact, statement

    def _each(self, facts: tuple[PriceFact, ...], passage: Passage) -> Iterator[tuple[PriceFact, Statement]]:
        """The statement of a figure; of one for several models, if it holds for each of them."""
        if len(facts) == 1:
            yield from self._fact(facts[0], passage)
            return
        found = [self._judge.judged(fact, passage) for fact in facts]
        if (
            found
            and found[0] is not None
            and all(one is not None and one.verdict in {"holds", "stale"} for one in found)
        ):
            yield facts[0], found[0]


def _of_maker(fact: PriceFact, one: Statement) -> bool:
    """Whether a price is right as that of the maker of its model."""
    return one.verdict == "holds" and f'"{fact.items[0]}"' in one.expression


def _around(fact: PriceFact, passage: Passage) -> tuple[str, str]:
    """What the paragraph of a fact says before its sentence, and the sentence."""
    begin = max(paragraph(passage.mask, fact.start)[0], fact.start - LEAD)
    return passage.mask[begin : fact.start], passage.mask[fact.start : fact.end]


def _priced(fact: PriceFact) -> tuple[object, ...]:
    """What a fact is the price of; a sentence states it once, so that another figure is of something else."""
    return fact.items, fact.components, fact.processing, fact.context, fact.time, fact.role


def _sentences(passage: Passage, windows: list[Window]) -> Iterator[Window]:
    """The sentences that may state a price; those with figures in words only as well."""
    known = {window.start: window for window in windows}
    for start, end in pairwise(passage.borders):
        window = known.get(start)
        if window is None and end - start <= LONGEST and "|" not in (text := passage.mask[start:end]) and unread(text):
            window = Window(passage, start, end, (), text)
        if window is not None and _PRICE_WORDS.search(window.prose):
            yield window


_STRANGER = re.compile(
    r"(?P<name>[A-Z][a-z]\w*(?:[ -][A-Z0-9][\w.]*){0,3}[ -](?:v?\d[\w.]*)(?:[ -][A-Z0-9]\w*){0,2})"
    r" (?:costs?|is priced|prices|charges|is listed|lists|runs)\b[^.;]{0,12}$"
)


def _strangers(window: Window) -> Iterator[Reading]:
    """Prices per token of models that are not in the book; reported as such."""
    for first, second in pairwise(window.figures):
        if {first.label, second.label} != {"input", "output"} or not PER_TOKEN.search(window.prose):
            continue
        named = _STRANGER.search(window.passage.mask[window.start : first.start])
        if named and not (first.ranged or second.ranged or first.hedge):
            for figure in (first, second):
                item = re.sub(r"[^a-z0-9.]+", "-", named["name"].lower()).strip("-.")
                yield _stranger(window, figure, item)


def _stranger(window: Window, figure: Figure, item: str) -> Reading:
    """A reading whose price no catalogue knows."""
    return Reading(
        start=window.start, end=window.end, rule="list price", inputs=(), expression=lookup(item, figure.label),
        stated=figure, unit="USD/Mtok", confidence=Decimal("0.8"), kind="price",
    )  # fmt: skip
