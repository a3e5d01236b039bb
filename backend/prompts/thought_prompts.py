"""The prompts of thoughts: RAR2, and i-MedRAG's follow-up questions."""

from backend.prompts.template import Prompt

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
