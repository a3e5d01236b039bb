"""Hold the starter knowledge to its rules (assets/knowledge/README.md).

Takes what `starter` read; gives one line for each breach, with file and line. An empty list means consistent; it does
not mean clinically right.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from backend.knowledge.advice.chapter_contradictions import contradictions
from backend.knowledge.advice.needs import NAMED, Need
from backend.knowledge.advice.red_flags import FOLDER as RED_FLAGS
from backend.knowledge.advice.red_flags import WARNING_SIGNS
from backend.knowledge.advice.standing import standing_breaches
from backend.knowledge.advice.triage_check import triage_breaches
from backend.knowledge.safety.rows.clauses import MEDICINES
from backend.knowledge.safety.rows.coverage import FILE as COVERAGE
from backend.knowledge.safety.rows.coverage import coverage_breaches
from backend.knowledge.safety.rows.route_checks import route_breaches
from backend.knowledge.safety.rows.row_checks import row_breaches
from backend.knowledge.safety.rows.row_reach import dead_rows
from backend.knowledge.safety.rows.safety_facts import INTERACTS, SAFETY_RELATIONS
from backend.knowledge.safety.rows.undosed import undosed_breaches
from backend.knowledge.starter import SECTIONS, Line, Starter, concept_id, read_starter, symptom_chapters
from backend.schemas.vocabulary import Category, SemanticGroup
from backend.stores.graph.graph import Graph

MINIMA: tuple[tuple[int, tuple[str, ...], str], ...] = (
    (6, ("has_finding", "may_have_finding"), "findings"),
    (3, ("diagnosed_by", "monitored_by"), "tests"),
    (3, ("treated_by", "managed_by"), "treatments"),
    (2, ("has_precaution",), "precautions"),
    (1, ("has_diet_advice",), "diet advice"),
    (1, ("has_activity_advice",), "activity advice"),
    (1, ("has_follow_up",), "follow-up"),
    (4, ("has_warning_sign",), "warning signs"),
)
OWN_CHAPTERS = "hospital"
"""The name of the files that hold a hospital's own chapters; their concepts need no facts."""
LONGEST_SENTENCE = 24  # words; longer ones are hard to read at school grade 6
OF_A_SITUATION = ("Precautions", WARNING_SIGNS, "Follow-up")
"""The sections of a chapter about no condition but a situation that asks for care whatever else there is (rules/situations.tsv)."""
OF_A_SYMPTOM = ("What it is", "Diet", "Activity", "Precautions", WARNING_SIGNS, "Follow-up")
"""The sections that a chapter about a symptom may have; every one but diet it must have."""
MUST_OF_A_SYMPTOM = frozenset(OF_A_SYMPTOM) - {"Diet"}
TOLD = frozenset({Category.SYMPTOM, Category.DISEASE})
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Every breach of the rules, as (where, what).

    Yields:
        where a rule is broken, and how.
    """
    yield from _concept_breaches(starter)
    yield from _triple_breaches(starter)
    yield from _condition_breaches(starter)
    yield from _safety_breaches(starter)
    yield from _coverage_breaches(starter)
    yield from _handbook_breaches(starter)
    yield from _applicability_breaches(starter)
    yield from _symptom_breaches(starter)
    yield from _told_under_breaches(starter)
    yield from triage_breaches(starter)
    yield from contradictions(starter)
    names = {row.name for row, _ in starter.concepts}
    yield from ((Line("standing", line), what) for line, what in standing_breaches(starter.standing, names))


def readable_graph(starter: Starter) -> Graph:
    """The graph of what breaks no rule by which a graph is made, so that one bad row hides none of the others."""
    concepts = {
        row.concept_id: row
        for row, _ in reversed(starter.concepts)  # the first of two counts
        if row.group in SemanticGroup.__members__ and row.category in set(Category)
    }
    facts = [
        row
        for row, _ in starter.triples
        if row.relation in starter.relations and {row.head, row.tail} <= concepts.keys()
    ]
    return Graph(concepts.values(), facts, starter.relations)


def _concept_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    seen: dict[str, Line] = {}
    names = {row.name.lower(): row.concept_id for row, _ in starter.concepts}
    for row, where in starter.concepts:
        if row.group not in SemanticGroup.__members__:
            yield where, f"{row.name}: unknown semantic group {row.group!r}"
        if row.category not in set(Category):
            yield where, f"{row.name}: unknown category {row.category!r}"
        if row.concept_id in seen:
            first = seen[row.concept_id]
            yield where, f"{row.name}: defined twice, first at concepts/{first.system}.tsv:{first.number}"
        seen.setdefault(row.concept_id, where)
        for synonym in row.synonyms:
            other = names.get(synonym.lower())
            if other is not None and other != row.concept_id:
                yield where, f"{row.name}: synonym {synonym!r} is the name of another concept"
        if len(row.definition.split()) > 14:
            yield where, f"{row.name}: plain has {len(row.definition.split())} words, at most 12 wanted"


def _triple_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    category = {row.concept_id: row.category for row, _ in starter.concepts}
    used: set[str] = set()
    seen: dict[tuple[str, str, str, str], Line] = {}
    drug_pairs: dict[tuple[str, str], dict[str, list[tuple[str, Line]]]] = defaultdict(lambda: defaultdict(list))
    for row, where in starter.triples:
        relation = starter.relations.get(row.relation)
        label = f"{row.head[3:]} {row.relation} {row.tail[3:]}"
        if relation is None:
            yield where, f"{label}: unknown relation {row.relation!r}"
            continue
        for end, allowed, side in (
            (row.head, relation.head_categories, "head"),
            (row.tail, relation.tail_categories, "tail"),
        ):
            if end not in category:
                yield where, f"{label}: {side} {end[3:]!r} is no concept"
            elif "*" not in allowed and category[end] not in allowed:
                yield where, f"{label}: {side} is a {category[end]}, allowed: {', '.join(sorted(allowed))}"
        if row.head == row.tail:
            yield where, f"{label}: a concept cannot stand on both sides"
        used.update((row.head, row.tail))
        symmetric = relation.inverse == relation.relation
        ends = tuple(sorted((row.head, row.tail))) if symmetric else (row.head, row.tail)
        key = (ends[0], row.relation, ends[1], row.qualifier)
        if key in seen:
            first = seen[key]
            yield where, f"{label}: stated twice, first at triples/{first.system}.tsv:{first.number}"
        seen.setdefault(key, where)
        if row.relation == "treated_by":
            drug_pairs[(row.tail, row.head)]["treats"].append((row.qualifier, where))
        if row.relation == "contraindicated_with":
            drug_pairs[(row.head, row.tail)]["contraindicated_with"].append((row.qualifier, where))
    for (drug, disease), uses in drug_pairs.items():
        if len(uses) == 2:
            for relation_name, qualified in uses.items():
                for qualifier, where in qualified:
                    if not qualifier:
                        yield (
                            where,
                            f"{drug[3:]} both treats and is contraindicated_with {disease[3:]}: qualify {relation_name}",
                        )
    for concept, where in starter.concepts:
        if concept.concept_id not in used:
            yield where, f"{concept.name}: orphan, no triple names it"


def _condition_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    classes = {row.head for row, _ in starter.triples if row.relation == "has_class"}
    own = {concept_id(section.condition) for section in starter.handbook if section.where.system == OWN_CHAPTERS}
    for triple, _ in starter.triples:
        counts[triple.head][triple.relation] += 1
    for row, where in starter.concepts:
        if row.category == Category.DRUG and row.concept_id not in classes:
            yield where, f"{row.name}: a drug without has_class"
        if row.condition and row.concept_id not in own:
            for least, relations, what in MINIMA:
                have = sum(counts[row.concept_id][relation] for relation in relations)
                if have < least:
                    yield where, f"{row.name}: {have} {what}, at least {least} wanted ({', '.join(relations)})"


def _safety_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Facts about medicines that stand among the triples, and what `row_checks` finds in the rows."""
    category = {row.concept_id: row.category for row, _ in starter.concepts}
    for row, where in starter.triples:
        medicine = category.get(row.head) in MEDICINES or (
            row.relation == INTERACTS and category.get(row.tail) in MEDICINES
        )
        if row.relation in SAFETY_RELATIONS and medicine and "/" not in where.system:
            yield where, f"{row.head[3:]} {row.relation} {row.tail[3:]}: is a safety row; write it in safety/ or doses/"
    for breach in row_breaches(starter.safety, [row for row, _ in starter.doses]):
        yield Line(breach.file, breach.line), breach.what
    graph, doses = readable_graph(starter), [row for row, _ in starter.doses]
    for breach in (
        *dead_rows(graph, starter.safety, doses),
        *route_breaches(graph, starter.safety, doses),
        *undosed_breaches(graph, starter.undosed, doses),
    ):
        yield Line(breach.file, breach.line), breach.what


