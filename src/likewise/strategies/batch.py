"""Questions asked together: no answer to one may settle another."""

from __future__ import annotations

from likewise.journal.pairs import Pair, Verdict
from likewise.strategies.base import View


class IndependentBatch:
    """A batch of pairs that stay independent of one another and of the pending ones.

    Taken as edges between must-link components, the pairs must form a forest: the last edge of a
    cycle is probably settled by the others. Components known to differ count as joined for that,
    since "same" along the way to one of them would settle the pair. When the number of groups is
    known, an answer can settle a pair elsewhere by elimination; that is found out by assuming it.

    Parameters
    ----------
    view : View
        Its pending pairs are in the batch from the beginning.

    Examples
    --------
    >>> import likewise as lw
    >>> batch = IndependentBatch(lw.Study([[0.0], [0.1], [5.0]], method="random").view)
    >>> [batch.add(lw.Pair(*pair)) for pair in ((0, 1), (1, 2), (0, 2))]
    [True, True, False]
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._tree: dict[int, set[int]] = {}  # component -> all components joined to it
        self._pairs: list[Pair] = []
        for pair in view.pending:
            self._join(pair)

    def add(self, pair: Pair) -> bool:
        """Add the pair if it is open, not deferred and independent; return whether it was."""
        known = self.view.constraints
        if pair.unordered in self.view.deferred or known.implied(*pair) is not None:
            return False
        one, other = (self._tree.get(known.component(i), {known.component(i)}) for i in pair)
        if any(known.implied(a, b) is not None for a in one for b in other):
            return False
        if self.view.n_clusters is not None and any(
            self._settles(taken, pair) or self._settles(pair, taken) for taken in self._pairs
        ):
            return False
        self._join(pair)
        return True

    def _settles(self, asked: Pair, other: Pair) -> bool:
        """Return whether an answer to the first pair would settle the second."""
        known = self.view.constraints
        for verdict in (Verdict.SAME, Verdict.DIFFERENT):
            with known.assuming(asked, verdict):
                if known.implied(*other) is not None:
                    return True
        return False

    def _join(self, pair: Pair) -> None:
        """Join the trees of the pair's components."""
        components = [self.view.constraints.component(item) for item in pair]
        joined = set().union(*(self._tree.get(component, {component}) for component in components))
        for component in joined:
            self._tree[component] = joined
        self._pairs.append(pair)
