"""Groups as columns of a dataset of Hugging Face, row by row as it was given."""

from __future__ import annotations

from typing import Any

from likewise.errors import DataError
from likewise.study import Study


def with_groups(study: Study, dataset: Any) -> Any:
    """Return the dataset with three more columns: the group of each row, its name, how sure it is.

    What was noted beside the answers adds its own: `collection`, `also`, `review`, `review_by`.

    Parameters
    ----------
    study : Study
        A study of that dataset's rows, `Study(dataset)` say.
    dataset : datasets.Dataset
        The dataset; it is not changed. Rows that were found to be copies have the same group.

    Returns
    -------
    datasets.Dataset
        With the columns `group`, `name` and `confidence`.

    Raises
    ------
    DataError
        If it is no dataset, has such a column already, or has rows that the study does not know.

    Examples
    --------
    `with_groups(study, dataset).push_to_hub("me/grouped")` shares the groups.
    """
    if not (hasattr(dataset, "add_column") and hasattr(dataset, "column_names")):
        raise DataError(
            f"groups are written into a dataset of Hugging Face, not into {type(dataset).__name__}"
            "; of any other table study.to_frame() has the groups"
        )
    found = study.to_frame().drop_duplicates("id").set_index("id")
    taken = [name for name in found if name in dataset.column_names]
    if taken:
        raise DataError(f"the dataset has a column {taken[0]!r} already; rename or remove it")
    named = "id" in dataset.column_names
    ids = [str(one) for one in (dataset["id"] if named else range(len(dataset)))]
    strangers = [one for one in ids if one not in found.index]
    if strangers or len(ids) != len(found):
        what = f"row {strangers[0]} is not among them" if strangers else "there are other rows"
        raise DataError(f"the study was begun with other rows than these: {what}")
    for name in map(str, found):
        dataset = dataset.add_column(name, found.loc[ids, name].tolist())
    return dataset