def _coverage_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    concepts, triples = [row for row, _ in starter.concepts], [row for row, _ in starter.triples]
    for breach in coverage_breaches(starter.coverage, concepts, triples):
        yield Line(str(COVERAGE.with_suffix("")), breach.line), breach.what


def _handbook_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    titles: dict[str, list[str]] = defaultdict(list)
    first: dict[tuple[str, str], Line] = {}
    conditions = {row.concept_id: (row.name, where) for row, where in starter.concepts if row.condition}
    known = {row.concept_id for row, _ in starter.concepts}
    symptoms = symptom_chapters(starter)
    for section in starter.handbook:
        titles[concept_id(section.condition)].append(section.title)
        told = first.setdefault((concept_id(section.condition), section.title), section.where)
        if told != section.where:
            place = f"{told.system}:{told.number}"
            yield section.where, f"{section.condition}: section {section.title!r} is written twice, first at {place}"
        short = OF_A_SYMPTOM if section.condition in symptoms else OF_A_SITUATION
        if concept_id(section.condition) not in known:
            yield section.where, f"chapter {section.condition!r} has no concept"
        elif concept_id(section.condition) not in conditions and section.title not in short:
            yield section.where, f"chapter {section.condition!r} needs a concept with the flag condition"
        written = (
            SENTENCE_END.split(section.text) if section.title != WARNING_SIGNS else ()
        )  # of signs, see triage_check
        for sentence in written:
            if len(sentence.split()) > LONGEST_SENTENCE:
                yield section.where, f"{section.condition}: {len(sentence.split())} words in {sentence[:60]!r}"
        if not section.text:
            yield section.where, f"{section.condition}: section {section.title!r} is empty"
    for concept, (name, where) in conditions.items():
        if titles[concept] != list(SECTIONS):
            missing = [title for title in SECTIONS if title not in titles[concept]]
            yield where, f"{name}: handbook sections missing or out of order; missing: {', '.join(missing) or 'none'}"


