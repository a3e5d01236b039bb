"""Every setting, once, with its unit and default. From the environment (prefix LEAPNOTE_), then `.env`."""

from functools import lru_cache
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
STARTER = "starter"


class Settings(BaseSettings):
    """All of Leapnote's settings. `.env.example` lists them with the same words."""

    model_config = SettingsConfigDict(env_prefix="LEAPNOTE_", env_file=ROOT / ".env", extra="ignore", frozen=True)

    data: Path = Field(
        default_factory=lambda: user_data_path("leapnote"), description="Folder of indexes, database and logs"
    )
    database_url: SecretStr = Field(
        default=SecretStr(""),
        description="SQL database of cases and studies, as postgresql://user:password@host:5432/name; "
        "empty: a SQLite file in LEAPNOTE_DATA",
    )
    knowledge: Path = Field(default=ROOT / "assets" / "knowledge", description="Folder of the starter knowledge")
    graph: str = Field(
        default=STARTER, description="The knowledge graph: starter, the name of an imported one, or a folder"
    )
    policies: Path = Field(
        default=ROOT / "models" / "checkpoints", description="Folder of the trained path policies leapnote and reinrag"
    )
    neo4j_uri: str = Field(
        default="", description="Neo4j server, as bolt://127.0.0.1:7687 or neo4j://host:7687; empty: none"
    )
    neo4j_user: str = Field(default="neo4j", description="User of the Neo4j server")
    neo4j_password: SecretStr = Field(default=SecretStr(""), description="Password of the Neo4j server")
    neo4j_database: str = Field(default="neo4j", description="Database of the Neo4j server")
    neo4j_graph: str = Field(
        default="", description="Export in Neo4j that paths are walked in, of the graph that is set; empty: in memory"
    )
    neo4j_connect_s: float = Field(default=5.0, gt=0, description="Seconds to wait for a connection to Neo4j")
    neo4j_query_s: float = Field(default=60.0, gt=0, description="Seconds one statement may take in Neo4j")
    neo4j_retry_s: float = Field(
        default=15.0, ge=0, description="Seconds a passing failure of Neo4j is tried again when loading and exporting"
    )
    host: str = Field(default="127.0.0.1", description="Address the API and the page bind to")
    allowed_hosts: str = Field(
        default="",
        pattern=r"^\s*(([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(\s+|$))*$",
        description="Further names the API and the page are reached under, such as a reverse proxy's, by spaces and without ports",
    )
    api_port: int = Field(default=8600, ge=1, le=65535, description="Port of the API")
    page_port: int = Field(default=8501, ge=1, le=65535, description="Port of the page")
    login: bool = Field(
        default=False,
        description="People log in to the page with a name and a password; always so when host is not loopback",
    )
    api_token: str = Field(default="", description="Token programs must send; required when host is not loopback")
    encoder: str = Field(
        default="minilm", description="What turns texts into vectors: minilm (embedded), a local folder, or a hub name"
    )
    generator: str = Field(
        default="auto",
        description="Who writes: auto (the server of LEAPNOTE_LLM_URL, else the composer), composer, vllm:<model>, openai:<url>#<model>, transformers:<folder>",
    )
    llm_url: str = Field(default="", description="Language model server that `auto` may use; empty: none")
    vllm_venv: str = Field(
        default="", description="Environment that vLLM is installed in; empty: vllm-env in LEAPNOTE_DATA"
    )
    vllm_device: str = Field(
        default="gpu", pattern="^(gpu|cpu)$", description="gpu, or cpu for vLLM's build for the processor"
    )
    vllm_gpu_memory: float = Field(
        default=0.9, gt=0, le=1, description="Part of the GPU's memory that vLLM may take, 0 to 1"
    )
    vllm_max_model_len: int = Field(
        default=0, ge=0, description="Tokens of prompt and reply together that vLLM serves; 0: as many as the model can"
    )
    vllm_args: str = Field(default="", description="More options of `vllm serve`, as on a command line")
    vllm_download: bool = Field(default=False, description="Let vLLM fetch the model from its hub when it starts")
    vllm_start_s: float = Field(default=1_800.0, gt=0, description="Seconds vLLM may take to load the model")
    llm_key: SecretStr = Field(default=SecretStr(""), description="Key of the language model server; empty: none")
    llm_port: int = Field(
        default=0, ge=0, le=65535, description="Port of the language model server that `up` starts; 0: a free one"
    )
    more_generators: str = Field(
        default="",
        description="Further generators that a request to the API may name, by spaces; * stands for anything",
    )
    planner_model: str = Field(
        default="", description="Model that thinks and plans, in the generator's forms; empty: the generator"
    )
    judge_model: str = Field(
        default="", description="Model that judges, in the generator's forms; empty: the generator"
    )
    extractor_model: str = Field(
        default="", description="Model that names entities, in the generator's forms; empty: the generator"
    )
    llm_context: int = Field(
        default=0, ge=0, description="Tokens of prompt and reply together; 0: as the server or the model says"
    )
    llm_first_token_s: float = Field(
        default=120.0, gt=0, description="Seconds to wait for a model's first word, waiting at its server included"
    )
    llm_between_s: float = Field(default=30.0, gt=0, description="Seconds to wait from any word of a model to the next")
    llm_concurrent: int = Field(default=16, ge=1, description="Requests a language model answers at a time")
    llm_waiting: int = Field(default=64, ge=0, description="Requests that may wait for a model; more get a 429")
    repair: bool = Field(default=False, description="Have the model reword or strike unsupported sentences, once")
    uncertainty_samples: int = Field(
        default=0, ge=0, le=32, description="Samples that score a model's draft for uncertainty (LUQ has 9); 0: none"
    )
    entailment: str = Field(
        default="",
        description="Entailment model that gives a second opinion on each sentence: a folder, or a hub name of a cross-encoder; empty: none",
    )
    judge_support: bool = Field(
        default=False, description="Have the judge's model give a second opinion on each sentence and what it cites"
    )
    llm_status: str = Field(default="", description="File that says how the server that `up` started is; `up` sets it")
    paths: int = Field(default=10, ge=1, le=100, description="Reasoning paths a note")
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
    max_note_chars: int = Field(default=50_000, ge=1_000, description="Longest note taken, in code points")
    timeout_s: float = Field(default=60.0, gt=0, description="Seconds the page waits for the API's next event")


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, read once. Raises InputError for a value that cannot be."""
    try:
        return Settings()
    except ValidationError as error:
        raise InputError(_wrong(error)) from None


def _wrong(error: ValidationError) -> str:
    """Each wrong setting by its name in the environment, with its value unless it is secret."""
    told = []
    for one in error.errors(include_url=False, include_context=False):
        name = str(one["loc"][0]) if one["loc"] else ""
        field = Settings.model_fields.get(name)
        value = "" if field is None or field.annotation is SecretStr else f" is {str(one['input'])[:60]!r}"
        told.append(f"LEAPNOTE_{name.upper()}{value}: {one['msg']}")
    return f"{'; '.join(told)}. Mend it in the environment or in .env; .env.example tells what each setting takes."
