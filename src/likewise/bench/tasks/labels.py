"""The task "labels": classes of items are bought, as in the Active Learning Challenge of 2010.

The items are cut in two halves at random and one positive item of the first is labelled. Labels are
bought in the first half, 1, 2, 4, … in all, until it is spent; AUC is measured on the second half,
which takes part without labels. The last row, with all labels, is that of bagged SVMs (a single
one for "svm") and has the area under the learning curve besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.affinities import Gaussian
from likewise.bench.experiment import Task
from likewise.bench.tasks.base import Array, Labels, Parts, Row, items_of
from likewise.clusterers import LinearSVM, StagedTransducer
from likewise.clusterers.transduction.svm import BaggedLinearSVM
from likewise.errors import DataError, MethodError
from likewise.metrics import alc, auc

_PER_ITEM = 100  # items for each representative
RIDGES = (0.01, 0.1, 1.0, 10.0, 100.0)


def _alg2(n_free: int, seed: int, **settings: Any) -> StagedTransducer:
    """Return ALG2 with its paper's settings, for so many items without a label."""
    return StagedTransducer(
        n_representatives=max(2, n_free // _PER_ITEM),
        affinity=Gaussian(width="mean-norm", n_neighbours=None),
        balanced=False, length=1.0, random_state=seed, **settings,
    )  # fmt: skip


def _sgt(n_free: int, seed: int, **settings: Any) -> StagedTransducer:
    return StagedTransducer(cost=100.0, random_state=seed, **settings)


LEARNERS: dict[str, Callable[[int, int], Any]] = {
    "alg1": partial(_alg2, transduce=False),
    "alg2": _alg2,
    "alg2-kernel": partial(_alg2, decision="kernel"),
    **{f"alg2-kernel-{r:g}": partial(_alg2, decision="kernel", ridge=r) for r in RIDGES},
    "alg2-squares": partial(_alg2, spectrum="squares"),
    "svm": lambda n_free, seed: LinearSVM(random_state=seed),
    "sgt": _sgt,
    "sgt-squares": partial(_sgt, spectrum="squares"),
    "sgt-landmarks": partial(_sgt, spectrum="squares", n_landmarks=300),
}


def run_labels(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield AUC after so many labels; checkpoints do not matter."""
    if len(np.unique(truth)) != 2:
        raise DataError(
            "labels are bought of two classes; say which are positive (`positive`), or name two"
        )
    features, seed = np.asarray(items_of(task, X).features), task.seed
    order = np.random.default_rng(seed).permutation(len(truth))
    train, test = np.sort(order[: len(truth) // 2]), np.sort(order[len(truth) // 2 :])
    labelled = [int(np.random.default_rng(seed).choice(train[truth[train] == 1]))]
    counts, aucs, model = list[int](), list[float](), None
    while len(labelled) < len(train):
        model = _fitted(task.method, features, truth, labelled, seed, model)
        scores = positive_scores(model, truth, labelled)
        counts.append(len(labelled))
        aucs.append(auc(truth[test], scores[test]))
        yield {"questions": counts[-1], "auc": aucs[-1]}
        if task.method == "alg1":
            break
        rest = np.setdiff1d(train, labelled)
        wanted = min(2 * len(labelled), len(train)) - len(labelled)
        nearest = np.argsort(model.margin_[rest], kind="stable")[:wanted]
        labelled += rest[nearest].tolist()
    n_bags = 1 if task.method == "svm" else 20
    svms = BaggedLinearSVM.of(features[train], truth[train], n_bags=n_bags, random_state=seed)
    counts.append(len(train))
    aucs.append(auc(truth[test], svms.scores(features[test])[:, 1]))
    area = alc(counts, aucs, counts[-1])
    yield {"questions": counts[-1], "auc": aucs[-1], "final_auc": aucs[-1], "alc": area}


def _fitted(
    method: str, X: Array, truth: Labels, labelled: list[int], seed: int, start: Any
) -> Any:
    """Return the learner after these labels; one that computes a graph once does so."""
    model = learner(method)(len(X) - len(labelled), seed)
    again = {"start": start} if method.startswith("sgt") else {}
    return model.fit(X, **links_of(truth, labelled), **again)


def positive_scores(model: Any, truth: Labels, labelled: list[int]) -> npt.NDArray[np.float64]:
    """Return how much items belong to the class of the first label, which is positive."""
    told = np.array(labelled)
    if (truth[told] == 1).all():  # clusters have no names: it is the one in which the label is
        return np.asarray(model.scores_[:, model.scores_[told[0]].argmax()])
    # Classes are numbered by their first item.
    first = [told[truth[told] == kind].min() for kind in (0, 1)]
    return np.asarray(model.scores_[:, int(first[1] > first[0])])


def links_of(truth: Labels, labelled: list[int]) -> dict[str, list[tuple[int, int]]]:
    """Return the links by which labels are told.

    >>> links_of(np.array([1, 0, 1]), [0, 1, 2])
    {'must_link': [(0, 2)], 'cannot_link': [(1, 0)]}
    """
    first: dict[int, int] = {}
    for item in labelled:
        first.setdefault(int(truth[item]), item)
    must = [(first[int(truth[item])], item) for item in labelled if item not in first.values()]
    return {"must_link": must, "cannot_link": [(first[0], first[1])] if len(first) == 2 else []}


def learner(method: str) -> Callable[[int, int], Any]:
    """Return what makes the learner of that name, from a number of items and a seed."""
    if method not in LEARNERS:
        raise MethodError(f"there is no learner {method!r}; there are {', '.join(LEARNERS)}")
    return LEARNERS[method]


def parts_of_learner(method: str) -> Parts:
    """Return the learner, and what the curve ends with."""
    return (learner(method)(200, 0), run_labels, BaggedLinearSVM), ()
