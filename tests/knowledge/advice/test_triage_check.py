"""The check of warning signs: each rule finds what breaks it, and the shipped rows break none."""

from itertools import islice

import pytest

from backend.container import Container
from backend.knowledge.advice.needs import parse_needs
from backend.knowledge.advice.red_flags import RedFlag
from backend.knowledge.advice.sign_classes import Level, SignClasses
from backend.knowledge.advice.triage_check import DELAY, delays, triage_breaches
from backend.knowledge.starter import HandbookSection, Line, Starter
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


@pytest.fixture(scope="module")
def starter(container: Container) -> Starter:
    return container.starter


def found(starter: Starter) -> str:
    return "\n".join(what for _, what in triage_breaches(starter))


def with_flag(starter: Starter, sign: str, level: Level, concept: str = "gout", needs: str = "-") -> Starter:
    flag = RedFlag(concept, sign, level, parse_needs(needs), file="x", line=9)
    return starter._replace(red_flags=(*starter.red_flags, flag))


def test_the_shipped_signs_break_no_rule(starter: Starter) -> None:
    assert list(islice(triage_breaches(starter), 5)) == []
    assert len(starter.sign_classes) >= 70


@pytest.mark.parametrize(
    ("sign", "level", "what"),
    [
        ("your stools are black like tar or bloody", Level.CALL_TODAY, "is call_today, and emergency_department at"),
        ("your stools are black again", Level.NEXT_VISIT, "its class black_stool is emergency_department"),
        ("you have chest pain and a cold", Level.CALL_TODAY, "its class chest_pain is call_ambulance"),
        ("you vomit blood or see streaks of blood", Level.CALL_AMBULANCE, "of two levels; write two rows"),
        ("a " * 18 + "fever", Level.CALL_TODAY, "19 words"),
    ],
)
def test_a_sign_of_another_level_or_of_too_many_words_is_a_breach(
    starter: Starter, sign: str, level: Level, what: str
) -> None:
    assert what in found(with_flag(starter, sign, level))


def test_an_emergency_that_is_told_only_together_with_another_sign_is_a_breach(starter: Starter) -> None:
    tied = with_flag(starter, "you have a fever and are newly confused", Level.CALL_AMBULANCE)
    assert "gout: 'you have a fever and are newly confused' ties confusion to another sign" in found(tied)
    alone = with_flag(tied, "you swell, or are newly confused", Level.CALL_AMBULANCE)
    assert "ties confusion" not in found(alone)
    assert "ties confusion" not in found(
        with_flag(starter, "a cough comes with confusion", Level.CALL_AMBULANCE, "cough")
    )


def test_a_row_of_no_chapter_or_with_an_unknown_need_is_a_breach(starter: Starter) -> None:
    assert "'wombat' has no chapter" in found(with_flag(starter, "you tire", Level.CALL_TODAY, "wombat"))
    assert "'takes:wombat' names no concept" in found(
        with_flag(starter, "you tire", Level.CALL_TODAY, "gout", "takes:wombat")
    )


def test_signs_out_of_order_and_chapters_with_too_few_are_breaches(starter: Starter) -> None:
    assert "gout: 'the toe falls off' is more urgent than the sign above it" in found(
        with_flag(starter, "the toe falls off", Level.CALL_AMBULANCE)
    )
    few = tuple(flag for flag in starter.red_flags if flag.concept != "gout")
    assert "gout: 0 warning signs, at least 3 wanted" in found(starter._replace(red_flags=few))


def test_warning_signs_that_are_written_beside_the_rows_are_a_breach(starter: Starter) -> None:
    other = HandbookSection("gout", "Warning signs", "Call a taxi if you limp.", Line("x", 1))
    handbook = [s for s in starter.handbook if (s.condition, s.title) != ("gout", "Warning signs")]
    assert "gout: its warning signs are not the rows" in found(starter._replace(handbook=[*handbook, other]))


def test_a_class_with_a_wrong_example_an_unknown_chapter_or_no_sign_is_a_breach(starter: Starter) -> None:
    cells = {"chapters": "wombat", "unless": "-", "opening": "-", "alone": "-"}
    row = TriggerRow("level", "odd", "purple nose", "call_today", cells, ("a red nose",), ("a purple nose",))
    said = found(starter._replace(sign_classes=SignClasses([row])))
    assert "odd: does not find 'a red nose'" in said
    assert "odd: finds 'a purple nose'" in said
    assert "odd: no chapter and no need of a sign: wombat" in said
    assert "odd: no warning sign belongs to it" in said


@pytest.mark.parametrize(
    "text",
    [
        "Walk it off if chest pain comes while you exercise.",
        "Tell your team at your next visit if you vomit blood.",
        "You can wait until morning if your face droops.",
        "Rest when you have chest pressure.",
        "See your doctor within a few days about chest tightness.",
    ],
)
def test_advice_elsewhere_that_delays_an_emergency_is_a_breach(starter: Starter, text: str) -> None:
    section = HandbookSection("gout", "Activity", text, Line("x", 1))
    assert "gout: delays" in found(starter._replace(handbook=[*starter.handbook, section]))
    kept = "Rest your foot, and wait for the swelling to go. Stop at once and sit down if chest pain comes."
    quiet = HandbookSection("gout", "Activity", kept, Line("x", 1))
    assert "delays" not in found(starter._replace(handbook=[*starter.handbook, quiet]))


@pytest.mark.parametrize("row", trigger_rows("fit/delay"), ids=lambda row: row.id)
def test_words_of_delay_are_found_in_their_examples_alone(row: TriggerRow) -> None:
    delaying = row.event == DELAY
    assert all(delays(example) is delaying for example in row.yes)
    assert all(delays(example) is not delaying for example in row.no)
