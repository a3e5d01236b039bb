"""Reading the tables of safety: typed rows, and every mistake named with file and line."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import ConceptNames, ValueClause
from backend.knowledge.safety.rows.dose_rows import read_doses
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.implied import read_implied
from backend.knowledge.safety.rows.safety_facts import safety_facts
from backend.knowledge.safety.rows.safety_rows import read_safety_rows

NAMES = ConceptNames({
    "warfarin": ("LN:warfarin", "drug"), "NSAID": ("LN:nsaid", "drug_class"), "gout": ("LN:gout", "disease"),
    "INR": ("LN:inr", "test"), "chronic kidney disease": ("LN:ckd", "disease"), "hyperkalemia": ("LN:k", "disease"),
})  # fmt: skip
PAIRS = "one\tother\tgrade\teffect\twhen\tunless\n"
AGAINST = "medicine\tcondition\tgrade\treason\twhen\tunless\n"
DOSES = "drug\troute\tindication\twhen\tminimum\tmaximum\tunit\tperiod\tceiling\tnote\n"


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)


def test_rows_are_typed_and_know_their_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        "safety/interactions/a.tsv",
        "# a comment\n" + PAIRS + "warfarin\tNSAID\tavoid\tbleeding\teGFR<30\t-\n",
    )
    write(tmp_path, "safety/contraindications/a.tsv", AGAINST + "NSAID\tgout\tnever\t-\tpast counts\t-\n")
    write(
        tmp_path,
        "safety/monitoring.tsv",
        "medicine\tneeds\tgrade\treason\twhen\tunless\nwarfarin\tINR\tavoid\tdose\t-\t-\n",
    )
    write(
        tmp_path,
        "safety/untreated.tsv",
        "condition\tneeds\tgrade\treason\twhen\tunless\ngout\twarfarin|INR\tmonitor\tpain\tpast counts\t-\n",
    )
    rows = read_safety_rows(tmp_path, NAMES)
    (pair,), (against,), (need,), (missing,) = rows[:4]
    assert (pair.grade, pair.effect, pair.when) == (Grade.AVOID, "bleeding", (ValueClause("eGFR", "<", 30),))
    assert (pair.file, pair.line) == ("safety/interactions/a.tsv", 3)
    assert (against.reason, against.past_counts) == ("", True)
    assert need.needs == "LN:inr"
    assert (missing.condition, missing.needs, missing.past_counts) == ("LN:gout", ("LN:warfarin", "LN:inr"), True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("warfarin\tNSAID\tdreadful\tbleeding\t-\t-", "a.tsv:2: 'dreadful' is no grade"),
        ("warfarin\tgout\tavoid\tbleeding\t-\t-", "a.tsv:2: 'gout' is a disease"),
        ("warfarin\trhubarb\tavoid\tbleeding\t-\t-", "a.tsv:2: 'rhubarb' is the name of no concept"),
        ("warfarin\tNSAID\tavoid\t\t-\t-", "a.tsv:2 needs 6 filled cells"),
        ("warfarin\tNSAID\tavoid\tbleeding\tis:acute\t-", "no condition of its own"),
        ("warfarin\tNSAID\tavoid\tone\t-\t-\nNSAID\twarfarin\tnever\ttwo\t-\t-", "a.tsv:3 repeats .*a.tsv:2"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, line: str, message: str) -> None:
    write(tmp_path, "safety/interactions/a.tsv", PAIRS + line + "\n")
    with pytest.raises(KnowledgeError, match=message):
        read_safety_rows(tmp_path, NAMES)


def test_a_dose_row_holds_no_clause_that_asks_for_a_condition_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, "doses/a.tsv", DOSES + "warfarin\toral\t-\tis:acute\t1\t10\tmg\tday\t-\t-\n")
    with pytest.raises(KnowledgeError, match=r"a\.tsv:2: a dose has no condition of its own"):
        read_doses(tmp_path, NAMES)


@pytest.mark.parametrize(("cell", "message"), [("stone", "use one of the units"), ("mg", "is no route")])
def test_units_and_routes_are_closed(tmp_path: Path, cell: str, message: str) -> None:
    route = "by owl" if cell == "mg" else "oral"
    write(tmp_path, "doses/a.tsv", DOSES + f"warfarin\t{route}\t-\t-\t1\t10\t{cell}\tday\t-\t-\n")
    with pytest.raises(KnowledgeError, match=message):
        read_doses(tmp_path, NAMES)


def test_the_graph_s_facts_are_made_of_the_rows(tmp_path: Path) -> None:
    write(tmp_path, "safety/interactions/a.tsv", PAIRS + "warfarin\tNSAID\tnever\tbleeding\t-\t-\n")
    write(
        tmp_path, "safety/contraindications/a.tsv",
        AGAINST + "NSAID\tgout\tavoid\tpain\teGFR<30\t-\nwarfarin\tgout\tmonitor\tdose must be changed: less\t-\t-\n",
    )  # fmt: skip
    write(tmp_path, "doses/a.tsv", DOSES + "warfarin\toral\t-\teGFR<30\t1\t5\tmg\tday\t-\t-\n")
    facts = safety_facts(read_safety_rows(tmp_path, NAMES), read_doses(tmp_path, NAMES), NAMES)
    assert [tuple(fact.triple) for fact in facts] == [
        ("LN:warfarin", "interacts_with", "LN:nsaid", "bleeding, do not combine"),
        ("LN:nsaid", "contraindicated_with", "LN:gout", "eGFR<30"),
        ("LN:warfarin", "dose_adjusted_in", "LN:gout", "less"),
        ("LN:warfarin", "dose_adjusted_in", "LN:ckd", "eGFR<30"),
    ]


def test_what_values_mean_is_read_with_what_it_ends(tmp_path: Path) -> None:
    write(tmp_path, "safety/implied.tsv", "when\tmeans\tends\tvalue\npotassium>=5.5\thyperkalemia\tgout\teGFR=10\n")
    (row,) = read_implied(tmp_path, NAMES)
    assert (row.means, row.ends, row.value, row.number) == (("LN:k",), ("LN:gout",), "eGFR", 10.0)
    write(tmp_path, "safety/implied.tsv", "when\tmeans\tends\tvalue\npotassium>=5.5\t-\t-\trhubarb=3\n")
    with pytest.raises(KnowledgeError, match=r"implied\.tsv:2: 'rhubarb=3' is no value"):
        read_implied(tmp_path, NAMES)
