"""Groups as folders: all or nothing, and never over anything."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from likewise.errors import DataError, StoreError
from likewise.exchange.annotations import Annotations
from likewise.exchange.group_folders import plan_folders, write_folders
from likewise.items import Items
from likewise.partitions import load_partitioned


def pictures(folder: Path) -> Items:
    ids = ["a/one.png", "b/one.png", "b/two.png"]
    for name in (*ids, "b/copy.png"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return Items(
        features=[[0.0], [1.0], [2.0]],
        ids=ids,
        pictures=[folder / name for name in ids],
        copies={2: ["b/copy.png"]},
    )


def test_equal_names_are_numbered_and_copies_come_from_their_own_files(tmp_path: Path) -> None:
    plan = plan_folders(pictures(tmp_path / "pile"), [0, 0, 4], {4: "x/../y"}, [1.0] * 3)
    assert [(group.name, group.size) for group in plan.groups] == [("0", 2), ("4 x - .. - y", 2)]
    assert write_folders(plan, tmp_path / "new" / "sorted") == 4
    found = {
        path.relative_to(tmp_path / "new" / "sorted").as_posix(): path.read_text()
        for path in (tmp_path / "new" / "sorted").rglob("*.png")
    }
    assert found == {
        "0/one.png": "a/one.png",
        "0/one (2).png": "b/one.png",
        "4 x - .. - y/two.png": "b/two.png",
        "4 x - .. - y/copy.png": "b/copy.png",
    }


def test_what_fails_halfway_leaves_nothing_behind_and_takes_nothing_away(tmp_path: Path) -> None:
    plan = plan_folders(pictures(tmp_path / "pile"), [0, 1, 2], {}, [1.0] * 3)
    (tmp_path / "pile" / "b" / "two.png").unlink()
    with pytest.raises(StoreError, match=r"two\.png is no longer there, so nothing was written"):
        write_folders(plan, tmp_path / "sorted")
    assert not (tmp_path / "sorted").exists()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "mine").write_text("mine")
    for target, sentence in (
        (tmp_path / "kept", "is not empty"),
        (tmp_path / "kept" / "mine", "is a file"),
        (tmp_path / "pile" / "a" / "new", "lies in the pile itself"),
    ):
        with pytest.raises(StoreError, match=sentence):
            write_folders(plan, target)
    assert (tmp_path / "kept" / "mine").read_text() == "mine"


def test_links_lead_to_the_originals(tmp_path: Path) -> None:
    items = pictures(tmp_path / "pile")
    write_folders(plan_folders(items, [0, 1, 1], {}, [1.0] * 3), tmp_path / "links", how="link")
    link = tmp_path / "links" / "1" / "two.png"
    assert link.is_symlink()
    assert link.resolve() == (tmp_path / "pile" / "b" / "two.png").resolve()


def test_texts_become_a_file_per_group(tmp_path: Path) -> None:
    items = Items(features=[[0.0], [1.0]], ids=["0", "1"], texts=["red car", "blue café"])
    plan = plan_folders(items, [1, 0], {1: "cars"}, [1.0, 1.0])
    assert write_folders(plan, tmp_path / "sorted") == 2
    assert (tmp_path / "sorted" / "1 cars.txt").read_text(encoding="utf-8") == "red car\n"


def test_collections_are_folders_in_folders_and_further_groups_have_it_too(tmp_path: Path) -> None:
    noted = Annotations({0: ("all", "a:b"), 4: ("ALL", "..")}, {0: [4]})
    plan = plan_folders(pictures(tmp_path / "pile"), [0, 0, 4], {}, [1.0] * 3, noted)
    assert [(group.name, group.size) for group in plan.groups] == [
        ("all/a - b/0", 2),
        ("all/collection/4", 3),
    ]
    assert plan.n_files == write_folders(plan, tmp_path / "sorted") == 5
    names = sorted(
        path.relative_to(tmp_path / "sorted").as_posix()
        for path in (tmp_path / "sorted").rglob("*.png")
    )
    assert names == [
        "all/a - b/0/one (2).png",
        "all/a - b/0/one.png",
        "all/collection/4/copy.png",
        "all/collection/4/one.png",
        "all/collection/4/two.png",
    ]


def test_rows_that_others_stand_for_get_no_folders() -> None:
    items = load_partitioned([np.arange(40.0)[:, None]], 4, n_jobs=1)
    with pytest.raises(DataError, match="not written of 40 rows, most of which others stand for"):
        plan_folders(items, [0, 0, 1, 1], {}, [1.0] * 4)
