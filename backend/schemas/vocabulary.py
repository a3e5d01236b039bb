"""The closed vocabularies of the project. Rule files and data files are checked against them when they load."""

from enum import StrEnum

from backend.schemas import source_rows

LETTERS = "ABCDEFGHIJ"  # of a question's options


class SemanticGroup(StrEnum):
    """The 15 UMLS semantic groups (the ReinRAG paper's clusters)."""

    ACTI = "ACTI"
    ANAT = "ANAT"
    CHEM = "CHEM"
    CONC = "CONC"
    DEVI = "DEVI"
    DISO = "DISO"
    GENE = "GENE"
    GEOG = "GEOG"
    LIVB = "LIVB"
    OBJC = "OBJC"
    OCCU = "OCCU"
    ORGA = "ORGA"
    PHEN = "PHEN"
    PHYS = "PHYS"
    PROC = "PROC"


GROUP_NAMES: dict[SemanticGroup, str] = {
    SemanticGroup.ACTI: "Activities and behaviors",
    SemanticGroup.ANAT: "Anatomy",
    SemanticGroup.CHEM: "Chemicals and drugs",
    SemanticGroup.CONC: "Concepts and ideas",
    SemanticGroup.DEVI: "Devices",
    SemanticGroup.DISO: "Disorders",
    SemanticGroup.GENE: "Genes and molecular sequences",
    SemanticGroup.GEOG: "Geographic areas",
    SemanticGroup.LIVB: "Living beings",
    SemanticGroup.OBJC: "Objects",
    SemanticGroup.OCCU: "Occupations",
    SemanticGroup.ORGA: "Organizations",
    SemanticGroup.PHEN: "Phenomena",
    SemanticGroup.PHYS: "Physiology",
    SemanticGroup.PROC: "Procedures",
}


class Category(StrEnum):
    """What kind of thing a concept is, finer than its semantic group."""

    DISEASE = "disease"
    SYMPTOM = "symptom"
    FINDING = "finding"
    TEST = "test"
    PROCEDURE = "procedure"
    DRUG = "drug"
    DRUG_CLASS = "drug_class"
    ALLERGEN = "allergen"
    ORGANISM = "organism"
    ANATOMY = "anatomy"
    PHYSIOLOGY = "physiology"
    PHENOMENON = "phenomenon"
    DEVICE = "device"
    DIET = "diet"
    ACTIVITY = "activity"
    PRECAUTION = "precaution"
    FOLLOW_UP = "follow_up"
    PERSON = "person"
    OCCUPATION = "occupation"
    ORGANIZATION = "organization"
    PLACE = "place"
    GENE = "gene"
    SUBSTANCE = "substance"
    CONCEPT = "concept"


class Assertion(StrEnum):
    """What the note says of a mention. In order of precedence: where several hold, the first one counts."""

    FAMILY = "family"
    HYPOTHETICAL = "hypothetical"
    NEGATED = "negated"
    HISTORICAL = "historical"
    UNCERTAIN = "uncertain"
    PRESENT = "present"


class SectionCategory(StrEnum):
    """The parts of a clinical note."""

    ALLERGIES = "allergies"
    CHIEF_COMPLAINT = "chief_complaint"
    HISTORY_OF_PRESENT_ILLNESS = "history_of_present_illness"
    PAST_MEDICAL_HISTORY = "past_medical_history"
    PAST_SURGICAL_HISTORY = "past_surgical_history"
    FAMILY_HISTORY = "family_history"
    SOCIAL_HISTORY = "social_history"
    MEDICATIONS = "medications"
    REVIEW_OF_SYSTEMS = "review_of_systems"
    VITAL_SIGNS = "vital_signs"
    PHYSICAL_EXAM = "physical_exam"
    RESULTS = "results"
    IMAGING = "imaging"
    PROCEDURES = "procedures"
    ASSESSMENT = "assessment"
    PLAN = "plan"
    HOSPITAL_COURSE = "hospital_course"
    IMMUNIZATIONS = "immunizations"
    DEMOGRAPHICS = "demographics"
    INSTRUCTIONS = "instructions"
    OTHER = "other"
    UNLABELED = "unlabeled"


class AllergyStatus(StrEnum):
    """What a note says of allergies as a whole."""

    LISTED = "listed"
    NONE_KNOWN = "none_known"
    NOT_STATED = "not_stated"
    UNREADABLE = "unreadable"


class AllergyKind(StrEnum):
    """Whether a reaction is an allergy or an intolerance."""

    ALLERGY = "allergy"
    INTOLERANCE = "intolerance"


class ConditionStatus(StrEnum):
    """What a candidate condition is: possible, named in the note, confirmed or ruled out."""

    POSSIBLE = "possible"
    IN_NOTE = "in_note"
    CONFIRMED = "confirmed"
    RULED_OUT = "ruled_out"


class Document(StrEnum):
    """What is written."""

    DISCHARGE_INSTRUCTIONS = "discharge_instructions"
    PROGRESS_NOTE = "progress_note"
    CLINICAL_ANSWER = "clinical_answer"


class SoapPart(StrEnum):
    """The four parts of a SOAP note."""

    SUBJECTIVE = "Subjective"
    OBJECTIVE = "Objective"
    ASSESSMENT = "Assessment"
    PLAN = "Plan"


class Source(StrEnum):
    """The kinds of source: the five that ship, and those that LEAPNOTE_SOURCES adds."""

    _ignore_ = ["_row"]
    BOOK = "book"
    GUIDELINE = "guideline"
    RESEARCH = "research"
    WIKI = "wiki"
    GRAPH = "graph"
    for _row in source_rows.ADDED:
        vars()[_row.name.upper()] = _row.name

    @property
    def row(self) -> source_rows.SourceRow:
        """What is said of the kind."""
        return source_rows.ROWS[self.value]


class Fit(StrEnum):
    """Whether a sentence belongs to this patient, by the record; unknown where nothing of it could be held against it."""

    FITS = "fits"
    NOT_FOR_THIS_PATIENT = "not_for_this_patient"
    UNKNOWN = "unknown"


class Length(StrEnum):
    """How much a letter says: what its reader needs, or all that fits."""

    SHORT = "short"
    FULL = "full"


class Locale(StrEnum):
    """Whose emergency numbers, units, names of drugs and spelling a document has."""

    US = "us"
    UK = "uk"


class Support(StrEnum):
    """Whether the cited text carries a sentence. It never means that the sentence is correct."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    NOT_SCORED = "not_scored"


class Basis(StrEnum):
    """What a sentence rests on: this patient's note, a condition not yet confirmed, or general knowledge."""

    PATIENT = "patient"
    POSSIBLE = "possible"
    GENERAL = "general"


class DraftStatus(StrEnum):
    """How a draft ended."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    NOTHING_FOUND = "nothing_found"
    CANCELLED = "cancelled"


class Severity(StrEnum):
    """How much a flag weighs, the severest first."""

    SEVERE = "severe"
    WARNING = "warning"
    INFO = "info"
