"""What a note must speak of before findings alone suggest a condition."""

from pathlib import Path

import pytest

from backend.container.container import Container
from backend.diagnosis.ranking.condition_needs import ConditionNeeds, read_needs
from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.errors import KnowledgeError
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from tests.diagnosis.ranking.test_condition_ranking import Asked, Linked, Named, by_name

NEEDS = ROOT / "assets" / "rules" / "condition_needs.tsv"


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("He fell off a boat.", True),
        ("Found under a POOL cover.", True),
        ("She was swimming.", True),
        ("takes a water pill", False),
        ("carpool to work", False),
        ("seasonal rhinitis", False),
        ("by the sea.", True),
    ],
)
def test_entries_begin_a_word_and_short_ones_are_whole_words(text: str, met: bool) -> None:
    assert ConditionNeeds({"LN:x": ("boat", "pool", "swim", "sea")}).met("LN:x", text) is met


def test_who_needs_nothing_is_always_met() -> None:
    assert ConditionNeeds({}).met("LN:x", "")


def test_findings_alone_do_not_suggest_what_lacks_its_need_but_its_name_does(
    tiny_graph: Graph, named: Named, linked: Linked, asked: Asked
) -> None:
    needs = ConditionNeeds({named("pulmonary embolism"): ("flight",)})
    ranker = GraphConditionRanker(tiny_graph, {}, needs=needs)
    assert "pulmonary embolism" not in by_name(ranker.rank(linked("She has dyspnea."), asked()))
    assert "pulmonary embolism" in by_name(ranker.rank(linked("She has dyspnea after a flight."), asked()))
    assert "pulmonary embolism" in by_name(ranker.rank(linked("She has a pulmonary embolism."), asked()))


def test_every_line_of_the_rules_names_a_condition_of_the_starter_graph(container: Container) -> None:
    rows = [line.split("\t")[0] for line in NEEDS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    conditions = {row.name for row in container.graph.concepts if row.condition or row.must_not_miss}
    assert not set(rows) - conditions
    assert len(rows) == len(set(rows))


def test_a_line_of_another_shape_is_refused(tmp_path: Path, tiny_graph: Graph) -> None:
    path = tmp_path / "needs.tsv"
    path.write_text("pneumonia\tcough||fever\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="line 1"):
        read_needs(path, tiny_graph)


def test_drowning_is_no_candidate_of_a_cough_and_is_one_after_water(container: Container) -> None:
    def conditions(text: str) -> set[str]:
        note: LinkedNote = container.linker.link(text)
        return {found.name for found in container.ranker.rank(note, DraftRequest(text=text))}

    note = "HPI: 30 M with cough, productive cough, dyspnea and wheezing"
    assert "drowning" not in conditions(f"{note}.")
    assert "drowning" in conditions(f"{note} after he was pulled from a lake.")
