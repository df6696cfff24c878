"""Draw the house: packages as rooms, layers from top to bottom, arrows for who imports whom.

`python docs/_house.py` writes docs/images/house.svg from the layers in pyproject.toml and the
imports in src/likewise; `python docs/_house.py numbers [FOLDER...]` prints what source trees
measure. `tests/contracts/test_house.py` holds the picture to the import graph.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "house.svg"
LIVES_HERE = {
    "cli": "commands, terminal",
    "testing": "contracts for parts",
    "bench": "experiments, papers, peers",
    "web": "page, server, worker",
    "mcp": "agents by a protocol",
    "report": "one HTML file",
    "answerers": "language models, ledger",
    "views": "exemplars, map, thumbnails",
    "piles": "files become items",
    "quality": "advice, audit, agreement",
    "exchange": "answers in and out",
    "simulation": "run, oracles",
    "study": "ask, tell, undo, edits",
    "methods": "recipes by name",
    "auto": "committee, expected gain",
    "strategies": "what to ask next",
    "stores": "where journals are kept",
    "partitions": "parts on other machines",
    "similarity": "costly similarities",
    "clusterers": "groups that respect links",
    "affinities": "how alike two items are",
    "beliefs": "who errs, what is overruled",
    "items": "what is grouped",
    "journal": "answers, what follows",
    "metrics": "how far groupings agree",
    "datasets": "data to try",
    "plots": "figures",
    "features": "things become numbers",
    "errors": "what is raised on purpose",
    "_dask": "other machines",
    "_xorshift": "random bits for kernels",
    "_compiled": "loops compiled by numba",
    "_plugins": "entry points",
    "_extras": "packages not everybody needs",
    "_endpoints": "servers on the network",
    "_seeds": "whatever is given as random_state",
    "_summaries": "one line about a study, a run",
    "_version": "which one this is",
    "_arrays": "checks of arrays",
    "__main__": "python -m likewise",
}
Graph = dict[str, set[str]]
_WIDTH, _HEIGHT, _GAP, _LAYER, _MARGIN = 190, 50, 22, 104, 24


def layers() -> list[list[str]]:
    """Return the rooms of each layer, top to bottom, as import-linter is told in pyproject.toml."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [
        [room.strip().removeprefix("likewise.") for room in layer.split("|")]
        for layer in contract["layers"]
    ]


def imports(source: Path = ROOT / "src" / "likewise") -> Graph:
    """Return which rooms the modules of each room import, wherever in a file they do so."""
    graph: Graph = {}
    for path in sorted(source.rglob("*.py")):
        room = path.relative_to(source).parts[0].removesuffix(".py")
        if room != "__init__":  # the front door, which shows all rooms and lives in none
            targets = graph.setdefault(room, set())
            targets.update(_imported(ast.parse(path.read_text(encoding="utf-8"))))
    known = graph.keys()
    return {
        room: {t for t in targets if t in known and t != room} for room, targets in graph.items()
    }


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the first part below `likewise` of everything a file imports from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            dotted = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (d.split(".")[1] for d in dotted if d.startswith("likewise."))


def reduced(graph: Graph) -> Graph:
    """Return the graph without imports that a longer way down implies: what is worth drawing."""
    return {
        room: {t for t in targets if not any(t in _below(graph, other) for other in targets - {t})}
        for room, targets in graph.items()
    }


def _below(graph: Graph, room: str) -> set[str]:
    """Return all rooms that can be reached from one."""
    found: set[str] = set()
    left = [room]
    while left:
        for target in graph.get(left.pop(), set()) - found:
            found.add(target)
            left.append(target)
    return found


def draw() -> str:
    """Return the picture as SVG; its arrows carry `data-from` and `data-to`."""
    floors = layers()
    arrows = reduced(imports())
    width = 2 * _MARGIN + max(len(floor) for floor in floors) * (_WIDTH + _GAP) - _GAP
    height = 2 * _MARGIN + len(floors) * _LAYER - (_LAYER - _HEIGHT)
    places = _places(_ordered(floors, arrows), width)
    parts = [_arrow(a, b, places) for a in places for b in sorted(arrows.get(a, ()))]
    parts += [_room(room, *place) for room, place in places.items()]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" role="img" aria-label="Packages and imports">'
    )
    marker = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b7083"/></marker></defs>'
    )
    paper = f'<rect width="{width}" height="{height}" rx="8" fill="#fbfaf7"/>'
    return "\n".join([head, marker, paper, *parts, "</svg>"]) + "\n"


