"""Virtual environments for the peers, made on demand and kept.

An environment is built in a folder of another name and moved into place when it is complete, so
that neither an interruption nor a second process can leave half of one behind under its name.
Only package names and versions are passed to pip; where packages come from is pip's own setting.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from likewise.errors import MissingExtra

logger = logging.getLogger(__name__)

_MARKER = ".complete"


def cache_folder() -> Path:
    """Return where environments are kept: under LIKEWISE_CACHE, or else ~/.cache/likewise."""
    return Path(os.environ.get("LIKEWISE_CACHE", Path.home() / ".cache" / "likewise")) / "peers"


def environment_folder(name: str, requirements: tuple[str, ...]) -> Path:
    """Return the folder for these requirements; others, or another Python, give another one."""
    key = "\n".join((*sorted(requirements), _interpreter()[1]))
    return cache_folder() / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def _interpreter() -> tuple[str, str]:  # path, version
    """Return a Python 3.11 if there is one, the last old numpy has wheels for; else this Python."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    other = None if version == "3.11" else shutil.which("python3.11")
    return (other, "3.11") if other else (sys.executable, version)


def ensure_environment(name: str, requirements: tuple[str, ...]) -> Path:  # its Python
    """Return the Python of an environment with `requirements`, made first if need be.

    Raises `MissingExtra` with pip's own words if it cannot be made.
    """
    folder = environment_folder(name, requirements)
    if not (folder / _MARKER).exists():
        _make(folder, requirements)
    return _python(folder)


def _make(folder: Path, requirements: tuple[str, ...]) -> None:
    logger.info("making an environment for %s in %s", ", ".join(requirements), folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f"{folder.name}.building-", dir=folder.parent))
    try:
        _run([_interpreter()[0], "-m", "venv", str(building)], requirements)
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
        pip = [str(_python(building)), "-m", "pip", "install", *quiet]
        _run([*pip, *requirements], requirements)
        (building / _MARKER).touch()
        _move_into_place(building, folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    logger.info("the environment %s is complete", folder.name)


def _move_into_place(building: Path, folder: Path) -> None:
    if folder.exists() and not (folder / _MARKER).exists():
        shutil.rmtree(folder)
    try:
        building.rename(folder)
    except OSError:
        # Another process was quicker: what it made is as good.
        if not (folder / _MARKER).exists():
            raise


def _run(command: list[str], requirements: tuple[str, ...]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = errors[-1] if errors else (done.stderr.strip() or done.stdout.strip())[-300:]
        raise MissingExtra(f"{requirements[0]} cannot be installed for the comparison: {why}")


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
