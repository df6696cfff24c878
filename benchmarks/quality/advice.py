"""Stopping advice against the truth: the share of items that are right, and what answers bring.

Run with `python -m benchmarks advice`; LIKEWISE_DATA must name a folder with the data sets below.
Studies are simulated; after every 25 answers the evidence is kept beside what is true. Then the
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
from time import perf_counter

import numpy as np
import numpy.typing as npt

import likewise as lw
from benchmarks.tables import RESULTS, markdown, write_table
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

DATA = (
    "iris", "wine", "sonar", "glass", "parkinsons", "ionosphere", "segmentation_train210",
    "cho_yeast_genes", "leaf_uci", "bupa_liver", "aqm-simulation", "breast_cancer", "digits",
    "meu_mobile_9users",
)  # fmt: skip
METHODS = ("auto", "urasc", "random-items")
BUDGET, STEP, MOST_ITEMS = 150, 25, 400
SHOWN = (50, 100)
COVERED = 0.9  # how often the truth shall lie within the interval


@dataclass(frozen=True)
class Moment:
    """A study after some answers: what it knows, and what is true."""

    data: str
    method: str
    seen: Evidence
    right: float
    gain: float | None  # of the next answers; None where the study ended before


def moments(data: str, method: str, seed: int) -> list[Moment]:
    """Return a simulated study, looked at every so many answers; kept, since it takes its time."""
    kept = RESULTS / "advice" / f"{data}-{method}-{seed}.json"
    if kept.exists():
        return [
            Moment(**{**one, "seen": Evidence(**one["seen"])})
            for one in json.loads(kept.read_text())
        ]
    began = perf_counter()
    found = simulated(data, method, seed)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([asdict(one) for one in found]))
    sys.stderr.write(f"{data} {method}: {perf_counter() - began:.0f} s\n")
    return found


def simulated(data: str, method: str, seed: int) -> list[Moment]:
    """Return the same, carried out now."""
    X, truth = lw.datasets.load(data)
    rng = np.random.default_rng(seed)
    if len(X) > MOST_ITEMS:
        some = rng.choice(len(X), MOST_ITEMS, replace=False)
        X, truth = X[some], truth[some]
    study = lw.Study(X, method=method, random_state=seed)
    seen: dict[int, tuple[Evidence, float]] = {}
    while True:
        if study.n_answers % STEP == 0:
            wrong = lw.metrics.misclustering_error(truth, study.labels_)
            seen[study.n_answers] = Evidence.of(study), 1 - wrong
        question = study.ask() if study.n_answers < BUDGET else None
        if question is None:
            break
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    return [
        Moment(
            data, method, evidence, right, seen[at + NEXT][1] - right if at + NEXT in seen else None
        )
        for at, (evidence, right) in seen.items()
        if at > 0 and evidence.open_share > 0
    ]


def learned(known: list[Moment]) -> Coefficients:
    """Return the coefficients that suit these moments best, by least squares.

    The interval is as wide as the estimates are off for data sets that were left out in turn.
    """
    residuals = [
        residual
        for data in dict.fromkeys(m.data for m in known)
        for residual in _odds_of([m for m in known if m.data == data])
        - _evidence_of([m for m in known if m.data == data])
        @ _fitted([m for m in known if m.data != data])
    ]
    low, high = np.quantile(residuals, [(1 - COVERED) / 2, (1 + COVERED) / 2])
    by = Coefficients(*_fitted(known), low=float(low), high=float(high), placing=0.0, learning=0.0)
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
            str(seen.n_items),
            str(seen.n_answers),
            f"{told.right:.0%} ({told.low:.0%} to {told.high:.0%})",
            f"{self.moment.right:.0%}",
            f"{self.gain:+.1%}",
            "" if self.moment.gain is None else f"{self.moment.gain:+.1%}",
        ]


def main() -> None:
    """Write a row per data set and number of answers, then how far off the advice is."""
    default, others = (
        [m for data in DATA for method in methods for m in moments(data, method, seed=0)]
        for methods in (METHODS[:1], METHODS[1:])
    )
    mine, theirs = tried_in_turn(default), tried_in_turn(others)
    header = ["data", "items", "answers", "expected right", "right", "expected gain", "gain"]
    rows = [one.row() for one in mine if one.moment.seen.n_answers in SHOWN]
    write_table("advice", markdown(header, rows))
    summary = zip(summarised(mine), summarised(theirs), strict=True)
    lines = [[name, value, other] for (name, value), (_, other) in summary]
    lines += [[name, value, ""] for name, value in speed()]
    write_table("advice_summary", markdown(["", METHODS[0], " and ".join(METHODS[1:])], lines))
    sys.stderr.write(f"learned from {METHODS[0]}: {learned(default)}\n")
    sys.stderr.write(f"learned from the others: {learned(others)}\n")


def tried_in_turn(known: list[Moment]) -> list[Tried]:
    """Return every data set by what the others teach."""
    tried = []
    for data in DATA:
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
    return np.array(
        [[1.0, log_odds(m.seen.neighbours), log_odds(m.seen.agreement), m.seen.pace] for m in known]
    )


def _odds_of(known: list[Moment]) -> npt.NDArray[np.float64]:
    """Return the log odds that an item which no answer has placed is right."""
    return np.array([log_odds(1 - (1 - m.right) / m.seen.open_share) for m in known])


def _fitted(known: list[Moment]) -> tuple[float, float, float, float]:
    constant, neighbours, agreement, pace = _least_squares(_evidence_of(known), _odds_of(known))
    return constant, neighbours, agreement, pace


def _right(moment: Moment, by: Coefficients) -> float:
    estimate = estimated(moment.seen, by)
    assert estimate is not None
    return estimate.right


def _least_squares(A: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(x) for x in np.linalg.lstsq(A, b, rcond=None)[0])
