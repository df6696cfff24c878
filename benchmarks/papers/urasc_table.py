"""URASC, its variants and baselines at the paper's numbers of questions, beside its figures.

Run with `python -m benchmarks urasc_table`; it shows what `likewise bench paper urasc` computes as
two tables. LIKEWISE_DATA must hold sonar, bupa_liver and pima_diabetes.
"""

from __future__ import annotations

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, write_table
from likewise.bench import papers


def main() -> None:
    """Write one table for each of the two metrics, the paper's URASC+N first."""
    paper = papers.load("urasc")
    rows = rows_of(paper.experiment)
    methods = list(dict.fromkeys(task.method for task in paper.experiment.tasks))
    for metric in ("v_measure", "jaccard"):
        ours = rows.groupby(["data", "questions", "method"])[metric].mean().to_dict()
        told = paper.published.query("method == 'urasc' and metric == @metric")
        lines = [
            [data, str(questions), f"{published:.3f}"]
            + [f"{ours[data, questions, method]:.3f}" for method in methods]
            for data, questions, published in zip(
                told["data"], told["questions"], told["published"], strict=True
            )
        ]
        header = ["data", "questions", "paper, URASC+N", *methods]
        write_table(f"urasc_{metric}", markdown(header, lines))
