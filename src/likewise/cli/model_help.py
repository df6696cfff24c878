"""Help that names the feature models of other packages."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperOption


class NamesModels(TyperCommand):
    """A command whose help for `--model` names what other packages offer.

    They are looked up when help is asked for: it takes longer than most commands take to begin.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the names of models in it."""
        for option in self.params:
            if option.name == "model" and isinstance(option, TyperOption):
                from likewise.features.models import plugins

                if names := plugins.names():
                    option.help = f"{option.help} From other packages: {', '.join(names)}."
        super().format_help(ctx, formatter)
