"""Wrong facts planted in the note of a patient's first visit, and whether they reach the summary and the last visit's note.

A model that makes something up in one visit must not have it told in the next ones as known. So sentences that the verifier found in
the first visit's notes get one wrong statement, the verifier judges the note anew, and the visits go on from its summary.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from backend.container import Container
from backend.evaluation.planted.planted import Kind, Pool, plant
from backend.evaluation.planted.planted_sets import pool_of
from backend.evaluation.progress_notes.note_cells import VisitsInTurn
from backend.evaluation.progress_notes.patient_visits import PatientVisits
from backend.evaluation.progress_notes.temporal import holds
from backend.interfaces import LanguageModel, Linker, Verifier
from backend.prompts.verdicts import preference
from backend.retrieval.patient_notes.visit_summary import visit_summary
from backend.schemas.drafts.draft import Draft, Sentence, WrittenSentence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.patients.patient_notes import claimed_date
from backend.schemas.vocabulary import Basis, Support

MOST_PLANTED = 4
MEASURES = {
    "planted": "wrong statements planted in the first visit's note",
    "planted_in_summary": "share of them that the next visit is told",
    "planted_unchecked": "share of them that it would be told, were the verifier not heeded",
    "planted_reached": "share of them that the last visit's note tells",
    "rejects_perturbed": "1 where a judge prefers the last note to the same with wrong facts in both orders, 0 where the other one, else 0.5",
}


class WrongFact(NamedTuple):
    """A sentence with one wrong statement. words: those that were put in."""

    place: int
    text: str
    words: str


class PlantedVisits:
    """Plants in the first visit and writes those that follow.

    Args:
        container: whose linker, graph and verifier serve.
        cell: writes the visits.
        judge: must prefer a note to the same with wrong facts; None asks nobody.
    """

    def __init__(self, container: Container, cell: VisitsInTurn, judge: LanguageModel | None = None) -> None:
        self._container, self._cell, self._judge = container, cell, judge
        self._pool = pool_of(container.graph.concepts, container.linker)
        self._verifier: Verifier = container.checks.verifier(None)

    def scores(self, patient: PatientVisits, seed: int) -> dict[str, float | None]:
        """The shares of one patient; None where there is no earlier visit, or nothing in it to change."""
        planted: list[WrongFact] = []
        told: list[str] = []
        unchecked: list[str] = []

        def summarise(draft: Draft) -> str:
            if told:
                return visit_summary(draft)
            planted.extend(self.wrong_facts(draft, seed))
            changed = with_facts(draft, planted, self._verifier)
            told.append(visit_summary(changed))
            unchecked.append(visit_summary(all_supported(changed)))
            return told[0]

        if not patient.earlier:
            return dict.fromkeys(MEASURES)
        last = self._cell.chain(patient, seed, summarise).draft
        said = [sentence.text for sentence in last.sentences]
        shares = {
            "rejects_perturbed": self._rejects(last, seed),
            "planted_in_summary": _share(planted, told[0].splitlines()),
            "planted_unchecked": _share(planted, unchecked[0].splitlines()),
            "planted_reached": _share(planted, said),
        }
        return {"planted": float(len(planted)), **shares}

    def _rejects(self, draft: Draft, seed: int) -> float | None:
        """Whether the judge prefers the draft to itself with wrong facts; None without a judge, or with nothing to change."""
        facts = self.wrong_facts(draft, seed)
        if self._judge is None or not facts:
            return None
        return preference(self._judge, draft.text, perturbed_text(draft, facts), seed)

    def wrong_facts(self, draft: Draft, seed: int) -> list[WrongFact]:
        """At most MOST_PLANTED supported sentences of the draft, drawn by the seed, each with one wrong statement put in."""
        rng = random.Random(f"{seed} {draft.text}")
        cited = {piece.id: piece.text for piece in draft.evidence.notes}
        places = [i for i, one in enumerate(draft.sentences) if _of_patient(one)]
        rng.shuffle(places)
        found: list[WrongFact] = []
        for place in places:
            sentence = draft.sentences[place]
            known = " ".join(cited.get(name, "") for name in sentence.citations)
            changed = planted_in(sentence.text, known, self._container.linker, self._pool, rng)
            if changed is not None:
                found.append(WrongFact(place, *changed))
            if len(found) == MOST_PLANTED:
                break
        return found


def planted_in(text: str, cited: str, linker: Linker, pool: Pool, rng: random.Random) -> tuple[str, str] | None:
    """The sentence with one wrong statement, and the words that were put in; None where it holds nothing to change."""
    _, bare = claimed_date(text)
    head = text.removesuffix(bare)
    mentions = linker.link(bare).note.mentions
    kinds = list(Kind)
    rng.shuffle(kinds)
    for kind in kinds:
        made = plant(kind, bare, mentions, pool, cited or bare, rng)
        if made is None:
            continue
        put = made.text[made.start : len(made.text) - (len(bare) - made.end)].strip()
        if put and put.lower() not in cited.lower():
            return head + made.text, put
    return None


def with_facts(draft: Draft, facts: Sequence[WrongFact], verifier: Verifier) -> Draft:
    """The draft with its wrong facts, every sentence verified anew."""
    texts = {fact.place: fact.text for fact in facts}
    sentences = [one.model_copy(update={"text": texts.get(i, one.text)}) for i, one in enumerate(draft.sentences)]
    written = [
        WrittenSentence(text=one.text, section=one.section, basis=one.basis, citations=one.citations)
        for one in sentences
    ]
    linked = LinkedNote(note=draft.note, allergies=draft.allergies, patient=draft.patient)
    verdicts = verifier.verify(written, linked, draft.evidence)
    judged = (
        one.model_copy(update={"support": verdict.support, "support_score": verdict.score})
        for one, verdict in zip(sentences, verdicts, strict=True)
    )
    return draft.model_copy(update={"sentences": tuple(judged)})


def perturbed_text(draft: Draft, facts: Sequence[WrongFact]) -> str:
    """The draft's text with its wrong facts in place of the sentences they were made from."""
    text = draft.text
    for fact in sorted(facts, key=lambda one: -draft.sentences[one.place].start_char):
        sentence = draft.sentences[fact.place]
        text = text[: sentence.start_char] + fact.text + text[sentence.end_char :]
    return text


def all_supported(draft: Draft) -> Draft:
    """The draft as if the verifier had found every sentence of the patient."""
    return draft.model_copy(
        update={"sentences": tuple(one.model_copy(update={"support": Support.SUPPORTED}) for one in draft.sentences)}
    )


def _of_patient(sentence: Sentence) -> bool:
    return sentence.basis is Basis.PATIENT and sentence.support is Support.SUPPORTED


def _share(facts: Sequence[WrongFact], said: Sequence[str]) -> float | None:
    """The share of the facts that some sentence tells: most of its words, and those that were put in."""
    if not facts:
        return None
    told = [
        any(
            fact.words.lower() in claimed_date(one)[1].lower()
            and holds(claimed_date(one)[1], claimed_date(fact.text)[1])
            for one in said
        )
        for fact in facts
    ]
    return sum(told) / len(facts)
