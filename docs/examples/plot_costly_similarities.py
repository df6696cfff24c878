"""
Similarities that cost something
================================

Where every look at a pair is an experiment, one wants to look at few. Two rules choose which
similarities to measure; the curve shows how right the two groups are after so many.
"""

import matplotlib.pyplot as plt
import numpy as np

import likewise as lw

X, y = lw.datasets.two_gaussians(n=30, random_state=0)
similarity = np.exp(-((X[:, None] - X[None, :]) ** 2).sum(axis=2))

# %%
# The truth is known here, so that the runs can be scored.

figure, axes = plt.subplots(figsize=(6.4, 4))
for method in ("iu-red", "random"):
    run = lw.run_similarity(
        lw.oracles.FromMatrix(similarity), len(y), method=method, budget=400, reference=y
    )
    axes.plot(run.curve.measurements, run.curve.error, label=method)
axes.set(xlabel="similarities measured", ylabel="share of items in the wrong group")
axes.legend(frameon=False)
figure.tight_layout()
