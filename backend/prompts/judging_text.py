"""The prompt that asks a model which sentences a text carries: the premise-hypothesis question of LUQ, a text at a time."""

from backend.prompts.template import Prompt

CARRIED = Prompt(
    name="carried",
    version=1,
    what="Which sentences a text carries (uncertainty by a judge; LUQ, Omni-RAG A.3)",
    instructions=(
        "Read TEXT, then judge each numbered sentence in SENTENCES by TEXT alone, whatever you know otherwise. yes: TEXT says the "
        "same, in whatever words. no: TEXT says the contrary, or gives another number, side, medicine or condition for the same "
        "thing. silent: TEXT says nothing about it. Reply with one JSON object and nothing else: "
        '{"verdicts": list of {"number": the sentence\'s number, "verdict": "yes", "no" or "silent"}}, one for each sentence.'
    ),
    data=("text", "sentences"),
    longest=1024,
)
