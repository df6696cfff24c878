"""Names of items and questions as requests carry them; they are those of `study.item_keys`."""

from likewise.study.item_keys import (
    OtherItem,
    OtherStudy,
    item_at,
    item_key,
    pair_asked,
    question_id,
    require_study,
)

__all__ = [
    "OtherItem",
    "OtherStudy",
    "item_at",
    "item_key",
    "pair_asked",
    "question_id",
    "require_study",
]