def _ordered(floors: list[list[str]], arrows: Graph) -> list[list[str]]:
    """Return each floor's rooms in an order that crosses few arrows: below what imports them."""
    at: dict[str, float] = {}
    ordered = []
    for floor in floors:
        above = {room: [at[a] for a in at if room in arrows.get(a, ())] for room in floor}
        means = {r: sum(xs) / len(xs) if xs else 0.5 for r, xs in above.items()}
        row = sorted(floor, key=lambda room: (means[room], room))
        at |= {room: (k + 0.5) / len(row) for k, room in enumerate(row)}
        ordered.append(row)
    return ordered


def _places(floors: list[list[str]], width: int) -> dict[str, tuple[float, float]]:
    """Return the upper left corner of every room; floors are spread over the whole width."""
    places = {}
    for k, floor in enumerate(floors):
        step = (width - 2 * _MARGIN) / len(floor)
        for j, room in enumerate(floor):
            x = _MARGIN + step * (j + 0.5) - _WIDTH / 2
            places[room] = (round(x, 1), float(_MARGIN + k * _LAYER))
    return places


def _room(room: str, x: float, y: float) -> str:
    """Return one room: its name, and what lives there."""
    middle = x + _WIDTH / 2
    return (
        f'<g data-room="{room}"><rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" '
        'fill="#ffffff" stroke="#2f6f6a" stroke-width="1.4"/>'
        f'<text x="{middle}" y="{y + 21}" text-anchor="middle" font-size="16" font-weight="600" '
        f'fill="#1c2b33">{room}</text>'
        f'<text x="{middle}" y="{y + 39}" text-anchor="middle" font-size="12" fill="#52626d">'
        f"{escape(LIVES_HERE[room])}</text></g>"
    )


def _arrow(above: str, below: str, places: dict[str, tuple[float, float]]) -> str:
    """Return the arrow from who imports to who is imported."""
    (x0, y0), (x1, y1) = places[above], places[below]
    x0, x1, y0 = x0 + _WIDTH / 2, x1 + _WIDTH / 2, y0 + _HEIGHT
    bend = (y1 - y0) * 0.5
    return (
        f'<path data-from="{above}" data-to="{below}" fill="none" stroke="#5b7083" '
        f'stroke-width="1.3" stroke-opacity="0.75" marker-end="url(#tip)" '
        f'd="M{x0} {y0}C{x0} {y0 + bend} {x1} {y1 - bend} {x1} {y1 - 2}"/>'
    )


def numbers(source: Path) -> dict[str, str]:
    """Return what a source tree measures: modules, lines, lines per file, folders, docstrings."""
    files = sorted(source.rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    lines = [len(text.splitlines()) for text in texts.values()]
    sizes = [n for path, n in zip(files, lines, strict=True) if path.stem != "__init__" or n >= 15]
    folders: dict[Path, int] = {}
    for path in files:
        folders[path.parent] = folders.get(path.parent, 0) + (path.stem != "__init__")
    largest = max(folders, key=lambda folder: folders[folder])
    public = {path: _public(ast.parse(text)) for path, text in texts.items()}
    exported = [n for path, n in public.items() if path.stem == "__init__" and n]
    docs = sum(_docstring_lines(ast.parse(text)) for text in texts.values())
    return {
        "modules": str(len(files)),
        "lines": f"{sum(lines):,}".replace(",", " "),
        "lines without docstrings": f"{sum(lines) - docs:,}".replace(",", " "),
        "lines per file: median / p90 / max": (
            f"{median(sizes):.0f} / {quantiles(sizes, n=10)[-1]:.0f} / {max(sizes)}"
        ),
        "largest flat folder": f"{largest.relative_to(source.parent)}, {folders[largest]} modules",
        "modules at the root": str(folders[source]),
        "docstrings, share of lines": f"{docs / sum(lines):.0%}",
        "packages that export names": str(len(exported)),
        "public names per package: median / max": (
            f"{median(exported):.0f} / {max(exported)}" if exported else "none"
        ),
    }


def _public(tree: ast.Module) -> int:
    """Return how many names a module lists in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return len(getattr(node.value, "elts", ()))
    return 0


def _docstring_lines(tree: ast.Module) -> int:
    """Return how many lines of a file are docstrings."""
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    documented = [n for n in ast.walk(tree) if isinstance(n, kinds) and ast.get_docstring(n)]
    return sum((n.body[0].end_lineno or 0) - n.body[0].lineno + 1 for n in documented)


def main(words: list[str]) -> None:
    """Write the picture, or print a table with a column per folder."""
    if words[:1] != ["numbers"]:
        PICTURE.write_text(draw(), encoding="utf-8")
        return
    columns = [numbers(Path(folder)) for folder in words[1:] or [str(ROOT / "src" / "likewise")]]
    for row in columns[0]:
        print(f"| {row} | " + " | ".join(column[row] for column in columns) + " |")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
