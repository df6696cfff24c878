"""Random numbers inside compiled loops: the generator xorshift64*.

The state is one number, handed in, never zero, which changes with each draw; so what is drawn is
the same on every machine. Imported by compiled modules only, which are themselves imported when
first used.

References
----------
Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

State = npt.NDArray[np.uint64]  # (1,), not zero

_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)


@compiled(nogil=True)
def draw(state: State) -> float:
    """Draw a number from [0, 1)."""
    return float(_word(state)) / 9007199254740992.0


@compiled(nogil=True)
def draw_below(state: State, below: int) -> int:
    """Draw a whole number from 0 to `below` - 1, by the remainder (small ranges only)."""
    return int(_word(state) % np.uint64(below))


@compiled(nogil=True)
def _word(state: State) -> np.uint64:
    """Draw 53 random bits."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    bits: np.uint64 = (x * _MULTIPLIER) >> np.uint64(11)
    return bits
