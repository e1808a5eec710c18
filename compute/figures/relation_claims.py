"""Whether the words of a text claim a computed figure: plainly, of its inputs, by a relation."""

from __future__ import annotations

import re

from compute.figures.number_words import word_set
from compute.figures.price_subjects import words_in
from compute.figures.relation_bindings import Binding
from compute.figures.relation_models import CLAIM
from compute.figures.relation_roles import Quantity

_MEASURED = re.compile(
    r"(?i)\b(?:had|saw|measured?|record(?:s|ed)|observ\w+|actual\w*|report(?:s|ed)|logged|lost|suffered|turned out"
    r"|ended up|in fact|sa(?:ys|id)|quote[sd]?|according|claim(?:s|ed)|show(?:s|ed)|instead|br(?:ings?|ought)|so far"
    r"|to date|cumulative|already)\b"
)
_ASIDE = re.compile(r"\b(?:where|whereas|while|unlike|because|since|although|though)\b", re.I)
_REASON = re.compile(r"\b(?:because|since|as (?:it|they|we|the)|although|though|despite)\b", re.I)
_RESULT = re.compile(
    r"(?i)cost|bill|spen[dt]|\bpa(?:y|id|ys)|charg|rent|price|total|together|in all|revenue|sales|profit|margin|sav"
    r"|deprecia|draw|drew|pull|consum|\buse|need|carr(?:y|ies)|demand|load|energy|power|emi[ts]|carbon|footprint"
    r"|weights|memory|occup|\btakes?\b|took|hold|cache|down|outage|allow|leav|hours|produc|deliver|serve|throughput"
    r"|share|utili|break|back|recoup|com(?:es|ing) to|mak(?:es|ing)|amount|adds|means?\b|(?:that|which) is|that['’]s"
    r"|(?<!-)\bup\b|\boff\b|below|above|find|\bso\b|i\.e|=|FLOP|MFU|annual|monthly|daily|blend|averag|cheaper|lasts"
    r"|less|more|times|factor|cut|increase|gain|plus|decline|drop|f[ae]ll|ris[ei]|rose|gr[eo]w|discount|stack|ratio"
    r"|yield|process|equals|written|capacity|fewer|lower|higher|damage|corresponds|permit|reduc|\bthis is\b|becom"
)
_CONCEPTS = re.compile(
    r"(?i)profit|margin|saving|saves?\b|revenue|depreciat|amorti|downtime|outage|idle|wast|payback|break-?even|carbon"
    r"|emission|tax|refund|credit|overhead|cooling|resale|salvage|interest|commission|deposit|fine\b|premium|mark-?up"
    r"|growth|difference|loss(?:es)?\b|surplus|shortfall|contribution|EBITDA"
)
_IS = re.compile(r"\A\W*(?:(?:each|(?:an?|per) (?:hour|day|month|year))\W+)*(?:is|are)\W*")
_NOTHING = re.compile(r"\W*(?:to\W*)?")
_SPLIT = re.compile(r"[;:(]|,\s|\s[—–]\s|\s(?:and|but|while|whereas)\s")
_UNSAID = re.compile(
    r"cached|batched|discounted|compressed|quanti[sz]ed|\bspot\b|reserv|negotiat|\bhalf\b|partly|weekends?", re.I
)
_HEAD = re.compile(
    r"\W*(?:(?:So|Hence|Thus|Then|Now) )?(?:The|A|An|Our|Their|Its|His|Her) "
    r"(?P<noun>(?:[\w-]+ ){0,2}?[\w-]+) (?:costs?|is|was|are|were|draws?|takes?|needs?|uses?|comes?|came"
    r"|runs?|ran|saves?|pays?|spends?|has|makes?)\b"
)
_WHOLE = re.compile(
    r"(?i)result|figure|sum\b|whole|feed|site|hall|facility|meter|run\b|month|year|day|week|night|fleet|lot\b|answer"
    r"|grand|team|company|customer"
)
_NAME = re.compile(r"(?<=[a-z,:] )[A-Z][a-z]+[\w-]*")
UNNAMED = re.compile(
    r"(?i)\b(?:plus (?!\$?\d)|includ(?:ing|ed)|inclusive|incl\b|counted|(?:its|their) share|excluding|excl\b|fees"
    r"|tax(?:es)?|VAT|shipping|support contract|overheads?|surcharges?|on top|net of|free tier|credits?"
    r"|var(?:y|ies|ied)|depend\w*|except|mostly|partly|rounded|rounding|round (?:trip|numbers)|tiers?|minimum"
    r"|other (?:costs?|charges?|items)|and so on|etc|extras?|storage|egress|network\w*|staff|licen[cs]es?|on average"
    r"|not counting|(?:before|after) (?=(?:the (?:\w+ )?)?(?:tax|interest|discount|fee|charge))|of which|smallest"
    r"|largest|amortized|estimate\w*|ballpark|most of|some of|part of|peak (?:hours?|load|times?|demand|traffic)|burst"
    r"|ramp\w*|growth|grow\w*|compound\w*|idle|warm-?up|retries|retry|redundan\w*|free"
    r"|first (?:\d|[a-z]+ (?:million|thousand|hundred))|stock|shares|consensus|guid\w+|actual\w*|measured|metered"
    r"|observed|nameplate|in practice|rarely|spare|headroom|buffer|margin of safety|weekends?|weekdays?|nights?"
    r"|off-peak|mark-?ups?|half of its|working days|business)\b"
)
_REJECTED = re.compile(
    r"(?i)\b(?:wrong\w*|errors?|mistak\w*|incorrect\w*|misquot\w*|misread\w*|typos?|supposed\w*|alleged\w*|myth"
    r"|contrary|actually|in fact|overstat\w*|understat\w*|exaggerat\w*|does not follow|miscalculat\w*"
    r"|correct(?:ed|ion|ly)?|should (?:be|have|read)|not true|false\w*|claims? (?:that|of)|claimed|sloppy|naive\w*"
    r"|forget\w*|forgot\w*)\b|\bnot \S*$|n['’]t \w+ \S*$"
)
WRONG = re.compile(
    r"(?i)\b(?:wrong|mistake|error in|incorrect|typo|miscalculat\w*|does not add up|cannot be right|overstat\w*"
    r"|understat\w*)\b"
)
_PREMISE = re.compile(
    r"(?i)\b(?:from|with|using|than|versus|vs\.?|assum(?:e|es|ing)|given|under|over|below|above|against|instead of"
    r"|rather than|not|budget of|target of|limit of|cap of|if|unless|until|suppose|let|say|between|quota(?: of)?"
    r"|goal(?: of)?|per|every|each|compared (?:to|with)|beyond|within|another|other|next|last"
    r"|remaining|\w+n['’]t(?: \w+)?)(?: (?:the|a|an|our|its|their))?\s[*_(~]*$|[-−]$"
)
_CONDITION = re.compile(r"\b(?:if|unless|assuming|suppose|when|once|whether|provided|imagine)\b[^,;:]*$", re.I)
_COMPARED = re.compile(
    r"(?i)\s?(?:a \w+ )?(?:dearer|cheaper|more|less|higher|lower|extra|saved|off|short|behind|ahead|apart|better|worse"
    r"|each|spare|left|below|above|under)\b"
)
_DIFFERENCE = re.compile(
    r"(?i)\b(?:sav(?:es?|ing|ed)|difference|cut|gap|by|extra|additional|another|premium|discount|refund|credit|fee"
    r"|deposit|minimum|surcharge)(?: of| is)?\s\S{0,3}$"
)
_LABEL = re.compile(
    r"(?i)total|cost|bill|spen[dt]|revenue|energy|power|hours|memory|margin|profit|saving|charge|price|carbon|emission"
    r"|volume|tokens|load|rent|=|comes? to|makes"
)
_COMPARES = re.compile(
    r"(?i)(?!.{0,40}?\bfrom (?:(?-i:[A-Z][a-z])|20\d\d\b))"
    r"(?:[^.;,]{0,50}?\b(?:from|than|against|versus|vs|compared|relative to)\b|,? from\b|\s?[(:]"
    r"|[^.;,]{0,40}(?:[(:—–]|, from\b))"
)
_SAME = word_set(
    "a an the of that which is was were or by about cut drop fall rise increase gain reduction decline growth up"
    " down more less lower higher cheaper faster it this these so fell rose grew dropped climbed went came"
    " improvement jump change over in one to from only just and now today times i e saving saved hence thus here"
    " nearly roughly almost some"
)
"""Words that name no other thing than the amounts before them."""
_BESIDE = r"after|without|with|before|excluding|including|net of|than (?:planned|expected|budgeted|hoped|feared)"
_WITH = re.compile(rf"\b(?:{_BESIDE})\b(?!\s*$)")
_ELSE = re.compile(rf"(?i)[^.;,]{{0,30}}?\b(?:{_BESIDE})\b(?! (?:it|that|\$|\d))")
"""What a figure takes in, leaves out or is compared with beside its inputs."""
_LEADS = re.compile(
    r"(?i)(?: (?:of )?[a-z]+){0,2}?\s?(?:\(|:|=|—|–|,? for\b(?! (?:the|a|an) (?:month|year|day|week|hour)s?,)|,? from\b"
    r"|,? since\b|,? because\b|,? as\b|,? at\b|,? to (?:run|rent|serve|process)|,? (?:in )?total|,? on\b|,? in\b"
    r"|,? over\b| with\b|,? per\b|,? an?\b|,? by\b|,? of (?:useful|idle|downtime))"
)


