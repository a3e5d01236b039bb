"""What only some of the named systems read: RAR2, i-MedRAG, Omni-RAG and ClinicalRAG."""

from pydantic import Field
from pydantic_settings import BaseSettings


class SystemSettings(BaseSettings):
    """Settings of single systems and their baselines, named after them."""

    rar2_thoughts: int = Field(
        default=4, ge=1, le=16, description="Thoughts of rar2-parallel, rounds of rar2-iterative"
    )
    rar2_with_question: bool = Field(default=False, description="Put the question before the thought in RAR2's query")
    rar2_documents: int = Field(default=32, ge=1, le=200, description="Passages RAR2 and its baselines retrieve")
    imedrag_rounds: int = Field(default=3, ge=1, le=10, description="Rounds of follow-up questions of i-medrag")
    imedrag_questions: int = Field(default=3, ge=1, le=10, description="Follow-up questions a round of i-medrag")
    spo_found: int = Field(default=20, ge=1, le=200, description="Passages a planned query finds (Omni-RAG's systems)")
    spo_kept: int = Field(default=10, ge=1, le=200, description="Passages of a planned query the reranker keeps")
    spo_withheld: str = Field(
        default="",
        pattern="^(|book|guideline|research|wiki|graph)$",
        description="A source that is planned for and then not read (Omni-RAG's source ablation); empty: none",
    )
    planner_trained_for: str = Field(
        default="",
        pattern="^(|spo|trainable-planning|rafe)$",
        description="The system whose training the planner's model had; empty: none",
    )
    clinicalrag_k: int = Field(default=5, ge=1, description="Pieces an entity of clinicalrag brings from each source")
    clinicalrag_least: float = Field(default=0.85, ge=-1, le=1, description="Cosine from which two names are near")
    clinicalrag_tokens: int = Field(
        default=4096, ge=100, description="Tokens note and knowledge of clinicalrag may take together, estimated"
    )
    clinicalrag_entities: int = Field(default=32, ge=1, description="Entities clinicalrag looks up at most")
    clinicalrag_extraction: bool = Field(default=True, description="Look up entities (MEE), not the note as a whole")
    clinicalrag_language: bool = Field(default=True, description="Tell graph knowledge as language (KNL)")
    clinicalrag_references: bool = Field(default=True, description="Give a reference list without duplicates (KRG)")
    clinicalrag_whole: int = Field(default=10, ge=1, description="Entities the whole note leads to without MEE")
