"""What a server may refuse, as the user reads it; and no secret in any of it."""

import logging
import os
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from backend.errors import MissingError
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from tests.services.bolt import NEO4J, served, servers

pytestmark = pytest.mark.services


@pytest.fixture(scope="module", params=servers())
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    with served(request.param, tmp_path_factory.mktemp("bolt")) as found:
        yield found


def test_a_real_neo4j_takes_part() -> None:
    if not os.environ.get(NEO4J):
        pytest.skip(f"only the stand-in was tested: set {NEO4J} (and _USER, _PASSWORD, _DATABASE) for a real Neo4j")
    assert "neo4j" in servers()


def test_a_wrong_password_is_refused_without_showing_it(
    address: Neo4jAddress, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(MissingError) as refused:
        Neo4j(address._replace(password=SecretStr("wrong-and-secret")))
    message = str(refused.value)
    assert f"refuses the user '{address.user}'" in message
    assert "LEAPNOTE_NEO4J_PASSWORD" in message
    assert "secret" not in message + caplog.text
    assert refused.value.__cause__ is None
    assert refused.value.exit_status == 3


def test_a_database_that_is_not_there_is_named(address: Neo4jAddress) -> None:
    with pytest.raises(MissingError, match=r"has no database 'nowhere'.*LEAPNOTE_NEO4J_DATABASE"):
        Neo4j(address._replace(database="nowhere"))


def test_a_statement_that_the_server_refuses_is_told_by_its_code_and_not_quoted(address: Neo4jAddress) -> None:
    with Neo4j(address) as db, pytest.raises(MissingError, match=r"Statement\.SyntaxError") as refused:
        db.read("RETRN $given", given="something private")
    assert "RETRN" not in str(refused.value)
    assert "private" not in str(refused.value)


def test_the_address_does_not_show_the_password(address: Neo4jAddress) -> None:
    secret = address.password.get_secret_value()
    assert secret
    assert secret not in repr(address) + str(address)


def test_a_writing_statement_is_refused_where_only_reading_is_asked_for(address: Neo4jAddress) -> None:
    with Neo4j(address) as db:
        if not os.environ.get(NEO4J) or address.uri != os.environ[NEO4J]:
            pytest.skip("ArcadeDB takes writes in a session that only reads; Neo4j refuses them")
        for ask in (lambda: db.read("CREATE (x:LeapnoteNo)"), lambda: db.ask("CREATE (x:LeapnoteNo)", {})):
            with pytest.raises(MissingError, match="refused a statement"):
                ask()


def test_a_statement_that_takes_too_long_is_ended(address: Neo4jAddress) -> None:
    with Neo4j(address._replace(query_s=0.05)) as db:
        if not os.environ.get(NEO4J) or address.uri != os.environ[NEO4J]:
            pytest.skip("ArcadeDB does not end a statement by the time that the client allows; Neo4j does")
        with pytest.raises(MissingError, match="took longer than"):
            db.read("UNWIND range(1, 10000000) AS i UNWIND range(1, 1000) AS j RETURN count(i + j)")
