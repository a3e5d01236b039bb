"""Reads a list of allergies: what reacts, and how, in any of the forms in which such lists are written.

Takes a stretch of text that is a list ("Penicillin - hives; Sulfa (rash), codeine: GI upset"), gives entries with exact
offsets. A phrase it does not recognise is an entry all the same: a missed allergy is the worst defect there is.
"""

import itertools
import re
from collections.abc import Iterator

from backend.nlp.allergies.allergy_entry import Entry, trimmed
from backend.nlp.allergies.allergy_status import unreadable
from backend.nlp.allergies.allergy_vocabulary import (
    has_reaction,
    is_compound,
    is_noise,
    is_reaction,
    reaction_part,
    words,
)
from backend.nlp.allergies.lists.allergy_pieces import EASED, Known, pieces
from backend.nlp.allergies.lists.allergy_tables import names_after_label, names_nothing, table_row
from backend.nlp.lexicon.variants import english_words


def entries(text: str, start: int, end: int, known: Known, previous: Entry | None = None) -> list[Entry]:
    """The entries of text[start:end], in order.

    known tells whether a phrase names something one can be allergic to. A reaction that stands alone belongs to the
    entry before it, or to `previous`, which then comes first in the answer, completed.
    """
    table = table_row(text, start, end)
    if table is not None and not (names_nothing(table) and names_after_label(text, start, end, known)):
        return _completed(table, previous)
    found: list[Entry] = []
    for left, right in pieces(text, start, end, known):
        found.extend(_read(text, left, right, known, 0))
    return _completed(found, previous)


def joined(found: list[Entry], told: list[Entry], phrase: str) -> list[Entry]:
    """A sentence that only tells a reaction ("She develops hives.") completes the entry before it."""
    if told or not found or found[-1].reaction or not is_reaction(phrase):
        return [*found, *told]
    return [*found[:-1], found[-1]._replace(reaction=reaction_part(phrase)[0])]


def _completed(found: list[Entry], previous: Entry | None) -> list[Entry]:
    """Gives reactions that stand alone (an empty span) to the entry before them."""
    whole: list[Entry] = [previous] if previous else []
    for one in found:
        if one.start == one.end:
            if whole:
                told = ", ".join(filter(None, (whole[-1].reaction, one.reaction)))
                whole[-1] = whole[-1]._replace(reaction=told)
        else:
            whole.append(one)
    return whole


def _read(text: str, start: int, end: int, known: Known, depth: int) -> Iterator[Entry]:
    """One part of a list: a name with or without its reaction, or a reaction alone (an empty span)."""
    left, right = trimmed(text, start, end)
    if (quote := text[right : min(right + 1, end)]) and quote in '"\u201d' and _OPEN_QUOTE.search(text, left, right):
        right += 1
    piece = text[left:right]
    if not piece or is_noise(piece) or _DISEASE.search(text, start, end):
        return
    if _NO.match(text, start, left) and not known(piece):
        return
    if is_reaction(piece) or unreadable(piece) or (EASED.fullmatch(text, left, right) and not has_reaction(piece)):
        yield Entry(left, left, piece)
        return
    all_of = _BOTH.match(piece)
    if all_of and (has_reaction(piece[all_of.end() :]) or is_reaction(piece[all_of.end() :])):
        yield Entry(left, left, piece[all_of.end() :])
        return
    if (yes := _YES.match(text, left, right)) and depth < _DEEPEST:
        # "Contrast: yes (Omnipaque, hives)": the bracket may name which
        yield from (one for one in entries(text, yes.end(), right, known) if known(text[one.start : one.end]))
        yield Entry(*yes.span("label"), reaction=text[yes.end("label") : right].strip(" :=()"))
        return
    bracket = _BRACKET.search(text, left, right)
    if bracket and bracket[0][0] == '"' and text.count('"', start, end) > 2:
        bracket = None  # names in quotation marks, with nothing between them
    if bracket and bracket.start() > left:
        yield from _bracketed(text, left, right, bracket, known, depth)
        return
    if bracket and bracket.start() == left and bracket.end() < right:
        yield from _read(text, bracket.end(), right, known, depth + 1)
        return
    if depth < _DEEPEST:
        marks = sorted(_BETWEEN.finditer(text, left, right), key=lambda m: m[0].strip().lower() not in _CAUSED_BY)
        for mark in marks:
            both = _both_sides(text, left, right, mark, known, depth)
            if both is not None:
                yield from both
                return
    yield from _tailed(text, left, right, known)


