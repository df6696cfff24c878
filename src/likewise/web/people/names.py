"""Who takes part in a study that is served: names that cannot be mistaken for each other."""

from __future__ import annotations

from likewise.errors import AnswerError, MethodError
from likewise.journal.person_names import look_alike, person_name
from likewise.study import Study
from likewise.web.security.access import Access


class People:
    """The names under which answers are given; used in the thread of the study.

    Parameters
    ----------
    study
        Knows who has answered.
    access
        Knows who was invited; None when nobody needs a token.
    """

    def __init__(self, study: Study, access: Access | None) -> None:
        self.study = study
        self._access = access
        self._came: set[str] = set()

    @property
    def invited(self) -> dict[str, str]:
        """The token of everybody who was invited, by name."""
        return {} if self._access is None else self._access.invited

    def knows(self, who: str) -> bool:
        """Return whether somebody of this name has come before; in any thread."""
        return who in self._came

    def admit(self, who: str) -> None:
        """Let somebody take part whose name nobody has checked.

        Raises
        ------
        AnswerError
            If it looks like that of somebody else.
        """
        self._require_unlike(who)
        self._came.add(who)

    def invite(self, name: str) -> tuple[str, str]:
        """Return the name as it is kept, and the token of who is invited."""
        if self._access is None:
            raise MethodError("this server asks nobody for a token, so everybody may come")
        who = person_name(name)
        self._require_unlike(who)
        return who, self._access.invite(who)

    def withdraw(self, name: str) -> None:
        """Take an invitation back."""
        if self._access is None:
            raise LookupError(f"nobody called {name} was invited")
        self._access.withdraw(name)

    def _require_unlike(self, who: str) -> None:
        """Refuse a name that could be taken for another person's."""
        known = {answer.who for answer in self.study.answers} | self._came | self.invited.keys()
        if who not in known and (other := look_alike(who, known)):
            raise AnswerError(
                f"{who!r} looks like {other!r}, who takes part already; write it the same way, or "
                "choose another name"
            )
