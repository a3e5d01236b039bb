"""What code makes of a model's sentence: its basis, what may carry it, gaps, conditions, and what the citation says otherwise."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.generation.model.citation_proposal import Proposer
from backend.generation.model.reply_reading import SentenceReader
from backend.generation.model.reply_stream import ReplySentence
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, GraphItem, Passage, ReasoningPath, Step
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, ConditionStatus, Document, SemanticGroup, Source, Support
from backend.verification.fit.medication_orders import claims_of_patient, orders_medicine
from backend.verification.support.support import CitedTextVerifier

# N1 allergy, N2 warfarin, N3 gout, N4 no fever, N5 cough, N6 stopped naproxen; from the ward: N7 course, N8 list for home
NOTE = (
    "Allergies: lisinopril (rash)\n\nHistory of Present Illness: She takes warfarin 5 mg daily. She has gout. She denies fever. Her "
    "cough resolved. She stopped naproxen last week."
)
COURSE, HOME = "Furosemide was started.", "amoxicillin 500 mg"
BOOK = "Heart failure can make your legs swell. Ibuprofen can worsen heart failure. Colchicine helps in gout."
Read = Callable[..., WrittenSentence | None]


def condition(name: str, status: ConditionStatus = ConditionStatus.POSSIBLE, **fields: Any) -> Condition:
    return Condition(concept_id=f"T:{name.replace(' ', '-')}", name=name, score=1.0, status=status, **fields)


@pytest.fixture
def reader(tiny_linker: DictionaryLinker, encoder: Any) -> Callable[..., SentenceReader]:
    def make(
        document: Document = Document.DISCHARGE_INSTRUCTIONS,
        conditions: tuple[Condition, ...] = (),
        paragraph: bool = False,
        refused: tuple[str, ...] = (),
        propose: bool = False,
    ) -> SentenceReader:
        request = DraftRequest(text=NOTE, hospital_course=COURSE, discharge_medicines=(HOME,))
        linked = tiny_linker.link(NOTE)
        book = Passage(
            id="P1",
            source=Source.BOOK,
            document_id="d",
            title="Book",
            text=BOOK,
            start_char=0,
            end_char=9,
            concept_id="T:pneumonia",
        )
        steps = (Step(relation="", concept_id="T:fever", name="fever", group=SemanticGroup.DISO),)
        path = ReasoningPath(
            id="K1",
            keyword="fever",
            steps=steps,
            score=1.0,
            text="t",
            supported_text="Fever speaks for pneumonia.",
            condition_id="T:pneumonia",
        )
        evidence = Evidence(
            paths=(path,),
            graph=(GraphItem(id="G1", concept_id="T:gout", text="Gout is a disease of the joints."),),
            passages=(book,),
            notes=NotePieces(tiny_linker, {}).pieces(linked, request),
        )
        proposer = Proposer(tiny_linker, encoder, linked, evidence, refused) if propose else None
        made = SentenceReader(document, paragraph, tiny_linker, linked, conditions, evidence, refused, proposer)
        made.evidence = evidence  # type: ignore[attr-defined]
        return made

    return make


def test_a_sentence_that_cites_the_note_speaks_of_the_patient_and_others_are_general(reader: Any) -> None:
    read = reader().read
    assert read(ReplySentence("Gout hurts [N3].", "s")).basis == Basis.PATIENT
    assert read(ReplySentence("Gout is a disease of the joints [G1].", "s")).basis == Basis.GENERAL
    assert read(ReplySentence("Gout hurts.", "s")).basis == Basis.GENERAL


def test_what_was_found_in_this_patient_needs_the_patient_s_notes(reader: Any) -> None:
    found = reader().read(ReplySentence("You had leg swelling [P1, G1, P77].", "s"))
    assert found.basis == Basis.PATIENT
    assert found.citations == ("P77",)  # what does not exist stays, for the pipeline to count


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Take furosemide 40 mg each day [P1].", ()),
        ("You stopped naproxen last week [N6].", ("N6",)),
        ("Do not take warfarin [P1].", ()),  # a warning off what the patient takes is an order to stop it
        ("Do not take ibuprofen in heart failure [P1].", ("P1",)),
        ("Furosemide was started [N7].", ("N7",)),
        ("Take amoxicillin 500 mg [N8].", ("N8",)),  # the team's list for home
        ("Your team may decide to give colchicine [P1].", ("P1",)),
        ("You are allergic to lisinopril [N1].", ("N1",)),
        ("You had no fever [N4].", ("N4",)),
    ],
)
def test_a_citation_of_a_book_carries_no_order(reader: Any, text: str, kept: tuple[str, ...]) -> None:
    assert reader().read(ReplySentence(text, "s")).citations == kept


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("Stop warfarin today [N2].", "N2", "taken, not stopped"),
        ("Stop amoxicillin [N8].", "N8", "taken, not stopped"),
        ("You are not allergic to lisinopril [N1].", "N1", "lists the allergy"),
        ("Lisinopril is safe for you [N1].", "N1", "lists an allergy"),
        ("Ibuprofen is safe in heart failure [P1].", "P1", "risky, not safe"),
        ("You do not have gout [N3].", "N3", "states: gout"),
        ("Your gout was cured [N3].", "N3", "does not say that it is over"),
    ],
)
def test_a_sentence_whose_citation_says_the_contrary_keeps_it_and_is_unsupported(
    reader: Any, tiny_linker: DictionaryLinker, encoder: Any, text: str, cited: str, why: str
) -> None:
    """So that a clinician sees both side by side."""
    read = reader()
    sentence = read.read(ReplySentence(text, "s"))
    assert sentence.citations == (cited,)
    (verdict,) = CitedTextVerifier(tiny_linker, encoder).verify([sentence], tiny_linker.link(NOTE), read.evidence)
    assert (verdict.support, verdict.score) == (Support.UNSUPPORTED, 0.0)
    assert why in verdict.reason


def test_an_answer_to_a_clinician_may_say_what_to_give(reader: Any) -> None:
    assert reader(Document.CLINICAL_ANSWER).read(ReplySentence("Give colchicine [P1].", "s")).citations == ("P1",)


def test_what_rests_on_an_unconfirmed_condition_is_possible_and_names_it(reader: Any) -> None:
    read = reader(conditions=(condition("pneumonia"),)).read
    for text in ("Pneumonia is possible [N5].", "Rest helps the lungs [P1].", "Fever can speak for it [K1]."):
        found = read(ReplySentence(text, "s"))
        assert (found.basis, found.condition_id) == (Basis.POSSIBLE, "T:pneumonia")
    # "you had" claims it: without the note it is no possibility but a claim nobody carries
    claimed = read(ReplySentence("You had pneumonia [P1].", "s"))
    assert (claimed.basis, claimed.citations, claimed.condition_id) == (Basis.PATIENT, (), "T:pneumonia")
    assert read(ReplySentence("You may have pneumonia [P1].", "s")).basis == Basis.POSSIBLE


@pytest.mark.parametrize(
    ("text", "status", "fields", "basis"),
    [
        ("Gout hurts [P1].", ConditionStatus.CONFIRMED, {}, Basis.GENERAL),
        ("Gout hurts [P1].", ConditionStatus.POSSIBLE, {"historical": True}, Basis.GENERAL),
        ("Gout hurts [P1].", ConditionStatus.POSSIBLE, {"historical": True, "focus": True}, Basis.POSSIBLE),
        # the patient's own note says it: no guess of the program, unless the sentence itself says that it guesses
        ("You have gout [N3].", ConditionStatus.POSSIBLE, {}, Basis.PATIENT),
        ("This may be gout [N3].", ConditionStatus.POSSIBLE, {}, Basis.POSSIBLE),
    ],
)
def test_a_condition_that_is_confirmed_or_that_the_note_names_is_no_guess(
    reader: Any, text: str, status: ConditionStatus, fields: dict[str, bool], basis: Basis
) -> None:
    assert reader(conditions=(condition("gout", status, **fields),)).read(ReplySentence(text, "s")).basis == basis


def test_a_sentence_that_names_a_ruled_out_condition_goes_and_a_denial_stays(reader: Any) -> None:
    one = reader(conditions=(condition("pneumonia", ConditionStatus.RULED_OUT),))
    assert one.read(ReplySentence("Pneumonia is possible [N5].", "s")) is None
    assert one.left_out == 1
    assert one.read(ReplySentence("No pneumonia was found.", "s")).text == "No pneumonia was found."


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("[team to complete: weight at discharge]", "[team to complete: weight at discharge]"),
        ("[Team to complete weight]. [N1]", "[team to complete: weight]"),
        ("[team to complete: give 5 of it]", "team to complete: give 5 of it"),
        ("[team to complete: warfarin]", "team to complete: warfarin"),
        ("[Give naproxen now]", "Give naproxen now"),
        ("[a] Give naproxen [now].", "a Give naproxen now."),
        ("[possible: confirm] This may be gout.", "This may be gout."),
        ("Walk [team to complete: how far] each day.", "Walk [team to complete: how far] each day."),
    ],
)
def test_only_a_gap_stays_in_brackets(reader: Any, text: str, wording: str) -> None:
    assert reader().read(ReplySentence(text, "s")).text == wording


@pytest.mark.parametrize("text", ["", " ** ", "[N1]", "---", "![]()"])
def test_what_says_nothing_is_no_sentence(reader: Any, text: str) -> None:
    assert reader().read(ReplySentence(text, "s")) is None


def test_a_sentence_without_a_citation_gets_one_proposed_and_is_marked(reader: Any) -> None:
    one = reader(propose=True)
    found = one.read(ReplySentence("She suffers from gout.", "s"))
    assert (found.citations, found.proposed, one.proposed) == (("N3",), True, 1)
    assert one.read(ReplySentence("Gout is a disease of the joints.", "s")).citations == ("G1",)
    assert one.read(ReplySentence("Zebras graze.", "s")).citations == ()
    cited = one.read(ReplySentence("Gout hurts [G1].", "s"))
    assert (cited.citations, cited.proposed) == (("G1",), False)


def test_what_speaks_of_the_patient_is_proposed_the_patient_s_notes_alone(reader: Any) -> None:
    assert reader(propose=True).read(ReplySentence("You had leg swelling.", "s")).citations == ()
    assert reader(propose=True).read(ReplySentence("Heart failure makes legs swell.", "s")).citations == ("P1",)


def test_refused_evidence_carries_nothing_and_is_never_proposed(reader: Any) -> None:
    one = reader(refused=("N3", "G1"), propose=True)
    assert one.read(ReplySentence("You have gout [N3].", "s")).citations == ()  # nor is better evidence looked for
    assert one.read(ReplySentence("She has gout.", "s")).citations != ("N3",)


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Call your doctor at once if you faint.", "When to get help"),
        ("Tell your doctor at your next visit if your knee locks.", "When to get help"),
        ("See your doctor in a week.", "Follow-up"),
        ("You are allergic to lisinopril.", "Staying safe"),
        ("Furosemide removes extra water.", "Your medicines"),
        ("Eat little salt.", "Food and drink"),
        ("Walk a little each day.", "Activity"),
        ("You came because of a cough.", "Why you came"),
    ],
)
def test_a_paragraph_s_sentences_find_their_part(reader: Any, text: str, section: str) -> None:
    assert reader(paragraph=True).read(ReplySentence(text, "Before")).section == section


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Take furosemide 40 mg twice a day.", True),
        ("You may stop all medicines.", True),
        ("furosemide 40 mg", True),
        ("Insulin is started now.", True),
        ("Take a short walk each day.", False),
        ("Ask your heart doctor before you skip a water pill.", False),
        ("Drink little alcohol while you take pills for gout.", False),
        ("Furosemide removes extra water.", False),
    ],
)
def test_orders_about_medicines_are_distinguished_from_knowledge(
    tiny_linker: DictionaryLinker, text: str, orders: bool
) -> None:
    assert orders_medicine(text, tiny_linker.link(text).note.mentions, ()) is orders


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Do not take warfarin.", True),
        ("Do not take warfarin on your own.", False),
        ("Never stop warfarin without asking.", False),
        ("Never take warfarin.", True),
    ],
)
def test_what_is_forbidden_only_on_ones_own_is_no_order_to_stop_what_is_taken(
    tiny_linker: DictionaryLinker, text: str, orders: bool
) -> None:
    mentions = tiny_linker.link(text).note.mentions
    taken = {mention.concept_id for mention in mentions}
    assert orders_medicine(text, mentions, taken) is orders


def test_what_may_be_is_no_claim_of_what_was() -> None:
    assert claims_of_patient("Your blood pressure was high.")
    assert claims_of_patient("The patient is healthy.")
    assert not claims_of_patient("Tell your surgeon that you had a wound.")
    assert not claims_of_patient("Call for help if your blood pressure is above 180.")
