"""What was retrieved, as it speaks for and against the options of a question."""

import pytest

from backend.generation.composer.answers.against import Advice, Direction, Named
from backend.generation.composer.answers.asked import Asked, Thing, stems
from backend.generation.composer.answers.option_evidence import (
    ADVISED_AGAINST,
    NEAREST,
    Given,
    OptionRead,
    OptionText,
    concepts_of,
    given_for,
    gives,
    options_of,
    texts_of,
    warned_of,
)
from backend.generation.composer.material import Material, PassageReader
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.evidence import Evidence, GraphItem, Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Category, Document, Source

GOUT = Thing(frozenset({"gout"}), (stems("gout"),), True, Category.DISEASE, concept="gout")
GIVEN = Given((GOUT,), frozenset(), (GOUT,))


def text(direction: Direction, *concepts: str, id: str = "G1", advice: tuple[Advice, ...] = ()) -> OptionText:
    named = frozenset(concepts)
    words = frozenset(concepts)
    return OptionText(id, words, words, words, named, named, direction, advice, fact=not advice)


def option(letter: str, name: str, *above: str) -> OptionRead:
    named = frozenset({name})
    return OptionRead(letter, name, named, stems(name), named, named, frozenset({name, *above}))


def test_options_are_read_with_their_letters_and_without_the_words_of_the_question(
    tiny_linker: DictionaryLinker,
) -> None:
    request = DraftRequest(
        question="Which dose of warfarin, or what else?",
        options=("warfarin daily", "ibuprofen", "rest"),
        document=Document.CLINICAL_ANSWER,
    )
    warfarin, ibuprofen, rest = options_of(request, tiny_linker, lambda one: {"T:NSAID"} if "ibu" in one else ())
    assert [one.letter for one in (warfarin, ibuprofen, rest)] == ["A", "B", "C"]
    assert ("warfarin" in warfarin.words, warfarin.asked_for, warfarin.concepts) == (False, frozenset(), {"T:warfarin"})
    assert ibuprofen.kinds == {"T:ibuprofen", "T:NSAID"}
    assert (rest.concepts, rest.kinds) == (frozenset(), frozenset())


def test_a_text_without_names_has_no_concept(tiny_linker: DictionaryLinker) -> None:
    assert concepts_of(tiny_linker, "Warfarin or furosemide?") == {"T:warfarin", "T:furosemide"}
    assert concepts_of(tiny_linker, "") == frozenset()


@pytest.mark.parametrize(
    ("direction", "concepts", "found"),
    [
        (Direction.HELPS, ("colchicine", "gout"), True),
        (Direction.HARMS, ("colchicine", "gout"), False),
        (Direction.HELPS, ("naproxen", "gout"), False),
        (Direction.HELPS, ("colchicine", "asthma"), False),
    ],
)
def test_a_text_gives_an_option_only_for_the_thing_it_is_about(
    direction: Direction, concepts: tuple[str, ...], found: bool
) -> None:
    assert gives(text(direction, *concepts), option("A", "colchicine"), GOUT) is found


def test_an_option_that_harms_what_the_patient_has_is_warned_of_with_what_says_so() -> None:
    options = [option("A", "ibuprofen", "NSAID"), option("B", "colchicine")]
    harm = [text(Direction.HARMS, "ibuprofen", "gout", id=f"G{n}") for n in range(1, NEAREST + 3)]
    found = warned_of(options, harm, GIVEN, {}, ())
    assert found == {"A": (ADVISED_AGAINST, ("G1", "G2", "G3"))}
    assert warned_of(options, harm, GIVEN, {}, {"A"}) == {}  # a forbidden one is said elsewhere
    assert warned_of(options, harm, Given((), frozenset(), ()), {}, ()) == {}  # the patient has none of it


