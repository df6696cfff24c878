"""Where studies are kept whose piles lie where nothing can be written."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def own_folder() -> Path:
    """Return the user's folder for what likewise keeps; LIKEWISE_HOME names another."""
    named = os.environ.get("LIKEWISE_HOME")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("likewise", appauthor=False)


def own_place(pile: Path) -> Path:
    """Return the file in the user's own folder in which the study of a pile can be kept.

    Piles of one name in different folders have different files.
    """
    whole = str(pile.resolve())
    digest = hashlib.blake2b(whole.encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return own_folder() / "studies" / f"{pile.resolve().stem}-{digest}.likewise.db"


def unwritable(journal: Path) -> str:
    """Return why a journal cannot be written, without writing anything; "" if it can.

    >>> unwritable(Path("no such folder") / "pile.likewise.db")
    'there is no folder no such folder'
    """
    if journal.exists():
        return "" if os.access(journal, os.W_OK) else f"{journal} may not be written"
    folder = next((one for one in journal.parents if one.exists()), journal.parent)
    if folder != journal.parent and not journal.is_relative_to(own_folder()):
        return f"there is no folder {journal.parent}"
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return f"nothing can be written to {folder}"
    return ""
