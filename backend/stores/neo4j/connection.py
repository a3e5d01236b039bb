"""The connection to a Neo4j server (5 or later): read, write, ask; every failure in words.

The only module that imports the driver; the Cypher stands in the `neo4j_*` modules beside it. What varies is sent as a
parameter. Reading happens in read-only sessions. No message holds the password, a statement's values or what the server
said of them.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from pydantic import SecretStr

from backend.errors import InputError, KnowledgeError, MissingError

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
OLDEST = 5
MOST_IDLE_S = 30  # a connection idle for longer is tried before it is used: firewalls drop idle ones silently
ALL_RECORDS = -1  # the whole answer at once; the driver's usual 1,000 records a time would be a round trip each

Row = tuple[Any, ...]
Run = Callable[[str, Mapping[str, Any]], list[Row]]
T = TypeVar("T")


class Neo4jAddress(NamedTuple):
    """Where the server is, and how long to wait. connect_s: for a connection. query_s: for one statement, at the server.

    retry_s: how long a read or a write is tried again after a passing failure, in seconds.
    """

    uri: str
    user: str
    password: SecretStr
    database: str = "neo4j"
    connect_s: float = 5.0
    query_s: float = 60.0
    retry_s: float = 15.0

    @property
    def place(self) -> str:
        """Host and port, as messages tell it."""
        parts = urlsplit(self.uri)
        return f"{parts.hostname}:{parts.port or 7687}"


class Neo4j:
    """One driver, shared by all threads; a context manager.

    agent: what the server calls itself. round_trips: the answered calls of `ask`.
    """

    def __init__(self, address: Neo4jAddress) -> None:
        """Connects. Raises InputError for an address that is none, MissingError for whatever else keeps it away."""
        self.address = address
        self.round_trips = 0
        self._lock = Lock()
        self._driver = _driver(address)
        try:
            with _worded(address):
                self.agent = str(self._driver.get_server_info().agent)
            check_version(self.agent)
            self.read("RETURN 1")  # the server is there; so is the database
        except BaseException:
            self._driver.close()
            raise

    def __enter__(self) -> "Neo4j":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections to the server."""
        self._driver.close()

    def read(self, statement: str, **parameters: Any) -> list[Row]:
        """All rows of a reading statement; tried again after a passing failure."""
        from neo4j import READ_ACCESS, unit_of_work

        @unit_of_work(timeout=self.address.query_s)
        def work(transaction: "ManagedTransaction") -> list[Row]:
            return [tuple(record.values()) for record in transaction.run(statement, parameters)]

        with _worded(self.address), self._driver.session(**self._session(READ_ACCESS)) as session:
            return session.execute_read(work)

    def write(self, work: Callable[[Run], T]) -> T:
        """Everything that work runs, in one transaction; it may be run again after a passing failure."""
        from neo4j import WRITE_ACCESS, unit_of_work

        @unit_of_work(timeout=self.address.query_s)
        def whole(transaction: "ManagedTransaction") -> T:
            return work(lambda statement, given: [tuple(r.values()) for r in transaction.run(statement, dict(given))])

        with _worded(self.address), self._driver.session(**self._session(WRITE_ACCESS)) as session:
            return session.execute_write(whole)

    def change_schema(self, statement: str) -> None:
        """A statement that makes a constraint; servers take it in a transaction of its own only."""
        self.write(lambda run: run(statement, {}))

    def ask(self, statement: str, parameters: Mapping[str, Any]) -> list[Row]:
        """All rows of a reading statement in one round trip.

        `read` takes two, since its transaction is committed in a second message. A statement that commits itself needs
        one, is refused alike if it writes, and is not tried again by the driver; so it is here, once, for a
        connection of the pool that had died while it was idle.

        Raises:
            ServiceUnavailable: twice in a row; its caller sees a MissingError.
            SessionExpired: twice in a row; its caller sees a MissingError.
        """
        from neo4j import READ_ACCESS, Query
        from neo4j.exceptions import ServiceUnavailable, SessionExpired

        query = Query(statement, timeout=self.address.query_s)
        with _worded(self.address):
            for attempt in (1, 2):
                try:
                    with self._driver.session(**self._session(READ_ACCESS), fetch_size=ALL_RECORDS) as session:
                        rows = [tuple(record.values()) for record in session.run(query, dict(parameters))]
                    break
                except (ServiceUnavailable, SessionExpired):
                    if attempt == 2:
                        raise
        with self._lock:
            self.round_trips += 1
        return rows

    def _session(self, access: str) -> dict[str, Any]:
        return {"database": self.address.database, "default_access_mode": access}


