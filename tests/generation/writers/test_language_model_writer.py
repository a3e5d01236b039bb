"""The writer that is a language model: what it asks, what it gives while it writes, and what is kept when it breaks off."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from backend.errors import EngineError, TooLongError
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.model.repair import ModelRepairer
from backend.generation.writers.composer_writer import pasted
from backend.generation.writers.language_model_writer import ModelWriter, WriterSettings
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.chat import Completion, Finish, Message, Piece, SamplingParams
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, Passage
from backend.schemas.drafts.headings import DISCHARGE_HEADINGS
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Basis, Document, DraftStatus, Source
from backend.verification.support.support import CitedTextVerifier
from models.llm.engine_scripted import Dead, Scripted

NOTE = (
    "Chief Complaint: cough and fever\n\nHistory of Present Illness: She has dyspnea. She takes warfarin 5 mg daily.\n"
)
BOOK = "Pneumonia brings cough and fever. Rest helps the lungs to heal."
REPLY = (
    "Why you came\nYou came because of cough and fever [N1]. [team to complete: what was found]\nActivity\nRest helps "
    "the lungs to heal. [P1][P9]\n"
)


class Breaks(Scripted):
    """Writes so many words, then breaks off."""

    def __init__(self, reply: str, words: int) -> None:
        super().__init__(reply)
        self._words = words
        self.closed = False

    def stream(self, messages: Sequence[Message], **settings: Any) -> Iterator[Piece]:
        try:
            for place, piece in enumerate(super().stream(messages, **settings)):
                if place == self._words:
                    raise EngineError("The server broke off.", "what it had written")
                yield piece
        finally:
            self.closed = True


class Full(Scripted):
    """Ends at its limit of tokens."""

    def stream(self, messages: Sequence[Message], **settings: Any) -> Iterator[Piece]:
        for piece in super().stream(messages, **settings):
            yield piece if piece.ended is None else Piece("", Completion(piece.ended.text, Finish.LENGTH))


class Ran(NamedTuple):
    sentences: list[WrittenSentence]
    pieces: list[WrittenPiece]
    report: WriterReport


class World(NamedTuple):
    linker: DictionaryLinker
    encoder: Any
    evidence: Evidence
    maker: MaterialMaker

    def run(self, model: Any, cancelled: Callable[[], bool] | None = None, **fields: Any) -> Ran:
        request = DraftRequest(text=NOTE, **fields)
        writer = ModelWriter(model, self.linker, self.encoder, self.maker)
        wording = {"cancelled": cancelled} if cancelled else {}
        items = list(writer.stream(request, self.linker.link(NOTE), (), self.evidence, **wording))
        assert isinstance(items[-1], WriterReport)
        return Ran(
            [i for i in items if isinstance(i, WrittenSentence)],
            [i for i in items if isinstance(i, WrittenPiece)],
            items[-1],
        )


@pytest.fixture
def world(tiny_linker: DictionaryLinker, tiny_reach: AllergyReach, encoder: Any) -> World:
    book = Passage(id="P1", source=Source.BOOK, document_id="d", title="Pneumonia", text=BOOK, start_char=0, end_char=9)
    notes = NotePieces(tiny_linker, {}).pieces(tiny_linker.link(NOTE), DraftRequest(text=NOTE))
    maker = MaterialMaker(tiny_linker, tiny_reach, {}, pasted)
    return World(tiny_linker, encoder, Evidence(passages=(book,), notes=notes), maker)


def test_a_draft_comes_sentence_by_sentence_with_sections_and_ids(world: World) -> None:
    ran = world.run(Scripted(REPLY))
    assert [(s.section, s.text, s.citations, s.basis) for s in ran.sentences] == [
        ("Why you came", "You came because of cough and fever.", ("N1",), Basis.PATIENT),
        ("Why you came", "[team to complete: what was found]", (), Basis.GENERAL),
        ("Activity", "Rest helps the lungs to heal.", ("P1", "P9"), Basis.GENERAL),
    ]
    assert ran.report.status == DraftStatus.COMPLETE
    assert ran.report.notices() == ()
    assert ran.report.prompt.startswith("discharge-instructions 2, ")


def test_the_prompt_has_rules_then_material_then_the_task(world: World) -> None:
    model = Scripted(REPLY)
    world.run(model)
    system, user = model.calls[0]
    assert system.role == "system"
    assert "Do not tell the patient to start, stop or change a medicine" in system.content
    places = [
        user.content.index(part)
        for part in ("[N1] cough and fever", "[P1] Pneumonia", *DISCHARGE_HEADINGS, "End of the example")
    ]
    assert places == sorted(places)
    assert model.samplings[0].temperature == 0.0


def test_another_document_of_the_same_evidence_begins_with_the_same_words(world: World) -> None:
    one, other = Scripted(REPLY), Scripted(REPLY)
    world.run(one)
    world.run(other, document=Document.PROGRESS_NOTE)
    first, second = one.calls[0][1].content, other.calls[0][1].content
    assert one.calls[0][0] == other.calls[0][0]
    shared = next(i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    assert shared > first.index("[P1] Pneumonia")


def test_the_seed_and_the_settings_reach_the_model(world: World) -> None:
    model = Scripted(REPLY)
    request = DraftRequest(text=NOTE, seed=7)
    writer = ModelWriter(
        model,
        world.linker,
        world.encoder,
        world.maker,
        WriterSettings(SamplingParams(temperature=0.4, top_p=0.9), propose=False),
    )
    list(writer.write(request, world.linker.link(NOTE), (), world.evidence))
    assert (model.samplings[0].seed, model.samplings[0].temperature, model.samplings[0].top_p) == (7, 0.4, 0.9)


def test_pieces_show_the_sentence_as_it_grows_without_markers(world: World) -> None:
    ran = world.run(Scripted("Rest helps the **lungs** to heal [P1, N2] and so does <b>sleep</b> at night."))
    texts = [piece.text for piece in ran.pieces]
    assert len(texts) > 2
    assert "Rest helps the lungs to heal and so does sleep" in " ".join(texts)
    assert all("[" not in text and "*" not in text and "<" not in text for text in texts)


def test_a_server_that_breaks_off_costs_the_sentence_and_no_more(world: World) -> None:
    model = Breaks(REPLY, 18)
    ran = world.run(model)
    assert [s.text for s in ran.sentences] == [
        "You came because of cough and fever.",
        "[team to complete: what was found]",
    ]
    assert (ran.report.status, ran.report.reason) == (DraftStatus.PARTIAL, "The server broke off.")
    assert model.closed


def test_write_gives_the_sentences_and_then_raises_what_broke(world: World) -> None:
    writer = ModelWriter(Breaks(REPLY, 18), world.linker, world.encoder, world.maker)
    got: list[WrittenSentence] = []
    with pytest.raises(EngineError, match="broke off"):
        got.extend(writer.write(DraftRequest(text=NOTE), world.linker.link(NOTE), (), world.evidence))
    iterator = ModelWriter(Breaks(REPLY, 18), world.linker, world.encoder, world.maker).write(
        DraftRequest(text=NOTE), world.linker.link(NOTE), (), world.evidence
    )
    assert next(iterator).text == "You came because of cough and fever."


def test_a_dead_model_is_a_partial_draft_with_the_reason(world: World) -> None:
    ran = world.run(Dead())
    assert ran.sentences == []
    assert ran.report.status == DraftStatus.PARTIAL
    assert "does not answer" in ran.report.reason


def test_a_reply_cut_at_its_limit_is_partial_and_says_so(world: World) -> None:
    ran = world.run(Full("Rest helps the lungs to heal [P1]. And then it"))
    assert [s.text for s in ran.sentences] == ["Rest helps the lungs to heal."]
    assert ran.report.reason == "the reply reached its limit of 1,400 tokens"


def test_cancelling_keeps_what_is_whole_and_stops_the_model(world: World) -> None:
    asked = iter([False] * 40)
    ran = world.run(Scripted(REPLY), cancelled=lambda: next(asked, True))
    assert [s.text for s in ran.sentences][:1] == ["You came because of cough and fever."]
    assert len(ran.sentences) < 3
    assert ran.report.status == DraftStatus.CANCELLED


def test_leaving_the_writer_closes_the_model_s_stream(world: World) -> None:
    model = Breaks("One sentence is here. " * 40, 1000)
    items = ModelWriter(model, world.linker, world.encoder, world.maker).stream(
        DraftRequest(text=NOTE), world.linker.link(NOTE), (), world.evidence
    )
    assert isinstance(next(items), Prepared)
    assert model.calls == []  # the prompt is written, and nothing is sent yet
    next(items)
    items.close()  # type: ignore[attr-defined]
    assert model.closed


def test_a_model_without_a_sentence_finds_nothing_and_says_so(world: World) -> None:
    report = world.run(Scripted(" \n ")).report
    assert (report.status, report.reason) == (DraftStatus.NOTHING_FOUND, "scripted answered without a sentence")


def test_a_note_that_does_not_fit_is_refused_before_anything_is_written(world: World) -> None:
    with pytest.raises(TooLongError, match="Shorten the note"):
        world.run(Scripted(REPLY, context=300))


def test_what_did_not_fit_and_what_was_taken_out_is_stated(world: World) -> None:
    model = Scripted("<i>Rest</i> helps. You have no dyspnea [N2]. Fever is bad.", context=20_000)
    ran = world.run(model)
    small = Scripted("Rest helps [N1].", context=(model.count_tokens(model.calls[0]) - 5) * 3 // 2)
    assert world.run(small).report.notices() == ("1 of 1 passages did not fit the model's context",)
    assert ran.report.notices() == (
        "markup or links were taken out of the model's text 1 times",
        "1 sentence came without a citation; the program proposed one",
    )


def test_a_paragraph_has_no_headings_and_finds_its_parts(world: World) -> None:
    model = Scripted("You came because of cough [N1]. Rest at home [P1]. Call your doctor if you faint [P1].")
    ran = world.run(model, style="paragraph")
    assert [s.section for s in ran.sentences] == ["Why you came", "Activity", "When to get help"]
    assert "one flowing paragraph" in model.calls[0][1].content


def test_samples_are_drawn_from_the_same_prompt_as_sentences(world: World) -> None:
    model = Scripted("Rest [P1]. Drink.", "Activity\nRest. [team to complete: x]")
    writer = ModelWriter(model, world.linker, world.encoder, world.maker)
    found = writer.samples(DraftRequest(text=NOTE), world.linker.link(NOTE), (), world.evidence, SamplingParams(2, 0.7))
    assert found == (("Rest.", "Drink."), ("Rest.",))
    assert (model.samplings[0].n, model.samplings[0].temperature) == (2, 0.7)


OPTIONS = {"document": Document.CLINICAL_ANSWER, "question": "What fits?", "options": ("gout", "pneumonia")}


def choice(letter: str, cited: Sequence[str] = ("P1", "P9")) -> str:
    return json.dumps(
        {"reasoning": "Cough and fever speak for it [P1]. Gout hurts.", "letter": letter, "citations": list(cited)}
    )


def test_samples_of_a_question_with_options_are_drawn_from_the_prompt_that_chooses(world: World) -> None:
    model = Scripted(choice("B"), "no option at all")
    writer = ModelWriter(model, world.linker, world.encoder, world.maker)
    request = DraftRequest(text=NOTE, **OPTIONS)
    found = writer.samples(request, world.linker.link(NOTE), (), world.evidence, SamplingParams(2, 0.7))
    assert found == (("Cough and fever speak for it.", "Gout hurts.", "The answer chosen is pneumonia."), ())
    asked = model.calls[0]
    list(writer.stream(request, world.linker.link(NOTE), (), world.evidence))
    assert model.calls[1] == asked  # the answer and its samples come from one prompt


def test_an_option_is_the_model_s_letter_looked_up(world: World) -> None:
    model = Scripted(choice("B"))
    ran = world.run(model, **OPTIONS)
    assert ran.report.answer == "B"
    assert [s.text for s in ran.sentences][-2:] == ["The answer chosen is B: “pneumonia”.", "[scripted chose it.]"]
    assert ran.sentences[-2].citations == ("P1", "P9")
    schema = model.schemas[0]
    assert isinstance(schema, dict)
    assert schema["properties"]["letter"]["enum"] == ["A", "B"]
    assert "A. gout\nB. pneumonia" in model.calls[0][1].content


@pytest.mark.parametrize("reply", ["A!", choice("C"), choice("AB"), "{}", ""])
def test_a_reply_without_a_letter_is_no_answer_with_the_reason(world: World, reply: str) -> None:
    ran = world.run(Scripted(reply), **OPTIONS)
    assert ran.report.answer == ""
    assert ran.report.status == DraftStatus.PARTIAL
    assert [s.text for s in ran.sentences] == [f"[No option was chosen: {ran.report.reason}.]"]
    assert "twice replied out of form" in ran.report.reason


def test_answer_by_itself_asks_the_model_and_is_empty_without_options(world: World) -> None:
    writer = ModelWriter(Scripted(choice("A")), world.linker, world.encoder, world.maker)
    linked = world.linker.link(NOTE)
    assert writer.answer(DraftRequest(text=NOTE, **OPTIONS), linked, (), world.evidence) == "A"
    assert writer.answer(DraftRequest(text=NOTE), linked, (), world.evidence) == ""


def repaired(world: World, *replies: str, sentences: Sequence[tuple[str, tuple[str, ...]]]) -> Any:
    written = [WrittenSentence(text=t, section="Activity", basis=Basis.GENERAL, citations=c) for t, c in sentences]
    repairer = ModelRepairer(Scripted(*replies), CitedTextVerifier(world.linker, world.encoder), world.maker)
    return repairer.repair(DraftRequest(text=NOTE), world.linker.read(NOTE), (), world.evidence, written)


BAD = ("Gout makes everybody jump.", ("P1",))
GOOD = ("Rest helps the lungs to heal.", ("P1",))


def test_repair_rewords_what_was_unsupported_and_keeps_the_earlier_text(world: World) -> None:
    reply = json.dumps({"sentences": [{"number": 1, "text": "Pneumonia brings cough and fever [P1]."}]})
    found = repaired(world, reply, sentences=[GOOD, BAD])
    assert [s.text for s in found.sentences] == [GOOD[0], "Pneumonia brings cough and fever."]
    assert found.sentences[1].before_repair == BAD[0]
    assert (found.reworded, found.removed) == (1, ())


def test_repair_strikes_what_nothing_carries_and_keeps_it_on_record(world: World) -> None:
    found = repaired(world, json.dumps({"sentences": [{"number": 1, "text": ""}]}), sentences=[BAD, GOOD])
    assert [s.text for s in found.sentences] == [GOOD[0]]
    assert [s.text for s in found.removed] == [BAD[0]]


def test_repair_takes_no_wording_that_is_supported_no_better_and_touches_nothing_else(world: World) -> None:
    worse = {
        "sentences": [
            {"number": 1, "text": "Take naproxen [P1]."},
            {"number": 2, "text": ""},
            {"number": 9, "text": "x"},
        ]
    }
    found = repaired(world, json.dumps(worse), sentences=[BAD, GOOD])
    assert [s.text for s in found.sentences] == [BAD[0], GOOD[0]]
    assert found.reason == "of 1 sentences that are unsupported or do not fit 0 were reworded and 0 removed"


def test_repair_without_need_or_without_a_usable_reply_changes_nothing(world: World) -> None:
    assert repaired(world, "never asked", sentences=[GOOD]).reason == "no sentence needed repair"
    found = repaired(world, "no json", sentences=[BAD])
    assert [s.text for s in found.sentences] == [BAD[0]]
    assert "not repaired: scripted twice replied out of form" in found.reason


STITCHES = "Keep your stitches dry so that the wound heals."
"""She has none, though the book speaks of them."""


def with_stitches(world: World) -> World:
    (book,) = world.evidence.passages
    return world._replace(evidence=world.evidence.model_copy(update={"passages": (book.model_copy(update={"text": f"{BOOK} {STITCHES}"}),)}))  # fmt: skip


def test_repair_strikes_what_is_supported_and_not_for_this_patient(world: World) -> None:
    world = with_stitches(world)
    model_reply = json.dumps({"sentences": [{"number": 1, "text": ""}]})
    found = repaired(world, model_reply, sentences=[GOOD, (STITCHES, ("P1",))])
    assert [s.text for s in found.sentences] == [GOOD[0]]
    assert [s.text for s in found.removed] == [STITCHES]
    assert found.reason == "of 1 sentences that are unsupported or do not fit 0 were reworded and 1 removed"


def test_repair_takes_no_wording_that_is_supported_and_not_for_this_patient(world: World) -> None:
    reply = json.dumps({"sentences": [{"number": 1, "text": f"{STITCHES} [P1]"}]})
    found = repaired(with_stitches(world), reply, sentences=[BAD])
    assert [s.text for s in found.sentences] == [BAD[0]]


def test_the_repairing_model_reads_why_a_sentence_does_not_fit(world: World) -> None:
    asked: list[str] = []

    def answer(messages: Sequence[Message]) -> str:
        asked.append(messages[1].content)
        return json.dumps({"sentences": []})

    written = [WrittenSentence(text=STITCHES, section="Activity", basis=Basis.GENERAL, citations=("P1",))]
    world = with_stitches(world)
    verifier = CitedTextVerifier(world.linker, world.encoder)
    ModelRepairer(Scripted(answer=answer), verifier, world.maker).repair(
        DraftRequest(text=NOTE), world.linker.read(NOTE), (), world.evidence, written
    )
    assert "check: not for this patient: speaks of stitches" in asked[0]
    assert STITCHES not in asked[0].split("SENTENCES")[0]  # nor does the material offer it
