"""Faces: the people on the photographs of a folder, an item for every face."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from likewise.errors import DataError
from likewise.features.cache import Progress, file_digests
from likewise.features.faces import DlibFaces, Face, FaceModel, find_faces
from likewise.features.regions import PictureRegion, part_name
from likewise.items import FrameRows
from likewise.items.digests import digest
from likewise.piles.other_files import listed
from likewise.piles.picture_files import (
    about_unreadable,
    picture_files,
    require_pictures,
)
from likewise.piles.pile import Contents, Features

_AROUND = 0.3  # of a face's width and height that is shown on every side of it
_GRID = 20  # of places by which a face is recognised: another machine may find it a pixel aside


def read_faces(
    folder: Path, *, model: FaceModel | None = None, progress: Progress | None = None
) -> Contents:
    """Find the faces on the photographs in a folder and below it, numbered from left to right."""
    files, notes = picture_files(folder)
    require_pictures(folder, files, notes)
    names = [name for name, _ in files]
    paths = [path for _, path in files]
    model = DlibFaces() if model is None else model
    known = file_digests(paths)
    # Equal files have equal faces, so that one of them is looked at.
    first = {content: k for k, content in reversed(known.items())}
    chosen = sorted(first.values())
    found = find_faces(model, [paths[k] for k in chosen], [known[k] for k in chosen], progress)
    faces_by_content = {known[chosen[place]]: faces for place, faces in found.items()}
    faces = {k: faces_by_content[one] for k, one in known.items() if one in faces_by_content}
    unreadable = [k for k in range(len(paths)) if k not in faces]
    faceless = [names[k] for k in sorted(faces) if not faces[k]]
    if unreadable:
        notes.append(
            about_unreadable([names[k] for k in unreadable], [paths[k] for k in unreadable])
        )
    if len(faceless) == len(faces):
        raise DataError(_about_none(folder, len(faces), notes))
    if faceless:
        notes.append(f"no face was found on {_photographs(len(faceless))}: {listed(faceless)}")
    return _contents(names, paths, faces, known, notes)


def _contents(
    names: list[str],
    paths: list[Path],
    faces: dict[int, list[Face]],
    known: dict[int, bytes],
    notes: list[str],
) -> Contents:
    """Return the faces as items."""
    import narwhals as nw
    import pandas as pd

    every = [(k, n, face) for k in sorted(faces) for n, face in enumerate(faces[k], start=1)]
    vectors = np.array([face.vector for _, _, face in every], dtype=np.float64)
    shown = pd.DataFrame({"photograph": [names[k] for k, _, _ in every]}, dtype=object)
    notes.append(f"they are on {_photographs(sum(map(bool, faces.values())))}")
    return Contents(
        noun="face",
        ids=[part_name(names[k], n) for k, n, _ in every],
        digests=[_digest(known[k], n, face) for k, n, face in every],
        features=lambda kept, progress: Features(kept, vectors[kept]),
        compared_by="whose they are",
        named_by="",
        rows=FrameRows(nw.from_native(shown, eager_only=True)),
        pictures=[PictureRegion(paths[k], face.box).enlarged(_AROUND) for k, _, face in every],
        notes=notes,
        by_content=True,
    )


def _digest(photograph: bytes, number: int, face: Face) -> bytes:
    """Return a short name for a face: the photograph, and where on it the face is."""
    left, top, right, bottom = face.box
    place = (round((left + right) / 2 * _GRID), round((top + bottom) / 2 * _GRID))
    return digest(photograph, f"{number} {place[0]} {place[1]}".encode())


def _photographs(n: int) -> str:
    return f"{n:,} photograph{'s' if n != 1 else ''}"


def _about_none(folder: Path, n: int, notes: list[str]) -> str:
    about = f" ({'; '.join(notes)})" if notes else ""
    return (
        f"no face was found in {folder}, on {_photographs(n)}{about}; leave --faces out to group "
        "pictures by what is on them"
    )
