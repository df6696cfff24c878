"""Answers go out to a file and come back: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import DataError, LikewiseError, MethodError, StoreError
from likewise.exchange import FORMATS, export_answers, import_answers
from likewise.exchange.records import COLUMNS
from likewise.journal.pairs import Verdict

IDS = ["007", "zoë, „Z“", 'a "b"\nc', "=1+1", "日本", " edge "]
ITEMS = replace(
    lw.Items.of(pd.DataFrame({"x": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "word": list("aabbcc")})),
    ids=IDS,
)
FILES = [(layout, suffix) for layout, suffixes in FORMATS.items() for suffix in suffixes]


def answered() -> lw.Study:
    study = lw.Study(ITEMS, method="ffqs")
    question = study.ask()
    assert question is not None
    study.tell(question, "different", who="Ada", seconds=1.25)
    study.tell((2, 1), "same", who="Bob, jr.")
    study.tell((4, 3), "same", weight=0.5)
    study.tell((5, 0), "unsure")
    return study


def told(study: lw.Study) -> list[Any]:
    return [replace(answer, id=0) for answer in study.answers]


@pytest.mark.parametrize(("layout", "suffix"), FILES)
def test_what_is_exported_comes_back_and_only_once(
    tmp_path: Path, layout: str, suffix: str
) -> None:
    study, path = answered(), tmp_path / f"answers{suffix}"
    n = export_answers(study, path, layout=layout)
    other = lw.Study(ITEMS, method="ffqs")
    result = import_answers(other, path)
    assert len(result.added) == n
    assert result.strangers == ()
    if layout == "answers":
        assert n == 4
        assert told(other) == told(study)
    elif layout in ("splink", "label-studio", "argilla"):  # they have a word for "unsure"
        assert n == 4
        said = {(a.pair.unordered, a.verdict) for a in study.answers}
        assert {(a.pair.unordered, a.verdict) for a in other.answers} == said
    else:
        assert n == 3
        said = {(a.pair.unordered, a.verdict) for a in study.answers}
        assert {(a.pair.unordered, a.verdict) for a in other.answers} == {
            one for one in said if one[1] is not Verdict.UNSURE
        }
    for target in (other, study):
        again = import_answers(target, path)
        assert (again.added, again.known) == ((), n)


def test_a_table_has_a_column_for_all_that_is_known(tmp_path: Path) -> None:
    study = answered()
    export_answers(study, tmp_path / "a.csv")
    frame = pd.read_csv(tmp_path / "a.csv", dtype=str, keep_default_na=False)
    assert tuple(frame.columns) == COLUMNS
    first = study.answers[0]
    assert frame.loc[0, "item"] == IDS[first.pair.i]
    assert frame.loc[0, "when"] == first.when
    assert float(str(frame.loc[0, "same_probability"])) == first.same_probability
    assert frame.loc[0, "model_version"] == lw.__version__
    parquet = tmp_path / "a.parquet"
    export_answers(study, parquet)
    assert pd.read_parquet(parquet)["seconds"].dtype == "float64"


def test_the_same_pair_answered_by_two_people_stays_two_answers(tmp_path: Path) -> None:
    study = lw.Study(ITEMS, method="ffqs")
    for who in ("Ada", "Bob"):
        study.tell((0, 1), "same", who=who)
    lines = [{"item": IDS[0], "other": IDS[1], "verdict": "same", "when": w} for w in ("t1", "t2")]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    assert len(import_answers(study, path, who="Cy").added) == 2
    assert [answer.who for answer in study.answers] == ["Ada", "Bob", "Cy", "Cy"]


def test_two_people_who_agree_at_the_same_moment_stay_two_answers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        {"item": IDS[0], "other": IDS[1], "verdict": "same", "when": "t1", "who": who}
        for who in ("Ada", "Bob", "Ada")
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    study = lw.Study(ITEMS, method="ffqs")
    assert len(import_answers(study, path).added) == 2  # and one of them was told twice
    assert not import_answers(study, path).added
    assert [answer.who for answer in study.answers] == ["Ada", "Bob"]


def test_contradictions_are_kept_and_told_by_the_names_of_items(tmp_path: Path) -> None:
    study, path = answered(), tmp_path / "links.json"
    path.write_text(json.dumps({"cannot_link": [[IDS[3], IDS[4]]]}))
    result = import_answers(study, path)
    (dispute,) = result.disputes
    assert dispute.answer in result.added
    assert "(=1+1 ≠ 日本) contradicts" in result.sentence(IDS)
    assert study.disputes() == [dispute]


def test_answers_about_strangers_are_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    path.write_text("link,item,other\nmust,007,nobody\nmust,007,日本\n", encoding="utf-8")
    study = lw.Study(ITEMS, method="ffqs")
    result = import_answers(study, path)
    assert result.strangers == ("nobody",)
    assert [answer.pair for answer in study.answers] == [(0, 4)]
    assert "nobody" in result.sentence(IDS)


def test_records_of_dedupe_are_recognised_by_their_fields(tmp_path: Path) -> None:
    path = tmp_path / "training.json"
    record = [{"x": "0.0", "word": " a"}, {"x": 5.2, "word": "c", "note": "not in the pile"}]
    path.write_text(
        json.dumps(
            {
                "distinct": [{"__class__": "tuple", "__value__": record}],
                "match": [[{"x": "5.0", "word": "b"}, {"x": "5.1", "word": "c"}]],
            }
        )
    )
    study = lw.Study(ITEMS, method="ffqs")
    import_answers(study, path)
    assert {(answer.pair, answer.verdict) for answer in study.answers} == {
        ((0, 5), Verdict.DIFFERENT),
        ((3, 4), Verdict.SAME),
    }


def test_dedupe_can_read_what_is_written_for_it(tmp_path: Path) -> None:
    path = tmp_path / "training.json"
    export_answers(answered(), path, layout="dedupe")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert set(data) == {"distinct", "match"}
    (pair,) = data["distinct"]
    assert pair["__class__"] == "tuple"
    assert [set(record) for record in pair["__value__"]] == [{"x", "word", "id"}] * 2


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.csv", "item,other\n007,日本\n", "line 2 has no 'verdict'"),
        ("a.csv", "item,other,verdict\n007,日本,maybe\n", "line 2: an answer must be"),
        ("a.csv", "item,other,verdict\n007,007,same\n", "line 2: 007 is held against itself"),
        ("a.csv", "item,other,verdict,seconds\n007,日本,same,long\n", "seconds must be a number"),
        ("a.csv", "item,other,verdict,weight\n007,日本,same,0\n", "above 0"),
        ("a.csv", "link,item,other\nshould,007,日本\n", "'must' or 'cannot'"),
        ("a.jsonl", "[1]\n", "line 1: an answer must be a JSON object"),
        ("a.jsonl", "{\n", "cannot be read"),
        ("a.json", "{}", "must hold 'must_link'"),
        ("a.json", '{"must_link": [["007"]]}', "list of two ids"),
        ("a.json", '{"match": [[1, 2]]}', "map field names"),
        ("a.json", '{"match": [{}]}', "two records"),
        ("a.parquet", "no", "as Parquet"),
        ("a.txt", "", "are read from"),
        ("missing.csv", None, "cannot be read"),
    ],
)
def test_files_that_cannot_be_used_are_explained_and_nothing_is_taken_in(
    tmp_path: Path, name: str, content: str | None, complaint: str
) -> None:
    study = lw.Study(ITEMS, method="ffqs")
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=complaint):
        import_answers(study, tmp_path / name)
    assert study.n_answers == 0


def test_other_encodings_and_places_are_explained(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("item,other,verdict\nzoë,x,same\n".encode("latin-1"))
    study = lw.Study(ITEMS, method="ffqs")
    with pytest.raises(DataError, match="UTF-8"):
        import_answers(study, tmp_path / "a.csv")
    with pytest.raises(DataError, match=r"written to \.csv or \.json, not to 'a\.parquet'"):
        export_answers(study, tmp_path / "a.parquet", layout="links")
    with pytest.raises(MethodError, match="no layout 'xml'"):
        export_answers(study, tmp_path / "a.csv", layout="xml")
    with pytest.raises(StoreError, match="cannot be written"):
        export_answers(study, tmp_path / "nowhere" / "a.csv")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(list(Verdict)))))
def test_every_list_of_answers_travels(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[int, int, Verdict]]
) -> None:
    study, folder = lw.Study(ITEMS, method="ffqs"), tmp_path_factory.mktemp("a")
    for k, (i, j, verdict) in enumerate(said):
        if i != j:
            study.tell((i, j), verdict, who=str(k))
    for suffix in (".csv", ".jsonl"):
        path, other = folder / f"a{suffix}", lw.Study(ITEMS, method="ffqs")
        export_answers(study, path)
        try:
            import_answers(other, path)
        except LikewiseError as error:  # pragma: no cover - shown when the test fails
            pytest.fail(str(error))
        # Two answers to one pair within a millisecond are one answer.
        assert {(a.pair.unordered, a.verdict, a.when) for a in other.answers} == {
            (a.pair.unordered, a.verdict, a.when) for a in study.answers
        }
        assert len(study.disputes()) >= len(other.disputes())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"[" * 100_000),
        ("a.json", b'{"must_link": 5}'),
        ("a.json", b'{"match": {"a": 1}, "distinct": 7}'),
        ("a.json", b'{"must_link": [[{}, []]]}'),
        ("a.jsonl", b'{"item": "0", "other": "1", "verdict": "same", "seconds": 1e400}\n'),
        ("a.jsonl", b'{"item": ' + b"9" * 5000 + b"}\n"),
        ("a.jsonl", b'{"item": "0", "other": "1", "verdict": "same", "weight": [1]}\n'),
        ("a.jsonl", b'{"item": "0", "other": "1", "verdict": {"same": 1}}\n'),
        ("a.csv", b"\x00\x01\x02\xff"),
        ("a.csv", b"a,b\n1,2\n"),
        ("a.csv", b"item,other,verdict,weight\n0,1,same," + b"9" * 400 + b"\n"),
        ("a.parquet", b"PAR1 not really"),
    ],
)
def test_an_odd_file_is_refused_in_a_sentence_and_nothing_is_taken_in(
    tmp_path: Path, name: str, content: bytes
) -> None:
    study = lw.Study(np.arange(8.0).reshape(4, 2))
    (tmp_path / name).write_bytes(content)
    try:
        taken = lw.exchange.import_answers(study, tmp_path / name)
    except DataError:
        taken = None
    assert taken is None or not taken.added
    assert study.n_answers == 0
