"""Our own methods: which affinity, which clusterer and which strategy each is made of.

A new method is one entry in `RECIPES`; the command line, the bench and the documentation read it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import scipy.sparse as sp

from likewise.affinities import Affinity, Gaussian, ScreenedForest
from likewise.auto import ByKindOfPile, Committee, clusterer_for, representatives_for
from likewise.clusterers import (
    A3S,
    COBRA,
    COBRAS,
    DSL,
    AugmentedMetric,
    AverageLinkParts,
    Clusterer,
    COPKMeans,
    FlexibleSpectral,
    LinearSVM,
    MPCKMeans,
    PCKMeans,
    SingleLink,
    SpectralLearning,
    StagedTransducer,
)
from likewise.errors import MethodError
from likewise.items import Items
from likewise.methods.recipe import (
    Recipe,
    close_neighbours_by_views,
    constraint_forest,
    require_dense_features,
)
from likewise.strategies import (
    Chooser,
    ClosestAcross,
    ClustererDriven,
    ExpectedChange,
    ExpectedEntropy,
    ExpectedError,
    FarthestFirst,
    InformativeRepresentative,
    LargeNearby,
    MinMax,
    NearestBoundary,
    NeighbourEntropy,
    NormalisedUncertainty,
    PairSelection,
    Placing,
    RandomItems,
    RandomPairs,
    RepresentativesFirst,
    TwoStep,
    UncertaintyReduction,
)

_XIONG = "Xiong, Johnson, Corso: Active clustering with model-based uncertainty reduction, 2014"
_BASU = "Basu, Banerjee, Mooney: Active semi-supervision for pairwise constrained clustering, 2004"
_MALLAPRAGADA = (
    "Mallapragada, Jin, Jain: Active query selection for semi-supervised clustering, 2008"
)
_DENG = "Deng, Yuan, Fu, Qu: Query-augmented active metric learning, 2023"
_AZIMI = "Xiong, Azimi, Fern: Active learning of constraints for semi-supervised clustering, 2014"
_ZHU = "Zhu, Loy, Gong: Constrained clustering with imperfect oracles, 2015"
_BODO = "Bodó, Minier, Csató: Active learning with clustering, 2011"
_COBRA = (
    "Van Craenendonck, Dumančić, Blockeel: COBRA, a fast and simple method for active clustering "
    "with pairwise constraints, 2017"
)
_COBRAS = (
    "Van Craenendonck, Dumančić, Van Wolputte, Blockeel: COBRAS, interactive clustering with "
    "pairwise queries, 2018"
)

_A3S = (
    "Deng, Liu, Zhong, Feng, Shen, He, Ye, Wang: A3S, a general active clustering method with "
    "pairwise constraints, 2024"
)
_DSL = (
    "Xie, Fu, Chen, Lee, Deng, Zou, Wang, Liu, Srivastava: Data skeleton learning, scalable active "
    "clustering with sparse graph structures, 2025"
)

_WANG = (
    "Wang, Davidson: Flexible constrained spectral clustering, and Active spectral clustering, 2010"
)
_HUANG = (
    "Huang, Jin, Zhou: Active learning by querying informative and representative examples, 2010"
)
_JAIN = "Jain, Kapoor: Active learning for large multi-class problems, 2009"
_BISWAS = "Biswas, Jacobs: Large scale image clustering with active pairwise constraints, 2011"
_HACC = "Biswas, Jacobs: Active image clustering with pairwise constraints from humans, 2014"
_SCHILD = (
    "Schild, Durantin, Lamirel, Miconi: Iterative and semi-supervised design of chatbots using "
    "interactive clustering, 2022"
)


# More vectors than a pile with a kernel of all pairs has items: then all are computed.
_WHOLE_SPECTRUM = 100_000


def _flexible_spectral(**settings: Any) -> Clusterer:
    """Return the cut of the affinity that agrees with the links."""
    return FlexibleSpectral(affinity="precomputed", **settings)


def _single_link(**settings: Any) -> Clusterer:
    """Return the spanning forest of the affinity that separates cannot-linked items."""
    return SingleLink(affinity="precomputed", **settings)


def _staged(**settings: Any) -> Clusterer:
    """Return the stages of ALG2, labelled items held less tightly than in the paper."""
    return StagedTransducer(cost=100.0, **settings)


def _staged_literally(**settings: Any) -> Clusterer:
    """Return ALG2 with the paper's settings: a hundredth of the items, a kernel of all pairs."""
    return StagedTransducer(
        n_representatives=0.01,
        affinity=Gaussian(width="mean-norm", n_neighbours=None),
        balanced=False,
        length=1.0,
        **settings,
    )


def _staged_without_transducer(**settings: Any) -> Clusterer:
    """Return ALG1: spectral clustering, and SVMs once everything is placed."""
    return StagedTransducer(transduce=False, **settings)


def _staged_with_kernels(**settings: Any) -> Clusterer:
    """Return ALG2 with scores of items by the kernel expansion, which the paper left for later."""
    return _staged_literally(decision="kernel", **settings)


