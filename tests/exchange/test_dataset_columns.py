"""Groups written back into a dataset of Hugging Face."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import likewise as lw
from likewise.errors import DataError
from likewise.exchange import with_groups


class HuggingFaceDataset:
    """As much of `datasets.Dataset` as is used; that package itself is not needed."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    @property
    def column_names(self) -> list[str]:
        return list(self.frame.columns)

    def to_pandas(self) -> pd.DataFrame:
        return self.frame

    def __len__(self) -> int:
        return len(self.frame)

    def __getitem__(self, name: str) -> list[Any]:
        found: list[Any] = self.frame[name].tolist()
        return found

    def add_column(self, name: str, column: list[Any]) -> HuggingFaceDataset:
        return HuggingFaceDataset(self.frame.assign(**{name: column}))


FRAME = pd.DataFrame({"size": [0.0, 0.1, 5.0, 5.1, 0.0], "width": [1.0, 1.1, 9.0, 9.1, 1.0]})


@pytest.mark.parametrize("ids", [None, ["e", "d", "c", "b", "a"]])
def test_groups_come_back_row_by_row(ids: list[str] | None) -> None:
    frame = FRAME if ids is None else FRAME.assign(id=ids)
    dataset = HuggingFaceDataset(frame)
    study = lw.Study(dataset, n_clusters=2)
    study.tell((0, 1), "same")
    study.name(0, "small")
    found = with_groups(study, dataset).frame
    assert list(found.columns)[-3:] == ["group", "name", "confidence"]
    assert found.name.tolist() == ["small", "small", "", "", "small"]
    np.testing.assert_array_equal(found.group.to_numpy()[[0, 2]], found.group.to_numpy()[[4, 3]])
    assert "group" not in dataset.frame  # what was given stays as it is


def test_what_cannot_be_is_refused() -> None:
    dataset = HuggingFaceDataset(FRAME)
    study = lw.Study(dataset, n_clusters=2)
    with pytest.raises(DataError, match=r"not into DataFrame; of any other table study.to_frame"):
        with_groups(study, FRAME)
    with pytest.raises(DataError, match="has a column 'group' already"):
        with_groups(study, HuggingFaceDataset(FRAME.assign(group=1)))
    with pytest.raises(DataError, match="other rows than these: there are other rows"):
        with_groups(study, HuggingFaceDataset(FRAME[:3]))
    with pytest.raises(DataError, match="row x is not among them"):
        with_groups(study, HuggingFaceDataset(FRAME.assign(id=list("vwxyz"))[2:]))
