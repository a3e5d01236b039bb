"""The prompt of a question with options."""

from backend.prompts.template import Prompt

OPTION = Prompt(
    name="option",
    version=1,
    what="One option, with reasoning and citations (clinical_answer with options)",
    instructions=(
        "Answer the question below for a clinician who will check it. Reason step by step from the documents, which carry ids "
        "as [P1]; where they say nothing, reason from what you know and cite nothing. Then choose exactly one option. "
        'Reply with one JSON object and nothing else: {"reasoning": text of at most {words} words, "letter": the letter of the '
        'option, "citations": list of the ids that carry the choice}.'
    ),
    data=("question", "documents"),
    longest=1024,
)
