"""Runs scikit-activeml's QUIRE: it picks an item, questions find the group of that item."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from typing import Any

from pipe import Pipe


class Placing:
    """Groups found so far, and the model behind QUIRE that predicts those of the other items."""

    def __init__(self, pipe: Pipe, X: Any, n_clusters: int) -> None:
        import numpy as np

        self.pipe = pipe
        self.X = X
        self.n_clusters = n_clusters
        self.groups = np.full(len(X), np.nan)  # nan: not placed yet, as the tool has it
        self.members: list[int] = []  # one item of each group

    def scores(self) -> Any:  # (n_items, n_groups), larger is likelier
        """Return least-squares scores per group, with QUIRE's kernel and regularisation."""
        import numpy as np
        from sklearn.kernel_ridge import KernelRidge

        if len(self.members) < 2:
            return np.zeros((len(self.X), 1))
        placed = ~np.isnan(self.groups)
        signs = np.where(self.groups[placed, None] == np.arange(len(self.members)), 1.0, -1.0)
        model = KernelRidge(kernel="rbf", alpha=1.0).fit(self.X[placed], signs)
        return model.predict(self.X)

    def labels(self) -> Any:
        """Return the group of every placed item, and the likeliest one of every other."""
        import numpy as np

        return np.where(np.isnan(self.groups), self.scores().argmax(axis=1), self.groups)

    def place(self, item: int) -> None:
        """Ask about `item` and one member of each group, the likeliest group first."""
        order = (-self.scores()[item]).argsort(kind="stable")[: len(self.members)]
        for position, group in enumerate(order):
            only_one_left = position == self.n_clusters - 1
            if only_one_left or self.ask(item, self.members[group]):
                self.groups[item] = group
                break
        else:
            self.groups[item] = len(self.members)
            self.members.append(item)
        self.report_if_due()

    def ask(self, item: int, member: int) -> bool:
        """Ask one question; a "same" places the item, and labels are given only after that."""
        same = bool(self.pipe.ask(item, member))
        if not same:
            self.report_if_due()
        return same

    def report_if_due(self) -> None:
        """Give labels if the bench wants some."""
        if self.pipe.due:
            self.pipe.report(self.labels())


def main() -> None:
    """Run QUIRE until every item is placed."""
    import numpy as np
    from skactiveml.pool import Quire

    pipe = Pipe()
    problem = pipe.problem()
    X, k = np.array(problem["X"]), problem["n_clusters"]
    placing = Placing(pipe, X, k)
    placing.report_if_due()
    quire = Quire(classes=list(range(k)), lmbda=1.0, random_state=problem["seed"])
    while np.isnan(placing.groups).any():
        placing.place(int(quire.query(X, placing.groups)[0]))
    pipe.report(placing.groups, done=True)


if __name__ == "__main__":
    main()
