"""Words that a patient cannot be expected to read."""

from collections import Counter

import pytest

from backend.generation.letter.plain_language.everyday import jargon
from backend.nlp.document.tokens import word_set
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules import RULES, rule_names

LISTED = [word for line in rule_names(RULES / "letter" / "everyday_words.txt") for word in line.split()]

EVERYDAY = word_set("""
grandmother uncle neighbor roommate boyfriend stepmother nephew cousin widow twins bride boss coworker landlord
soldier sheriff prison lawyer court judge thief weapon pistol motorcycle bicycle bumper highway airplane
elevator basement garage sidewalk ladder hammer lawnmower chainsaw warehouse factory cashier plumber carpenter
electrician retired unemployed insurance kindergarten homework university graduate basketball hockey wrestling
breakfast sandwich hamburger whiskey cigarette christmas birthday weekend yesterday midnight decade august
thursday thirteen thousand dozen canadian mexican thunderstorm slippery hurricane kitten spider mosquito laundry
mattress toilet bathtub refrigerator embarrassed frightened lonely grateful whispered stumbled tripped grabbed
threw caught forgot thought chose suddenly meanwhile although throughout perhaps clumsy crooked enormous husband
wife daughter current difficulty recently previous prior said here herself couple onset accident transferred
gradually american abuse decreased discomfort sensation slight total minimal improvement believes elevated
wheelchair vehicle college conversation city knife stepfather computer angry journal road truck driver country
military barber tattoos paramedics seatbelt dogs funny chain infant weeklong spouse upon woke outpatient
multivitamin prescription appointment vaccine ultrasound asthma allergy
""")
"""Said in any kitchen, office or waiting room."""

MEDICAL = word_set("""
bilateral intact cyanosis palpable lesion distal proximal auscultation anterior posterior gait lymphadenopathy
thyromegaly hepatomegaly splenomegaly organomegaly normocephalic atraumatic anicteric icterus sclerae
conjunctivae oropharynx mucosa turbinates nares tympanic jugular bruit rales rhonchi stridor crepitus egophony
tachypnea bradypnea hypoxia hypoxemia atelectasis consolidation hemothorax empyema parenchyma mediastinal hilar
pleuritic hemoptysis bradycardia systolic diastolic holosystolic mitral tricuspid regurgitation cardiomegaly
pericardial hypokinesis thrombus claudication atherosclerotic ectopy asystole intubated extubated tracheostomy
laparotomy cholecystectomy cholelithiasis choledocholithiasis hematemesis melena hematochezia dysphagia
odynophagia esophagitis gastroparesis volvulus intussusception anastomosis dehiscence resection debridement
hematuria pyuria oliguria nocturia dysuria hydronephrosis ureteral nephrolithiasis nephrostomy azotemia
micturition urethral epididymal cystoscopy endometrial adnexal salpingitis oophorectomy menorrhagia dysmenorrhea
gravida oligohydramnios hemiparesis hemiplegia aphasia dysarthria ataxia diplopia nystagmus papilledema
photophobia meningismus romberg babinski proprioception fasciculations clonus radiculopathy myelopathy
paresthesia ptosis myalgia arthralgia crepitations kyphosis scoliosis spondylosis osteophyte laminectomy
arthroplasty arthroscopic fossa malleolus tibial femoral plantar dorsiflexion supination abduction petechiae
purpura ecchymosis erythematous maculopapular induration pruritus vesicles alopecia leukocytosis leukopenia
pancytopenia coagulopathy adenocarcinoma neoplasm glioblastoma malignancy histology anhedonia psychomotor
catatonia euthymic somnolent goiter hyperparathyroidism acidosis bacteremia prophylaxis percutaneous
subcutaneous parenteral titrated afebrile nontender nondistended edematous distended palpitation orthopnea
diaphoresis emesis tinnitus otalgia rhinorrhea otorrhea lymphedema varicosities gross gallop baseline
blunted digital abortion washout displaced patent pitting illicit intermittent recurrent frequency urgency deficit thrill rebound
""")
"""Said among clinicians: names of findings, parts and procedures, and English words with an own sense in an examination."""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("You had a stone in the right distal ureter.", ("distal", "ureter")),
        ("You have marked adenopathy.", ("adenopathy",)),
        ("You fell from a ladder and hurt your wrist.", ()),
        ("You were given lorazepam by Dr. Egophony.", ()),
        ("You have ptosis (a drooping eyelid).", ()),
        ("The team also notes: egophony.", ("egophony",)),
        ("In December your husband had difficulty waking you, and you couldn't say what had happened.", ()),
    ],
)
def test_jargon_is_found(text: str, words: tuple[str, ...]) -> None:
    assert jargon(text, {"lorazepam"}) == words


def test_everyday_words_are_not_jargon() -> None:
    assert jargon(" ".join(sorted(EVERYDAY))) == ()


def test_medical_words_stay_jargon() -> None:
    words = sorted(MEDICAL)
    assert jargon(" ".join(words)) == tuple(words)


def test_list_holds_each_stem_once() -> None:
    stems = Counter(stem(word.lower()) for word in LISTED)
    assert len(stems) > 3000
    assert [root for root, times in stems.items() if times > 1] == []


def test_list_holds_bare_words_sorted_by_theme() -> None:
    assert [word for word in LISTED if not word.isalpha()] == []
    text = (RULES / "letter" / "everyday_words.txt").read_text(encoding="utf-8")
    for theme in text.split("\n\n")[1:]:
        words = [word.lower() for line in theme.splitlines()[1:] for word in line.split()]
        assert words == sorted(words), theme.splitlines()[0]


def test_list_is_apart_from_medical_words() -> None:
    assert {stem(word.lower()) for word in LISTED}.isdisjoint(map(stem, MEDICAL))
