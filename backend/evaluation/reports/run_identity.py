"""What a run's figures depend on beside its data: who writes and judges with which weights, settings, graph, prompts, code.

All of it is in the run's key, so that changing any of it starts another run, and in its result, so that a reader can see it.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from backend.container import Container
from backend.evaluation.reports.journal import file_sha256, run_key
from backend.prompts.prompt_registry import PROMPTS
from backend.schemas.source_rows import ROWS
from backend.settings import Settings
from backend.settings.model_settings import ModelSettings
from backend.settings.place_settings import PlaceSettings
from backend.settings.server_settings import ServerSettings
from backend.stores.compiled import code_digest, digest_of
from models.policy.checkpoint import WEIGHTS

MODEL_SETTINGS = (
    "planner_model",
    "judge_model",
    "extractor_model",
    "llm_context",
    "vllm_args",
    "vllm_max_model_len",
    "repair",
    "uncertainty_samples",
    "entailment",
    "judge_support",
)
"""What of the settings of models changes a figure; the rest says where a server is and how long it may take."""
PLACE_SETTINGS = ("graph", "locale", "neo4j_graph")
ENDS = 1 << 20
"""How many bytes of each end of a large file of weights are read."""
NO_FOLDER = "weights not in a folder here: told by name alone"


def identity(container: Container, generators: Sequence[str] = ("",)) -> dict[str, Any]:
    """Everything that changes a figure and is no data of the run.

    Args:
        container: of the run.
        generators: settings of who writes; empty for the one that is set.

    Returns:
        JSON values: writers and role models with their weights, settings, graph, sources with the rows that planners read, a digest of
        the server's address (under one name another may serve another model), policies, knowledge, prompts, code.
    """
    return {
        "writers": {asked or "set": _models(container, asked) for asked in generators},
        "settings": figure_settings(container.settings),
        "encoder": container.encoder.name,
        "reranker": _weights(container.settings.reranker),
        "entailment": _weights(container.settings.entailment),
        "graph": container.graph.fingerprint,
        "sources": list(container.sources.state),
        "kinds_of_source": {name: run_key(**row._asdict()) for name, row in ROWS.items()},
        "server": run_key(url=container.settings.llm_url) if container.settings.llm_url else "none",
        "policies": policies(container),
        "knowledge": knowledge(container),
        "prompts": {name: prompt.hash for name, prompt in sorted(PROMPTS.items())},
        "code": code_digest(),
    }


def figure_settings(settings: Settings) -> dict[str, Any]:
    """The settings that change a figure, by name; those that say where something is or how long it may take are left out."""
    out: dict[str, Any] = {}
    for name in Settings.model_fields:
        known = (
            (ModelSettings, MODEL_SETTINGS),
            (PlaceSettings, PLACE_SETTINGS),
            (ServerSettings, ("max_note_chars",)),
        )
        kept = next((names for owner, names in known if name in owner.model_fields), None)
        value = getattr(settings, name)
        if (kept is None or name in kept) and not isinstance(value, SecretStr):
            out[name] = Path(value).name if isinstance(value, str) and value.startswith("/") else value
    return dict(sorted(out.items()))


def policies(container: Container) -> dict[str, str]:
    """The sha256 of the weights of each policy that systems walk by."""
    found = sorted(container.settings.policies.glob(f"*/{WEIGHTS}"))
    return {path.parent.name: file_sha256(path) for path in found}


def knowledge(container: Container) -> dict[str, str]:
    """Digests of the handbook and tables as they are read, and of what the hospital signed and listed of its own."""
    hospital = container.shipped.hospital
    own = run_key(
        chapters=hospital.chapters,
        signed=sorted(hospital.signed),
        formulary=hospital.formulary,
        instructions=hospital.instructions,
    )
    return {"tables": digest_of(hospital.folder), "hospital": own}


def _models(container: Container, asked: str) -> dict[str, str]:
    chosen = container.models.chosen(asked)
    named = {"planner": "planner_model", "judge": "judge_model", "extractor": "extractor_model"}
    found = {"writer": f"{chosen.generator.name}; {_weights(chosen.setting)}"}
    for role, setting in named.items():
        model = getattr(chosen.roles, role)
        own = str(getattr(container.settings, setting)) or chosen.setting
        found[role] = f"{model.name}; {_weights(own)}" if model is not None else "none: the embedded step"
    return found


def _weights(setting: str) -> str:
    """A digest of the folder of weights that a setting names; of a server's or a hub's, that only its name is known."""
    _, _, place = setting.partition(":")
    folder = next((Path(one) for one in (setting, place) if one and Path(one).is_dir()), None)
    if folder is None:
        return setting if ":" not in setting and "/" not in setting else NO_FOLDER
    return _folder_digest(folder, tuple(sorted((path.name, path.stat().st_size) for path in folder.iterdir())))


@cache
def _folder_digest(folder: Path, listed: tuple[tuple[str, int], ...]) -> str:
    return run_key(files={name: _ends(folder / name, size) for name, size in listed if (folder / name).is_file()})


def _ends(path: Path, size: int) -> str:
    """sha256 of a file's size, first and last bytes: weights of many gigabytes are told apart without reading them whole."""
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        digest.update(file.read(ENDS))
        file.seek(max(ENDS, size - ENDS))
        digest.update(file.read(ENDS))
    return digest.hexdigest()
