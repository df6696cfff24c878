"""Runs splink on a table, without answers: `python run_splink.py TABLE.csv 0`; prints JSON."""
# mypy: disable-error-code="import-not-found, import-untyped"

from __future__ import annotations

import json
import sys


def main() -> None:
    """Estimate by expectation and maximisation, then group pairs that are likelier than not."""
    import pandas as pd
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    table = pd.read_csv(sys.argv[1], dtype=str).drop(columns="label")
    columns = list(table.columns)
    table = table.apply(lambda column: column.str.lower().str.strip())
    table["unique_id"] = range(len(table))
    rules = [block_on(f"substr({name}, 1, 3)") for name in columns]
    settings = SettingsCreator(
        link_type="dedupe_only",
        comparisons=[cl.JaroWinklerAtThresholds(name, [0.95, 0.88, 0.7]) for name in columns],
        blocking_rules_to_generate_predictions=rules,
    )
    linker = Linker(table, settings, DuckDBAPI(), set_up_basic_logging=False)
    # How common duplicates are is told by rules that hardly any other pair meets.
    strict = [block_on(*(name for name in columns if name != other)) for other in columns]
    linker.training.estimate_probability_two_random_records_match(strict, recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=0)
    for rule in rules[:2]:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    predicted = linker.inference.predict(threshold_match_probability=0.01)
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predicted, 0.5)
    frame = clusters.as_pandas_dataframe().set_index("unique_id").loc[range(len(table))]
    codes = pd.factorize(frame["cluster_id"])[0]
    sys.stdout.write(json.dumps({"0": [int(code) for code in codes]}))


if __name__ == "__main__":
    main()
