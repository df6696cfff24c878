"""
Whom to believe
===============

Three people answer about the same pairs, one of them by tossing a coin. Nobody says who that is:
how often each errs is learned from where they disagree.
"""

import matplotlib.pyplot as plt
import numpy as np

import likewise as lw

X, y = lw.datasets.load("iris")
errors = {"Ada": 0.05, "Bob": 0.15, "coin": 0.5}
people = [lw.answerers.Simulated(name, y, error=error) for name, error in errors.items()]
study = lw.Study(X, n_clusters=3, method="random-items")
rng = np.random.default_rng(0)
for i, j in rng.choice(50, (60, 2)) * 3:
    if i != j:
        for person in people:
            study.tell((int(i), int(j)), person(int(i), int(j)), who=person.name)

# %%
# Bars reach from the lower to the upper bound of the share of wrong answers; crosses are the truth.

table = study.answerers_.set_index("who").loc[list(errors)]
figure, axes = plt.subplots(figsize=(6.4, 3))
axes.barh(table.index, table.high - table.low, left=table.low, height=0.4)
axes.plot(list(errors.values()), table.index, "kx")
axes.set(xlabel="share of wrong answers", xlim=(0, 1))
figure.tight_layout()
