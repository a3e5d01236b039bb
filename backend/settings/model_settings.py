"""Who writes, thinks and judges: language models, the server of one, and vLLM."""

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class ModelSettings(BaseSettings):
    """Language models, how they are reached and started, and what they are asked to do besides writing."""

    generator: str = Field(
        default="auto",
        description="Who writes: auto (the server of LEAPNOTE_LLM_URL, else the composer), composer, vllm:<model>, openai:<url>#<model>, transformers:<folder>",
    )
    llm_url: str = Field(default="", description="Language model server that the value auto may use; empty: none")
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
