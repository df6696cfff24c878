"""A language model that answers: any server that speaks OpenAI's protocol of chat completions."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import uuid4

from likewise.answerers.asked_model import AskedModel
from likewise.answerers.chat_endpoint import ChatEndpoint
from likewise.answerers.ledger import TokenPrice
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.person_names import person_name
from likewise.simulation.budget import Money


class LanguageModel:
    """A language model as one more answerer; whatever it is shown leaves this machine.

    Its key is read from the environment variable LIKEWISE_LLM_KEY when it is called, and kept
    nowhere. Before anything is sent it has to be allowed (`send`). Answers are remembered by what
    was asked, so that none is paid for twice; what it has cost is kept, too, and the budget is
    never exceeded.

    Parameters
    ----------
    base_url : str
        What the paths of the protocol begin with: "https://api.example.com/v1", or a server of
        your own, such as "http://localhost:11434/v1".
    model : str
        One of the server's models.
    instructions : str
        What is meant by the same kind, in your own words: "group by intent, ignore politeness".
    price : float or pair of float
        Money per answer; or two amounts, per million tokens sent and received. 0 is free.
    name : str
        Under which its answers are kept; that of the model unless given.
    budget : Money, optional
        What all its calls for one study may cost together, at whatever time they are made.
    send : bool
        Whether items may be sent there.
    weight : float
        How far it is trusted before others have answered.
    questions_per_call : int
        How many questions are asked in one prompt, at least 1.
    swapped : float
        The share of pairs that are asked in both orders, from 0 to 1; where the two answers differ
        it counts as unsure.
    picture_size : int
        Pixels along the longer side to which pictures are reduced before they are sent.
    picture_tokens : int
        What a picture is taken to cost at most, in tokens, before the server has said so.
    timeout : float
        Seconds until a call without a reply is given up.
    calls_per_minute : float, optional
        How often the server is called at most; None: as it allows.
    sleep : callable
        Waits so many seconds before a busy server is called again.

    Examples
    --------
    >>> LanguageModel(base_url="http://localhost:11434/v1", model="some-model").sends_to
    'localhost:11434'
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        instructions: str = "",
        price: float | tuple[float, float] = 0.0,
        name: str = "",
        budget: Money | None = None,
        send: bool = False,
        weight: float = 1.0,
        questions_per_call: int = 20,
        swapped: float = 0.1,
        picture_size: int = 512,
        picture_tokens: int = 3000,
        timeout: float = 120.0,
        calls_per_minute: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if questions_per_call < 1:
            raise MethodError(f"questions_per_call must be at least 1 but got {questions_per_call}")
        if not 0 <= swapped <= 1:
            raise MethodError(f"swapped must be between 0 and 1 but got {swapped}")
        for what, value in (("timeout", timeout), ("calls_per_minute", calls_per_minute)):
            if value is not None and not value > 0:
                raise MethodError(f"{what} must be above 0 but got {value}")
        if not 16 <= picture_size <= 2048:
            raise MethodError(f"picture_size must be between 16 and 2048 but got {picture_size}")
        self.endpoint = ChatEndpoint(
            base_url, model, timeout=timeout, calls_per_minute=calls_per_minute, sleep=sleep
        )
        self.model, self.instructions = model, instructions.strip()
        self.name = person_name(name or model)
        self.token_price = TokenPrice.of(price)
        self.budget, self.send, self.weight = budget, send, weight
        self.questions_per_call, self.swapped = questions_per_call, swapped
        self.picture_size, self.picture_tokens = picture_size, picture_tokens
        if budget is not None and self.token_price.is_free:
            raise MethodError(
                "a budget of money needs a price: an amount per answer, or two per million tokens "
                "sent and received"
            )

    @property
    def sends_to(self) -> str:
        """The host that items are sent to."""
        return self.endpoint.host

    @property
    def price(self) -> float:
        """What an answer costs, about: that of a question of a hundred words."""
        return self.token_price.cost(500, 12, 1)

    def about(self, items: Items, study: str = "") -> AskedModel:
        """Return the model ready to answer about the items of a pile, by their positions.

        Parameters
        ----------
        items : Items
            The pile; it has texts, rows or pictures.
        study : str
            The identity of the study that its costs are kept under; "": they count for this pile
            as long as the program runs.
        """
        return AskedModel(self, items, study or uuid4().hex)

    def __repr__(self) -> str:
        return f"LanguageModel(base_url={self.endpoint.address!r}, model={self.model!r})"
