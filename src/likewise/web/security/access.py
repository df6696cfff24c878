"""Who may come, and as whom: the owner of the study, and people who were invited."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import AnswerError, NotAllowed, StoreError
from likewise.journal.person_names import look_alike, person_name
from likewise.web.security.access_file import AccessFile
from likewise.web.security.tokens import new_token, require_token

_MOST_INVITED = 500


@dataclass(frozen=True)
class Visitor:
    """Who sent a request.

    Parameters
    ----------
    name
        The person who was invited; "" is the owner, who may answer under any name.
    """

    name: str = ""

    @property
    def is_owner(self) -> bool:
        """Whether everything is allowed."""
        return not self.name

    def person(self, annotator: str) -> str:
        """Return who answers, where the request says `annotator`.

        Raises
        ------
        NotAllowed
            If it names somebody else than who was invited.
        """
        wanted = person_name(annotator)
        if not self.is_owner and wanted not in ("", self.name):
            raise NotAllowed(
                f"this link was made for {self.name}, so it cannot be used as {wanted}; ask the "
                "owner of the study for a link of your own"
            )
        return wanted if self.is_owner else self.name

    def require_owner(self, doing: str) -> None:
        """Refuse what is not for people who were invited; `doing` begins the sentence."""
        if not self.is_owner:
            raise NotAllowed(f"{doing} is for the owner of the study alone")

    def require_own(self, who: str, doing: str) -> None:
        """Refuse what is about another person's answer, unless the owner asks for it."""
        if not self.is_owner and who != self.name:
            raise NotAllowed(f"{doing} what others answered is for the owner of the study alone")


class Access:
    """The tokens of a study, and whose they are.

    Parameters
    ----------
    token
        The owner's token. None takes the one that the file keeps, or makes one up.
    path
        A private file that keeps all of them across restarts; None keeps them in memory.
    owner
        The tokens of a server that is owned already: whoever owns it owns this too, by the same
        token and the same cookie; people are invited to this alone.

    Raises
    ------
    MethodError
        If the token cannot be used.
    StoreError
        If others could read the file.

    Examples
    --------
    >>> access = Access(token="open sesame")
    >>> access.holder_of("open sesame").is_owner, access.holder_of("guess")
    (True, None)
    >>> access.holder_of(access.invite("Ada")).name
    'Ada'
    """

    def __init__(
        self, *, token: str | None = None, path: Path | None = None, owner: Access | None = None
    ) -> None:
        self._owner = owner
        if owner is not None:
            token = owner.token
        self._given = None if token is None else require_token(token)
        self._file = None if path is None else AccessFile(path)
        self._events: list[dict[str, str]] = []
        self._read()
        if not self._events:
            self._append({"event": "made", "token": new_token(), "secret": secrets.token_hex(32)})

    @property
    def token(self) -> str:
        """The owner's token."""
        return self._given or self._made["token"]

    @property
    def invited(self) -> dict[str, str]:
        """The token of everybody who was invited, by name."""
        tokens: dict[str, str] = {}
        for event in self._events:
            if event["event"] == "invited":
                tokens[event["name"]] = event["token"]
            elif event["event"] == "withdrawn":
                tokens.pop(event["name"], None)
        return tokens

    def invite(self, name: str) -> str:
        """Return the token of a person; it is made if they have none yet.

        Raises
        ------
        AnswerError
            If the name is none, looks like that of somebody else, or too many were invited.
        """
        who = invited_name(name)
        if known := self.invited.get(who):
            return known
        if other := look_alike(who, self.invited):
            raise AnswerError(f"{who!r} looks like {other!r}, who was invited; choose another name")
        if len(self.invited) >= _MOST_INVITED:
            raise AnswerError(f"at most {_MOST_INVITED} people can be invited; withdraw some")
        self._append({"event": "invited", "name": who, "token": new_token()})
        return self.invited[who]

    def withdraw(self, name: str) -> None:
        """Take an invitation back: its link, and whoever came by it, is refused from now on."""
        who = person_name(name)
        if who not in self.invited:
            raise LookupError(f"nobody called {who} was invited")
        self._append({"event": "withdrawn", "name": who})

    def holder_of(self, token: str) -> Visitor | None:
        """Return who has this token, None if nobody."""
        self._refresh()
        # A digest is looked up, so that the time it takes tells nothing about the token.
        return self._by_digest.get(_digest(token))

    def cookie_for(self, visitor: Visitor) -> str:
        """Return what the browser of a visitor keeps in place of the token."""
        return self._cookie(self.token if visitor.is_owner else self.invited[visitor.name])

    def holder_of_cookie(self, cookie: str) -> Visitor | None:
        """Return whose browser has this cookie, None if nobody's."""
        self._refresh()
        return self._by_cookie.get(cookie)

    def _cookie(self, token: str) -> str:
        """Return the cookie of a token; it cannot be guessed, even if the token can."""
        if self._owner is not None and token == self._owner.token:
            return self._owner._cookie(token)
        key = self._made["secret"].encode()
        return hmac.new(key, token.encode(), hashlib.sha256).hexdigest()

    @property
    def _made(self) -> dict[str, str]:
        """The event with which the tokens began; had two programs made some, the first counts."""
        return self._events[0]

    def _refresh(self) -> None:
        """Take in what another program has written."""
        if self._file is not None and self._file.changed():
            with suppress(StoreError):  # who was in stays in, nobody else comes
                self._read()

    def _read(self) -> None:
        """Read the file, if there is one, and learn whose the tokens are."""
        if self._file is not None:
            self._events = self._file.read() or self._events
        if not self._events:
            return
        holders = {self.token: Visitor()}
        holders |= {token: Visitor(name) for name, token in self.invited.items()}
        self._by_digest = {_digest(token): visitor for token, visitor in holders.items()}
        self._by_cookie = {self._cookie(token): visitor for token, visitor in holders.items()}

    def _append(self, event: dict[str, str]) -> None:
        """Keep one more event."""
        if self._file is not None:
            self._file.append(event)
        else:
            self._events.append(event)
        self._read()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()


def invited_name(text: str) -> str:
    """Return the name of a person who is invited, as it is kept; refuse what is no name."""
    who = person_name(text)
    if not who:
        raise AnswerError("an invitation needs a name")
    return who
