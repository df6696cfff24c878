"""
What answers buy
================

Two methods sort the same flowers. Each answer of a simulated person, who knows the species, goes
where the method wants it; the curve shows how right the groups are after so many.
"""

import matplotlib.pyplot as plt

import likewise as lw

X, y = lw.datasets.load("iris")


def runs(method: str) -> list[lw.Run]:
    oracle = lw.oracles.FromLabels(y)
    return [
        lw.run(X, oracle, method=method, budget=60, n_clusters=3, random_state=seed)
        for seed in range(3)
    ]


# %%
# The line is the mean of three runs, the shade their standard deviation.

figure, axes = plt.subplots(figsize=(6.4, 4))
lw.plots.curve({method: runs(method) for method in ("urasc", "random")}, ax=axes)
figure.tight_layout()
