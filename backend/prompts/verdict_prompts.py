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


PREFERRED = Prompt(
    name="preferred",
    version=1,
    what="Which of two progress notes serves better (evaluation; asked in both orders)",
    instructions=(
        "FIRST and SECOND are progress notes of one patient's visit, written by different hands. Judge which one would serve "
        "the team better: what matters is there and right by the other's account, nothing is made up, it is in order, and it "
        "can be acted on. Length and polish count for nothing. Reply with one JSON object and nothing else: "
        '{"choice": "first", "second" or "neither"}.'
    ),
    data=("first", "second"),
    longest=64,
)
