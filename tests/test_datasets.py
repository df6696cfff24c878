from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import datasets
from likewise.datasets import GENERATORS, load, names
from likewise.errors import DataError

BUNDLED = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast_cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that LIKEWISE_DATA names."""
    monkeypatch.setenv("LIKEWISE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIKEWISE_DATA", raising=False)


@pytest.mark.usefixtures("no_folder")
def test_without_a_folder_every_listed_name_loads() -> None:
    assert names() == [*BUNDLED, *GENERATORS]
    for name in names():
        X, y = load(name)
        assert X.dtype == np.float64
        assert y.dtype == np.int64
        assert X.ndim == 2
        assert y.shape == (len(X),)
        assert np.isfinite(X).all()
        assert set(y.tolist()) == set(range(y.max() + 1))


@pytest.mark.parametrize(("name", "size"), BUNDLED.items())
def test_sets_of_scikit_learn_have_their_known_size(name: str, size: tuple[int, int, int]) -> None:
    X, y = load(name)
    assert (*X.shape, y.max() + 1) == size


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("seed", [0, 7, 2**40])
def test_a_seed_gives_the_same_set_again_and_another_seed_another(name: str, seed: int) -> None:
    X, y = load(name, random_state=seed)
    again_X, again_y = load(name, random_state=seed)
    other_X, _ = load(name, random_state=seed + 1)
    np.testing.assert_array_equal(X, again_X)
    np.testing.assert_array_equal(y, again_y)
    assert not np.array_equal(X, other_X)


@pytest.mark.parametrize(
    "name", ["breast-cancer", "breast_cancer", "two-gaussians", "two_gaussians"]
)
def test_dash_and_underscore_mean_the_same(name: str) -> None:
    np.testing.assert_array_equal(load(name)[0], load(name.replace("-", "_"))[0])


@pytest.mark.parametrize("seed", range(3))
def test_aqm_simulation_has_the_means_of_the_paper(seed: int) -> None:
    n, c = 60_000, 3.0
    X, y = load("aqm-simulation", n=n, informative=4, noise=6, n_clusters=3, random_state=seed)
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(means[:, :3], c * np.eye(3), atol=0.06)
    np.testing.assert_allclose(means[:, 3:], 0.0, atol=0.08)
    # An irrelevant feature is ±c for one item in six: variance 1 + c²/6, and symmetric.
    np.testing.assert_allclose(X[:, 4:].var(axis=0), 1 + c**2 / 6, rtol=0.05)
    np.testing.assert_allclose(X[:, 4:].mean(axis=0), 0.0, atol=0.05)
    assert np.bincount(y).tolist() == [n // 3] * 3


@pytest.mark.parametrize("seed", range(3))
def test_a_rotation_keeps_distances_and_hides_the_features(seed: int) -> None:
    straight, y = load("aqm-simulation", random_state=seed)
    turned, same_y = load("aqm-simulation", random_state=seed, rotate=True)
    np.testing.assert_array_equal(y, same_y)
    np.testing.assert_allclose(turned @ turned.T, straight @ straight.T, atol=1e-9)
    assert not np.allclose(turned, straight)


@pytest.mark.parametrize("seed", range(3))
def test_mixing_multiplies_all_features_by_one_symmetric_positive_matrix(seed: int) -> None:
    straight, y = load("aqm-simulation", random_state=seed)
    mixed, same_y = load("aqm-simulation", random_state=seed, mix=True)
    np.testing.assert_array_equal(y, same_y)
    matrix = np.linalg.lstsq(straight, mixed)[0]
    np.testing.assert_allclose(straight @ matrix, mixed, atol=1e-8)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-8)
    eigenvalues = np.linalg.eigvalsh(matrix)
    assert eigenvalues[0] > 0
    # The largest singular value of a square Gaussian matrix of size d is about 2 √d.
    assert 1.6 < eigenvalues[-1] / np.sqrt(35) < 2.2


def test_aqm_sphere_puts_its_centres_on_the_sphere() -> None:
    X, y = load("aqm-sphere", n=50_000, informative=4, noise=3, radius=5.0)
    centres = np.array([X[y == k, :4].mean(axis=0) for k in range(5)])
    np.testing.assert_allclose(np.linalg.norm(centres, axis=1), 5.0, atol=0.05)
    np.testing.assert_allclose(centres[0], [5.0, 0.0, 0.0, 0.0], atol=0.05)
    a = np.pi / 5
    last = [np.sin(a) ** 2 * np.cos(2 * a), np.sin(a) ** 2 * np.sin(2 * a)]
    expected = 5 * np.array([np.cos(a), np.sin(a) * np.cos(a), *last])
    np.testing.assert_allclose(centres[1], expected, atol=0.05)
    np.testing.assert_allclose(X[:, 4:].mean(axis=0), 5 / 3, atol=0.05)


def test_aqm_sphere_has_the_size_of_the_paper() -> None:
    X, y = load("aqm-sphere")
    assert X.shape == (250, 500)
    assert np.bincount(y).tolist() == [50] * 5


@pytest.mark.parametrize("separation", [0.0, 2.0, 8.0])
def test_two_gaussians_are_as_far_apart_as_asked(separation: float) -> None:
    X, y = load("two-gaussians", n=20_000, separation=separation, d=3)
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    np.testing.assert_allclose(gap, [separation, 0.0, 0.0], atol=0.06)


def test_blobs_take_their_shape_from_the_parameters() -> None:
    X, y = load("blobs", n=40, n_clusters=4, d=5, spread=0.0)
    assert X.shape == (40, 5)
    assert len(np.unique(X, axis=0)) == 4
    assert np.bincount(y).tolist() == [10] * 4


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("moons", {"sigma": 1}, "'moons' has no parameter 'sigma'; it takes n, noise$"),
        ("iris", {"n": 10}, "'iris' has no parameter 'n'; it is fixed and takes none"),
        ("moons", {"n": 1}, "n must be a whole number of at least 2, got 1"),
        ("moons", {"n": "many"}, "n must be a whole number .* got 'many'"),
        ("moons", {"noise": float("nan")}, "noise must be a number of at least 0, got nan"),
        ("circles", {"factor": 1.0}, "factor must be below 1"),
        ("blobs", {"n": 2}, "n must be a whole number of at least 3, got 2"),
        ("two-gaussians", {"separation": -1.0}, "separation must be a number of at least 0"),
        ("aqm-simulation", {"n_clusters": 6}, "informative must be .* at least 6, got 5"),
        ("aqm-simulation", {"noise": -1}, "noise must be a whole number of at least 0"),
        ("aqm-sphere", {"informative": 1}, "informative must be .* at least 2, got 1"),
        ("aqm-sphere", {"n_clusters": 0}, "n_clusters must be .* at least 1, got 0"),
    ],
)
def test_wrong_parameters_are_refused(name: str, params: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(name, **params)


def test_a_wrong_seed_is_refused() -> None:
    with pytest.raises(DataError, match="random_state must be a whole number"):
        load("moons", random_state=-1)


@pytest.mark.usefixtures("no_folder")
def test_an_unknown_name_brings_close_ones_and_the_way_to_own_files() -> None:
    with pytest.raises(DataError, match=r"'Wnie'; choose from wine, .*LIKEWISE_DATA.*not set"):
        load("Wnie")
    with pytest.raises(DataError, match="choose from iris, wine"):
        load("qqqqqqqq", n=3)


@pytest.mark.parametrize("name", ["../secret", "sub/secret", "sub\\secret", "..", "/etc/secret"])
def test_a_name_never_leaves_the_folder(folder: Path, name: str) -> None:
    (folder.parent / "secret.csv").write_text("a,label\n1,x\n")
    with pytest.raises(DataError, match="is a path"):
        load(name)


def test_a_file_is_read_as_numbers_and_codes(folder: Path) -> None:
    (folder / "my_set.csv").write_text(
        "a,b,label\n1,-2.5,10\n3e2,4,9\n\n5,6,10\n", encoding="utf-8"
    )
    for name in ("my_set", "my-set"):
        X, y = load(name)
        np.testing.assert_array_equal(X, [[1, -2.5], [300, 4], [5, 6]])
        assert y.tolist() == [1, 0, 1]
    assert names()[-1] == "my_set"


def test_the_exact_name_wins_among_alike_files(folder: Path) -> None:
    (folder / "a-b.csv").write_text("v,label\n1,x\n")
    (folder / "a_b.csv").write_text("v,label\n2,x\n")
    assert load("a-b")[0].item() == 1
    assert load("a_b")[0].item() == 2


def test_the_set_of_scikit_learn_comes_before_a_file_of_that_name(folder: Path) -> None:
    (folder / "iris.csv").write_text("v,label\n1,x\n")
    assert load("iris")[0].shape == (150, 4)
    assert names().count("iris") == 1


def test_byte_order_mark_quotes_and_windows_lines_are_understood(folder: Path) -> None:
    (folder / "w.csv").write_bytes(b'\xef\xbb\xbfa,label\r\n"1.5","x, y"\r\n2,z\r\n')
    X, y = load("w")
    assert X.ravel().tolist() == [1.5, 2.0]
    assert y.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,label\n1,2,x\n3,4\n", "line 3: expected 3 cells.* got 2.* cut short"),
        ("a,b,label\n1,2,x\n3,4,5,x\n", "line 3: expected 3 cells.* got 4"),
        ("a,label\n1,x\n2,\n", "line 3: .*the last one ''"),
        ('a,label\n1,x\n2,"cut', "after line 2"),
        ("a,label\n1,x\n,y\n", "line 3: column 'a' needs a number, got ''"),
        ("a,label\n1,x\ninf,y\n", "line 3: column 'a' needs a number, got 'inf'"),
        ("a,label\n1,x\n1.2.3,y\n", r"column 'a' \(line 3: '1.2.3'\)"),
        ("a,b\n1,2\n", r"needs a header that ends in 'label', got \['a', 'b'\]"),
        ("label\nx\n", "needs a header"),
        ("", "needs a header"),
        ("a,label\n", "has a header but no rows"),
        ("a,label\n1,\udcff\n", "cannot be read after line 1"),
    ],
)
def test_a_damaged_file_names_the_place(folder: Path, content: str, message: str) -> None:
    (folder / "bad.csv").write_text(content, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(DataError, match=message):
        load("bad")


def test_a_set_of_texts_is_sent_to_load_items(folder: Path) -> None:
    (folder / "posts.csv").write_text('text,label\n"Hello, you",a\n')
    with pytest.raises(DataError, match=r"'posts' holds text .* likewise\.load_items\("):
        load("posts")
    assert "posts" not in names()


@given(st.lists(st.sampled_from(["2", "10", "x", "1.0", "1"]), min_size=1, max_size=20))
def test_equal_labels_get_equal_codes_without_gaps(labels: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets, "_rows", lambda path: (([0.0], label) for label in labels))
        _, y = datasets.read(Path("any.csv"))
    assert set(y.tolist()) == set(range(len(set(labels))))
    assert len(set(zip(labels, y.tolist(), strict=True))) == len(set(labels))


def test_slow_packages_are_not_imported_at_the_top() -> None:
    files = list(Path(datasets.__file__).parent.glob("*.py"))
    assert len(files) > 1
    bodies = [ast.parse(file.read_text(encoding="utf-8")).body for file in files]
    top = [n for body in bodies for n in body if isinstance(n, ast.Import | ast.ImportFrom)]
    assert not [line for line in map(ast.unparse, top) if "sklearn" in line or "pandas" in line]
