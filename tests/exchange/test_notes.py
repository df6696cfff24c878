"""Notes travel to another study of the same items, and are kept there once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import DataError, StoreError
from likewise.exchange import export_notes, import_notes
from likewise.exchange.notes import holds_notes

X = [[0.0], [0.2], [5.0], [5.2], [9.0], [9.2]]
item = st.integers(0, 5)
deeds = st.lists(
    st.one_of(
        st.tuples(st.just("mark"), item, st.sampled_from(["", "a fox?", "Zoë “Z” 鳥"])),
        st.tuples(st.just("collect"), item, st.sampled_from(["animals", "all / animals"])),
        st.tuples(st.just("add"), item, item),
    ),
    max_size=8,
)


def noted(plan: list[tuple[str, int, object]]) -> lw.Study:
    study = lw.Study(X, method="random")
    for deed, k, what in plan:
        if deed == "mark":
            study.mark_for_review(k, str(what), who="Ada")
        elif deed == "collect":
            study.collect(k, str(what), who="Bob")
        elif k != what:
            study.add_to_group(k, what)  # type: ignore[arg-type]
    return study


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(plan=deeds)
def test_what_was_noted_here_is_noted_there_once(
    plan: list[tuple[str, int, object]], tmp_path: Path
) -> None:
    study, other = noted(plan), lw.Study(X, method="random")
    n = export_notes(study, tmp_path / "notes.jsonl")
    assert holds_notes(tmp_path / "notes.jsonl") == (n > 0)
    assert import_notes(other, tmp_path / "notes.jsonl").added == n == len(study.notes)
    assert other.reviews == study.reviews
    assert other.collected == study.collected
    assert other.also_ == study.also_
    again = import_notes(other, tmp_path / "notes.jsonl")
    assert (again.added, again.known) == (0, n)
    if n:
        other.undo()
        assert other.notes == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no json", "line 1: not JSON"),
        ("[]", "which item"),
        ('{"about": "review"}', "which item"),
        ('{"about": "stack", "item": "0"}', "which item"),
        ('{"about": "review", "item": 0}', "is a text"),
        ('{"about": "review", "item": "0", "more": "x"}', "no field 'more'"),
        ('{"about": "also", "item": "0"}', "further group"),
        ('{"about": "review", "item": "0", "other": "1"}', "further group"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_taken_in(
    tmp_path: Path, line: str, sentence: str
) -> None:
    study = lw.Study(X)
    (tmp_path / "notes.jsonl").write_text(f"{line}\n")
    with pytest.raises(DataError, match=sentence):
        import_notes(study, tmp_path / "notes.jsonl")
    assert study.notes == []


def test_strangers_are_left_out_and_files_are_kept(tmp_path: Path) -> None:
    study = lw.Study(X)
    path = tmp_path / "notes.jsonl"
    lines = [{"about": "review", "item": name} for name in ("0", "cat", "dog")]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    result = import_notes(study, path, who="Ada")
    assert (result.added, result.strangers) == (1, ("cat", "dog"))
    assert "cat, dog are left out" in result.sentence()
    assert study.reviews[0].who == "Ada"
    with pytest.raises(DataError, match=r"to \.jsonl"):
        export_notes(study, tmp_path / "notes.csv")
    with pytest.raises(StoreError, match="cannot be written"):
        export_notes(study, tmp_path / "none" / "notes.jsonl")
    with pytest.raises(DataError, match="cannot be read"):
        import_notes(study, tmp_path / "none.jsonl")
