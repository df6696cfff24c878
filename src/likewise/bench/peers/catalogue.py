"""Which public tools there are to compare with, and what each of them needs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import MissingExtra

_DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Peer:
    """One way to run one public tool; `name` is the tool, a colon and the way.

    Tools that no package index has are run from a checkout, which whoever wants them fetches:
    LIKEWISE_CHECKOUTS names the folder in which it lies under the name of its repository.

    >>> PEERS["cobras-ts"].needs_k
    False
    """

    name: str
    summary: str
    requirements: tuple[str, ...]
    needs_k: bool  # whether the number of groups must be known beforehand
    repository: str = ""  # OWNER/NAME of what has to be checked out; none: it is on the index
    asks_again: bool = False  # whether a pair asked again is meant as another opinion

    @property
    def checkout(self) -> Path | None:
        """Where the tool's own code lies; None where it comes from the index."""
        if not self.repository:
            return None
        folder = os.environ.get("LIKEWISE_CHECKOUTS")
        name = self.repository.partition("/")[2]
        if not folder or not (Path(folder) / name).is_dir():
            raise MissingExtra(
                f"{self.name} is on no package index: fetch github.com/{self.repository} into a "
                f"folder {name} and let LIKEWISE_CHECKOUTS name the folder it lies in"
            )
        return (Path(folder) / name).resolve()

    @property
    def group(self) -> str:
        """The tool, which has one driver and one environment for all its ways.

        >>> PEERS["asc:npu-pckmeans"].group
        'asc'
        """
        return self.name.partition(":")[0]

    @property
    def driver(self) -> Path:
        """The file that runs the tool, inside the tool's own environment."""
        # "run_", because a script named like the package would hide it.
        return _DRIVERS / f"run_{self.group.replace('-', '_')}.py"


# Versions that work with the code as published: cobras-ts uses `np.int`, which has gone from
# numpy, and trusts k-means to start ten times; interactive-clustering stacks generators, which
# scipy no longer takes; active-semi-supervised-clustering needs a metric-learn of that time.
_OLD_STACK = ("numpy==1.23.5", "scipy==1.10.1", "scikit-learn==1.2.2")
_ASC = ("active-semi-supervised-clustering==0.0.1", "metric-learn==0.6.2", *_OLD_STACK)
_COBRAS = ("cobras-ts==0.1.3", *_OLD_STACK)
_ICGUI = ("cognitivefactory-interactive-clustering==1.0.0", *_OLD_STACK)
_QUIRE = ("scikit-activeml==1.0.1", "numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.9.1")
_SKQUERY = (
    "scikit-query==0.4.2", "active-semi-supervised-clustering==0.0.1", "metric-learn==0.6.2",
    "numpy==2.2.6", "scipy==1.15.3", "scikit-learn==1.9.1",
)  # fmt: skip
_A3S = ("tqdm==4.67.1", "joblib==1.4.2", *_OLD_STACK)
_NCOBRAS_CODE, _A3S_CODE = "jonassoenen/noise_robust_cobras", "xiangtanshi/A3S"

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("asc:npu-pckmeans", "Normalised point-based uncertainty, PCK-means", _ASC, True),
        Peer("asc:npu-mpckmeans", "Normalised point-based uncertainty, MPCK-means", _ASC, True),
        Peer("asc:npu-copkmeans", "Normalised point-based uncertainty, COP-k-means", _ASC, True),
        Peer("asc:minmax-pckmeans", "Farthest-first, then min-max; PCK-means", _ASC, True),
        Peer("asc:ffqs-pckmeans", "Explore and consolidate, PCK-means", _ASC, True),
        Peer("asc:minmax-mpckmeans", "Farthest-first, then min-max; MPCK-means", _ASC, True),
        Peer("asc:ffqs-mpckmeans", "Explore and consolidate, MPCK-means", _ASC, True),
        Peer("cobras-ts", "COBRAS: super-instances split and merged", _COBRAS, False),
        Peer("icgui:spectral-closest", "Closest across clusters, spectral SPEC", _ICGUI, True),
        Peer("icgui:kmeans-closest", "Closest across clusters, COP-k-means", _ICGUI, True),
        Peer("skactiveml:quire", "QUIRE: items placed by questions", _QUIRE, True),
        Peer("skquery:npu-pckmeans", "Normalised point-based uncertainty", _SKQUERY, True),
        Peer("skquery:aipc-pckmeans", "Weak against strong items, PCK-means", _SKQUERY, True),
        Peer("ncobras", "COBRAS for wrong answers", _OLD_STACK, False, _NCOBRAS_CODE, True),
        Peer("a3s-authors", "A3S by its authors", _A3S, True, _A3S_CODE),
    )
}
