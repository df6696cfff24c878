"""Runs scikit-query: NPU or AIPC with the PCK-means it is used with."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from pipe import Pipe
from run_asc import Oracle


class BudgetedOracle(Oracle):  # type: ignore[misc]
    """The oracle of active-semi-supervised-clustering by scikit-query's name for its limit."""

    @property
    def budget(self) -> int:
        """How many questions there may be."""
        return int(self.max_queries_cnt)


def main() -> None:
    """Run the strategy that the problem names; what it does not ask about is left as it is."""
    import numpy as np
    from active_semi_clustering.semi_supervised.pairwise_constraints import PCKMeans
    from skquery.pairwise import AIPC, NPU

    np.seterr(all="warn", under="ignore")
    pipe = Pipe()
    problem = pipe.problem()
    np.random.seed(problem["seed"])  # noqa: NPY002 - the only generator the tool knows
    X, k = np.array(problem["X"]), problem["n_clusters"]
    oracle = BudgetedOracle(pipe, PCKMeans(n_clusters=k), X, problem["budget"])
    oracle.report_if_due()
    if problem["way"] == "npu-pckmeans":
        NPU(cc_alg=PCKMeans(n_clusters=k)).fit(X, oracle)
    else:
        AIPC().fit(X, oracle, n_clusters=k)
    pipe.report(oracle._fitted_labels(), done=True)


if __name__ == "__main__":
    main()
