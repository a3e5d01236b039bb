"""The API of letters in a process of its own, drafting by the rule of `tests.review.scripted_letter`: python -m tests.api.letters_served PORT FOLDER"""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr

from backend.api.app import create_app
from backend.container import Container
from backend.settings import Settings
from tests.review.scripted_letter import letter_of


def served(folder: Path) -> FastAPI:
    """The application over a database in a folder; no model and no knowledge is loaded."""
    parts = SimpleNamespace(
        settings=Settings(_env_file=None, data=folder, database_url=SecretStr("")),
        safety=None,
        linker=None,
        checks=SimpleNamespace(verifier=lambda judge: None, fit=None),
        models=SimpleNamespace(check_queue=lambda generator: None),
        check_conditions=lambda request: None,
        pipeline=lambda *chosen: SimpleNamespace(run=letter_of),
        warm=dict,
        close=dict,
    )
    return create_app(parts.settings, cast(Container, parts))


def main(port: int, folder: str) -> None:
    """Serve until killed."""
    uvicorn.run(served(Path(folder)), port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
