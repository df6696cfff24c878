"""Stopping advice against the truth: the share of items that are right, and what answers bring.

Run with `python -m benchmarks advice`; LIKEWISE_DATA must name a folder with the data sets below.
Studies are simulated, of the default method with each kind of question; after every 20 replies the
evidence is kept beside what is true. Then the
coefficients of the advice are learned on all data sets but one and tried on that one, for each in
turn: what the table shows was predicted for data that nothing was learned from. The default method
and the others have coefficients of their own. Printed last are those learned from all data sets,
which `likewise.quality.advice.coefficients_of` should return. Simulated studies are kept in
results/advice; delete that folder to carry them out again.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from itertools import product
from time import perf_counter

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

import likewise as lw
from benchmarks.generated_piles import GeneratedPile
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.quality import advise
from likewise.quality.advice import (
    NEXT,
    Coefficients,
    Estimate,
    estimated,
    expected_gain,
    log_odds,
    prospects,
)
from likewise.quality.evidence import Evidence
from likewise.study.question_kinds import AnyQuestion

DATA = (
    "iris", "wine", "sonar", "glass", "parkinsons", "ionosphere", "segmentation_train210",
    "cho_yeast_genes", "leaf_uci", "bupa_liver", "aqm-simulation", "breast_cancer", "digits",
    "meu_mobile_9users",
)  # fmt: skip
# Piles of every kind, none of those that the advice is tried on by `quality.fuzz`.
GENERATED = tuple(f"generated {seed}" for seed in range(1000, 1040))
SOME = GENERATED[::4]  # of which what is best is asked, too
METHODS = ("auto", "urasc", "random-items")
KINDS = ("pair", "place", "best")  # that the default method asks; the others ask pairs
BUDGET, STEP, MOST_ITEMS = 120, 20, 400  # replies, replies, items
SHOWN = (40, 100)
LEAST_OPEN = 0.02  # share of the items: where all but a few are placed there is nothing to estimate
COVERED = 0.9  # how often the truth shall lie within the interval


@dataclass(frozen=True)
class Moment:
    """A study after some answers: what it knows, and what is true."""

    data: str
    method: str
    kind: str
    replies: int
    seen: Evidence
    right: float
    gain: float | None  # of the next answers; None where the study ended before


def moments(data: str, method: str, seed: int, kind: str = "pair") -> list[Moment]:
    """Return a simulated study, looked at every so many answers; kept, since it takes its time."""
    kept = RESULTS / "advice" / f"{data}-{method}-{kind}-{seed}.json"
    if kept.exists():
        return [
            Moment(**{**one, "seen": Evidence(**one["seen"])})
            for one in json.loads(kept.read_text())
        ]
    began = perf_counter()
    found = simulated(data, method, seed, kind)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([asdict(one) for one in found]))
    sys.stderr.write(f"{data} {method} {kind}: {perf_counter() - began:.0f} s\n")
    return found


def loaded(data: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return a data set, or a generated pile."""
    name, _, seed = data.partition(" ")
    if name != "generated":
        return lw.datasets.load(data)
    return GeneratedPile.of(int(seed)).draw()


def simulated(data: str, method: str, seed: int, kind: str) -> list[Moment]:
    """Return the same, carried out now."""
    X, truth = loaded(data)
    rng = np.random.default_rng(seed)
    if len(X) > MOST_ITEMS:
        some = rng.choice(len(X), MOST_ITEMS, replace=False)
        X, truth = X[some], truth[some]
    study = lw.Study(X, method=method, random_state=seed)
    seen: dict[int, tuple[Evidence, float]] = {}
    for n_replies in range(1, BUDGET + 1):
        question = study.ask(kind=kind)
        if question is None:
            break
        reply(study, question, truth)
        if n_replies % STEP == 0:
            wrong = lw.metrics.misclustering_error(truth, study.labels_)
            seen[n_replies] = Evidence.of(study), 1 - wrong
    at = [evidence.n_answers for evidence, _ in seen.values()]
    rights = [right for _, right in seen.values()]
    return [
        Moment(
            data,
            method,
            kind,
            n_replies,
            evidence,
            right,
            float(np.interp(evidence.n_answers + NEXT, at, rights)) - right
            if evidence.n_answers + NEXT <= at[-1]
            else None,
        )
        for n_replies, (evidence, right) in seen.items()
        if evidence.open_share > 0
    ]


