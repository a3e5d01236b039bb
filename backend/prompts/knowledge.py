"""The prompt of knowledge to language (ClinicalRAG section 3.3, the KNL agent)."""

from backend.prompts.template import Prompt

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
