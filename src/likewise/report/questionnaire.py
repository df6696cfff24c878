"""A questionnaire: the next questions in one HTML file, answered without a server."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from likewise.errors import DataError, MethodError
from likewise.exchange.questionnaires import FORMAT
from likewise.journal.pairs import Question
from likewise.journal.person_names import person_name
from likewise.report.templating import environment
from likewise.study import Study
from likewise.study.item_keys import question_id
from likewise.views.cards import card
from likewise.views.question_wording import wording_of
from likewise.views.thumbnails import Thumbnails

_HERE = Path(__file__).parent / "templates"
_PIXELS = 640  # along the longer side of a picture
_CHECKED = 5  # one question in so many is about a pair that others have answered


def questionnaire(
    study: Study, title: str = "Which belong together?", *, n: int = 40, who: str = ""
) -> str:
    """Return up to `n` questions as one HTML file, complete in itself.

    Whoever opens it answers with three buttons or keys, and saves a small file to be sent back,
    which `exchange.import_answers` reads. One question in five is about a pair that others have
    answered: by these the errors of the colleague are estimated.

    Parameters
    ----------
    study : Study
        The study; it stays as it is.
    title : str
        The heading.
    n : int
        How many questions at most, at least 1; fewer where fewer are worth asking at a time.
    who : str
        For whom it is, if that is known: the name is filled in, and pairs that this person has
        answered are left out.

    Returns
    -------
    str
        An HTML document that loads nothing from anywhere.

    Raises
    ------
    DataError
        If nothing is left to ask.

    Examples
    --------
    >>> html = questionnaire(Study([[0.0], [0.1], [5.0], [5.1]]), "Four <numbers>", n=2)
    >>> html.startswith("<!doctype html>"), "<h1>Four &lt;numbers&gt;</h1>" in html
    (True, True)
    """
    if n < 1:
        raise MethodError(f"a questionnaire needs at least 1 question but got {n}")
    name = person_name(who)
    questions = _questions(study, n, name)
    if not questions:
        raise DataError("nothing is left to ask, so there is no questionnaire to write")
    content = {
        "format": FORMAT,
        "study": study.identity,
        "who": name,
        "questions": [
            {"id": question_id(study, one.pair), "items": list(map(str, one.pair))}
            for one in questions
        ],
        "items": _items(study, questions),
    }
    # "<" cannot end the script that holds it, whatever stands in the pile.
    data = json.dumps(content, ensure_ascii=True).replace("<", "\\u003c")
    script = (_HERE / "questionnaire.js").read_text(encoding="utf-8")
    template = environment().get_template("questionnaire.html.j2")
    return template.render(
        title=title,
        ask=wording_of(study.items).pair,
        n=len(questions),
        data=Markup(data),
        script=Markup(script),
        style=Markup((_HERE / "questionnaire.css").read_text(encoding="utf-8")),
        digest=_digest(script),
    )


def _questions(study: Study, n: int, who: str) -> list[Question]:
    """Return new questions, and among them some that others have answered."""
    mine = {answer.pair.unordered for answer in study.answers if who and answer.who == who}
    checks = [one for one in study.second_opinions(n, who=who) if one.pair.unordered not in mine][
        : n // _CHECKED
    ]
    new = [one for one in study.ask(n) if one.pair.unordered not in mine]
    found = new[: n - len(checks)]
    for k, check in enumerate(checks):
        found.insert(min(len(found), (k + 1) * _CHECKED - 1), check)
    return found


def _items(study: Study, questions: list[Question]) -> dict[str, Any]:
    """Return what is shown of every item that is asked about, by its position."""
    pictures, shown = Thumbnails(study.items), {}
    for item in dict.fromkeys(item for one in questions for item in one.pair):
        drawn = card(study.items, item)
        if drawn.pop("picture", None) is not None:
            drawn["picture"] = _data_url(pictures, item)
        shown[str(item)] = {key: drawn[key] for key in drawn if key != "item"}
    return shown


def _data_url(pictures: Thumbnails, item: int) -> str:
    """Return a picture as part of the file; "" for one that cannot be read."""
    try:
        content, kind = pictures.picture(item, _PIXELS)
    except DataError:
        return ""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _digest(script: str) -> str:
    """Return the digest by which a browser recognises the only script that may run."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
