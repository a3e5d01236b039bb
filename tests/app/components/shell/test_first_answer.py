"""The page's first answer: where its server is, its title and its style; everything else passes untouched."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.components.shell.first_answer import FirstAnswer

PAGE = "<html lang=\"en\"><head><title>Streamlit</title></head><body><div id='root'></div></body></html>"
ASKS = {"accept": "text/html,*/*"}


async def page(request: Request) -> Response:
    assert "accept-encoding" not in request.headers  # an answer that is packed could not be added to
    return HTMLResponse(PAGE, headers={"etag": '"1"'})


async def data(request: Request) -> Response:
    return JSONResponse({"text": "<head><body>"})


async def gone(request: Request) -> Response:
    return HTMLResponse("<head></head>", status_code=404)


@pytest.fixture
def asking() -> TestClient:
    routes = [Route("/data", data), Route("/gone", gone), Route("/{path:path}", page)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(FirstAnswer)]))


def test_a_page_says_where_its_server_is_and_how_it_looks(asking: TestClient) -> None:
    answer = asking.get("/visits", headers=ASKS)
    assert answer.text.index("BACKEND_BASE_URL") < answer.text.index("<title>Leapnote</title>")
    assert answer.text.index("<body><style>") < answer.text.index("id='root'")
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "etag" not in answer.headers  # it is of the answer without what was added


def test_a_page_speaks_what_the_browser_asks_for_before_a_line_of_it_has_run(asking: TestClient) -> None:
    for asked, spoken in (("es-ES,es;q=0.9,en;q=0.8", "es"), ("en-US", "en"), ("fi, es;q=0.1", "en"), ("", "en")):
        answer = asking.get("/visits", headers={**ASKS, "accept-language": asked})
        assert f'<html lang="{spoken}">' in answer.text, asked


def test_a_rater_s_page_does_not_name_the_product(asking: TestClient) -> None:
    assert "Leapnote" not in asking.get("/rate?token=x", headers=ASKS).text


def test_what_is_no_page_passes_as_it_is(asking: TestClient) -> None:
    assert asking.get("/data", headers=ASKS).json() == {"text": "<head><body>"}
    assert asking.get("/gone", headers=ASKS).text == "<head></head>"
    assert asking.head("/visits", headers=ASKS).status_code == 200
