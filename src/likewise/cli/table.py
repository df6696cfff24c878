"""A CSV file and the journal beside it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.similarity import SimilarityStudy
    from likewise.study import Study

_LISTED = 8  # column names in one sentence


@dataclass(frozen=True)
class Source:
    """Which file, which of its columns count, and what names its rows."""

    path: Path
    drop: tuple[str, ...] = ()
    id_column: str | None = None

    @property
    def journal(self) -> Path:
        """Where the answers are kept.

        >>> str(Source(Path("mails.csv")).journal)
        'mails.likewise.jsonl'
        """
        return self.path.with_suffix(".likewise.jsonl")

    @property
    def ratings(self) -> Path:
        """Where the ratings are kept.

        >>> str(Source(Path("mails.csv")).ratings)
        'mails.ratings.jsonl'
        """
        return self.path.with_suffix(".ratings.jsonl")

    def command(self, verb: str) -> str:
        """What to type to do something with the same file and columns.

        >>> Source(Path("my mails.csv"), ("date",)).command("labels")
        "likewise labels 'my mails.csv' --drop date"
        """
        words = ["likewise", verb, str(self.path)]
        for column in self.drop:
            words += ["--drop", column]
        if self.id_column is not None:
            words += ["--id", self.id_column]
        return shlex.join(words)

    def items(self) -> Items:
        """The rows of the file."""
        from likewise.piles import load_items

        if self.path.name == "":
            raise DataError(f"{self.path} is a folder; give a CSV file")
        return load_items(self.path, drop=self.drop, id_column=self.id_column)

    def begin(
        self, items: Items, method: str | None, n_clusters: int | None, seed: int | None
    ) -> Study:
        """The study of these rows, begun if there is none yet; settings only matter then."""
        from likewise.study import Study

        if not _begun(self.journal):
            return Study(
                items,
                method="auto" if method is None else method,
                n_clusters=n_clusters,
                random_state=0 if seed is None else seed,
                store=self.journal,
            )
        study = Study.open(self.journal, items)
        for option, wanted, found in (
            ("--method", method, study.method),
            ("--clusters", n_clusters, study.n_clusters),
            ("--seed", seed, study.random_state),
        ):
            if wanted is not None and wanted != found:
                begun = f"with {option} {found}" if found is not None else f"without {option}"
                raise StoreError(
                    f"{self.journal} was begun {begun}, not {wanted}; leave {option} out to go on "
                    "with it, or move the journal away to begin anew"
                )
        return study

    def open(self, items: Items) -> Study:
        """The study of these rows, which must have been begun."""
        from likewise.study import Study

        if not _begun(self.journal):
            raise StoreError(
                f"nobody has answered anything about {self.path} yet; "
                f"begin with: {self.command('answer')}"
            )
        return Study.open(self.journal, items)

    def begin_rating(
        self,
        items: Items,
        method: str | None,
        n_clusters: int | None,
        repeats: int | None,
        seed: int | None,
    ) -> SimilarityStudy:
        """The study of how alike these rows are, begun if there is none yet."""
        from likewise.similarity import SimilarityStudy

        if not _begun(self.ratings):
            return SimilarityStudy(
                len(items),
                method="iu-red" if method is None else method,
                n_clusters=2 if n_clusters is None else n_clusters,
                max_repeats=1 if repeats is None else repeats,
                random_state=0 if seed is None else seed,
                store=self.ratings,
                fingerprint=items.fingerprint(),
            )
        study = self.open_ratings(items)
        for option, wanted, found in (
            ("--method", method, study.method),
            ("--clusters", n_clusters, study.n_clusters),
            ("--repeats", repeats, study.max_repeats),
            ("--seed", seed, study.random_state),
        ):
            if wanted is not None and wanted != found:
                raise StoreError(
                    f"{self.ratings} was begun with {option} {found}, not {wanted}; leave {option} "
                    "out to go on with it, or move the journal away to begin anew"
                )
        return study

    def open_ratings(self, items: Items) -> SimilarityStudy:
        """The study of how alike these rows are, which must have been begun."""
        from likewise.similarity import SimilarityStudy

        if not _begun(self.ratings):
            raise StoreError(
                f"nobody has rated anything in {self.path} yet; begin with: {self.command('rate')}"
            )
        return SimilarityStudy.open(self.ratings, fingerprint=items.fingerprint())

    def naming_column(self, items: Items) -> str | None:
        """The column that the rows are named by; None when they are numbered."""
        import pandas as pd

        numbered = items.ids == [str(k) for k in range(len(items))]
        if self.id_column is not None or numbered or items.rows is None:
            return self.id_column
        header = pd.read_csv(self.path, nrows=0).columns.map(str)
        return next((c for c in header if c.lower() == "id" and c not in items.rows[0]), None)

    def names(self, items: Items) -> list[str]:
        """What to call each row."""
        column = self.naming_column(items)
        return [f"row {name}" if column is None else f"{column} {name}" for name in items.ids]

    def compared(self, items: Items) -> str:
        """By which columns rows are compared and named, as the end of a sentence."""
        columns = list(items.rows[0]) if items.rows is not None else []
        listed = ", ".join(columns[:_LISTED])
        if len(columns) > _LISTED:
            listed += f" and {len(columns) - _LISTED} more columns"
        naming = self.naming_column(items)
        named = "are numbered from 0" if naming is None else f"are named by {naming}"
        return f"compared by {listed}; they {named}"


def _begun(journal: Path) -> bool:
    """Whether the journal holds a whole line; less than that was never acknowledged."""
    try:
        return b"\n" in journal.read_bytes()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{journal} cannot be read: {error.strerror}") from error
