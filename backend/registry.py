"""The registries of the seams: what can be added to Leapnote is registered by name, once, in its own file.

A seam is a `Registry` with the package its implementations live in. Adding one takes a module in that package with a
decorated class or function; nothing else names it. The package is imported when the seam is first asked for, never
before: this module imports nothing that registers, and `python -m backend --help` imports none of it. Where the
implementations are data files, the module that reads them has a function `register_rows(registry)`, which is called then.
"""

import importlib
import importlib.util
import inspect
import pkgutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

from backend.errors import NotFoundError
from backend.schemas.seams import Registered, Seam

T = TypeVar("T")
Made = TypeVar("Made")
LAST = 1_000_000


class Entry(NamedTuple, Generic[T]):
    """One registered implementation.

    name: what settings, command line and requests call it. label: what a person reads. about: one line or two on what
    it is. value: the class or factory. facts: what its seam asks for besides, by name.
    """

    name: str
    label: str
    about: str
    value: T
    facts: dict[str, Any]


class Registry(Generic[T]):
    """The implementations of one seam, by name.

    They are listed by their fact `order`, where they give one, then by name: never by who was imported first.

    Args:
        seam: what one of them is called in a message: "planner".
        packages: dotted names of the packages (or single modules) whose modules register implementations.
    """

    def __init__(self, seam: str, *packages: str) -> None:
        self.seam = seam
        self.packages = packages
        self._entries: dict[str, Entry[T]] = {}
        self._loaded = False
        # Two locks: a module that another thread imports registers while this one loads, and waits for nobody.
        self._loading = threading.RLock()
        self._changing = threading.Lock()

    def register(self, name: str, *, label: str = "", about: str = "", **facts: Any) -> Callable[[Made], Made]:
        """The decorator of an implementation.

        Args:
            name: unique within the seam.
            label: what a person reads; the name where none is given.
            about: what it is; the first line of the docstring of a class or function where none is given.
            facts: what the seam asks for besides.

        Returns:
            A decorator that gives back what it is given. It raises ValueError where another implementation has the name.
        """

        def keep(made: Made) -> Made:
            with self._changing:
                held = self._entries.get(name)
                if held is not None and _place(held.value) != _place(made):
                    raise ValueError(f"There are two of {self.seam} {name!r}: {_place(held.value)} and {_place(made)}")
                self._entries[name] = Entry(name, label or name, about or _first_line(made), made, facts)  # type: ignore[arg-type]
            return made

        return keep

    def get(self, name: str) -> Entry[T]:
        """The implementation of a name.

        Raises:
            NotFoundError: there is none; the message lists those there are.
        """
        self.load()
        entry = self._entries.get(name)
        if entry is None:
            raise NotFoundError(f"There is no {self.seam} {name!r}. Choose one of: {', '.join(self.names())}")
        return entry

    def names(self) -> tuple[str, ...]:
        """Every name, in the order of the list."""
        return tuple(entry.name for entry in self.entries())

    def entries(self) -> tuple[Entry[T], ...]:
        """Every implementation: by its fact `order`, those without one last, then by name."""
        self.load()
        with self._changing:
            held = list(self._entries.values())
        return tuple(sorted(held, key=lambda one: (one.facts.get("order", LAST), one.name)))

    def load(self) -> None:
        """Import the modules that register, in the order of their names; they register once, whichever thread asks first.

        The lock is not held meanwhile: a module may register in two seams, and two threads that load one seam each would
        wait for each other. Python's own locks make whoever asks second wait for each module.
        """
        if self._loaded:
            return
        with self._loading:
            if self._loaded:
                return
            for package in self.packages:
                module = importlib.import_module(package)
                if hasattr(module, "register_rows"):
                    module.register_rows(self)
                for found in sorted(pkgutil.iter_modules(getattr(module, "__path__", ())), key=lambda one: one.name):
                    importlib.import_module(f"{package}.{found.name}")
            self._loaded = True

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """What is registered within goes again at the end: for tests and for the examples of the documentation."""
        self.load()
        with self._changing:
            before = dict(self._entries)
        try:
            yield
        finally:
            with self._changing:
                self._entries = before


