"""The frames of a letter by setting; a hospital is never said of a clinic."""

import pytest

from backend.errors import KnowledgeError
from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.frames import framed, object_of
from backend.schemas.record import Setting

YOU, CHILD = Addressee("female"), Addressee("female", child=True)


@pytest.mark.parametrize("setting", list(Setting))
def test_every_setting_has_its_way_to_say_why_they_came(setting: Setting) -> None:
    sentence = framed("came", setting, YOU, "a cough")
    assert sentence.endswith("a cough.")
    assert "hospital" not in sentence  # where they came is told by what the note says of it, not by what it seems


def test_what_an_examination_shows_needs_no_second_verb() -> None:
    assert framed("exam", Setting.CLINIC, YOU, "shows a rash") == "The examination shows a rash."
    assert framed("exam", Setting.CLINIC, YOU, "shingles on the back") == "The examination found: shingles on the back."


def test_a_child_takes_the_third_person() -> None:
    assert framed("came", Setting.UNKNOWN, CHILD, "a cough") == "Your child was seen because of a cough."


def test_the_patient_stands_behind_the_verbs_that_leave_them_out() -> None:
    assert object_of("refer", YOU) == "you to"
    assert object_of("admit", CHILD) == "your child"
    assert object_of("stop", YOU) == ""


def test_an_unknown_frame_says_so() -> None:
    with pytest.raises(KnowledgeError, match="no frame 'nothing'"):
        framed("nothing", Setting.CLINIC, YOU)
