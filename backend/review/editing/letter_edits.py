"""Edits of a letter that are no sentence's: verdicts on problems, corrections of the note, medicines, answers, details, context.

They change what the letter is drafted from, or what stands beside it. This is pure; the drafting that follows is whose it is
that applies them.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from backend.errors import InputError
from backend.interfaces import Linker
from backend.review.editing.gap_answers import says_why
from backend.review.editing.medicine_work import decided
from backend.schemas.corrections import Correction, CorrectionKind
from backend.schemas.drafts.draft import Draft, Flag
from backend.schemas.drafts.evidence import NAMED
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.letter_work import FLAG_ANSWERS, FlagAnswer, GivenAnswer, Judgement, Verdict
from backend.schemas.patients.saved_case import Edit, EditKind, ReviewedSentence, ReviewFlag, VersionContent
from backend.schemas.vocabulary import Assertion, Basis, ConditionStatus

NOT_GIVEN = "not given"
"""The name of whoever gave none."""
NO_REQUEST = "this letter was saved without what it was drafted from, so it cannot follow. Edit its sentences, or draft the note anew."
VERDICTS = {
    EditKind.CONFIRM_CONDITION: Verdict.CONFIRMED,
    EditKind.RULE_OUT_CONDITION: Verdict.RULED_OUT,
    EditKind.PAST_CONDITION: Verdict.PAST,
    EditKind.LEAD_CONDITION: Verdict.LEAD,
    EditKind.CLEAR_CONDITION: None,
}
_NOT_ITS_OWN = frozenset({Assertion.NEGATED, Assertion.FAMILY, Assertion.HYPOTHETICAL})


class LetterParts(NamedTuple):
    """What a letter is made from.

    draft: the one it stands on, without a clinician's work. request: what that draft answers; None where it is not known.
    sources: draft and request of an earlier number. linker: reads a medicine's name; None for none.
    """

    draft: Draft
    request: DraftRequest | None
    sources: Callable[[int], tuple[Draft, DraftRequest | None]]
    linker: Linker | None = None


class Recorded(NamedTuple):
    """What an edit's record says of it."""

    text: str = ""
    earlier: str = ""
    concept: str = ""
    flag: str = ""


