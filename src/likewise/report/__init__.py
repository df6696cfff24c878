"""One HTML file that says what a study has found; it needs nothing but a browser."""

from __future__ import annotations

from likewise.report.study_report import report

__all__ = ["report"]
