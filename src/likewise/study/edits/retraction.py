"""The gesture that takes back all answers of one answerer, a program say, in one piece."""

from __future__ import annotations

from likewise.errors import AnswerError
from likewise.journal.pairs import Changes
from likewise.journal.person_names import person_name
from likewise.study.study import Study


def retract_all(study: Study, of: str, *, who: str = "") -> int:
    """Take back all answers of one answerer; it is one step, and undone as such.

    Parameters
    ----------
    study : Study
        The study.
    of : str
        Whose answers.
    who : str
        Who takes them back.

    Returns
    -------
    int
        How many those were.

    Raises
    ------
    AnswerError
        If nobody of that name has answered.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 1), "same", who="model"), study.tell((0, 2), "different", who="Ada")
    >>> retract_all(study, "model"), study.n_answers
    (1, 1)
    >>> _ = study.undo()
    >>> study.n_answers
    2
    """
    name = person_name(of)

    def changes() -> Changes:
        theirs = [answer.id for answer in study.answers if answer.who == name]
        if not theirs:
            known = ", ".join(sorted({repr(answer.who) for answer in study.answers}))
            raise AnswerError(
                f"nobody called {name!r} has answered; those who have are {known or 'none'}"
            )
        taken[:] = theirs
        return Changes(retracted=theirs, who=who, is_step=True)

    taken: list[int] = []
    study.record(changes)
    return len(taken)
