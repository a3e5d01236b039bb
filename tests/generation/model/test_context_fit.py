"""What goes when a prompt does not fit: the lowest ranked first, the note never, and all of it is told."""

import pytest

from backend.errors import EngineError, InputError
from backend.generation.model.context_fit import fitted
from backend.generation.model.prompt_material import PromptMaterial, path_line
from backend.nlp.extraction.linker import DictionaryLinker
from backend.prompts.draft_prompts import DISCHARGE
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, GraphItem, NotePiece, Passage, ReasoningPath, Step
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Dropped
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT
from backend.schemas.vocabulary import Basis, SemanticGroup, Source
from backend.verification.support.cited import SourceReader
from models.llm.engine_scripted import Scripted

NOTE = "Chief Complaint: cough and fever\n\nHistory of Present Illness: She has dyspnea. She denies chest pain.\n"
VALUES = {"headings": "H", "words": 250, "example": "worked example " * 20}


def earlier(number: int, date: str | None, text: str, kind: str = "Nursing") -> NotePiece:
    return NotePiece(
        id=f"N{number}", note_type=kind, section="Plan", date=date, text=text, start_char=0, end_char=len(text)
    )


def material(linker: DictionaryLinker, note: str = NOTE) -> PromptMaterial:
    request = DraftRequest(text=note)
    linked = linker.link(note)
    passages = tuple(
        Passage(
            id=f"P{i}",
            source=Source.BOOK,
            document_id="d",
            title="Title",
            text=f"passage {i} " * 20,
            start_char=0,
            end_char=9,
        )
        for i in range(1, 5)
    )
    graph = tuple(GraphItem(id=f"G{i}", concept_id="c", text=f"fact {i} " * 20) for i in range(1, 3))
    notes = (
        *NotePieces(linker, {}).pieces(linked, request),
        earlier(20, "2031-01-02", "old " * 20),
        earlier(21, "2031-01-05", "new " * 20),
        earlier(22, None, "undated " * 20),
        earlier(23, "2031-01-01", "allergic to latex " * 10),
        earlier(24, None, "summary " * 20, PREVIOUS_VISIT),
    )
    return PromptMaterial(request, linked, (), Evidence(passages=passages, graph=graph, notes=notes))


def test_what_a_model_wrote_of_a_fact_is_shown_and_supports_nothing(tiny_linker: DictionaryLinker) -> None:
    fact = GraphItem(id="G1", concept_id="c", text="Gout is worsened by beer.", wording="Beer [P9] sets off gout.")
    linked = tiny_linker.link("HPI: gout.")
    evidence = Evidence(graph=(fact,))
    shown = PromptMaterial(DraftRequest(text="HPI: gout."), linked, (), evidence).data()["graph_facts"]
    assert shown == (
        "[G1] Gout is worsened by beer. (in a model's words, which support nothing: Beer (P9) sets off gout.)"
    )
    sentence = WrittenSentence(text="Beer sets off gout.", section="s", basis=Basis.GENERAL, citations=("G1",))
    assert SourceReader(tiny_linker, linked, evidence).texts(sentence) == ([], ["Gout is worsened by beer."])


def test_the_lowest_ranked_goes_first_and_the_patient_s_own_notes_last(tiny_linker: DictionaryLinker) -> None:
    # shares of the list: P4 and G2 are the last of theirs (1.0), then P3 (0.75), P2 and G1 (0.5), P1 (0.25)
    order = [item.id for item in material(tiny_linker).leaving]
    assert order == ["P4", "G2", "P3", "P2", "G1", "P1", "N22", "N20", "N21", "N23", "N24"]


def test_what_fits_is_given_whole(tiny_linker: DictionaryLinker) -> None:
    fit = fitted(Scripted("x", context=20_000), DISCHARGE, material(tiny_linker), VALUES)
    assert fit.dropped == ()
    assert fit.reply == DISCHARGE.longest
    assert all(f"[P{i}]" in fit.messages[1].content for i in range(1, 5))


