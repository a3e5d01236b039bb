"""Names of problems are filed once."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.findings import problem_names


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("gout\tdisease\t\tgout|podagra\nfoot pain\tsymptom\t\tpodagra\n", "podagra"),
        ("gout\tillness\t\tgout\n", "gout"),
    ],
)
def test_a_bad_row_of_names_is_named(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "problem_names.tsv"
    path.write_text("name\tcategory\twhere\tnames\n" + rows)
    with pytest.raises(KnowledgeError, match=message):
        problem_names._names.__wrapped__(path)
