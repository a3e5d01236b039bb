"""What the page's server runs: the pages of main.py, the address that sets the cookie of a login, and the way to the API.

Requests and websockets under a name that is not the server's own are refused before Streamlit sees them.
"""

import sys
from pathlib import Path

# Streamlit puts this file's folder on the path, not the repository's root
FOLDER = Path(__file__).resolve().parent
if str(FOLDER.parent) not in sys.path:
    sys.path.insert(0, str(FOLDER.parent))

from starlette.middleware import Middleware  # noqa: E402
from starlette.routing import Route  # noqa: E402
from streamlit.starlette import App  # noqa: E402

from app.clients import page_proxy  # noqa: E402
from app.components.shell.first_answer import FirstAnswer  # noqa: E402
from app.state.access import login_cookie, typed_memory  # noqa: E402
from backend.settings import settings  # noqa: E402
from backend.settings.hosts import OwnHosts  # noqa: E402

app = App(
    FOLDER / "main.py",
    routes=[
        Route(login_cookie.PATH, login_cookie.answer, methods=["POST"]),
        Route(typed_memory.PATH, typed_memory.answer, methods=["GET", "PUT"]),
        Route(
            page_proxy.PATH, page_proxy.PageProxy(settings(), login_cookie.COOKIE).answer, methods=page_proxy.METHODS
        ),
    ],
    middleware=[Middleware(OwnHosts, settings=settings()), Middleware(FirstAnswer)],
)
