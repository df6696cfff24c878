"""Answers to and from splink, Label Studio and Argilla."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import likewise as lw
from likewise.errors import DataError
from likewise.exchange import export_answers, import_answers
from likewise.exchange.label_studio import CONFIG

IDS = ["ann", "bob", "cem", "dora"]


def study_of() -> lw.Study:
    items = lw.Items.of([[0.0], [0.1], [5.0], [5.1]], ids=IDS, texts=["a", "b", "c", "d"])
    return lw.Study(items)


@pytest.mark.parametrize(
    ("file", "layout"),
    [("labels.csv", "splink"), ("tasks.json", "label-studio"), ("records.json", "argilla")],
)
def test_answers_go_out_and_come_back(tmp_path: Path, file: str, layout: str) -> None:
    study = study_of()
    study.tell(("ann", "bob"), "same", who="Ada")
    study.tell(("ann", "cem"), "different", who="Ada")
    study.tell(("bob", "dora"), "unsure", who="Ben")
    study.tell(("ann", "bob"), "different", who="Ben")
    assert export_answers(study, tmp_path / file, layout=layout) == 4
    other = study_of()
    import_answers(other, tmp_path / file, who="nobody")
    said = [(one.pair.unordered, one.verdict.value) for one in other.answers]
    assert sorted(said) == sorted((one.pair.unordered, one.verdict.value) for one in study.answers)
    people = {one.who for one in other.answers}
    assert people == ({"nobody"} if layout == "splink" else {"Ada", "Ben"})


def test_two_people_who_agree_are_two_answers_and_a_file_read_twice_is_none(tmp_path: Path) -> None:
    said = [{"value": "same", "user_id": who} for who in ("Ada", "Ben")]
    about = {"item": "ann", "other": "bob"}
    path = tmp_path / "records.json"
    path.write_text(json.dumps([{"metadata": about, "responses": {"verdict": said}}]))
    study = study_of()
    assert len(import_answers(study, path).added) == 2
    assert not import_answers(study, path).added
    assert [one.who for one in study.answers] == ["Ada", "Ben"]


def test_labels_of_single_items_become_links(tmp_path: Path) -> None:
    choice = {"type": "choices", "from_name": "kind", "to_name": "text"}
    labels = ["x", "x", "y", "y"]
    tasks = [
        {
            "id": k,
            "data": {"id": IDS[k]},
            "annotations": [
                {"completed_by": 7, "result": [{**choice, "value": {"choices": [labels[k]]}}]}
            ],
        }
        for k in range(4)
    ]
    tasks.append({"id": 9, "data": {"id": "ann"}, "annotations": [{"was_cancelled": True}]})
    records: list[dict[str, Any]] = [
        {"id": IDS[k], "responses": {"kind": [{"value": labels[k], "user_id": "7"}]}}
        for k in range(4)
    ]
    for name, content in (("tasks.json", tasks), ("records.json", records)):
        (tmp_path / name).write_text(json.dumps(content))
        study = study_of()
        result = import_answers(study, tmp_path / name)
        assert len(result.added) == 3
        assert {one.who for one in study.answers} == {"7"}
        assert study.labels_.tolist() == [0, 0, 1, 1]


def test_splinks_scores_are_verdicts_also_in_parquet(tmp_path: Path) -> None:
    import pandas as pd

    table = pd.DataFrame(
        {
            "unique_id_l": ["ann", "ann", "bob"],
            "unique_id_r": ["bob", "cem", "dora"],
            "clerical_match_score": [0.95, 0.1, 0.5],
        }
    )
    table.to_parquet(tmp_path / "labels.parquet")
    study = study_of()
    import_answers(study, tmp_path / "labels.parquet")
    assert [one.verdict.value for one in study.answers] == ["same", "different", "unsure"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.json", [{"data": 3}], "task 1: the data of a task"),
        ("t.json", [{"data": {"other": "b"}, "annotations": [3]}], "task 1: an annotation"),
        ("r.json", [{"responses": 3}], "record 1: responses must map"),
        ("r.json", [{"responses": {"q": [{"value": 3}]}}], "record 1: a response must have"),
        ("r.json", [{"responses": {}, "metadata": 3}], "record 1: the metadata"),
        ("x.json", [1, 2], "tasks of Label Studio"),
    ],
)
def test_a_file_that_is_none_of_them_is_one_sentence(
    tmp_path: Path, name: str, content: Any, sentence: str
) -> None:
    (tmp_path / name).write_text(json.dumps(content))
    with pytest.raises(DataError, match=sentence):
        import_answers(study_of(), tmp_path / name)


def test_a_score_that_is_no_number_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("unique_id_l,unique_id_r,clerical_match_score\nann,bob,sure\n")
    with pytest.raises(DataError, match="line 2: a clerical_match_score"):
        import_answers(study_of(), path)


def test_the_config_names_what_the_tasks_hold() -> None:
    view = ET.fromstring(CONFIG)
    choices = view.find("Choices")
    assert choices is not None
    assert choices.get("name") == "verdict"
    assert {one.get("value") for one in choices} == {"same", "different", "unsure"}
