"""The prompt of entity extraction (ClinicalRAG section 3.1, the MEE agent)."""

from backend.prompts.template import Prompt

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
    version=1,
    what="Facts of a graph told anew, each in a sentence of its own; marked, and never evidence (clinicalrag)",
    instructions=(
        "Each line below holds an id and one fact of a medical graph. Tell each fact in one plain sentence of at most {words} "
        "words. Use the names as they stand, name both of them, and keep the direction and the condition of the fact. Add "
        "nothing: no other disease, drug, test or symptom, no number, no advice, no reason. "
        'Reply with one JSON object and nothing else: {"told": list of {"id", "text"}}.'
    ),
    data=("facts",),
    longest=2048,
)
