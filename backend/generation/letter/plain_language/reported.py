"""A sentence of the history without who told it, and a parent as who reads of a child.

"She states that the pain is worse at night" gives "The pain is worse at night"; "The parents rushed him to us" gives "You rushed him to us".
Whom "they" means is not known, so that a sentence with it is not told of a child.

Notes keep saying who speaks; a letter to who spoke need not. Only where what is told is a sentence of its own, and only of the patient, or of
the parents of a child, who are the letter's readers: what anybody else says stays theirs. Verbs of charts are told plainly ("You deny any fever").
"""

import re
from functools import lru_cache

from backend.generation.letter.plain_language.clause_subjects import MALE, PRONOUNS, SUBJECT_OF, Addressee
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.telegrams import is_telegram
from backend.generation.letter.plain_language.verb_forms import SURE, is_auxiliary, is_past, third_kind, verbs, with_you
from backend.generation.letter.told_time.tenses import past_of
from backend.nlp.lexicon.variants import english_words
from backend.nlp.rules import RULES, rule_rows

_TOLD = re.compile(
    r"^(?:(?:the|this|his|her)\s)?(?P<who>[a-z]+)\s(?:also\s|further\s|now\s|then\s)?(?P<verb>[a-z]+)(?:\s(?:me|us|the team))?\s(?P<that>that\s)?(?P<rest>(?P<first>[a-z]+)\s.+)$",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT_BEHIND = re.compile(r"^(?!if\b|unless\b|when\b)[^,;.]{3,50}?,? (?:he|she|the patient) ", re.IGNORECASE)
"""A time or a place before the patient in what is told: "over the last year he has lost weight"."""
_PARENT = re.compile(
    r"^(?:(?:the|both|his|her|your child's)\s)?(?:mother|mom|mum|father|dad|parents?)\s(?P<also>also\s|then\s|both\s)?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_FAMILY = re.compile(
    r"^(?:the|his|her|your child's)\s(?:family)\s(?P<also>also\s)?(?P<verb>lives|lived|resides|resided|wants|wishes|agrees|agreed|has|understands|understood|prefers|plans|reports|reported|would|is|was)\b",
    re.IGNORECASE,
)
_REACHED = re.compile(
    r"\b(call|calls|called|notify|notifies|notified|inform|informs|informed|contact|contacts|contacted|ring|phone|phones|phoned|update|updates|updated|message|email) your child\b(?!['’])"
)
"""Whom the team reaches with news of a child: who reads."""
_TO_PARENT = re.compile(
    r"\b(to|by|with|from) (?:the |his |her |your child's )?(?:mother|mom|mum|father|dad|parents)\b(?!['’-])",
    re.IGNORECASE,
)
_THOUGHT = re.compile(
    r"\b(?:mother|mom|mum|father|dad|parents?)\b.*\b(?:she|he) (?:also |has |had )?(?:felt|feels|thought|thinks|noticed|noted|believes|believed|says|said|states|stated|gave|gives|took|tried|called)\b",
    re.IGNORECASE,
)
"""A parent, and what one does who watches a child."""
_OTHERWISE = re.compile(
    r"(?<!\bhis )(?<!\bher )\b(?:mother|mom|mum|father|dad|parents?)\b(?![-'’])|\bparents\b|\b(?:they|them|their)\b",
    re.IGNORECASE,
)
_DO = re.compile(r"\b([Yy]ou) do ([a-z]+)\b")
_TIMED = re.compile(
    r"^(?P<who>You|Your child) (?P<time>(?:since|over|during|for|in) (?:the |this |last |past )[\w ]{3,40}?) (?P<verb>have|has|had|were|was)\b"
)
"""A time between who it is and the verb: "You since the morning have improved"."""
_DID = re.compile(r"\b((?:[Yy]ou|[Yy]our child|which|who|that|and|but) (?:also |only |then )?)did ([a-z]+)\b")
_NO_DOING = re.compile(r"\b(report(?:ed|s)?) no ([a-z]+ing) (?=(?:the|an?|any|your|it|that|to)\b)")
"""What is denied of something done: "denies using the coupon"."""
_NOT_SO = re.compile(
    r"\b(?P<verb>den(?:y|ies|ied)) (?:that )?(?P<who>you|it|this|(?:the|your) [a-z]+) (?P<next>[a-z]+)(?P<ever> ever\b)?",
    re.IGNORECASE,
)
"""What is denied as a clause of its own: "deny it radiates down the arm", "denied that you have ever smoked"."""
_NOT_BEEN = re.compile(r"\b(but|and) not been\b")
_AND_WISHES = re.compile(r"\b(?P<and>and|but) (?P<verb>[a-z]+s) to ")
_ADVISED = re.compile(r"\b(?P<verb>[Aa]dvised|[Ee]ncouraged|[Ii]nstructed) (?P<next>[a-z]+)(?= )")
_DASH_AND = re.compile(r"\s[-\u2013]\s(?=and\b|but\b)")
_NO_A = re.compile(r"\b(report(?:ed|s)? no) (?:an?|the) ")
_REPORTS_ON = re.compile(r"(?<=^You )(reported\b[^.]*\b(?:but|and) )report\b")
"""A second verb of who reported, in the present: "You reported an onset in May but report no injury"."""
_DENIAL = re.compile(r"\breport(?:ed|s)? no (?P<listed>(?:[^.;:]*, )?[^,.;:]+?),? (?P<and>and) (?P<last>[^,.;:]+)\.?$")
_CONFESSING = frozenset(
    ("admit to", "admitted to")
)  # behind "and", a ward or a deed: "was seen and admitted to the ward"
_SUBJECT = re.compile(
    r"(?P<subject>[A-Za-z-]+(?: members?)?(?: and [a-z-]+)?) (?:also |then |all |both |[a-z]{3,}ly )?(?P<verb>[a-z]+)\b"
)
_BY_KIN = re.compile(r"\b(according to|by) the ([a-z-]+)\b(?!['’])", re.IGNORECASE)
_FUNCTION = re.compile(
    r"^(?P<what>[A-Z][a-z]+) (?P<how>(?:(?:very|slightly|a little) )?[a-z]+)(?P<rest>(?: (?:for|since|over|at) [\w ]+)?)\.?$"
)
_SAYING = frozenset(("say", "state", "report", "note", "feel", "think", "believe", "deny", "tell", "describe"))
"""What several people say, in the form that is a noun as well."""
_ACCORDING = re.compile(
    r"(?:^|(?<=\band )|(?<=\bbut ))(?:according to|as per|per) (?P<first>(?:the |his |her )?[a-z]+)(?: report| account)?(?:, | (?=he\b|she\b|since|for|in|on|at|over))"
    r"|^by (?:the )?(?P<whose>patient)['’]s account,? "
    r"|,? \(?(?:according to|as per|per) (?P<last>(?:the |his |her )?[a-z]+)(?:'s)?(?: own)?(?: report| account| history)?\)?(?=[.,;]|$)",
    re.IGNORECASE,
)
_TOLD_BEFORE = 250
"""Code points before a sentence in which one stands whom a pronoun of the other sex means."""
_TELLER = re.compile(
    r"^(?P<who>He|She) (?P<rest>(?:also |further |then )?(?P<verb>[a-z]+) (?:that )?(?P<of>the patient|[a-z]+)\b.*)$",
    re.DOTALL,
)
_PARENTS = frozenset(("mother", "mom", "mum", "father", "dad", "parent", "parents"))


def to_parent(text: str, sex: str | None = None) -> str | None:
    """A sentence about a child with its parents as readers; None where it names them otherwise than as who did something.

    Args:
        text: turned to "your child".
        sex: of the child; "she" in a letter of a boy is a parent, unless another person is named.
    """
    if _THOUGHT.search(text):
        return None  # "The mother used a vaporizer, which she felt helped": whom "she" means is not known
    text = _REACHED.sub(r"\1 you", text)
    told = _PARENT.match(text) or _FAMILY.match(text)
    if told is not None and told["verb"].lower() not in lists()["modals"]:
        text = f"You {told['also'] or ''}{with_you(told['verb'].lower())}{text[told.end() :]}"
    elif len(_OTHERWISE.findall(text)) == 1:
        text = _TO_PARENT.sub(r"\1 you", text)  # "was brought in by his mother"
    low = re.findall(r"[a-z]+", re.sub(r"[\"“][^\"“”]*[\"”]", " ", text.lower()))
    own = lists()
    others = own["person"] | own["people"] | own["female"] | own["male"]
    strange = sex in SUBJECT_OF and any(PRONOUNS.get(word, sex) != sex for word in low) and others.isdisjoint(low)
    return None if strange or _OTHERWISE.search(text) else text


def unreported(text: str, patient: Addressee) -> str:
    """The text, without its first clause where that only says that the patient, or a child's parent, told the rest.

    Args:
        text: a sentence of the note.
        patient: who is addressed; in a letter of a child a parent's words are told as facts.
    """
    text = _without_source(text, patient)
    told = _TOLD.match(text)
    own = lists()
    if (
        told is None
        or told["verb"].lower() not in own["telling"]
        or not (
            told["first"].lower() in own["clause_subjects"] or (told["that"] and _SUBJECT_BEHIND.search(told["rest"]))
        )
    ):
        return text
    who, first = told["who"].lower(), told["first"].lower()
    subject = SUBJECT_OF.get(patient.sex or "", "")
    teller = who in own["patient"] or who == subject or (patient.child and who in _PARENTS)
    joined = " and that " in f" {told['rest'].lower()}"  # a second thing that was told would lose its verb
    behind = _SUBJECT_BEHIND.search(told["rest"])
    who_does = behind[0].lower().split()[-1] if behind and first not in own["clause_subjects"] else first
    of_other = joined or (who_does in PRONOUNS and PRONOUNS[who_does] != patient.sex)
    rest = told["rest"]
    if not teller or of_other or first in ("i", "we", "no") or is_telegram(rest):
        return text
    return f"{rest[:1].upper()}{rest[1:]}"


def with_teller(text: str, before: str, patient: Addressee) -> tuple[str, int]:
    """A sentence in which a relative of the other sex tells of the patient ("He reports that she has not slept"), with who it is.

    Args:
        text: a sentence of the note.
        before: all that the note says before it.
        patient: who is addressed; nobody else may be meant, so one relative of that sex and no clinician is named shortly before.

    Returns:
        The sentence, and where in the note the relative is named; -1 where the sentence is left as it is.
    """
    told, own = _TELLER.match(text), lists()
    sex = PRONOUNS[told["who"].lower()] if told is not None else patient.sex
    if told is None or patient.child or patient.sex is None or sex == patient.sex:
        return text, -1
    of_patient = told["of"].lower() in (SUBJECT_OF[patient.sex], "the patient", "patient")
    if not of_patient or told["verb"].lower() not in own["telling"]:
        return text, -1
    begin = max(0, len(before) - _TOLD_BEFORE)
    words = list(re.finditer(r"[a-z-]+", before[begin:].lower()))
    kin = [word for word in words if word[0] in (own["male"] if sex == MALE else own["female"])]
    if len({word[0] for word in kin}) != 1 or not own["clinicians"].isdisjoint(word[0] for word in words):
        return text, -1
    whose = "His" if patient.sex == MALE else "Her"
    return f"{whose} {kin[-1][0]} {told['rest']}", begin + kin[-1].start()


def _without_source(text: str, patient: Addressee) -> str:
    """The text without "according to the patient" or, of a child, "per mom's report"."""
    own = lists()

    def left(match: re.Match[str]) -> str:
        who = (match["first"] or match["last"] or match["whose"]).lower().split()[-1].removesuffix("'s")
        mine = who in _PARENTS if patient.child else who in own["patient"] | {"him", "her", "patient"}
        return "" if mine else match[0]

    said = _ACCORDING.sub(left, text)
    return text if said == text or is_telegram(said) else f"{said[:1].upper()}{said[1:]}"


def owned(turned: str, patient: Addressee) -> str:
    """A sentence whose subject is the patient's, with whose it is: "Appetite is poor", "Family says", "The daughter called us".

    Args:
        turned: to the patient.
        patient: who is addressed; of a child the mother is who reads.
    """
    own = lists()
    turned = _FUNCTION.sub(_as_function, turned)
    kin = frozenset[str]() if patient.child else own["female"] | own["male"] | own["kin"]
    turned = _BY_KIN.sub(
        lambda match: f"{match[1]} {patient.your} {match[2]}" if match[2].lower() in kin else match[0], turned
    )
    bare = turned.removeprefix("The ")
    subject = _subject_of(bare)
    low = subject.lower()
    whose = kin if bare != turned else own["own_functions"] | own["own_parts"] | kin
    joined = [one.strip() for one in low.split(" and ")]
    fits = bool(subject) and (all(one in kin for one in joined) or low in whose)
    if not fits or is_telegram(turned):
        return turned
    rest = bare[len(subject) :]
    saying = rest.split(maxsplit=1)[0].lower()
    if saying in _SAYING:
        rest = rest.replace(saying, verbs()[saying].past, 1)  # "Your friends report"
    return f"{patient.your.capitalize()} {low}{rest}"


def _as_function(match: re.Match[str]) -> str:
    """How something of the body is, with its verb where a note leaves it out: "Appetite reduced"."""
    own = lists()
    are = match["how"].lower() in own["describing"] | own["graded"] and match["what"].lower() in own["own_functions"]
    return f"{match['what']} is {match['how']}{match['rest']}" if are else match[0]


def _subject_of(text: str) -> str:
    """The one or two names before the first verb of a text, at its beginning; empty for any other."""
    match = _SUBJECT.match(text)
    if match is None or not (_is_verb(match["verb"].lower()) or match["verb"].lower() in _SAYING):
        return ""
    return match["subject"]


_TEAM_AGAIN = re.compile(r"(?P<lead>(?<=\w) )your team (?P<verb>[a-z]+)\b")
"""The team as the subject of a second clause, told by its verb."""


def to_you(text: str) -> str:
    """A turned sentence without verbs of charts: "You also deny any fever" gives "You also report no fever", "You do have" "You have"."""
    text = _DO.sub(lambda match: f"{match[1]} {match[2]}" if match[2] in verbs() else match[0], text)
    text = _DID.sub(lambda match: f"{match[1]}{verbs()[match[2]].past}" if match[2] in verbs() else match[0], text)
    text = _TIMED.sub(lambda match: f"{_upper(match['time'])}, {match['who'].lower()} {match['verb']}", text)
    text = _ADVISED.sub(_to_do, _DASH_AND.sub(" ", _NOT_SO.sub(_said_not_so, text)))
    for who in ("you", "your child", ""):
        text = _said_of(who, who).sub(lambda match, who=who: _plainly(match, who), text)  # type: ignore[misc]
    text = _NO_DOING.sub(r"\1 not \2", _NOT_BEEN.sub(r"\1 have not been", text))
    text = _NO_A.sub(r"\1 ", text)
    if text.startswith("You "):  # a second verb of the same subject
        text = _AND_WISHES.sub(_led_on, text)
        text = _said_of("you", "and|but").sub(lambda match: _plainly(match, "you"), text)
    return _with_they(_REPORTS_ON.sub(r"\1reported", text))


def _with_they(text: str) -> str:
    """A sentence of the team that names it once: "Your team does not think they need more tests"."""
    if not text.startswith("Your team ") or "." in text.rstrip("."):
        return text
    return _TEAM_AGAIN.sub(lambda one: f"{one['lead']}they {with_you(one['verb'])}", text)


def _led_on(match: re.Match[str]) -> str:
    """A second verb that leads on with "to", in the past: "You voiced concern and wishes to wait"."""
    verb = match["verb"]
    return f"{match['and']} {past_of(with_you(verb))} to " if verb in lists()["wanting"] else match[0]


def _to_do(match: re.Match[str]) -> str:
    """What was advised, with whom and "to" where a note leaves them out: "advised replace the dressing"."""
    verb = verbs().get(match["next"])
    return f"{match['verb']} you to {match['next']}" if verb is not None and verb.kind == SURE else match[0]


def _said_not_so(match: re.Match[str]) -> str:
    """What is denied of a clause as what was said not to be so; a clause whose verb is not sure is left."""
    verb, who, following = match["verb"].lower(), match["who"], match["next"].lower()
    said = {"deny": "say", "denies": "says"}.get(verb, "said")
    joined = match.string[: match.start()].lower().endswith(("and ", "but "))
    if joined and not match.string.startswith("You"):
        said = f"you {with_you(said)}"  # "The pain is in the arm and denies it spreads"
    ever = bool(match["ever"])
    if is_auxiliary(following) or following in lists()["modals"]:
        return f"{said} that {who} {following} {'never' if ever else 'not'}"
    base = with_you(following)
    shown = who.lower() != "you" and base != following and base in english_words()  # "it spreads"
    if ever or not (base in verbs() or shown):
        return match[0]
    if is_past(following) and verbs()[base].past == following:
        return f"{said} that {who} did not {base}"
    third = who.lower() != "you" and not who.lower().endswith("s")
    return f"{said} that {who} {'does' if third else 'do'} not {base}"


def _plainly(match: re.Match[str], who: str) -> str:
    plain = _chart_rows()[who][match["said"].lower()]
    before = (
        match["before"] if not who or _is_in_tense(match["said"].lower(), plain) else f"{match['before'].split()[0]} "
    )
    before = f"{match['before'][: len(who)]} " if before != match["before"] else before  # no "you now came"
    said = f"{before}{plain}"
    return said if match["before"] or match["said"].islower() else f"{said[:1].upper()}{said[1:]}"


def _is_in_tense(said: str, plain: str) -> bool:
    return is_past(said.split(maxsplit=1)[0]) == is_past(plain.split(maxsplit=1)[0])


def _is_sure(said: str) -> bool:
    return is_past(said) or (said in verbs() and verbs()[said].kind == SURE)


@lru_cache(maxsize=8)
def _said_of(who: str, before: str) -> re.Pattern[str]:
    """Verbs of charts behind a subject, or behind "and" without it, with adverbs between them; phrases stand alone."""
    rows = sorted(_chart_rows()[who], key=len, reverse=True)
    if before != who:  # "and state of mind" has a noun; "and come in to clinic" needs its tense
        rows = [
            one
            for one in rows
            if one.startswith("present ")
            or (_is_in_tense(one, _chart_rows()[who][one]) and (" " in one or _is_sure(one)) and one not in _CONFESSING)
        ]
    adverbs = "|".join(map(re.escape, sorted(lists()["adverbs"])))
    lead = rf"\b(?:{before}) (?:(?:{adverbs}|[a-z]{{3,}}ly) )*" if before else r"\b"
    return re.compile(rf"(?P<before>{lead})(?P<said>{'|'.join(map(re.escape, rows))})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _chart_rows() -> dict[str, dict[str, str]]:
    """What is said instead of a verb of charts, by its subject; a phrase has none."""
    found: dict[str, dict[str, str]] = {"you": {}, "your child": {}, "": {}}
    for said, plain in rule_rows(RULES / "letter" / "second_person.tsv", 2):
        who = next(
            (
                one
                for one in ("your child", "you")
                if f"{said} ".startswith(f"{one} ") and f"{plain} ".startswith(f"{one} ")
            ),
            "",
        )
        found[who][said.removeprefix(f"{who} ")] = plain.removeprefix(f"{who} ")
    return found


def or_of_denials(text: str) -> str:
    """A list of what is denied with "or" before its last item: "no cough, fever and chills" may be misread."""
    match = _DENIAL.search(text)
    if match is None or not is_telegram(match["last"]):
        return text
    if any(is_auxiliary(one.split(" ", 1)[0].lower()) for one in match["listed"].split(", ")):
        return text  # "no pain, did not have fever and had no other trouble" lists no denials
    if not _is_verb(match["last"].split(maxsplit=1)[0].lower()):
        return f"{text[: match.start('and')]}or{text[match.end('and') :]}"
    listed = text[match.start("listed") : match.start("and")].rstrip(
        " ,"
    )  # "no cough, pain, and have fallen twice" denies no fall
    return f"{text[: match.start('listed')]}{or_at_end(listed)}, {text[match.start('and') :]}"


def denied_list(listed: str) -> str:
    """A list that begins with "no" with one "no" and "or" before its last item, up to an item that says what is well: "no fever, no cough, eating ok".

    Args:
        listed: of a telegram.
    """
    well, kept = lists()["as_it_should_be"], list[str]()
    for item in re.split(r", (?:(?:and|or) )?", listed):
        if kept and not well.isdisjoint(re.findall(r"[a-z]+", item.lower())):
            break
        kept.append(item.removeprefix("no ") if kept else item)
    return or_at_end(", ".join(kept))


def or_at_end(listed: str) -> str:
    """A list of what is denied with "or" before its last item, where it has no such word."""
    return listed if re.search(r"\b(?:or|and)\b", listed) else " or ".join(listed.rsplit(", ", 1))


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _is_verb(word: str) -> bool:
    return is_auxiliary(word) or is_past(word) or third_kind(word) is not None or word in lists()["modals"]
