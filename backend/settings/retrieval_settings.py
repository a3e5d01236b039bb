"""How evidence is found: encoder, rankers, how much of each kind, and the patient's own notes."""

from pydantic import Field
from pydantic_settings import BaseSettings


class RetrievalSettings(BaseSettings):
    """Paths, passages, conditions and pieces of the patient's notes. Characters are code points."""

    encoder: str = Field(
        default="minilm", description="What turns texts into vectors: minilm (embedded), a local folder, or a hub name"
    )
    name_encoder: str = Field(
        default="",
        description="What encodes the names of concepts that policies walk, as sapbert beside an encoder of notes; empty: encoder",
    )
    paths: int = Field(default=10, ge=1, le=100, description="Reasoning paths a note")
    walk: bool = Field(
        default=False,
        description="Whether the policy of leapnote walks the graph too; its concept step alone finds as much (docs/papers.md)",
    )
    passages: int = Field(default=32, ge=1, le=100, description="Passages a draft may cite")
    conditions: int = Field(
        default=6, ge=1, le=50, description="Candidate conditions shown, besides must-not-miss ones"
    )
    patient_stages: str = Field(
        default="both",
        pattern="^(both|global|local)$",
        description="Stages of retrieval in the patient's notes: both, global, local",
    )
    patient_headers: bool = Field(default=True, description="Cut the patient's notes at their headers first")
    patient_previous_visit: bool = Field(default=True, description="Give the previous visit's summary to the next one")
    patient_chunk_chars: int = Field(
        default=500, ge=50, description="Longest piece of a patient's note, in code points"
    )
    patient_chunk_overlap: int = Field(default=100, ge=0, description="What neighbouring pieces share at most")
    patient_per_question: int = Field(default=12, ge=1, description="Pieces each global question brings")
    patient_per_sub_query: int = Field(default=6, ge=1, description="Pieces each note type's own query brings")
    patient_bm25_weight: float = Field(default=0.3, ge=0, description="Weight of BM25 in ranking the pieces")
    patient_cosine_weight: float = Field(default=0.7, ge=0, description="Weight of the cosine in ranking the pieces")
    patient_symptom_boost: float = Field(default=0.15, ge=0, description="What naming the note's symptoms adds at most")
    patient_rerank_depth: int = Field(default=120, ge=1, description="Pieces whose symptoms are looked at")
    patient_pieces: int = Field(default=40, ge=1, description="Pieces of the patient's notes a draft may cite")
    patient_visit_gap_days: int = Field(default=2, ge=0, description="Days without a note that end a visit")
    evidence_tokens: int = Field(
        default=8_000, ge=100, description="Tokens that leapnote's passages may take together, estimated"
    )
    condition_ranker: str = Field(
        default="graph", description="What ranks the candidate conditions: a registered condition ranker"
    )
    passage_ranker: str = Field(
        default="leapnote", description="What orders the passages of a hybrid search: a registered passage ranker"
    )
    reranker: str = Field(
        default="fusion",
        description="What reranks passages: fusion (BM25 and cosine), medcpt, or a folder or hub name of a cross-encoder",
    )
    rerank_depth: int = Field(
        default=30, ge=0, le=50, description="Passages of leapnote's question that a cross-encoder orders anew; 0: none"
    )
