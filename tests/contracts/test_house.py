"""The drawn house is the house: the picture in the docs agrees with the real import graph."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import grimp
import pytest

ROOT = Path(__file__).parents[2]
PICTURE = (ROOT / "docs" / "images" / "house.svg").read_text(encoding="utf-8")
ARROWS = re.findall(r'data-from="(\w+)" data-to="(\w+)"', PICTURE)
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


@cache
def _house() -> ModuleType:
    """Return docs/_house.py, which draws the picture; docs/ is no package."""
    spec = importlib.util.spec_from_file_location("_house", ROOT / "docs" / "_house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _imports() -> dict[str, set[str]]:
    """Return who imports whom by import-linter's own eyes, without the root's `__init__`."""
    graph = grimp.build_graph("likewise", cache_dir=None)
    found: dict[str, set[str]] = {}
    for module in graph.modules - {"likewise"}:
        room = module.split(".")[1]
        targets = graph.find_modules_directly_imported_by(module) - {"likewise"}
        found.setdefault(room, set()).update({t.split(".")[1] for t in targets} - {room})
    return found


def _reached(graph: dict[str, set[str]], room: str) -> set[str]:
    """Return every room that can be reached from one by arrows."""
    found: set[str] = set()
    left = [room]
    while left:
        fresh = graph.get(left.pop(), set()) - found
        found |= fresh
        left += fresh
    return found


def test_every_room_is_drawn() -> None:
    drawn = re.findall(r'data-room="(\w+)"', PICTURE)
    assert sorted(drawn) == sorted(_imports())


@pytest.mark.parametrize(("above", "below"), ARROWS)
def test_every_arrow_is_an_import(above: str, below: str) -> None:
    assert below in _imports()[above]


def test_every_import_is_an_arrow_or_a_way_along_arrows() -> None:
    drawn: dict[str, set[str]] = {}
    for above, below in ARROWS:
        drawn.setdefault(above, set()).add(below)
    for room, targets in _imports().items():
        assert targets <= _reached(drawn, room), f"{room}: run `python docs/_house.py`"


def test_arrows_point_down() -> None:
    floor = {room: k for k, rooms in enumerate(_house().layers()) for room in rooms}
    assert all(floor[above] < floor[below] for above, below in ARROWS)


def test_the_picture_is_what_the_script_draws() -> None:
    assert _house().draw() == PICTURE, "run `python docs/_house.py`"


def test_the_page_says_what_lives_in_every_public_room() -> None:
    for room in _imports():
        assert room.startswith("__") or f"| `{room}`" in PAGE, room
