"""What was retrieved for a note. Ids (K1, G1, P1, N1) are stable within one draft."""

from pydantic import AliasChoices, Field

from backend.schemas.base import Frozen
from backend.schemas.vocabulary import ConditionStatus, SemanticGroup, Source

NAMED = "named_in_note"
"""The relation of the reason that holds a condition's name as the note writes it."""


class Reason(Frozen):
    """One reason for or against a condition: a mention of the note and the relation that joins it."""

    concept_id: str
    name: str
    relation: str
    start_char: int | None = None
    end_char: int | None = None
    weight: float = Field(description="Share of the score, signed; comparable within one condition only")


class Condition(Frozen):
    """A candidate diagnosis.

    score is 0 to 1, the share of the leading condition's evidence that this one has; no probability. status stays
    possible until a clinician confirms it, or the note itself states it as present.
    """

    concept_id: str
    name: str
    plain: str = ""
    score: float = Field(ge=0, le=1)
    status: ConditionStatus
    because: tuple[Reason, ...] = ()
    stated: bool = Field(default=False, description="The note names it itself as present")
    historical: bool = Field(default=False, description="The note names it as history")
    must_not_miss: bool = False
    focus: bool = Field(default=False, description="The document is about it: confirmed, stated, or else the best fit")
    confidence: str = Field(default="", description="high, moderate or low, with the reason")
    margin: float | None = Field(
        default=None, description="Nats between its score and its best rival's; None where not ranked"
    )
    findings: int = Field(default=0, ge=0, description="How many findings of the note speak for it")
    written: bool = Field(default=False, description="The draft may tell of it: named, confirmed, or surely ranked")


class Step(Frozen):
    """One step of a reasoning path. The first step has no relation: it is the keyword. leap: no edge joins the two."""

    relation: str
    concept_id: str
    name: str
    group: SemanticGroup
    leap: bool = False
    qualifier: str = ""


class ReasoningPath(Frozen):
    """One walk through the graph, from a keyword of the note. Each step starts where the one before it ended.

    score orders the paths of one note, higher first; it is no chance that the path is clinically true.
    text states the path as one plain sentence. supported_text is the part of it that edges join from the keyword on, up to
    the first leap; nothing else of a path may support what a document says.
    """

    id: str
    keyword: str
    steps: tuple[Step, ...]
    score: float
    text: str
    supported_text: str = Field(default="", validation_alias=AliasChoices("supported_text", "carried"))
    condition_id: str | None = None


class Rejected(Frozen):
    """A candidate that no path took at a step. score is comparable within that step only, higher fits better."""

    concept_id: str
    name: str
    score: float


class Move(Frozen):
    """What one path gained at a step; nothing where it found no candidate."""

    keyword: str
    steps: tuple[Step, ...] = ()


class PolicyStep(Frozen):
    """What the policy chose at one step, for the whole note. probabilities: of the groups that could be chosen."""

    step: int
    group: SemanticGroup
    probabilities: dict[str, float]
    masked: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    moves: tuple[Move, ...] = ()
    stopped: bool = Field(default=False, description="The policy ended the walk here; group is where it stood")


class GraphItem(Frozen):
    """A definition or a one-hop relation of a concept, stated as a sentence.

    wording: the same fact in a model's words, for whoever writes. It supports nothing: what a sentence is checked against is text.
    """

    id: str
    concept_id: str
    text: str
    relation: str = ""
    tail_id: str | None = None
    tail_name: str = ""
    wording: str = Field(
        default="",
        validation_alias=AliasChoices("wording", "told"),
        description="A model's wording of the fact, no evidence; empty where none was asked",
    )


class Passage(Frozen):
    """A retrievable piece of a source document. start_char and end_char index that document."""

    id: str
    source: Source
    document_id: str
    title: str
    url: str = ""
    licence: str = ""
    text: str
    start_char: int
    end_char: int
    scores: dict[str, float] = {}
    section: str = Field(default="", description="The part of its document, e.g. a handbook section's title")
    concept_id: str = Field(default="", description="The concept its document is about, empty when unknown")


class DocumentPassage(Frozen):
    """A passage where it stands in its document."""

    section: str
    text: str
    start_char: int
    end_char: int


class SourceDocument(Frozen):
    """A source document as its passages give it, in order. What was left out as equal to another document's text is not in it."""

    document_id: str
    title: str
    url: str = ""
    licence: str = ""
    date: str = ""
    passages: tuple[DocumentPassage, ...]


class NotePiece(Frozen):
    """A piece of the patient's own notes; the pasted note's offsets index the pasted text."""

    id: str
    note_type: str
    section: str
    date: str | None = None
    text: str
    start_char: int
    end_char: int


class Reference(Frozen):
    """One entry of the reference list, without duplicates."""

    number: int
    title: str
    source: Source
    url: str = ""
    licence: str = ""
    evidence: tuple[str, ...] = ()
    text: str = Field(default="", description="The entry in words, in the style of a reference list")


class Evidence(Frozen):
    """Everything retrieved for a draft, each piece with its id."""

    paths: tuple[ReasoningPath, ...] = ()
    policy: tuple[PolicyStep, ...] = ()
    graph: tuple[GraphItem, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[NotePiece, ...] = ()
    references: tuple[Reference, ...] = ()


class SubQuery(Frozen):
    """One query of a plan, to one source."""

    source: Source
    text: str
    reason: str = ""
    skipped: str = Field(default="", description="Why it was not run; empty when it was")


class Plan(Frozen):
    """The thoughts and the queries of a draft."""

    thoughts: tuple[str, ...] = ()
    sub_queries: tuple[SubQuery, ...] = ()