class LetterWork:
    """The work on one version's letter while its edits are made."""

    def __init__(self, content: VersionContent, parts: LetterParts, at: datetime) -> None:
        self.parts = parts
        self.request = parts.request
        self.redraft = False
        self.judgements = content.judgements
        self.medicines = content.medicines
        self.answers = content.answers
        self.details = content.details
        self.draft_number = content.draft_number
        self._at = at

    def make(self, edit: Edit, flags: Sequence[ReviewFlag]) -> Recorded:
        """Make one edit. flags: those of the version. Raises InputError where it cannot be made."""
        match edit.kind:
            case EditKind.CORRECT | EditKind.UNCORRECT:
                return self._correct(edit)
            case EditKind.MEDICINE:
                return self._medicine(edit)
            case EditKind.ANSWER_FLAG | EditKind.UNANSWER_FLAG:
                return self._answer(edit, flags)
            case EditKind.DETAILS:
                if edit.details is None:
                    raise InputError("it needs details.")
                self.details = edit.details
                return Recorded()
            case EditKind.CONTEXT:
                return self._context(edit)
            case _:
                return self._judge(edit)

    def back_to(self, then: VersionContent) -> None:
        """Everything as it was in an earlier version."""
        draft, request = self.parts.sources(then.draft_number)
        self.parts = self.parts._replace(draft=draft, request=request)
        self.request, self.redraft, self.draft_number = request, False, then.draft_number
        self.judgements, self.medicines = then.judgements, then.medicines
        self.answers, self.details = then.answers, then.details

    def _judge(self, edit: Edit) -> Recorded:
        request, concept = self._asked(), edit.concept_id
        verdict = VERDICTS[edit.kind]
        now = {one.concept_id: one.verdict for one in self.judgements}
        if verdict is None and concept not in now:
            raise InputError("nobody has judged this condition.")
        if now.get(concept) == verdict:
            raise InputError("it is judged like this already.")
        if verdict is Verdict.LEAD:
            now = {c: Verdict.CONFIRMED if v is Verdict.LEAD else v for c, v in now.items()}
        now.pop(concept, None)
        if verdict is not None:
            now[concept] = verdict
        self.judgements = tuple(Judgement(concept_id=c, verdict=v) for c, v in now.items())
        self._ask(with_judgements(request, self.judgements))
        return Recorded(concept=concept)

    def _correct(self, edit: Edit) -> Recorded:
        request, one = self._asked(), edit.correction
        if one is None:
            raise InputError("it needs a correction.")
        if request.text[one.start_char : one.end_char] != one.text:
            raise InputError("the note has other words at this place. Mark them again in the note.")
        others = tuple(c for c in request.corrections if (c.start_char, c.end_char) != (one.start_char, one.end_char))
        if edit.kind is EditKind.UNCORRECT:
            if len(others) == len(request.corrections):
                raise InputError("nothing is corrected at this place.")
            made = others
        else:
            made = (*others, one.model_copy(update={"author": edit.author, "at": self._at.isoformat()}))
        self._ask(request.model_copy(update={"corrections": made}))
        return Recorded(text=f"{one.text}: {one.kind.value}")

    def _medicine(self, edit: Edit) -> Recorded:
        if edit.medicine is None:
            raise InputError("it needs a medicine.")
        draft = self.parts.draft
        made = decided(draft.medicines, self.medicines, edit.medicine, edit.author, self._at, self.parts.linker)
        self.medicines = made.decisions
        return Recorded(text=made.after, earlier=made.before)

    def _answer(self, edit: Edit, flags: Sequence[ReviewFlag]) -> Recorded:
        others = tuple(one for one in self.answers if one.flag != edit.flag)
        if edit.kind is EditKind.UNANSWER_FLAG:
            if len(others) == len(self.answers):
                raise InputError("this alert has no answer.")
            self.answers = others
            return Recorded(flag=edit.flag)
        flag = next((one for one in flags if one.id == edit.flag), None)
        if flag is None:
            raise InputError(f"this version has no flag {edit.flag[:16]!r}.")
        if edit.answer is None:
            raise InputError("it needs an answer.")
        check_answer(edit.answer, flag)
        if edit.author == NOT_GIVEN:
            raise InputError("an answer to an alert needs the name of whoever gives it.")
        given = GivenAnswer(**edit.answer.model_dump(), flag=edit.flag, name=edit.author, at=self._at)
        self.answers = (*others, given)
        return Recorded(text=" ".join(filter(None, (given.code, given.words))), flag=edit.flag)

    def _context(self, edit: Edit) -> Recorded:
        request = self._asked()
        if edit.context is None:
            raise InputError("it needs a context.")
        given = {name: getattr(edit.context, name) for name in edit.context.model_fields_set}
        given = {name: value for name, value in given.items() if value is not None}
        if all(getattr(request, name) == value for name, value in given.items()):
            raise InputError("the letter is written from this already.")
        self._ask(request.model_copy(update=given))
        return Recorded(text=", ".join(given))

    def _asked(self) -> DraftRequest:
        if self.request is None:
            raise InputError(NO_REQUEST)
        return self.request

    def _ask(self, request: DraftRequest) -> None:
        self.request, self.redraft = request, True


def check_answer(answer: FlagAnswer, flag: Flag) -> None:
    """Refuse what is no answer to an alert.

    Raises:
        InputError: the code is unknown, is not for alerts of this kind, or asks for words and has none that say something.
    """
    kind = next((one for one in FLAG_ANSWERS if one.code == answer.code), None)
    if kind is None:
        raise InputError("this is no answer to an alert. GET /v1/flag-answers lists them.")
    if kind.fits and flag.kind not in kind.fits:
        raise InputError(f"the answer {kind.label!r} does not fit this alert. Choose another one.")
    if kind.needs_words and not says_why(answer.words):
        raise InputError(f"the answer {kind.label!r} needs a few words that say why.")


