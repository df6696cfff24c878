"""Questions as they are shown: cards of the items, and the groups they may go into."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Pair, Question
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study import Study
from likewise.study.item_keys import item_key, question_id
from likewise.views.exemplars import exemplars, known_members, latest_answers
from likewise.views.group_names import known_name
from likewise.views.group_titles import GroupTitles
from likewise.views.question_wording import wording_of
from likewise.web.offers import Offer, pair_of
from likewise.web.question_schemas import (
    Place,
    PlaceQuestionOut,
    QuestionOut,
    SheetQuestionOut,
)
from likewise.web.schemas import Card

_EXEMPLARS = 5
_MOST_PLACES = 500  # groups in one question: a list that nobody reads to its end


def pair_out(study: Study, pair: Pair) -> QuestionOut:
    """Return a pair as it is shown: each item with some that are known to be the same."""
    items, known = study.items, [known_members(study, item) for item in pair]
    groups = [
        [member for member in exemplars(study, members, _EXEMPLARS + 1) if member != item]
        for members, item in zip(known, pair, strict=True)
    ]
    return QuestionOut(
        id=question_id(study, pair),
        study=study.identity,
        ask=wording_of(items).pair,
        pair=(pair.i, pair.j),
        items=Card.all_of(items, pair),
        exemplars=[Card.all_of(items, group[:_EXEMPLARS]) for group in groups],
        sizes=(len(known[0]), len(known[1])),
        names=(known_name(study, pair.i), known_name(study, pair.j)),
        asked=study.n_answers,
    )


class QuestionCards:
    """Renders whatever is offered; to be used in the study's thread.

    Parameters
    ----------
    titles
        What groups without a name are called.
    """

    def __init__(self, titles: GroupTitles) -> None:
        self._titles = titles

    def __call__(
        self, study: Study, offer: Offer
    ) -> QuestionOut | PlaceQuestionOut | SheetQuestionOut:
        """Return an offer as it is shown."""
        match offer:
            case Question():
                return pair_out(study, offer.pair)
            case PlaceQuestion():
                return self._place_out(study, offer)
            case SheetQuestion():
                return self._sheet_out(study, offer)
        return pair_out(study, offer)

    def _place_out(self, study: Study, question: PlaceQuestion) -> PlaceQuestionOut:
        same = known_members(study, question.item)
        kin = [one for one in exemplars(study, same, _EXEMPLARS + 1) if one != question.item]
        return PlaceQuestionOut(
            id=question_id(study, pair_of(question)),
            study=study.identity,
            ask=wording_of(study.items).place,
            item=Card.all_of(study.items, [question.item])[0],
            kin=Card.all_of(study.items, kin[:_EXEMPLARS]),
            size=len(same),
            places=self._places(study, question.item, question.members),
            asked=study.n_answers,
        )

    def _sheet_out(self, study: Study, question: SheetQuestion) -> SheetQuestionOut:
        first, *others = question.items
        placed = study.constraints.representative_of(first) is not None
        group = self._rendered(study, [first])[0] if placed else None
        name = "" if group is None else group.name
        return SheetQuestionOut(
            id=question_id(study, pair_of(question)),
            study=study.identity,
            ask=wording_of(study.items).of_sheet(placed=placed, name=name),
            first=Card.all_of(study.items, [first])[0],
            items=Card.all_of(study.items, others),
            ticked=list(question.ticked[1:]),
            group=group,
            places=[] if placed else self._places(study, first, question.members),
            asked=study.n_answers,
        )

    def _places(self, study: Study, item: int, members: Iterable[int]) -> list[Place]:
        """Return the groups an item may go into, as they are after all answers by now."""
        known = study.constraints
        component = known.component
        different = known.different_from(item)
        found: dict[int, int] = {}
        # What was chosen before the last reply does not know the group that it may have founded.
        for member in (*members, *reversed(known.open_representatives(item))):
            if component(member) not in different and component(member) != component(item):
                found.setdefault(component(member), member)
        return self._rendered(study, list(found.values())[:_MOST_PLACES])

    def _rendered(self, study: Study, members: list[int]) -> list[Place]:
        """Return the known groups of some items, each with its item shown first."""
        items, known = study.items, study.constraints
        components = known.components()
        latest = latest_answers(study.answers, len(items))
        names = _names(study)
        places = []
        for member in members:
            inside: npt.NDArray[np.int64] = np.flatnonzero(components == components[member])
            best = exemplars(study, inside, _EXEMPLARS, latest=latest)
            shown = list(dict.fromkeys([member, *best]))[:_EXEMPLARS]
            anchor = known.representative_of(member)
            anchor = member if anchor is None else anchor
            places.append(
                Place(
                    anchor=item_key(items, anchor),
                    name=names.get(known.component(member), ""),
                    title=self._titles(inside),
                    size=len(inside),
                    member=item_key(items, member),
                    exemplars=Card.all_of(items, shown),
                )
            )
        return places


def _names(study: Study) -> dict[int, str]:
    """Return what known groups are called, by their component; the latest name counts."""
    component = study.constraints.component
    return {component(item): name for item, name in study.named.items()}
