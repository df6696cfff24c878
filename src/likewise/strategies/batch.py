"""Questions asked together: no answer to one may settle another."""

from __future__ import annotations

from likewise.journal.pairs import Pair, Verdict
from likewise.strategies.base import View


class Independent:
    """Takes pairs one by one, as long as they stay independent of those taken and pending.

    Seen as edges between known groups, the pairs must form a forest: the last edge of a circle is
    probably settled by the others. Groups known to differ count as joined for that, since "same"
    along the way to one of them would settle the pair. When the number of groups is known, an
    answer can settle a pair elsewhere by elimination; that is found out by supposing it.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._tree: dict[int, set[int]] = {}  # component of a group -> all components joined to it
        self._pairs: list[Pair] = []
        for pair in view.pending:
            self._join(pair)

    def accepts(self, pair: Pair) -> bool:
        """Take the pair if it is open, rested and independent; say whether it was taken."""
        known = self.view.constraints
        if pair.unordered in self.view.resting or known.implied(*pair) is not None:
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
        """Whether an answer to the first pair would settle the second."""
        known = self.view.constraints
        for verdict in (Verdict.SAME, Verdict.DIFFERENT):
            with known.supposing(asked, verdict):
                if known.implied(*other) is not None:
                    return True
        return False

    def _join(self, pair: Pair) -> None:
        components = [self.view.constraints.component(item) for item in pair]
        joined = set().union(*(self._tree.get(component, {component}) for component in components))
        for component in joined:
            self._tree[component] = joined
        self._pairs.append(pair)