def _bracketed(text: str, left: int, right: int, bracket: re.Match[str], known: Known, depth: int) -> Iterator[Entry]:
    inside = bracket[0].strip("()[] " if bracket[0][0] in "([" else '"\u201c\u201d ')
    named = list(_read(text, left, bracket.start(), known, depth))
    # "Sulfa (sulfonamides)" is one name; of "Xylazol (felt odd)" the bracket is taken as the reaction, and so kept.
    named_too = bracket[0][0] == "[" or any(known(part.strip()) for part in (inside, *_PARTS.split(inside)))
    alias = named_too and not has_reaction(inside)
    alias = (alias or known(inside)) and not is_reaction(inside) and not _SAID.search(inside)
    told = "" if alias or _DATE.fullmatch(inside) or not any(c.isalpha() for c in inside) else inside
    closed = _BRACKETS.match(text, bracket.end(), right)
    following = _named_first(text, closed.end() if closed else bracket.end(), right, known) if named else right
    after = text[bracket.end() : following].strip(" -:–,")
    if after:
        told = ", ".join(filter(None, (told, after)))
    if not named:  # "all "mycins"": what stands before the bracket is no name
        yield from _read(text, bracket.start() + 1, bracket.end(), known, depth + 1)
    yield from named[:-1]
    if named:
        last = named[-1]
        end = bracket.end() if alias and last.start < last.end else last.end
        yield last._replace(end=end, reaction=", ".join(filter(None, (last.reaction, told))), said=inside)
    if following < right:  # "PCN (hives) sulfa (rash) latex"
        yield from _read(text, following, right, known, depth)


def _named_first(text: str, start: int, end: int, known: Known) -> int:
    """Where a name begins right at a place, known or with a bracket of its own; the end where none does."""
    spans = [word.span() for word in itertools.islice(_WORD.finditer(text, start, end), 3)]
    named = any(known(text[spans[0][0] : last].strip(" ,.;:-")) for _, last in spans)
    strange = _NAME_BRACKET.match(text, start, end)
    named = named or (strange is not None and strange[1].lower() not in english_words() and not is_reaction(strange[1]))
    return spans[0][0] if named else end


def _both_sides(text: str, left: int, right: int, mark: re.Match[str], known: Known, depth: int) -> list[Entry] | None:
    """A part split at a mark or verb between name and reaction; None when the mark is part of the name."""
    before, after = text[left : mark.start()].strip(), text[mark.end() : right].strip()
    sign = mark[0].strip()
    if not before or not after:
        return None
    if sign.lower() in ("with", "w/") and _GIVEN.fullmatch(before):
        return list(_read(text, mark.end(), right, known, depth + 1))
    if sign == "-" and not mark[0].startswith((" ", "\t")) and not is_reaction(after):
        return None
    if is_reaction(before) and not is_reaction(after):
        named = list(_read(text, mark.end(), right, known, depth + 1))
        return [named[0]._replace(reaction=before), *named[1:]] if named else None
    if is_reaction(before) or not any(c.isalpha() for c in before):
        return None
    if _LIST_LABEL.fullmatch(before):
        return list(_read(text, mark.end(), right, known, depth + 1))
    if sign == ":" and not is_reaction(after) and known(after) and known(before):
        return [*_read(text, left, mark.start(), known, depth + 1), *_read(text, mark.end(), right, known, depth + 1)]
    if sign in _DASHES and not has_reaction(after) and known(trimmed_text(text, mark.end(), right)):
        return [*_read(text, left, mark.start(), known, depth + 1), *_read(text, mark.end(), right, known, depth + 1)]
    if sign.lower() in _CAUSED_BY and known(trimmed_text(text, mark.end(), right)) and not known(before):
        # "Thyroid toxicity from amiodarone": whatever came first, the medicine is what must not be lost.
        return [one._replace(reaction=before) for one in _read(text, mark.end(), right, known, depth + 1)]
    if sign.lower() in _TO_ALLERGEN:
        return None
    if sign.lower() in ("with", "w/") and not has_reaction(after) and not is_reaction(after):
        # "Tylenol with codeine" names two things; "sulfa with preservatives" may be one name.
        both = [*_read(text, left, mark.start(), known, depth + 1), *_read(text, mark.end(), right, known, depth + 1)]
        return both if known(trimmed_text(text, mark.end(), right)) else None
    named = list(_read(text, left, mark.start(), known, depth + 1))
    if not named:
        return None
    last = named[-1]
    told = ", ".join(filter(None, (last.reaction, after)))
    return [*named[:-1], last._replace(reaction=told, said=f"{last.said} {sign}")]


def trimmed_text(text: str, start: int, end: int) -> str:
    """The text of an entry without the marks and words around its name."""
    left, right = trimmed(text, start, end)
    return text[left:right]