def reply(study: lw.Study, question: AnyQuestion, truth: npt.NDArray[np.int64]) -> None:
    """Answer a question of any kind, as it is."""
    match question:
        case PlaceQuestion():
            study.tell(question, group_of(question, question.item, truth))
        case SheetQuestion():
            first = question.items[0]
            belong = [item for item in question.items if truth[item] == truth[first]]
            group = group_of(question, first, truth) if question.members else None
            study.tell(question, belong, group=group)
        case _:
            i, j = question.pair
            study.tell(question, bool(truth[i] == truth[j]))


def group_of(
    question: PlaceQuestion | SheetQuestion, item: int, truth: npt.NDArray[np.int64]
) -> int | str:
    """Return to which of the groups that are offered an item belongs."""
    offered = zip(question.groups, question.members, strict=True)
    return next((group for group, member in offered if truth[member] == truth[item]), "new")


def learned(known: list[Moment]) -> Coefficients:
    """Return the coefficients that suit these moments best, by least squares.

    The constant is moved so that shares told are right on average: a mean of log odds is not that
    of shares. The interval is as wide as the estimates are off for data sets that were left out in
    turn.
    """
    residuals = [
        residual
        for data in dict.fromkeys(m.data for m in known)
        for residual in _odds_of([m for m in known if m.data == data])
        - _evidence_of([m for m in known if m.data == data])
        @ _fitted([m for m in known if m.data != data])
    ]
    low, high = np.quantile(residuals, [(1 - COVERED) / 2, (1 + COVERED) / 2])
    weights = _named(_fitted(known))
    shift = _too_hopeful(known)
    weights["constant"] -= shift
    ends = {"low": float(low) + shift, "high": float(high) + shift}
    by = Coefficients(**weights, **ends, placing=0.0, learning=0.0)
    ahead = [m for m in known if m.gain is not None]
    wrong = np.array([1 - _right(m, by) for m in ahead])[:, None]
    placing, learning = _least_squares(
        wrong * np.array([prospects(m.seen) for m in ahead]),
        np.array([m.gain for m in ahead], dtype=np.float64),
    )
    return Coefficients(**{**asdict(by), "placing": placing, "learning": learning})


@dataclass(frozen=True)
class Tried:
    """What was predicted for data that nothing was learned from, beside what came."""

    moment: Moment
    estimate: Estimate
    gain: float

    def row(self) -> list[str]:
        """Return the line of the table."""
        seen, told = self.moment.seen, self.estimate
        return [
            self.moment.data,
            self.moment.kind,
            str(seen.n_items),
            str(self.moment.replies),
            f"{told.right:.0%} ({told.low:.0%} to {told.high:.0%})",
            f"{self.moment.right:.0%}",
            f"{self.gain:+.1%}",
            "" if self.moment.gain is None else f"{self.moment.gain:+.1%}",
        ]


def main() -> None:
    """Write a row per data set and number of answers, then how far off the advice is."""
    studies = [*product(DATA, KINDS), *product(GENERATED, KINDS[:1]), *product(SOME, KINDS[2:])]
    default = [
        m
        for data, kind in studies
        for m in moments(data, METHODS[0], seed=0, kind=kind)
        if m.seen.open_share > LEAST_OPEN
    ]
    others = [m for data in DATA for method in METHODS[1:] for m in moments(data, method, seed=0)]
    mine, theirs = tried_in_turn(default), tried_in_turn(others)
    header = [
        "data",
        "kind",
        "items",
        "answers",
        "expected right",
        "right",
        "expected gain",
        "gain",
    ]
    rows = [one.row() for one in mine if one.moment.replies in SHOWN and one.moment.data in DATA]
    write_table("advice", markdown(header, rows))
    tables, piles = ([one for one in mine if (one.moment.data in DATA) == real] for real in (1, 0))
    columns = [summarised(some) for some in (mine, tables, piles, theirs)]
    lines = [[row[0][0], *(value for _, value in row)] for row in zip(*columns, strict=True)]
    lines += [[name, value, "", "", ""] for name, value in speed()]
    heads = ["", METHODS[0], "data sets", "generated piles", " and ".join(METHODS[1:])]
    write_table("advice_summary", markdown(heads, lines))
    sys.stderr.write(f"learned from {METHODS[0]}: {learned(default)}\n")
    sys.stderr.write(f"learned from the others: {learned(others)}\n")


