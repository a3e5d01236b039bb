"""The prompts that lead to evidence: plans for sources, thoughts, follow-up questions, entities, and facts in other words.

SPO and the planners it is compared with; RAR2's thoughts; i-MedRAG's questions; ClinicalRAG's MEE agent (section 3.1).
"""

from collections.abc import Sequence
from typing import NamedTuple

from backend.prompts.template import Prompt
from backend.schemas.vocabulary import Source

_FORM = (
    "Reply with one JSON object and nothing else. It has a list for each of these keys: {keys}. {lists} "
    "A list has at most {most} entries, an entry at most {words} words."
)


def plan_values(sources: Sequence[Source], most: int, words: int) -> dict[str, object]:
    """The values of PLAN and PLAN_AGAIN for these sources. No other source is named, neither as a key nor in the form."""
    texts = [source.value for source in sources if source != Source.GRAPH]
    lists = []
    if len(texts) > 1:
        lists.append(f"The lists of {', '.join(texts[:-1])} and {texts[-1]} hold search queries as text.")
    elif texts:
        lists.append(f"The list of {texts[0]} holds search queries as text.")
    if Source.GRAPH in sources:
        lists.append('The list of graph holds objects {"term", "query"}: a medical term, and what is wanted about it.')
    return {
        "sources": sources_text(tuple(sources)),
        "keys": ", ".join(sources),
        "lists": " ".join(lists),
        "most": most,
        "words": words,
    }


PLAN = Prompt(
    name="plan",
    version=2,
    what="Queries for each source (prompting, trainable-planning, rafe, spo)",
    instructions=(
        "You prepare the literature search for the task below. Decide what must be looked up, and in which source it is most "
        "likely found. The sources:\n{sources}\n\n"
        "Write queries that suit each source and differ from one another within it. Leave the list of a source empty when "
        f"the task needs nothing from it.\n\n{_FORM}"
    ),
    data=("task",),
)
PLAN_AGAIN = Prompt(
    name="plan-again",
    version=2,
    what="Better queries, after what earlier ones found (reflexion, serts)",
    instructions=(
        "You prepare the literature search for the task below. Earlier queries were tried; how well each try went, out of 5, "
        "and what was advised, comes after the task. The sources:\n{sources}\n\n"
        "Keep what worked, change what did not, and repeat no try that scored low. Leave the list of a source empty when the "
        f"task needs nothing from it.\n\n{_FORM}"
    ),
    data=("task", "tries"),
)
JUDGE = Prompt(
    name="judge",
    version=1,
    what="How well documents serve the task, 0 to 5, with advice (reflexion, serts)",
    instructions=(
        "You judge what a literature search has found for the task below. Start from 0 and give one point for each of these "
        "that holds: some document is about the matter; some document helps with part of the task; the documents together "
        "carry the main point that the task turns on; they carry it in enough detail to act on, from places a clinician "
        "would trust; little of what was found is beside the point. The sources were:\n{sources}\n\n"
        "Then advise on better queries in at most {words} words: what was missing, which source to use more, which to leave. "
        'Reply with one JSON object and nothing else: {"score": a whole number from 0 to 5, "advice": text}.'
    ),
    data=("task", "queries", "documents"),
    longest=512,
)
TERMS = Prompt(
    name="terms",
    version=1,
    what="The medical terms of a question (original-question, query2doc: the graph's queries)",
    instructions=(
        "Name the medical terms of the task below that are worth looking up in a dictionary of medicine, the most important "
        "one first, as they would stand there. At most {most} terms. "
        'Reply with one JSON object and nothing else: {"terms": list of text}.'
    ),
    data=("task",),
    longest=256,
)
PASSAGE = Prompt(
    name="passage",
    version=1,
    what="A passage in a source's style, used as a query and never shown as knowledge (query2doc)",
    instructions=(
        "Write a passage that would answer the task below, as if it stood in {style}. It serves to find real passages that "
        "resemble it and is shown to nobody. At most {words} words. Reply with the passage alone."
    ),
    data=("task",),
    longest=512,
)


JOIN = " , "


class GraphQuery(NamedTuple):
    """A term to look up, and what is wanted about it; query may be empty."""

    term: str
    query: str

    @property
    def text(self) -> str:
        """The query as one text, as a plan holds it."""
        return f"{self.term}{JOIN}{self.query}" if self.query else self.term


def graph_query(text: str) -> GraphQuery:
    """`term , query` taken apart; text without the mark between is a term alone."""
    term, _, query = text.partition(JOIN)
    return GraphQuery(term.strip(), query.strip())


STYLE: dict[Source, str] = {source: source.row.style for source in Source if source != Source.GRAPH}


