"""Where what is denied, past or a relative's ends: natural sentences that mix assertions, one phrase each."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.assessed_spans import assert_spans

P, N, H, Y = Assertion.PRESENT, Assertion.NEGATED, Assertion.HISTORICAL, Assertion.HYPOTHETICAL
U, F = Assertion.UNCERTAIN, Assertion.FAMILY


def read(marked: str) -> Assertion:
    """marked: a sentence with the phrase between < and >."""
    start, end = marked.index("<"), marked.index(">") - 1
    ((found, _),) = assert_spans(marked.replace("<", "").replace(">", ""), [(start, end)])
    return found


@pytest.mark.parametrize(
    ("marked", "meant"),
    [
        ("No fever, and the <cough> is dry.", P),
        ("No fracture of the hip, the pelvis, and the <femur>.", N),
        ("Without rash, and her <joint pain> is worse.", P),
        ("He denies <nausea> with the headache.", N),
        ("He denies nausea with the <headache>.", P),
        ("She denies problems with the <bladder>.", N),
        ("No dyspnea with this episode of <chest pain>.", P),
        ("No symptoms beyond <a mild cough>.", P),
        ("No discharge, LMP two weeks ago, <cramps>.", P),
        ("No fever or rash, <meningitis> until proven otherwise.", U),
        ("No mass or lesion, <abscess> cannot be excluded.", U),
        ("No pneumothorax, <effusion> or pneumonia is likely.", N),
        ("Vomited once, none since arrival, <nausea> persists.", P),
        ("<Vomited> once, none since arrival.", P),
        ("<Cramps> for a year, none since March.", H),
        ("He denied <chest pain> until today.", P),
        ("<Fevers> at home to 102, none here.", P),
        ("<Fever>: none today.", N),
        ("Never had <pain> like this before.", P),
        ("Covid test neg, <flu A> pos.", P),
        ("<COVID> neg, flu A pos.", N),
        ("No <fever> until this morning when it was 39.", P),
        ("No <food> until the fever is gone.", N),
    ],
)
def test_where_a_denial_ends(marked: str, meant: Assertion) -> None:
    assert read(marked) is meant


@pytest.mark.parametrize(
    ("marked", "meant"),
    [
        ("In remission from <leukemia> for four years, now bruising.", H),
        ("In remission from leukemia for four years, now <bruising>.", P),
        ("s/p appendectomy 2 weeks ago, <wound red>, no fever.", P),
        ("s/p CABG 2015, <cholecystectomy>, appendectomy.", H),
        ("His sodium has dropped and <seizures> occurred in 2018.", H),
        ("His <sodium has dropped> and seizures occurred in 2018.", P),
        ("He has had <measles> and mumps as a child.", H),
        ("She had <shingles> two summers ago.", H),
        ("Three years ago when she had <a clot>, warfarin was started.", H),
        ("Four days ago when the <pain> began he took ibuprofen.", P),
        ("The <flu> he had two winters ago was worse.", H),
        ("He has <palpitations> which he also had in 2012.", P),
        ("The <hypokalemia>, which has corrected, was due to diarrhea.", H),
        ("His <anemia> has not corrected with iron.", P),
        ("<Preeclampsia> during her first pregnancy; now 12 weeks with vomiting.", H),
        ("Preeclampsia during her first pregnancy; now 12 weeks with <vomiting>.", P),
        ("On her last admission she had <delirium>.", H),
        ("The last course of antibiotics caused <diarrhea>.", H),
        ("Her last naproxen course gave her <a cough>.", H),
        ("His last course of antibiotics ended Monday, <diarrhea> since.", P),
        ("During her last attack she had <vomiting>; now she has fever.", H),
        ("During her last attack she had vomiting; now she has <fever>.", P),
        ("Prior to admission she had <emesis>.", P),
        ("Since his last visit he has had <dyspnea>.", P),
        ("She had <gestational diabetes> with her second; nausea now.", H),
        ("The <rash> came with her first dose of amoxicillin.", P),
        ("Her last delivery was complicated by <hemorrhage>.", H),
        ("Previously healthy 22M with <sore throat>.", P),
        ("The <rash> resolved with prednisone then recurred yesterday.", P),
        ("His <fever> went away but came back last night.", P),
        ("The <cough> resolved; the fever returned.", H),
        ("The <pain> resolved and he returned to work.", H),
        ("He had <cellulitis> which resolved, returned today for a rash.", H),
        ("In January she was admitted for <pneumonia>.", H),
        ("Last month he was admitted for <pneumonia>.", H),
        ("<Asthma> since childhood.", P),
        ("<Asthma> in childhood.", H),
        ("Since her first pregnancy she has had <incontinence>.", P),
        ("Pregnant twice before 2015, both <miscarriages>.", H),
        ("She had shingles three years ago complicated by <encephalitis>.", H),
        ("In 2009 he had a perforation which led to <peritonitis>.", H),
        ("He fell two years ago, at which time he sustained <a hip fracture>.", H),
        ("He has gout which led to <kidney stones>.", P),
        ("She had shingles three years ago and now has <encephalitis>.", P),
    ],
)
def test_what_is_past(marked: str, meant: Assertion) -> None:
    assert read(marked) is meant


@pytest.mark.parametrize(
    ("marked", "meant"),
    [
        ("His brother is <an alcoholic>; he is not.", F),
        ("Her 4 year old has had <a cough>.", F),
        ("A friend had <shingles>.", F),
        ("Several co-workers had <influenza>.", F),
        ("Her grandson was <febrile> last week and now she has chills.", F),
        ("Her grandson was febrile last week and now she has <chills>.", P),
        ("Her baby had <diarrhea> and she has a fever.", F),
        ("She cares for her 4 year old and has <back pain>.", P),
        ("After delivering her second child, developed <pain>.", P),
        ("Since the baby was born she has had <low mood>.", P),
        ("A friend brought him in with <confusion>.", P),
        ("Her daughter had to bring him in with <confusion>.", P),
        ("His partner reports <snoring>.", P),
        ("Her husband is being treated for <pneumonia>.", F),
        ("He is concerned he is having <a heart attack>.", U),
        ("She wants to be sure it is not <cancer>.", U),
        ("Exposed to <flu> at work, now fever.", Y),
        ("Exposed to flu at work, now <fever>.", P),
        ("<PE> less likely.", U),
        ("<Viral gastroenteritis> most likely.", U),
        ("<PE>? DVT?", U),
        ("<Fever>? Yes, since Monday.", P),
        ("<Fever>? No.", N),
        ("His mother, who has <diabetes>, says he has had polyuria.", F),
        ("His mother, who has diabetes, says he has had <polyuria>.", P),
        ("Call 911 for <chest pain>.", Y),
        ("His wife had to call 911 for <chest pain>.", P),
        ("Will check for <DVT>.", U),
        ("She fears <cancer>.", U),
        ("Her flatmates have <influenza>.", F),
        ("He lost his wife to <cancer> and is depressed.", F),
        ("He lost his wife to cancer and is <depressed>.", P),
        ("<Gout> is more likely than infection.", U),
        ("Gout is more likely than <infection>.", U),
        ("He was treated empirically for <pneumonia> and improved.", U),
        ("<Bleeding> and infection were explained as risks of surgery.", Y),
        ("Her son is a student and brought her in with <seizures>.", P),
        ("Her mother is a nurse, and reports <vomiting> since Monday.", P),
        ("Her daughter worries about <dementia>.", U),
        ("She worries about her <weight loss>.", P),
        ("If you could exclude <a PE> we would be grateful.", U),
        ("Seek medical attention for <fever>, bleeding or worsening pain.", Y),
        ("He did seek medical attention for <chest pain>.", P),
    ],
)
def test_whose_it_is_and_how_sure(marked: str, meant: Assertion) -> None:
    assert read(marked) is meant
