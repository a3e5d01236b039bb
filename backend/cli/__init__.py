"""The commands of `python -m backend`: this table names them, and each family's module is imported when one is asked for.

A family's module has an `app`, a `CommandLine` with a command of the name in the table, or is itself the group of that
name. A new command takes a row here and a module; nothing else names it.
"""

from typing import NamedTuple

START, DRAFTS, KNOWLEDGE, RESEARCH, OPERATIONS = "Start", "Drafts", "Knowledge", "Research", "Operations"


class Family(NamedTuple):
    """One command or group of commands. module: where it is written. about: its line of help. panel: of the help."""

    name: str
    module: str
    about: str
    panel: str


FAMILIES = (
    Family("up", "backend.cli.operations.up", "start the API and the page", START),
    Family("serve", "backend.cli.operations.up", "start the API alone", START),
    Family("llm", "backend.cli.operations.llm", "serve a language model by vLLM, or set that up", START),
    Family("draft", "backend.cli.draft_commands", "write a cited document from a note", DRAFTS),
    Family("evidence", "backend.cli.draft_commands", "what would be retrieved for a note, without a text", DRAFTS),
    Family("ask", "backend.cli.draft_commands", "answer a clinical question from the evidence", DRAFTS),
    Family("link", "backend.cli.draft_commands", "sections, mentions and allergies of a note", DRAFTS),
    Family("visits", "backend.cli.visits_command", "write a patient's visits one after the other", DRAFTS),
    Family(
        "knowledge",
        "backend.cli.knowledge.knowledge",
        "list, check, review, add, load, export or remove knowledge",
        KNOWLEDGE,
    ),
    Family(
        "pairs",
        "backend.cli.train.train_pairs",
        "make and look into pairs of note and document, for training",
        RESEARCH,
    ),
    Family("train", "backend.cli.train.train", "train what retrieves", RESEARCH),
    Family(
        "evaluate", "backend.cli.evaluate.evaluate", "measure retrieval, written documents and the linker", RESEARCH
    ),
    Family(
        "study",
        "backend.cli.study.study_commands",
        "rate drafts blind: set up, generate, freeze, invite, export",
        RESEARCH,
    ),
    Family(
        "people",
        "backend.cli.operations.people_commands",
        "accounts of the page: add, list, change, remove",
        OPERATIONS,
    ),
    Family(
        "backup",
        "backend.cli.operations.backup",
        "cases, studies and people in one file; the program may run meanwhile",
        OPERATIONS,
    ),
    Family("restore", "backend.cli.operations.backup", "put a backup back; the program must not run", OPERATIONS),
    Family("doctor", "backend.cli.operations.doctor", "check that everything needed is there", OPERATIONS),
    Family(
        "seams", "backend.cli.operations.seams_command", "what is registered, and can be added to, by name", OPERATIONS
    ),
    Family("bench", "backend.cli.bench", "measure speed and memory against their targets", OPERATIONS),
)
