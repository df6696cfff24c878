"""What is possible at all: how few answers prove a grouping, and how fast one who knows gets there.

None is a method. `fewest_proving_questions` counts answers that leave no doubt without any help
from the features, `worst_case_questions` and `placing_questions` those that it takes to find the
groups without that help; `label_bits` and `answers_for_bits` how many there must be with it;
`omniscient_curve` shows what the clusterer makes of well-chosen answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from scipy.special import entr
from sklearn.neighbors import NearestNeighbors

from likewise.errors import DataError, MethodError
from likewise.methods import find_recipe
from likewise.metrics import ari
from likewise.study import Study

if TYPE_CHECKING:
    import pandas as pd

Labels = npt.NDArray[np.int64]

# Whose way of clustering and of placing items the omniscient strategy shares.
METHOD = "random-items"


def fewest_proving_questions(labels: npt.ArrayLike) -> int:
    """Return the fewest answers from which the whole grouping follows by inference alone.

    A tree of "same" answers holds each group together, and every two groups need a "different"
    one between them: n - k + k (k - 1) / 2. That is for one who does not know k; to one who does,
    the trees alone are a proof.

    >>> fewest_proving_questions([0, 0, 0, 1, 1, 2])
    6
    """
    known = np.asarray(labels)
    if known.ndim != 1 or not known.size:
        raise DataError(f"labels must be one per item but have shape {known.shape}")
    return proving_questions(len(known), len(np.unique(known)))


def proving_questions(n: int, k: int) -> int:
    """Return the same for `n` items in `k` groups, whatever their sizes.

    >>> proving_questions(150, 3)
    150
    """
    if not 1 <= k <= n:
        raise DataError(f"k must be between 1 and the number of items, {n}, but got {k}")
    return n - k + k * (k - 1) // 2


def worst_case_questions(n: int, k: int) -> int:
    """Return the answers that suffice, and in the worst case are needed, without features.

    Every item is asked against the groups so far until one is its own: (k - 1) n - k (k - 1) / 2,
    k being known. That is one for each item and group, less those of groups not yet found.

    >>> worst_case_questions(150, 3)
    297
    """
    if not 1 <= k <= n:
        raise DataError(f"k must be between 1 and the number of items, {n}, but got {k}")
    return (k - 1) * n - k * (k - 1) // 2


def placing_questions(labels: npt.ArrayLike) -> int:
    """Return the answers that placing all items takes without features, large groups asked first.

    An item of the i-th largest group is asked i times, those of the last group by elimination once
    less, and the first of a group only against those before it. Without features nobody who knows
    no more than the sizes of the groups can expect to do with fewer.

    >>> placing_questions([0, 0, 0, 1, 1, 2])
    7
    """
    known = np.asarray(labels)
    if known.ndim != 1 or not known.size:
        raise DataError(f"labels must be one per item but have shape {known.shape}")
    sizes = np.sort(np.unique(known, return_counts=True)[1])[::-1]
    asked = np.minimum(np.arange(1, len(sizes) + 1), len(sizes) - 1)
    # The first of a group is asked against the groups before it only.
    return int((sizes * asked - (asked - np.arange(len(sizes)))).sum())


def answers_for_bits(bits: float, noise: float = 0.0) -> float:
    """Return how many answers it takes to tell so many bits, at least.

    An answer tells one bit at most; one that is wrong with probability `noise` tells 1 - H(noise),
    the capacity of that channel (Shannon), however cleverly questions are chosen or repeated.

    >>> answers_for_bits(100), round(answers_for_bits(100, noise=0.15))
    (100.0, 256)
    """
    if not (bits >= 0 and 0 <= noise <= 1):
        raise DataError(f"bits must be at least 0, noise from 0 to 1, but got {bits} and {noise}")
    capacity = 1.0 - float((entr(noise) + entr(1 - noise)) / np.log(2))
    return bits / capacity if capacity > 0 else (np.inf if bits else 0.0)


def label_bits(X: npt.ArrayLike, labels: npt.ArrayLike, n_neighbours: int = 15) -> float:
    """Estimate how many bits the labels hold that the features do not: an answer is one at most.

    It is the entropy of every label under the votes of the item's nearest neighbours, itself left
    out. Votes are smoothed by as many even ones as make the labels likeliest. So it depends on
    this model: a better one may know more from the same features.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The features.
    labels : array-like of shape (n,)
        The groups.
    n_neighbours : int
        How many vote; fewer where there are fewer others.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> label_bits(X, [0, 0, 0, 1, 1, 1], n_neighbours=2) < 0.1
    True
    >>> round(label_bits(X, [0, 1, 0, 1, 0, 1], n_neighbours=5))
    6
    """
    features = np.asarray(X, dtype=np.float64)
    groups: Labels = np.unique(np.asarray(labels), return_inverse=True)[1]
    if groups.ndim != 1 or len(groups) != len(features) or len(groups) < 2:
        raise DataError(
            f"labels must be one for each of at least 2 items, but there are {len(features)} items "
            f"and labels have shape {groups.shape}"
        )
    if n_neighbours < 1:
        raise DataError(f"n_neighbours must be at least 1 but got {n_neighbours}")
    n_groups, wanted = int(groups.max()) + 1, min(n_neighbours, len(groups) - 1)
    nearest = NearestNeighbors(n_neighbors=wanted).fit(features).kneighbors(return_distance=False)
    votes = (groups[nearest] == groups[:, None]).sum(axis=1)
    even = np.geomspace(0.01, 1000.0, 51)[:, None]
    chances = (votes + even / n_groups) / (wanted + even)
    return float(-np.log2(chances).sum(axis=1).max())


def omniscient_curve(
    truth: npt.ArrayLike,
    X: Any,
    *,
    budget: int = 100,
    n_clusters: int | None = None,
    n_candidates: int = 20,
    random_state: int = 0,
) -> pd.DataFrame:
    """Return questions and ARI of a strategy that knows truth and clusterer, and looks one ahead.

    Items are placed as by the method `random-items` and clustered alike. At each step the item is
    placed that promises the largest gain of ARI per question, out of `n_candidates` items drawn
    by lot among those not placed whose label is wrong. It knows the right group, so an item costs
    one question, and the first of a group as many "different" answers as there are groups before.

    Two approximations keep it quick. A candidate is judged without a fit: its label is put right,
    and neighbours not placed yet take the label that most of their similarity then has; an item
    that opens a group is credited with the rest of its group, and the most central one goes first.
    Only the item chosen is really placed and the clustering fitted again. And it is greedy: a
    reference that says how far methods are from what well-chosen answers achieve, not a
    bound that nothing can pass.

    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> omniscient_curve([0, 0, 1, 2, 2, 2], X, budget=8)["ari"].iloc[-1]
    np.float64(1.0)
    """
    import pandas as pd

    if budget < 1 or n_candidates < 1:
        raise MethodError(
            f"budget and n_candidates must be at least 1 but got {budget} and {n_candidates}"
        )
    omniscient = _OmniscientStudy(truth, X, n_clusters, n_candidates, random_state)
    rows = [(0, omniscient.score)]
    while omniscient.place(budget - rows[-1][0]):
        # The very first item is placed without a question: there is no group to ask about.
        if omniscient.study.n_answers > rows[-1][0]:
            rows.append((omniscient.study.n_answers, omniscient.score))
    return pd.DataFrame(rows, columns=["questions", "ari"])


class _OmniscientStudy:
    """A study answered by one who knows: which items are worth placing, and placing them."""

    def __init__(
        self,
        truth: npt.ArrayLike,
        X: Any,
        n_clusters: int | None,
        n_candidates: int,
        random_state: int,
    ) -> None:
        self.truth: Labels = np.unique(np.asarray(truth), return_inverse=True)[1]
        self.study = Study(X, method=METHOD, n_clusters=n_clusters, random_state=random_state)
        if self.truth.shape != (len(self.study.items),):
            raise DataError(
                f"there are {len(self.study.items)} items but truth has shape {self.truth.shape}"
            )
        self.n_candidates = n_candidates
        self.rng = np.random.default_rng(random_state)
        items = self.study.items
        self.affinity = sp.csr_matrix(find_recipe(METHOD).affinity(items).fit(items.data).affinity_)
        self.member: dict[int, int] = {}  # class: the first of its items that was placed
        self.placed = np.zeros(len(self.truth), dtype=bool)
        self._update()

    def _update(self) -> None:
        self.labels: Labels = self.study.labels_
        self.score = ari(self.truth, self.labels)
        self.label_of = self._names()
        self.wrong = self.labels != self.label_of[self.truth]

    def _names(self) -> Labels:  # (n_classes,)
        """Return the label of each class: that of its placed items, else by the best matching.

        A class for which no cluster is left gets a label that nobody has yet.
        """
        n_classes, n_labels = int(self.truth.max()) + 1, int(self.labels.max()) + 1
        names: Labels = n_labels + np.arange(n_classes)
        for known, item in self.member.items():
            names[known] = self.labels[item]
        free = np.setdiff1d(np.arange(n_labels), names)
        nameless = np.array([c for c in range(n_classes) if c not in self.member], dtype=np.int64)
        shared = np.zeros((n_classes, n_labels))
        np.add.at(shared, (self.truth, self.labels), 1)
        rows, columns = linear_sum_assignment(-shared[np.ix_(nameless, free)])
        names[nameless[rows]] = free[columns]
        return names

    def place(self, affordable: int) -> bool:
        """Place the most promising item; False when none is wrong or none can be paid for."""
        price = np.array(
            [1 if c in self.member else len(self.member) for c in range(len(self.label_of))]
        )
        eligible = np.flatnonzero(~self.placed & self.wrong & (price[self.truth] <= affordable))
        if not len(eligible) or affordable < 1:
            return False
        drawn = self.rng.permutation(eligible)[: self.n_candidates]
        cost = np.maximum(price[self.truth[drawn]], 1)
        gain = np.array([self._promise(item) for item in drawn]) - self.score
        central = np.array([self._centrality(item) for item in drawn])
        worth = np.where(gain > 0, gain / cost, gain)
        self._answer(int(drawn[np.lexsort((-central, -worth.round(12)))[0]]))
        self._update()
        return True

    def _answer(self, item: int) -> None:
        """Ask the item against its own group, or against all when it is the first of its group."""
        own = int(self.truth[item])
        if own in self.member:
            self.study.tell((item, self.member[own]), "same")
        for other in () if own in self.member else self.member.values():
            self.study.tell((item, other), "different")
        self.member.setdefault(own, item)
        self.placed[item] = True

    def _promise(self, item: int) -> float:
        """Return the ARI to expect once the item is placed."""
        own = self.truth[item]
        labels = self.labels.copy()
        if own not in self.member:
            labels[(self.truth == own) & ~self.placed] = self.label_of[own]
            return ari(self.truth, labels)
        labels[item] = self.label_of[own]
        near = self._neighbours(item)
        near = near[~self.placed[near]]
        if len(near):
            one_hot = sp.csr_matrix((np.ones(len(labels)), (np.arange(len(labels)), labels)))
            labels[near] = (self.affinity[near] @ one_hot).toarray().argmax(axis=1)
        return ari(self.truth, labels)

    def _centrality(self, item: int) -> float:
        """Return how similar the item is to wrongly labelled items of its own class, in all."""
        kin = self.wrong & (self.truth == self.truth[item])
        return float((self.affinity[[item]] @ kin)[0])

    def _neighbours(self, item: int) -> npt.NDArray[np.int64]:
        return np.asarray(self.affinity[[item]].nonzero()[1], dtype=np.int64)
