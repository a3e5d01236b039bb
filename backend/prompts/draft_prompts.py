"""The prompts of the writer: discharge instructions, a progress note, a clinical answer, and one option of several.

All share their beginning, so that a server reads it once for a patient: the same rules (system), then the material, fenced,
in the same order, and only then the task. Nothing of a note or a passage stands outside a fence.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from backend.prompts.template import Fence, Prompt
from backend.schemas.chat import Message

_PLACE = re.compile(r"\{([a-z_]+)\}")
MATERIAL = (
    "note",
    "ward",
    "person",
    "story",
    "medicines",
    "allergies",
    "conditions",
    "previous_visit",
    "earlier_notes",
    "paths",
    "graph_facts",
    "passages",
)
"""What every writing prompt reads, in this order; `note` is what was pasted, `ward` what the team added, `person`, `story` and
`medicines` what the program read of the patient."""

RULES = (
    "You write clinical documents from given material. Your task: read the material, then write the one document that is "
    "described at its end. A clinician checks each sentence against the material before anybody uses it.\n\n"
    "Material has ids. N: the patient's own notes. P: passages of books, guidelines and articles. G: facts of a knowledge "
    "graph. K: reasoning paths through that graph, told as: concept [semantic group] → relation → concept [semantic group] → …; "
    "where an arrow says (leap), no known relation joins the two, so it is a hint where to look and carries nothing. STORY tells "
    "what the notes say of this patient, sentence by sentence, and MEDICINES what is decided about each medicine, both with the "
    "ids of N that they rest on.\n\n"
    "Rules:\n"
    "1. Each sentence that states something ends with the ids that carry it, as [N2] or [P1, K3]. Use ids of the material alone. "
    "Leave out what nothing in the material carries.\n"
    "2. Only N speaks of this patient. P, G and K say what holds in general: word it so, and never as a finding of this patient.\n"
    "3. A condition listed as possible is not established. Call it possible wherever you name it. Do not name others as "
    "diagnoses. Repeat denials of N as denials.\n"
    "4. What the material does not tell about the stay (what was found, done, given or arranged) is left to the team. Put in its "
    "place: [team to complete: what is missing]. Guess nothing, no dose, no date, no name.\n"
    "5. Do not tell the patient to start, stop or change a medicine, or how much to take, unless N says so. What P says of "
    "medicines is worded as what the team may decide. Never advise what the patient is allergic to. Tell of each medicine what "
    "MEDICINES has decided and no other thing, and leave open what it leaves open.\n"
    "6. First this patient, then advice that fits, then what is left to the team. Advise on no disease that is neither in CONDITIONS "
    "nor named by N as this patient's own of today: where none is, tell the symptom. Write nothing that presupposes a wound, a "
    "medicine, a device, a habit, a pregnancy, an operation or a stay in hospital that N does not tell.\n"
    "7. Where N says a thing in two ways, settle nothing: the program shows both to the team.\n"
    "8. Where PERSON says child, speak to the parents of the patient and give no advice for adults. Where it says comfort care, give "
    "no advice that is to cure or to prevent, and none to call an ambulance or to go to a hospital; say whom N names to call.\n"
    "9. Plain sentences only: no tables, links, pictures, code or markup, no preface and no closing words."
)


@dataclass(frozen=True)
class WritingPrompt(Prompt):
    """ending: the task, after the material; its places take values of the program, as those of the instructions do."""

    ending: str = ""

    @property
    def hash(self) -> str:
        """12 hexadecimal digits of name, wording, the names of the data and the task."""
        return hashlib.sha256(f"{super().hash}\n{self.ending}".encode()).hexdigest()[:12]

    @property
    def places(self) -> frozenset[str]:
        """The names of the places in the instructions and in the task."""
        return super().places | frozenset(_PLACE.findall(self.ending))

    def messages(self, fence: Fence, data: Mapping[str, str], **values: object) -> tuple[Message, ...]:
        """System: the rules. User: the fenced material, then the task.

        Raises ValueError for data or values that are not the prompt's own.
        """
        system, user = super().messages(fence, data, **values)
        task = _PLACE.sub(lambda place: str(values[place.group(1)]), self.ending)
        return (system, Message("user", f"{user.content}\n\n{task}".strip()))


_ROUND_UP = "Write the document now, and nothing else."

DISCHARGE = WritingPrompt(
    name="discharge-instructions",
    version=2,
    what="Discharge instructions in sections, in plain words (every system that writes them)",
    instructions=RULES,
    data=MATERIAL,
    longest=1400,
    ending=(
        "The document: discharge instructions that the patient of the note will read at home. Speak to the patient as “you”, in "
        "short everyday sentences that a twelve-year-old can follow, and explain each medical word where it first comes. Use "
        "these headings in this order, each alone on its line, and write whole sentences under them, no lists:\n{headings}\n"
        "Tell first what STORY and the note say of this patient: why they came and how it went, what was found and done, what is "
        "decided; then the medicines of MEDICINES; then, in at most {words} words, advice that fits this patient, when to call for "
        "help before all else. Say nothing twice. "
        "Where a heading has nothing in the material, put one [team to complete: …] under it.\n\n{example}" + _ROUND_UP
    ),
)
DISCHARGE_PARAGRAPH = WritingPrompt(
    name="discharge-paragraph",
    version=2,
    what="Discharge instructions as one flowing paragraph (ReinRAG's form)",
    instructions=RULES,
    data=MATERIAL,
    longest=900,
    ending=(
        "The document: discharge instructions that the patient of the note will read at home, as one flowing paragraph without "
        "headings, lists or a greeting. Speak to the patient as “you”, in short everyday sentences, each with advice that can be "
        "acted on, and explain each medical word. Cover, in this order: why the patient came, what was found and done, medicines, "
        "follow-up, and then, in at most {words} words, advice that fits this patient: when to call for help, the precautions that "
        "follow from the allergies, the complaint and the history, food and drink, activity. Say nothing twice.\n\n"
        "{example}" + _ROUND_UP
    ),
)
PROGRESS = WritingPrompt(
    name="progress-note",
    version=2,
    what="A progress note in four parts, each statement with its date (cli-rag and others)",
    instructions=RULES,
    data=MATERIAL,
    longest=2000,
    ending=(
        "The document: a progress note for clinicians about the patient of the notes. Use these headings in this order, each alone "
        "on its line:\n{headings}\n"
        "Subjective: what the patient or family report, history, allergies, medicines. Objective: what was measured, seen or found. "
        "Assessment: what the notes themselves assess, problem by problem, then the listed conditions that they do not name, each as "
        "listed, with what speaks for it. Plan: what the notes plan, problem by problem; nothing that is done already; "
        "what general knowledge suggests is worded as something to consider.\n"
        "A statement taken from a note with a date begins with that date and the kind of note, as in 2031-04-05 (Nursing): …; one "
        "from a dated kind of note without a date begins with Undated (Nursing): …; the pasted note needs neither. Within a part go "
        "forward in time. Never give a fact the date of another note. What the previous visit's summary tells is marked as such "
        "and told only where it still matters. A part without anything gets one [team to complete: …].\n\n{example}"
        + _ROUND_UP
    ),
)
ANSWER = WritingPrompt(
    name="clinical-answer",
    version=2,
    what="A free answer to a clinician's question, cited (clinical_answer without options)",
    instructions=RULES,
    data=(*MATERIAL, "question"),
    longest=900,
    ending=(
        "The document: an answer to the question in QUESTION for a clinician, who will check it; without a question, what a clinician "
        "should know and think of for this patient. Give the answer in the first sentence, then what it rests on and what speaks "
        "against it, in at most {words} words, as plain paragraphs without headings. Say plainly what the material does not answer. "
        + _ROUND_UP
    ),
)
CHOICE = WritingPrompt(
    name="clinical-choice",
    version=2,
    what="One option of a question, with reasoning and citations, in a strict form (clinical_answer with options)",
    instructions=RULES,
    data=(*MATERIAL, "question"),
    longest=1024,
    ending=(
        "The document: the answer to the question in QUESTION, which has options with letters. Reason step by step: what the material "
        "says for and against the options, with its ids at the end of each sentence; where it says nothing, reason from what you "
        "know and put no id. Then choose exactly one option. Reply with one JSON object and nothing else: "
        '{"reasoning": text of at most {words} words, "letter": the letter of the option, "citations": list of the ids that carry '
        "the choice}."
    ),
)


REPAIR = WritingPrompt(
    name="repair",
    version=2,
    what="Sentences that a check marked, reworded from the material or removed (off by default)",
    instructions=RULES,
    data=(*MATERIAL, "sentences"),
    longest=1024,
    ending=(
        "The document: better wordings of the numbered sentences in SENTENCES. Each was written from this material, and a check found "
        "that what it cites does not carry it, or that it is not for this patient; the check's reason stands beside it. For each, "
        "either write one sentence that says only what the material carries and that fits this patient, with the ids that carry it "
        "at its end, or give an empty text where the material carries nothing of it or it does not fit. Change no other sentence. Reply with one JSON object and nothing else: "
        '{"sentences": list of {"number": its number, "text": the sentence, or empty}}.'
    ),
)
TRANSLATION = Prompt(
    name="translation",
    version=1,
    what="A letter's plain-language sentences for the patient in another language; shown as unreviewed",
    instructions=(
        "Translate the numbered sentences in SENTENCES to {language}. They are from a letter that a hospital gives to a patient. Use "
        "everyday words that somebody without medical training understands, and speak to the patient politely. Say all that a sentence "
        "says and nothing more: keep each number as it is written, each denial, each doubt, and how urgent it is. Keep the names of "
        "medicines by their generic names as they are usual in {language}. Reply with one JSON object and nothing else: "
        '{"sentences": list of {"number": its number, "text": the translation}}.'
    ),
    data=("sentences",),
    longest=3000,
)
