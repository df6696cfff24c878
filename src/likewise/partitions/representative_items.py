"""Items that stand for others: a study of them labels them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representative_votes import Regions
from likewise.errors import DataError
from likewise.items import Items
from likewise.partitions._addresses import is_address
from likewise.partitions._assignments import RowAssigner
from likewise.partitions._label_files import places_for_labels, remove_others, write_part
from likewise.partitions.executors import map_tasks
from likewise.partitions.partition import require_there

Labels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
ElectionJob = tuple[RowAssigner, Regions, Labels, Floats]  # the last two of the representatives


@dataclass(frozen=True, repr=False)
class RepresentativeItems(Items):
    """Representatives of a pile too large for memory; each shows the row nearest to it.

    A study of them labels all rows: `all_labels` and `write_labels` let the five representatives
    nearest to each row vote, as a study of a large pile in memory does. Parameters of `Items` are
    not repeated here.

    Parameters
    ----------
    features, affinity, distances, ids, rows, texts, pictures
        As for `Items`; affinity, distances, texts and pictures are not used.
    copies, stacks, places, digests, content, prepare, encoder, scaling, notes, records, views, off
        As for `Items`.
    sizes : array of int (n,)
        For how many rows each stands.
    rows_digest : bytes
        A short name for the rows that they stand for, whatever files these are in.
    partitions : list of RowAssigner
        For every part, how the representative of each row is found again.
    client : Executor, distributed.Client or str, optional
        Who works; None: processes of this machine.
    n_jobs : int
        How many processes; -1 for one per core.
    keep_alive : object
        Whatever must live as long as the items, a temporary folder say.
    kept_in : Path, optional
        The folder of the cache in which they are kept; None: in none.
    """

    sizes: Labels = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    rows_digest: bytes = b""
    partitions: list[RowAssigner] = field(default_factory=list, repr=False)
    client: Any = field(default=None, compare=False, repr=False)
    n_jobs: int = field(default=-1, compare=False, repr=False)
    keep_alive: Any = field(default=None, compare=False, repr=False)  # a temporary folder, say
    kept_in: Path | None = field(default=None, compare=False, repr=False)

    @property
    def n_rows(self) -> int:
        """How many rows the representatives stand for."""
        return int(self.sizes.sum())

    @property
    def compared_columns(self) -> tuple[str, ...]:
        """The columns of a table that rows are compared by; empty for rows of a matrix."""
        return tuple(getattr(self.partitions[0].part, "columns", ()))

    @property
    def text_model(self) -> str:
        """What the texts in the one such column are compared by; "" where it holds numbers."""
        return str(getattr(self.partitions[0].part, "model", ""))

    def stands_for_others_than(self, earlier: Items) -> bool:
        """Return whether there are other representatives than earlier, or other rows."""
        if not isinstance(earlier, RepresentativeItems) or self.rows_digest != earlier.rows_digest:
            return True
        return super().stands_for_others_than(earlier)

    def require_parts(self) -> None:
        """Raise a `DataError` if the file of a part is gone, without which not all have labels."""
        require_there(one.part for one in self.partitions)

    def all_labels(self, labels: Labels, confidence: Floats | None = None) -> Iterator[Labels]:
        """Yield the label of every row, part by part.

        Parameters
        ----------
        labels, confidence : arrays (n,)
            Those of the representatives; without confidence all are equally sure.
        """
        for elected, _ in self.all_elected(labels, confidence):
            yield np.asarray(labels)[elected]

    def all_elected(
        self, labels: Labels, confidence: Floats | None = None
    ) -> Iterator[tuple[Labels, Floats]]:
        """Yield which representative's group every row has, and how sure that is, part by part.

        The five representatives nearest to a row vote, nearer and surer ones counting more; the
        nearest of those that have the group stands for it. The row that is shown for a
        representative has that one's group. Parameters are those of `all_labels`.
        """
        jobs = self._jobs(labels, confidence)
        for job in jobs:
            # As a task, so that here too it has one thread and adds up in one order.
            yield from map_tasks(_elect, [job], n_jobs=1)

    def write_labels(
        self, folder: str | Path, labels: Labels, confidence: Floats
    ) -> list[Path] | list[str]:
        """Write every row's id, group and confidence as Parquet, a file for every part.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there; it may be an address that fsspec knows. Labels that are there
            are replaced, each file in one piece.
        labels, confidence : arrays (n,)
            Those of the representatives: `study.labels_` and `study.confidence_`.

        Returns
        -------
        list of Path, or of str for an address
            The files, in the order of the parts.

        Raises
        ------
        DataError
            If the pile is in that folder, or other files there have the names of those of labels.
        """
        jobs = self._jobs(labels, confidence)
        to = str(folder).rstrip("/") if is_address(folder) else str(Path(folder).resolve())
        places = places_for_labels(to, [one.part for one in self.partitions])
        if not is_address(folder):
            Path(to).mkdir(parents=True, exist_ok=True)
        tasks = list(zip(jobs, places, strict=True))
        map_tasks(_write, tasks, client=self.client, n_jobs=self.n_jobs)
        remove_others(to, places)
        return places if is_address(folder) else [Path(place) for place in places]

    def _jobs(self, labels: Labels, confidence: Floats | None) -> list[ElectionJob]:
        sure = np.ones(len(self)) if confidence is None else confidence
        self._require(labels)
        self._require(sure)
        told = (np.asarray(labels, dtype=np.int64), np.asarray(sure, dtype=np.float64))
        regions = Regions.of(self.partitions[0].representatives)
        return [(part, regions, *told) for part in self.partitions]

    def _require(self, values: Any) -> None:
        """Refuse values that are not one for each representative."""
        if len(values) != len(self):
            raise DataError(
                f"there are {len(self)} representatives but {len(values)} labels or confidences"
            )


def _elect(job: ElectionJob) -> tuple[Labels, Floats]:
    part, regions, labels, confidence = job
    return part.elect_for_rows(regions, labels, confidence)


def _write(task: tuple[ElectionJob, str]) -> str:
    """Write the labels of one part."""
    job, place = task
    part, _, labels, _ = job
    elected, share = _elect(job)
    write_part(place, part.ids(), labels[elected], share)
    return place
