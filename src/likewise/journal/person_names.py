"""Names of people: written in one way only, and no two of them alike to the eye.

What stands in a journal says who answered. A name with an invisible character in it, or with a
Cyrillic letter in place of a Latin one, would be another person who looks like the first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from likewise.errors import AnswerError

_LONGEST = 100  # characters
# Nothing is seen of these, though they are no format characters to Unicode.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f]")
_REFUSED = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
# Scripts that are written in one word with each other.
_TOGETHER = {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
# Cyrillic, Greek and Armenian letters and digits, and below each the Latin letter it is taken for.
_LOOKS_LIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеѕіјорсухԁԛԝһӏӀ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχω" "օսԼ" "01I|ıǀ",
    "ABESlJKMHOPCTYX3aesijopcyxdqwhll" "ABEZHlKMNOPTYXayikvoptuxw" "ouL" "olllll",
)  # fmt: skip


def person_name(text: str) -> str:
    """Return a person's name as it is kept, however it was typed.

    Compatible forms become one (NFKC), what cannot be seen is dropped, white space is a single
    blank. "" stays "": somebody who gives no name.

    Raises
    ------
    AnswerError
        If the name is too long, holds what cannot be shown, or mixes scripts within a word.

    Examples
    --------
    >>> person_name(" A\\u200bda\\u3000Lovelace ")
    'Ada Lovelace'
    """
    name = text
    for _ in range(2):  # what is dropped may have parted characters that belong together
        name = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
        name = "".join(one for one in name if unicodedata.category(one) != "Cf")
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", name)).strip()
    if bad := _unshowable(name):
        raise AnswerError(f"a person's name cannot hold U+{ord(bad):04X}; leave it out")
    if len(name) > _LONGEST:
        raise AnswerError(f"a person's name has at most {_LONGEST} characters, not {len(name)}")
    for word in re.split(r"[\W\d_]+", name):
        if len(scripts := _scripts(word)) > 1 and not scripts <= _TOGETHER:
            mixed = " and ".join(sorted(script.capitalize() for script in scripts))
            raise AnswerError(
                f"the name {name!r} mixes {mixed} letters in one word, which look like each other; "
                "write it in one script"
            )
    return name


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the one of `others` that could be taken for this name, which is not the name itself.

    Names look alike that differ in upper and lower case only, or in letters and digits of the same
    shape.

    >>> look_alike("Аda", ["Bob", "Ada"]), look_alike("Ada", ["Ada"]), look_alike("ada", ["Ada"])
    ('Ada', None, 'Ada')
    """
    shapes = _shapes(name)
    return next((one for one in others if one != name and shapes & _shapes(one)), None)


def _shapes(name: str) -> set[str]:
    """Return what the name is taken for: without regard to case, and to the eye."""
    return {name.casefold(), name.translate(_LOOKS_LIKE).casefold()}


def _unshowable(name: str) -> str | None:
    """Return the first character that is none to be shown."""
    return next((one for one in name if unicodedata.category(one) in _REFUSED), None)


def _scripts(word: str) -> set[str]:
    """Return the scripts of a word's letters, as the names of the letters begin."""
    letters = (one for one in word if unicodedata.category(one) in ("Lu", "Ll", "Lt", "Lo"))
    return {unicodedata.name(one, "UNKNOWN").split()[0] for one in letters}