def _tailed(text: str, left: int, right: int, known: Known) -> Iterator[Entry]:
    """A name with its reaction simply set after it ("PCN rash")."""
    spans = [m.span() for m in _WORD.finditer(text, left, right)]
    for i in range(max(1, len(spans) - _LONGEST_REACTION), len(spans)):
        told = text[spans[i][0] : right]
        if (
            is_reaction(told)
            and has_reaction(told)
            and not is_compound(text[left:right])
            and not known(text[left:right])
        ):
            first, last = trimmed(text, left, spans[i][0])
            if first < last and words(text[first:last]):
                yield Entry(first, last, told)
                return
    yield Entry(left, right)


_DEEPEST = 4
_BRACKETS = re.compile(r"(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]))+")
_NAME_BRACKET = re.compile(r"\s*([A-Za-z][\w-]{2,})\s*[(\[]")
_GIVEN = re.compile(r"(?:(?:was|when|once) )?(?:treated|managed|injected|sedated|premedicated)", re.IGNORECASE)
_YES = re.compile(r"(?P<label>[^:=()]{2,40}?)\s*[:=]\s*yes\b[\s,:-]*\((?=[^)]*\)?)", re.IGNORECASE)
_LONGEST_REACTION = 8
_NO = re.compile(r"[\s\-*•:.,]*no\b", re.IGNORECASE)
_DISEASE = re.compile(r"\ballergic\s+(?:rhinitis|conjunctivitis|asthma|sinusitis|bronchitis|dermatitis)", re.IGNORECASE)
_BRACKET = re.compile(r"\([^()]*\)?|\[[^\[\]]*\]?|\"[^\"\n]+\"|\u201c[^\u201d\n]+\u201d")
_OPEN_QUOTE = re.compile(r"(?<=[\w)\s-])[\"\u201c][^\"\u201c\u201d]+$")
_WORD = re.compile(r"\S+")
_BETWEEN = re.compile(
    r"\s*(?:-+>|=>|\u2192|\u2014|\u2013|--)\s*|\s+-\s*|-\s+|(?<=\w)-(?=\w)|\s*[:=]\s+|:(?=\w)|,?\s+(?:"
    r"(?:which |that |it )?(?:has |have |had )?(?:causes?|causing|caused|gives?|gave|giving|makes?|made|making|leads? to|led to"
    r"|results? in|resulted in|resulting in|produces?|produced|producing|develops?|developed|manifest\w+(?: as| by)?|induces?|induced|upsets?|irritates?|bothers?)"
    r"(?: (?:him|her|them|me|the patient|patient|pt))?(?: (?:a|an|some|to have|to get|to develop|feel|get|have))?"
    r"|(?:listed|recorded|documented|noted)(?: by (?:the )?\w+)? as|with(?: (?:a )?(?:documented |known |reported )?reactions? (?:of|including|being))?|w/|reaction(?: is| of| was|:)|due to|secondary to|because of|from|to|after|when taking|when"
    r"(?: \w+)? takes?)\s+",
    re.IGNORECASE,
)
_CAUSED_BY = frozenset(("from", "after", "when taking", "due to", "secondary to", "because of"))
_TO_ALLERGEN = frozenset(("from", "to", "after", "when taking"))
_DASHES = frozenset(("-", "--", "\u2013", "\u2014"))
_LIST_LABEL = re.compile(
    r"(?:known |drug |food |medication |environmental |seasonal |severe |moderate |mild |other |patient )*(?:allergies|allergy|allergens?|drugs?|foods?"
    r"|medications?|meds|medicines?|environmental|environment|seasonal|indoor|outdoor|inhalants?|contact|topicals?|insects?|class(?:es)?|severe|moderate|mild|intolerances?|reactions?|adverse reactions?|yes|latex status"
    r"|sensitivities|allergic|other|list|positive)(?: (?:to|include|includes|are|is))?",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;/]|\band\b|\bor\b", re.IGNORECASE)
_BOTH = re.compile(
    r"(?:both|all|each|these|those|they|it|either|any|(?:the )?reactions?)(?: of (?:which|these|them))?(?: (?:have|has|had|will|can))?\s+"
    r"(?:causes?|caused|gives?|gave|makes?|made|produces?|produced|results?(?:ed)? in|leads? to|led to|is|are|was|were|being)\s+"
    r"(?:(?:him|her|them|a|an|the patient|some)\s+)*",
    re.IGNORECASE,
)
_DATE = re.compile(r"[\d/.\s-]+|(?:in |since |circa )?(?:19|20)\d\d|(?:childhood|as a child)", re.IGNORECASE)
_SAID = re.compile(
    r"intoleran|side effect|unknown|reaction|sever|unsure|stop|felt|feel|childhood|year|old|happen|told", re.IGNORECASE
)
