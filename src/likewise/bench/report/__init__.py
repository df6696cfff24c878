"""The report of an experiment: one page that says who asked best, how sure that is, what it cost.

`summary` computes what is shown, `figures` draws it, `html` puts both into the template.
"""

from __future__ import annotations

from likewise.bench.report.html import write_report

__all__ = ["write_report"]
