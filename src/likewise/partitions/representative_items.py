"""Items that stand for others: a study of them labels them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.items import Items
from likewise.partitions._addresses import is_address, write_parquet
from likewise.partitions._assignments import RowAssigner
from likewise.partitions.executors import map_tasks

Labels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class RepresentativeItems(Items):
    """Representatives of a pile too large for memory; each shows the row nearest to it.

    A study of them labels all rows: `all_labels` and `write_labels` hand each row the label of its
    representative. Parameters of `Items` are not repeated here.

    Parameters
    ----------
    features, affinity, distances, ids, rows, texts, pictures
        As for `Items`; affinity, distances, texts and pictures are not used.
    copies, stacks, places, digests, content, prepare, encoder, scaling, notes, records, views, off
        As for `Items`.
    sizes : array of int (n,)
        For how many rows each stands.
    partitions : list of RowAssigner
        For every part, how the representative of each row is found again.
    client : Executor, distributed.Client or str, optional
        Who works; None: processes of this machine.
    n_jobs : int
        How many processes; -1 for one per core.
    keep_alive : object
        Whatever must live as long as the items, a temporary folder say.
    """

    sizes: Labels = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    partitions: list[RowAssigner] = field(default_factory=list, repr=False)
    client: Any = field(default=None, compare=False, repr=False)
    n_jobs: int = field(default=-1, compare=False, repr=False)
    keep_alive: Any = field(default=None, compare=False, repr=False)  # a temporary folder, say

    @property
    def n_rows(self) -> int:
        """How many rows the representatives stand for."""
        return int(self.sizes.sum())

    def all_labels(self, labels: Labels) -> Iterator[Labels]:
        """Yield the label of every row, part by part; `labels` are those of the representatives."""
        self._require(labels)
        for part in self.partitions:
            yield np.asarray(labels)[part.assign_rows()[0]]

    def write_labels(
        self, folder: str | Path, labels: Labels, confidence: Floats
    ) -> list[Path] | list[str]:
        """Write every row's id, group and confidence as Parquet, a file for every part.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there; it may be an address that fsspec knows. Files of the same names
            are replaced, each in one piece.
        labels, confidence : arrays (n,)
            Those of the representatives: `study.labels_` and `study.confidence_`.

        Returns
        -------
        list of Path, or of str for an address
            The files, in the order of the parts.
        """
        self._require(labels)
        self._require(confidence)
        names = [f"part-{k:05d}.parquet" for k in range(len(self.partitions))]
        if is_address(folder):
            places = [f"{str(folder).rstrip('/')}/{name}" for name in names]
        else:
            Path(folder).mkdir(parents=True, exist_ok=True)
            places = [str(Path(folder).resolve() / name) for name in names]
        told = (np.asarray(labels, dtype=np.int64), np.asarray(confidence, dtype=np.float64))
        jobs = [(part, *told, place) for part, place in zip(self.partitions, places, strict=True)]
        map_tasks(_write, jobs, client=self.client, n_jobs=self.n_jobs)
        return places if is_address(folder) else [Path(place) for place in places]

    def _require(self, values: Any) -> None:
        """Refuse values that are not one for each representative."""
        if len(values) != len(self):
            raise DataError(
                f"there are {len(self)} representatives but {len(values)} labels or confidences"
            )


def _write(job: tuple[RowAssigner, Labels, Floats, str]) -> str:
    """Write the labels of one part, first under another name: never half a file."""
    with extra_explained():
        import pyarrow as pa

    part, labels, confidence, path = job
    assign_rows, _ = part.assign_rows()
    table = pa.table(
        {"id": part.ids(), "group": labels[assign_rows], "confidence": confidence[assign_rows]}
    )
    write_parquet(table, path)
    return path
