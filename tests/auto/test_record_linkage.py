"""Rows that are duplicates: the model of pairs, the partition, the questions, the handing over."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine

import likewise as lw
from likewise.auto import Committee
from likewise.auto.records import RecordLinkage, handing_over
from likewise.auto.records.partition import best_partition, score
from likewise.clusterers.links import LinkedGroups
from likewise.datasets.records import bibliography, people
from likewise.errors import MethodError
from likewise.study.branch import Branch

Labels = npt.NDArray[np.int64]


def pairwise_f1(labels: Labels, truth: Labels) -> float:
    """Return the harmonic mean of precision and recall of pairs."""

    def n_pairs(groups: Labels) -> int:
        sizes = np.unique(groups, return_counts=True)[1]
        return int((sizes * (sizes - 1) // 2).sum())

    both = n_pairs(labels * (int(truth.max()) + 1) + truth)
    return 2 * both / (n_pairs(labels) + n_pairs(truth))


def answered(study: lw.Study, truth: Labels, n: int) -> list[float]:
    """Answer questions by the truth; return the F1 before each and after the last."""
    found = [pairwise_f1(study.labels_, truth)]
    for _ in range(n):
        question = study.ask()
        if question is None:
            break
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
        found.append(pairwise_f1(study.labels_, truth))
    return found


def products(n: int, seed: int) -> pd.DataFrame:
    """Return things of five kinds that are described in words, none of them twice."""
    rng = np.random.default_rng(seed)
    words = np.array([f"{a}{b}" for a in "bdfgklmnprst" for b in ("ano", "eri", "ulo", "ist")])
    kinds = rng.integers(5, size=n)
    return pd.DataFrame(
        {
            "title": [" ".join(rng.choice(words[9 * k : 9 * k + 12], 5)) for k in kinds],
            "kind": [f"kind {k}" for k in kinds],
            "price": rng.gamma(2, 10, n).round(2),
        }
    )


def households(n: int, seed: int) -> pd.DataFrame:
    """Return people of whom several live together: alike, but not the same."""
    rng = np.random.default_rng(seed)
    table, _ = people(n_entities=n, duplicated=0.0, random_state=seed)
    home = np.sort(rng.integers(n // 3, size=n))
    table["address"] = table["address"].to_numpy()[home]
    table["phone"] = table["phone"].to_numpy()[home]
    return table


def partitions(n: int) -> Iterator[Labels]:
    """Yield every partition of n items."""

    def continued(labels: list[int]) -> Iterator[list[int]]:
        if len(labels) == n:
            yield labels
            return
        for label in range(max(labels, default=-1) + 2):
            yield from continued([*labels, label])

    return (np.array(labels) for labels in continued([]))


# -- partition -------------------------------------------------------------------------------


def test_small_piles_are_mostly_parted_as_well_as_possible(seed: int) -> None:
    rng = np.random.default_rng(seed)
    best, lost = 0, 0.0
    for trial in range(40):
        n = int(rng.integers(3, 7))
        pairs = np.array(list(combinations(range(n), 2)))
        odds = rng.normal(-0.5, 2.0, len(pairs))
        truth = rng.integers(3, size=n)
        said = pairs[rng.choice(len(pairs), 2 * (trial % 2), replace=False)]
        same = truth[said[:, 0]] == truth[said[:, 1]]
        links = LinkedGroups.of(n, said[same], said[~same])
        labels = best_partition(n, pairs, odds, links, -2.0)
        assert links.respected_by(labels)
        reached = score(pairs, odds, labels)
        possible = max(score(pairs, odds, p) for p in partitions(n) if links.respected_by(p))
        assert reached <= possible + 1e-9
        best += reached > possible - 1e-9
        lost += possible - reached
    assert best >= 33
    assert lost < 12.0


def test_pairs_that_were_not_compared_keep_chains_apart() -> None:
    pairs = np.array([[0, 1], [1, 2], [2, 3]])
    chain = best_partition(4, pairs, np.full(3, 2.0), LinkedGroups.none(4), -3.0)
    assert len(np.unique(chain)) == 2
    tied = best_partition(4, pairs, np.full(3, 2.0), LinkedGroups.of(4, [(0, 3)], []), -3.0)
    assert tied[0] == tied[3]


# -- piles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [people, bibliography])
def test_duplicates_are_found_before_the_first_answer_and_answers_help(draw: object) -> None:
    table, truth = draw(n_entities=120, random_state=7)  # type: ignore[operator]
    study = lw.Study(table)
    assert isinstance(study.clustering_, RecordLinkage)
    found = answered(study, truth, 25)
    assert found[0] > 0.85
    assert found[-1] >= found[0]
    assert found[-1] > 0.95
    n_matches = int(sum(c * (c - 1) // 2 for c in np.bincount(truth).tolist()))
    assert study.clustering_.n_matches_ == pytest.approx(n_matches, rel=0.15)
    assert "duplicates of each other" in study.clustering_.about_
    for answer in study.answers:
        i, j = answer.pair
        assert (study.labels_[i] == study.labels_[j]) == (truth[i] == truth[j])


@pytest.mark.parametrize(
    "table",
    [
        load_wine(as_frame=True).data,
        load_iris(as_frame=True).data,
        products(150, 0),
        people(n_entities=150, duplicated=0.0)[0],
        bibliography(n_entities=150, duplicated=0.0)[0],
        households(150, 1),
    ],
    ids=["wine", "iris", "products", "people", "publications", "households"],
)
def test_ordinary_tables_are_not_taken_for_duplicates(table: pd.DataFrame) -> None:
    assert isinstance(lw.Study(table).clustering_, Committee)


def test_the_neighbourhoods_of_a_large_table_are_looked_at(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing_over, "_MOST_ROWS", 500)
    table, _ = people(random_state=seed, n_entities=1000)
    looked = RecordLinkage(records=lw.Items.of(table).records)
    assert handing_over.looks_like_duplicates(looked)


def test_rows_that_measure_alike_under_other_names_are_no_duplicates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = rng.integers(10, size=800)
    X = rng.normal(0, 4, (10, 12))[kind] + rng.normal(size=(800, 12))
    words = ["".join(word) for word in rng.choice(list("abcdefghilmnoprstu"), (200, 6))]
    names = [" ".join(rng.choice(words, 2)) for _ in range(800)]
    table = pd.DataFrame(X, columns=[f"x{k}" for k in range(12)]).assign(name=names)
    items = lw.Items.of(table)
    assert not handing_over.looks_like_duplicates(RecordLinkage(records=items.records))


def test_people_who_mean_something_else_than_duplicates_are_understood() -> None:
    table, _ = people(n_entities=100, duplicated=0.4, random_state=3)
    cities = np.unique(table["city"].fillna("").str[:1], return_inverse=True)[1]
    study = lw.Study(table)
    assert isinstance(study.clustering_, RecordLinkage)
    answered(study, cities, 12)
    assert isinstance(study.clustering_, Committee)
    for answer in study.answers:
        i, j = answer.pair
        assert (study.labels_[i] == study.labels_[j]) == (cities[i] == cities[j])


def test_whoever_says_that_there_are_few_groups_does_not_mean_duplicates() -> None:
    table, _ = people(n_entities=60, random_state=3)
    assert isinstance(lw.Study(table, n_clusters=4).clustering_, Committee)
    assert isinstance(lw.Study(table, n_clusters=(2, 8)).clustering_, Committee)


def test_a_given_number_of_groups_is_kept() -> None:
    table, _truth = people(n_entities=60, random_state=3)
    study = lw.Study(table, n_clusters=55)
    assert isinstance(study.clustering_, RecordLinkage)
    assert study.clustering_.n_clusters_ <= 55


# -- questions -------------------------------------------------------------------------------


def test_questions_are_told_with_the_columns_that_decide() -> None:
    table, _ = people(n_entities=60, random_state=3)
    study = lw.Study(table)
    question = study.ask()
    assert question is not None
    said = study.explain(question)
    assert said.startswith("These two are the same with a chance of")
    assert any(column in said for column in table.columns)
    assert 0.01 <= question.same_probability <= 0.99
    far = next(pair for pair in combinations(range(len(table)), 2) if _apart(study, pair))
    assert "chance of 0%" in study.explain(far)


def _apart(study: lw.Study, pair: tuple[int, int]) -> bool:
    return bool(study.clustering_.candidates_.position(*pair) is None)


def test_several_questions_at_once_do_not_settle_each_other() -> None:
    table, _ = people(n_entities=60, random_state=3)
    study = lw.Study(table)
    pairs = [question.pair for question in study.ask(6)]
    assert len({tuple(sorted(pair)) for pair in pairs}) == len(pairs) == 6
    assert study.ask(pending=pairs[:1]) is not None
    assert study.ask(pending=pairs[:1]).pair != pairs[0]  # type: ignore[union-attr]


def test_place_questions_work_on_duplicates() -> None:
    table, _ = people(n_entities=60, random_state=3)
    study = lw.Study(table)
    question = study.ask(kind="place")
    assert question is not None
    study.tell(question, "new")
    assert study.ask(kind="best") is not None


def test_a_study_of_duplicates_goes_on_as_if_never_stopped(tmp_path: object) -> None:
    table, truth = people(n_entities=60, random_state=3)
    store = f"{tmp_path}/people.likewise.jsonl"
    study = lw.Study(table, store=store)
    answered(study, truth, 18)
    again = lw.Study.open(store, table)
    assert again.ask() == study.ask()
    assert again.labels_.tolist() == study.labels_.tolist()
    branch = pickle.loads(pickle.dumps(Branch.of(study)))
    assert branch.ask() == study.ask()
    study.undo()
    assert study.ask() is not None


def test_answers_beside_the_candidates_count_too() -> None:
    table, _truth = people(n_entities=60, random_state=3)
    study = lw.Study(table)
    i, j = next(pair for pair in combinations(range(len(table)), 2) if _apart(study, pair))
    study.tell((i, j), "same")
    assert study.labels_[i] == study.labels_[j]


def test_record_linkage_needs_records() -> None:
    with pytest.raises(MethodError, match="needs the rows of a table"):
        RecordLinkage().fit(np.zeros((3, 1)))
