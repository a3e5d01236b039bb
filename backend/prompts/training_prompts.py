"""The prompts that only the making of training data asks: exploration, judging, and answers that are compared."""

from backend.prompts.template import Prompt

EXPLORE = Prompt(
    name="explore",
    version=1,
    what="Many queries for every source, to find out which of them serve (Omni-RAG 4.2.1)",
    instructions=(
        "You try out a literature search for the task below. Write {most} queries for each of these sources, none of them left "
        "out. The sources:\n{sources}\n\n"
        "The queries of one source should go about the matter in different ways, and suit what stands in that source. "
        "Reply with one JSON object and nothing else. It has a list for each of these keys: {keys}. The lists of book, "
        'guideline, research and wiki hold search queries as text; the list of graph holds objects {"term", "query"}: a '
        "medical term, and what is wanted about it. An entry has at most {words} words."
    ),
    data=("task",),
)
SUPPORTS = Prompt(
    name="supports",
    version=1,
    what="Whether documents support the known answer (Omni-RAG 4.2.2)",
    instructions=(
        "Below are a question, the answer that is known to be right, and documents that a search found. Say whether the "
        "documents support that answer to the question. Whether the answer is right is not asked: it is. Documents that are "
        "about the matter and leave the answer open do not support it. "
        'Reply with one JSON object and nothing else: {"reason": text of at most {words} words, "supports": true or false}.'
    ),
    data=("question", "known_answer", "documents"),
    longest=512,
)
DIRECT = Prompt(
    name="direct",
    version=1,
    what="The answer that a thought leads to by itself, nothing looked up (RAR2 4.1, g_direct)",
    instructions=(
        "Below are a question with options and what was thought about it. Complete the thought with the one option it leads "
        'to. Reply with one JSON object and nothing else: {"letter": the letter of the option}.'
    ),
    data=("question", "thought"),
    longest=64,
)
OPEN = Prompt(
    name="open-answer",
    version=1,
    what="A short answer to a question without options, with or without documents (trainable-planning)",
    instructions=(
        "Answer the question below for a clinician in at most {words} words. Use the documents where there are any. Reply "
        "with the answer alone."
    ),
    data=("question", "documents"),
    longest=512,
)
