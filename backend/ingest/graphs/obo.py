"""Import ontologies in OBO format (1.2, 1.4): the Disease Ontology, the Symptom Ontology and their like.

Takes OBO files; gives concepts (terms that are not obsolete), facts (is_a and relationship lines) and cross-references.
It reads what the terms state: logical definitions (intersection_of, disjoint_from) say nothing about a patient.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.graph_build import GraphBuilder, Progress, graph_imported, in_words, joined_report
from backend.ingest.graphs.tsv_graph import CATEGORY_OF, semantic_group
from backend.ingest.importers import NOT_STATED, Choice, GraphImported, GraphInput, comma_list
from backend.registry import graph_importer
from backend.schemas.vocabulary import Category, SemanticGroup
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About

OBSOLETE = "obsolete"
IS_A = "isa"  # the starter knowledge's name of the same relation
XREFS = "xrefs.tsv"
XREFS_HEAD = "concept_id\txref\n"
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "W": " ", "t": "\t"}
_TRAILING = re.compile(r"\s*(?:\{[^{}]*\})?\s*$")


class OboSettings(NamedTuple):
    """How terms become concepts.

    group: of every term, but for those whose id has a prefix in prefix_groups (`UBERON`: ANAT). category: of every term;
    empty: the one usual for its group. scopes: which synonyms become names of the concept.
    """

    group: SemanticGroup = SemanticGroup.DISO
    prefix_groups: Mapping[str, SemanticGroup] = {}
    category: str = ""
    scopes: tuple[str, ...] = ("EXACT",)


class Stanza(NamedTuple):
    """One stanza: its kind (Term, Typedef …), the line it begins at, and its tags in order, each with its line."""

    kind: str
    line: int
    tags: list[tuple[str, str, int]]

    def first(self, tag: str) -> str:
        """The value of the first such tag, without comment and modifiers; empty where there is none."""
        return next((plain(value) for name, value, _ in self.tags if name == tag), "")

    def values(self, tag: str) -> Iterator[tuple[str, int]]:
        """The raw values of a tag, with their lines."""
        return ((value, line) for name, value, line in self.tags if name == tag)


def prefix_group(text: str) -> tuple[str, SemanticGroup]:
    """`UBERON=ANAT`: the prefix of ids, and the group of their terms.

    Raises:
        ValueError: it has no prefix, or no known group.
    """
    prefix, found, group = text.partition("=")
    if not prefix or not found:
        raise ValueError(f"{text!r} is no prefix and group; write UBERON=ANAT")
    return prefix, semantic_group(group)


def import_obo(
    paths: tuple[Path, ...],
    folder: Path,
    about: About,
    settings: OboSettings | None = None,
    known: Mapping[str, RelationRow] | None = None,
    progress: Progress | None = None,
) -> tuple[Graph, ImportReport]:
    """Read the files into one snapshot, with cross-references in `xrefs.tsv` beside.

    A term of several files counts once.

    Raises:
        KnowledgeError: where a file is absent or holds no term.
    """
    settings = settings or OboSettings()
    builder, primary, names, inverses = GraphBuilder(), dict[str, str](), dict[str, str](), dict[str, str]()
    xrefs: list[str] = []
    for done, path in enumerate(paths, start=1):
        terms = 0
        for stanza in stanzas(path):
            terms += stanza.kind == "Term"
            if stanza.kind == "Term" and _term(stanza, builder, settings):
                concept_id = stanza.first("id")
                primary.update({plain(value): concept_id for value, _ in stanza.values("alt_id")})
                xrefs.extend(f"{concept_id}\t{plain(value).split(' ')[0]}\n" for value, _ in stanza.values("xref"))
            elif stanza.kind == "Typedef":
                names[stanza.first("id")] = stanza.first("name")
                inverses[stanza.first("id")] = stanza.first("inverse_of")
        if not terms:
            raise KnowledgeError(f"{path.name!r} holds no [Term]. Give a file in OBO format.")
        if progress:
            progress(done, len(paths), "files: terms read")
    for done, path in enumerate(paths, start=1):
        for triple, line in _facts(path, primary, names):
            builder.add_triple(triple, line)
        if progress:
            progress(done, len(paths), "files: facts read")
    graph = builder.finish({**(known or {}), **_typedefs(names, inverses, known or {})})
    write_snapshot(graph, folder, about, {XREFS: XREFS_HEAD + "".join(dict.fromkeys(xrefs))})
    return graph, joined_report(builder)


@graph_importer(
    "obo",
    label="OBO ontologies",
    about="ontologies in OBO format",
    files="one or more .obo files",
    several=True,
    choices=(
        Choice("group", "semantic group of every term (DISO)", semantic_group, SemanticGroup.DISO),
        Choice(
            "prefix_group",
            "the group of terms whose ids begin so; may be repeated",
            prefix_group,
            metavar="UBERON=ANAT",
            repeated=True,
        ),
        Choice("category", "of every term", default="", metavar="CATEGORY", options=tuple(Category)),
        Choice("scopes", "synonyms taken as names (EXACT)", comma_list, ("EXACT",), metavar="A,B"),
    ),
    description="docs/graphs.md says what is read.",
    order=2,
)
def import_obo_files(given: GraphInput) -> GraphImported:
    """Read one or more ontologies into one snapshot, with cross-references beside.

    Args:
        given: paths holds the files; a term of several files counts once.
    """
    choices = given.choices
    prefixes = dict(choices.get("prefix_group") or ())
    group, scopes = choices.get("group", SemanticGroup.DISO), choices.get("scopes", ("EXACT",))
    settings = OboSettings(group, prefixes, choices.get("category", ""), scopes)
    stated = {
        "group": settings.group.value,
        "prefix_groups": ", ".join(f"{prefix}={group.value}" for prefix, group in prefixes.items()),
        "category": settings.category,
        "scopes": ", ".join(settings.scopes),
    }
    source = ", ".join(path.name for path in given.paths)
    about = About(given.name, source, given.licence or NOT_STATED, given.date, stated)
    return graph_imported(
        given, about, *import_obo(given.paths, given.folder, about, settings, given.known(), given.progress)
    )


def stanzas(path: Path) -> Iterator[Stanza]:
    """The stanzas of a file; the header before the first one is left out.

    Yields:
        Stanza: one at a time.

    Raises:
        KnowledgeError: there is no such file.
    """
    if not path.is_file():
        raise KnowledgeError(f"There is no file {path.name!r}. Name a file in OBO format.")
    found: Stanza | None = None
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            if text.startswith("[") and text.endswith("]"):
                if found:
                    yield found
                found = Stanza(text[1:-1], number, [])
            elif found and ":" in text and not text.startswith("!"):
                tag, value = text.split(":", 1)
                found.tags.append((tag, value.strip(), number))
    if found:
        yield found


def plain(value: str) -> str:
    """A value without its comment and modifiers, its escapes resolved: `DOID:1 {a="b"} ! name` is `DOID:1`."""
    cut = re.split(r"(?<!\\)\s!", value, maxsplit=1)[0]
    return unescaped(_TRAILING.sub("", cut))


def unescaped(text: str) -> str:
    r"""OBO's escapes: `\n`, `\W` (a blank), `\t`; any other character stands for itself."""
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text).strip()


