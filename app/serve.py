"""What the page's server runs: the pages of main.py, and the address that sets the cookie of a login.

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

from app.state.login_cookie import PATH, answer  # noqa: E402
from backend.settings import settings  # noqa: E402
from backend.settings.hosts import OwnHosts  # noqa: E402

app = App(
    FOLDER / "main.py",
    routes=[Route(PATH, answer, methods=["POST"])],
    middleware=[Middleware(OwnHosts, settings=settings())],
)