def check_version(agent: str) -> None:
    """agent: what the server calls itself, as `Neo4j/5.26.0`.

    Raises:
        MissingError: for one that is too old or no Neo4j.
    """
    found = re.match(r"Neo4j/(\d+)", agent)
    if not found or int(found[1]) < OLDEST:
        raise MissingError(f"The server calls itself {agent!r}; Leapnote needs Neo4j {OLDEST} or later. Upgrade it.")


def _driver(address: Neo4jAddress) -> "Driver":
    try:
        from neo4j import GraphDatabase
    except ImportError:
        raise MissingError("The Neo4j driver is not installed. Install it with: pip install neo4j") from None
    parts = urlsplit(address.uri)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise InputError(
            f"The Neo4j address must begin with one of {', '.join(SCHEMES)}, then :// and a host, as "
            "bolt://127.0.0.1:7687. Mend LEAPNOTE_NEO4J_URI."
        )
    if parts.username or parts.password:
        raise InputError(
            "The Neo4j address holds a user or password. Give them in LEAPNOTE_NEO4J_USER and LEAPNOTE_NEO4J_PASSWORD."
        )
    # what the server notifies of quotes the statement, and the driver would log it
    logging.getLogger("neo4j.notifications").setLevel(logging.CRITICAL)
    with _worded(address):
        return GraphDatabase.driver(
            address.uri,
            auth=(address.user, address.password.get_secret_value()),
            user_agent="leapnote",
            telemetry_disabled=True,
            connection_timeout=address.connect_s,
            connection_acquisition_timeout=address.connect_s,  # bounds the handshake too
            max_transaction_retry_time=address.retry_s,
            liveness_check_timeout=MOST_IDLE_S,
        )


@contextmanager
def _worded(address: Neo4jAddress) -> Iterator[None]:
    """The driver's errors as ours.

    The server's own words stay out: they may quote data.

    Raises:
        InputError: the address is none.
        MissingError: the server does not answer.
        _by_code: the server refused; its code says why.
    """
    from neo4j import exceptions as broken

    server = f"Neo4j at {address.place}"
    try:
        yield
    except broken.AuthError:
        raise MissingError(
            f"{server} refuses the user {address.user!r} or the password. Check LEAPNOTE_NEO4J_USER and "
            "LEAPNOTE_NEO4J_PASSWORD."
        ) from None
    except broken.Forbidden:
        raise MissingError(
            f"{server} does not let the user {address.user!r} do this in database {address.database!r}. Ask its "
            "administrator for the right: reading to load and to walk, writing and making constraints to export."
        ) from None
    except broken.UnsupportedServerProduct:
        raise MissingError(
            f"The server at {address.place} speaks no version of Bolt that the driver knows. Leapnote needs Neo4j "
            f"{OLDEST} or later."
        ) from None
    except broken.ConfigurationError:
        raise InputError("The Neo4j address cannot be used. Mend LEAPNOTE_NEO4J_URI.") from None
    except (broken.ServiceUnavailable, broken.SessionExpired, broken.ConnectionPoolError):
        raise MissingError(
            f"{server} cannot be reached, or the connection was lost. Start it, check LEAPNOTE_NEO4J_URI, and try again."
        ) from None
    except broken.Neo4jError as error:
        raise _by_code(error.code or "", server, address) from None
    except broken.DriverError as error:
        raise MissingError(f"{server}: the driver gave up ({type(error).__name__}). Try again.") from None


def _by_code(code: str, server: str, address: Neo4jAddress) -> MissingError | KnowledgeError:
    if "DatabaseNotFound" in code:
        return MissingError(
            f"{server} has no database {address.database!r}. Create it, or mend LEAPNOTE_NEO4J_DATABASE."
        )
    if "DatabaseUnavailable" in code:
        return MissingError(f"{server}: the database {address.database!r} is offline. Start it.")
    if "TransactionTimedOut" in code:
        return MissingError(
            f"{server} took longer than {address.query_s:g} s for one statement. Raise LEAPNOTE_NEO4J_QUERY_S, or see "
            "that the constraints of docs/graphs.md are there."
        )
    if "OutOfMemory" in code or "MemoryPool" in code:
        return MissingError(f"{server} ran out of memory for a statement ({code}). Give it more, or smaller batches.")
    if "ConstraintValidation" in code:
        return KnowledgeError(f"{server} refused a write that breaks a constraint ({code}). Remove the graph by name.")
    return MissingError(f"{server} refused a statement ({code or 'no code'}). Is it Neo4j {OLDEST} or later?")
