"""The list of medicines that have no row of doses."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import ConceptNames
from backend.knowledge.safety.rows.undosed import read_undosed

NAMES = ConceptNames({"zoster vaccine": ("LN:zoster-vaccine", "drug"), "gout": ("LN:gout", "disease")})


def written(folder: Path, *rows: str) -> Path:
    (folder / "safety").mkdir()
    text = "\n".join(("medicine\twhy", *rows))
    (folder / "safety" / "undosed.tsv").write_text(f"{text}\n", encoding="utf-8")
    return folder


def test_a_row_has_its_medicine_its_reason_and_its_line(tmp_path: Path) -> None:
    (row,) = read_undosed(written(tmp_path, "zoster vaccine\tone dose is one product"), NAMES)
    assert row == ("LN:zoster-vaccine", "one dose is one product", 2)


@pytest.mark.parametrize("name", ["gout", "unheard of"])
def test_what_is_no_medicine_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(KnowledgeError, match=r"undosed\.tsv:2"):
        read_undosed(written(tmp_path, f"{name}\tnone written"), NAMES)


def test_a_folder_without_the_list_lists_nothing(tmp_path: Path) -> None:
    assert read_undosed(tmp_path, NAMES) == ()
