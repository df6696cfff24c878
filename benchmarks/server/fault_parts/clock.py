"""A clock of a program's own, which can be set back and ahead while it runs."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

_SOURCE = Path(__file__).with_suffix(".c")


class OwnClock:
    """Moves the time of day of the programs that are started with `environment`.

    Needs a C compiler; `can_be_set` says whether there was one. Only the time of day moves, as when
    somebody sets a computer's clock: Debian's libfaketime would move sleeping, too.
    """

    def __init__(self, folder: Path) -> None:
        self._offset, library = folder / "clock", folder / "clock.so"
        self.set(0)
        compiler = shutil.which("cc")
        words = [str(compiler), "-shared", "-fPIC", "-O1", "-o", str(library), str(_SOURCE)]
        self.can_be_set = (
            compiler is not None and not subprocess.run(words, capture_output=True).returncode
        )
        self.environment: dict[str, str] = {}
        if self.can_be_set:
            self.environment = {"LD_PRELOAD": str(library), "LIKEWISE_CLOCK": str(self._offset)}

    def set(self, seconds: int) -> None:
        """Set the time of day off by so many seconds."""
        descriptor = os.open(self._offset, os.O_CREAT | os.O_WRONLY)
        try:
            os.write(descriptor, struct.pack("=q", seconds))
        finally:
            os.close(descriptor)
