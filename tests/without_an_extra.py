"""Tries every public name and every command without the packages of an extra.

Prints JSON: the sentences that named a missing extra, and what went wrong else. Run by
`test_extras.py`, in a process per extra.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import likewise as lw
from likewise._dask import done_by_cluster
from likewise._extras import EXTRAS
from likewise.errors import LikewiseError, MissingExtra

NUMBERS = "a,b\n1,2\n2,1\n9,8\n8,9\n1,1\n"
PILES = {
    "numbers.csv": NUMBERS,
    "mixed.csv": "a,b\n1,x\n2,y\n9,x\n8,z\n1,y\n",
    "texts.txt": "red apple\nred pear\nblue car\nblue bus\n",
}
SERVER = "http://127.0.0.1:9/v1"  # where nobody listens
EVERY = "all"  # but for what the command line itself is made of
# Packages that commands of every kind may need; without others only the last few are tried.
FREQUENT = {"skrub", "tokenizers", "PIL", "sqlalchemy"}
N_SPECIAL = 4


class Without:
    """A finder of modules that finds none of some packages."""

    def __init__(self, finder: Any, packages: set[str]) -> None:
        self.finder, self.packages = finder, packages

    def __getattr__(self, name: str) -> Any:
        return getattr(self.finder, name)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        absent = name.partition(".")[0] in self.packages
        return None if absent else self.finder.find_spec(name, path, target)


def picture(grey: int, side: int = 16) -> bytes:
    """Return a PNG file of one colour, made by hand."""

    def part(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([grey]) * side) * side)
    parts = part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def commands(folder: Path) -> Iterator[list[str]]:
    """Yield every command that ends by itself, with arguments that lead it to what it needs."""
    for name, text in PILES.items():
        (folder / name).write_text(text)
    (folder / "x.parquet").write_bytes(b"PAR1")
    (folder / "b.toml").write_text("name = 'b'")
    (folder / "pictures").mkdir()
    for k in range(3):
        (folder / "pictures" / f"{k}.png").write_bytes(picture(60 * k))
    pile, texts, pictures = (str(folder / n) for n in ("numbers.csv", "texts.txt", "pictures"))
    for name in [*PILES, "x.parquet", "pictures"]:
        yield ["labels", str(folder / name)]
        yield ["start", str(folder / name), "--terminal"]
    yield ["demo", "--simulate", "--budget", "2"]
    for name in ("answer", "rate", "status", "plan", "undo", "audit", "views"):
        yield [name, pile]
    yield ["report", pile, "--out", str(folder / "report.html")]
    for words in (["retract", "0"], ["name", "0", "x"], ["merge", "0", "1"], ["split", "0"]):
        yield [words[0], pile, *words[1:]]
    yield ["not-here", pile, "0"]
    yield ["answers", pile, "export", str(folder / "answers.csv")]
    yield ["backup", pile, str(folder / "copy")]
    yield ["verify", pile]
    yield from (["methods"], ["models"], ["plugins"], ["bench", "data"])
    yield ["bench", "run", str(folder / "b.toml")]
    yield from (["bench", "paper", "no-such-paper"], ["bench", "speed", "--help"])
    yield ["answer", pile, "--by", "m", "--endpoint", SERVER, "--budget", "1", "--dry-run"]
    yield ["labels", texts, "--model", f"endpoint:{SERVER}", "--send"]
    yield ["labels", pictures, "--faces"]
    yield ["bench", "report", str(folder)]


def uses(folder: Path) -> dict[str, str]:
    """Return what else may need a package, in Python, by the package."""
    study = "lw.Study([[0.0], [1.0]]"
    return {
        "psycopg": f"{study}, store='postgresql://me@127.0.0.1:9/x').ask()",
        "anywidget": f"{study}).widget()",
        "ray": "lw.load_items([[[0.0], [1.0], [2.0]]], representatives=2, "
        "client=lw.partitions.Ray())",
        "matplotlib": "lw.plots.map([[0.0], [1.0]])",
        "dlib": f"lw.load_items({str(folder / 'pictures')!r}, faces=True)",
        "rich": "lw.run([[0.0], [1.0]], lw.oracles.FromLabels([0, 1]), progress=True)",
        "httpx": f"lw.answerers.LanguageModel(base_url={SERVER!r}, model='m', send=True)"
        ".about(lw.Items.of([[0.0], [1.0]], texts=['a', 'b']))(0, 1)",
        "distributed": "next(cluster('tcp://127.0.0.1:9', abs, [1], when_lost=max))",
    }


def raised(code: str, **names: Any) -> BaseException | None:
    """Return what an expression raises, None for nothing."""
    try:
        eval(code, names)
    except BaseException as error:  # noqa: BLE001 - told
        return error
    return None


def public_packages() -> Iterator[str]:
    """Yield the packages whose names anybody may import."""
    for module in pkgutil.walk_packages(lw.__path__, "likewise.", onerror=lambda _: None):
        if module.ispkg and not re.search(r"\._|\.cli|migrations|drivers", module.name):
            yield module.name


def attempts(folder: Path, packages: set[str]) -> Iterator[tuple[str, BaseException | None, str]]:
    """Yield what was tried without these packages, what it raised and what it said."""
    for package in public_packages():
        every = "[getattr(found, name) for found in [load(package)] for name in exported(found)]"
        yield (
            package,
            raised(
                every,
                package=package,
                load=importlib.import_module,
                exported=lambda found: getattr(found, "__all__", ()),
            ),
            "",
        )
    made = list(commands(folder))
    for package, line in uses(folder).items():
        if package in packages:  # with it, some of these would wait for a server
            yield line, raised(line, lw=lw, cluster=done_by_cluster), ""
    try:
        from likewise.cli.app import app
    except ModuleNotFoundError:
        return  # `likewise` itself says which extra it needs: a test of its own
    from typer.testing import CliRunner

    for command in made if packages & FREQUENT else made[-N_SPECIAL:]:
        done = CliRunner().invoke(app, command, input="")
        yield " ".join(command), done.exception, done.output


def check(packages: set[str]) -> tuple[list[str], dict[str, str]]:
    """Return the sentences about missing extras, and what was raised that is no sentence."""
    sys.meta_path[:] = [Without(finder, packages) for finder in sys.meta_path]
    sentences, troubles = set(), {}
    with tempfile.TemporaryDirectory() as made, open(os.devnull, "w") as nowhere:
        os.environ["LIKEWISE_CACHE"] = os.environ["LIKEWISE_HOME"] = made
        os.environ["COLUMNS"] = "500"
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            for what, error, output in attempts(Path(made), packages):
                if isinstance(error, MissingExtra):
                    sentences.add(str(error))
                elif not (error is None or isinstance(error, LikewiseError | SystemExit)):
                    troubles[what.replace(made, "")] = f"{type(error).__name__}: {error}"
                sentences.update(line for line in output.splitlines() if "pip install" in line)
                if "Traceback" in output or "ModuleNotFound" in output:
                    troubles[what.replace(made, "")] = output
    return sorted(sentences), troubles


def main(extra: str) -> None:
    """Check without one extra, or without all of them."""
    packages = {package for package, (one, _) in EXTRAS.items() if extra in (one, EVERY)}
    if extra == EVERY:
        packages -= {"typer", "rich", "pydantic"}
    print(json.dumps(check(packages)))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
