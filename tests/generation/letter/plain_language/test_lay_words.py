"""The rows of lay words: each says the same, in few and known words, and stands in a sentence."""

import re

import pytest

from backend.generation.letter.plain_language.everyday import jargon
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.plain_terms import PlainTerms
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.plain_words import plain_words
from backend.schemas.record import ProblemStatement, RecordSpan
from backend.schemas.vocabulary import Category

_ROWS = rule_rows(RULES / "letter" / "lay_words.tsv", 3)
_MOST_WORDS = 6
_NONE = PlainTerms([], {})


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def test_every_row_is_said_in_a_sentence() -> None:
    for written, _, plain in _ROWS:
        said = _NONE.said(f"it: {written}, today", 0)
        assert plain.lower() in said.lower(), written


def test_plain_sides_are_short_and_hold_no_jargon() -> None:
    for written, _, plain in _ROWS:
        assert len(plain.split()) <= _MOST_WORDS, written
        assert not jargon(f"x {plain}"), written
        assert not _NONE.residue(f"you {plain}"), written


def test_a_written_form_stands_once_and_no_plain_side_is_said_otherwise() -> None:
    rows = plain_words()
    lay = [written.lower() for written, _, _ in _ROWS]
    assert len(lay) == len(set(lay))
    assert not set(lay) & {row.written.lower() for row in rows[: len(rows) - len(lay)]}
    plain_of = {row.written.lower(): row.plain.lower() for row in rows}
    for row in rows:
        assert plain_of.get(row.plain.lower(), row.plain.lower()) == row.plain.lower(), row


def test_numbers_and_sides_stay() -> None:
    for written, _, plain in _ROWS:
        assert set(re.findall(r"\d", plain)) == set(re.findall(r"\d", written)), written
        if not written.isupper():
            assert {"left", "right"} & _words(plain) == {"left", "right"} & _words(written), written


def test_a_denial_or_doubt_that_is_written_stays() -> None:
    own = lists()
    for written, _, plain in _ROWS:
        denied = own["negations"] | own["denials"]
        assert not denied & _words(written) or denied & _words(plain), written
        if not own["doubts"] & _words(written) <= _words(plain):
            assert written == "consistent with" and plain == "in keeping with"


