"""Runs active-semi-supervised-clustering: NPU, MinMax or Explore-Consolidate with a k-means."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from typing import Any

from pipe import Pipe

_MAX_TRIES = 100  # of a fit that leaves a cluster empty


class Oracle:
    """What the learners query; labels are fitted apart whenever a checkpoint is reached."""

    def __init__(self, pipe: Pipe, clusterer: Any, X: Any, budget: int) -> None:
        self.pipe = pipe
        self.clusterer = clusterer
        self.X = X
        self.max_queries_cnt = budget  # the learners read it; the bench is what ends the run
        self.answers: dict[tuple[int, int], bool] = {}

    def query(self, i: int, j: int) -> bool:
        """Return the answer for a pair, in the learners' own word."""
        same = bool(self.pipe.ask(i, j))
        if i != j:
            self.answers[int(i), int(j)] = same
        self.report_if_due()
        return same

    def report_if_due(self) -> None:
        """Fit the clusterer to the answers so far, leaving the learner's random numbers alone."""
        if not self.pipe.due:
            return
        import numpy as np

        state = np.random.get_state()  # noqa: NPY002 - the tool draws from the global generator
        self.pipe.report(self._fitted_labels())
        np.random.set_state(state)  # noqa: NPY002

    def _fitted_labels(self) -> Any:
        from active_semi_clustering.exceptions import EmptyClustersException

        must = [pair for pair, same in self.answers.items() if same]
        cannot = [pair for pair, same in self.answers.items() if not same]
        for _ in range(_MAX_TRIES):
            try:
                return self.clusterer.fit(self.X, ml=must, cl=cannot).labels_
            except EmptyClustersException:
                continue
        raise RuntimeError(f"the clusterer left a cluster empty {_MAX_TRIES} times")


def main() -> None:
    """Run the learner that the problem names."""
    import numpy as np
    from active_semi_clustering.active.pairwise_constraints import NPU, ExploreConsolidate, MinMax
    from active_semi_clustering.semi_supervised.pairwise_constraints import (
        COPKMeans,
        MPCKMeans,
        PCKMeans,
    )

    # Importing the tool makes every underflow an error in the whole process.
    np.seterr(all="warn", under="ignore")
    learners = {"npu": NPU, "minmax": MinMax, "ffqs": ExploreConsolidate}
    clusterers = {"pckmeans": PCKMeans, "mpckmeans": MPCKMeans, "copkmeans": COPKMeans}

    pipe = Pipe()
    problem = pipe.problem()
    np.random.seed(problem["seed"])  # noqa: NPY002 - the only generator the tool knows
    X, k = np.array(problem["X"]), problem["n_clusters"]
    learner, clusterer = problem["way"].split("-")
    oracle = Oracle(pipe, clusterers[clusterer](n_clusters=k), X, problem["budget"])
    oracle.report_if_due()
    own = clusterers[clusterer](n_clusters=k)
    learners[learner](n_clusters=k, clusterer=own).fit(X, oracle=oracle)


if __name__ == "__main__":
    main()
