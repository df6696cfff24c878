"""A pile, how it is to be read, and the journal beside it."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.cli.journal_file import JournalFile, has_line
from likewise.cli.own_place import own_folder, own_place, unwritable
from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.features.base import FeatureModel
    from likewise.features.cache import Progress
    from likewise.items import Items
    from likewise.journal.group_number import NumberOfGroups
    from likewise.piles import Pile
    from likewise.study import SimilarityStudy, Study

DATABASE, LINES = ".likewise.db", ".likewise.jsonl"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # of a path one slash is left; no drive
ACCESS = ".likewise.access"  # tokens, for the eyes of one user


@dataclass
class PileSource:
    """A pile as the command line describes it, and the journal beside it.

    Parameters
    ----------
    path : Path
        The folder or file.
    drop : tuple of str
        Columns that do not count.
    id_column : str, optional
        The column that names the items.
    text, image : str, optional
        The column of texts, or of picture files, that items are compared by.
    features : Path, optional
        A file with vectors of the user's own.
    model : str, optional
        The feature model for texts or pictures.
    scaling : str
        Whether columns of numbers are brought to unit variance.
    send : bool
        Whether a model that is elsewhere may be sent the items.
    near_duplicates : bool
        Whether pictures that look the same count as one item.
    stacks : bool
        Whether photographs of one burst count as one item.
    images_anywhere : bool
        Whether the image column may name files outside the pile's folder.
    faces : bool
        Whether the items are the faces on photographs; their journal is another one.
    representatives : int, optional
        Read a folder too large for memory, with so many items in place of all rows.
    dask : str, optional
        The address of a dask scheduler whose workers read such a folder.
    store : Path, optional
        The file in which the study is kept, if not beside the pile.
    quick : bool
        Whether a sample will do for now, where reading all takes long.
    read_only : bool
        Whether the command only looks: then nothing is written to the journal, also when the pile
        has changed.
    """

    path: Path
    drop: tuple[str, ...] = ()
    id_column: str | None = None
    text: str | None = None
    image: str | None = None
    features: Path | None = None
    model: str | None = None
    scaling: str = "auto"
    send: bool = False
    near_duplicates: bool = False
    stacks: bool = False
    images_anywhere: bool = False
    faces: bool = False
    representatives: int | None = None
    dask: str | None = None
    store: Path | None = None
    quick: bool = field(default=False, compare=False)
    read_only: bool = False
    n_later: int = field(default=0, init=False, compare=False)  # items that it was not waited for

    def __post_init__(self) -> None:
        """Refuse an address; it may hold a password, so it is not repeated."""
        if _ADDRESS.match(str(self.path)) and not self.path.exists():
            raise DataError(
                "a pile is a file or a folder, not an address; a study in a database is opened "
                "from Python: lw.Study.open(ADDRESS, X)"
            )

    @cached_property
    def journal_file(self) -> JournalFile:
        """The journal of the answers: a database, unless there is a file of lines already."""
        if self.store is not None:
            return JournalFile(_require_ending(self.store), read_only=self.read_only)
        lines = self.beside(LINES)
        path = lines if has_line(lines) else self.beside(DATABASE)
        return JournalFile(path, read_only=self.read_only)

    @cached_property
    def identity(self) -> str:
        """The study's identity, also before it is begun: its page has a port by it."""
        from likewise.journal.events import Opened, new_identity

        if self.journal_file.is_begun:
            opened = self.journal_file.journal.events[0]
            if isinstance(opened, Opened):
                return opened.identity
        from likewise.web.port import own_port

        # One that has the port of the pile's path: a start that is broken off finds it again.
        wanted = own_port(str(self.journal.absolute()))
        return next(one for one in iter(new_identity, "") if own_port(one) == wanted)

    @property
    def journal(self) -> Path:
        """Where the answers are kept.

        >>> str(PileSource(Path("photos.2024/")).journal)
        'photos.2024.likewise.db'
        """
        return self.journal_file.path

    @property
    def ratings(self) -> Path:
        """Where the ratings are kept.

        >>> str(PileSource(Path("mails.csv")).ratings)
        'mails.ratings.jsonl'
        """
        return self.beside(".ratings.jsonl")

    def beside(self, ending: str) -> Path:
        """Return the path of a file beside the pile, named after it.

        >>> str(PileSource(Path("mails.csv")).beside(".likewise.db"))
        'mails.likewise.db'
        >>> str(PileSource(Path("photos"), faces=True).beside(".likewise.db"))
        'photos.faces.likewise.db'
        """
        if self.store is not None:
            return _without_endings(self.store, ending)
        if self.faces:
            ending = f".faces{ending}"
        path = self.path if self.path.name not in ("", "..") else self.path.resolve()
        try:
            str(path).encode()
        except UnicodeEncodeError as error:
            from likewise.items.encodable import file_name

            raise DataError(
                f"the name of {file_name(str(path))} is not UTF-8, so no journal can stand beside "
                "it; rename it first"
            ) from error
        if path.name == "":
            raise DataError(f"{self.path} is the root of a disk; give a folder or a file")
        if path.is_dir() or path.suffix.lower() not in _SUFFIXES:
            return path.with_name(path.name + ending)
        return path.with_suffix(ending)

    def require_place(self) -> None:
        """Refuse a pile that is not there, or beside which nothing can be kept, before it is read.

        Raises
        ------
        DataError
            If there is no such file or folder.
        StoreError
            If its study cannot be written; the sentence says where else it could be kept.
        """
        if not self.path.exists() and not any(one in str(self.path) for one in "*?["):
            raise DataError(f"there is no file {self.path}; check the name")
        if trouble := unwritable(self.journal):
            raise StoreError(
                f"{trouble}, so answers about {self.path} cannot be kept there; say where else "
                f"with --store, such as --store {shlex.quote(str(own_place(self.path)))}"
            )

    def command(self, verb: str) -> str:
        """Return what to type to do something with the same pile and columns.

        >>> PileSource(Path("my mails.csv"), ("date",)).command("labels")
        "likewise labels 'my mails.csv' --drop date"
        """
        words = ["likewise", verb, str(self.path)]
        for column in self.drop:
            words += ["--drop", column]
        for option, value in (
            ("--id", self.id_column),
            ("--text", self.text),
            ("--image", self.image),
            ("--features", self.features),
            ("--model", self.model),
            ("--scaling", None if self.scaling == "auto" else self.scaling),
            ("--representatives", self.representatives),
            ("--dask", self.dask),
            ("--store", self.store),
        ):
            if value is not None:
                words += [option, str(value)]
        if self.send:
            words.append("--send")
        if self.near_duplicates:
            words.append("--near-duplicates")
        if self.stacks:
            words.append("--stacks")
        if self.images_anywhere:
            words.append("--images-anywhere")
        if self.faces:
            words.append("--faces")
        return shlex.join(words)

    def read(self, progress: Progress | None = None) -> Pile:
        """Read the pile, in the order in which the journal knows it."""
        file = self.journal_file  # first: a pile without a place for it must not be waited for
        pile = self._read(progress)
        self.n_later = pile.n_later
        if not file.is_begun:
            return pile
        from likewise.piles.growth import align

        return align(pile, file.journal)

    def read_for_rating(self, progress: Progress | None = None) -> Pile:
        """Read the pile for `rate`, to which copies are items like others."""
        return self._read(progress, collapse=False)

    def _read(self, progress: Progress | None, *, collapse: bool = True) -> Pile:
        from likewise.piles import read_partitioned, read_pile

        if self.representatives is not None:
            self._require_plain()
            return read_partitioned(
                self.path,
                self.representatives,
                drop=self.drop,
                id_column=self.id_column,
                text=self.text,
                model=self.model,
                client=self.dask,
            )
        if self.dask is not None:
            raise DataError("--dask reads piles in parts; say by how many with --representatives")
        return read_pile(
            self.path,
            text=self.text,
            image=self.image,
            id_column=self.id_column,
            drop=self.drop,
            features=self.features,
            model=self._allowed_model(),
            scaling=self.scaling,
            near_duplicates=self.near_duplicates,
            stacks=self.stacks and collapse,
            apart=self._apart() if self.stacks else (),
            images_anywhere=self.images_anywhere,
            faces=self.faces,
            collapse=collapse,
            quick=self.quick and self.journal.suffix != ".jsonl",  # of lines, which do not grow
            known=self._known() if self.quick or self.stacks else None,
            progress=progress,
        )

    def _known(self) -> dict[str, str]:
        """Return the items that the study is about already, and the digests of what they hold."""
        from likewise.stores import ItemStore

        if not self.journal_file.is_begun:
            return {}
        store = self.journal_file.journal.store
        references = store.read_items() if isinstance(store, ItemStore) else ()
        return {one.id: one.fingerprint for one in references if one.present}

    def _apart(self) -> set[str]:
        """Return the ids of the items whose stacks were taken apart."""
        from likewise.piles import stacks_apart

        if not self.journal_file.is_begun:
            return set()
        return stacks_apart(self.journal_file.journal)

    def _allowed_model(self) -> str | FeatureModel | None:
        """Return the model, allowed to send items where the user has said so."""
        if not self.send:
            return self.model
        from likewise.features.base import RemoteModel
        from likewise.features.models import build

        model = None if self.model is None else build(self.model)
        if not isinstance(model, RemoteModel):
            raise DataError(
                "--send is for a model that is elsewhere, and this one is not; leave --send out"
            )
        model.send = True
        return model

    def _require_plain(self) -> None:
        """Refuse options that only piles which fit into memory have."""
        for option, value in (
            ("--image", self.image),
            ("--features", self.features),
            ("--scaling", None if self.scaling == "auto" else self.scaling),
            ("--send", self.send or None),
            ("--near-duplicates", self.near_duplicates or None),
            ("--stacks", self.stacks or None),
            ("--faces", self.faces or None),
        ):
            if value is not None:
                raise DataError(
                    f"{option} does not go with --representatives; leave one of them out"
                )

    def begin_study(
        self,
        pile: Pile,
        *,
        method: str | None,
        n_clusters: NumberOfGroups,
        seed: int | None,
        ending: str = DATABASE,
    ) -> Study:
        """Return the study of this pile, begun in a file of this `ending` if there is none yet.

        Settings are None where the user gave none; those of a study that was begun cannot change.
        """
        if not self.journal_file.is_begun:
            from likewise.piles import begin_study

            if self.store is None and (path := self.beside(ending)) != self.journal:
                self.journal_file = JournalFile(path)
            if self.journal.is_relative_to(own_folder()):
                self.journal.parent.mkdir(parents=True, exist_ok=True)
            self.journal_file.journal.begin_as(self.identity)
            return begin_study(
                pile,
                self.journal_file.journal,
                method="auto" if method is None else method,
                n_clusters=n_clusters,
                random_state=0 if seed is None else seed,
            )
        study = self.open_study(pile.items)
        self._require_settings(
            self.journal,
            ("--method", method, study.method),
            ("--clusters", n_clusters, study.n_clusters),
            ("--seed", seed, study.random_state),
        )
        return study

    def open_study(self, items: Items | None = None) -> Study:
        """Return the study of these items, which must have been begun; None reads the pile."""
        if items is None:
            items = self.read().items
        if not self.journal_file.is_begun:
            raise StoreError(
                f"nobody has answered anything about {self.path} yet; "
                f"begin with: {self.command('start')}"
            )
        from likewise.study import Study

        return Study.open(self.journal_file.journal, items)

    def begin_rating(
        self,
        items: Items,
        method: str | None,
        n_clusters: int | None,
        repeats: int | None,
        seed: int | None,
    ) -> SimilarityStudy:
        """Return the study of how alike these items are, begun if there is none yet.

        Settings are None where the user gave none; those of a study that was begun cannot change.
        """
        from likewise.study import SimilarityStudy

        if not has_line(self.ratings):
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
        self._require_settings(
            self.ratings,
            ("--method", method, study.method),
            ("--clusters", n_clusters, study.n_clusters),
            ("--repeats", repeats, study.max_repeats),
            ("--seed", seed, study.random_state),
        )
        return study

    def open_ratings(self, items: Items) -> SimilarityStudy:
        """Return the study of how alike these items are, which must have been begun."""
        from likewise.study import SimilarityStudy

        if not has_line(self.ratings):
            raise StoreError(
                f"nobody has rated anything in {self.path} yet; begin with: {self.command('rate')}"
            )
        return SimilarityStudy.open(self.ratings, fingerprint=items.fingerprint())

    @staticmethod
    def _require_settings(journal: Path, *settings: tuple[str, Any, Any]) -> None:
        """Refuse settings other than those with which a study was begun."""
        for option, wanted, found in settings:
            if wanted is not None and wanted != found:
                begun = f"with {option} {_typed(found)}"
                if found is None:
                    begun = f"without {option}"
                raise StoreError(
                    f"{journal} was begun {begun}, not {_typed(wanted)}; leave {option} out to "
                    "go on with it, or move the journal away to begin anew"
                )


