"""The prompt that asks a model which of two notes it would rather have: blind, so that it must be asked in both orders."""

from backend.prompts.template import Prompt

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
