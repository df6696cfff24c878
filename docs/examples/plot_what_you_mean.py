"""
One pile, two meanings
======================

Every item has a place from left to right and one from bottom to top, and falls into two kinds
either way. Which grouping is *the* one? Nothing in the data says so: whoever answers does.
"""

import matplotlib.pyplot as plt
import numpy as np

import likewise as lw

rng = np.random.default_rng(0)
across, upward = rng.integers(2, size=(2, 80))
X = np.column_stack([across, upward]) * 4 + rng.normal(size=(80, 2))

# %%
# The same method, the same seed; only the person differs.

figure, both = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for axes, meant, title in zip(both, (across, upward), ("left or right?", "up or down?")):
    run = lw.run(X, lw.oracles.FromLabels(meant), method="urasc", n_clusters=2, budget=40)
    lw.plots.map(X, run.labels_, ax=axes)
    right = lw.metrics.ari(meant, run.labels_)
    axes.set_title(f"{title} {run.n_questions} answers, ARI {right:.2f}")
figure.tight_layout()
