"""Medicines of wards, clinics and combined products: each has dose rows, a usual dose passes, and ten times it does not."""

from collections.abc import Sequence

import pytest

from backend.container.container import Container
from backend.knowledge.starter import concept_id
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none known\n\nHPI: A 50-year-old man, weight 80 kg, eGFR 90."

# A usual order, and one that a pharmacist stops.
ORDERS = [
    ("telithromycin 800 mg daily", "telithromycin 8 g daily"),
    ("fusidic acid 500 mg TDS", "fusidic acid 5 g TDS"),
    ("omadacycline 300 mg daily", "omadacycline 3 g daily"),
    ("pretomanid 200 mg daily", "pretomanid 2 g daily"),
    ("miltefosine 50 mg TDS", "miltefosine 500 mg TDS"),
    ("daclatasvir 60 mg daily", "daclatasvir 600 mg daily"),
    ("cilazapril 2.5 mg daily", "cilazapril 25 mg daily"),
    ("metyrosine 250 mg QID", "metyrosine 2500 mg QID"),
    ("estradiol 2 mg daily", "estradiol 20 mg daily"),
    ("conjugated estrogens 0.625 mg daily", "conjugated estrogens 6.25 mg daily"),
    ("fezolinetant 45 mg daily", "fezolinetant 450 mg daily"),
    ("levorphanol 2 mg every 8 hours", "levorphanol 20 mg every 8 hours"),
    ("protriptyline 10 mg TID", "protriptyline 100 mg TID"),
    ("pericyazine 50 mg daily", "pericyazine 500 mg BD"),
    ("diroximel fumarate 462 mg BID", "diroximel fumarate 4620 mg BID"),
    ("amifampridine 15 mg QID", "amifampridine 150 mg QID"),
    ("istradefylline 20 mg daily", "istradefylline 200 mg daily"),
    ("triprolidine 2.5 mg QID", "triprolidine 25 mg QID"),
    ("avacopan 30 mg BD", "avacopan 300 mg BD"),
    ("niraparib 200 mg daily", "niraparib 2000 mg daily"),
    ("gilteritinib 120 mg daily", "gilteritinib 1200 mg daily"),
    ("trametinib 2 mg daily", "trametinib 20 mg daily"),
    ("lorlatinib 100 mg daily", "lorlatinib 1000 mg daily"),
    ("alosetron 0.5 mg BID", "alosetron 5 mg BID"),
    ("crofelemer 125 mg BID", "crofelemer 1250 mg BID"),
    ("ixazomib 4 mg once weekly", "ixazomib 4 mg daily"),
]
COVERED = (
    "amlodipine-atorvastatin, ezetimibe-simvastatin, perindopril-indapamide, candesartan-hydrochlorothiazide, amiloride-furosemide, "
    "spironolactone-hydrochlorothiazide, metformin-sitagliptin, linagliptin-metformin, glipizide-metformin, empagliflozin-linagliptin, "
    "dolutegravir-abacavir-lamivudine, sofosbuvir-velpatasvir, rifampin-isoniazid, artemether-lumefantrine, ibuprofen-acetaminophen, "
    "dutasteride-tamsulosin, olanzapine-fluoxetine, beclomethasone-formoterol, glycopyrrolate-formoterol, doxylamine-pyridoxine, "
    "calcium-vitamin D, multivitamin, timolol, quinidine, desirudin, eptifibatide, colistin, polymyxin B, telavancin, ceftobiprole, "
    "apomorphine, cannabidiol, dihydroergotamine, remifentanil, bupivacaine, basiliximab, deferiprone, pancrelipase, opium tincture"
)


def doses(container: Container, *listed: str) -> Sequence[Flag]:
    request = DraftRequest(text=HEAD, discharge_medicines=listed)
    found, _ = container.safety.check(request, container.linker.link(HEAD), (), ())
    return [one for one in found if one.kind == "dose" and one.severity is not Severity.INFO]


@pytest.mark.parametrize(("usual", "wrong"), ORDERS)
def test_a_usual_dose_passes_and_one_far_beyond_it_does_not(container: Container, usual: str, wrong: str) -> None:
    assert [one.message for one in doses(container, usual)] == []
    assert [one.severity for one in doses(container, wrong)][:1] == [Severity.SEVERE]


@pytest.mark.parametrize("name", COVERED.split(", "))
def test_a_medicine_of_wards_has_dose_rows(container: Container, name: str) -> None:
    assert concept_id(name) in {row.drug_id for row, _ in container.starter.doses}
