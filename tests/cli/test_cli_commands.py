"""The commands, entered by the door that a shell uses."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import likewise as lw
from likewise.cli.app import app

MAILS = """\
id,sender,subject,size,folder
m1,anna,Invoice for March,12,in
m2,anna,Invoice for April,14,in
m3,bob,Lunch on Friday?,2,in
m4,carl,[bold]Lunch[/bold] again,3,in
m5,bob,Invoice overdue,11,in
m6,dora,Holiday pictures,950,in
m7,emil,Holiday pictures from the lake,870,in
m8,carl,Lunch on Monday?,3,in
"""


@pytest.fixture
def mails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of mails in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("mails.csv").write_text(MAILS)
    return Path("mails.csv")


def likewise(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def complaint(*words: str) -> str:
    """The sentence with which a command is refused."""
    result = likewise(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stderr.startswith("likewise: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def questions(output: str) -> list[str]:
    """The lines that name the two rows of each question."""
    return [line.split("  and ")[0].rstrip() for line in output.splitlines() if " id m" in line]


# -- methods, version, help --------------------------------------------------------------------


def test_every_method_is_listed() -> None:
    result = likewise("methods")
    assert result.exit_code == 0
    for name in lw.METHODS:
        assert name in result.stdout


def test_methods_as_json_carry_summary_and_reference() -> None:
    listed = json.loads(likewise("methods", "--json").stdout)
    assert [entry["name"] for entry in listed] == list(lw.METHODS)
    assert all(set(entry) == {"name", "summary", "reference"} for entry in listed)


def test_the_version_is_the_library_s() -> None:
    assert likewise("--version").stdout == f"likewise {lw.__version__}\n"


def test_an_unknown_command_is_a_usage_error() -> None:
    assert likewise("frobnicate").exit_code == 2


def test_asking_for_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, likewise.cli.app;"
        "print([m for m in ('numpy', 'pandas', 'sklearn', 'scipy') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.stdout == "[]\n"


# -- demo --------------------------------------------------------------------------------------


def test_the_simulated_demo_tells_what_a_run_would() -> None:
    result = likewise("demo", "--simulate", "--items", "60", "--budget", "25", "--seed", "3")
    assert result.exit_code == 0
    X, y = lw.datasets.load("digits")
    chosen = np.sort(np.random.default_rng(3).choice(len(y), 60, replace=False))
    run = lw.run(X[chosen], lw.oracles.FromLabels(y[chosen]), budget=25, random_state=3)
    groups, before, after = len(set(run.labels_)), run.curve.ari.iloc[0], run.curve.ari.iloc[-1]
    *progress, last = result.stdout.splitlines()
    assert [line.split()[0] for line in progress] == ["10", "20"]
    assert last == (
        f"25 answers, {groups} groups found, ARI {after:.2f} ({before:.2f} before the first answer)"
    )


def test_the_simulated_demo_stops_when_all_is_known() -> None:
    result = likewise("demo", "--simulate", "--items", "5", "--budget", "50")
    assert result.exit_code == 0
    assert "ARI 1.00" in result.stdout


def test_the_demo_can_be_answered_by_lines() -> None:
    result = likewise("demo", "--terminal", "--items", "40", typed="s\nd\nu\nbogus\n?\nunsure\nq\n")
    assert result.exit_code == 0
    assert "Question 3 of 100" in result.stdout
    assert "Taken back: different." in result.stdout
    assert "Please answer same, different or unsure" in result.stdout
    assert "take back the last answer" in result.stdout
    assert "2 answers made " in result.stdout


def test_a_saved_demo_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("demo", "--terminal", "--items", "40", "--save", str(tmp_path / "digits.jsonl"))
    first = likewise(*words, typed="s\nd\n")
    again = likewise(*words)
    assert first.exit_code == again.exit_code == 0
    assert "2 answers so far." in again.stdout
    left_open = first.stdout.split("Question 3 of 100")[1]
    assert again.stdout.split("Question 3 of 102")[1] == left_open


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--budget", "0"), "--budget must be at least 1 answer but got 0"),
        (("--items", "1"), "--items must be between 2 and 1797 but got 1"),
        (("--items", "5000"), "--items must be between 2 and 1797 but got 5000"),
        (("--seed", "-1"), "--seed must not be negative but got -1"),
        (("--method", "urasque"), "there is no method 'urasque'; did you mean 'urasc'?"),
        (("--clusters", "0"), "n_clusters must be between 1 and"),
        (("--clusters", "9-3"), "a range of n_clusters must be two whole numbers from 1 to"),
        (("--save", "digits.txt"), "must end in .jsonl"),
    ],
)
def test_the_demo_refuses_with_a_sentence(words: tuple[str, ...], said: str) -> None:
    assert said in complaint("demo", "--simulate", *words)


def test_what_is_no_number_of_groups_is_refused_with_a_sentence() -> None:
    result = likewise("demo", "--simulate", "--clusters", "many")
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", " ").split())
    assert "'many' is no number of groups; give one, like 3, or a range, like 5-20" in said


# -- answer ------------------------------------------------------------------------------------


def test_answers_are_kept_beside_the_table(mails: Path) -> None:
    result = likewise("answer", "mails.csv", typed="d\nn\ns\n")
    assert result.exit_code == 0
    journal = Path("mails.likewise.jsonl").read_text().splitlines()
    said = [json.loads(line)["verdict"] for line in journal[1:]]
    assert said == ["different", "unsure", "same"]
    assert "compared by sender, subject, size, folder; they are named by id." in result.stdout
    assert "likewise answer mails.csv   goes on" in result.stdout


def test_resuming_asks_the_question_that_was_left_open(mails: Path) -> None:
    first = likewise("answer", "mails.csv", typed="d\nd\ns\n")
    again = likewise("answer", "mails.csv")
    assert "3 answers so far." in again.stdout
    assert questions(again.stdout) == questions(first.stdout)[-1:]


def test_undo_reaches_back_into_earlier_sittings(mails: Path) -> None:
    first = likewise("answer", "mails.csv", typed="d\nd\n")
    again = likewise("answer", "mails.csv", typed="u\nbackspace\nu\n")
    assert questions(again.stdout)[1:3] == questions(first.stdout)[1::-1]
    assert "There is no answer to take back." in again.stdout
    assert "0 answers in all" in again.stdout


def test_a_budget_ends_the_sitting(mails: Path) -> None:
    result = likewise("answer", "mails.csv", "--budget", "2", typed="d\nd\nd\nd\n")
    assert result.exit_code == 0
    assert "That was the last answer of this sitting." in result.stdout
    assert "2 answers in all" in result.stdout


def test_it_says_when_nothing_is_left_to_ask(mails: Path) -> None:
    done = likewise("answer", "mails.csv", typed="s\n" * 20)
    assert done.exit_code == 0
    assert "Nothing is left to ask." in done.stdout
    assert "7 answers in all made " in done.stdout
    again = likewise("answer", "mails.csv")
    assert again.exit_code == 0
    assert "Nothing is left to ask." in again.stdout


def test_pairs_nobody_was_sure_about_are_not_called_settled(mails: Path) -> None:
    Path("two.csv").write_text("a\n1\n2\n")
    result = likewise("answer", "two.csv", typed="n\n")
    assert "Nothing is left to ask, except what you were not sure about." in result.stdout


def test_what_a_table_holds_is_never_taken_for_instructions(mails: Path) -> None:
    Path("odd.csv").write_text("a\x1b[31m,b\n[red]x[/red],\x1b[2Jy\n:smile:,z\u202e\n")
    result = likewise("answer", "odd.csv")
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    for shown in ("[red]x[/red]", ":smile:", "�[2Jy", "a�[31m"):
        assert shown in result.stdout


def test_rows_can_be_named_by_any_column_and_columns_left_out(mails: Path) -> None:
    words = ("mails.csv", "--id", "subject", "--drop", "folder", "--drop", "size")
    result = likewise("answer", *words, typed="d\n")
    assert "compared by id, sender; they are named by subject." in result.stdout
    assert "likewise labels mails.csv --drop folder --drop size --id subject" in result.stdout
    ids = [row["id"] for row in csv.DictReader(likewise("labels", *words).stdout.splitlines())]
    assert ids[0] == "Invoice for March"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--method", "ffqs"), "begun with --method auto, not ffqs"),
        (("--clusters", "3"), "begun without --clusters, not 3"),
        (("--clusters", "3-5"), "begun without --clusters, not 3-5"),
        (("--seed", "5"), "begun with --seed 0, not 5"),
        (("--drop", "size"), "the journal belongs to 8 other items than the 8 given"),
    ],
)
def test_a_study_cannot_be_changed_midway(mails: Path, words: tuple[str, ...], said: str) -> None:
    likewise("answer", "mails.csv", typed="d\n")
    assert said in complaint("answer", "mails.csv", *words)


def test_settings_repeated_when_resuming_are_welcome(mails: Path) -> None:
    words = ("answer", "mails.csv", "--method", "ffqs", "--clusters", "3", "--seed", "5")
    assert likewise(*words, typed="d\n").exit_code == 0
    assert "1 answer so far." in likewise(*words).stdout


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (None, (), "there is no file t.csv"),
        ("", (), "t.csv is empty"),
        ("a,b\n", (), "at least 2 items but got 0"),
        ("a,b\n1,2\n", (), "at least 2 items but got 1"),
        ("a,b\n1,2\n3,4\n", ("--drop", "c"), "no column 'c'; its columns are a, b"),
        ("a,b\n1,2\n3,4\n", ("--id", "c"), "no column 'c'; its columns are a, b"),
        ("a,b\n1,2\n3,4\n", ("--drop", "a", "--drop", "b"), "no column left"),
        ("a,b\n1,2\n3,4\n", ("--budget", "0"), "--budget must be at least 1"),
        ("a,b\n1,2\n3,4\n", ("--method", "nonsense"), "there is no method 'nonsense'"),
        ("a,b\n1,2\n3,4\n", ("--clusters", "7"), "n_clusters must be between 1 and"),
        ('a,b\n1,"2\n3,4\n', (), "cannot be read as CSV"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str | None,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("t.csv").write_text(content)
    assert said in complaint("answer", "t.csv", *words)
    assert not Path("t.likewise.jsonl").exists()


def test_a_damaged_journal_is_named_by_its_line(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="d\nd\nd\n")
    journal = Path("mails.likewise.jsonl")
    lines = journal.read_text().splitlines()
    lines[2] = lines[2][:20]
    journal.write_text("\n".join(lines) + "\n")
    for command in ("answer", "labels", "status"):
        assert "mails.likewise.jsonl, line 3," in complaint(command, "mails.csv")


def test_a_journal_without_a_whole_line_is_begun_anew(mails: Path) -> None:
    Path("mails.likewise.jsonl").write_text('{"event": "opened", "for')
    assert likewise("answer", "mails.csv", typed="d\n").exit_code == 0
    assert "1 answer so far." in likewise("answer", "mails.csv").stdout


def test_the_installed_program_answers_errors_without_a_traceback(mails: Path) -> None:
    code = "import sys; from likewise.cli import main; sys.argv = sys.argv[:1] + {!r}; main()"
    words = ["answer", "nowhere.csv"]
    run = subprocess.run([sys.executable, "-c", code.format(words)], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr == "likewise: there is no file nowhere.csv; check the name\n"


# -- labels and status -------------------------------------------------------------------------


def test_labels_hold_every_row_by_its_own_name(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="d\nd\ns\n")
    result = likewise("labels", "mails.csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["id"] for row in rows] == [f"m{k}" for k in range(1, 9)]
    assert all(row["group"].isdigit() for row in rows)
    assert all(0 <= float(row["confidence"]) <= 1 for row in rows)


def test_labels_are_the_same_in_a_file_and_as_json(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="d\nd\ns\n")
    printed = likewise("labels", "mails.csv").stdout
    written = likewise("labels", "mails.csv", "--out", "groups.csv")
    assert written.stdout == ""
    assert Path("groups.csv").read_text() == printed
    as_json = json.loads(likewise("labels", "mails.csv", "--json").stdout)
    as_csv = list(csv.DictReader(printed.splitlines()))
    assert [{k: str(v) for k, v in row.items()} for row in as_json] == as_csv


@pytest.mark.parametrize("target", ["mails.csv", "mails.likewise.jsonl", "no/such/folder.csv"])
def test_labels_never_overwrite_what_they_are_made_from(mails: Path, target: str) -> None:
    likewise("answer", "mails.csv", typed="d\n")
    complaint("labels", "mails.csv", "--out", target)
    assert Path("mails.csv").read_text() == MAILS
    assert likewise("status", "mails.csv").exit_code == 0


@pytest.mark.parametrize("command", ["labels", "status"])
def test_before_the_first_answer_they_say_how_to_begin(mails: Path, command: str) -> None:
    assert "begin with: likewise start mails.csv" in complaint(command, "mails.csv")


def test_status_counts_answers_groups_and_inferred_pairs(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="s\ns\nd\nn\n")
    facts = json.loads(likewise("status", "mails.csv", "--json").stdout)
    assert (facts["answers"], facts["same"], facts["different"], facts["unsure"]) == (4, 2, 1, 1)
    assert sum(facts["groups"]) == facts["items"] == 8
    # Four placed items make six pairs, three of which somebody answered.
    assert (facts["placed"], facts["inferred_pairs"]) == (4, 3)
    shown = likewise("status", "mails.csv").stdout
    assert "4: 2 same, 1 different, 1 not sure" in shown
    assert "3 pairs that nobody had to answer" in shown
    assert "none" in shown


def test_status_tells_disputes_by_the_rows_own_names(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="q\n")
    study = lw.Study.open("mails.likewise.jsonl", lw.load_items("mails.csv"))
    study.tell((0, 1), "same")
    study.tell((1, 2), "same")
    study.tell((0, 2), "different")
    (dispute,) = json.loads(likewise("status", "mails.csv", "--json").stdout)["disputes"]
    assert dispute.startswith("answer 2 (m1 ≠ m3) contradicts answer 0 (m1 = m2), answer 1 (m2 =")
    assert "m1 ≠ m3" in likewise("status", "mails.csv").stdout


def test_a_disputed_answer_can_be_taken_back_by_its_number(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="q\n")
    study = lw.Study.open("mails.likewise.jsonl", lw.load_items("mails.csv"))
    for pair, said in [((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different")]:
        study.tell(pair, lw.Verdict(said))
    assert "0 disputes" in likewise("retract", "mails.csv", "1").stdout
    assert json.loads(likewise("status", "mails.csv", "--json").stdout)["answers"] == 2
    assert "no answer 7" in complaint("retract", "mails.csv", "7")


def test_a_forced_merge_is_undone_by_the_command(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="q\n")
    study = lw.Study.open("mails.likewise.jsonl", lw.load_items("mails.csv"))
    study.tell((0, 1), "different")
    likewise("merge", "mails.csv", "m1", "m2", "--force")
    said = likewise("undo", "mails.csv").stdout
    assert "1 earlier answer stands again" in said
    study.refresh()
    assert [str(answer) for answer in study.answers] == ["#0: 0 ≠ 1"]
    assert "no answer to take back" in complaint("undo", "mails.csv", "--who", "ann")


def test_status_says_how_many_answers_were_foreseen(mails: Path) -> None:
    likewise("answer", "mails.csv", typed="s\nd\nd\nq\n")
    share = json.loads(likewise("status", "mails.csv", "--json").stdout)["recently_as_predicted"]
    assert 0 <= share <= 1
    assert "of the latest answers" in likewise("status", "mails.csv").stdout