def test_a_verb_of_a_known_form_gets_a_verb_of_that_form() -> None:
    forms: dict[str, set[int]] = {}
    for verb in verbs().values():
        for i, form in enumerate(verb[:4]):
            forms.setdefault(form, set()).add(i)
    for written, _, plain in _ROWS:
        mine, other = forms.get(written), forms.get(plain.split()[0])
        if mine is not None and other is not None:
            assert mine & other, written


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("The scan reveals a mass; it revealed more", "The scan shows a mass; it showed more"),
        ("urinates, urinated and urinating", "passes urine, passed urine and passing urine"),
        ("pain radiates to the jaw", "pain spreads to the jaw"),
        ("pain radiated to the jaw", "pain spread to the jaw"),
        ("pain radiating to the jaw", "pain spreading to the jaw"),
        ("requires oxygen, required oxygen, requiring oxygen", "needs oxygen, needed oxygen, needing oxygen"),
        ("lesion and lesions", "abnormal spot and abnormal spots"),
        ("ureter and ureters", "urine tube from the kidney and urine tubes from the kidneys"),
        ("resumed and resuming", "restarted and restarting"),
        ("recurs and recurred", "comes back and came back"),
    ],
)
def test_inflected_forms_have_their_rows(written: str, plain: str) -> None:
    assert _NONE.said(written, 0) == plain


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        # the whole body
        ("She was in no acute distress.", "She was in no distress."),
        ("He is alert and oriented to person, place and time.", "He is alert and clear about person, place and time."),
        ("He had rigors and malaise.", "He had shaking chills and general ill feeling."),
        ("No clubbing, cyanosis or edema.", "No widening of the fingertips, blue tinge of the skin or swelling."),
        # eyes, ears, nose and throat
        ("Extraocular movements are intact.", "Eye movements are normal."),
        ("Pupils are reactive to light.", "Pupils are responding to light."),
        ("The tympanic membranes were red.", "The eardrums were red."),
        ("She has otalgia and rhinorrhea.", "She has ear pain and runny nose."),
        ("There was a tonsillar exudate.", "There was a coating on the tonsils."),
        # heart and vessels
        ("Heart has a regular rate and rhythm.", "Heart has a regular rate and beat."),
        ("There are no carotid bruits.", "There are no whooshing sounds in neck arteries."),
        ("He had palpitations with exertion.", "He had pounding or fluttering heartbeat with physical effort."),
        ("He had a pulmonary embolism.", "He had a blood clot in the lung."),
        # lungs
        ("Lungs are clear to auscultation bilaterally.", "Lungs are clear on both sides on listening."),
        ("A productive cough and a pleural effusion.", "A cough with phlegm and fluid around the lung."),
        ("She was hypoxic on room air.", "She was low in oxygen without extra oxygen."),
        ("No rales or rhonchi.", "No crackling sounds or rattling sounds."),
        # belly
        ("The abdomen is soft, nontender and nondistended.", "The belly is soft, not tender and not swollen."),
        ("Right lower quadrant pain since noon.", "Pain in the lower right belly since noon."),
        ("She had cholelithiasis.", "She had gallstones."),
        ("He has left flank pain.", "He has pain in the left side."),
        # kidneys and urine
        ("He had nephrolithiasis and hematuria.", "He had kidney stones and blood in the urine."),
        ("She reports nocturia.", "She reports passing urine at night."),
        ("A Foley catheter was placed.", "A bladder tube was placed."),
        # pregnancy
        ("At 20 weeks gestation.", "At 20 weeks of pregnancy."),
        ("Her menses are regular.", "Her periods are regular."),
        # bones and joints
        ("She has a nondisplaced fracture of the humerus.", "She has a break still in place of the upper arm bone."),
        ("Full range of motion of the knee.", "Full ability to move of the knee."),
        ("He had a total knee arthroplasty.", "He had a knee replacement."),
        # nerves and mind
        ("She had dysarthria and expressive aphasia.", "She had slurred speech and trouble finding words."),
        ("No focal neurologic deficits.", "No local signs of nerve damage."),
        ("He denies suicidal ideation.", "He denies thoughts of suicide."),
        ("Right hemiparesis after a CVA.", "Weakness on the right side after a stroke."),
        # skin and wounds
        ("An erythematous rash with pruritus.", "A red rash with itching."),
        ("The sutures were removed.", "The stitches were removed."),
        # blood, hormones, infections
        ("She had leukocytosis and hyponatremia.", "She had high white blood cell count and low sodium."),
        ("Blood cultures were drawn.", "Blood tests for germs were drawn."),
        ("He has hypothyroidism.", "He has low thyroid function."),
        # operations, tests and course
        ("He remained intubated.", "He remained on a breathing tube."),
        ("A laparoscopic appendectomy was performed.", "A keyhole appendix removal was done."),
        ("She was noted to have a fever.", "She was found to have a fever."),
        ("Her symptoms resolved spontaneously.", "Her symptoms went away by themselves."),
        ("She was brought for further evaluation.", "She was brought for further checks."),
        ("Transient weakness of the LLE.", "Short-lived weakness of the left leg."),
    ],
)
def test_sentences_of_many_specialties(written: str, plain: str) -> None:
    assert _NONE.said(written, 0) == plain


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("a palpable mass", "a lump that can be felt"),
        ("a palpable cord", "a palpable cord"),
        ("bilateral crackles", "crackling sounds on both sides"),
        ("The rash is bilateral.", "The rash is on both sides."),
        ("a nontender lymph node", "a nontender lymph node"),
        ("The node was nontender in the clinic", "The node was not tender in the clinic"),
    ],
)
def test_an_adjective_that_cannot_stand_before_a_noun_stays_there(written: str, plain: str) -> None:
    assert _NONE.said(written, 0) == plain


def test_a_phrase_goes_over_the_end_of_a_line() -> None:
    assert _NONE.said("he was noted\n  to have a cough", 0) == "he was found to have a cough"


def test_a_capital_within_a_sentence_is_not_kept() -> None:
    assert _NONE.said("Otolaryngologist and your Otolaryngologist", 0) == (
        "Ear, nose and throat doctor and your ear, nose and throat doctor"
    )


def _read(text: str, name: str, at: int, category: Category) -> ProblemStatement:
    start = text.index(name, at)
    span = RecordSpan(start_char=start, end_char=start + len(name), text=name)
    return ProblemStatement(id="problem-1", concept_id="T:x", name=name, category=category, spans=(span,))


def test_a_phrase_that_holds_a_whole_name_is_said_and_one_that_cuts_it_is_not() -> None:
    text = "right lower quadrant pain"
    held = PlainTerms([_read(text, "pain", 0, Category.SYMPTOM)], {})
    assert held.said(text, 0) == "pain in the lower right belly"
    text = "thoracic back pain syndrome"
    cut = PlainTerms([_read(text, "pain syndrome", 0, Category.DISEASE)], {})
    assert cut.said(text, 0) == text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ice, compression, and elevation", "ice, compression, and elevation"),
        ("elevation of the leg", "keeping the leg raised"),
        ("an elevation in liver enzymes", "a rise in"),
    ],
)
def test_a_limb_is_raised_and_a_value_rises(written: str, said: str) -> None:
    assert said in _NONE.said(written, 0)
