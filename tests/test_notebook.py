"""The cells of the tutorial, as a notebook runs them: in IPython, one after the other."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "tutorial" / "notebook.md"


def cells() -> list[str]:
    """Return the source of every cell of the page."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    parser = doctest.DocTestParser()
    return ["".join(one.source for one in parser.get_examples(block)) for block in blocks]


@pytest.fixture(scope="module")
def shell() -> Any:
    return pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()


# IPython's own warnings are not ours to mend.
@pytest.mark.filterwarnings("ignore")
def test_the_eight_cells_of_the_tutorial_run_in_ipython(shell: Any) -> None:
    assert len(cells()) == 8
    for cell in cells():
        done = shell.run_cell(cell)
        assert done.success, cell
    shown, _ = shell.display_formatter.format(shell.user_ns["study"])
    assert shown["text/html"].startswith("<")
    assert "178" in shown["text/plain"]
    assert shell.user_ns["axes"].lines
