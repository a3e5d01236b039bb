"""Which sentences of an allergies section still belong to its list, and which are running text again; written for these tests."""

import pytest

from tests.nlp.fresh import linker


def allergies(text: str) -> tuple[str, list[str], int]:
    found = linker().link(text).allergies
    return found.status.value, [item.text.lower() for item in found.items], len(found.possible)


@pytest.mark.parametrize(
    "text",
    [
        "Allergies none known. BMI 27. CTG reassuring.",
        "Allergies: NKDA. TR band off.",
        "Allergies: NKDA. Copper coil in situ. Renin sent.",
        "ALLERGIES: None. Seen with Dr Patel. For MRI pelvis.",
        "Allergies: nil. Bishop score 6. Membranes intact.",
        "Allergies: none known. TED stockings on. Clexane charted.",
        "Allergies: NKDA\nWeight 71 kg\nUrine dip negative",
        "Allergies: denies. Wife present. Capacity intact.",
        "Allergies - nil known; consent signed; theatre aware.",
        "Allergies: nil. Nexplanon in left arm. Smear up to date.",
        "Allergies: NKDA. Metoprolol 25 mg BD. Lasix 40 mg.",
        "Allergies: None known. Cervix closed. Anti-D given.",
        "Allergies: NKDA. Radial access, right. Troponin 14. Echo booked.",
        "Allergies: No known drug allergies. He is a retired plumber. Smokes 10 a day.",
        "Allergies: NKDA. Takes aspirin, statin.",
        "Allergies: NKDA. Drinks milk, eats eggs.",
    ],
)
def test_a_denial_of_all_closes_the_list(text: str) -> None:
    assert allergies(text) == ("none_known", [], 0)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Allergies: penicillin (rash). BMI 27. CTG reassuring.", ["penicillin"]),
        ("Allergy: egg - rash. Return if stridor at rest, blue, drooling.", ["egg"]),
        ("Allergies: latex (rash). Seek help if wheezy, grey, swelling.", ["latex"]),
        ("Allergies: latex, plasters. Weight 64 kg. Fundal height 31 cm.", ["latex", "plasters"]),
        ("Allergies: penicillin. Wife present. Capacity intact.", ["penicillin"]),
        ("Allergies: penicillin. Check INR Friday. Dr Shah to review.", ["penicillin"]),
        ("Allergies: trimethoprim. Uses a hearing aid. Denies alcohol.", ["trimethoprim"]),
        ("Allergies: iodine. Ultrasound shows single live fetus.", ["iodine"]),
        ("Allergies: latex. Blood group O neg. Rubella immune.", ["latex"]),
        ("Allergies: penicillin. Socket packed. Post-op instructions given.", ["penicillin"]),
        (
            "All: egg (hives). NKDA\nImm: UTD but no flu jab (dad worried about egg. told that egg allergy is no bar; consented, given 1/2)"
            "\nFam hx atopy dad, sister eczema. Dog at home",
            ["egg"],
        ),
        (
            "Allergies: shrimp - hives. NKDA.\nVaccines current. Discussed latex allergy policy with school; understood, signed",
            ["shrimp", "latex"],
        ),
        ("Allergies: amoxicillin - rash. Please confirm.", ["amoxicillin"]),
    ],
)
def test_a_sentence_of_another_matter_ends_the_list(text: str, items: list[str]) -> None:
    assert allergies(text)[1] == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Allergies: penicillin. Kiwi. Feathers.", ["penicillin", "kiwi", "feathers"]),
        (
            "Allergies: penicillin. Sulfa. Cat dander. Nail varnish.",
            ["penicillin", "sulfa", "cat dander", "nail varnish"],
        ),
        ("Allergies: penicillin. Xyloprim.", ["penicillin", "xyloprim"]),
        ("Allergies: NKDA. Latex.", ["latex"]),
        ("Allergies: NKDA. Latex causes rash.", ["latex"]),
        ("Allergies: no drug allergies. Shellfish - anaphylaxis.", ["shellfish"]),
        ("Allergies: no drug allergies. Foods: strawberries.", ["strawberries"]),
        ("Allergies: NKDA\nPenicillin", ["penicillin"]),
        ("Allergies: penicillin\nElastoplast\nBlenkorin", ["penicillin", "elastoplast", "blenkorin"]),
        ("Allergies: penicillin. Works nights. Codeine - vomits.", ["penicillin", "codeine"]),
        ("Allergies: no drug allergies. Cut flowers, grass pollen.", ["cut flowers", "grass pollen"]),
        ("Allergies: NKDA. Feathers, damp walls and cat dander.", ["feathers", "damp walls", "cat dander"]),
        ("Allergies: reacts to egg. Gelatin infusion 2021 \u2013 rigors.", ["egg", "gelatin infusion"]),
    ],
)
def test_names_and_reactions_go_on_with_the_list(text: str, items: list[str]) -> None:
    assert allergies(text)[1] == items


@pytest.mark.parametrize(
    "opens",
    [
        "Immunizations current except MMR.",
        "Diet: regular, lactose free milk at times",
        "ETOH: two beers nightly",
        "Alcohol - wine with dinner",
        "Hobbies: keeps bees",
        "Supplements: fish oil, turmeric",
        "Mobility: uses a walker, latex free socks",
    ],
)
@pytest.mark.parametrize("listed", ["NKDA\n", "NKDA. ", "Penicillin (hives)\n", "Penicillin, sulfa. "])
def test_a_label_of_another_matter_ends_the_list(listed: str, opens: str) -> None:
    found = {item.text.lower() for item in linker().link(f"Allergies: {listed}{opens}").allergies.items}
    assert found <= {"penicillin", "sulfa"}
    assert bool(found) is ("NKDA" not in listed)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("penicillin\nAlcohol swabs - rash", {"penicillin", "alcohol swabs"}),
        ("NKDA\nFood: peanuts\nEnvironmental: pollen", {"peanuts", "pollen"}),
        ("penicillin\nFlu shot - arm swelled", {"penicillin", "flu shot"}),
        ("pen (hives), clinda - C. difficile colitis", {"pen", "clinda"}),
    ],
)
def test_a_label_of_the_list_and_a_reaction_go_on(body: str, expected: set[str]) -> None:
    assert {item.text.lower() for item in linker().link(f"Allergies: {body}").allergies.items} == expected


@pytest.mark.parametrize(("written", "name"), [("pen", "penicillin"), ("nitrofur", "nitrofurantoin"), ("sulf", None)])
def test_a_clipped_name_of_a_list_is_checked(written: str, name: str | None) -> None:
    item = linker().link(f"Allergies: aspirin, {written}").allergies.items[1]
    assert item.checked and (name is None or item.name == name)
