"""The hash of a method's code: it changes with what the method does, and with nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from likewise.bench import method_code
from likewise.bench.method_code import closure, code_hash
from likewise.bench.tasks import TASKS
from likewise.methods import METHODS

FILES = {
    "__init__.py": "from herd.part import Part\n",
    "part.py": """
        from typing import TYPE_CHECKING
        from herd import depth, HEIGHT_OF
        if TYPE_CHECKING:
            import herd.types
        class Part:
            def __init__(self, size=1): self.size = size
            def work(self):
                from herd.late import much
                return much(depth.DEEP)
        """,
    "depth.py": "DEEP = 1\n",
    "late.py": "from .inner.organ import heart as much\n",
    "inner/__init__.py": "",
    "inner/organ.py": "def heart(x): return x\n",
    "types.py": "",
    "other.py": "OTHER = 1\n",
}


class Herd:
    """A package of its own on the path, which can be changed and read anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "herd"
        for name, text in FILES.items():
            self.write(name, text)
        self.write("__init__.py", "HEIGHT_OF = 3\n" + FILES["__init__.py"])

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))

    def forget(self) -> None:
        for function in ("_module", "_imports", "_digest_of_module"):
            getattr(method_code, function).cache_clear()
        for name in [name for name in sys.modules if name.partition(".")[0] == "herd"]:
            del sys.modules[name]
        importlib.invalidate_caches()

    def hash(self, **settings: Any) -> str:
        self.forget()
        part = importlib.import_module("herd.part").Part(**settings)
        return code_hash([part], ["herd"])


@pytest.fixture
def herd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Herd]:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Herd(tmp_path)
    made.forget()
    yield made
    made.forget()


def test_imports_are_followed_to_where_names_are_defined(herd: Herd) -> None:
    importlib.import_module("herd.part")
    assert closure(["herd.part"], ["herd"]) == {
        *("herd", "herd.part", "herd.depth", "herd.late", "herd.inner.organ")
    }


@pytest.mark.parametrize("name", ["depth.py", "inner/organ.py"])
def test_changed_code_of_a_part_or_its_imports_changes_the_hash(herd: Herd, name: str) -> None:
    before = herd.hash()
    herd.write(name, FILES[name].replace("1", "2").replace("return x", "return -x"))
    assert herd.hash() != before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("other.py", "OTHER = 2\n"),
        ("types.py", "new = 1\n"),
        ("depth.py", '"""What is deep."""\n\nDEEP = (\n    1  # and no more\n)\n'),
        ("inner/organ.py", 'def heart(x):\n    """Return it."""\n    return x\n'),
    ],
)
def test_what_the_method_does_not_do_leaves_the_hash_alone(
    herd: Herd, name: str, text: str
) -> None:
    before = herd.hash()
    herd.write(name, text)
    assert herd.hash() == before


def test_settings_of_a_part_count(herd: Herd) -> None:
    assert herd.hash(size=2) != herd.hash()
    assert herd.hash(size=np.arange(3)) != herd.hash(size=np.arange(3) + 1)
    assert herd.hash(size=partial(max, 1)) != herd.hash(size=partial(max, 2))
    assert herd.hash(size={"b": 1, "a": [2]}) == herd.hash(size={"a": [2], "b": 1})
    assert herd.hash(size={"x", "y", "z"}) == herd.hash(size={"z", "y", "x"})


def test_a_part_that_holds_itself_is_described_once() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert code_hash([ring]) == code_hash([ring])


def test_a_file_counts_by_its_content(tmp_path: Path) -> None:
    driver = tmp_path / "driver.py"
    driver.write_text("a")
    before = code_hash([driver])
    driver.write_text("b")
    assert code_hash([driver]) != before


def test_every_method_has_a_hash_of_its_own() -> None:
    hashes = [code_hash(*TASKS["questions"].parts(method)) for method in METHODS]
    assert len(set(hashes)) == len(METHODS)


def test_a_method_is_made_of_its_parts_and_not_of_those_of_others() -> None:
    parts, packages = TASKS["questions"].parts("urasc")
    followed = method_code._Description([method_code.OWN_PACKAGE, *packages])
    for part in parts:
        followed.of(part)
    modules = closure(followed.modules, [method_code.OWN_PACKAGE])
    assert "likewise.clusterers.spectral.spectral_learning" in modules
    assert "likewise.affinities.kernels" in modules
    assert not [name for name in modules if name.startswith(("likewise.auto", "likewise.stores"))]
    assert "likewise.clusterers" not in modules  # the package, which imports all
