"""One HTML file that says what a study has found, or asks; it needs nothing but a browser."""

from __future__ import annotations

from likewise._extras import extra_explained

with extra_explained():
    from likewise.report.questionnaire import questionnaire
    from likewise.report.study_report import report

__all__ = ["questionnaire", "report"]
