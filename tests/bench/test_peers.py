"""Peers: the conversation with a driver, what is counted and what ends it; then the real tools.

A driver of a few lines, run by this Python, stands in for the tools. The tools themselves are
run when LIKEWISE_TEST_PEERS is 1, since each is first installed into an environment of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.bench.peers import PEERS, PeerRun, catalogue, environments, run_peer
from likewise.bench.peers.session import run_driver
from likewise.errors import MethodError, MissingExtra
from likewise.journal.pairs import Verdict
from likewise.simulation.oracles import FromLabels

DRIVERS = Path(catalogue.__file__).parent / "drivers"
TRUTH = [0, 0, 0, 1, 1, 1]
TRUTHFUL = FromLabels(TRUTH)

Converse = Callable[..., PeerRun]

HEAD = f"""
import os, subprocess, sys, time
sys.path.insert(0, {str(DRIVERS)!r})
from pipe import Pipe
pipe = Pipe()
n = len(pipe.problem()["X"])
def report_if_due(labels):
    if pipe.due:
        pipe.report(labels)
"""


@pytest.fixture
def talk(tmp_path: Path) -> Converse:
    """Converses with a driver whose body is given, about six items."""

    def start(
        body: str, oracle: Any = TRUTHFUL, checkpoints: Any = (0, 2, 4), time_limit: float = 60.0
    ) -> PeerRun:
        script = tmp_path / "driver.py"
        script.write_text(HEAD + textwrap.dedent(body))
        command = [sys.executable, str(script)]
        problem = {"X": [[0.0]] * len(TRUTH)}
        return run_driver(command, problem, oracle, checkpoints=checkpoints, time_limit=time_limit)

    return start


ASK_ALL = """
    print("what tools print must not disturb", flush=True)
    report_if_due([0] * n)
    for i in range(n):
        for j in range(i):
            pipe.ask(i, j)
            report_if_due(range(n))
    pipe.report([int(pipe.ask(0, j)) for j in range(n)], done=True)
