"""
How alike, by the data and by the answers
=========================================

A kernel knows the features alone. A forest whose splits must respect the answers puts items
together that people called the same: dark squares along the diagonal.
"""

import matplotlib.pyplot as plt
import numpy as np

import likewise as lw

X, y = lw.datasets.load("wine")
X = (X - X.mean(axis=0)) / X.std(axis=0)
pairs = np.random.default_rng(0).integers(len(X), size=(150, 2))
pairs = pairs[pairs[:, 0] != pairs[:, 1]]
same = y[pairs[:, 0]] == y[pairs[:, 1]]

# %%
# The rows are sorted by the grower of the wine, which neither of them was told.

affinities = {
    "the Gaussian kernel": lw.affinities.Gaussian(n_neighbours=None).fit(X),
    "a forest with 150 answers": lw.affinities.ConstraintForest(n_trees=100, random_state=0).fit(
        X, must_link=pairs[same], cannot_link=pairs[~same]
    ),
}
figure, both = plt.subplots(1, 2, figsize=(9, 4.2))
for axes, (name, fitted) in zip(both, affinities.items()):
    lw.plots.affinity(fitted.affinity_, y, ax=axes)
    axes.set_title(name)
figure.tight_layout()
