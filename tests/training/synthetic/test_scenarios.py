"""The scenario files and their small language: what they say, and what is refused with which words."""

import random
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.settings import ROOT
from backend.training.synthetic.phrases import Filler, Option, parse_condition, parse_option, spread
from backend.training.synthetic.scenario_check import check, faults
from backend.training.synthetic.scenario_library import Library
from backend.training.synthetic.scenarios import read_library

SHIPPED = ROOT / "assets" / "training" / "scenarios"
COMORBIDITIES = """
[[comorbidity]]
id = "diabetes"
names = ["type 2 diabetes"]
chance = [0.1, 0.2, 0.3]
"""
SCENARIO = """
[[scenario]]
id = "gout"
conditions = ["gout"]
ages = [50, 60]
female = 0
complaint = ["toe pain"]
presents = ["pain of the {side} toe"]
hpi = [HPI]

[scenario.facts]
fluid-drawn = 0.5
kind = { of = { first-attack = 1, old-attack = 3 } }

[scenario.instructions]
why = ["You were admitted with gout."]
"""


@pytest.fixture(scope="module")
def shipped() -> Library:
    return read_library(SHIPPED)


def folder_with(tmp_path: Path, scenario: str, comorbidities: str = COMORBIDITIES) -> Path:
    """The shipped frames and pools (without excluded drugs, whose tags the shipped scenarios set) around one scenario."""
    (tmp_path / "frames.toml").write_text((SHIPPED / "frames.toml").read_text("utf-8"), "utf-8")
    (tmp_path / "pools.toml").write_text('[pools]\nside = ["left", "right"]\n', "utf-8")
    (tmp_path / "comorbidities.toml").write_text(comorbidities, "utf-8")
    (tmp_path / "joints.toml").write_text(scenario, "utf-8")
    return tmp_path


def test_the_shipped_scenarios_have_no_fault(shipped: Library) -> None:
    assert list(faults(shipped)) == []


def test_they_cover_the_common_systems_with_enough_scenarios(shipped: Library) -> None:
    counts = {
        system: sum(item.system == system for item in shipped.scenarios)
        for system in ("cardiovascular", "respiratory", "renal", "gastrointestinal")
    }
    assert sum(counts.values()) >= 45, counts
    assert min(counts.values()) >= 8, counts


def test_every_block_of_the_opening_has_several_wordings(shipped: Library) -> None:
    few = [item.id for item in shipped.scenarios if len(item.presents) < 2 or len(item.complaint) < 2]
    assert few == []


@pytest.mark.parametrize(
    ("condition", "tags", "holds"),
    [
        ("", set(), True),
        ("a", {"a"}, True),
        ("a, b", {"a"}, False),
        ("a|b", {"b"}, True),
        ("!a", {"a"}, False),
        ("a|b, !c", {"a", "c"}, False),
        ("!a|b", {"a", "b"}, True),
    ],
)
def test_a_condition_joins_by_comma_and_parts_by_bar(condition: str, tags: set[str], holds: bool) -> None:
    assert parse_condition(condition).holds(tags) is holds


def test_an_option_may_begin_with_its_condition() -> None:
    option = parse_option("[diabetes, !icu] Check your sugar.")
    assert option.text == "Check your sugar."
    assert option.when.holds({"diabetes"}) and not option.when.holds({"diabetes", "icu"})


@pytest.mark.parametrize("text", ["", "   ", 7, "an {open brace", "{a {nested} slot}"])
def test_an_option_that_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(KnowledgeError):
        parse_option(text)


def test_a_range_keeps_the_decimals_of_its_first_bound_and_both_bounds_come() -> None:
    rng = random.Random(0)
    assert {spread("2-4", rng) for _ in range(100)} == {"2", "3", "4"}
    assert {spread("0.8-1.0", rng) for _ in range(100)} == {"0.8", "0.9", "1.0"}
    with pytest.raises(KnowledgeError, match="lower first"):
        spread("5-2", rng)


def filler(pools: dict[str, list[str]], excluded: str = "nothing") -> Filler:
    options = {name: tuple(Option(text) for text in texts) for name, texts in pools.items()}
    return Filler({"he": "she"}, options, {"diabetes"}, random.Random(1), lambda text: excluded in text)


def test_a_pool_keeps_its_value_for_a_patient_and_may_name_another_pool() -> None:
    voice = filler({"drug": ["{class} 5 mg", "{class} 10 mg"], "class": ["statin"]})
    first = voice.fill("{drug}")
    assert first in {"statin 5 mg", "statin 10 mg"}
    assert all(voice.fill("{drug}, {he}") == f"{first}, she" for _ in range(20))