def _literal_forest(items: Items) -> Affinity:
    """Return the forest of `COPRF.literal`."""
    require_dense_features(items)
    return ScreenedForest(
        n_trees=100, n_neighbours=20, sharpness=1.0, max_features="sqrt", scan="running",
        close_links=False, error_rate=0.0, odd_share=0.5, by_kind=False,
    )  # fmt: skip


def _literal_kernel(items: Items) -> Affinity:
    """Return the kernel of the paper's experiments, all pairs of it; its width is our choice."""
    if items.features is None or sp.issparse(items.features):
        raise MethodError(
            "'urasc-literal' needs features in a dense array, for a kernel of all pairs; use "
            "'urasc', which takes any similarities"
        )
    return Gaussian(width="median", n_neighbours=None)


def _literal_spectral_learning(**settings: Any) -> Clusterer:
    """Return section 3.1 as printed: similarities of 1 and -1, L = D - W and its whole spectrum."""
    return SpectralLearning(
        affinity="precomputed",
        cannot_link_value=-1.0,
        normalisation="none",
        unit_rows=False,
        n_extra=_WHOLE_SPECTRUM,
        **settings,
    )


def _additive_spectral_learning(**settings: Any) -> Clusterer:
    """Return spectral learning with cannot-links at -1, which wants the additive normalisation."""
    return SpectralLearning(
        affinity="precomputed",
        cannot_link_value=-1.0,
        normalisation="additive",
        n_extra=10,
        **settings,
    )


def _urasc(summary: str, **settings: Any) -> Recipe:
    return Recipe(summary, lambda: Placing(UncertaintyReduction(**settings)), reference=_XIONG)


def _npu(name: str, clusterer: Callable[..., Clusterer]) -> Recipe:
    summary = f"most uncertainty per question, with {name}"
    return Recipe(summary, lambda: Placing(NormalisedUncertainty()), clusterer, reference=_AZIMI)


def _aqm(
    summary: str, chooser: Callable[[], Chooser], clusterer: Callable[..., Clusterer] | None = None
) -> Recipe:
    return Recipe(
        f"{summary}, in a learned metric",
        lambda: Placing(chooser()),
        clusterer or AugmentedMetric,
        reference=_DENG,
    )


def _augmented_literally(**settings: Any) -> Clusterer:
    """Return AQM's problems without what is added to them; a trace of the prior, to be solvable."""
    return AugmentedMetric(ridge=0.0, prior=0.01, n_starts=1, held_out=False, **settings)


def _augmented_by_feature(**settings: Any) -> Clusterer:
    """Return AQM with the weights (gₘ / cₘ)², the optimum of the authors' published code."""
    return AugmentedMetric(objective="features", prior=0.01, n_starts=1, held_out=False, **settings)


def _augmented_spectrally(**settings: Any) -> Clusterer:
    """Return AQM with spectral clustering in the learned metric, as section 8 proposes."""
    return AugmentedMetric(cluster="spectral", **settings)


_FARTHEST_FIRST = Recipe(
    "explore by farthest first, then consolidate",
    lambda: Placing(FarthestFirst()),
    reference=_BASU,
)
_MINMAX = Recipe(
    "always the item least like any placed one",
    lambda: Placing(MinMax()),
    reference=_MALLAPRAGADA,
)

