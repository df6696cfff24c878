"""A hash of the code that a method consists of, so that results of other code are recognised.

What is hashed is the source of every module that defines one of the method's parts (strategy,
clusterer, affinity, and whatever these hold), of all modules those import from the same package
and from likewise, and the settings of the parts. This is finer than the version, which stands
still for months, and finer than the commit, which changes with every word of documentation:

- A new method, or a changed setting of another one, leaves a method's hash as it is, because
  recipes count by the parts they build and not by the module that lists them.
- `from package import Name` leads to the module that defines the name, not to the whole package.
- Comments, docstrings and layout do not count: modules are compared as syntax trees.
- What only carries answers between the parts (study, stores, simulation) does not count either:
  it is the same for all methods, other tests pin what it does, and a row's commit tells its
  state. Third-party packages count by the names of their classes only.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

OWN_PACKAGE = __name__.partition(".")[0]
_CARRIERS = tuple(f"{OWN_PACKAGE}.{name}" for name in ("methods", "simulation", "stores", "study"))
_DIGITS = 16


def code_hash(parts: Iterable[object], packages: Iterable[str] = ()) -> str:
    """Return the hash of the code and settings of some parts.

    Parameters
    ----------
    parts : iterable of object
        Instances, classes, functions, or paths of files. Instances count with their settings,
        recursively; files by their content.
    packages : iterable of str
        Top-level packages whose modules are followed besides likewise's own: that of a plugin.

    Returns
    -------
    str
        Sixteen hexadecimal digits, the same on every machine and Python version.
    """
    followed = {OWN_PACKAGE, *packages}
    description = _Description(followed)
    words = [description.of(part) for part in parts]
    sources = sorted(_digest_of_module(name) for name in closure(description.modules, followed))
    return hashlib.sha256("\n".join([*words, *sources]).encode()).hexdigest()[:_DIGITS]


def closure(modules: Iterable[str], packages: Iterable[str]) -> set[str]:
    """Return the modules and all that they import from the given top-level packages."""
    followed = frozenset(packages)
    waiting, found = list(modules), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found and not _is_carrier(name) and _module(name) is not None:
            found.add(name)
            waiting += _imports(name, followed)
    return found


def _is_carrier(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in _CARRIERS)


class _Description:
    """Objects as text, and which modules define them."""

    def __init__(self, packages: Iterable[str]) -> None:
        self.packages = set(packages)
        self.modules: set[str] = set()
        self._within: set[int] = set()  # objects being described: one that holds itself ends here

    def of(self, value: object) -> str:
        """Return the text of a value; note the modules it is made of."""
        if value is None or isinstance(value, str | int | float):
            return repr(value)
        if isinstance(value, Path):
            return hashlib.sha256(value.read_bytes()).hexdigest()
        if isinstance(value, np.ndarray):
            return f"{value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        if isinstance(value, type | FunctionType):
            return self._defined(value)
        if id(value) in self._within:
            return "itself"
        self._within.add(id(value))
        try:
            return self._composed(value)
        finally:
            self._within.remove(id(value))

    def _composed(self, value: object) -> str:
        if isinstance(value, Mapping):
            return f"{{{', '.join(sorted(f'{k!r}: {self.of(v)}' for k, v in value.items()))}}}"
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self.of, value))}]"
        if isinstance(value, set | frozenset):
            return f"[{', '.join(sorted(map(self.of, value)))}]"
        if isinstance(value, partial):
            return f"{self.of(value.func)}{self.of(value.args)}{self.of(value.keywords)}"
        return f"{self._defined(type(value))}({self.of(getattr(value, '__dict__', {}))})"

    def _defined(self, value: Any) -> str:
        for one in value.__mro__ if isinstance(value, type) else (value,):
            if one.__module__.partition(".")[0] in self.packages:
                self.modules.add(one.__module__)
        return f"{value.__module__}.{value.__qualname__}"


class _Module(NamedTuple):
    tree: ast.Module
    is_package: bool


@cache
def _module(name: str) -> _Module | None:
    """Return the parsed module; None where there is no Python source of that name."""
    loaded = sys.modules.get(name)
    try:
        spec = loaded.__spec__ if loaded is not None else importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    source = Path(spec.origin).read_text(encoding="utf-8")
    return _Module(ast.parse(source), spec.submodule_search_locations is not None)


@cache
def _imports(name: str, packages: frozenset[str]) -> tuple[str, ...]:
    """Return the modules of these packages that a module imports anywhere, types aside."""
    module = _module(name)
    if module is None:
        return ()
    found: dict[str, None] = {}
    for node in _statements(module.tree):
        if isinstance(node, ast.Import):
            origins = {alias.name: alias.name for alias in node.names}
        else:
            origin = _origin(node, name, module.is_package)
            origins = {alias.name: origin for alias in node.names}
        for alias, origin in origins.items():
            if origin.partition(".")[0] in packages:
                found[origin if alias == origin else _definition(origin, alias)] = None
    return tuple(found)


def _statements(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements, except those under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            yield from _statements(node)


def _origin(node: ast.ImportFrom, name: str, is_package: bool) -> str:
    """Return the absolute name of the module that an import statement of `name` names."""
    package = name if is_package else name.rpartition(".")[0]
    return importlib.util.resolve_name("." * node.level + (node.module or ""), package)


def _definition(origin: str, name: str) -> str:
    """Return the module that defines what `from origin import name` gives.

    A package that only passes the name on leads to where it comes from.
    """
    module = _module(origin)
    if module is None or not module.is_package:
        return origin
    for node in _statements(module.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    source = _origin(node, origin, True), alias.name
                    if source == (origin, name):
                        break  # the package imports a module of its own by its full name
                    return _definition(*source)
    inner = f"{origin}.{name}"
    return inner if _module(inner) is not None else origin


@cache
def _digest_of_module(name: str) -> str:
    module = _module(name)
    assert module is not None
    return hashlib.sha256(_outline(module.tree).encode()).hexdigest()


def _outline(node: object) -> str:
    """Return a syntax tree as text, without places, docstrings and empty fields.

    Python's own dump differs from version to version, since new kinds of fields come in empty.
    """
    if isinstance(node, list):
        return f"[{' '.join(map(_outline, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = dict(ast.iter_fields(node))
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        fields["body"] = [one for one in node.body if not _is_text(one)]
    words = (
        f"{name}={_outline(value)}" for name, value in fields.items() if value not in (None, [])
    )
    return f"{type(node).__name__}({' '.join(words)})"


def _is_text(statement: ast.stmt) -> bool:
    """Return whether a statement is nothing but a string: a docstring."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
