"""What docstrings promise: imperative summaries, numpydoc parameters, a fifth to a third of lines.

`python tests/contracts/test_docstrings.py` prints the share of each package.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import likewise as lw

SOURCE = Path(lw.__file__).parent
LEAST, MOST = 0.20, 0.35

# A summary begins with one of these; another verb is welcome, a noun or a question is not.
_VERBS = """
accept act add advise align answer append apply ask assemble assign average begin block bring
build calibrate call carry check choose close cluster code collect combine compare complete
compute connect contract convert convolve copy count create cut deal decide delete demand describe
detect
divide do draw drop embed encode end estimate evaluate exclude execute exit expand explain export
extend extract fill filter find finish fit fold follow forget format gather get give go group grow
guess hand highlight hold ignore import initialise insert iterate join judge keep kill label lease
leave let limit link list load lock log look lower make map mark match measure merge migrate
minimise mix move multiply name normalise note offer open order overwrite pair parse partition
pass pick place plan predict prepare print project propose prove put raise rank rate read rebuild
recheck record reduce refine refit refuse register release remember remove rename render renumber
repeat replace replay reply report require reserve resize resolve restrict resume retract return
round run salvage save say scale score search select send serve set share show simulate skip solve
sort split stack start stop store subtract suggest sum summarise switch take talk tell test tie
time translate trim try turn undo unpack update use validate visit wait warn watch weigh weight
work wrap write yield
"""
VERBS = frozenset(_VERBS.split())


@cache
def files() -> dict[str, list[Path]]:
    """Return the source files of each package; modules of the root are packages of one file."""
    found: dict[str, list[Path]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        found.setdefault(path.relative_to(SOURCE).parts[0].removesuffix(".py"), []).append(path)
    return found


def _documented(path: Path) -> Iterator[tuple[ast.AST, ast.Constant]]:
    """Yield everything in a file that has a docstring, with the docstring's node."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and ast.get_docstring(node):
            assert body is not None
            yield node, body[0].value


def _is_attribute(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is read like an attribute: a property in any form."""
    return any("property" in ast.unparse(d) for d in function.decorator_list)


def _noun_summaries(path: Path) -> list[str]:
    """Return the summaries of functions in a file that are no commands."""
    functions = [
        (node, doc)
        for node, doc in _documented(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not _is_attribute(node)
        and not (node.name.startswith("__") and node.name.endswith("__"))
    ]
    found = []
    for function, doc in functions:
        summary = str(doc.value).strip().split("\n")[0]
        first = re.match(r"[A-Za-z-]+(?=[ .,:;])", summary)  # None: code, a number, a formula
        if first is None or first[0].lower() not in VERBS:
            found.append(f"{path.relative_to(SOURCE)}:{function.lineno} {function.name}: {summary}")
    return found


@pytest.mark.parametrize("package", sorted(files()))
def test_summaries_are_commands(package: str) -> None:
    nouns = [summary for path in files()[package] for summary in _noun_summaries(path)]
    assert not nouns, "\n".join(nouns)


# --- the share of lines --------------------------------------------------------------------------


def _lines(paths: list[Path]) -> tuple[int, int]:
    """Return the lines of docstrings and all lines of some files."""
    docs = total = 0
    for path in paths:
        total += len(path.read_text(encoding="utf-8").splitlines())
        docs += sum((doc.end_lineno or 0) - doc.lineno + 1 for _, doc in _documented(path))
    return docs, total


def shares() -> dict[str, float]:
    """Return which share of each package's lines is docstrings, and that of all under ''."""
    everything = [path for paths in files().values() for path in paths]
    counted = {name: _lines(paths) for name, paths in files().items()} | {"": _lines(everything)}
    return {name: docs / max(total, 1) for name, (docs, total) in counted.items()}


def test_docstrings_are_a_fifth_to_a_third_of_the_lines() -> None:
    assert LEAST <= shares()[""] <= MOST, shares()


# --- parameters ----------------------------------------------------------------------------------


def _public_classes() -> dict[str, type]:
    """Return the classes that packages export, by where they are defined."""
    walked = pkgutil.walk_packages(lw.__path__, "likewise.")
    packages = [m.name for m in walked if m.ispkg and not re.search(r"\._|peers|migra", m.name)]
    found: dict[str, type] = {}
    for package in packages:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            value: Any = getattr(module, name)
            if inspect.isclass(value) and value.__module__.startswith("likewise."):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def _constructor(kind: type) -> list[str]:
    """Return the names of a class' constructor parameters; none for protocols, enums and errors."""
    if getattr(kind, "_is_protocol", False) or issubclass(kind, enum.Enum | BaseException):
        return []
    return [
        name
        for name, parameter in inspect.signature(kind).parameters.items()
        if not name.startswith("_") and parameter.kind not in (inspect.Parameter.VAR_POSITIONAL,)
    ]


def _sections(doc: str) -> str:
    """Return the Parameters and Attributes sections of a docstring."""
    found = re.findall(
        r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=^\w[\w ]*\n-{3,}|\Z)", doc, re.M | re.S
    )
    return "\n".join(found)


def _unexplained(kind: type) -> list[str]:
    """Return the constructor parameters that the class' docstring does not explain."""
    sections = _sections(inspect.getdoc(kind) or "")
    lines = [line for line in sections.splitlines() if line[:1].strip()]
    named = {name.strip("* ") for line in lines for name in line.split(" :")[0].split(",")}
    return [name for name in _constructor(kind) if name not in named]


@pytest.mark.parametrize("name", sorted(_public_classes()))
def test_public_classes_explain_their_parameters(name: str) -> None:
    assert not _unexplained(_public_classes()[name])


if __name__ == "__main__":
    for _package, _share in sorted(shares().items(), key=lambda pair: pair[1]):
        print(f"{_share:5.1%}  {_package or 'all'}")  # noqa: T201 - it is a small program
