"""Sphinx directives that write the reference from the program itself, so that it cannot go stale.

`{command} labels` lists the arguments and options of a command, `{pile-options}` those that all
commands about a pile share, `{paths}` the HTTP paths of the server's OpenAPI document.
"""

from __future__ import annotations

import re
from typing import Any

from _reference import command_table, paths_text, pile_options, table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class CommandDirective(SphinxDirective):
    """`{command} NAME`: arguments and options of a command."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the command's table."""
        return self.parse_text_to_nodes(command_table(self.arguments[0]))


class PileOptionsDirective(SphinxDirective):
    """`{pile-options}`: the options that all commands about a pile share."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of their table."""
        return self.parse_text_to_nodes("\n".join(table([*pile_options().values()])))


class PathsDirective(SphinxDirective):
    """`{paths}`: all HTTP paths."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of a section per path and method."""
        return self.parse_text_to_nodes(paths_text(), allow_section_headings=True)


def escape(*args: Any) -> None:
    """Escape |x| and name_ in the lines of a docstring: here they are no references."""
    lines: list[str] = args[-1]
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = line.split("`")
            parts[::2] = [
                re.sub(r"(?<=\w)_(?!\w)", r"\\_", part.replace("|", r"\|")) for part in parts[::2]
            ]
            lines[k] = "`".join(parts)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("command", CommandDirective)
    app.add_directive("pile-options", PileOptionsDirective)
    app.add_directive("paths", PathsDirective)
    app.setup_extension("sphinx.ext.autodoc")  # it brings the event along
    # After napoleon, which looks for names that end in an underscore.
    app.connect("autodoc-process-docstring", escape, priority=900)
    return {"parallel_read_safe": True}
