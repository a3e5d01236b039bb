"""Mounts the workspace: one component from the pasted note to the signed letter.

It is mounted once and then talks to the API itself, by way of the page's own server; its state is its own.
"""

from typing import Any

from app.components.component import component

SCRIPTS = (
    *(
        "core/words",
        "core/patch",
        "core/net",
        "core/store",
        "core/letter_model",
        "core/draft_stream",
        "core/edit_queue",
        "core/conflicts",
    ),
    *("core/left_letters", "core/typed_memory", "core/typing_place", "core/keys"),
    *(
        "note/entry",
        "note/same_patient",
        "note/uploads",
        "note/note_places",
        "note/note_pane",
        "note/carried",
        "note/correct_menu",
    ),
    *("letter/letter_pane", "letter/sentence_edit", "letter/gaps", "letter/problems_strip", "letter/medicines_table"),
    *("letter/gap_choices", "letter/untold", "letter/alerts"),
    *(
        "evidence/evidence_pane",
        "evidence/sources",
        "evidence/source_document",
        "evidence/found_how",
        "evidence/paths_picture",
        "evidence/policy_steps",
    ),
    *("frame/layout", "frame/head", "frame/foot", "frame/sign", "frame/versions", "frame/dialogs", "frame/translation"),
    "main",
)
STYLES = ("frame", "entry", "letter", "panes", "print")

workspace = component(
    "leapnote_workspace",
    ("dom.js", "translating.js", *(f"workspace/{script}.js" for script in SCRIPTS)),
    ("tokens.css", *(f"workspace/styles/{style}.css" for style in STYLES)),
)


def draw_workspace(data: dict[str, Any]) -> None:
    """The workspace.

    Args:
        data: owner (who is logged in, so that nothing of another person's is shown), person (their name, empty where nobody
            logs in), samples (names of the demonstration cases that are offered), words (translations by their English), values
            (what is not a word: language, heading of the medicines, the gaps that no free words answer, labels of the lines over a
            note, names of the semantic groups).
    """
    workspace(key="workspace", data=data)
