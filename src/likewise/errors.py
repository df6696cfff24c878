"""Everything likewise raises on purpose.

    LikewiseError
    ├── DataError       the items, labels or data set given cannot be used
    ├── MethodError     no such method, or a parameter outside its range
    ├── AnswerError     the answer cannot be recorded or taken back
    │   ├── Contradiction   it would need other answers to be taken back first
    │   └── ReusedClientId  another answer was kept under the name its sender gave it
    ├── StoreError      the journal cannot be read or written
    │   ├── NewerFormat     it was written by a newer likewise
    │   └── Overtaken       another program appended to it first
    ├── OracleError     an oracle raised something, or did not answer as it should
    ├── CostLimit       an oracle's next answer would cost more than it may spend
    ├── NotAllowed      only the owner of a study that is served may do this
    └── MissingExtra    an optional package is not installed

Those that report a wrong argument are also a `ValueError`, so that code which knows nothing of
likewise can catch them. The command line prints the message alone and exits with code 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class LikewiseError(Exception):
    """The root of the tree; its message is one sentence that says what to do.

    Catch it to catch all that likewise raises on purpose; anything else is a bug.
    """


class DataError(LikewiseError, ValueError):
    """The items, labels or data set given cannot be used."""


class MethodError(LikewiseError, ValueError):
    """No such method, or a parameter outside its range."""


class AnswerError(LikewiseError, ValueError):
    """The answer cannot be recorded or taken back."""


class Contradiction(AnswerError):  # noqa: N818 - reads as what it is
    """An edit contradicts earlier answers, which its message names; retract them first.

    Parameters
    ----------
    sentence : str
        What contradicts what.
    answers : sequence of Answer
        The earlier answers; none where what follows from them and the number of groups is at odds.
    """

    def __init__(self, sentence: str, answers: Sequence[Any] = ()) -> None:
        super().__init__(sentence)
        self.answers = tuple(answers)


class ReusedClientId(AnswerError):  # noqa: N818 - reads as what it is
    """Another answer was kept under the `client_id` that its sender gave this one.

    Parameters
    ----------
    client_id : str
        The name that was used twice.
    """

    def __init__(self, client_id: str) -> None:
        super().__init__(
            f"another answer was kept as {client_id!r}, so this one was not; send it under a "
            "client_id of its own"
        )


class StoreError(LikewiseError):
    """The journal cannot be read or written."""


class NewerFormat(StoreError):  # noqa: N818 - reads as what it is
    """The journal was written by a newer likewise, which is needed to read it."""


class Overtaken(StoreError):  # noqa: N818 - reads as what it is
    """Another program appended first; read what it wrote, then append again."""


class OracleError(LikewiseError):
    """An oracle raised something, or did not answer as it should; `run` ends and says so."""


class CostLimit(LikewiseError):  # noqa: N818 - reads as what it is
    """An oracle's next answer would cost more than it may spend."""


class NotAllowed(LikewiseError):  # noqa: N818 - reads as what it is
    """Somebody invited to answer in a study asked for what only its owner may do."""


class MissingExtra(LikewiseError, ImportError):  # noqa: N818 - reads as what it is
    """An optional package is not installed; the message says how to install it."""
