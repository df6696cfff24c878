"""Pictures in a terminal: two pixels per character in colour, shades of ink without it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from rich.color import Color
from rich.style import Style
from rich.text import Text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.console import Console

    Image = npt.NDArray[np.float64]  # (rows, columns), 0 = paper, 1 = ink

_PAPER, _INK = (26, 28, 34), (246, 244, 236)
_LEVELS = 31  # few enough that every pair of greys is made only once
_SHADES = " .:-=+*#%@"
_FINE = ("truecolor", "256")  # colour systems with enough shades of grey


def has_greys(console: Console) -> bool:
    """Return whether the console can show a picture in colour."""
    return not console.no_color and console.color_system in _FINE and "utf" in console.encoding


def draw(image: Image, width: int, height: int, *, colour: bool) -> list[Text]:
    """Draw a grey picture as `height` lines of `width` characters, smoothly enlarged.

    With `colour`, a character is two pixels, one above the other; without, it is a shade of ink.
    """
    if not colour:
        shades = _enlarge(image, height, width)
        return [Text("".join(_shade(value) for value in line)) for line in shades]
    pixels = _enlarge(image, 2 * height, width)
    lines = []
    for top, bottom in zip(pixels[::2], pixels[1::2], strict=True):
        line = Text()
        for above, below in zip(top, bottom, strict=True):
            line.append("▀", style=_half_block(round(above * _LEVELS), round(below * _LEVELS)))
        lines.append(line)
    return lines


def _enlarge(image: Image, height: int, width: int) -> Image:
    """Resize an image by linear interpolation between the centres of its pixels."""
    import numpy as np

    def stretched(lines: Image, size: int) -> Image:
        old = np.arange(lines.shape[1])
        new = (np.arange(size) + 0.5) * lines.shape[1] / size - 0.5
        return np.array([np.interp(new, old, line) for line in lines])

    return stretched(stretched(image, width).T, height).T


@cache
def _half_block(above: int, below: int) -> Style:
    return Style(color=_grey(above), bgcolor=_grey(below))


def _grey(level: int) -> Color:
    red, green, blue = (p + (i - p) * level / _LEVELS for p, i in zip(_PAPER, _INK, strict=True))
    return Color.from_rgb(red, green, blue)


def _shade(value: float) -> str:
    return _SHADES[min(int(value * len(_SHADES)), len(_SHADES) - 1)]


def draw_photo(image: Any, width: int, height: int, *, colour: bool) -> list[Text]:
    """Draw a Pillow image as large as its shape allows in `height` lines of `width` characters.

    With `colour`, a character is two pixels, one above the other; without, it is a shade of ink.
    """
    import numpy as np

    # A character is about twice as high as wide: half of it makes a square.
    scale = min(width / image.width, 2 * height / image.height)
    columns = max(1, min(width, round(image.width * scale)))
    lines = max(1, min(height, round(image.height * scale / 2)))
    if not colour:
        grey = np.asarray(image.convert("L").resize((columns, lines))) / 255
        return [Text("".join(_shade(1 - value) for value in line)) for line in grey]
    pixels = np.asarray(image.resize((columns, 2 * lines)))
    drawn = []
    for top, bottom in zip(pixels[::2], pixels[1::2], strict=True):
        line = Text()
        for above, below in zip(top.tolist(), bottom.tolist(), strict=True):
            style = Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below))
            line.append("▀", style=style)
        drawn.append(line)
    return drawn
