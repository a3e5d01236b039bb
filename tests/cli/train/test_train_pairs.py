"""The commands that make pairs and look into them: what they write, print, and end with."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from backend.cli.program import run as run_command
from backend.errors import LeapnoteError
from backend.ingest.clinical_notes.note_pairs import Pair, read_pairs, write_pairs

SAMPLE = Path(__file__).parents[2] / "ingest" / "clinical_notes" / "mimic" / "mimic_sample" / "discharge.csv"


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """A command of this family, with the program's exit statuses."""

    def command(*arguments: object) -> Done:
        try:
            status, error = run_command(["pairs", *map(str, arguments)]), ""
        except typer.TyperException as wrong:
            status, error = wrong.exit_code, wrong.format_message()
        except LeapnoteError as known:
            status, error = known.exit_status, str(known)
        said = capsys.readouterr()
        return Done(status, said.out, said.err + error)

    return command


def test_mimic_writes_every_usable_note_and_says_what_it_skipped(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    done = run("mimic", "--from", SAMPLE, "--out", out, "--train", 0, "--test", 0)
    # the sample has 16 rows, 6 of them pairs (tests/ingest/clinical_notes/mimic/test_mimic_notes.py accounts for each)
    assert done.status == 0
    assert "read 16, kept 6, skipped 10" in done.out
    assert "6 pairs written" in done.out
    assert "6 train" in done.out
    assert len(list(read_pairs(out))) == 6
    assert "bytes of discharge.csv" in done.err


def test_mimic_splits_by_the_flags_and_prints_json(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    done = run(*("mimic", "--from", SAMPLE, "--out", out, "--json"), *("--train", 2, "--validation", 1, "--test", 1))
    report = json.loads(done.out)
    assert report["splits"] == {"test": 1, "train": 2, "validation": 1}
    assert report["report"]["kept"] == 4
    assert {pair.split for pair in read_pairs(out)} == {"train", "validation", "test"}


def test_mimic_di_keeps_the_splits_of_its_files_and_says_what_it_left_out(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    done = run("mimic-di", "--from", SAMPLE.parent / "instructions", "--out", out, "--train", 2, "--test", 1, "--json")
    report = json.loads(done.out)
    assert report["splits"] == {"test": 1, "train": 2} and report["report"]["skipped"]["no allergies"] == 1
    assert {pair.split for pair in read_pairs(out)} == {"train", "test"}
    assert run("check", out).status == 0
    few = run("mimic-di", "--from", SAMPLE.parent / "instructions", "--out", tmp_path / "few.jsonl")
    assert few.status == 2 and "Ask for fewer" in few.err and not (tmp_path / "few.jsonl").exists()


def test_too_few_notes_end_with_two_and_leave_no_file(run: Run, tmp_path: Path) -> None:
    done = run("mimic", "--from", SAMPLE, "--out", tmp_path / "pairs.jsonl")
    assert done.status == 2
    assert list(tmp_path.iterdir()) == []


def test_fewer_words_are_enough_where_the_flag_says_so(run: Run, tmp_path: Path) -> None:
    # row 15's instructions are "Take care. See", 3 words
    out = tmp_path / "pairs.jsonl"
    run("mimic", "--from", SAMPLE, "--out", out, "--train", 0, "--test", 0, "--minimum-words", 3)
    assert len(list(read_pairs(out))) == 7


def test_histories_that_tell_the_stay_are_dropped_on_request(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    run("mimic", "--from", SAMPLE, "--out", out, "--train", 0, "--test", 0)
    telling = [pair.pair_id for pair in read_pairs(out) if "hpi_tells_course" in pair.notices]
    assert telling
    done = run("mimic", "--from", SAMPLE, "--out", out, "--train", 0, "--test", 0, "--drop-course")
    assert "the history tells the stay" in done.out
    assert not set(telling) & {pair.pair_id for pair in read_pairs(out)}


def test_synthetic_pairs_of_one_seed_are_the_same_and_held_out_ones_are_for_testing(run: Run, tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl"))
    assert run("synthetic", "--n", 4, "--out", first).status == 0
    run("synthetic", "--n", 4, "--out", again)
    run("synthetic", "--n", 4, "--seed", 1, "--out", other)
    assert first.read_bytes() == again.read_bytes()
    assert first.read_bytes() != other.read_bytes()
    scenario = next(iter(read_pairs(first))).patient_id.rsplit("-", 1)[0]
    done = run("synthetic", "--n", 4, "--out", again, "--hold-out", scenario, "--json")
    assert json.loads(done.out)["held_out"] == [scenario]
    held = next(iter(read_pairs(again)))
    assert held.split == "test"
    assert "held_out_scenario" in held.notices
    both = ("--hold-out", scenario, "--hold-out", "gout-flare")
    assert json.loads(run("synthetic", "--n", 1, "--out", again, *both, "--json").out)["held_out"] == [
        scenario,
        "gout-flare",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--n", "0"), "Give --n 1 or more"),
        (("--n", "-3"), "greater than or equal to 0"),
        (("--n", "1", "--hold-out", "none-such"), "no scenario 'none-such'"),
    ],
)
def test_a_wrong_number_or_scenario_ends_with_two(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    done = run("synthetic", *arguments, "--out", tmp_path / "p.jsonl")
    assert done.status == 2
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_ends_with_two(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("synthetic", "--n", 1, "--out", tmp_path / "file" / "p.jsonl")
    assert done.status == 2
    assert "cannot be written" in done.err


def test_statistics_are_given_by_split(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    pairs = [Pair("1", "a", "train", "one two", "w w"), Pair("2", "b", "test", "one two three", "x y z w")]
    write_pairs(path, pairs)
    # words of the documents: 2 and 4, mean 3, standard deviation sqrt(((2-3)^2 + (4-3)^2) / 1) = 1.414;
    # types: 1 of 2 and 4 of 4, ratios 0.5 and 1, mean 0.75
    rows = {row["split"]: row for row in map(json.loads, run("statistics", path, "--json").out.splitlines())}
    assert set(rows) == {"all", "train", "test"}
    assert rows["all"]["patients"] == 2
    assert rows["all"]["documents"]["words_mean"] == 3
    assert rows["all"]["documents"]["words_sd"] == pytest.approx(2**0.5)
    assert rows["all"]["documents"]["ttr_mean"] == 0.75
    assert rows["train"]["documents"]["words_sd"] is None
    assert "type-token ratio 0.75" in run("statistics", path).out


def test_statistics_name_the_line_that_is_no_pair(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"note": "n", "text": "t"}\n{"note": "n"}\n')
    done = run("statistics", tmp_path / "p.jsonl")
    assert done.status == 2
    assert "line 2" in done.err


def test_check_of_a_sound_file_ends_with_nought(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write_pairs(path, [Pair("1", "a", "train", "n", "t", ("synthetic",)), Pair("2", "a", "train", "n", "t")])
    done = run("check", path)
    assert done.status == 0
    assert "2 pairs of 1 patients: 2 train; 0 faulty lines" in done.out
    assert "1 marked synthetic" in done.out


def test_check_names_every_faulty_line_and_patients_in_two_splits(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write_pairs(path, [Pair("1", "a", "train", "n", "t"), Pair("2", "a", "test", "n", "t")])
    path.write_text(path.read_text() + "{\n" + '{"id": "1", "note": "n", "text": "t"}\n')
    done = run("check", path)
    assert done.status == 2
    assert "line 3: it is no JSON" in done.out
    assert "line 4: it has the id '1' of line 1" in done.out
    assert "1 patients are in more than one split" in done.out
    report = json.loads(run("check", path, "--json").out)
    assert (report["pairs"], report["faulty_lines"], report["patients_in_two_splits"]) == (2, 2, 1)
    assert [fault["line"] for fault in report["faults"]] == [3, 4]
