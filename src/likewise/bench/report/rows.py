"""The results as they come, and what a report asks of them."""

from __future__ import annotations

import math
import textwrap

import pandas as pd

from likewise.errors import DataError

METRICS = (
    "ari", "nmi", "v_measure", "jaccard", "pair_f1", "pair_precision", "pair_recall",
    "misclustering",
)  # fmt: skip
_NEEDED = (
    "experiment", "method", "version", "data", "n", "d", "k", "k_known", "seed", "noise",
    "questions", "ari", "seconds", "peak_memory", "threads", "status", "reason",
)  # fmt: skip
# Not every kind of run measures these; the last two are added where the data can be read.
_OPTIONAL = (
    *(name for name in METRICS if name != "ari"), "seconds_asking", "seconds_fitting",
    "minutes", "bits", "placing",
)  # fmt: skip
# Of results from before it was kept, and of frames that nobody compared with what there is now.
_PROVENANCE = {"commit": "", "state": "unknown"}
COLUMNS = (*_NEEDED, *_OPTIONAL, *_PROVENANCE)
REFERENCE = "omniscient"  # knows the truth: shown beside the methods, never ranked among them


def checked(results: pd.DataFrame) -> pd.DataFrame:
    """Return the results with a `condition` column and unambiguous names; refuse gaps."""
    if results.empty:
        raise DataError("there are no results to report; run the experiment first")
    _refuse_without_labels(results)
    missing = [name for name in _NEEDED if name not in results]
    if missing:
        raise DataError(f"the results lack the columns {', '.join(missing)}")
    frame = results.assign(**{name: math.nan for name in _OPTIONAL if name not in results})
    frame = frame.assign(**{k: v for k, v in _PROVENANCE.items() if k not in results})
    for name in ("experiment", "method", "version", "commit", "data", "status", "reason"):
        frame[name] = frame[name].fillna("").astype(str)
    for name in ("n", "d", "k"):  # -1 where a run failed before its data were read
        frame[name] = frame[name].where(frame[name] > 0)
    if "kind" in frame:
        # A public tool runs in a process of its own; what was measured is our side of the pipe.
        frame["peak_memory"] = frame["peak_memory"].where(frame["kind"] != "peer")
    if (frame.groupby("method")["version"].nunique() > 1).any():
        frame["method"] = frame["method"] + " " + frame["version"]
    frame["questions"] = frame["questions"].fillna(0).astype(int)
    several = frame["experiment"].nunique() > 1
    frame["condition"] = [
        (f"{name}: " if several else "") + _condition(bool(known), float(noise))
        for name, known, noise in zip(
            frame["experiment"], frame["k_known"], frame["noise"], strict=True
        )
    ]
    return frame


def _refuse_without_labels(results: pd.DataFrame) -> None:
    """Raise the commonest reason when no run got as far as labels: it matters more than columns."""
    if not {"method", "status", "reason"} <= set(results):
        return
    own = results[results["method"] != REFERENCE]
    if own.empty or ("ari" in own and own["ari"].notna().any()):
        return
    ended = own[own["status"] != "ok"].fillna({"reason": ""})
    if ended.empty:
        return
    run = [name for name in ("experiment", *_RUN) if name in ended]
    reasons = ended.drop_duplicates(run)["reason"].replace("", "none given").value_counts()
    n, reason = int(reasons.sum()), textwrap.shorten(str(reasons.index[0]), 300)
    which = "it" if n == 1 else "all of them" if reasons.iloc[0] == n else f"{reasons.iloc[0]}"
    raise DataError(
        f"every run failed ({n} in all), so there is nothing to report; "
        f"the reason of {which}: {reason}"
    )


_RUN = ("method", "version", "data", "k_known", "noise", "seed")


def _condition(k_known: bool, noise: float) -> str:
    answers = "every answer right" if noise == 0 else f"{100 * noise:.3g} % of answers wrong"
    return f"number of groups {'known' if k_known else 'unknown'}, {answers}"
