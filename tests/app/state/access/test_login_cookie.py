"""The address that sets the cookie of a login: a code is good once, and only a page of this origin can send it."""

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from app.state.access import login_cookie
from app.state.access.login_cookie import CODE_S, PATH, Codes, answer, codes

ASK = TestClient(Starlette(routes=[Route(PATH, answer, methods=["POST"])]))


def test_a_code_gives_the_cookie_once_and_no_script_can_read_it() -> None:
    code = codes.put("a-token")
    given = ASK.post(PATH, json={"code": code, "secure": True})
    assert given.status_code == 204
    stated = given.headers["set-cookie"].lower()
    assert stated.startswith("leapnote_login=a-token;")
    for part in ("httponly", "samesite=strict", "secure", "path=/"):
        assert part in stated
    assert ASK.post(PATH, json={"code": code, "secure": True}).status_code == 404
    assert "secure" not in ASK.post(PATH, json={"code": codes.put("x"), "secure": False}).headers["set-cookie"].lower()


def test_an_empty_token_removes_the_cookie() -> None:
    stated = ASK.post(PATH, json={"code": codes.put(""), "secure": False}).headers["set-cookie"].lower()
    assert "max-age=0" in stated and "a-token" not in stated


def test_a_code_grows_old() -> None:
    now = [0.0]
    own = Codes(lambda: now[0])
    late, early = own.put("late"), own.put("early")
    now[0] = CODE_S - 1
    assert own.take(early) == "early"
    now[0] = CODE_S
    assert own.take(late) is None
    assert own.take("") is None


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"data": {"code": "x", "secure": "1"}}, 415),  # as a form of another site would
        ({"json": ["x"]}, 400),
        ({"json": {"code": "x"}}, 400),
        ({"json": {"code": "x" * 2000, "secure": True}}, 400),
        ({"json": {"code": "unknown", "secure": True}}, 404),
    ],
)
def test_what_is_no_good_code_sets_nothing(sent: dict[str, object], status: int) -> None:
    answered = ASK.post(PATH, **sent)  # type: ignore[arg-type]
    assert answered.status_code == status
    assert "set-cookie" not in answered.headers
    assert ASK.get(PATH).status_code == 405


def test_the_page_s_server_offers_the_address() -> None:
    from streamlit.web.server.app_discovery import discover_asgi_app

    from backend.settings import ROOT

    assert discover_asgi_app(ROOT / "app" / "serve.py").is_asgi_app
    assert login_cookie.COOKIE == "leapnote_login"
