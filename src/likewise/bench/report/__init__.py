"""The report of an experiment: one page that says who asked best, how sure that is, what it cost.

`summary` computes what is shown, `figures` draws it, `html` puts both into the template.
"""

from __future__ import annotations

from likewise.bench.report.html import write_report
from likewise.bench.report.limits import with_limits

__all__ = ["with_limits", "write_report"]
