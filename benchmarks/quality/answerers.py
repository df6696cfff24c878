"""Several answerers who err: what is believed of them, beside votes counted beforehand.

Run with `python -m benchmarks answerers`; with --quick it takes iris alone, and its tables are
printed and not kept. LIKEWISE_DATA names the folder with the CSV files. All people are simulated,
and whoever is mistaken about a pair stays so. Every answer counts, also a
second one about the same pair. Settings were chosen on iris, wine and parkinsons, with other draws
of the people; means are of the other five sets. Rows are kept as they come: an experiment that was
ended goes on. What answers cost is `python -m benchmarks answerer_costs`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks import rows
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, with_best_bold, write_table
from likewise.bench.experiment import Task
from likewise.bench.peers.environments import ensure_environment
from likewise.journal.pairs import Verdict
from likewise.simulation.answerers import Simulated

LOOKED_AT = ("iris", "wine", "parkinsons")
SETS = (
    *LOOKED_AT, "breast_cancer_wdbc", "ionosphere", "shuttle_sample400", "segmentation_train210",
    "cho_yeast_genes",
)  # fmt: skip
Error = float | tuple[float, float]
PEOPLE: dict[str, tuple[Error, ...]] = {
    "three who err 15 %": (0.15,) * 3,
    "five, one of them a troll": (0.1, 0.1, 0.5, 0.1, 0.1),
    "three with biases": ((0.05, 0.35), (0.35, 0.05), 0.15),
    "ten, from 5 to 40 %": (0.4, 0.1, 0.35, 0.2, 0.3, 0.05, 0.15, 0.25, 0.1, 0.2),
}
WITHOUT_TROLL: dict[str, tuple[Error, ...]] = {"four of the five, no troll": (0.1,) * 4}
WAYS = ("likewise", "Dawid-Skene", "majority", "at their word")
DRAWN_ONCE = ("Dawid-Skene", "at their word")  # the one is slow, the other far behind
# crowd-kit takes half a second or more; between its judgements the latest pairs go by majority.
JUDGED_EVERY = 5  # pairs
CHECKPOINTS = (50, 100, 150, 210)
MOST_ITEMS = 150  # of a set, drawn at random: runs are many
VOTES = 3  # on a pair, for those who count votes beforehand
DRAWS = 3  # of the people, on the sets that were not looked at
CROWD_KIT = ("crowd-kit==1.4.2",)
FIRST_DRAW = 100  # settings were chosen on draws from 0 on
_DRIVER = Path(__file__).parent / "crowd_peers" / "run_crowdkit.py"
Labels = npt.NDArray[np.int64]
Vote = tuple[str, str, str]  # pair, person, verdict


def items_of(data: str) -> tuple[Any, Labels]:
    """Return the features and classes of a set, of a sample if it is large."""
    X, y = lw.datasets.load(data)
    chosen = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ITEMS])
    return X[chosen], y[chosen]


def crowd(errors: tuple[Error, ...], y: Labels, seed: int) -> list[Simulated]:
    """Return simulated people with these shares of errors."""
    return [
        Simulated(f"p{k}", y, error=error, random_state=FIRST_DRAW + seed)
        for k, error in enumerate(errors)
    ]


def curve(data: str, people: str, way: str, seed: int) -> dict[str, float]:
    """Return the ARI after each number of answers, and how many error rates were met."""
    X, y = items_of(data)
    if people == "one who is right":
        found = _alone(X, y, seed)
        return dict(zip(map(str, CHECKPOINTS), found, strict=True))
    answerers = crowd((PEOPLE | WITHOUT_TROLL)[people], y, seed)
    if way == "likewise":
        run = lw.run(
            X, answerers=answerers, budget=CHECKPOINTS[-1], checkpoints=CHECKPOINTS,
            random_state=seed,
        )  # fmt: skip
        aris = np.interp(CHECKPOINTS, run.curve.questions, run.curve.ari).tolist()
        return {**dict(zip(map(str, CHECKPOINTS), aris, strict=True)), **coverage(run, answerers)}
    n_votes = 1 if way == "at their word" else VOTES
    with _aggregator(way) as aggregate:
        aris = list(counted_beforehand(X, y, answerers, n_votes, aggregate, seed))
    return dict(zip(map(str, CHECKPOINTS), aris, strict=True))


def _alone(X: Any, y: Labels, seed: int) -> list[float]:
    """Return the ARI of a person who is always right, after a third of the answers."""
    third = [at // VOTES for at in CHECKPOINTS]
    oracle = lw.oracles.FromLabels(y)
    run = lw.run(X, oracle, budget=third[-1], checkpoints=third, random_state=seed)
    found: list[float] = np.interp(third, run.curve.questions, run.curve.ari).tolist()
    return found


def counted_beforehand(
    X: Any,
    y: Labels,
    people: list[Simulated],
    n_votes: int,
    aggregate: Callable[[list[Vote]], dict[str, str]],
    seed: int,
) -> Iterator[float]:
    """Yield the ARI after each number of answers, where a study is told verdicts on whole pairs.

    Every question goes to the next `n_votes` people in turn; verdicts that change as more votes
    come are taken back and told anew. `aggregate` judges all votes after every fifth pair and
    before each look; in between, the majority says what is told of a new pair.
    """
    study = lw.Study(X, random_state=seed)
    in_turn, votes = cycle(people), list[Vote]()
    told: dict[str, tuple[int, str]] = {}

    def tell(verdicts: dict[str, str]) -> None:
        for pair, verdict in verdicts.items():
            if pair in told and told[pair][1] == verdict:
                continue
            if pair in told:
                study.retract(told[pair][0])
            a, b = map(int, pair.split())
            told[pair] = study.tell((a, b), Verdict.of(verdict)).id, verdict

    for at in CHECKPOINTS:
        while len(votes) + n_votes <= at and (question := study.ask()) is not None:
            i, j = question.pair
            latest = [(f"{i} {j}", one.name, one(i, j).value) for one in islice(in_turn, n_votes)]
            votes += latest
            is_due = len(votes) // n_votes % JUDGED_EVERY == 0
            tell(aggregate(votes) if is_due else majority(latest))
        tell(aggregate(votes))
        yield lw.metrics.ari(y, study.labels_)


def majority(votes: list[Vote]) -> dict[str, str]:
    """Return what most have said about each pair; of a tie the first."""
    counted: dict[str, dict[str, int]] = {}
    for pair, _, verdict in votes:
        of_pair = counted.setdefault(pair, {})
        of_pair[verdict] = of_pair.get(verdict, 0) + 1
    return {pair: max(of_pair, key=of_pair.__getitem__) for pair, of_pair in counted.items()}


@contextmanager
def _aggregator(way: str) -> Iterator[Callable[[list[Vote]], dict[str, str]]]:
    if way != "Dawid-Skene":
        yield majority
        return
    python = ensure_environment("crowd-kit", CROWD_KIT)
    command = [str(python), str(_DRIVER)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sent, received = process.stdin, process.stdout

        def aggregate(votes: list[Vote]) -> dict[str, str]:
            sent.write(json.dumps(votes) + "\n")
            sent.flush()
            labels: dict[str, str] = json.loads(received.readline())
            return labels

        yield aggregate
        sent.close()


def coverage(run: lw.Run, people: list[Simulated]) -> dict[str, float]:
    """Return of how many people the share of errors to be expected lies between the bounds."""
    table, met = run.study.answerers_.set_index("who"), 0
    asked = [one for one in people if one.name in table.index]
    for one in asked:
        pairs = [answer.pair for answer in run.study.answers if answer.who == one.name]
        same = np.mean([one.labels[i] == one.labels[j] for i, j in pairs])
        both = one.error if isinstance(one.error, tuple) else (one.error, one.error)
        share = same * both[0] + (1 - same) * both[1]
        met += bool(table.low[one.name] <= share <= table.high[one.name])
    return {"met": met, "known": len(asked)}


def task_of(data: str, seed: int, **_: Any) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", data, seed, CHECKPOINTS)


def main() -> None:
    """Write the tables: ARI by number of answers, and how many error rates were met.

    With --quick those of iris alone are printed.
    """
    sets = SETS[:1] if rows.quick else SETS
    found = kept_rows("answerers", runs(sets), curve, task_of)
    others = found[~found["data"].isin(LOOKED_AT)]
    shown_of = found if others.empty else others
    keep("answerers", shown(shown_of))
    keep("answerers_ahead", ahead(shown_of))
    keep("answerers_sets", by_set(found))


def runs(sets: Sequence[str]) -> list[dict[str, Any]]:
    """Return what is run: every way once on every set, the quick ones several times on new sets."""
    single = [("one who is right", "likewise"), *((people, "likewise") for people in WITHOUT_TROLL)]
    ways = sorted(WAYS, key=lambda way: way == "Dawid-Skene")  # the slow one last
    return [
        {"data": data, "people": people, "way": way, "seed": seed}
        for way_, seed in product(ways, range(DRAWS))
        for data in sets
        for people, way in [*(single if way_ == "likewise" else ()), *product(PEOPLE, [way_])]
        if seed == 0 or (data not in LOOKED_AT and way not in DRAWN_ONCE)
    ]


def keep(name: str, text: str) -> None:
    """Keep a table; a quick one is printed instead."""
    if rows.quick:
        sys.stdout.write(f"\n{name}\n\n{text}")
    else:
        write_table(name, text)


def shown(found: pd.DataFrame) -> str:
    """Return a line per people and way: the mean ARI, the best of each people in bold."""
    columns = list(map(str, CHECKPOINTS))
    lines = []
    for people, part in found.groupby("people", sort=False):
        # Not all ways were drawn as often: every set counts once.
        of_sets = part.groupby(["way", "data"], sort=False)[columns].mean()
        means = of_sets.groupby("way", sort=False).mean()
        cells = [with_best_bold(means[at].tolist()) for at in columns]
        for place, way in enumerate(means.index):
            met, known = part[["met", "known"]][part["way"] == way].sum()
            ours = way == "likewise" and known > 0
            rates = f"{met:.0f} of {known:.0f}" if ours else ""
            lines.append([str(people), str(way), *(column[place] for column in cells), rates])
    header = ["people", "way", *(f"{at} answers" for at in columns), "error rates met"]
    return markdown(header, lines)


def ahead(found: pd.DataFrame) -> str:
    """Return by how much likewise is ahead of every other way, with the standard error of that.

    People are compared with themselves: the same draws on the same sets; the error is that over
    sets, since draws of one set are alike. Beside those who are counted, three who err are held
    against one who is right, and five with a troll against the other four.
    """
    columns, same = list(map(str, CHECKPOINTS)), ["data", "seed"]
    others = [(people, way, people, way) for people, way in product(PEOPLE, WAYS[1:])]
    others.append(("three who err 15 %", "one who is right", "one who is right", "likewise"))
    (without,) = WITHOUT_TROLL
    others.append(("five, one of them a troll", "without the troll", without, "likewise"))
    lines = []
    for people, name, other, way in others:
        ours, theirs = (
            found[(found["people"] == who) & (found["way"] == how)].set_index(same)[columns]
            for who, how in ((people, "likewise"), (other, way))
        )
        runs_ = (ours - theirs).dropna()
        if runs_.empty:
            continue
        gap = runs_.groupby("data").mean()
        error = gap.std() / np.sqrt(len(gap))
        spread = {at: f" ± {error[at]:.3f}" if len(gap) > 1 else "" for at in columns}
        cells = [f"{gap[at].mean():+.3f}{spread[at]}" for at in columns]
        lines.append([people, name, str(len(runs_)), *cells])
    header = ["people", "beside", "runs", *(f"{at} answers" for at in columns)]
    return markdown(header, lines)


def by_set(found: pd.DataFrame) -> str:
    """Return a line per set and people: the ARI of every way early on, and at the end."""
    lines, ends = [], (CHECKPOINTS[0], CHECKPOINTS[-1])
    several = found[found["people"].isin(PEOPLE)]
    for (data, people), part in several.groupby(["data", "people"], sort=False):
        means = part.groupby("way")[list(map(str, ends))].mean()
        cells = [
            cell
            for at in map(str, ends)
            for cell in with_best_bold(
                [float(means[at].get(way, np.nan)) for way in WAYS], digits=2
            )
        ]
        lines.append([str(data), str(people), *cells])
    return markdown(["set", "people", *(f"{way}, {at}" for at in ends for way in WAYS)], lines)