def test_evidence_goes_until_the_rest_fits_and_is_counted_by_kind(tiny_linker: DictionaryLinker) -> None:
    whole = fitted(Scripted("x", context=20_000), DISCHARGE, material(tiny_linker), VALUES)
    # the reply takes a third; the two that go first hold some 42 words each, so that one less than two is not enough
    context = (Scripted("x").count_tokens(whole.messages) - 60) * 3 // 2
    model = Scripted("x", context=context)
    fit = fitted(model, DISCHARGE, material(tiny_linker), VALUES)
    assert fit.dropped == (Dropped("passages", 1, 4), Dropped("graph facts", 1, 2))
    assert fit.tokens + fit.reply <= context
    wording = fit.messages[1].content
    assert "[P4]" not in wording
    assert "[G2]" not in wording
    assert "[P3]" in wording
    assert "passages" not in fit.data or "[P4]" not in fit.data["passages"]


def test_the_note_stays_whole_and_the_example_goes_before_it(tiny_linker: DictionaryLinker) -> None:
    whole = fitted(Scripted("x", context=20_000), DISCHARGE, material(tiny_linker), VALUES)
    bare = material(tiny_linker)
    kept = DISCHARGE.messages(
        whole.fence, {k: v for k, v in bare.data({i.id for i in bare.leaving}).items() if k in DISCHARGE.data}, **VALUES
    )
    least = Scripted("x").count_tokens(kept)
    fit = fitted(Scripted("x", context=(least - 20) * 3 // 2), DISCHARGE, material(tiny_linker), VALUES)
    assert fit.dropped[-1] == Dropped("worked examples", 1, 1)
    assert "worked example" not in fit.messages[1].content
    for words in ("cough and fever", "She has dyspnea.", "She denies chest pain."):
        assert words in fit.messages[1].content


def test_a_note_that_alone_is_too_long_is_refused_with_the_figures(tiny_linker: DictionaryLinker) -> None:
    with pytest.raises(InputError, match=r"The note alone takes .* tokens .* reads 600 in all. Shorten the note"):
        fitted(Scripted("x", context=600), DISCHARGE, material(tiny_linker, NOTE + "She has a cough. " * 100), VALUES)


def test_few_counts_are_enough(tiny_linker: DictionaryLinker) -> None:
    class Counting(Scripted):
        counted = 0

        def count_tokens(self, messages: object) -> int:
            self.counted += 1
            return super().count_tokens(messages)  # type: ignore[arg-type]

    model = Counting("x", context=1100)
    assert fitted(model, DISCHARGE, material(tiny_linker), VALUES).dropped
    assert model.counted <= 7  # 11 pieces: one whole, four halvings, one that is sent, one without the example


def test_a_model_that_cannot_count_is_no_silent_guess(tiny_linker: DictionaryLinker) -> None:
    class Mute(Scripted):
        def count_tokens(self, messages: object) -> int:
            raise EngineError("unreachable")

    with pytest.raises(EngineError):
        fitted(Mute("x", context=1100), DISCHARGE, material(tiny_linker), VALUES)
    roomy = fitted(Mute("x", context=20_000), DISCHARGE, material(tiny_linker), VALUES)
    assert roomy.dropped == ()  # nobody need count where there cannot be more tokens than fit
    assert roomy.tokens >= Scripted("x").count_tokens(roomy.messages)


def test_every_word_of_the_note_is_given_even_where_no_piece_holds_it(tiny_linker: DictionaryLinker) -> None:
    linked = tiny_linker.link(NOTE)
    piece = NotePieces(tiny_linker, {}).pieces(linked, DraftRequest(text=NOTE))[1]
    wording = PromptMaterial(DraftRequest(text=NOTE), linked, (), Evidence(notes=(piece,))).data()["note"]
    assert wording.replace(f"[{piece.id}] ", "") == NOTE.strip()
    assert f"[{piece.id}] {piece.text}" in wording


def test_a_path_is_worded_as_in_the_paper_and_a_leap_says_so() -> None:
    steps = (
        Step(relation="", concept_id="a", name="dyspnea", group=SemanticGroup.DISO),
        Step(relation="finding_of", concept_id="b", name="heart failure", group=SemanticGroup.DISO, qualifier="acute"),
        Step(relation="cluster leap", concept_id="c", name="daily weight", group=SemanticGroup.ACTI, leap=True),
    )
    path = ReasoningPath(id="K1", keyword="dyspnea", steps=steps, score=1.0, text="t")
    assert path_line(path) == (
        "dyspnea [Disorders] → finding of (acute) → heart failure [Disorders] → (leap) → daily weight [Activities and behaviors]"
    )
