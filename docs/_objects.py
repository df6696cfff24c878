"""A page for every public class and function, made by the build from the packages themselves.

A block `{objects}` in a page names packages, modules and objects, one per line; it becomes a table
of what they export, each with a page of its own: signature with types, parameters, members, and
the examples of the gallery that use it. `tests/test_docs.py` checks that nothing is missing.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

PAGES = Path(__file__).parent / "reference" / "python"
FOLDER = "objects"  # below PAGES; not in the repository


def listed(text: str) -> list[str]:
    """Return the names that the blocks `{objects}` of a page hold."""
    blocks = re.findall(r"^```\{objects\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [name for block in blocks for name in block.split()]


def exported(name: str) -> dict[str, Any]:
    """Return the classes and functions that a name stands for, by their full names.

    A package or module stands for all that it exports, in its own order.
    """
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        home, _, last = name.rpartition(".")
        return {name: getattr(importlib.import_module(home), last)}
    names = getattr(module, "__all__", None) or [
        one
        for one, value in vars(module).items()
        if not one.startswith("_") and getattr(value, "__module__", "") == name
    ]
    found = {f"{name}.{one}": getattr(module, one) for one in names}
    return {
        full: value
        for full, value in found.items()
        if inspect.isclass(value) or inspect.isroutine(value)
    }


def page_name(full: str, value: Any) -> str:
    """Return what an object's page is called; those of `run` and `Run` differ on every system.

    >>> page_name("likewise.run", page_name)
    'likewise.run_function'
    """
    return full + "_function" * inspect.isroutine(value)


def page(full: str, value: Any, home: str) -> str:
    """Return the page of an object, in reStructuredText as autodoc wants it."""
    name = full.rpartition(".")[2]
    kind = "class" if inspect.isclass(value) else "function"
    lines = [name, "=" * len(name), "", f"Of :doc:`likewise.{home} <../{home}>`.", ""]
    lines += [f".. auto{kind}:: {full}"]
    lines += ["   :members:", "   :show-inheritance:"] if kind == "class" else []
    # What a study does is in parts that are nobody else's to import.
    if kind == "class" and value.__module__.startswith("likewise.study."):
        lines += ["   :inherited-members:"]
    lines += ["", f".. minigallery:: {full}", "   :add-heading: In the gallery", ""]
    return "\n".join(lines)


def summary(value: Any) -> str:
    """Return the first sentence of a docstring, fit for a cell of a table.

    >>> summary(summary)
    'Return the first sentence of a docstring, fit for a cell of a table.'
    """
    paragraph = (inspect.getdoc(value) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")


class ObjectsDirective(SphinxDirective):
    """`{objects}`: what packages, modules and names stand for, each with a page of its own."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the table and of the hidden list of pages."""
        found = {full: value for name in self.content for full, value in exported(name).items()}
        pages = {full: f"{FOLDER}/{page_name(full, value)}" for full, value in found.items()}
        rows = [
            f"| [`{full.rpartition('.')[2]}`]({pages[full]}.rst) | {summary(value)} |"
            for full, value in found.items()
        ]
        toctree = ["```{toctree}", ":hidden:", "", *pages.values(), "```"]
        return self.parse_text_to_nodes(
            "\n".join(["| name | what it is |", "|---|---|", *rows, "", *toctree])
        )


def write_pages(app: Sphinx) -> None:
    """Write the page of every object that a page lists; those that are right are left alone."""
    folder = PAGES / FOLDER
    folder.mkdir(exist_ok=True)
    texts = {
        folder / f"{page_name(full, value)}.rst": page(full, value, source.stem)
        for source in PAGES.glob("*.md")
        for name in listed(source.read_text(encoding="utf-8"))
        for full, value in exported(name).items()
    }
    for old in set(folder.glob("*.rst")) - set(texts):
        old.unlink()
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive, and write the pages before any is read."""
    app.add_directive("objects", ObjectsDirective)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
