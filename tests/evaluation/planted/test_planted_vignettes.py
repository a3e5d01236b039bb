"""Made-up cases with one wrong statement: how they are read, what the figures mean, and that the wrong one stands out."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError, KnowledgeError
from backend.evaluation.planted.planted_vignettes import SHIPPED, figures_of, placed, read_vignettes, vignette_table
from backend.schemas.drafts.note import LinkedNote
from backend.verification.consistency.consistency import Suspicion

TEXT = "# Title\n\n## one | diagnosis | surgery\nHe has a cough. {{He has a cold.|He has gout.|He has asthma.}} He rests.\n"


class Marked:
    """Suspects a sentence by words in it."""

    def __init__(self, scores: dict[str, float]) -> None:
        self._scores = scores

    def suspicions(self, linked: LinkedNote) -> list[Suspicion]:
        text, out = linked.note.text, []
        for sentence in text.split(". "):
            start = text.index(sentence)
            score = next((score for words, score in self._scores.items() if words in sentence), 0.0)
            out.append(Suspicion(start, start + len(sentence), score, ()))
        return out


def written(folder: Path, text: str) -> Path:
    path = folder / "some.md"
    path.write_text(text)
    return path


def test_a_vignette_is_read_in_its_three_forms(tmp_path: Path) -> None:
    (one,) = read_vignettes(written(tmp_path, TEXT))
    assert one.text("right") == "He has a cough. He has a cold. He rests."
    assert one.text("near") == "He has a cough. He has asthma. He rests."
    assert not one.held


def test_every_second_of_a_kind_is_held(tmp_path: Path) -> None:
    block = TEXT.partition("\n\n")[2]
    found = read_vignettes(written(tmp_path, "# Title\n\n" + "\n".join([block] * 4)))
    assert [one.held for one in found] == [False, True, False, True]


@pytest.mark.parametrize("text", [TEXT.replace("diagnosis", "weather"), TEXT.replace("|He has asthma.", "")])
def test_a_vignette_in_another_form_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(KnowledgeError, match="right"):
        read_vignettes(written(tmp_path, text))


def test_figures_by_hand(tmp_path: Path, container: Container) -> None:
    vignettes = read_vignettes(written(tmp_path, TEXT))
    checker = Marked({"gout": 0.9, "asthma": 0.2, "rests": 0.2, "cold": 0.2})
    far, near = placed(vignettes, container.linker, checker, lambda *_: None)  # type: ignore[arg-type]
    # far: 0.9 above 0 and 0.2. near: 0.2 above 0 and level with 0.2, so (1 + 0.5) / 2, and the first place is shared by two
    assert (far.auc, far.first, far.chance, far.flagged, far.alarmed, far.won) == (1.0, 1.0, 1 / 3, 1.0, 0.0, 1.0)
    assert (near.auc, near.first, near.flagged, near.won) == (0.75, 0.5, 0.0, 0.5)


def test_wrong_statements_of_what_ships_stand_out(container: Container) -> None:
    """A tenth of slack below the figures of docs/architecture.md."""
    for path, least_auc, least_first in zip(SHIPPED, (0.88, 0.83), (0.8, 0.65), strict=True):
        found = figures_of(container, path, "all", 0, lambda *_: None)
        whole = found[0]
        assert whole.auc.value is not None
        assert whole.auc.value > least_auc, path
        assert whole.first.value is not None
        assert whole.first.value > max(least_first, 3 * whole.chance), path
        assert vignette_table(found).count("\n") == len(found) + 1


def test_an_unknown_half_and_a_missing_file_are_refused(container: Container, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="tune, held, all"):
        figures_of(container, SHIPPED[0], "other", 0, lambda *_: None)
    with pytest.raises(InputError, match="no vignettes at"):
        figures_of(container, tmp_path / "none.md", "all", 0, lambda *_: None)
