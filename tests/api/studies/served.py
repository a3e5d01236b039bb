"""The API in a process of its own, which opens its database as in use: python -m tests.api.studies.served PORT"""

import sys
from types import SimpleNamespace
from typing import cast

import uvicorn

from backend.api.app import create_app
from backend.container import Container
from backend.settings import Settings


def main(port: int) -> None:
    """Serve until killed. The settings come from the environment; no model and no knowledge is loaded."""
    settings = Settings(_env_file=None)
    parts = SimpleNamespace(
        settings=settings,
        safety=None,
        linker=None,
        checks=SimpleNamespace(verifier=lambda judge: None, fit=None),
        warm=dict,
        live=None,
        close=dict,
    )
    uvicorn.run(create_app(settings, cast(Container, parts)), port=port, log_level="error", access_log=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
