"""Names of people: one way to write each, and none that could be taken for another."""

from __future__ import annotations

import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import AnswerError
from likewise.journal.person_names import look_alike, person_name

_INVISIBLE = ["\u200b", "\u200d", "\u2060", "\ufeff", "\u202e", "\u00ad", "\ufe0f", "\u3164"]


@pytest.mark.parametrize("hidden", _INVISIBLE)
def test_what_cannot_be_seen_makes_no_other_person(hidden: str) -> None:
    assert person_name(f"A{hidden}da{hidden}") == "Ada"
    assert person_name(hidden) == ""


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("Jose\u0301", "José"),
        ("Ada\u00a0L", "Ada L"),
        ("𝐀𝐝𝐚", "Ada"),
        ("Анна Smith", "Анна Smith"),
        ("山田 Taro", "山田 Taro"),
        ("O’Neill-García 2", "O’Neill-García 2"),
        ("", ""),
    ],
)
def test_names_are_kept_in_one_form(typed: str, kept: str) -> None:
    assert person_name(typed) == kept


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Аda", "mixes Cyrillic and Latin"),
        ("Adα", "mixes Greek and Latin"),
        ("a\nb", "U\\+000A"),
        ("a\x00b", "U\\+0000"),
        ("a\ud800", "U\\+D800"),
        ("a\ue000", "U\\+E000"),
        ("a\u2028b", "U\\+2028"),
        ("x" * 101, "at most 100"),
    ],
)
def test_names_that_deceive_or_cannot_be_shown_are_refused(name: str, said: str) -> None:
    with pytest.raises(AnswerError, match=said):
        person_name(name)


@given(st.text(max_size=30))
def test_a_kept_name_is_kept_as_it_is(text: str) -> None:
    with suppress(AnswerError):
        kept = person_name(text)
        assert person_name(kept) == kept
        assert kept == kept.strip()
        assert not any(unicodedata.category(one) in ("Cf", "Cc", "Cs") for one in kept)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Сара", "Capa"),
        ("ΑΝΝΑ", "ANNA"),
        ("Ian", "lan"),
        ("p0", "po"),
        ("p1", "pI"),
    ],
)
def test_names_that_look_alike_are_found(one: str, other: str) -> None:
    assert look_alike(one, ["Bob", other]) == other
    assert look_alike(other, ["Bob", one]) == one


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Ida"), ("Jürgen", "Jurgen"), ("p1", "p2"), ("Анна", "Anna")]
)
def test_names_that_differ_to_the_eye_are_two(one: str, other: str) -> None:
    assert look_alike(one, [other]) is None
    assert look_alike(one, [one]) is None


def test_a_hundred_numbered_people_are_a_hundred() -> None:
    names = [f"person-{k}" for k in range(100)]
    assert not any(look_alike(name, names) for name in names)
