"""Generated piles, and what is counted as a fall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("benchmarks", reason="the experiments are not in a wheel")

from benchmarks.generated_piles import FEWEST, MOST, MOST_UNEVEN, SHAPES, GeneratedPile
from benchmarks.quality.fuzz import (
    CHECKPOINTS,
    STEP,
    Fall,
    deepest_fall,
    measured,
    table,
    worst_table,
)

import likewise as lw


@given(st.integers(0, 10**6))
def test_a_pile_is_what_its_parameters_say_and_follows_from_its_seed(seed: int) -> None:
    pile = GeneratedPile.of(seed)
    X, kinds = pile.draw()
    again = GeneratedPile.of(seed).draw()
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(kinds, again[1])
    assert FEWEST <= pile.n_items <= MOST
    assert X.shape == (pile.n_items, pile.n_features + pile.n_noise)
    assert np.isfinite(X).all()
    assert set(kinds.tolist()) == set(range(pile.n_kinds))
    assert 1 <= pile.unevenness <= MOST_UNEVEN


def test_a_few_piles_in_a_row_are_of_all_sorts() -> None:
    piles = [GeneratedPile.of(seed) for seed in range(30)]
    assert {pile.shape for pile in piles[: len(SHAPES)]} == set(SHAPES)
    assert {pile.n_kinds == 1 for pile in piles} == {True, False}
    assert max(pile.n_kinds for pile in piles) >= 250
    assert min(pile.unevenness for pile in piles) == 1
    assert max(pile.unevenness for pile in piles) > 50
    assert {pile.n_noise > 0 for pile in piles} == {True, False}
    assert {pile.n_clumps > 1 for pile in piles} == {True, False}
    assert {pile.strays > 0 for pile in piles} == {True, False}
    copied = next(pile for pile in piles if pile.copies > 0.1 and pile.n_kinds < 10)
    X, _ = copied.draw()
    assert len(np.unique(X, axis=0)) < len(X)


@pytest.mark.parametrize(
    ("curve", "fall"),
    [
        ([0.5, 0.6, 0.7, 0.8], Fall()),  # never falls
        ([0.5, 0.8, 0.2, 0.9], Fall()),  # for too short a time
        ([0.5, 0.8, 0.7, 0.71], Fall()),  # not far enough
        ([0.5, 0.8, 0.6, 0.3, 0.9], Fall(0.5, 40)),
        ([0.8, 0.2, 0.2, 0.8, 0.5, 0.6], Fall(0.6, 40)),  # twice; the deeper counts
        ([0.8, 0.5, 0.5], Fall(0.3, 40)),  # still there at the end
    ],
)
def test_a_fall_is_deep_and_long(curve: list[float], fall: Fall) -> None:
    values = np.array(curve)
    assert deepest_fall(values, np.maximum.accumulate(values), step=20) == fall


# Told the number of kinds, `auto` once lost .4 to .8 on these within a few answers: it cut pairs
# into single items, and left out what was more than the number.
@pytest.mark.parametrize("pile", [19, 24])
def test_told_the_number_of_kinds_answers_do_not_spoil_pairs(pile: int) -> None:
    X, kinds = GeneratedPile.of(pile).draw()
    study = lw.Study(X, n_clusters=int(kinds.max()) + 1, random_state=pile)
    first = lw.metrics.ari(kinds, study.labels_)
    for _ in range(12):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        assert lw.metrics.ari(kinds, study.labels_) > first - 0.05
        assert study.labels_.max() <= kinds.max()


WORST = Path(__file__).parents[2] / "benchmarks" / "results" / "fuzz_worst.md"


def worst_piles() -> list[tuple[int, bool, float]]:
    """Return the worst piles of the table, whether their number was told, and how far they fell."""
    lines = WORST.read_text(encoding="utf-8").splitlines()[2:] if WORST.exists() else []
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [(int(row[0]), row[1] == "yes", float(row[-1].split()[0])) for row in cells]


@pytest.mark.slow
@pytest.mark.parametrize(("pile", "told", "known"), worst_piles())
def test_the_worst_piles_there_are_fall_no_deeper(pile: int, told: bool, known: float) -> None:
    X, kinds = GeneratedPile.of(pile).draw()
    n_clusters = int(kinds.max()) + 1 if told else None
    study = lw.Study(X, n_clusters=n_clusters, random_state=pile)
    curve = [lw.metrics.ari(kinds, study.labels_)]
    for asked in range(1, 46):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        if asked % STEP == 0:
            curve.append(lw.metrics.ari(kinds, study.labels_))
    values = np.array(curve)
    assert deepest_fall(values, np.maximum.accumulate(values)).depth <= known + 0.02
    if n_clusters is not None:
        assert study.labels_.max() < n_clusters


def rows_of(curves: dict[tuple[int, bool], tuple[float, float]]) -> pd.DataFrame:
    """Return rows of curves that go straight from one value to another."""
    return pd.DataFrame(
        {
            "pile": pile,
            "method": "auto",
            "told": told,
            **dict(zip(map(str, CHECKPOINTS), np.linspace(*ends, len(CHECKPOINTS)), strict=True)),
        }
        for (pile, told), ends in curves.items()
    )


def test_tables_count_falls_by_kind_of_pile_and_show_the_worst() -> None:
    curves = {(0, False): (0.9, 0.2), (0, True): (0.4, 0.4), (1, False): (0.2, 0.9)}
    found = measured(rows_of({**curves, (1, True): (0.2, 0.9)}))
    lines = [line.split(" | ") for line in table(found).splitlines() if line.startswith("| auto")]
    everything, blobs = lines[0], lines[1]
    assert everything[1:3] == ["all", "2"]
    # One pile of two falls, from .9 to .2; it is not below its start where k is told.
    assert everything[6:12] == ["50%", "0%", "0.70", "0.00", "50%", "0%"]
    assert blobs[1:3] == ["blobs", "1"]
    assert blobs[6] == "100%"
    assert blobs[12] == "100%, 0.15 |"
    worst = worst_table(found).splitlines()[2]
    assert worst.startswith("| 0 | no | blobs |")
    assert worst.endswith("| 0.70 for 175 |")