def piles_in(folder: Path) -> list[Path]:
    """Return the piles in a folder whose studies were begun, in the order of their names."""
    if not folder.is_dir():
        return []
    begun = {path.name.removesuffix(DATABASE) for path in folder.glob(f"*{DATABASE}")}
    piles = [path for path in folder.iterdir() if PileSource(path).beside(DATABASE).exists()]
    named = (path for path in piles if PileSource(path).beside("").name in begun)
    return sorted(path for path in named if path.is_dir() or path.suffix.lower() in _SUFFIXES)


def _typed(setting: Any) -> str:
    """Return a setting as it is typed after its option."""
    return "-".join(map(str, setting)) if isinstance(setting, tuple) else str(setting)


def _require_ending(store: Path) -> Path:
    """Return a file that can keep a study; its name says how."""
    if store.suffix not in (".db", ".sqlite", ".sqlite3", ".jsonl"):
        raise StoreError(
            f"a study is kept in a file that ends in .db or .jsonl, not in {store}; give --store "
            "such a name"
        )
    return store


def _without_endings(store: Path, ending: str) -> Path:
    """Return the file beside a store that has another ending.

    >>> str(_without_endings(Path("a/photos.likewise.db"), ".likewise.access"))
    'a/photos.likewise.access'
    """
    stem = store.name.removesuffix(store.suffix).removesuffix(".likewise")
    return store.with_name(stem + ending)


# What a file's name may end in without that being part of its name.
_SUFFIXES = (
    *(".csv", ".tsv", ".parquet", ".pq", ".jsonl", ".ndjson", ".json"),
    *(".txt", ".text", ".md", ".log", ".npy", ".npz"),
)