"""


def test_labels_are_kept_at_the_checkpoints(talk: Converse) -> None:
    run = talk(ASK_ALL)
    assert (run.status, run.reason) == ("ok", "")
    assert [questions for questions, _, _ in run.rows] == [0, 2, 4]
    assert [labels.tolist() for _, labels, _ in run.rows] == [[0] * 6, [*range(6)], [*range(6)]]
    assert 0 < run.rows[0][2] <= run.rows[1][2] <= run.rows[2][2]


def test_answers_come_from_the_oracle(talk: Converse) -> None:
    run = talk(ASK_ALL, checkpoints=[1000])
    assert (run.status, run.reason) == ("ok", "had nothing left to ask after 15 questions")
    ((questions, labels, _),) = run.rows
    assert questions == 15
    assert lw.metrics.ari(TRUTH, labels) == 1.0


def test_repeated_pairs_and_items_against_themselves_are_free(talk: Converse) -> None:
    asked: list[tuple[int, int]] = []

    def oracle(i: int, j: int) -> bool:
        asked.append((i, j))
        return TRUTH[i] == TRUTH[j]

    body = """
        said = [pipe.ask(*pair) for pair in [(0, 1), (1, 0), (0, 1), (3, 3), (0, 3), (3, 0)]]
        assert said == [True, True, True, True, False, False], said
        report_if_due([0] * n)
    """
    run = talk(body, oracle, [2])
    assert (run.status, run.reason) == ("ok", "")
    assert asked == [(0, 1), (0, 3)]


def test_a_pair_asked_again_for_another_opinion_is_counted(tmp_path: Path) -> None:
    said = iter([True, False, True])
    script = tmp_path / "driver.py"
    body = """
        assert [pipe.ask(0, 1), pipe.ask(1, 0), pipe.ask(2, 2)] == [True, False, True]
        report_if_due([0] * n)
        pipe.ask(0, 1)
        report_if_due([1] * n)
    """
    script.write_text(HEAD + textwrap.dedent(body))
    run = run_driver(
        [sys.executable, str(script)], {"X": [[0.0]] * len(TRUTH)}, lambda i, j: next(said),
        checkpoints=[2, 3], time_limit=60, asks_again=True,
    )  # fmt: skip
    assert (run.status, run.reason) == ("ok", "")
    assert [(questions, labels[0]) for questions, labels, _ in run.rows] == [(2, 0), (3, 1)]


def test_a_tool_that_is_on_no_index_says_what_to_fetch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIKEWISE_CHECKOUTS", str(tmp_path))
    run = run_peer(
        "ncobras", [[0.0]] * 6, TRUTHFUL,
        n_clusters=None, checkpoints=[2], random_state=0, time_limit=5,
    )  # fmt: skip
    assert run.status == "failed"
    assert "fetch github.com/jonassoenen/noise_robust_cobras" in run.reason
    (tmp_path / "noise_robust_cobras").mkdir()
    assert PEERS["ncobras"].checkout == (tmp_path / "noise_robust_cobras").resolve()
    assert PEERS["cobras-ts"].checkout is None


def test_functions_of_a_script_are_replaced_and_no_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(DRIVERS))
    compiled = import_module("run_a3s_authors").compiled
    script = tmp_path / "script.py"
    script.write_text(
        "def query(i):\n    return 1\ndef other(i):\n    return query(i) + 1\nx = other(0)\n"
    )
    space: dict[str, Any] = {"mine": lambda i: 41}
    exec(compiled(script, {"query": "mine"}), space)
    assert space["x"] == 42


def test_unsure_is_passed_on_as_different(talk: Converse) -> None:
    body = "assert not pipe.ask(0, 1)\nassert pipe.due\nreport_if_due([0] * n)"
    assert talk(body, lambda i, j: Verdict.UNSURE, [1]).status == "ok"


def test_a_crash_is_a_result_and_keeps_the_rows(talk: Converse) -> None:
    run = talk("report_if_due([0] * n)\npipe.ask(0, 1)\nraise KeyError('no items left')")
    assert run.status == "failed"
    assert run.reason == "KeyError: 'no items left' (after 1 questions)"
    assert [row[0] for row in run.rows] == [0]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("os._exit(3)", "ended with code 3"),
        ("sys.stderr.write('out of luck\\n')\nos._exit(3)", "out of luck"),
        ("pipe._out.write('nonsense\\n'); pipe._out.flush(); time.sleep(60)", "no message"),
        ("pipe._send({'hm': 1}); time.sleep(60)", "'hm'"),
        ("pipe._send({'ask': [0, 6]}); time.sleep(60)", "no two items"),
        ("pipe._send({'ask': 'x'}); time.sleep(60)", "no two items"),
        ("pipe.report([0]); time.sleep(60)", "no labels for 6 items"),
        ("pipe._send({'labels': ['a'] * n}); time.sleep(60)", "no labels for 6 items"),
        ("for j in range(1, 6): pipe.ask(0, j)", "gave no labels after 4 questions"),
    ],
)
def test_a_driver_that_breaks_the_rules_has_failed(talk: Converse, body: str, reason: str) -> None:
    run = talk(body)
    assert run.status == "failed"
    assert reason in run.reason


def test_a_driver_that_cannot_start_has_failed() -> None:
    command = [sys.executable, "-c", "import no_such_package"]
    run = run_driver(command, {"X": [[0.0]]}, FromLabels([0]), checkpoints=[1], time_limit=5)
    assert run.status == "failed"
    assert "no_such_package" in run.reason


def test_the_time_limit_ends_the_driver_and_what_it_started(talk: Converse, tmp_path: Path) -> None:
    began = time.perf_counter()
    body = f"""
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
        open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
        report_if_due([0] * n)
        time.sleep(120)
    """
    run = talk(body, time_limit=2.0)
    assert time.perf_counter() - began < 30
    reason = "the time limit of 2 s was reached after 0 questions"
    assert (run.status, run.reason, len(run.rows)) == ("stopped", reason, 1)
    assert _has_ended(int((tmp_path / "pid").read_text()))


def _has_ended(pid: int) -> bool:
    command = ["ps", "-o", "stat=", "-p", str(pid)]
    for _ in range(100):
        state = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        if not state.strip() or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def test_asking_known_pairs_for_ever_is_stopped(talk: Converse) -> None:
    run = talk("while True:\n    pipe.ask(0, 1)")
    assert (run.status, run.reason) == ("stopped", "asked only known pairs after 1 questions")


def test_an_error_of_the_oracle_is_raised(talk: Converse) -> None:
    def oracle(i: int, j: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        talk("pipe.ask(0, 1)", oracle)


def run_on(name: str, X: Any, y: Any, checkpoints: list[int], k: int | None = None) -> PeerRun:
    """Run a peer with the settings all tests share."""
    return run_peer(
        name, X, FromLabels(y), n_clusters=k, checkpoints=checkpoints, random_state=0,
        time_limit=300.0,
    )  # fmt: skip


def test_wrong_arguments_are_told_at_once() -> None:
    X = np.zeros((6, 1))
    with pytest.raises(MethodError, match="choose one of asc:npu-pckmeans"):
        run_on("asc", X, TRUTH, [1])
    with pytest.raises(MethodError, match="give n_clusters"):
        run_on("skactiveml:quire", X, TRUTH, [1])
    with pytest.raises(MethodError, match="shape"):
        run_on("cobras-ts", X[0], TRUTH, [1])
    for wrong in ([], [-1, 5]):
        with pytest.raises(MethodError, match="checkpoints must be"):
            run_on("cobras-ts", X, TRUTH, wrong)


def test_every_peer_has_a_driver_and_pins_the_tool() -> None:
    for name, peer in PEERS.items():
        assert name == peer.name
        assert peer.driver.is_file()
        assert all(requirement.count("==") == 1 for requirement in peer.requirements)


def test_drivers_do_not_depend_on_likewise() -> None:
    assert all("likewise" not in path.read_text() for path in DRIVERS.glob("*.py"))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The commands that would have made environments, in an empty cache."""
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
    commands: list[list[str]] = []
    monkeypatch.setattr(environments, "_run", lambda command, _: commands.append(command))
    return commands


