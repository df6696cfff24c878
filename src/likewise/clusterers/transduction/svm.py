"""Linear support vector machines, several of them voting: learners for when labels are plenty."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise._seeds import seed_from
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.transduction._known_classes import known_classes
from likewise.clusterers.transduction.transducer import margins
from likewise.items import Matrix

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BaggedLinearSVM:
    """Linear SVMs on bootstrap samples of labelled items, whose scores are averaged."""

    machines: list[LinearSVC]

    @classmethod
    def of(cls, X: Matrix, classes: Labels, *, n_bags: int, random_state: int) -> BaggedLinearSVM:
        """Return as many as wanted; each sample has of every class as many items as there are.

        A single SVM is given all items.
        """
        rng = np.random.default_rng(random_state)
        members = [np.flatnonzero(classes == c) for c in range(int(classes.max()) + 1)]
        machines = []
        for bag in range(n_bags):
            drawn = [own if n_bags == 1 else rng.choice(own, len(own)) for own in members]
            rows = np.concatenate(drawn)
            machine = LinearSVC(random_state=random_state + bag)
            with warnings.catch_warnings():
                # A boundary that is not quite settled after a thousand rounds is good enough.
                warnings.simplefilter("ignore", ConvergenceWarning)
                machines.append(machine.fit(X[rows], classes[rows]))
        return cls(machines)

    def scores(self, X: Matrix) -> Floats:  # (n, classes)
        """Return how much each row belongs to each class: mean distances from the hyperplanes."""
        total = sum(machine.decision_function(X) for machine in self.machines)
        mean = np.asarray(total) / len(self.machines)
        return np.stack([-mean, mean], axis=1) if mean.ndim == 1 else mean


class LinearSVM(LinkedClusterer):
    """Groups by linear SVMs between the classes that links tell.

    Unlike a clusterer it sees only items that links place, so it needs some of every class. While
    one class is known, all items are in it as far as they are near its mean: scores and margins are
    1/(1 + ‖mean − x‖²), so that who asks at the boundary asks about the item least like that class.
    (Asked in the other order, a class can go on for ever without another being found.)

    Parameters
    ----------
    n_clusters : int, default=2
        Checked against the number of items; how many classes there are is for the links to say.
    n_bags : int, default=1
        How many SVMs on bootstrap samples are averaged; a single one is given all items.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    scores_ : ndarray of shape (n, n_classes)
        How much an item belongs to each class, larger is likelier.
    margin_ : ndarray of shape (n,)
        By how much the best score beats the second best, not negative.

    References
    ----------
    Tong and Koller: Support vector machine active learning with applications to text
    classification, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = LinearSVM().fit(X, cannot_link=[(0, 5)])
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[4.0]])
    array([1])
    """

    accepts_sparse = True

    scores_: Floats  # (n, classes), larger = likelier
    margin_: Floats  # (n,), not negative

    def __init__(self, *, n_clusters: int = 2, n_bags: int = 1, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.n_bags = n_bags
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        classes = known_classes(links)
        labelled = np.flatnonzero(classes >= 0)
        self._bag: BaggedLinearSVM | None = None
        if len(labelled) and int(classes.max()) >= 1:
            self._bag = BaggedLinearSVM.of(
                X[labelled],
                classes[labelled],
                n_bags=self.n_bags,
                random_state=seed_from(self.random_state),
            )
            self.scores_ = self._bag.scores(X)
            self.margin_ = margins(self.scores_)
            labels = np.where(classes >= 0, classes, self.scores_.argmax(axis=1))
        else:
            near = nearness(X, labelled)
            self.scores_, self.margin_ = near[:, None], near
            labels = np.zeros(X.shape[0], dtype=np.int64)
        return labels

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(n_bags=self.n_bags)

    def predict(self, X: Any) -> Labels:
        """Return the groups that new rows belong to."""
        check_is_fitted(self, "labels_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if self._bag is None:
            return np.zeros(X.shape[0], dtype=np.int64)
        return np.asarray(self._bag.scores(X).argmax(axis=1))


def nearness(X: Matrix, some: npt.NDArray[np.int64]) -> Floats:  # (n,)
    """Compute 1/(1 + ‖mean − x‖²) with the mean of some rows, of all rows if there are none."""
    mean = np.asarray(X[some].mean(axis=0) if len(some) else X.mean(axis=0)).ravel()
    squares = X.multiply(X) if hasattr(X, "multiply") else X**2
    away = np.asarray(squares.sum(axis=1)).ravel() - 2 * np.asarray(X @ mean) + mean @ mean
    return np.asarray(1.0 / (1.0 + np.maximum(away, 0.0)))