RECIPES: dict[str, Recipe] = {
    "urasc": _urasc("the item that would move the clustering most (URASC+N)"),
    "urasc-p": _urasc("the same, ambiguity from a mixture model (URASC+P)", step="mixture"),
    "urasc-go": _urasc("gradient of the eigenvectors only (URASC-GO)", step=None),
    "urasc-no": _urasc("ambiguity among neighbours only (URASC-NO)", gradient=False),
    "urasc-po": _urasc(
        "ambiguity from a mixture model only (URASC-PO)", step="mixture", gradient=False
    ),
    "urasc-literal": Recipe(
        "URASC+N as printed: dense kernel, cannot-links at -1, unnormalised Laplacian",
        lambda: Placing(UncertaintyReduction(n_neighbours=20)),
        _literal_spectral_learning,
        _literal_kernel,
        reference=_XIONG,
    ),
    "urasc-additive": Recipe(
        "URASC+N for two groups that the features do not show: cannot-links at -1",
        lambda: Placing(UncertaintyReduction()),
        _additive_spectral_learning,
        reference=_XIONG,
        most_groups=2,
    ),
    "ffqs": _FARTHEST_FIRST,
    "ffqs-pckmeans": replace(
        _FARTHEST_FIRST,
        summary="explore by farthest first, then consolidate, with PCK-means",
        clusterer=PCKMeans,
    ),
    "ffqs-mpckmeans": replace(
        _FARTHEST_FIRST,
        summary="explore by farthest first, then consolidate, with MPCK-means",
        clusterer=MPCKMeans,
    ),
    "minmax": _MINMAX,
    "minmax-pckmeans": replace(
        _MINMAX,
        summary="always the item least like any placed one, with PCK-means",
        clusterer=PCKMeans,
    ),
    "minmax-mpckmeans": replace(
        _MINMAX,
        summary="always the item least like any placed one, with MPCK-means",
        clusterer=MPCKMeans,
    ),
    "aqm-mee": _aqm("the item that settles most pairs", ExpectedEntropy),
    "aqm-npu": _aqm("most uncertainty per question", NormalisedUncertainty),
    "aqm-literal": _aqm(
        "AQM as printed: the item that settles most pairs", ExpectedEntropy, _augmented_literally
    ),
    "aqm-authors": _aqm(
        "the problem of the authors' code: the item that settles most pairs",
        ExpectedEntropy,
        _augmented_by_feature,
    ),
    "aqm-spectral": _aqm(
        "groups of any shape (spectral): the item that settles most pairs",
        ExpectedEntropy,
        _augmented_spectrally,
    ),
    "aqm-two-step": Recipe(
        "the pairs that k-means is least sure of, none chosen by an answer, in a learned metric",
        lambda: PairSelection(TwoStep()),
        AugmentedMetric,
        reference=_DENG,
    ),
    "npu-mpckmeans": _npu("MPCK-means", MPCKMeans),
    "npu-copkmeans": _npu("COP-k-means", COPKMeans),
    "npu-pckmeans": _npu("PCK-means", PCKMeans),
    "coprf": Recipe(
        "the item that settles most pairs (MEE), on the forest of COP-RF without odd answers",
        lambda: Placing(ExpectedEntropy()),
        affinity=constraint_forest,
        reference=_ZHU,
    ),
    "coprf-literal": Recipe(
        "COP-RF as printed: Algorithm 1, the most consistent half of the answers; MEE asks",
        lambda: Placing(ExpectedEntropy()),
        affinity=_literal_forest,
        reference=_ZHU,
    ),
    "cobra": Recipe("over-cluster, then merge by asking", ClustererDriven, COBRA, reference=_COBRA),
    "cobras": Recipe(
        "split what is too coarse, merge what belongs together",
        ClustererDriven,
        COBRAS,
        reference=_COBRAS,
    ),
    "a3s": Recipe(
        "repair a fine clustering: merge by P(same) × fall of entropy, test purity",
        ClustererDriven,
        A3S,
        reference=_A3S,
    ),
    "dsl": Recipe(
        "the longest open edge of a tree of nearest neighbours",
        ClustererDriven,
        DSL,
        reference=_DSL,
    ),
    "sgt": Recipe(
        "nearest the boundary: clusters, then a graph transducer, then SVMs (ALG2)",
        lambda: Placing(RepresentativesFirst(NearestBoundary())),
        _staged,
        reference=_BODO,
    ),
    "alg2": Recipe(
        "ALG2 with its paper's settings: a representative for a hundred items, a dense kernel",
        lambda: Placing(NearestBoundary()),
        _staged_literally,
        reference=_BODO,
    ),
    "alg2-kernel": Recipe(
        "ALG2 with its paper's settings, items scored by kernels instead of inheriting (eq. 4, 6)",
        lambda: Placing(NearestBoundary()),
        _staged_with_kernels,
        reference=_BODO,
    ),
    "alg1": Recipe(
        "random items: clusters until everything is placed, then SVMs (ALG1)",
        lambda: Placing(RandomItems()),
        _staged_without_transducer,
        reference=_BODO,
    ),
    "svm": Recipe(
        "nearest the boundary of a linear SVM",
        lambda: Placing(NearestBoundary()),
        LinearSVM,
        reference=_BODO,
    ),
    "asc": Recipe(
        "the pair about which a cut in two is expected to be wrong",
        lambda: PairSelection(ExpectedError()),
        _flexible_spectral,
        reference=_WANG,
        most_groups=2,
    ),
    "quire": Recipe(
        "the item both uncertain and unlike the placed ones",
        lambda: Placing(InformativeRepresentative()),
        reference=_HUANG,
    ),
    "pknn": Recipe(
        "the item whose placed neighbours disagree",
        lambda: Placing(NeighbourEntropy()),
        reference=_JAIN,
    ),
    "active-hacc": Recipe(
        "the pair whose answer is expected to change the clustering most",
        lambda: PairSelection(ExpectedChange()),
        _single_link,
        reference=_HACC,
    ),
    "cac1": Recipe(
        "whether large clusters close to each other are one",
        lambda: PairSelection(LargeNearby()),
        AverageLinkParts,
        reference=_BISWAS,
    ),
    "closest": Recipe(
        "the closest two items of different clusters",
        lambda: PairSelection(ClosestAcross()),
        reference=_SCHILD,
    ),
    "random-items": Recipe("random items, each placed", lambda: Placing(RandomItems())),
    "random": Recipe("random pairs", RandomPairs),
    "auto": Recipe(
        "what puts most items right: whether groups are one, whether parts are, where items belong",
        ByKindOfPile,
        Committee,
        close_neighbours_by_views,
        hand_over=clusterer_for,
        representatives=representatives_for,
    ),
}
