"""Short names for what items hold, by which a pile is recognised whatever made its features."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Digests = npt.NDArray[np.uint8]  # (n, 16), a row for each item


def digest(*parts: bytes) -> bytes:
    """Return a short name for a content."""
    whole = hashlib.blake2b(digest_size=16)
    for part in parts:
        # With its length, so that ("a", "bc") and ("ab", "c") are two things.
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.digest()


def text_digest(text: str) -> bytes:
    """Return a short name for a text; halves of surrogate pairs are no trouble."""
    return digest(text.encode("utf-8", "surrogatepass"))


def content_fingerprint(digests: Sequence[bytes]) -> str:
    """Return the fingerprint of items by what they hold."""
    return digest(*digests).hex()[:16]


def row_digests(table: Any) -> Digests:  # (len(table), 16)
    """Return a short name for each row of a pandas frame; a number is the same in any type."""
    import pandas as pd

    alike = table.copy(deep=False)
    only_numbers = True
    for name in table.columns:
        column = table[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            alike[name] = column.to_numpy(dtype=np.float64, na_value=np.nan) + 0.0  # no -0
        else:
            only_numbers = False
    # Numbers have one hash, whatever the key.
    keys = ["likewise, half 1"] if only_numbers else ["likewise, half 1", "likewise, half 2"]
    halves = [
        pd.util.hash_pandas_object(alike, index=False, hash_key=key).to_numpy() for key in keys
    ]
    return np.column_stack([halves[0], halves[-1]]).view(np.uint8)


def number_digests(X: npt.NDArray[np.float64], flags: Sequence[int] = ()) -> Digests:  # (n, 16)
    """Return the same for rows of a matrix; those of a table of the same numbers are equal.

    `flags` are the columns that hold true and false, which are no numbers in a table.
    """
    import pandas as pd

    return row_digests(pd.DataFrame(X).astype(dict.fromkeys(flags, bool)))