def is_of_inputs(one: Binding) -> bool:  # noqa: PLR0911  # one case after the other
    """Whether the clause of a figure claims the relation of what its inputs are of."""
    sentence, figure = one.target.sentence, one.target.figure
    words, at = sentence.words, one.target.at
    clause = _SPLIT.split(words[:at])[-1]
    near = f"{clause} {sentence.near(figure).partition('¤')[2]}"
    wide = f"{sentence.before(figure, 200).rpartition(';')[2]} {figure.text} {sentence.after(figure, 28)}"
    relation = one.relation
    named = relation.outright or relation.words
    said = f"{relation.title} {' '.join(each.near for each in one.inside)}".lower()
    concepts = [each[0] for each in _CONCEPTS.finditer(near) if each[0][:5].lower() not in said]
    if not all(named.search(each) or relation.words.search(each) for each in concepts):
        return False
    if any(_ASIDE.search(words[slice(*sorted((each.stop, at)))]) for each in one.inside):
        return False
    bases = {name for each in one.inside for name, _ in each.figure.dimensions} - {"hour"}
    fresh = one.inside and not any(name in bases for name, _ in figure.dimensions)
    lead = _lead(one) if one.last else ""
    if one.inside and _WITH.search(lead):
        return False  # with fans and switches, after support
    if relation.name in {"fall", "rise", "points"}:
        earlier = [words[: at - len(lead)], *(each.sentence.words for each in one.inputs if each not in one.inside)]
        if words_in(lead) - _SAME - words_in(" ".join(earlier)):
            return False  # of another thing: our bill fell by 35%
    if not one.last and not relation.near and not _RESULT.search(words[:at]):
        return False
    opens = one.inside == one.inputs and len(words[: min(each.at for each in one.inside)].split()) < 2
    plain = _NOTHING if "claimed" not in relation.flags else _IS if opens else None
    aside = one.last and plain and plain.fullmatch(lead) is not None
    if not aside and not _RESULT.search(wide) and not (fresh and CLAIM.search(wide)):
        return False
    drawn = " ".join({each.sentence.words for each in one.inputs})
    other_words = " ".join({each.sentence.words for each in one.inputs if each not in one.inside}).lower()
    if any(not named.search(each[0]) and each[0].lower()[:4] not in other_words for each in _UNSAID.finditer(near)):
        return False
    head = None if one.inside else _HEAD.match(words)
    noun = head["noun"] if head else "result"
    known = any(each[:5].lower() in drawn.lower() for each in noun.split())
    if not known and not _RESULT.search(noun) and not _WHOLE.search(noun):
        return False
    unsaid = one.relaxed == "per" and figure.period not in drawn.replace(figure.text, "") + one.formula
    own, theirs = _names(f"{words} "), [_names(each.sentence.words) for each in one.inputs]
    return not unsaid and (not own or all(own & each for each in theirs if each))