def sources_text(sources: tuple[Source, ...]) -> str:
    """The sources with what each holds, a line each."""
    return "\n".join(f"- {source.value}: {source.row.about}" for source in sources)


THOUGHT = Prompt(
    name="thought",
    version=1,
    what="What knowledge the task may involve, step by step (rar2, rar2-parallel, leapnote)",
    instructions=(
        "Think aloud about the task below before anything is looked up. Go step by step from what is stated to what it may "
        "mean, and name the medical knowledge that the task may turn on: conditions, mechanisms, tests, treatments, risks. "
        "Use the terms a textbook would use. Do not give a final answer. At most {words} words."
    ),
    data=("task",),
    longest=1024,
)
THOUGHT_AGAIN = Prompt(
    name="thought-again",
    version=1,
    what="The same, having read what an earlier thought found (rar2-iterative)",
    instructions=(
        "Think aloud about the task below. An earlier thought was used to search, and what it found comes after the task. Go "
        "step by step from what is stated to what it may mean, put right what the documents show to be wrong, and name the "
        "medical knowledge that is still missing. Use the terms a textbook would use. Do not give a final answer. At most "
        "{words} words."
    ),
    data=("task", "earlier_thought", "documents"),
    longest=1024,
)
FOLLOW_UPS = Prompt(
    name="follow-ups",
    version=1,
    what="Follow-up questions whose answers would help most (i-medrag)",
    instructions=(
        "You work out the task below by asking a medical library. What was asked and answered so far comes after the task. "
        "Ask the {most} questions at most whose answers would help most now; each must be understood by itself, without the "
        "task. Ask none when enough is known. "
        'Reply with one JSON object and nothing else: {"questions": list of text, each of at most {words} words}.'
    ),
    data=("task", "answered"),
    longest=512,
)
FOLLOW_UP_ANSWER = Prompt(
    name="follow-up-answer",
    version=1,
    what="A short answer to one follow-up question from what was found for it (i-medrag)",
    instructions=(
        "Answer the question below from the documents that follow it, in at most {words} words. Say so when they do not answer "
        "it. Reply with the answer alone."
    ),
    data=("question", "documents"),
    longest=512,
)


ENTITIES = Prompt(
    name="entities",
    version=1,
    what="The medical entities of a note or question, each with its category and what is said of it (clinicalrag)",
    instructions=(
        "List the medical entities that stand in the material below. Copy each one exactly as it is written there, letter by "
        "letter, without a word added, left out or put right: what cannot be found in the material as you give it is thrown "
        "away. Take the shortest stretch that names the thing. Categories: {categories}. For each one say what the material "
        "says of it: {statuses}. Leave out what the patient is allergic to, persons, places, dates and numbers. At most "
        "{most} entities, the most important ones first. "
        'Reply with one JSON object and nothing else: {"entities": list of {"text", "category", "status"}}.'
    ),
    data=("note", "question"),
    longest=2048,
)


KNOWLEDGE = Prompt(
    name="knowledge",
    version=2,
    what="Facts of a graph worded anew, each in a sentence of its own; marked, and never evidence (clinicalrag)",
    instructions=(
        "Each line below holds an id and one fact of a medical graph. Tell each fact in one plain sentence of at most {words} "
        "words. Use the names as they stand, name both of them, and keep the direction and the condition of the fact. Add "
        "nothing: no other disease, drug, test or symptom, no number, no advice, no reason. "
        'Reply with one JSON object and nothing else: {"facts": list of {"id", "text"}}.'
    ),
    data=("facts",),
    longest=2048,
)
RECORD = Prompt(
    name="record",
    version=1,
    what="The patient record of a note: problems, medicines, allergies, procedures and plan, each quoted (LEAPNOTE_EXTRACTOR_MODEL)",
    instructions=(
        "You read the clinical note below and fill in a form. State only what the note itself says, nothing that you conclude. "
        "Every quote is copied from the note letter by letter and is as short as the name allows. "
        "A problem's status: active of today, chronic for long-standing and still there, past, denied, uncertain, family for a "
        "relative's, other_person for anybody else's. "
        "A medicine's category: community for what the patient takes at home, inpatient for what is given in this encounter, "
        "discharge for what is prescribed to take from now on; its status: active, completed, intended, stopped, on-hold or "
        "not-taken; its dosage and reason as written, or empty. "
        "An allergy's reaction as written, or empty. A procedure's status: done_now, past, planned or not_done. "
        "Of the plan, quote each clause that decides or asks something, with its kind: {kinds}. "
        "Reply with one JSON object and nothing else; its keys are problems, medications, allergies, procedures and plan, "
        "each a list, empty where the note has none."
    ),
    data=("note",),
)
