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
