"""Every method by name: which affinity, which clusterer and which strategy it is made of.

A new method is one entry here; the command line, the bench and the documentation read this dict.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import Any

import scipy.sparse as sp

from likewise.affinities import (
    Affinity,
    ConstraintForest,
    Cosine,
    Gaussian,
    GaussianOfDistances,
    PrecomputedAffinity,
)
from likewise.auto import Committee, ExpectedGain
from likewise.clusterers import (
    COBRA,
    COBRAS,
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
from likewise.strategies import (
    Chooser,
    ClosestAcross,
    Dialogue,
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
    Strategy,
    UncertaintyReduction,
)

_log = logging.getLogger(__name__)


def neighbour_graph(items: Items) -> Affinity:
    """The affinity that suits what is known of the items: a sparse graph of neighbours."""
    if items.affinity is not None:
        return PrecomputedAffinity()
    if items.distances is not None:
        return GaussianOfDistances()
    return Cosine() if sp.issparse(items.features) else Gaussian()


def close_neighbours(items: Items) -> Affinity:
    """The same with fewer neighbours."""
    affinity = neighbour_graph(items)
    return affinity.set_params(n_neighbours=15) if isinstance(affinity, Gaussian) else affinity


def forest_graph(items: Items) -> Affinity:
    """Neighbours by a forest that respects the answers."""
    if items.features is None or sp.issparse(items.features):
        raise MethodError(
            "a forest needs features in a dense array; reduce sparse ones first, for example by "
            "truncated SVD, or use a method such as 'urasc'"
        )
    return ConstraintForest(n_trees=100, n_neighbours=20)


def spectral(**settings: Any) -> Clusterer:
    """Spectral learning on the affinity, with eigenvectors to spare for differentiating."""
    return SpectralLearning(affinity="precomputed", n_extra=10, **settings)


def cut(**settings: Any) -> Clusterer:
    """The cut of the affinity that agrees with the links."""
    return FlexibleSpectral(affinity="precomputed", **settings)


def single_link(**settings: Any) -> Clusterer:
    """The spanning forest of the affinity that keeps apart what differs."""
    return SingleLink(affinity="precomputed", **settings)


@dataclass(frozen=True)
class Recipe:
    """What a method is made of; the functions build fresh parts for each study.

    `most_groups` is for methods that cannot tell more groups apart; they take it as the number.
    """

    summary: str
    strategy: Callable[[], Strategy]
    clusterer: Callable[..., Clusterer] = spectral  # takes n_clusters and random_state
    affinity: Callable[[Items], Affinity] = neighbour_graph
    reference: str = ""
    most_groups: int | None = None


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


def transducing(**settings: Any) -> Clusterer:
    """The stages from clusters to SVMs, labelled items held less tightly than in the paper."""
    return StagedTransducer(cost=100.0, **settings)


def clustering_first(**settings: Any) -> Clusterer:
    """Spectral clustering, and SVMs once everything is placed: nothing in between."""
    return StagedTransducer(transduce=False, **settings)


def _urasc(summary: str, **settings: Any) -> Recipe:
    return Recipe(summary, lambda: Placing(UncertaintyReduction(**settings)), reference=_XIONG)


def _npu(name: str, clusterer: Callable[..., Clusterer]) -> Recipe:
    summary = f"most uncertainty per question, with {name}"
    return Recipe(summary, lambda: Placing(NormalisedUncertainty()), clusterer, reference=_AZIMI)


def _aqm(summary: str, chooser: Callable[[], Chooser]) -> Recipe:
    return Recipe(
        f"{summary}, in a learned metric",
        lambda: Placing(chooser()),
        AugmentedMetric,
        reference=_DENG,
    )


METHODS: dict[str, Recipe] = {
    "urasc": _urasc("the item that would move the clustering most (URASC+N)"),
    "urasc-p": _urasc("the same, ambiguity from a mixture model (URASC+P)", step="mixture"),
    "urasc-go": _urasc("gradient of the eigenvectors only (URASC-GO)", step=None),
    "urasc-no": _urasc("ambiguity among neighbours only (URASC-NO)", gradient=False),
    "urasc-po": _urasc(
        "ambiguity from a mixture model only (URASC-PO)", step="mixture", gradient=False
    ),
    "ffqs": Recipe(
        "explore by farthest first, then consolidate",
        lambda: Placing(FarthestFirst()),
        reference=_BASU,
    ),
    "minmax": Recipe(
        "always the item least like any placed one",
        lambda: Placing(MinMax()),
        reference=_MALLAPRAGADA,
    ),
    "aqm-mee": _aqm("the item that settles most pairs", ExpectedEntropy),
    "aqm-npu": _aqm("most uncertainty per question", NormalisedUncertainty),
    "npu-mpckmeans": _npu("MPCK-means", MPCKMeans),
    "npu-copkmeans": _npu("COP-k-means", COPKMeans),
    "npu-pckmeans": _npu("PCK-means", PCKMeans),
    "coprf": Recipe(
        "what settles most pairs, on a forest that respects the answers",
        lambda: Placing(ExpectedEntropy()),
        affinity=forest_graph,
        reference=_ZHU,
    ),
    "cobra": Recipe("over-cluster, then merge by asking", Dialogue, COBRA, reference=_COBRA),
    "cobras": Recipe(
        "split what is too coarse, merge what belongs together",
        Dialogue,
        COBRAS,
        reference=_COBRAS,
    ),
    "sgt": Recipe(
        "nearest the boundary: clusters, then a graph transducer, then SVMs (ALG2)",
        lambda: Placing(NearestBoundary()),
        transducing,
        reference=_BODO,
    ),
    "alg1": Recipe(
        "random items: clusters until everything is placed, then SVMs (ALG1)",
        lambda: Placing(RandomItems()),
        clustering_first,
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
        cut,
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
        single_link,
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
}
METHODS["auto"] = Recipe(
    "most gain expected per question, by experts that the answers give their say",
    ExpectedGain,
    Committee,
    close_neighbours,
)


def _add_installed() -> None:
    """Take in what other packages offer as entry points "likewise.methods"; ours have priority."""
    for entry in entry_points(group="likewise.methods"):
        try:
            METHODS.setdefault(entry.name, entry.load())
        except Exception:  # noqa: BLE001 - somebody else's package must not break ours
            _log.warning(
                "the method %r of %s cannot be loaded", entry.name, entry.value, exc_info=True
            )


_add_installed()


def recipe(name: str) -> Recipe:
    """The recipe of a method, or a sentence that says which names there are."""
    if name in METHODS:
        return METHODS[name]
    close = get_close_matches(str(name), METHODS, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(sorted(METHODS))}"
    raise MethodError(f"there is no method {name!r}; {hint}")


def groups_for(method: str, n_clusters: int | None) -> int | None:
    """The number of groups that a study by this method has, where it is known.

    A method for two groups takes it that there are two, unless it is told of more.
    """
    most = recipe(method).most_groups
    if most is None:
        return n_clusters
    if n_clusters is not None and n_clusters > most:
        raise MethodError(
            f"the method {method!r} tells {most} groups apart, not {n_clusters}; "
            "use 'urasc', 'quire' or 'closest' for more"
        )
    return most if n_clusters is None else n_clusters
