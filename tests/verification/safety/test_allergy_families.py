"""Allergies of the shipped knowledge against medicines of US and UK lists: what a pharmacist would stop, warn of, or let pass."""

import pytest

from backend.container.container import Container
from backend.nlp.allergies.dangerous_reactions import endangered_life
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Severity

STOP, WARN, NOTE = Severity.SEVERE, Severity.WARNING, Severity.INFO


def worst(container: Container, allergy: str, medicine: str) -> Severity | None:
    """The gravest allergy flag of a note that lists the one and takes the other; none where nothing is flagged."""
    text = f"Allergies: {allergy}\n\nHPI: A 60-year-old woman.\n\nMedications:\n- {medicine}\n"
    found, _ = container.safety.check(DraftRequest(text=text), container.linker.link(text), (), ())
    grades = [flag.severity for flag in found if flag.kind == "allergy_conflict"]
    return min(grades, key=list(Severity).index, default=None)


@pytest.mark.parametrize(
    ("allergy", "medicine"),
    [
        ("penicillin (anaphylaxis)", "flucloxacillin 500 mg four times daily"),
        ("penicillin (anaphylaxis)", "co-amoxiclav 625 mg three times daily"),
        ("penicillin (anaphylaxis)", "Tazocin 4.5 g IV three times daily"),
        ("penicillin (rash)", "pivmecillinam 400 mg"),
        ("penicillin (anaphylaxis)", "temocillin 2 g IV"),
        ("flucloxacillin (hives)", "amoxicillin 500 mg"),
        ("amoxicillin (hives)", "co-fluampicil"),
        ("penicillin (anaphylaxis)", "Prevpac"),
        ("amoxicillin (anaphylaxis)", "cefaclor 500 mg"),
        ("cefalexin (hives)", "cefaclor 500 mg"),
        ("ceftriaxone (anaphylaxis)", "cefotaxime 1 g IV"),
        ("meropenem (hives)", "ertapenem 1 g IV"),
        ("sulfa (Stevens-Johnson syndrome)", "co-trimoxazole 960 mg twice daily"),
        ("sulfa (rash)", "Septrin 480 mg"),
        ("sulfa (rash)", "sulfasalazine 500 mg"),
        ("Bactrim (hives)", "Flamazine cream"),
        ("doxycycline (hives)", "lymecycline 408 mg daily"),
        ("gentamicin (rash)", "tobramycin 300 mg neb"),
        ("ciprofloxacin (hives)", "levofloxacin 500 mg"),
        ("aspirin (bronchospasm)", "Alka-Seltzer"),
        ("aspirin (bronchospasm)", "naproxen 250 mg"),
        ("ibuprofen (angioedema)", "diclofenac 50 mg"),
        ("ibuprofen (hives)", "Nurofen Plus"),
        ("ramipril (angioedema)", "perindopril 4 mg daily"),
        ("lisinopril (angioedema)", "Entresto 24/26 mg"),
        ("carbamazepine (DRESS)", "phenytoin 300 mg"),
        ("phenytoin (rash)", "primidone 250 mg"),
        ("carbimazole (agranulocytosis)", "methimazole 10 mg"),
        ("codeine (anaphylaxis)", "morphine 10 mg"),
        ("codeine (hives)", "co-codamol 30/500"),
        ("codeine (hives)", "dihydrocodeine and codeine 30 mg"),
        ("paracetamol (rash)", "co-dydramol 10/500"),
        ("procaine (hives)", "tetracaine gel"),
        ("vancomycin (anaphylaxis)", "teicoplanin 400 mg IV"),
        ("enoxaparin (rash)", "tinzaparin 4500 units"),
        ("chlorhexidine (anaphylaxis)", "Instillagel"),
        ("chlorhexidine (anaphylaxis)", "Naseptin cream"),
        ("macrogol (anaphylaxis)", "Laxido one sachet daily"),
        ("Movicol (anaphylaxis)", "Laxido one sachet daily"),
        ("gelatin (anaphylaxis)", "Gelofusine 500 mL"),
        ("rocuronium (anaphylaxis)", "atracurium 30 mg"),
        ("rifampicin (rash)", "Rifater five tablets daily"),
        ("cisplatin (anaphylaxis)", "carboplatin"),
        ("heparin (HIT)", "tinzaparin 4500 units"),
        ("heparin (HIT)", "heparin flush 50 units"),
        ("pethidine (anaphylaxis)", "fentanyl 50 micrograms"),
        ("IV contrast (hives)", "iohexol 100 mL"),
    ],
)
def test_what_the_patient_must_not_have_stops(container: Container, allergy: str, medicine: str) -> None:
    assert worst(container, allergy, medicine) is STOP


