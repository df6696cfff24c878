"""Columns are brought to unit variance where their units differ, and only there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets
from sklearn.decomposition import PCA, TruncatedSVD

from likewise import Items, Study, load_items
from likewise.errors import DataError, StoreError
from likewise.piles import read_pile

Floats = npt.NDArray[np.float64]


def groups(d: int, seed: int = 0) -> Floats:  # (90, d)
    """Three groups in the first directions of many, the others noise."""
    rng = np.random.default_rng(seed)
    centres = np.zeros((3, d))
    centres[:, :2] = rng.normal(scale=6, size=(3, 2))
    return np.repeat(centres, 30, axis=0) + rng.normal(size=(90, d))


def clip_like() -> Floats:
    """Embeddings of no particular length, two of whose columns are far larger than the others."""
    X = 0.3 * groups(128) + np.random.default_rng(1).normal(size=128)
    X[:, [7, 90]] = 12 * X[:, [7, 90]] - 9
    return X


def umap_like() -> Floats:
    return groups(2) * [1.0, 0.6] + [7.3, -2.0]


SHARED: dict[str, Floats] = {
    "principal components": PCA().fit_transform(datasets.load_wine().data),
    "some of them": PCA(20).fit_transform(datasets.load_digits().data),
    "rounded": np.round(PCA(8).fit_transform(groups(40) * np.geomspace(40, 0.1, 40)), 3),
    "latent semantics": TruncatedSVD(20, random_state=0).fit_transform(
        np.abs(groups(60)) * np.geomspace(30, 0.1, 60)
    ),
    "embeddings": clip_like(),
    "a map": umap_like(),
    "pixels": datasets.load_digits().data,
}
UNITS_DIFFER: dict[str, Floats] = {
    "wine": datasets.load_wine().data,
    "breast cancer": datasets.load_breast_cancer().data,
    "height and weight and income": np.random.default_rng(0).normal(size=(50, 3))
    * [0.1, 12, 20_000]
    + [1.7, 70, 50_000],
}


@pytest.mark.parametrize("X", SHARED.values(), ids=SHARED)
def test_columns_that_share_a_unit_stay_as_they_are(X: Floats) -> None:
    items = Items.of(X)
    np.testing.assert_array_equal(items.data, X)
    assert items.scaling.startswith("numbers are compared as they are, since")


@pytest.mark.parametrize("X", UNITS_DIFFER.values(), ids=UNITS_DIFFER)
def test_columns_of_different_units_weigh_the_same(X: Floats) -> None:
    items = Items.of(X)
    np.testing.assert_allclose(np.asarray(items.data).std(axis=0), 1.0)
    assert items.scaling.startswith("every column is brought to unit variance")


@given(st.floats(1e-6, 1e6), st.sampled_from(sorted(SHARED | UNITS_DIFFER)))
def test_the_decision_does_not_depend_on_the_unit_that_all_share(factor: float, name: str) -> None:
    X = (SHARED | UNITS_DIFFER)[name]
    assert Items.of(X).scaling == Items.of(factor * X).scaling


@pytest.mark.parametrize("X", [clip_like(), UNITS_DIFFER["wine"]], ids=["one unit", "several"])
def test_an_array_a_frame_a_table_a_file_and_own_vectors_are_taken_alike(
    X: Floats, tmp_path: Path
) -> None:
    expected = np.asarray(Items.of(X).data)
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    frame.to_csv(tmp_path / "table.csv", index=False, float_format="%.17g")
    np.save(tmp_path / "array.npy", X)
    (tmp_path / "lines.txt").write_text("\n".join(f"line {k}" for k in range(len(X))))
    for taken in (
        Items.of(frame),
        load_items(tmp_path / "table.csv", collapse=False),
        load_items(tmp_path / "array.npy"),
        load_items(tmp_path / "lines.txt", features=tmp_path / "array.npy"),
    ):
        np.testing.assert_allclose(np.asarray(taken.data), expected, rtol=1e-9, atol=1e-12)


def test_the_scaling_can_be_chosen_and_what_was_chosen_by_itself_is_said(tmp_path: Path) -> None:
    wine = UNITS_DIFFER["wine"]
    np.testing.assert_array_equal(Items.of(wine, scaling="none").data, wine)
    brought = np.asarray(Items.of(clip_like(), scaling="columns").data)
    np.testing.assert_allclose(brought.std(axis=0), 1.0)
    np.save(tmp_path / "wine.npy", wine)
    by_itself = read_pile(tmp_path / "wine.npy")
    assert by_itself.notes == [
        "every column is brought to unit variance, since their units seem to differ; "
        "--scaling none compares them as they are"
    ]
    asked = read_pile(tmp_path / "wine.npy", scaling="none")
    assert asked.notes == []
    np.testing.assert_array_equal(asked.items.data, wine)


@pytest.mark.parametrize("X", [[[0.0, 1.0], [1.0, 0.0]], pd.DataFrame({"a": [1, 2]})])
def test_a_scaling_that_there_is_not_is_refused(X: Any) -> None:
    with pytest.raises(DataError, match="no scaling 'rows'; there are auto, columns, none"):
        Items.of(X, scaling="rows")


@pytest.mark.parametrize("scaling", ["columns", "none"])
def test_a_study_goes_on_in_the_units_it_was_begun_in(tmp_path: Path, scaling: str) -> None:
    X, store = clip_like(), tmp_path / "study.jsonl"
    study = Study(Items.of(X, scaling=scaling), method="random-items", store=store)
    study.tell((0, 1), "same")
    resumed = Study.open(store, X)
    np.testing.assert_array_equal(resumed.items.data, study.items.data)
    assert resumed.ask() == study.ask()
    with pytest.raises(StoreError, match="other items"):
        Study.open(store, X + 1.0 * (np.arange(128) == 3) * np.arange(90)[:, None])
