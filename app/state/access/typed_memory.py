"""What is typed into the workspace and not yet drafted, held for each browser tab in this process's memory, so that a reload loses nothing.

It is on no disk. A tab's name is a secret that the browser made; whoever is logged in gets back only what they typed.
"""

import hashlib
import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.state.access.login_cookie import COOKIE
from app.state.access.tab_state import TabStore

PATH = "/leapnote/tab"
HEADER, FROM_PAGE = "x-leapnote", "page"
LONGEST_BODY = 2_000_000
LONGEST_NAME = 200

typed = TabStore()


async def answer(request: Request) -> Response:
    """Take (PUT) or give back (GET) what a tab holds, named by `?name=`.

    Returns:
        204 or the held JSON, {} where nothing is held; 403 without the page's header, which no other site can send; 400 or 413
        for what cannot be held.
    """
    if request.headers.get(HEADER) != FROM_PAGE:
        return Response(status_code=403)
    name = request.query_params.get("name", "")
    if not 8 <= len(name) <= LONGEST_NAME:
        return Response(status_code=400)
    owner = _owner(request)
    if request.method == "GET":
        held = dict(typed.take(name, owner))
        if held:
            typed.save(name, owner, held)
        return JSONResponse(held, headers={"Cache-Control": "no-store"})
    body = await request.body()
    if len(body) > LONGEST_BODY:
        return Response(status_code=413)
    try:
        values = json.loads(body)
    except ValueError:
        return Response(status_code=400)
    if not isinstance(values, dict):
        return Response(status_code=400)
    typed.save(name, owner, values)
    return Response(status_code=204)


def _owner(request: Request) -> str:
    login = request.cookies.get(COOKIE, "")
    return hashlib.sha256(login.encode()).hexdigest() if login else ""