@pytest.mark.parametrize(
    ("allergy", "medicine"),
    [
        ("codeine (hives)", "morphine 10 mg"),
        ("morphine (rash)", "oxycodone 5 mg"),
        ("codeine (hives)", "co-dydramol 10/500"),
        ("fentanyl (rash)", "alfentanil 500 micrograms"),
        ("penicillin (hives)", "cefuroxime 250 mg"),
        ("penicillin (anaphylaxis)", "ceftriaxone 2 g IV"),
        ("cefuroxime (rash)", "ceftazidime 2 g IV"),
        ("omeprazole (rash)", "lansoprazole 30 mg"),
        ("vancomycin (rash)", "teicoplanin 400 mg IV"),
        ("erythromycin (rash)", "azithromycin 500 mg"),
        ("lidocaine (rash)", "bupivacaine 0.25%"),
        ("ramipril (angioedema)", "candesartan 8 mg daily"),
        ("carbamazepine (rash)", "lamotrigine 25 mg"),
        ("fluconazole (rash)", "voriconazole 200 mg"),
        ("insulin lispro (rash)", "insulin glargine 10 units"),
        ("gliclazide (rash)", "glimepiride 2 mg"),
        ("ibuprofen (hives)", "celecoxib 100 mg"),
        ("peanut (hives)", "Prometrium 100 mg"),
        ("cefazolin (anaphylaxis)", "ceftriaxone 1 g IV"),
        ("statins (myalgia)", "atorvastatin 20 mg"),
        ("NSAIDs (GI upset)", "ibuprofen 400 mg"),
        ("insulin detemir (hives)", "Humalog 10 units"),
    ],
)
def test_what_only_some_react_to_is_a_warning(container: Container, allergy: str, medicine: str) -> None:
    assert worst(container, allergy, medicine) is WARN


@pytest.mark.parametrize(
    ("allergy", "medicine"),
    [
        ("sulfa (rash)", "furosemide 40 mg"),
        ("sulfa (anaphylaxis)", "bendroflumethiazide 2.5 mg"),
        ("sulfa (hives)", "celecoxib 100 mg"),
        ("penicillin (anaphylaxis)", "meropenem 1 g IV"),
        ("penicillin (rash)", "cefazolin 2 g IV"),
        ("egg (anaphylaxis)", "influenza vaccine"),
        ("soy (anaphylaxis)", "propofol 200 mg"),
        ("ibuprofen (hives)", "paracetamol 1 g"),
        ("shellfish (hives)", "glucosamine 1500 mg"),
        ("shellfish (anaphylaxis)", "iohexol 100 mL"),
        ("codeine (nausea)", "morphine 10 mg"),
        ("heparin (HIT)", "fondaparinux 2.5 mg"),
        ("lactose intolerance", "Trelegy Ellipta one puff daily"),
        ("IV contrast (hives)", "gadobutrol 7.5 mL"),
        ("sulfites (wheeze)", "adrenaline auto-injector"),
    ],
)
def test_what_is_as_good_as_safe_is_at_most_an_information(container: Container, allergy: str, medicine: str) -> None:
    assert worst(container, allergy, medicine) in (None, NOTE)


@pytest.mark.parametrize(
    ("allergy", "medicine"),
    [
        ("codeine (hives)", "fentanyl 25 micrograms/h patch"),
        ("codeine (anaphylaxis)", "tramadol 50 mg"),
        ("morphine (hives)", "methadone 30 mg"),
        ("morphine (hives)", "Narcan nasal spray"),
        ("tramadol (rash)", "morphine 10 mg"),
        ("atorvastatin (muscle pain)", "rosuvastatin 10 mg"),
        ("simvastatin (hives)", "pravastatin 40 mg"),
        ("penicillin (anaphylaxis)", "aztreonam 2 g IV"),
        ("penicillin (anaphylaxis)", "clarithromycin 500 mg"),
        ("egg (anaphylaxis)", "propofol 200 mg"),
        ("lidocaine (hives)", "tetracaine gel"),
        ("carbamazepine (rash)", "levetiracetam 500 mg"),
        ("trimethoprim (rash)", "sulfasalazine 500 mg"),
        ("co-amoxiclav (rash)", "doxycycline 100 mg"),
        ("latex (hives)", "flucloxacillin 500 mg"),
        ("amlodipine (ankle swelling)", "lercanidipine 10 mg"),
        ("heparin (HIT)", "argatroban infusion"),
        ("procaine (anaphylaxis)", "lidocaine 1%"),
        ("valproate (rash)", "phenytoin 300 mg"),
        ("fluconazole (rash)", "Canesten cream"),
    ],
)
def test_what_has_nothing_to_do_with_it_is_not_flagged(container: Container, allergy: str, medicine: str) -> None:
    assert worst(container, allergy, medicine) is None


@pytest.mark.parametrize(
    ("reaction", "endangered"),
    [
        ("Anaphylaxis in 2016", True),
        ("tongue swelling and wheeze", True),
        ("SJS/TEN", True),
        ("tender skin", False),
        ("hives", False),
        ("swelling of the ankles", False),
        ("", False),
    ],
)
def test_a_reaction_endangered_life_by_its_words(reaction: str, endangered: bool) -> None:
    assert endangered_life(reaction) is endangered


@pytest.mark.parametrize(
    ("medicine", "allergy"), [("morphine 10 mg", "codeine"), ("teicoplanin 400 mg IV", "vancomycin")]
)
def test_the_gravest_reaction_of_any_note_grades_a_conflict(container: Container, medicine: str, allergy: str) -> None:
    text = f"Allergies: {allergy}\n\nHPI: A 60-year-old woman.\n\nMedications:\n- {medicine}\n"
    linked = container.linker.link(text)

    def graded(*told: str) -> list[Severity]:
        notes = tuple(PatientNote(date="2031-01-01", text=f"Allergies: {allergy} ({one})") for one in told)
        found, _ = container.safety.check(DraftRequest(text=text, patient_notes=notes), linked, (), ())
        return [flag.severity for flag in found if flag.kind == "allergy_conflict"]

    assert graded() == graded("rash")
    assert graded("rash", "anaphylaxis") == [STOP] != graded()
