"""How features were made of texts, rows or pictures, to make those of items that come later alike.

Features of texts and pictures are turned onto the main directions of a whole pile, so old and new
items are turned together. Rows are brought into the units of the old ones alone: a single number
far off must not change how all others compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from likewise.errors import DataError
from likewise.features import models
from likewise.features.base import FeatureModel
from likewise.features.cache import file_digests
from likewise.features.text_views import text_views
from likewise.items._matrices import Matrix
from likewise.items.columns import texts_of
from likewise.items.digests import text_digest
from likewise.items.frame_rows import FrameRows
from likewise.items.given import Table, Texts, table_or_texts
from likewise.items.table_features import table_features

if TYPE_CHECKING:
    from likewise.items.items import Items

_LISTED = 8  # columns named in one sentence


class Encoder(Protocol):
    """Makes features of old and new items that can be compared."""

    def encode(self, items: Items, new: Any) -> tuple[Matrix, Matrix]:
        """Return features of the items and of new ones, in the same units."""


@dataclass(frozen=True)
class TextPileEncoder:
    """Compares texts by what they are about.

    Parameters
    ----------
    model : str, feature model or None
        As for `load_items`.
    column : str, optional
        The column that holds the texts, where they came in a table.
    """

    model: str | FeatureModel | None = None
    column: str | None = None

    def encode(self, items: Items, new: Any) -> tuple[Matrix, Matrix]:
        """Return features of the items and of new texts, or of a table with their column."""
        texts = [*(items.texts or ()), *self.texts_of(new)]
        views, _ = text_views(self.model, texts, [text_digest(text) for text in texts])
        both = views.mixture(items.off)
        return both[: len(items)], both[len(items) :]

    def texts_of(self, new: Any) -> list[str]:
        """Return the new texts."""
        given = table_or_texts(new)
        if isinstance(given, Texts):
            return given.texts
        if self.column is None or given is None:
            raise DataError("the study's items are texts; give the new ones as a list of texts")
        if self.column not in given.frame.columns:
            raise DataError(f"the new rows have no column {self.column!r}, which holds the texts")
        return texts_of(given.frame[self.column].to_list())


@dataclass(frozen=True)
class TablePileEncoder:
    """Compares rows by all their columns.

    Parameters
    ----------
    scaling : {"auto", "columns", "none"}
        As for `Items.of`.
    """

    scaling: str = "auto"

    def encode(self, items: Items, new: Any) -> tuple[Matrix, Matrix]:
        """Return features of the items and of the rows of a table with the same columns."""
        import narwhals as nw
        import pandas as pd

        given = table_or_texts(new)
        assert isinstance(items.rows, FrameRows)
        old = items.rows.frame
        if not isinstance(given, Table):
            listed = ", ".join(old.columns[:_LISTED])
            more = len(old.columns) - _LISTED
            listed += f" and {more:,} more" if more > 0 else ""
            raise DataError(f"the study's items are rows; give a table with the columns {listed}")
        rows = given.frame.to_pandas()
        missing = [name for name in old.columns if name not in rows.columns]
        if missing:
            raise DataError(
                f"the new rows have no column {missing[0]!r}; give them all the columns"
            )
        columns = {name: _joined(old[name], rows[name]) for name in old.columns}
        frame = nw.from_native(pd.DataFrame(columns), eager_only=True)
        both = table_features(frame, self.scaling, n_known=len(old))[0]
        return both[: len(old)], both[len(old) :]


@dataclass(frozen=True)
class PicturePileEncoder:
    """Compares pictures by how they look.

    Parameters
    ----------
    model : str or feature model
        As for `load_items`.
    column : str, optional
        The column that names the files, where they came in a table.
    """

    model: str | FeatureModel
    column: str | None = None

    def encode(self, items: Items, new: Any) -> tuple[Matrix, Matrix]:
        """Return features of the items and of new picture files."""
        old = [Path(str(file)) for file in items.pictures or ()]
        files = [*old, *_require_files(new)]
        digests = file_digests(files)
        readable = [k for k in range(len(files)) if k in digests]
        chosen = [files[k] for k in readable]
        places, views = models.embed_pictures(self.model, chosen, [digests[k] for k in readable])
        both = views.mixture(items.off)
        seen = {readable[place] for place in places}
        for k, file in enumerate(files):
            if k not in seen:
                raise DataError(f"{file} cannot be read as a picture; leave it out")
        return both[: len(old)], both[len(old) :]


def _require_files(new: Any) -> list[Path]:
    """Return the files of new pictures."""
    if isinstance(new, str | bytes | Path) or not isinstance(new, Sequence):
        raise DataError("the study's items are pictures; give the new ones as a list of files")
    if not all(isinstance(file, str | Path) for file in new):
        raise DataError("the study's items are pictures; give the new ones as a list of files")
    return [Path(file) for file in new]


def _joined(old: Any, new: Any) -> Any:  # pandas series
    """Return a column of old and new cells, of the kind that the old ones are of."""
    import pandas as pd

    is_number = pd.api.types.is_numeric_dtype(old) and not pd.api.types.is_bool_dtype(old)
    if is_number:
        numbers = pd.to_numeric(new, errors="coerce")
        for cell, number in zip(new, numbers, strict=True):
            if pd.isna(number) and not pd.isna(cell):
                raise DataError(
                    f"column {old.name!r} holds numbers, but the new rows have {str(cell)[:40]!r} "
                    "there; mend or empty that cell"
                )
        return pd.concat([old.astype("float64"), numbers.astype("float64")], ignore_index=True)
    if old.dtype != new.dtype:
        old, new = (column.astype(object).map(_as_text) for column in (old, new))
    return pd.concat([old, new], ignore_index=True)


def _as_text(cell: Any) -> Any:
    """Return a cell as text, an empty one as it is."""
    return None if cell is None or cell != cell else str(cell)