def test_a_pool_gives_what_is_excluded_only_if_it_has_nothing_else() -> None:
    pools = {"mixed": ["ibuprofen", "aspirin"], "only": ["ibuprofen"]}
    assert {filler(pools, excluded="ibuprofen").fill("{mixed} {only}") for _ in range(5)} == {"aspirin ibuprofen"}


def test_a_pool_that_names_itself_is_an_error_and_no_endless_loop() -> None:
    with pytest.raises(KnowledgeError, match="loop"):
        filler({"loop": ["{other}"], "other": ["{loop}"]}).fill("{loop}")


def test_a_sound_scenario_of_ones_own_passes(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, SCENARIO.replace("HPI", '"It hurts.", { when = "old-attack|diabetes", say = ["Again."] }')
    )
    library = read_library(folder)
    assert [fault for fault in faults(library) if "frames.toml" not in fault] == []
    assert library.scenarios[0].system == "joints"


@pytest.mark.parametrize(
    ("hpi", "words"),
    [
        ('"Pain of the {sidde} toe."', r"joints\.toml, scenario 'gout': \{sidde\}"),
        ('"Pain for {9-2} days."', "'9-2' is no range"),
        ('"[pregnancy] She is pregnant."', "nothing ever sets the tag 'pregnancy'"),
        ('"[female] She hurts."', "nobody can get 'She hurts.'"),  # all patients are men
        ('"[over-65] He is old."', "nobody can get 'He is old.'"),  # nobody is over 60
        ('"[first-attack, old-attack] Both."', "nobody can get 'Both.'"),  # one fact gives one of them
        ('"[fluid-drawn, !fluid-drawn] Both."', "nobody can get 'Both.'"),
    ],
)
def test_a_wording_that_cannot_be_filled_or_reached_is_a_fault(tmp_path: Path, hpi: str, words: str) -> None:
    with pytest.raises(KnowledgeError, match=words):
        check(read_library(folder_with(tmp_path, SCENARIO.replace("HPI", hpi))))


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ("ages = [50, 60]", "ages = [12, 60]", "adult ages"),
        ("ages = [50, 60]", "", "key 'ages' is missing"),
        ("female = 0", "female = 40", "40 is no chance"),
        ("female = 0", "femal = 0", "no key 'femal'"),
        ("[HPI]", "[{ p = 0.5 }]", "is no block"),
        ("[HPI]", '[{ say = ["x"], unless = "y" }]', "no key 'unless'"),
        ("[HPI]", '[["[Diabetes] x"]]', "'Diabetes' is no tag"),
        ('why = ["You', 'reason = ["You', "no key 'reason'"),
        ('why = ["You', 'changes = [{ start = ["x"], stop = ["y"] }]\nwhy = ["You', "A change has one of"),
        ("[scenario.facts]", "[scenario.facts", "is no TOML"),
    ],
)
def test_a_malformed_file_is_refused_by_name(tmp_path: Path, was: str, now: str, words: str) -> None:
    text = SCENARIO.replace(was, now).replace("HPI", "")
    with pytest.raises(KnowledgeError, match=words) as error:
        read_library(folder_with(tmp_path, text))
    assert "joints.toml" in str(error.value)


def test_the_examples_of_the_readme_are_sound(tmp_path: Path) -> None:
    readme = (SHIPPED.parent / "README.md").read_text("utf-8")
    scenario, comorbidity = (part.split("```")[0] for part in readme.split("```toml\n")[1:])
    folder = folder_with(tmp_path, scenario, (SHIPPED / "comorbidities.toml").read_text("utf-8"))
    (folder / "pools.toml").write_text((SHIPPED / "pools.toml").read_text("utf-8"), "utf-8")
    found = list(faults(read_library(folder)))
    assert [fault for fault in found if "pneumonia-community" in fault] == []
    (folder / "joints.toml").write_text(SCENARIO.replace("HPI", ""), "utf-8")
    (folder / "comorbidities.toml").write_text(comorbidity, "utf-8")
    assert read_library(folder).comorbidities[0].id == "diabetes"


def test_a_folder_without_the_shared_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"lacks pools\.toml"):
        read_library(tmp_path)


def test_the_same_id_twice_is_a_fault(tmp_path: Path) -> None:
    text = SCENARIO.replace("HPI", "")
    with pytest.raises(KnowledgeError, match="2 entries scenario 'gout'"):
        check(read_library(folder_with(tmp_path, text + text)))
