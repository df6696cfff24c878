"""How likely two records are about the same thing, by how their cells agree and by the answers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from likewise.auto.records.rivals import Rivals
from likewise.features.records import ComparedColumn
from likewise.features.records.columns import GAP

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]  # (pairs, 2)
Levels = npt.NDArray[np.int64]  # (pairs, columns)

# How often copies of a thing agree at each level, from equal down to nothing in common, before
# anything is known, and what number of copies that belief is worth.
_EXPECTED = np.array([0.45, 0.18, 0.12, 0.08, 0.06, 0.04, 0.03, 0.04])
_BELIEF = 20.0
# Random pairs that stand beside those that were drawn: levels that none of them has are possible.
_POSSIBLE = 1.0
# Columns are not independent: what they say together counts less than the sum. These and the next
# were chosen with an eye on generated people and publications and on restaurants; nothing is held
# out.
_TRUST, _TRUST_IN_RIVALS, _TRUST_SPREAD = 0.8, 0.5, 0.15
_OFFSET_SPREAD = 1.0
_ROUNDS = 30
_STILL = 1e-4
_FEWEST = 0.5  # matches expected where nothing looks like one
_FIRST = 0.02  # matches per record, to begin with: few, so that only the surest shape the rest
_CERTAIN = 20.0  # log odds of what was answered
_HOPELESS = -8.0  # log odds below which a candidate is none


class PairModel:
    """The model of Fellegi and Sunter, learned from all pairs and corrected by the answers.

    A pair is a match with odds Π m(level) / u(level) times those before looking. How often random
    pairs agree at a level, u, is counted; how often copies do, m, is found by expectation and
    maximisation over the candidates, among which rivals compete and answered ones count as what
    they are. Since columns are not independent, and answers may mean something finer or coarser,
    the log odds are

        offset + Σ trust(column) · log m / u - trust(rivals) · log(1 + odds of rivals),

    with an offset and a trust that are learned from the answers by logistic regression around what
    they are without any.

    Parameters
    ----------
    columns : sequence of ComparedColumn
        The columns.
    n_records : int
        How many rows there are.

    Attributes
    ----------
    weights : list of ndarray
        For each column log m / u by level.
    trust : ndarray of shape (columns + 1,)
        How much each column counts, and how much rivals do.
    offset : float
        The log odds of a pair whose cells say nothing.
    rivals : Rivals
        The partners that records have.

    References
    ----------
    Fellegi and Sunter: A theory for record linkage, 1969.
    """

    weights: list[Floats]
    trust: Floats
    offset: float
    rivals: Rivals

    def __init__(self, columns: Sequence[ComparedColumn], n_records: int) -> None:
        self._n_levels = [column.n_levels for column in columns]
        self._n_records = n_records
        self._n_pairs = n_records * (n_records - 1) / 2

    def fit(
        self, pairs: Pairs, levels: Levels, random: Levels, known: Floats, telling: Floats
    ) -> PairModel:
        """Fit to candidates and to random pairs.

        Parameters
        ----------
        pairs : ndarray of shape (m, 2)
            The candidates, and whatever was answered.
        levels : ndarray of shape (m, columns)
            How their cells agree.
        random : ndarray of shape (any, columns)
            How those of random pairs do.
        known : ndarray of shape (m,)
            1 for pairs known to be the same, 0 for others that are known, nan for all else.
        telling : ndarray of shape (m,)
            How much what is known of a pair says about others: 1, or less for exceptions.
        """
        columns = range(len(self._n_levels))
        expected = [_expected(n) for n in self._n_levels]
        u = [_shares(random[:, c], None, self._n_levels[c], _POSSIBLE) for c in columns]
        m = [share.copy() for share in expected]
        answered = np.isfinite(known)
        prior = float(logit(np.clip(_FIRST * self._n_records / self._n_pairs, 1e-12, 0.5)))
        same, before = np.where(answered, known, 0.0), -1.0
        for _ in range(_ROUNDS):
            self.weights = [_log_ratio(m[c], u[c]) for c in columns]
            alone = prior + self._by_column(levels).sum(axis=1)
            alone[answered] = np.where(known[answered] > 0, _CERTAIN, -_CERTAIN)
            # Of most candidates nothing depends, and rivals are costly to find.
            at = np.flatnonzero((alone > _HOPELESS) | answered)
            now = np.zeros(len(pairs))
            for _ in range(2):  # who is a rival depends on who is the same
                self.rivals = Rivals(self._n_records, pairs[at], alone[at], same[at])
                now[at] = expit(alone[at] - self.rivals.against(pairs[at]))
                now[answered] = known[answered]
                same = now
            n_matches = float(same.sum()) + _FEWEST
            prior = float(logit(np.clip(n_matches / self._n_pairs, 1e-12, 0.5)))
            m = [
                _shares(levels[:, c], same, self._n_levels[c], _BELIEF, expected[c])
                for c in columns
            ]
            if abs(n_matches - before) < _STILL * n_matches:
                break
            before = n_matches
        self.weights = [_log_ratio(m[c], u[c]) for c in columns]
        self._prior = prior
        self._learn_from(pairs, levels, known, telling)
        return self

    def corrected(self, pairs: Pairs, levels: Levels, known: Floats, telling: Floats) -> PairModel:
        """Return this model with offset and trust learned from other answers."""
        other = copy(self)
        other._learn_from(pairs, levels, known, telling)
        return other

    def evidence(self, pairs: Pairs, levels: Levels) -> Floats:  # (pairs, columns + 1)
        """Return what each column, and last the rivals, say for a match, in log odds."""
        return np.column_stack([self._by_column(levels), -self.rivals.against(pairs)])

    def log_odds(self, pairs: Pairs, levels: Levels) -> Floats:  # (pairs,)
        """Return the log odds that pairs are matches."""
        return np.asarray(self.offset + self.evidence(pairs, levels) @ self.trust)

    def _by_column(self, levels: Levels) -> Floats:
        return np.column_stack([w[levels[:, c]] for c, w in enumerate(self.weights)])

    def _learn_from(self, pairs: Pairs, levels: Levels, known: Floats, telling: Floats) -> None:
        """Set offset and trust to what the answers and the beliefs about both make likeliest."""
        at = np.flatnonzero(np.isfinite(known))
        n = len(self._n_levels) + 1
        # Trusting columns less must not move the border: where odds are even stays where it was.
        centre = np.array([_TRUST * self._prior, *[_TRUST] * (n - 1), _TRUST_IN_RIVALS])
        precision = 1 / np.array([_OFFSET_SPREAD, *[_TRUST_SPREAD] * n]) ** 2
        found = centre
        if len(at):
            X = np.column_stack([np.ones(len(at)), self.evidence(pairs[at], levels[at])])
            found = _map_logistic(X, known[at], telling[at], centre, precision)
        self.offset, self.trust = float(found[0]), np.maximum(found[1:], 0.0)


def _map_logistic(
    X: Floats, y: Floats, weight: Floats, centre: Floats, precision: Floats
) -> Floats:
    """Return the coefficients of largest posterior density, by Newton steps that are halved."""

    def loss(beta: Floats) -> float:
        z = X @ beta
        fit = weight @ (np.logaddexp(0, z) - y * z)
        return float(fit + 0.5 * (precision * (beta - centre) ** 2).sum())

    beta, now = centre.copy(), loss(centre)
    for _ in range(50):
        p = expit(X @ beta)
        gradient = X.T @ (weight * (p - y)) + precision * (beta - centre)
        hessian = (X * (weight * p * (1 - p))[:, None]).T @ X + np.diag(precision)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while (after := loss(beta - size * step)) > now and size > 1e-4:
            size /= 2
        beta, gained, now = beta - size * step, now - after, after
        if gained < 1e-9:
            break
    return beta


def _expected(n_levels: int) -> Floats:
    """Return how often copies agree at each level, before anything is known."""
    shares = _EXPECTED
    if n_levels - 1 < len(shares):
        kept = n_levels - 1
        shares = np.concatenate([shares[: kept - 1], [shares[kept - 1 :].sum()]])
    return np.concatenate([[1.0], shares[::-1] / shares.sum()])  # gaps come first


def _shares(
    levels: npt.NDArray[np.int64],
    weight: Floats | None,
    n_levels: int,
    belief: float,
    expected: Floats | None = None,
) -> Floats:
    """Return the shares of the levels of a column among the pairs without a gap, and a belief."""
    found = np.bincount(levels, weights=weight, minlength=n_levels)[1:]
    before = np.full(n_levels - 1, 1 / (n_levels - 1)) if expected is None else expected[1:]
    counts = found + belief * before
    return np.concatenate([[1.0], counts / counts.sum()])


def _log_ratio(m: Floats, u: Floats) -> Floats:
    """Return log m / u by level: 0 for gaps, and never falling from one level to the next."""
    ratio = np.log(m / u)
    ratio[GAP] = 0.0
    ratio[1:] = _never_falling(ratio[1:], m[1:] + u[1:])
    return ratio


def _never_falling(values: Floats, weights: Floats) -> Floats:
    """Return the nearest values in the mean square, by weight, that never fall."""
    from sklearn.isotonic import isotonic_regression

    return np.asarray(isotonic_regression(values, sample_weight=weights))
