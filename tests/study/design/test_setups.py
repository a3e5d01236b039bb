"""Setups: from templates, and what a setup refuses."""

import pytest

from backend.errors import InputError
from backend.schemas.studies.study_design import Design, StudySetup
from backend.study.design.instruments import instrument
from backend.study.design.setups import all_templates, setup_from, template


def test_the_first_template_is_twenty_cases_two_systems_two_raters_four_statements() -> None:
    made = setup_from(template("reinrag"), "A study")
    assert (made.rated_cases, len(made.arms), made.raters, made.overlap) == (20, 2, 2, 2)
    assert made.design == Design.SINGLE
    assert len(made.instruments[0].questions) == 4


def test_the_second_template_is_four_systems_and_three_sets() -> None:
    entry = template("omnirag")
    assert (entry.arms, entry.sets) == (4, 3)
    systems = ("no-retrieval", "random1hop", "sim1hop", "leapnote")
    made = setup_from(entry, "A study", systems)
    assert [arm.system for arm in made.arms] == list(systems)
    with pytest.raises(InputError, match="compares 4 arms; 2 are given"):
        setup_from(entry, "A study", systems[:2])


def test_every_template_says_where_it_departs() -> None:
    assert all(entry.departs for entry in all_templates())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"raters": 1, "overlap": 2}, "overlap 2 is more than the 1 raters"),
        ({"instruments": ["pairwise-preference"]}, "does not suit the design"),
        ({"arms": [{"id": "a", "system": "x"}, {"id": "a", "system": "y"}]}, "two arms have the same id"),
        ({"arms": [{"id": "a", "system": "x", "generator": "g"}, {"id": "b", "system": "y"}]}, "same generator"),
        (
            {
                "factor": "generator",
                "arms": [{"id": "a", "system": "x", "generator": "g"}, {"id": "b", "system": "y", "generator": "h"}],
            },
            "same system",
        ),
    ],
)
def test_a_setup_that_contradicts_itself_is_refused(change: dict[str, object], message: str) -> None:
    fields: dict[str, object] = {
        "name": "A",
        "arms": [{"id": "a", "system": "x"}, {"id": "b", "system": "y"}],
        "instruments": ["reinrag-statements"],
    } | change
    fields["instruments"] = [instrument(str(name)) for name in fields["instruments"]]  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=message):
        StudySetup.model_validate(fields)


def test_a_stored_setup_is_read_and_written_under_the_name_its_hash_rests_on() -> None:
    made = setup_from(template("reinrag"), "A study", extra_terms=("Zebrafinch",))
    stored = made.model_dump(mode="json")
    assert stored["extra_tells"] == ["Zebrafinch"] and "extra_terms" not in stored
    assert StudySetup.model_validate(stored) == made
