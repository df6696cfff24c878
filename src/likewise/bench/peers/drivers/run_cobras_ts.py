"""Runs cobras-ts: COBRAS with k-means, which finds the number of groups itself."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from typing import Any

from pipe import Pipe


class Querier:
    """What COBRAS asks; `cobras` is set once it exists."""

    cobras: Any

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe

    def query_points(self, i: int, j: int) -> bool:
        """Return the answer for a pair.

        A checkpoint is reported before the next question and not after the answer, because only
        then has COBRAS noted whether that answer completed a clustering.
        """
        if self.pipe.due:
            results = self.cobras.intermediate_results
            labels = results[-1][0] if results else [0] * len(self.cobras.data)
            self.pipe.report(labels)
        return bool(self.pipe.ask(i, j))

    def continue_cluster_process(self) -> bool:
        """Return that it shall go on: the bench ends the run."""
        return True

    def update_clustering(self, clustering: Any) -> None:
        """Ignore the clustering so far: nobody draws it."""


def main() -> None:
    """Run COBRAS until the bench ends it."""
    import numpy as np
    from cobras_ts.cobras_kmeans import COBRAS_kmeans

    pipe = Pipe()
    problem = pipe.problem()
    np.random.seed(problem["seed"])  # noqa: NPY002 - its k-means takes no seed
    X = np.array(problem["X"])
    querier = Querier(pipe)
    # COBRAS counts repeated pairs as well, so that its own limit must be out of reach.
    querier.cobras = COBRAS_kmeans(X, querier, max_questions=len(X) ** 2 + problem["budget"])
    clustering = querier.cobras.cluster()[0]
    pipe.report(clustering.construct_cluster_labeling(), done=True)


if __name__ == "__main__":
    main()