def _applicability_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    sentences = {
        (section.condition, section.title): frozenset(SENTENCE_END.split(section.text)) for section in starter.handbook
    }
    names = {row.name for row, _ in starter.concepts}
    covered: set[tuple[str, str]] = set()
    for row in starter.applicability:
        where = Line(f"{row.folder}/{row.file}", row.line)
        covered.add((row.chapter, row.sentence))
        if row.of_section:
            if row.section not in SECTIONS:
                yield where, f"{row.section!r} is no section of a chapter"
        elif row.sentence not in sentences.get((row.chapter, row.section), ()):
            yield where, f"{row.chapter}, {row.section}: the chapter has no sentence {row.sentence[:60]!r}"
        for need in (*(one for group in row.needs.all_of for one in group), *row.needs.none_of):
            if not _is_known(need, names) and row.folder != RED_FLAGS:
                yield where, f"{row.chapter}: '{need.kind}:{need.name}' names no concept"
    for symptom in sorted(symptom_chapters(starter)):
        for section in starter.handbook:
            if section.condition == symptom:
                for sentence in SENTENCE_END.split(section.text):
                    if (symptom, sentence) not in covered:
                        yield section.where, f"{symptom}: no row of applicability for {sentence[:60]!r}"


def _is_known(need: Need, names: set[str]) -> bool:
    return need.kind not in NAMED or need.kind == "relative" or need.name in names


def _symptom_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    for symptom in sorted(symptom_chapters(starter)):
        titles = {section.title for section in starter.handbook if section.condition == symptom}
        section = next(one for one in starter.handbook if one.condition == symptom)
        if missing := sorted(MUST_OF_A_SYMPTOM - titles):
            yield section.where, f"{symptom}: sections missing: {', '.join(missing)}"


def _told_under_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    conditions = {row.name for row, _ in starter.concepts if row.condition}
    chapters = symptom_chapters(starter) | conditions
    told = {row.name for row, _ in starter.concepts if row.category in TOLD}
    hospitals = {section.condition for section in starter.handbook if section.where.system == OWN_CHAPTERS}
    for row in starter.told_under:
        where = Line("told_under", row.line)
        if row.concept not in told:
            yield where, f"{row.concept!r} is no symptom or disease"
        if row.concept in chapters - hospitals:  # what a hospital wrote goes before the row
            yield where, f"{row.concept!r} has a chapter of its own"
        if row.chapter not in chapters:
            yield where, f"{row.chapter!r} is no symptom or condition with a chapter"


def main(
    folder: Annotated[Path, typer.Option("--folder")] = Path("assets/knowledge"),
    system: Annotated[str | None, typer.Option("--system", help="only breaches in files of this body system")] = None,
) -> None:
    """Print the breaches of the starter knowledge; the command for those who edit its files."""
    starter = read_starter(folder)
    found = [(w, what) for w, what in breaches(starter) if system in (None, w.system)]
    for where, what in found:
        print(f"{where.system}:{where.number}: {what}")
    print(
        f"{len(starter.concepts)} concepts, {len(starter.triples)} triples, {len(starter.doses)} doses, "
        f"{len({s.condition for s in starter.handbook})} chapters; {len(found)} breaches"
    )


if __name__ == "__main__":
    typer.run(main)
