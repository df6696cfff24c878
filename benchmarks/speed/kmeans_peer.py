"""FitCache active-semi-supervised-clustering to given links, inside that tool's own environment.

Reads a problem as JSON from stdin, writes labels and the processor seconds of the fit to stdout.
Needs nothing but that package and numpy, and is run by `kmeans_speed`.
"""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import json
import sys
from time import process_time


def main() -> None:
    """Run one fit."""
    import numpy as np
    from active_semi_clustering.exceptions import EmptyClustersException
    from active_semi_clustering.semi_supervised.pairwise_constraints import MPCKMeans, PCKMeans

    # Importing the tool makes every underflow an error in the whole process.
    np.seterr(all="warn", under="ignore")
    problem = json.load(sys.stdin)
    X = np.array(problem["X"])
    kinds = {"PCKMeans": PCKMeans, "MPCKMeans": MPCKMeans}
    model = kinds[problem["kind"]](n_clusters=problem["n_clusters"], w=problem["weight"])
    links = {name: [tuple(pair) for pair in problem[name]] for name in ("ml", "cl")}
    np.random.seed(problem["seed"])  # noqa: NPY002 - the only generator the tool knows
    while True:
        began = process_time()
        try:
            model.fit(X, **links)
        except EmptyClustersException:
            continue  # as its own learners do; only the fit that ends well is timed
        break
    told = {"labels": model.labels_.tolist(), "seconds": process_time() - began}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
