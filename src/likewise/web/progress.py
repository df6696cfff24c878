"""How far a study is, as the page tells it."""

from __future__ import annotations

from typing import Any

from likewise.study import Study


def progress(study: Study) -> dict[str, Any]:
    """Figures and a sentence; what is not known yet is None."""
    return {
        "answers": study.n_answers,
        "settled": 0,
        "as_predicted": None,
        "right": None,
        "right_low": None,
        "right_high": None,
        "questions_left": None,
        "may_stop": False,
        "sentence": "",
    }
