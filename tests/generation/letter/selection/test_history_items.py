"""Which entries of a history a letter lists."""

from backend.generation.letter.selection.history_items import MOST
from tests.generation.letter.conftest import StoryOf

HPI = "HISTORY OF PRESENT ILLNESS: She came with an asthma attack.\n\n"


def listed(story_of: StoryOf, entries: str) -> str:
    told = story_of(f"{HPI}{entries}\n").letter_text
    return next((one for one in told.split(". ") if "medical history" in one), "")


def test_old_operations_without_bearing_are_left_out(story_of: StoryOf) -> None:
    told = listed(
        story_of, "PAST MEDICAL HISTORY: Gout.\n\nPAST SURGICAL HISTORY: Tonsillectomy. Cosmetic surgery of the nose."
    )
    assert "gout" in told.lower()
    assert "tonsil" not in told.lower() and "cosmetic" not in told.lower()


def test_an_entry_keeps_its_brackets_and_what_is_denied_of_it(story_of: StoryOf) -> None:
    told = listed(story_of, "PAST MEDICAL HISTORY: Gout (one flare in May, none since), migraine without aura.")
    assert "(one flare in May, none since)" in told
    assert "migraine" in told


def test_a_list_is_short(story_of: StoryOf) -> None:
    names = (
        "Gout",
        "Hypertension",
        "Depression",
        "Glaucoma",
        "Psoriasis",
        "Migraine",
        "Anemia",
        "Eczema",
        "Osteoporosis",
        "Hypothyroidism",
    )
    told = listed(story_of, "PAST MEDICAL HISTORY:\n" + "\n".join(f"{n}. {name}." for n, name in enumerate(names, 1)))
    assert told.count(";") + told.count(",") + told.count(" and ") < MOST