def _first_line(made: object) -> str:
    """The first line of what a class or function says of itself; a value has only what its class says, and so nothing."""
    return (inspect.getdoc(made) or "").split("\n", 1)[0] if inspect.isclass(made) or inspect.isroutine(made) else ""


def _place(made: object) -> str:
    """Where an implementation stands, as `module.name`."""
    return f"{getattr(made, '__module__', '')}.{getattr(made, '__qualname__', repr(made))}"


STRATEGIES: Registry[Any] = Registry("strategy", "backend.retrieval.strategies")
PATH_RETRIEVERS: Registry[Any] = Registry("path retriever", "backend.retrieval.paths")
PASSAGE_RANKERS: Registry[Any] = Registry("passage ranker", "backend.retrieval.passages")
PLANNERS: Registry[Any] = Registry("planner", "backend.planning")
CONDITION_RANKERS: Registry[Any] = Registry("condition ranker", "backend.diagnosis.ranking")
WRITERS: Registry[Any] = Registry("writer", "backend.generation.writers")
EXPORTERS: Registry[Any] = Registry("exporter", "backend.review.exports")
GRAPH_IMPORTERS: Registry[Any] = Registry("graph importer", "backend.ingest.graphs", "backend.ingest.umls")
CORPUS_IMPORTERS: Registry[Any] = Registry("text importer", "backend.ingest.corpora")
NOTE_IMPORTERS: Registry[Any] = Registry("note importer", "backend.ingest.clinical_notes")
ENCODERS: Registry[Any] = Registry("encoder", "models.encoders")
ENGINES: Registry[Any] = Registry("language model engine", "models.llm")
INSTRUMENTS: Registry[Any] = Registry("instrument", "backend.study.design.instruments")
FLAG_KINDS: Registry[Any] = Registry(
    "flag kind", "backend.verification.safety", "backend.verification.safety.medicines", "backend.pipeline.finishing"
)
SAFETY_CHECKS: Registry[Any] = Registry(
    "safety check", "backend.verification.safety", "backend.verification.safety.medicines"
)

planner = PLANNERS.register
strategy = STRATEGIES.register
path_retriever = PATH_RETRIEVERS.register
passage_ranker = PASSAGE_RANKERS.register
condition_ranker = CONDITION_RANKERS.register
writer = WRITERS.register
exporter = EXPORTERS.register
graph_importer = GRAPH_IMPORTERS.register
corpus_importer = CORPUS_IMPORTERS.register
note_importer = NOTE_IMPORTERS.register
encoder = ENCODERS.register
engine = ENGINES.register
instrument = INSTRUMENTS.register
flag_kind = FLAG_KINDS.register
safety_check = SAFETY_CHECKS.register

SEAMS: tuple[Registry[Any], ...] = (
    STRATEGIES,
    PATH_RETRIEVERS,
    PASSAGE_RANKERS,
    PLANNERS,
    CONDITION_RANKERS,
    WRITERS,
    EXPORTERS,
    GRAPH_IMPORTERS,
    CORPUS_IMPORTERS,
    NOTE_IMPORTERS,
    ENCODERS,
    ENGINES,
    INSTRUMENTS,
    FLAG_KINDS,
    SAFETY_CHECKS,
)
"""Every seam, for whoever lists them: command line, API, page and docs/extending.md."""


def seam_list() -> tuple[Seam, ...]:
    """Every seam with what is registered in it, by name, label and line; nothing registered is made or run."""
    return tuple(
        Seam(
            name=seam.seam,
            registered=tuple(
                Registered(name=one.name, label=one.label, about=one.about, action=one.facts.get("action", ""))
                for one in seam.entries()
            ),
        )
        for seam in SEAMS
        if all(importlib.util.find_spec(package) is not None for package in seam.packages)
    )
