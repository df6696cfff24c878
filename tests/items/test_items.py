from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from likewise import Items, load_items
from likewise.errors import DataError

N_ROWS = 60


def two_units() -> npt.NDArray[np.float64]:  # (N_ROWS, 3)
    """Columns that evidently have units of their own."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(N_ROWS, 3)) * [1.0, 50.0, 0.01] + [0.0, 700.0, -3.0]


def mixed_columns() -> dict[str, list[Any]]:
    """A number, a flag, a category, a day and a text that is different in every row."""
    rng = np.random.default_rng(1)
    return {
        "size": rng.normal(size=N_ROWS).tolist(),
        "new": [i % 3 == 0 for i in range(N_ROWS)],
        "colour": [["red", "green", "blue"][i % 3] for i in range(N_ROWS)],
        "day": [date(2020, 1, 1) + timedelta(days=11 * i) for i in range(N_ROWS)],
        "note": [f"{['red apple', 'blue car'][i % 2]} number {i}" for i in range(N_ROWS)],
    }


def features_of(X: Any) -> npt.NDArray[np.float64]:
    return np.asarray(Items.of(X).features)


def distances_of(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(np.linalg.norm(features[:, None] - features[None], axis=2))


def test_columns_with_units_of_their_own_get_unit_variance() -> None:
    features = features_of(two_units())
    np.testing.assert_allclose(features.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(features.std(axis=0), 1.0)


def test_the_unit_a_column_is_measured_in_does_not_matter() -> None:
    X = two_units()
    np.testing.assert_allclose(features_of(X), features_of(X * [1000.0, 0.3, 2.0] + 4.0), atol=1e-9)


def test_columns_that_share_a_range_and_rows_of_length_one_stay_as_they_are() -> None:
    X = np.random.default_rng(0).integers(0, 17, size=(N_ROWS, 5)).astype(float)
    X[0], X[1] = 0.0, 16.0
    X[:, 2] *= 0.5  # one dim pixel among many does not make another unit
    np.testing.assert_array_equal(features_of(X), X)
    directions = two_units() / np.linalg.norm(two_units(), axis=1, keepdims=True)
    np.testing.assert_array_equal(features_of(directions), directions)


def test_a_column_of_one_value_carries_no_weight() -> None:
    X = np.column_stack([two_units(), np.full(N_ROWS, 0.1)])
    np.testing.assert_allclose(features_of(X)[:, 3], 0.0, atol=1e-12)
    np.testing.assert_array_equal(features_of(np.ones((4, 2))), np.ones((4, 2)))


def test_lists_integers_and_booleans_are_numbers() -> None:
    np.testing.assert_allclose(features_of([[0], [10]]), [[-1.0], [1.0]])
    np.testing.assert_array_equal(features_of([[False, True], [True, False]]), [[0, 1], [1, 0]])


def test_the_array_is_left_alone_and_items_are_named_by_position() -> None:
    X = two_units()
    pile = Items.of(X)
    np.testing.assert_array_equal(X, two_units())
    assert len(pile) == N_ROWS
    assert pile.ids[:3] == ["0", "1", "2"]
    assert pile.rows is None
    assert Items.of(pile) is pile


@pytest.mark.parametrize("form", [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.csr_array])
def test_sparse_rows_keep_their_numbers_and_stay_sparse(form: Any) -> None:
    X = np.where(two_units() > 0, two_units(), 0.0)
    features = Items.of(form(X)).data
    assert sp.issparse(features)
    np.testing.assert_array_equal(features.toarray(), X)


def test_pandas_and_polars_frames_give_equal_items() -> None:
    columns = mixed_columns()
    of_pandas, of_polars = Items.of(pd.DataFrame(columns)), Items.of(pl.DataFrame(columns))
    np.testing.assert_allclose(of_pandas.data, of_polars.data, atol=1e-9)
    assert of_pandas.rows is not None
    assert of_pandas.rows[7].keys() == columns.keys()
    assert of_pandas.rows == of_polars.rows
    assert of_pandas.fingerprint() == of_polars.fingerprint()


def test_every_column_of_a_table_weighs_the_same() -> None:
    columns = mixed_columns()
    assert features_of(pl.DataFrame(columns)).var(axis=0).sum() == pytest.approx(len(columns))
    del columns["note"]  # alone it is compared as texts are
    for name, values in columns.items():
        assert features_of(pl.DataFrame({name: values})).var(axis=0).sum() == pytest.approx(1.0)


def test_a_category_tells_its_values_apart_and_nothing_more() -> None:
    apart = distances_of(features_of(pd.DataFrame({"colour": mixed_columns()["colour"]})))
    colour = np.arange(N_ROWS) % 3
    np.testing.assert_allclose(apart[colour[:, None] == colour[None]], 0.0, atol=1e-9)
    assert apart[colour[:, None] != colour[None]].min() > 0.5


def test_days_are_as_far_apart_as_the_calendar_says() -> None:
    table = pd.DataFrame({"day": pd.to_datetime(mixed_columns()["day"])})
    from_first = distances_of(features_of(table))[0]
    np.testing.assert_allclose(from_first, from_first[1] * np.arange(N_ROWS), rtol=1e-3)


def test_texts_of_one_kind_are_nearer_than_texts_of_another() -> None:
    apart = distances_of(features_of(pd.DataFrame({"note": mixed_columns()["note"]})))
    same = np.arange(N_ROWS)[:, None] % 2 == np.arange(N_ROWS) % 2
    assert apart[same].mean() < 0.7 * apart[~same].mean()


def test_columns_may_be_named_by_numbers_hold_one_value_or_nothing_at_all() -> None:
    table = pd.DataFrame({0: [1.0, 2.0, 3.0], 1: ["x"] * 3, 2: [None] * 3})
    features = features_of(table)
    np.testing.assert_allclose(
        features[:, features.any(axis=0)].ravel(), [-(1.5**0.5), 0, 1.5**0.5]
    )
    assert not features_of(pd.DataFrame({"a": [1, 1, 1]})).any()


@pytest.mark.parametrize("kind", ["datetime64[ns]", "str"])
def test_a_gap_in_a_column_does_not_make_an_outlier(kind: Any) -> None:
    column = pd.Series(["2000", None, "2001"]).astype(kind)
    with suppress(DataError):  # refusing is as good as filling in
        apart = distances_of(features_of(pd.DataFrame({"a": column})))
        assert apart[0, 1] <= apart[0, 2]


@pytest.mark.parametrize("form", [np.array, sp.csr_matrix])
def test_an_affinity_matrix_is_kept_as_it_is(form: Any) -> None:
    matrix = [[1.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.2, 1.0]]
    pile = Items.from_affinity(form(matrix))
    np.testing.assert_array_equal(sp.csr_matrix(pile.affinity).toarray(), matrix)
    assert pile.features is None
    assert len(pile) == 3
    assert sp.issparse(pile.data) == sp.issparse(form(matrix))


def test_a_distance_matrix_is_kept_as_it_is() -> None:
    pile = Items.from_distances([[0.0, 2.0], [2.0, 0.0]])
    np.testing.assert_array_equal(pile.data, [[0.0, 2.0], [2.0, 0.0]])
    assert pile.data is pile.distances


def test_equal_data_has_an_equal_fingerprint_whatever_the_last_bit() -> None:
    X = two_units()
    mark = Items.of(X).fingerprint()
    for same in (X.copy(), np.asfortranarray(X), X.tolist()):
        assert Items.of(same).fingerprint() == mark
    shared = np.array([[0.0, 1.0], [1.0, 0.0], [0.25, 0.5]])
    assert Items.of(shared).fingerprint() == Items.of(shared * (1 + 1e-15)).fingerprint()


def test_an_item_is_recognised_by_what_it_holds_wherever_it_lies() -> None:
    X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 1.0]])
    order = np.array([1, 2, 0])
    known = replace(Items.of(X), digests=[b"ab", b"cd", b"ab"])
    for items in (Items.of(sp.csr_matrix(X)), known):
        marks = [items.fingerprint_of(k) for k in range(3)]
        assert marks[0] == marks[2] != marks[1]
        moved = items.take(order)
        assert [moved.fingerprint_of(k) for k in range(3)] == [marks[k] for k in order]


def test_changed_data_has_another_fingerprint() -> None:
    X = two_units()
    changed = X.copy()
    changed[17, 1] += 1.0
    sparse = sp.csr_matrix(X)
    piles = [X, changed, X[::-1], X[:-1], X[:, :2], sparse, sparse[::-1]]
    assert len({Items.of(pile).fingerprint() for pile in piles}) == len(piles)


@pytest.mark.parametrize("disorder", ["columns unsorted", "zeros stored"])
def test_how_a_sparse_matrix_is_stored_does_not_change_its_fingerprint(disorder: str) -> None:
    tidy = sp.csr_matrix(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 4.0]]))
    if disorder == "columns unsorted":
        other = sp.csr_matrix(([2.0, 1.0, 4.0, 3.0], [1, 0, 2, 1], [0, 2, 4]), shape=(2, 3))
    else:
        other = sp.csr_matrix(([1.0, 2.0, 0.0, 3.0, 4.0], [0, 1, 2, 1, 2], [0, 3, 5]), shape=(2, 3))
    np.testing.assert_array_equal(tidy.toarray(), other.toarray())
    assert Items.of(tidy).fingerprint() == Items.of(other).fingerprint()


WITH_NAN = np.array([[0.0, 1.0], [2.0, 3.0], [np.nan, 1.0]])


@pytest.mark.parametrize(
    ("X", "complaint"),
    [
        (WITH_NAN, "row 2, column 0 holds nan"),
        (sp.csr_matrix(WITH_NAN), "row 2, column 0 holds nan"),
        ([[0.0, 1.0], [2.0, -np.inf]], r"row 1, column 1 holds -inf \(1 such in all\)"),
        ([[0.0, 1.0]], "at least 2 items but got 1"),
        (np.empty((0, 3)), "at least 2 items but got 0"),
        (sp.csr_matrix((1, 3)), "at least 2 items but got 1"),
        ([0.0, 1.0], r"row per item but got an array of shape \(2,\)"),
        (np.empty((3, 0)), "at least one column"),
        (sp.csr_matrix((3, 0)), "at least one column"),
        (pd.DataFrame(index=[0, 1]), "at least one column"),
        ([["a"], ["b"]], "rows of numbers"),
        ([[1.0, 2.0], [3.0]], "rows of numbers"),
        (pd.DataFrame({"a": [1]}), "at least 2 items but got 1"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "different names"),
    ],
)
def test_items_that_cannot_be_compared_are_refused_with_the_reason(X: Any, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Items.of(X)


FORMS = [Items.from_affinity, lambda m: Items.from_affinity(sp.csr_matrix(m)), Items.from_distances]


@pytest.mark.parametrize("items_of", FORMS, ids=["affinity", "sparse affinity", "distances"])
@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        ([[0.0, 1.0], [0.5, 0.0]], "symmetric"),
        ([[0.0, -1.0], [-1.0, 0.0]], "negative"),
        ([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], r"square but has shape \(2, 3\)"),
        ([[0.0, np.nan], [np.nan, 0.0]], "finite"),
        ([[0.0]], "at least 2 items"),
    ],
)
def test_a_matrix_of_pairs_must_be_square_symmetric_and_not_negative(
    items_of: Any, matrix: list[list[float]], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        items_of(matrix)


def test_a_distance_matrix_with_holes_and_items_without_any_matrix_are_refused() -> None:
    with pytest.raises(DataError, match="features, an affinity matrix or a distance matrix"):
        len(Items())
    with pytest.raises(DataError, match="must be dense"):
        Items.from_distances(sp.csr_matrix(np.ones((2, 2))))


TABLE = "name,ID,height,kind\nann,a7,1.5,x\nbob,b2,1.9,y\ncy,c1,1.7,x\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "pile.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_is_read_like_a_table_and_an_id_column_names_its_rows(tmp_path: Path) -> None:
    pile = load_items(written(tmp_path, TABLE), drop=["name"])
    assert pile.ids == ["a7", "b2", "c1"]
    assert load_items(written(tmp_path, TABLE), id_column="name").ids == ["ann", "bob", "cy"]
    assert load_items(written(tmp_path, "id,a\n1,5\n1,6\n")).ids == ["0", "1"]
    assert pile.rows is not None
    assert dict(pile.rows[1]) == {"height": 1.9, "kind": "y"}
    table = pd.DataFrame({"height": [1.5, 1.9, 1.7], "kind": ["x", "y", "x"]})
    np.testing.assert_allclose(pile.data, features_of(table))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "pile.csv is empty"),
        ("a,b\n1,2\n", "at least 2 items but got 1"),
        ("a,b\n1,2\n3,4,5\n", "1 line has more fields than the header.*left out: 3"),
        ("a,b\n1,2,3\n4,5,6\n", "pile.csv"),
        ("id\n1\n2\n", "no column left"),
        (b"\xff\xfe\xff\n\xff", "pile.csv cannot be read as CSV"),
    ],
)
def test_a_file_that_is_no_table_of_items_is_refused(
    tmp_path: Path, text: str | bytes, complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        load_items(written(tmp_path, text))


def test_a_column_or_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column 'weight'; its columns are name, ID, height"):
        load_items(written(tmp_path, TABLE), drop=["kind", "weight"])
    with pytest.raises(DataError, match="no column 'weight'"):
        load_items(written(tmp_path, TABLE), id_column="weight")
    with pytest.raises(DataError, match=r"no file .*missing\.csv"):
        load_items(tmp_path / "missing.csv")
    with pytest.raises(DataError, match="there are no pictures in"):
        load_items(tmp_path)
