"""A list and a telling in one sentence of an allergies section: neither loses anything to the other."""

import pytest

from tests.nlp.fresh import linker


def read(text: str) -> list[tuple[str, str]]:
    return [(item.text.lower(), item.reaction) for item in linker().link(text).allergies.items]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "Allergies: sulfa (hives), latex - rash; her son reports codeine made him vomit",
            [("sulfa", "hives"), ("latex", "rash"), ("codeine", "vomit")],
        ),
        (
            "Allergies: sulfa (hives), latex - rash, her son reports codeine made him vomit",
            [("sulfa", "hives"), ("latex", "rash"), ("codeine", "vomit")],
        ),
        (
            "Allergies: son reports codeine made him vomit; sulfa (hives), latex - rash",
            [("codeine", "vomit"), ("sulfa", "hives"), ("latex", "rash")],
        ),
        ('Allergies: sulfa (hives), kiwi - rash; wife says "no penicillin problem"', [("sulfa", "hives"), ("kiwi", "rash")]),
        ("Allergies: sulfa (hives), patient states she can take ibuprofen", [("sulfa", "hives")]),
        ("Allergies: Xylazol; it made her lips swell; latex", [("xylazol", "it made her lips swell"), ("latex", "")]),
        (
            "Allergies: penicillin - anaphylaxis, treated with epinephrine and benadryl",
            [("penicillin", "anaphylaxis, treated with epinephrine, benadryl")],
        ),
        ("Allergies: latex, treated with penicillin - rash", [("latex", ""), ("penicillin", "rash")]),
        ("Allergies: treated with penicillin", [("penicillin", "")]),
        ("Allergies: PCN hives sulfa rash latex", [("pcn", "hives"), ("sulfa", "rash"), ("latex", "")]),
        ("Allergies: PCN hives latex", [("pcn", "hives"), ("latex", "")]),
        ("Allergies: PCN hives Xylazol", [("pcn", "hives"), ("xylazol", "")]),
        ("Allergies: PCN hives but ok with Keflex", [("pcn", "hives")]),
        ("Allergies: PCN (hives) Xylazol (rash) latex", [("pcn", "hives"), ("xylazol", "rash"), ("latex", "")]),
        ("Allergies: she is allergic to penicillin and the dye", [("penicillin", ""), ("dye", "")]),
        ("ALLERGIES:  PENICILLIN, which causes a rash, and CODEINE, which she does not tolerate.", [("penicillin", "rash"), ("codeine", "")]),
        ("HPI: 45F, PCN allergy, here with cough.", [("pcn", "")]),
    ],
)  # fmt: skip
def test_each_part_is_read_by_itself(text: str, items: list[tuple[str, str]]) -> None:
    assert read(text) == items


def test_a_salt_written_short_is_no_medicine_of_its_own() -> None:
    assert [m.name for m in linker().link("Meds: metoprolol succ 50 daily").note.mentions] == ["metoprolol"]