def tried_in_turn(known: list[Moment]) -> list[Tried]:
    """Return every data set by what the others teach."""
    tried = []
    for data in dict.fromkeys(m.data for m in known):
        by = learned([m for m in known if m.data != data])
        for moment in (m for m in known if m.data == data):
            estimate = estimated(moment.seen, by)
            assert estimate is not None
            gain = expected_gain(moment.seen, estimate.right, by)
            tried.append(Tried(moment, estimate, gain))
    return tried


def summarised(tried: list[Tried]) -> list[tuple[str, str]]:
    """Return how far off the predictions are."""
    off = np.array([one.estimate.right - one.moment.right for one in tried])
    gains = np.array([one.gain - one.moment.gain for one in tried if one.moment.gain is not None])
    inside = [one.estimate.low <= one.moment.right <= one.estimate.high for one in tried]
    return [
        ("expected share off by, mean", f"{np.abs(off).mean():.3f}"),
        ("expected share too high by, mean", f"{off.mean():+.3f}"),
        ("share within the interval", f"{np.mean(inside):.0%}"),
        ("expected gain off by, mean", f"{np.abs(gains).mean():.3f}"),
        ("expected gain too high by, mean", f"{gains.mean():+.3f}"),
        ("moments", str(len(tried))),
    ]


def speed(n: int = 10_000) -> list[tuple[str, str]]:
    """Return what advice costs at many items, beside the fit that precedes it."""
    X, truth = lw.datasets.load("blobs", n=n, n_clusters=8, spread=2.0, random_state=0)
    study = lw.Study(X, method="ffqs")
    for _ in range(60):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    began = perf_counter()
    study.labels_  # noqa: B018 - fits
    fitted = perf_counter()
    advise(study)
    done = perf_counter()
    took, fit = done - fitted, fitted - began
    return [(f"advice at {n} items, against one fit", f"{took / fit:.3f} ({1000 * took:.0f} ms)")]


def _evidence_of(known: list[Moment]) -> npt.NDArray[np.float64]:
    """Return what counts: of the default method how sure it is, of others what can be seen."""
    if known[0].method == METHODS[0]:
        return np.array(
            [[1.0, log_odds(m.seen.confidence), m.seen.log_answers_per_group] for m in known]
        )
    return np.array(
        [[1.0, log_odds(m.seen.neighbours), log_odds(m.seen.agreement), m.seen.pace] for m in known]
    )


def _odds_of(known: list[Moment]) -> npt.NDArray[np.float64]:
    """Return the log odds that an item which no answer has placed is right."""
    return np.array([log_odds(1 - (1 - m.right) / m.seen.open_share) for m in known])


def _fitted(known: list[Moment]) -> npt.NDArray[np.float64]:
    return np.array(_least_squares(_evidence_of(known), _odds_of(known)))


def _too_hopeful(known: list[Moment]) -> float:
    """Return by how much the log odds are to be lowered so that shares are right on average."""
    odds = _evidence_of(known) @ _fitted(known)
    open_share = np.array([m.seen.open_share for m in known])
    right = np.mean([m.right for m in known])

    def too_high(shift: float) -> float:
        return float(np.mean(1 - open_share / (1 + np.exp(odds - shift))) - right)

    return float(brentq(too_high, -5.0, 5.0))


def _named(weights: npt.NDArray[np.float64]) -> dict[str, float]:
    """Return the weights of the evidence by the names that coefficients have."""
    names: tuple[str, ...] = ("constant", "confidence", "per_group")
    if len(weights) > len(names):
        names = ("constant", "neighbours", "agreement", "pace")
    unused = dict.fromkeys(("neighbours", "agreement", "pace", "confidence", "per_group"), 0.0)
    return unused | dict(zip(names, weights.tolist(), strict=True))


def _right(moment: Moment, by: Coefficients) -> float:
    estimate = estimated(moment.seen, by)
    assert estimate is not None
    return estimate.right


def _least_squares(A: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(x) for x in np.linalg.lstsq(A, b, rcond=None)[0])
