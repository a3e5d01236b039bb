"""Senses of words and short forms: every row of the table by its own examples, and what is left open."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import tokens
from backend.nlp.lexicon import senses
from backend.nlp.lexicon.senses import Reading, decisions, readings
from backend.nlp.rules import RULES
from backend.schemas.vocabulary import SectionCategory

ROWS = list(
    {id(one): one for forms in readings().values() for several in forms.values() for one in several if one.yes}.values()
)


def chosen(text: str) -> list[Reading | None]:
    found = decisions(text, tokens(text), lambda _: SectionCategory.UNLABELED, lambda _: False)
    return [one.reading for one in found]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.written} as {row.sense}")
def test_a_sense_is_read_in_its_example_and_not_in_the_other(row: Reading) -> None:
    assert row in chosen(row.yes)
    assert row not in chosen(row.no)


@pytest.mark.parametrize("form", ["MS", "BS"])
def test_a_form_is_left_open_where_nothing_decides(form: str) -> None:
    assert chosen(f"{form} today.") == [None, readings()["today"][("today",)][0]]


def test_the_rest_of_the_note_decides() -> None:
    between = "She sleeps and eats well and is at work. " * 3
    assert "rheumatoid arthritis" in [
        one.sense for one in chosen(f"RA for years. {between} Methotrexate weekly.") if one
    ]
    assert "rheumatoid arthritis" not in [one.sense for one in chosen(f"RA for years. {between}") if one]


@pytest.mark.parametrize(
    ("senses_row", "message"),
    [
        ("ra\tx\tupper\tlow\t\t\t\t\tRA.\tra.", "ra"),
        ("ra\tx\tlower\t0.5\t\t\t\t\tRA.\tra.", "case 'lower'"),
        ("ra\tx\tupper\t0.5\t\t\t\t\tRA.\t", "yes or a no"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, senses_row: str, message: str) -> None:
    for name in ("no_names.txt", "short_forms.tsv"):
        (tmp_path / name).write_text((RULES / "lexicon" / name).read_text())
    (tmp_path / "senses.tsv").write_text("\t".join(senses._COLUMNS) + "\n" + senses_row + "\n")
    with pytest.raises(KnowledgeError, match=message):
        readings.__wrapped__(tmp_path)
