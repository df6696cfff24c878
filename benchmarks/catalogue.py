"""Every experiment: where it is, what it shows, how long it takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One experiment.

    Attributes
    ----------
    module : str
        Whose `main` carries it out.
    shows : str
        What its tables and figures are about, in a line.
    minutes : int or None
        On two cores, when nothing is kept; None where nobody has noted it.
    """

    module: str
    shows: str
    minutes: int | None = None


def _of(folder: str, **entries: tuple[str, int | None]) -> dict[str, Entry]:
    return {name: Entry(f"benchmarks.{folder}.{name}", *entry) for name, entry in entries.items()}


EXPERIMENTS: dict[str, Entry] = {
    **_of(
        "methods",
        auto=("the default method against the others, set by set; wrong answers", 40),
        auto_gains=("what questions were expected to put right, beside what answers did", None),
        auto_wrong=("wrong answers: the default method and others at twice the questions", None),
        auto_parts=("what each ingredient of the default method buys", None),
        auto_piles=("the default method on pictures, texts and many kinds", None),
        cobras=("COBRAS and COBRA beside the package of the COBRAS authors", None),
        comparison=("every method and every public tool on eighteen data sets", 150),
        patience=("slow public tools with ten minutes for a run", 25),
        patient_tools=("tools with a learned metric and ten minutes, beside the comparison", None),
        repair=("A3S and DSL beside the default method, with few kinds and with many", None),
        unseen=("tables nobody looked at while a method was changed, from a package", 25),
        robustness=("wrong answers and an unknown number of groups, on digits", 24),
    ),
    **_of(
        "papers",
        aqm=("the tables and figures of the AQM paper", 61),
        aqm_first_answers=("whether first answers make the groups of AQM worse than none", 2),
        aqm_augmentation=("what augmented pairs are worth to AQM, its figure 2", None),
        coprf_active=("which chooser suits the forest affinity", None),
        coprf_faces=("affinity propagation of faces, the COP-RF paper's figure 13", None),
        coprf_tables=("tables II to IV of the COP-RF paper", None),
        coprf_trees=("what 1000 trees change in the COP-RF paper's tables II and III", 11),
        coprf_variants=("what the parts of COPRF buy, one left out at a time", None),
        iured=("the curves and tables of the IU-RED paper", 61),
        missed=("every published figure that ours do not reach, from kept rows", 1),
        propagation=("propagated links and affinity propagation beside COP-RF's tables", None),
        rivals=("every method at the data of the URASC paper, figures 5 to 7", 115),
        sgt=("tables and figures of active learning with clustering; the ridge", None),
        urasc_batches=("several questions at once beside one at a time", 8),
        urasc_forms=("two groups: URASC beside its additive form, and what could choose", 3),
        urasc_gradient=("which derivative URASC's gradient is, and what truncation costs", 3),
        urasc_table=("the tables of the URASC paper", 20),
    ),
    **_of(
        "quality",
        answerers=("several people who err, beside votes counted beforehand", None),
        answerer_costs=("a cheap answerer beside an expert; what a plan foresees", None),
        advice=("stopping advice against the truth", None),
        face_questions=("how many questions tell forty people apart by their faces", 3),
        bursts=("how often photographs of a burst look alike, and different ones", 1),
        first_grouping=("the groups before any answer, beside k-means told how many", 3),
        doubt=("how well wrong answers are found, by each measure of doubt", None),
        minilm_weights=("whether the weights of MiniLM are what they are said to be", 1),
        picture_features=("what pictures should be compared by: looks, a network, both", 40),
        fuzz=("a thousand generated piles: where right answers make the groups worse", None),
        minutes=("what minutes of a person buy: pair, place, sheet, best, by hand", None),
        minutes_sizes=("minutes until a pile is nearly right, as it grows, beside by hand", None),
        piles=("every pile started as a user would, answered 50 times", None),
        record_neighbours=("whether the partner of a record is near, and what it costs", 4),
        records=("duplicates: auto beside dedupe and splink, by pairwise F1", None),
        slips=("whom Check accuses, and what verification questions bring to light", None),
        second_looks=("whether to leave doubtful answers out, or to ask again", None),
        text_languages=("what becomes of texts that are not in English", 2),
        text_features=("which features of texts bring the same kind together", 60),
    ),
    **_of(
        "server",
        durability=("programs killed at random moments: no answer is lost", None),
        faults=("people answer while server, network, clock and disk fail", 21),
        journal_model=("programs that answer, grow and restart, held to a dictionary", None),
        load=("one person and fifty on one server; servers killed", None),
        memory=("what memory a study takes in a server that has several", 2),
        page=("clicks, waiting and the map, in a browser", None),
        whole_way=("from an empty start page to sorted folders: presses, clicks, seconds", 8),
    ),
    **_of(
        "speed",
        auto_speed=("the default method per question, by number of items", None),
        billion=("what a billion rows would take: steps of one part, and the merge of all", 2),
        closure=("a million answers over a million items: what inference costs", None),
        disputes=("what thousands of contradictions cost to count and to explain", 1),
        first_question=("the wait for the first question about photographs", 4),
        forest_speed=("a constraint forest beside scikit-learn's on the same rows", None),
        growing_parts=(
            "piles in parts that grow: what is lost by keeping those that stand for others",
            1,
        ),
        growth=("a question as the pile grows, beside a cold eigenproblem", None),
        iured_speed=("a step of IU-RED as the pile grows, beside the step written out", None),
        kasp=("KASP and RASP beside spectral clustering of all items", None),
        kmeans_speed=("PCK-means and MPCK-means beside a public package", None),
        many_answers=("opening and asking with a hundred thousand answers", 8),
        mixed_parts=(
            "rows in parts: whether to split representatives that answers show to be mixed",
            12,
        ),
        million=("a million items in parts", None),
        neighbours=("graphs of neighbours by five libraries, beside representatives", 40),
        reading=("many new pictures and texts: the first question, and when all are there", 30),
        reduction=("what a study loses by being computed on few items that stand for all", None),
        threshold=("from which size on items stand for others", None),
        rivals_speed=("seconds per question of every method", None),
        sizes=("the first and the next question, from thousands of items to a million", None),
        votes=("rows in parts by one representative or by votes of five", 2),
    ),
}