def quoted(value: str) -> tuple[str, str]:
    """The text between the first quotes, and the word behind it: a synonym and its scope. Empty where there is none."""
    found = _QUOTED.match(value)
    return (unescaped(found[1]), found[2]) if found else ("", "")


def _term(stanza: Stanza, builder: GraphBuilder, settings: OboSettings) -> bool:
    if stanza.first("is_obsolete") == "true":
        builder.concepts.seen()
        builder.concepts.skip(OBSOLETE, stanza.line)
        return False
    concept_id, name = stanza.first("id"), stanza.first("name")
    group = settings.prefix_groups.get(concept_id.split(":")[0], settings.group)
    quoted_names = [quoted(value) for value, _ in stanza.values("synonym")]
    synonyms = tuple(
        dict.fromkeys(text for text, scope in quoted_names if scope in settings.scopes and text and text != name)
    )
    definition = next((quoted(value)[0] for value, _ in stanza.values("def")), "")
    category = settings.category or CATEGORY_OF[group]
    return builder.add_concept(
        ConceptRow(concept_id, name, group.value, str(category), synonyms, definition), stanza.line
    )


def _facts(path: Path, primary: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[TripleRow, int]]:
    """The facts of a file's terms; an alternative id stands for the term that has it.

    Yields:
        a fact, and the number of its line.
    """
    for stanza in stanzas(path):
        if stanza.kind != "Term" or stanza.first("is_obsolete") == "true":
            continue
        head = stanza.first("id")
        for value, line in stanza.values("is_a"):
            tail = plain(value)
            yield TripleRow(head, IS_A, primary.get(tail, tail)), line
        for value, line in stanza.values("relationship"):
            relation, _, tail = plain(value).partition(" ")
            tail = tail.strip()
            yield TripleRow(head, _relation(relation, names), primary.get(tail, tail)), line


def _relation(stated: str, names: Mapping[str, str]) -> str:
    """A relation's own id, or its name where the id is a mere number (`RO:0002200`)."""
    name = names.get(stated, "")
    return name.replace(" ", "_") if ":" in stated and name else stated


def _typedefs(
    names: Mapping[str, str], inverses: Mapping[str, str], known: Mapping[str, RelationRow]
) -> dict[str, RelationRow]:
    """Relations whose inverse the file states; those that are known, in either direction, stay as they are."""
    taken = {name for row in known.values() for name in (row.relation, row.inverse)}
    rows: dict[str, RelationRow] = {}
    every = frozenset("*")
    for stated, other in inverses.items():
        relation, inverse = _relation(stated, names), _relation(other, names) if other else ""
        if inverse and not {relation, inverse} & taken:
            words = names.get(stated) or relation
            inverse_words = names.get(other) or inverse
            rows[relation] = RelationRow(
                relation, inverse, every, every, in_words(words), in_words(inverse_words), "as imported"
            )
            taken |= {relation, inverse}
    return rows
