"""Vectors of texts from a server that speaks OpenAI's embeddings protocol.

What it is asked about leaves this machine, so it has to be allowed; see `RemoteModel`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from likewise._endpoints import (
    LONGEST_WAIT,
    authorisation,
    is_address,
    remedy,
    require_no_secret,
    wished_wait,
)
from likewise.errors import DataError
from likewise.features.named.family import Family, require

KEY = "LIKEWISE_EMBEDDINGS_KEY"  # the environment variable that holds the key of the server
_TRIES = 6
_TIMEOUT = 60.0

_log = logging.getLogger(__name__)


class EndpointModel:
    """A model behind an address; fits `TextModel` and `RemoteModel`.

    Parameters
    ----------
    name : str
        The address that the paths of the protocol begin with, and the model: "ADDRESS#MODEL", such
        as "https://api.example.com/v1#some-model".
    send : bool
        Whether texts may be sent there.
    sleep : callable
        Waits so many seconds before it is tried again.

    Raises
    ------
    DataError
        If the name is not of this form.
    """

    def __init__(
        self, name: str, *, send: bool = False, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.name = name
        self.send = send
        self._sleep = sleep
        self._address, self._model = _parts(name)
        self.sends_to = urlsplit(self._address).netloc
        self.cache_key = f"endpoint:{self._address}#{self._model}"
        self._width: int | None = None  # numbers per text, once some have come

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector per text; a server that is busy or failing is asked again, ever later.

        Raises
        ------
        DataError
            If the server refuses, keeps failing, or its answer is not a vector per text.
        """
        # The protocol refuses empty texts; a space says as little.
        body = {"model": self._model, "input": [text or " " for text in texts]}
        vectors = self._vectors(self._reply(body), len(texts))
        if self._width not in (None, vectors.shape[1]):
            raise self._nonsense(f"{vectors.shape[1]} numbers per text after {self._width}")
        self._width = vectors.shape[1]
        return vectors

    def _reply(self, body: dict[str, Any]) -> Any:
        """Send once and again until there is an answer; return it as a response of httpx."""
        httpx = require("httpx", "httpx", self.name)
        problem = ""
        for k in range(_TRIES):
            wait = 2.0**k
            try:
                # No redirects: texts go to the address that was allowed, and to no other.
                response = httpx.post(
                    f"{self._address}/embeddings",
                    json=body,
                    headers=authorisation(self._address, KEY),
                    timeout=_TIMEOUT,
                )
            except httpx.HTTPError as error:
                problem = f"could not be reached ({error or type(error).__name__})"
            else:
                if response.status_code == 200:
                    return response
                problem = f"answered {response.status_code} {response.reason_phrase}".rstrip()
                if response.status_code != 429 and response.status_code < 500:
                    raise DataError(f"{self.sends_to} {problem}{remedy(response.status_code, KEY)}")
                wait = wished_wait(response.headers.get("retry-after"), wait)
            if k + 1 < _TRIES:
                _log.info("%s %s; next try in %.0f s", self.sends_to, problem, wait)
                self._sleep(min(wait, LONGEST_WAIT))
        raise DataError(
            f"{self.sends_to} {problem} {_TRIES} times; what it has computed before is kept, so "
            "try the same later, or leave --model out"
        )

    def _vectors(self, response: Any, n: int) -> npt.NDArray[np.float32]:
        """Read the vectors out of an answer, in the order of the texts."""
        try:
            data = response.json()["data"]
            ordered = sorted(data, key=lambda one: int(one["index"]))
            places = [int(one["index"]) for one in ordered]
            vectors = np.array([one["embedding"] for one in ordered], dtype=np.float32)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._nonsense("no list of vectors") from error
        if places != list(range(n)):
            raise self._nonsense(f"vectors for {len(places)} texts when asked for {n}")
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise self._nonsense("vectors that are no rows of finite numbers")
        return vectors

    def _nonsense(self, what: str) -> DataError:
        return DataError(
            f"{self.sends_to} sent {what}; check that {self._address} is an embeddings endpoint "
            f"and that {self._model!r} is one of its embedding models"
        )


def _parts(name: str) -> tuple[str, str]:
    """Split a name into address and model.

    >>> _parts("http://localhost:8000/v1/#small")
    ('http://localhost:8000/v1', 'small')
    """
    address, _, model = name.partition("#")
    if not is_address(address) or not model:
        raise DataError(
            f"an endpoint is named endpoint:ADDRESS#MODEL, such as "
            f"endpoint:https://api.example.com/v1#some-model, not {name!r}"
        )
    require_no_secret(address, KEY)
    return address.rstrip("/"), model


FAMILY = Family(
    prefix="endpoint",
    build=EndpointModel,
    serves="texts",
    module="httpx",
    package="httpx",
    name="ADDRESS#MODEL",
    summary="a server that speaks OpenAI's embeddings protocol; texts leave this machine",
)