def _names(words: str) -> set[str]:
    """The proper names of a sentence, but for its first word."""
    return {each.removesuffix("'s").removesuffix("’s") for each in _NAME.findall(words)}


def accusable(target: Quantity) -> bool:  # one case each
    """Whether a figure is claimed plainly: no hedge, question, premise or quoted error."""
    figure, sentence = target.figure, target.sentence
    if figure.hedge not in {"", "about"} or figure.ranged or (figure.spelled and figure.sort == "x" and figure.low < 2):
        return False
    before = sentence.words[: target.at]
    if before.count("“") > before.count("”") or before.count('"') % 2 or sentence.quoted:
        return False  # a quotation
    after = sentence.words[target.stop :]
    if sentence.words.rstrip(' *_)”"').endswith("?") or _CONDITION.search(before):
        return False
    others = sentence.words.replace(figure.text, "", 1)
    if _PREMISE.search(before[-40:]) or _ELSE.match(after) or _REJECTED.search(others):
        return False
    if _MEASURED.search(_SPLIT.split(before)[-1]) or _REASON.search(after) or _REASON.search(sentence.tail):
        return False  # what was measured, or has a reason
    return not re.match(r"\s?(?:each|or so|or more|or less|\+|[–-]\d|[ -](?:GPU|card|node|server|[A-Z]+\d))", after)


def claims(one: Binding) -> bool:
    """Whether the words claim the target: it comes last, or `for`, `from` or a colon introduces its inputs."""
    figure, sentence = one.target.figure, one.target.sentence
    if "claimed" in one.relation.flags or (one.relation.rank and one.relation.near is None):
        other = _COMPARED.match(sentence.after(figure, 30)) or _DIFFERENCE.search(sentence.before(figure, 40))
        if other or (sentence.item and not _LABEL.search(sentence.before(figure))):
            return False
    if one.last:
        return one.relation.near is not None or "claimed" not in one.relation.flags or bool(CLAIM.search(_lead(one)))
    behind = sentence.words[one.target.stop :]
    if one.relation.near is not None:
        return bool(_COMPARES.match(behind))
    return not one.relation.rank and bool(_LEADS.match(behind))


def _lead(one: Binding) -> str:
    """The words between the last input of the sentence and the target."""
    last = max((each.stop for each in one.inside), default=0)
    return one.target.sentence.words[last : one.target.at]
