"""What a task does, by name: `kind` of an experiment's runs.

`questions` asks; `minutes` asks any kind of question and counts a person's time; `peer` lets a
public tool ask; `links` gives a clusterer random links instead; `labels` buys classes of items;
`omniscient` is one who knows the truth, a reference; the others measure similarities of pairs. A
further kind is one more entry here.
"""

from __future__ import annotations

from likewise.bench.tasks import similarity
from likewise.bench.tasks.base import TaskKind
from likewise.bench.tasks.labels import parts_of_learner, run_labels
from likewise.bench.tasks.links import parts_of_linked, run_links
from likewise.bench.tasks.minutes import parts_of_kind, run_minutes
from likewise.bench.tasks.omniscient import parts_of_omniscient, run_omniscient
from likewise.bench.tasks.peer import parts_of_peer, run_tool
from likewise.bench.tasks.questions import parts_of_recipe, run_questions

__all__ = ["TASKS", "TaskKind"]

TASKS: dict[str, TaskKind] = {
    "questions": TaskKind(run_questions, parts_of_recipe),
    "minutes": TaskKind(run_minutes, parts_of_kind),
    "peer": TaskKind(run_tool, parts_of_peer),
    "links": TaskKind(run_links, parts_of_linked),
    "labels": TaskKind(run_labels, parts_of_learner),
    "omniscient": TaskKind(run_omniscient, parts_of_omniscient),
    "similarity": TaskKind(similarity.run_curve, similarity.parts_of_rule),
    "similarity-step": TaskKind(similarity.run_single_steps, similarity.parts_of_rule),
    "similarity-money": TaskKind(similarity.run_money, similarity.parts_of_rule),
}
