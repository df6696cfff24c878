"""
k-means that is told what belongs together
==========================================

Long groups are cut across by k-means, which likes round ones. Four links
between items whose kind somebody knows turn the cut.
"""

import matplotlib.pyplot as plt
import numpy as np

import likewise as lw

rng = np.random.default_rng(1)
kind = np.repeat([0, 1], 60)
X = rng.normal(size=(120, 2)) * [4.0, 0.5] + np.column_stack([0 * kind, 3 * kind])

# %%
# The outermost items of either kind belong together, and not to the other kind.

left, right = ([X[kind == k, 0].argsort()[[at]].item() + 60 * k for k in (0, 1)] for at in (0, -1))
links = {
    "must_link": [(left[0], right[0]), (left[1], right[1])],
    "cannot_link": [(left[0], left[1]), (right[0], right[1])],
}
figure, both = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for axes, told, title in zip(both, ({}, links), ("without links", "with four links")):
    model = lw.clusterers.MPCKMeans(n_clusters=2, random_state=0).fit(X, **told)
    lw.plots.map(X, model.labels_, ax=axes)
    axes.set_title(f"{title}: ARI {lw.metrics.ari(kind, model.labels_):.2f}")
figure.tight_layout()
