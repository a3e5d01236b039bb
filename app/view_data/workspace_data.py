"""The values that the workspace is mounted with."""

import csv
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from app.words.api_words import ALERTS, ERRORS, FLAGS
from backend.schemas.drafts.gaps import AT_HOME, HOW_MUCH, OF_STAY, OF_THESE, WHETHER, WHICH
from backend.schemas.drafts.headings import MEDICINES_PART
from backend.schemas.vocabulary import GROUP_NAMES
from backend.settings import ROOT

SAMPLES = ("heart-failure-ace-angioedema", "pneumonia-penicillin-amoxicillin", "chest-pain-ruled-out")
"""The demonstration cases that are offered before anything is pasted."""


def workspace_data(
    person: str, words: Mapping[str, str] = MappingProxyType({}), language: str = "en"
) -> dict[str, Any]:
    """What the component is mounted with.

    Args:
        person: who is logged in; empty where nobody has to.
        words: the texts of the component in the page's language, by their English.
        language: the page's language, by which dates and times are written.

    Returns:
        JSON values, as `draw_workspace` names them.
    """
    return {
        "owner": person,
        "person": person,
        "samples": list(SAMPLES),
        "words": dict(words),
        "values": {
            "language": language,
            # the API's own words are English: only another language needs what they mean before them
            "errors": {kind: words[text] for kind, text in ERRORS.items() if text in words},
            "flags": {kind: words[text] for kind, text in FLAGS.items() if text in words},
            "alerts": {kind: words[text] for kind, text in ALERTS.items() if text in words},
            "medicines_heading": MEDICINES_PART,
            "table_gaps": dict.fromkeys((WHETHER, HOW_MUCH, AT_HOME, OF_THESE, OF_STAY), True),
            "which_holds": WHICH,
            "head_labels": head_labels(),
            "groups": {group.value: words.get(name, name) for group, name in GROUP_NAMES.items()},
        },
    }


@lru_cache(maxsize=1)
def head_labels() -> Mapping[str, str]:
    """The detail of a letter's head behind each label of the lines over a note, from the rows that the API reads them by."""
    text = (ROOT / "assets" / "rules" / "head_labels.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader((row for row in text.splitlines() if not row.startswith("#")), delimiter="\t")
    return {row["label"]: row["field"] for row in rows}
