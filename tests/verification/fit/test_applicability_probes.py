"""Advice of the shipped handbook is told to whom it is for and to nobody else: what the composer asks of invented notes."""

from collections.abc import Callable

import pytest

from backend.container import Container
from backend.generation.composer.material import PassageReader, QuotedSentence
from backend.knowledge.starter import concept_id
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Fit, Source

NOTE = (
    "HOSPITAL ADMISSION NOTE\nAllergies: none\nHPI: A {who} is seen for {ill}. {hpi}\nPast Medical History: {has}.\n"
    "Past Surgical History: {done}.\nMedications: {takes}.\nSocial History: {social}.\nAssessment: {ill}.\nPlan: {plan}.\n"
)
MAN, WOMAN = "60-year-old man", "28-year-old woman"
USUAL = {
    "who": MAN,
    "hpi": "",
    "has": "none",
    "done": "none",
    "takes": "famotidine 20 mg daily",
    "social": "Lives with his wife",
    "plan": "Home",
}
Told = Callable[..., bool]


@pytest.fixture(scope="module")
def told(container: Container) -> Told:
    """Whether the composer may tell a patient the sentence of a chapter that begins so; the note's other fields are as usual."""
    reader = PassageReader(container.linker)
    quotes: dict[tuple[str, str], QuotedSentence] = {}
    for section in container.starter.handbook:
        passage = Passage(
            id="P1",
            source=Source.BOOK,
            document_id=f"handbook/{concept_id(section.condition)[3:]}",
            title=f"{section.condition[:1].upper()}{section.condition[1:]}: {section.title}",
            text=section.text,
            start_char=0,
            end_char=len(section.text),
            section=section.title,
            concept_id=concept_id(section.condition),
        )
        for quote in reader.sentences(passage) if section.condition in CHAPTERS else ():
            quotes[section.condition, quote.text] = quote

    def told(ill: str, start: str, **fields: str) -> bool:
        (quote,) = [q for (chapter, text), q in quotes.items() if chapter == ill and text.startswith(start)]
        text = NOTE.format(**{**USUAL, "ill": ill, **fields})
        patient = container.checks.fit.of_patient(container.linker.read(text), (), DraftRequest(text=text))
        fits = patient.fits(quote.text, quote.concepts, quote.passage.concept_id, quote.passage)
        return fits and patient.verdict(quote.text, quote.passage).fit is not Fit.NOT_FOR_THIS_PATIENT

    return told