def judgements_of(request: DraftRequest | None) -> tuple[Judgement, ...]:
    """The verdicts that a request came with."""
    if request is None:
        return ()
    confirmed = [Judgement(concept_id=c, verdict=Verdict.CONFIRMED) for c in request.confirmed_conditions]
    if request.leading_condition:
        confirmed.append(Judgement(concept_id=request.leading_condition, verdict=Verdict.LEAD))
    out = [Judgement(concept_id=c, verdict=Verdict.RULED_OUT) for c in request.ruled_out_conditions]
    return tuple({one.concept_id: one for one in (*confirmed, *out)}.values())


def with_judgements(request: DraftRequest, judgements: Sequence[Judgement]) -> DraftRequest:
    """The request with the verdicts; the leading condition comes first."""
    lead = [one.concept_id for one in judgements if one.verdict is Verdict.LEAD]
    confirmed = [one.concept_id for one in judgements if one.verdict is Verdict.CONFIRMED]
    out = [one.concept_id for one in judgements if one.verdict is Verdict.RULED_OUT]
    update = {"confirmed_conditions": (*lead, *confirmed), "ruled_out_conditions": tuple(out)}
    return request.model_copy(update={**update, "leading_condition": "".join(lead[:1])})


def to_draft(request: DraftRequest, judgements: Sequence[Judgement], draft: Draft) -> DraftRequest:
    """What the pipeline is asked: a past condition is corrected as past wherever the note has it as the patient's, else ruled out.

    draft: the one before, by whose reading the note's mentions are found.
    """
    past = [one.concept_id for one in judgements if one.verdict is Verdict.PAST]
    made: list[Correction] = []
    absent: list[str] = []
    for concept in past:
        places = _places(concept, draft)
        made += [
            Correction(start_char=a, end_char=b, text=draft.note.text[a:b], kind=CorrectionKind.PAST)
            for a, b in places
            if 0 < b - a <= 500
        ]
        if not places:
            absent.append(concept)
    own = {(one.start_char, one.end_char) for one in request.corrections}
    derived = [one for one in made if (one.start_char, one.end_char) not in own]
    return request.model_copy(
        update={
            "corrections": (*derived, *request.corrections)[-500:],
            "ruled_out_conditions": (*request.ruled_out_conditions, *absent),
        }
    )


def _places(concept: str, draft: Draft) -> list[tuple[int, int]]:
    mentions = [m for m in draft.note.mentions if m.concept_id == concept and m.assertion not in _NOT_ITS_OWN]
    places = {(m.start_char, m.end_char) for m in mentions}
    condition = next((c for c in draft.conditions if c.concept_id == concept), None)
    for reason in condition.because if condition else ():
        if reason.relation == NAMED and reason.start_char is not None and reason.end_char is not None:
            places.add((reason.start_char, reason.end_char))
    return sorted(places)


RULED_OUT = "its condition was ruled out"


def judged(sentence: ReviewedSentence, concept_id: str, status: ConditionStatus) -> ReviewedSentence:
    """The sentence after a verdict in a letter that cannot be drafted anew; one not written for the condition stays as it is."""
    if sentence.rests_on != concept_id:
        return sentence
    if status == ConditionStatus.CONFIRMED:
        return _confirmed(sentence)
    if sentence.deleted:
        return sentence
    return sentence.model_copy(update={"deleted": True, "deleted_reason": RULED_OUT})


def _confirmed(sentence: ReviewedSentence) -> ReviewedSentence:
    """The mark 'possible' goes; a sentence that went when the condition was ruled out comes back."""
    update: dict[str, object] = {"condition_id": None}
    if sentence.basis == Basis.POSSIBLE:
        update["basis"] = Basis.PATIENT if any(c.startswith("N") for c in sentence.citations) else Basis.GENERAL
    if sentence.deleted_reason == RULED_OUT:
        update |= {"deleted": False, "deleted_reason": ""}
    return sentence.model_copy(update=update)
