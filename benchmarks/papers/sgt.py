"""Active learning with clustering beside its paper: AUC and area under the learning curve.

Run with `python -m benchmarks sgt`; LIKEWISE_DATA must hold the data sets named below. The loop is
that of the Active Learning Challenge: the items are cut in two halves at random, one positive item
of the first is labelled, and labels are bought in the first half, 1, 2, 4, … in all, until it is
spent; AUC is measured on the second half, which takes part without labels. ALG1, ALG2 and SVM are
the paper's with its settings; "ALG2, kernels" gives items scores of their own by the kernel
expansion (eq. 4 and 6) where ALG2 lets them inherit their representative's; sgt is our method of
that name, on a sparse neighbour graph of all items. The last row of each learner, with all labels,
is bagged SVMs (a single one for SVM).
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.affinities import Gaussian
from likewise.clusterers import LinearSVM, StagedTransducer
from likewise.clusterers.transduction.svm import BaggedLinearSVM
from likewise.features.tfidf import tfidf_lsa

SEEDS = range(2)
LEARNERS = ("ALG1", "ALG2", "ALG2, kernels", "SVM", "sgt")
PUBLISHED = {  # AUC/ALC in percent: tables 1 and 2
    "ALEX": ("91.86/77.40", "92.23/72.63", "89.12/68.46"),
    "IBN_SINA": ("97.73/69.98", "97.79/68.70", "97.83/82.23"),
    "NOVA": ("98.46/83.03", "98.46/80.75", "98.41/81.44"),
    "NOVA, tf-idf": ("98.93/96.12", "98.93/93.35", "98.92/71.28"),
    "A": ("84.96/4.19", "84.52/−13.99", "55.92/12.91"),
    "D": ("95.24/74.49", "95.20/67.30", "95.23/68.42"),
    "D, tf-idf": ("96.41/86.10", "96.38/63.22", "96.35/84.24"),
    "F": ("96.27/38.07", "96.28/28.16", "96.52/60.24"),
}

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Links = dict[str, Any]  # must_link and cannot_link


def main() -> None:
    """Run every learner on every data set."""
    rows, held = [], []
    for name, (X, y) in data_sets().items():
        curves = {learner: [curve(learner, X, y, seed) for seed in SEEDS] for learner in LEARNERS}
        for learner, runs in curves.items():
            last = 100 * np.mean([aucs[-1] for _, aucs in runs])
            areas = [100 * lw.metrics.alc(counts, aucs, counts[-1]) for counts, aucs in runs]
            early = [100 * at(counts, aucs, 64) for counts, aucs in runs]
            rows.append([
                name, learner, f"{last:.2f}", f"{np.mean(areas):.2f} ± {np.std(areas):.2f}",
                f"{np.mean(early):.2f}",
            ])  # fmt: skip
            sys.stderr.write(" ".join(rows[-1]) + "\n")
        order = sorted(LEARNERS, key=lambda learner: -mean_area(curves[learner]))
        held.append([name, f"{len(X):,}", f"{100 * y.mean():.1f}", " > ".join(order)])
    header = ["data", "learner", "AUC at the end", "ALC (± over splits)", "AUC at 64 labels"]
    write_table("sgt", markdown(header, rows))
    write_table("sgt_order", markdown(["data", "items", "positive, %", "by ALC, best first"], held))
    lines = [[name, *figures] for name, figures in PUBLISHED.items()]
    write_table("sgt_published", markdown(["data of the paper", "ALG1", "ALG2", "SVM"], lines))


def mean_area(runs: list[tuple[list[int], list[float]]]) -> float:
    return float(np.mean([lw.metrics.alc(counts, aucs, counts[-1]) for counts, aucs in runs]))


def at(counts: list[int], aucs: list[float], n: int) -> float:
    """Return the height of a curve at so many labels."""
    return float(np.interp(np.log2(n), np.log2(counts), aucs))


def curve(learner: str, X: Floats, y: Labels, seed: int) -> tuple[list[int], list[float]]:
    """Return numbers of labels, and AUC on the second half at each."""
    order = np.random.default_rng(seed).permutation(len(X))
    train, test = np.sort(order[: len(X) // 2]), np.sort(order[len(X) // 2 :])
    positive = train[y[train] == 1]
    labelled = [int(np.random.default_rng(seed).choice(positive))]
    counts, aucs, model = [], [], None
    while len(labelled) < len(train):
        model = fitted(learner, X, y, labelled, seed, model)
        scores = positive_scores(model, y, labelled)
        counts.append(len(labelled))
        aucs.append(lw.metrics.auc(y[test], scores[test]))
        if learner == "ALG1":
            break
        rest = np.setdiff1d(train, labelled)
        wanted = min(2 * len(labelled), len(train)) - len(labelled)
        nearest = np.argsort(model.margin_[rest], kind="stable")[:wanted]
        labelled += rest[nearest].tolist()
    bags = 1 if learner == "SVM" else 20
    svms = BaggedLinearSVM.of(X[train], y[train], n_bags=bags, random_state=seed)
    counts.append(len(train))
    aucs.append(lw.metrics.auc(y[test], svms.scores(X[test])[:, 1]))
    return counts, aucs


def fitted(learner: str, X: Floats, y: Labels, labelled: list[int], seed: int, start: Any) -> Any:
    links = links_of(y, labelled)
    if learner == "SVM":
        return LinearSVM(random_state=seed).fit(X, **links)
    if learner == "sgt":
        return StagedTransducer(cost=100.0, random_state=seed).fit(X, **links, start=start)
    return StagedTransducer(
        n_representatives=max(2, (len(X) - len(labelled)) // 100),
        affinity=Gaussian(width="mean-norm", n_neighbours=None),
        balanced=False, length=1.0, transduce=learner != "ALG1", random_state=seed,
        decision="kernel" if learner == "ALG2, kernels" else "nearest",
    ).fit(X, **links)  # fmt: skip


def positive_scores(model: Any, y: Labels, labelled: list[int]) -> Floats:
    """Return how much items belong to the class of the first label, which is positive."""
    told = np.array(labelled)
    if (y[told] == 1).all():  # clusters have no names: it is the one in which the label is
        return np.asarray(model.scores_[:, model.scores_[told[0]].argmax()])
    # Classes are numbered by their first item.
    return np.asarray(model.scores_[:, int(told[y[told] == 1].min() > told[y[told] == 0].min())])


def links_of(y: Labels, labelled: list[int]) -> Links:
    """Return the links by which labels are told."""
    first: dict[int, int] = {}
    for item in labelled:
        first.setdefault(int(y[item]), item)
    must = [(first[int(y[item])], item) for item in labelled if first[int(y[item])] != item]
    return {"must_link": must, "cannot_link": [(first[0], first[1])] if len(first) == 2 else []}


def data_sets() -> dict[str, tuple[Floats, Labels]]:
    """Return two classes each, the second positive."""
    digits, kind = lw.datasets.load("pendigits")
    cover, trees = lw.datasets.load("covertype_sample10k")
    sylva, ponderosa = lw.datasets.load("sylva_prior")
    posts, topic = texts("nova_like")
    sets = {
        "nova_like, tf-idf": (tfidf_lsa(posts), (topic == "politics_religion").astype(np.int64)),
        "sylva_prior": (scaled(sylva), ponderosa),
        "covertype, spruce and pine": (scaled(cover), (trees < 2).astype(np.int64)),
        "pendigits, even and odd": (scaled(digits), kind % 2),
    }
    posts, topic = texts("newsgroups20_2000")
    for one, other in (("rec.autos", "rec.motorcycles"), ("sci.space", "talk.religion.misc")):
        both = np.isin(topic, [one, other])
        chosen = [post for post, wanted in zip(posts, both, strict=True) if wanted]
        sets[f"{one} and {other}"] = (tfidf_lsa(chosen), (topic[both] == other).astype(np.int64))
    return sets


def scaled(X: Floats) -> Floats:
    return np.asarray(lw.Items.of(X).features)


def texts(name: str) -> tuple[list[str], npt.NDArray[np.str_]]:
    """Return a data set of texts, with the names of their classes."""
    path = Path(os.environ["LIKEWISE_DATA"]) / f"{name}.csv"
    csv.field_size_limit(10**7)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row["text"] for row in rows], np.array([row["label"] for row in rows])
