"""Runs cognitivefactory-interactive-clustering: the closest pair of two clusters, refit, repeat."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

from typing import Any

from pipe import Pipe


def main() -> None:
    """Run the loop: cluster, ask about the closest pair across clusters, repeat."""
    import numpy as np
    from cognitivefactory.interactive_clustering.clustering.factory import clustering_factory
    from cognitivefactory.interactive_clustering.constraints.factory import managing_factory
    from cognitivefactory.interactive_clustering.sampling.factory import sampling_factory
    from scipy.sparse import csr_matrix

    pipe = Pipe()
    problem = pipe.problem()
    seed, k = problem["seed"], problem["n_clusters"]
    # The tool compares names as text, so they must sort like numbers.
    names = [f"{i:09d}" for i in range(len(problem["X"]))]
    vectors = {
        name: csr_matrix(np.array([row])) for name, row in zip(names, problem["X"], strict=True)
    }
    manager = managing_factory(manager="binary", list_of_data_IDs=names)
    algorithm = problem["way"].split("-")[0]
    model = clustering_factory(algorithm=algorithm, random_seed=seed)
    sampler = sampling_factory(algorithm="closest_in_different_clusters", random_seed=seed)

    def clusters() -> dict[str, Any]:
        fitted: dict[str, Any] = model.cluster(
            constraints_manager=manager, vectors=vectors, nb_clusters=k
        )
        return fitted

    while True:
        groups = clusters()
        if pipe.due:
            pipe.report(groups[name] for name in names)
        pairs = sampler.sample(
            constraints_manager=manager, nb_to_select=1, clustering_result=groups, vectors=vectors
        )
        if not pairs:
            break
        one, other = pairs[0]
        link = "MUST_LINK" if pipe.ask(int(one), int(other)) else "CANNOT_LINK"
        manager.add_constraint(data_ID1=one, data_ID2=other, constraint_type=link)
    pipe.report((groups[name] for name in names), done=True)


if __name__ == "__main__":
    main()
