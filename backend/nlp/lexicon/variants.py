"""The forms a word takes: plural, past, -ing, British spelling, and the families of the rules file.

Takes a normal word (see tokens); gives its stem, equal for all forms of one word. Inflection is by rule and kept
light on purpose: "general" and "generate" stay apart. What changes the word itself ("duodenal", "duodenum";
"vomit", "emesis" is a synonym and not here) stands in assets/rules/word_forms.tsv. It does not know names.
"""

import re
from functools import lru_cache
from pathlib import Path

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import word_set
from backend.settings import ROOT

RULES = ROOT / "assets" / "rules"

FILLERS = word_set("of in the to both a an on at over his her my their your our from per within around this that its")
"""Words that may stand between the words of a re-ordered name: "pain in the chest"."""

SIDES = frozenset(["left", "right", "bilateral", "bilaterally"])
"""Sides: a re-ordered name may skip them ("swelling of the left leg"), a name that holds one keeps it."""

_BRITISH = (
    ("aemi", "emi"),
    ("haem", "hem"),
    ("oedem", "edem"),
    ("oesoph", "esoph"),
    ("rrhoe", "rrhe"),
    ("pnoe", "pne"),
    ("tumour", "tumor"),
    ("paed", "ped"),
    ("foet", "fet"),
    ("anaes", "anes"),
    ("gynaec", "gynec"),
    ("caec", "cec"),
    ("faec", "fec"),
    ("coeli", "celi"),
    ("oestr", "estr"),
    ("sulph", "sulf"),
    ("leuc", "leuk"),
    ("isation", "ization"),
    ("ischaem", "ischem"),
    ("behaviour", "behavior"),
    ("labour", "labor"),
    ("odour", "odor"),
    ("colour", "color"),
    ("litre", "liter"),
    ("centre", "center"),
    ("fibre", "fiber"),
    ("mould", "mold"),
)
_BRITISH_HINT = re.compile("|".join(old for old, _ in _BRITISH))

_IRREGULAR = {
    "feet": "foot",
    "teeth": "tooth",
    "bled": "bleed",
    "fell": "fall",
    "fallen": "fall",
    "swollen": "swell",
    "women": "woman",
    "men": "man",
    "children": "child",
    "bacteria": "bacterium",
    "diverticula": "diverticulum",
    "phenomena": "phenomenon",
    "criteria": "criterion",
    "ova": "ovum",
    "vertebrae": "vertebra",
    "bronchi": "bronchus",
    "emboli": "embolus",
    "thrombi": "thrombus",
    "fungi": "fungus",
    "nuclei": "nucleus",
    "calculi": "calculus",
    "bacilli": "bacillus",
    "cocci": "coccus",
    "apices": "apex",
    "indices": "index",
    "cervices": "cervix",
    "calices": "calix",
    "biceps": "biceps",
    "broken": "break",
    "broke": "break",
    "torn": "tear",
    "tore": "tear",
    "frozen": "freeze",
    "bitten": "bite",
    "bit": "bite",
    "slept": "sleep",
    "shaking": "shake",
    "shook": "shake",
}
_KEPT = word_set(
    "pancreas atlas pus bus gas lens as is was has us this plus minus series species rabies scabies caries herpes "
    "diabetes mumps measles rickets ascites pubes nares tabes always across during morning evening nothing "
    "something anything everything sibling offspring sling sting spring string wing ring bring seed need feed red "
    "bed shed sacred hundred yes aids aid news iris testis penis pelvis basis axis"
)
_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """What all forms of one word share. A word with a digit, or shorter than four letters, is its own stem."""
    word = word_forms().get(word, word)
    if len(word) < 4 or not word.isalpha():
        return word
    if (american_word := american(word)) != word:
        word = word_forms().get(american_word, american_word)
    bare = _inflected(word)
    return _inflected(word_forms()[bare]) if bare in word_forms() else bare


def british_forms(phrase: str) -> tuple[str, ...]:
    """How a phrase may be spelt in Britain: of "diarrhea" "diarrhoea"; some are no words."""
    return tuple(phrase.replace(new, old) for old, new in _BRITISH if new in phrase and old not in phrase)


def american(word: str) -> str:
    """A word as it is spelt in America: "diarrhoea" is "diarrhea"."""
    if _BRITISH_HINT.search(word):
        for old, new in _BRITISH:
            word = word.replace(old, new)
    return word


@lru_cache(maxsize=50_000)
def near_forms(one: str, other: str) -> bool:
    """Whether two words with one stem differ in number or family alone: "fevers", but not "testing" for "test"."""
    if one == other:
        return True
    forms = word_forms()
    return _number(forms.get(one, one)) == _number(forms.get(other, other))


@lru_cache(maxsize=1)
def word_forms(path: Path = RULES / "word_forms.tsv") -> dict[str, str]:
    """Every form of the rules file with the word that stands for its family.

    Raises:
        KnowledgeError: a form stands in two families, since then neither is certain.
    """
    forms: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith(("#", "word\t")):
            continue
        word, _, others = line.partition("\t")
        for form in others.split("|"):
            if forms.setdefault(form.strip(), word) != word:
                raise KnowledgeError(f"{path.name}:{number}: {form!r} already stands under {forms[form.strip()]!r}.")
    return forms


@lru_cache(maxsize=1)
def english_words(path: Path = RULES / "english_words.txt") -> frozenset[str]:
    """Ordinary English words in lower case."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _inflected(word: str) -> str:
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word not in _KEPT:
        word = _verb(_singular(word))
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _number(word: str) -> str:
    word = american(word)
    if word in _KEPT:
        return word
    bare = _singular(_IRREGULAR.get(word, word))
    bare = word_forms().get(bare, bare)
    return bare[:-1] if len(bare) > 4 and bare.endswith("e") else bare


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("is") and len(word) > 5:  # "stenosis" and "stenoses" meet in "stenose"
        return word[:-2] + "e"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if word.endswith("ae") and len(word) > 5:
        return word[:-1]
    return word


def _verb(word: str) -> str:
    if word.endswith("ied") and len(word) > 5:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 3 and _VOWEL.search(base) and not word.endswith("eed"):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] in "bdgmnprt"
            return base[:-1] if doubled else base
    return word