def test_what_is_said_against_a_class_of_which_all_are_says_nothing() -> None:
    against = [text(Direction.HARMS, "NSAID", "gout")]
    ibuprofen, naproxen = option("A", "ibuprofen", "NSAID"), option("B", "naproxen", "NSAID")
    assert warned_of([ibuprofen, naproxen], against, GIVEN, {}, ()) == {}
    assert set(warned_of([ibuprofen, option("B", "colchicine")], against, GIVEN, {}, ())) == {"A"}


def test_a_text_that_gives_the_option_itself_outweighs_what_is_said_against_its_class() -> None:
    options = [option("A", "ibuprofen", "NSAID"), option("B", "colchicine")]
    against = [text(Direction.HARMS, "NSAID", "gout")]
    helps = [text(Direction.HELPS, "ibuprofen", "gout", id="G2")]
    assert warned_of(options, against, GIVEN, {}, (), helps) == {}


def test_advice_in_words_counts_where_its_harm_is_the_patient_s() -> None:
    def advice(harm: str) -> OptionText:
        one = Advice(Named(frozenset({"ibuprofen"}), frozenset()), Named(frozenset({harm}), frozenset()))
        return text(Direction.NEITHER, "ibuprofen", "gout", id="P1", advice=(one,))

    options = [option("A", "ibuprofen"), option("B", "colchicine")]
    assert set(warned_of(options, [advice("gout")], GIVEN, {}, ())) == {"A"}
    assert warned_of(options, [advice("asthma")], GIVEN, {}, ()) == {}


def test_a_caution_of_the_safety_check_is_told_without_a_citation() -> None:
    assert warned_of([option("A", "warfarin")], [], GIVEN, {"A": "It interacts."}, ()) == {"A": ("It interacts", ())}


def material(
    linker: DictionaryLinker, note: str, evidence: Evidence, blocked: frozenset[str] = frozenset()
) -> Material:
    return Material(linker.read(note), (), evidence, PassageReader(linker), blocked)


def test_retrieved_texts_come_passages_first_and_leave_out_what_the_patient_reacts_to(
    tiny_linker: DictionaryLinker,
) -> None:
    words = "Furosemide removes water. Lisinopril helps the heart."
    passage = Passage(
        id="P1", source=Source.BOOK, document_id="d", title="Heart failure: Medicines", text=words, start_char=0,
        end_char=len(words), section="Medicines", concept_id="T:heart-failure",
    )  # fmt: skip
    fact = GraphItem(
        id="G1", concept_id="T:heart-failure", text="Heart failure is treated by furosemide.", relation="treated_by",
        tail_id="T:furosemide", tail_name="furosemide",
    )  # fmt: skip
    evidence = Evidence(passages=(passage,), graph=(fact,))
    every = list(texts_of(material(tiny_linker, "Cough.", evidence), by_edge=False))
    assert [(one.id, one.direction, one.fact) for one in every] == [
        ("P1", Direction.HELPS, False),
        ("P1", Direction.HELPS, False),
        ("G1", Direction.HELPS, True),
    ]
    assert "T:heart-failure" in every[0].around and "T:heart-failure" not in every[0].concepts
    free = list(texts_of(material(tiny_linker, "Cough.", evidence, frozenset({"T:lisinopril"})), by_edge=False))
    assert [one.id for one in free] == ["P1", "G1"]


def test_something_is_given_for_what_the_question_names_before_what_the_note_holds(
    tiny_linker: DictionaryLinker,
) -> None:
    held = material(tiny_linker, "HPI: gout and pneumonia.", Evidence())
    asked = Asked(None, (), (GOUT._replace(last=True),), True)
    found = given_for(asked, held, lambda one: ())
    assert [one.concept for one in found.problems] == ["gout"]
    assert {one.concept for one in found.held} == {"gout", "T:gout", "T:pneumonia"}
    noted = given_for(Asked(None, (), (), True), held, lambda one: ())
    assert {one.concept for one in noted.problems} == {"T:gout", "T:pneumonia"}
    negated = given_for(Asked(None, (), (GOUT._replace(assertion=Assertion.NEGATED),), True), held, lambda one: ())
    assert "gout" not in {one.concept for one in negated.held}