PROBES: list[tuple[str, str, dict[str, str], dict[str, str]]] = [
    # chapter, how the sentence begins, a patient whom it is for, and one whom it is not for
    ("acute myocardial infarction", "If you got a stent, tell every dentist", {"done": "coronary stent placement 2024"}, {}),
    ("acute myocardial infarction", "Quitting smoking is", {"social": "Smokes one pack a day"}, {"social": "Never smoked"}),
    ("acute myocardial infarction", "Quitting smoking is", {"social": "Smokes one pack a day"}, {"social": "Quit smoking in 2010"}),
    ("acute myocardial infarction", "Sildenafil mixed", {"takes": "sildenafil 50 mg as needed"}, {}),
    ("acute myocardial infarction", "Sildenafil mixed", {"takes": "nitroglycerin 0.4 mg as needed"}, {}),
    ("stable angina", "Carry your nitroglycerin", {"takes": "nitroglycerin 0.4 mg as needed"}, {}),
    ("atrial fibrillation", "Use a soft toothbrush", {"takes": "apixaban 5 mg twice daily"}, {}),
    ("atrial fibrillation", "Keep leafy greens", {"takes": "warfarin 5 mg daily"}, {"takes": "apixaban 5 mg twice daily"}),
    ("atrial fibrillation", "Drink little or no alcohol", {"social": "Drinks two beers a day"}, {"social": "No alcohol"}),
    ("heart block", "Carry your pacemaker card", {"done": "pacemaker placement 2020"}, {}),
    ("heart failure", "Weigh yourself each morning", {}, {"hpi": "He is bedbound."}),
    ("heart failure", "Short walks each day", {}, {"hpi": "He is bedbound."}),
    ("coronary artery disease", "Keep blood sugar", {"has": "type 2 diabetes"}, {}),
    ("deep vein thrombosis", "Some rivaroxaban tablets", {"takes": "rivaroxaban 20 mg daily"}, {"takes": "warfarin 5 mg daily"}),
    ("deep vein thrombosis", "Tell your doctor if you use birth control", {"who": WOMAN}, {"who": MAN}),
    ("abdominal aortic aneurysm", "See your surgeon 2 to 4 weeks", {"done": "abdominal aortic aneurysm repair"}, {}),
    ("type 2 diabetes mellitus", "Tell staff if you take metformin", {"takes": "metformin 500 mg daily"}, {}),
    ("type 2 diabetes mellitus", "Eat meals at regular times", {"takes": "insulin glargine 20 units daily"}, {"takes": "metformin 500 mg daily"}),
    ("hypoglycemia", "Wear a medical alert bracelet", {"takes": "insulin glargine 20 units daily"}, {"takes": "glipizide 5 mg daily"}),
    ("hypothyroidism", "Wait 30 to 60 minutes", {"takes": "levothyroxine 50 mcg daily"}, {}),
    ("hypothyroidism", "Tell your doctor early if you are pregnant", {"who": WOMAN}, {"who": "70-year-old woman"}),
    ("hyperthyroidism", "Stopping smoking helps", {"social": "Smokes daily"}, {"social": "Never smoked"}),
    ("adrenal insufficiency", "People with Addison's disease should not cut salt", {"has": "Addison disease"}, {}),
    ("appendicitis", "Keep the cuts from appendix surgery", {"plan": "Laparoscopic appendectomy was done today"}, {}),
    ("appendicitis", "Do not drive while you take strong pain pills", {"takes": "oxycodone 5 mg as needed"}, {}),
    ("appendicitis", "Ask your surgeon for the lab", {"hpi": "He underwent laparoscopic appendectomy today."}, {}),
    ("gallstones", "If you had gallbladder surgery, keep", {"hpi": "He underwent laparoscopic cholecystectomy today."}, {}),
    ("abdominal wall hernia", "Keep the hernia cut clean", {"hpi": "He underwent hernia repair today."}, {}),
    ("colorectal cancer", "Keep the skin around a stoma", {"done": "colostomy"}, {}),
    ("colorectal cancer", "Wear gloves to take things", {"takes": "oxaliplatin 85 mg every two weeks"}, {}),
    ("Crohn's disease", "Smoking makes Crohn's disease worse", {"social": "Smokes daily"}, {"social": "Never smoked"}),
    ("Crohn's disease", "Use sun protection", {"takes": "azathioprine 100 mg daily"}, {}),
    ("constipation", "People who take opioids", {"takes": "oxycodone 5 mg four times daily"}, {}),
    ("cancer pain", "Keep opioids locked up", {"takes": "morphine 15 mg twice daily"}, {}),
    ("hemolytic anemia", "Keep a list of medicines to avoid", {"has": "G6PD deficiency"}, {}),
    ("prostate cancer", "Prevent falls", {"takes": "leuprolide 22.5 mg every three months"}, {}),
    ("breast cancer", "Use birth control without hormones", {"who": WOMAN}, {"who": "75-year-old woman"}),
    ("acute leukemia", "Keep the central line clean", {"done": "PICC line placement"}, {}),
    ("cirrhosis", "Weigh yourself each morning", {"has": "ascites"}, {}),
    ("hepatic encephalopathy", "Count your stools", {"takes": "lactulose 20 g twice daily"}, {}),
    ("acute cholangitis", "A bile duct stent can clog", {"done": "biliary stent placement"}, {}),
    ("ascites", "Keep the drain site covered", {"hpi": "He underwent paracentesis today."}, {}),
    ("sepsis", "Keep wounds, tubes and catheters", {"hpi": "He has a urinary catheter."}, {}),
    ("urinary tract infection", "Keep a urine catheter clean", {"hpi": "He has a urinary catheter."}, {}),
    ("urinary tract infection", "Wipe from front to back", {"who": WOMAN}, {"who": MAN}),
    ("urinary tract infection", "Tell your team if you are pregnant", {"who": WOMAN}, {"who": MAN}),
    ("cellulitis", "Good blood sugar control", {"has": "type 2 diabetes"}, {}),
    ("cellulitis", "Ask your doctor before you wear tight", {}, {"hpi": "He has tonsillitis."}),
    ("osteomyelitis", "Keep a PICC line dry", {"done": "PICC line placement"}, {}),
    ("meningitis", "Do not drive until", {}, {"social": "Lives in a nursing home"}),
    ("malaria", "Return to work", {}, {"social": "Retired"}),
    ("bipolar disorder", "Drink steady amounts of water", {"takes": "lithium 300 mg twice daily"}, {}),
    ("psychosis", "Tell the team if you smoke", {"social": "Smokes daily"}, {"social": "Never smoked"}),
    ("hip fracture", "Keep the cut over your hip", {"hpi": "He underwent hip fracture surgery today."}, {}),
    ("osteoarthritis", "Losing 5 to 10 percent", {"has": "obesity"}, {}),
    ("vertebral compression fracture", "Wear a back brace only", {"hpi": "He wears a back brace."}, {}),
    ("rheumatoid arthritis", "Avoid or limit alcohol", {"takes": "methotrexate 15 mg weekly"}, {}),
    ("rheumatoid arthritis", "Talk with your doctor before pregnancy", {"who": WOMAN}, {"who": MAN}),
    ("fall", "Use your cane or walker", {"hpi": "He walks with a walker."}, {}),
    ("subdural hematoma", "If you had surgery, keep the cut", {"hpi": "He underwent burr hole drainage today."}, {}),
    ("Parkinson's disease", "Ask the pharmacist before you use a cold remedy", {"takes": "rasagiline 1 mg daily"}, {}),
    ("migraine", "Tell your doctor if you have migraine with aura", {"who": WOMAN}, {"who": MAN}),
    ("urinary retention", "Wash your hands before and after you touch the catheter", {"hpi": "He has a urinary catheter."}, {}),
    ("urinary retention", "Ask who to call at night", {"hpi": "He has a urinary catheter."}, {"hpi": "He had a urinary catheter.", "plan": "Catheter removed after a voiding trial"}),
    ("knee pain", "Ask your team before you take ibuprofen", {}, {"takes": "warfarin 5 mg daily"}),
    ("avoid NSAIDs", "Do not take ibuprofen", {"has": "heart failure"}, {"plan": "Continue mechanical ventilation"}),
    ("fever", "Call an ambulance (911 in the US) if your child struggles", {"who": "4-year-old girl"}, {}),
    ("fall", "Put grab bars", {"who": "84-year-old woman"}, {"who": "34-year-old man"}),
    ("kidney stone", "A stent must be taken out", {"done": "ureteral stent placement"}, {}),
    ("hypernatremia", "People who are tube fed", {"has": "dysphagia with a PEG tube"}, {}),
    ("hypokalemia", "Tell your team if you take digoxin", {"takes": "digoxin 125 mcg daily"}, {}),
    ("chronic obstructive pulmonary disease", "Keep home oxygen away", {"takes": "home oxygen 2 L"}, {}),
    ("asthma", "Rinse your mouth and spit", {"takes": "fluticasone inhaler twice daily"}, {"takes": "albuterol inhaler as needed"}),
    ("pneumothorax", "Keep the chest tube site", {"hpi": "A chest tube was placed today."}, {}),
    ("obstructive sleep apnea", "Clean the CPAP mask", {"hpi": "He uses CPAP at night."}, {}),
    ("obstructive sleep apnea", "Eat fewer calories", {"has": "obesity"}, {}),
    ("end-stage kidney disease", "Keep needles and blood pressure cuffs", {"done": "arteriovenous fistula"}, {}),
    ("P2Y12 inhibitor", "Do not stop this pill", {"takes": "clopidogrel 75 mg daily", "done": "coronary stent placement 2024"}, {"takes": "clopidogrel 75 mg daily"}),
    ("pneumonia", "Small, frequent meals", {}, {"plan": "NPO"}),
    ("pneumonia", "Small, frequent meals", {}, {"has": "dysphagia with a PEG tube"}),
    ("pneumonia", "Ask your doctor about pneumonia and flu vaccines", {}, {"social": "Comfort care only, on hospice"}),
    ("pneumonia", "Drink plenty of fluids", {}, {"has": "heart failure"}),
    ("diabetic ketoacidosis", "Drink sugar-free fluids", {}, {"has": "chronic kidney disease"}),
    ("peripheral artery disease", "Walk until the leg pain", {}, {"has": "gangrene of the toes"}),
    ("ascites", "Limit salt to about", {"has": "cirrhosis"}, {"has": "ovarian cancer"}),
    ("brain tumor", "Take seizure medicine", {"takes": "levetiracetam 500 mg twice daily"}, {"has": "a seizure last year"}),
    ("brain tumor", "A palliative care team", {}, {"has": "meningioma"}),
    ("bladder cancer", "Ask your surgeon how long", {"done": "radical cystectomy"}, {}),
    ("dehydration", "Pale urine does not", {"takes": "furosemide 40 mg daily"}, {}),
    ("fever", "See your doctor if a fever", {}, {"takes": "clozapine 200 mg daily"}),
    ("weight gain", "See your doctor again", {}, {"has": "heart failure"}),
]  # fmt: skip
CHAPTERS = frozenset(chapter for chapter, *_ in PROBES)


@pytest.mark.parametrize(("ill", "start", "patient", "other"), PROBES, ids=lambda one: str(one)[:32])
def test_advice_is_told_to_whom_it_is_for_and_to_nobody_else(
    told: Told, ill: str, start: str, patient: dict[str, str], other: dict[str, str]
) -> None:
    assert told(ill, start, **patient), "not told to whom it is for"
    assert not told(ill, start, **other), "told to somebody else"
