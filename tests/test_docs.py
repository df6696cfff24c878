"""Documentation that fails the build when it is wrong: nothing missing, nothing invented."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import likewise as lw
from likewise.errors import LikewiseError

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)
TEXTS = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]

# Names of files, not of Python: wine.likewise.db
_NAME = re.compile(r"(?<![\w./-])(?:lw|likewise)(?:\.[A-Za-z_]\w*)+")
_ENDINGS = {"db", "jsonl", "csv", "toml"}
# Groups of entry points, of which only some are packages too.
_GROUPS = {
    "likewise.methods",
    "likewise.stores",
    "likewise.feature_models",
    "likewise.answerers",
}


def _load(name: str) -> ModuleType:
    """Return a module of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = _load("_reference")
objects = _load("_objects")
PICTURES: tuple[str, ...] = _load("_pictures").NAMES  # of the page, taken by the build
COMMANDS: dict[str, Any] = reference.commands()


def _said(*path: str) -> str:
    """Return the text of a page of the reference."""
    return REFERENCE.joinpath(*path).read_text(encoding="utf-8")


def _first_column(text: str) -> list[str]:
    """Return what stands as code in the first column of a page's tables."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row)]


# --- methods -------------------------------------------------------------------------------------


def test_every_method_is_described() -> None:
    assert set(_first_column(_said("methods.md"))) == set(lw.METHODS)


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_section(name: str) -> None:
    assert f"### `likewise {name}`\n\n```{{command}} {name}\n```" in _said("command-line.md")


def test_no_section_is_about_a_command_that_is_gone() -> None:
    assert set(re.findall(r"\{command\} (.+)", _said("command-line.md"))) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    table = reference.command_table(name) + "\n".join(
        reference.table([*reference.pile_options().values()])
    )
    assert COMMANDS[name].help
    for param in COMMANDS[name].params:
        assert param.help, f"likewise {name} {param.opts[0]} has no help"
        for typed in (*param.opts, *param.secondary_opts):
            shown = typed if typed.startswith("-") else param.metavar or param.name
            assert f"`{shown}".lower() in table.lower()


def test_every_command_that_is_shown_exists() -> None:
    known = {name.split()[0] for name in COMMANDS}
    for page in TEXTS:
        code = _code(page.read_text(encoding="utf-8"))
        for word in re.findall(r"^(?:\$ )?likewise ([a-z][a-z-]*)", code, re.MULTILINE):
            assert word in known, f"{page.name}: likewise {word}"


# --- paths of the server -------------------------------------------------------------------------


def _operations() -> list[str]:
    paths = reference.openapi()["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def _unnamed(operation: str) -> str:
    """Return `GET /media/{}` for `GET /media/{item}[?size=256]`."""
    return re.sub(r"\{\w+\}", "{}", re.split(r"[\[?]", operation)[0])


def test_every_path_of_the_server_is_described_and_no_other() -> None:
    listed = [row for row in _first_column(_said("http.md")) if "/" in row]
    assert sorted(map(_unnamed, listed)) == sorted(map(_unnamed, _operations()))


def test_every_path_says_what_it_does() -> None:
    text = reference.paths_text()
    assert "```{paths}" in _said("http.md")
    for path, methods in reference.openapi()["paths"].items():
        for method, operation in methods.items():
            assert operation.get("description"), f"{method} {path} has no docstring"
            assert f"### `{method.upper()} {path}`" in text


# --- errors --------------------------------------------------------------------------------------


@cache
def _modules() -> dict[str, ModuleType]:
    """Return all modules that users may import, by name; peers need environments of their own."""
    walked = pkgutil.walk_packages(lw.__path__, "likewise.")
    names = [
        module.name for module in walked if not re.search(r"\._|migrations|peers", module.name)
    ]
    return {name: importlib.import_module(name) for name in names if name != "likewise.__main__"}


def _below(error: type[LikewiseError]) -> set[type[LikewiseError]]:
    return {error}.union(*(_below(kind) for kind in error.__subclasses__()))


def test_every_error_is_explained() -> None:
    _modules()
    own = [kind for kind in _below(LikewiseError) if kind.__module__.startswith("likewise.")]
    public = {kind.__name__ for kind in own if not kind.__name__.startswith("_")}
    assert public == set(_first_column(_said("errors.md")))


# --- public names --------------------------------------------------------------------------------


@cache
def _documented() -> dict[str, str]:
    """Return the text of the page that lists a package, a module or an object, by its name."""
    texts = [page.read_text(encoding="utf-8") for page in REFERENCE.rglob("*.md")]
    by_hand = r"automodule:: ([\w.]+)\n   :members:"
    return {
        name: text for text in texts for name in [*objects.listed(text), *re.findall(by_hand, text)]
    }


def _public_packages() -> list[str]:
    return [name for name, module in _modules().items() if name.count(".") == 1 and _all(module)]


def _all(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", ()))


def test_every_name_of_likewise_is_listed() -> None:
    listed = _said("python", "index.md")
    for name in lw.__all__:
        assert f"`lw.{name}`" in listed or f"`likewise.{name}`" in listed, name


@pytest.mark.parametrize("package", _public_packages())
def test_every_public_name_is_in_the_reference(package: str) -> None:
    page = _documented()[package]
    module = _modules()[package]
    for name in _all(module):
        found = getattr(module, name)
        by_autodoc = inspect.isclass(found) or inspect.isroutine(found)
        assert found.__doc__ if by_autodoc else f"`{name}`" in page, f"{package}.{name}"


def test_names_of_inner_packages_are_in_the_reference_too() -> None:
    # What is inside the two front doors, cli and web, is nobody else's to import.
    texts = "\n".join(page.read_text(encoding="utf-8") for page in REFERENCE.rglob("*.md"))
    for package, module in _modules().items():
        if re.match(r"likewise\.(?!cli|web)\w+\.", package) and hasattr(module, "__path__"):
            outer = _all(_modules()[".".join(package.split(".")[:2])])
            for name in _all(module):
                described = name in outer or package in _documented()
                assert described or re.search(rf"{package}\.{name}[`\n]", texts), (
                    f"{package}.{name}"
                )


@pytest.mark.parametrize("name", sorted(_documented()))
def test_everything_in_the_reference_exists_and_has_a_page(name: str) -> None:
    assert name in _modules() or _exists(name)
    found = objects.exported(name)
    assert found
    for full, value in found.items():
        assert f"auto{'class' if inspect.isclass(value) else 'function'}:: {full}" in objects.page(
            full, value, "home"
        )


def test_no_two_pages_of_the_reference_share_a_file() -> None:
    found = {
        full: value for name in _documented() for full, value in objects.exported(name).items()
    }
    files = [objects.page_name(full, value).lower() for full, value in found.items()]
    assert len(set(files)) == len(files) > 250


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_is_longer_than_a_thousand_lines(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("\n") < 1000


# --- what pages say ------------------------------------------------------------------------------


def _exists(dotted: str) -> bool:
    """Return whether `lw.stores.Store.read` and the like can be reached."""
    first, *rest = dotted.split(".")
    assert first in ("lw", "likewise")
    found: Any = lw
    for depth, part in enumerate(rest, start=1):
        if hasattr(found, part):
            found = getattr(found, part)
        elif part in getattr(found, "__annotations__", {}):
            return True
        else:
            try:
                found = importlib.import_module(".".join(["likewise", *rest[:depth]]))
            except ImportError:
                return False
    return True


def _code(text: str) -> str:
    """Return fenced blocks and code spans, one per line."""
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`]+)`", rest)])


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_name_a_page_mentions_exists(page: Path) -> None:
    names = set(_NAME.findall(_code(page.read_text(encoding="utf-8"))))
    missing = [
        name
        for name in names - _GROUPS
        if name.split(".")[-1] not in _ENDINGS and not _exists(name)
    ]
    assert not missing


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_a_page_links_to_exists(page: Path) -> None:
    taken = {DOCS / "pictures" / f"page-{name}.png" for name in PICTURES}
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        file = (page.parent / link).resolve()
        assert "://" in link or file.exists() or file in taken, link


def test_every_picture_that_the_build_takes_is_shown() -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"pictures/page-([\w-]+)\.png", texts)) == set(PICTURES)
