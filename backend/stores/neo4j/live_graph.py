"""The graph that requests walk in Neo4j: connected when first asked for, left alone for a while after a failure.

Takes an address, the name of an export and the graph in memory that it must be; gives a walk for one request, or an
error that says why there is none. Whoever asks walks in memory then, and says so.
"""

import time
from collections.abc import Callable
from threading import Lock

import numpy as np

from backend.errors import InputError, KnowledgeError, LeapnoteError, MissingError
from backend.stores.graph.graph import Graph
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_paths import Neo4jPathGraph, Neo4jWalk

REST_S = 30.0
"""How long the server is left alone after a failure: no request should wait for one that has just not answered."""


class LiveGraph:
    """Shared by all threads. A server that comes back is used again; one whose graph is another never is."""

    def __init__(
        self, address: Neo4jAddress, name: str, graph: Graph, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._address = address
        self._graph = graph
        self._clock = clock
        self._lock = Lock()
        self._connected: tuple[Neo4j, Neo4jPathGraph] | None = None
        self._why: LeapnoteError | None = None
        self._again = 0.0

    def walk(self) -> "LiveWalk":
        """A view for one request. Raises MissingError, KnowledgeError or InputError that says why there is none."""
        connected = self._connected or self._open()
        return LiveWalk(connected[1], self)

    def lost(self, walked: Neo4jPathGraph, why: LeapnoteError) -> None:
        """A walk of this graph failed: forget what was read, and leave the server alone for a while."""
        with self._lock:
            if self._connected and self._connected[1] is walked:  # a late walk must not end a connection made since
                self._rest(why)

    def close(self) -> None:
        """Let go of the server; nothing is walked there any more."""
        with self._lock:
            self._rest(MissingError("Neo4j was let go of, since the program ends."))
            self._again = float("inf")

    def _open(self) -> tuple[Neo4j, Neo4jPathGraph]:
        if not self._lock.acquire(blocking=False):
            raise MissingError(f"The graph {self.name!r} in Neo4j is still being opened.")
        try:
            if self._connected:
                return self._connected
            if self._why and self._clock() < self._again:
                raise type(self._why)(str(self._why))
            try:
                self._connected = self._read()
            except (InputError, KnowledgeError, MissingError) as error:
                self._rest(error)
                raise
            return self._connected
        finally:
            self._lock.release()

    def _read(self) -> tuple[Neo4j, Neo4jPathGraph]:
        db = Neo4j(self._address)
        try:
            walked = Neo4jPathGraph(db, self.name)
            self._check(walked)
        except BaseException:
            db.close()
            raise
        return db, walked

    def _check(self, walked: Neo4jPathGraph) -> None:
        """A concept is an index here: the export must be of the very graph that is loaded.

        Raises:
            KnowledgeError: it is the export of another graph.
        """
        same = walked.fingerprint == self._graph.fingerprint
        if not same or len(walked) != len(self._graph) or walked.relations != self._graph.relations:
            raise KnowledgeError(
                f"The graph {self.name!r} in Neo4j is not the one that is loaded (fingerprint {walked.fingerprint} there, "
                f"{self._graph.fingerprint} here; {len(walked)} concepts there, {len(self._graph)} here). Export this one, "
                "or set LEAPNOTE_GRAPH to that one."
            )

    def _rest(self, why: LeapnoteError) -> None:
        self._why, self._again = why, self._clock() + REST_S
        if self._connected:
            self._connected[0].close()
            self._connected = None


class LiveWalk(Neo4jWalk):
    """A walk that tells the graph when the server fails it."""

    def __init__(self, graph: Neo4jPathGraph, live: LiveGraph) -> None:
        super().__init__(graph)
        self._live = live

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        """As Neo4jWalk.fetch.

        Raises:
            KnowledgeError: the concepts on the server are no longer those that were read.
            MissingError: the server does not answer.
        """
        try:
            super().fetch(concepts, group)
        except (KnowledgeError, MissingError) as error:
            self._live.lost(self._graph, error)
            raise