def test_an_environment_is_made_once_and_announced(
    commands: list[list[str]], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level("INFO")
    python = environments.ensure_environment("tool", ("a==1", "b==2"))
    assert python.is_relative_to(tmp_path / "peers")
    assert environments.ensure_environment("tool", ("b==2", "a==1")) == python
    assert [command[-2:] for command in commands[1:]] == [["a==1", "b==2"]]
    assert "making an environment for a==1, b==2" in caplog.text
    assert environments.ensure_environment("tool", ("a==1", "b==3")) != python


def test_half_an_environment_is_made_again(commands: list[list[str]]) -> None:
    folder = environments.environment_folder("tool", ("tool==1",))
    (folder / "rubbish").mkdir(parents=True)
    environments.ensure_environment("tool", ("tool==1",))
    assert len(commands) == 2
    assert not (folder / "rubbish").exists()
    assert os.listdir(folder.parent) == [folder.name]


@pytest.mark.usefixtures("commands")
def test_an_interrupted_environment_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupt(command: list[str], _: tuple[str, ...]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environments, "_run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        environments.ensure_environment("tool", ("tool==1",))
    assert os.listdir(tmp_path / "peers") == []


def test_what_cannot_be_installed_is_a_failed_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, requirements: tuple[str, ...]) -> Path:
        raise MissingExtra(f"{requirements[0]} cannot be installed")

    monkeypatch.setattr("likewise.bench.peers.session.ensure_environment", refuse)
    run = run_on("cobras-ts", np.zeros((6, 1)), TRUTH, [1])
    assert run == PeerRun([], "failed", "cobras-ts==0.1.3 cannot be installed")


def test_the_words_of_pip_are_passed_on() -> None:
    script = "import sys; sys.exit('ERROR: No matching distribution found')"
    with pytest.raises(MissingExtra, match=r"tool==1 cannot .*: ERROR: No"):
        environments._run([sys.executable, "-c", script], ("tool==1",))


with_peers = pytest.mark.skipif(
    os.environ.get("LIKEWISE_TEST_PEERS") != "1",
    reason="installs other people's tools; set LIKEWISE_TEST_PEERS=1 to run it",
)


@with_peers
@pytest.mark.slow
@pytest.mark.parametrize("name", [peer.name for peer in PEERS.values() if not peer.repository])
def test_a_peer_groups_iris_better_than_chance_and_repeats_itself(name: str) -> None:
    X, y = lw.datasets.load("iris")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    runs = [run_on(name, X, y, [0, 10], k=3) for _ in range(2)]
    assert [(run.status, run.reason) for run in runs] == [("ok", "")] * 2
    assert [row[0] for row in runs[0].rows] == [0, 10]
    assert lw.metrics.ari(y, runs[0].rows[-1][1]) > 0.4
    for one, other in zip(runs[0].rows, runs[1].rows, strict=True):
        np.testing.assert_array_equal(one[1], other[1])


@with_peers
@pytest.mark.slow
@pytest.mark.parametrize("name", ["asc:minmax-pckmeans", "asc:ffqs-pckmeans", "asc:npu-pckmeans"])
def test_a_peer_that_runs_out_of_items_ends_with_a_reason(name: str) -> None:
    run = run_on(name, np.array([[0.0, 0.1, 0.2, 9.0, 9.1, 9.2]]).T, TRUTH, [0, 1000], k=2)
    assert run.status in ("failed", "stopped")
    assert run.reason
