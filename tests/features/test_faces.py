"""Faces: where they are on photographs, and vectors that tell people apart."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from skimage import data

from face_photographs import Corners, corners
from likewise.errors import DataError, MissingExtra
from likewise.features.cache import file_digests
from likewise.features.faces import DlibFaces, Face, FaceModel, dlib_faces, find_faces
from likewise.features.images import open_picture
from likewise.features.regions import PictureRegion


def test_dlib_finds_a_face_and_knows_it_again() -> None:
    model = DlibFaces()
    assert isinstance(model, FaceModel)
    portrait = Image.fromarray(data.astronaut())  # type: ignore[no-untyped-call]
    beside = Image.new("RGB", (1024, 512))
    beside.paste(portrait, (0, 0))
    beside.paste(portrait.transpose(Image.Transpose.FLIP_LEFT_RIGHT).resize((400, 400)), (600, 60))
    one, other = sorted(model.find_faces(beside), key=lambda face: face.box)
    left, top, right, bottom = one.box
    assert left * 1024 < 225 < right * 1024  # her nose
    assert top * 512 < 130 < bottom * 512
    assert one.vector.shape == (model.width,)
    assert float(np.linalg.norm(one.vector - other.vector)) < 0.6


def test_dlib_finds_the_face_on_a_tiny_picture_of_one_and_none_where_there_is_none() -> None:
    portrait = Image.fromarray(data.astronaut())  # type: ignore[no-untyped-call]
    tiny = portrait.crop((160, 50, 290, 180)).resize((64, 64))
    assert len(DlibFaces().find_faces(tiny)) == 1
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    assert len(DlibFaces().find_faces(Image.fromarray(noise))) == 0


def test_weights_that_are_not_dlibs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import face_recognition_models

    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "shape_predictor_5_face_landmarks.dat").write_bytes(b"another")
    monkeypatch.setattr(face_recognition_models, "__file__", str(tmp_path / "__init__.py"))
    dlib_faces._checked.cache_clear()
    try:
        with pytest.raises(DataError, match="install it anew"):
            dlib_faces._checked("shape_predictor_5_face_landmarks.dat")
        with pytest.raises(DataError, match="cannot be read: No such file"):
            dlib_faces._checked("dlib_face_recognition_resnet_model_v1.dat")
    finally:
        dlib_faces._checked.cache_clear()


def test_without_dlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dlib", None)
    with pytest.raises(MissingExtra, match=r"likewise\[faces\]"):
        dlib_faces._Models()


def test_faces_are_kept_from_left_to_right_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    files = [
        corners(tmp_path / "two.png", "red", "blue"),
        corners(tmp_path / "one.png", "red"),
        corners(tmp_path / "none.png"),
        tmp_path / "torn.png",
    ]
    files[3].write_bytes(b"no picture")
    digests = list(file_digests(files).values())
    model = Corners()
    told: list[tuple[int, int]] = []
    found = find_faces(model, files, digests, lambda done, n: told.append((done, n)))
    assert {k: len(faces) for k, faces in found.items()} == {0: 2, 1: 1, 2: 0}
    assert [face.box[0] for face in found[0]] == [0.0, 0.75]
    np.testing.assert_allclose(found[0][1].vector, [0, 0, 1], atol=0.01)
    assert told[-1] == (4, 4)
    again = find_faces(model, files, digests)
    assert model.looked_at == 3  # only the torn one was opened again
    assert again[0][1].box == found[0][1].box
    np.testing.assert_array_equal(again[1][0].vector, found[1][0].vector)


def test_a_model_that_returns_something_else_is_named(tmp_path: Path) -> None:
    class Torn(Corners):
        cache_key = "torn-1"

        def find_faces(self, picture: Any) -> Sequence[Face]:
            return [Face((0, 0, 1, 1), np.array([1.0, np.nan, 0.0], dtype=np.float32))]

    file = corners(tmp_path / "a.png", "red")
    with pytest.raises(DataError, match="Torn must return 3 finite numbers"):
        find_faces(Torn(), [file], [b"a"])


def test_a_part_of_a_turned_photograph_is_cut_out_upright(tmp_path: Path) -> None:
    picture = Image.new("RGB", (400, 200), "white")
    picture.paste("red", (0, 0, 100, 100))  # upper left as stored, upper right once turned
    exif = picture.getexif()
    exif[0x0112] = 6  # turn by a quarter, clockwise
    picture.save(tmp_path / "a.jpg", exif=exif, quality=95)
    part = PictureRegion(tmp_path / "a.jpg", (0.5, 0.0, 1.0, 0.25))
    cut = np.asarray(open_picture(part, 32), dtype=float)
    assert abs(cut.shape[0] - cut.shape[1]) <= 1
    red = cut[4:-4, 4:-4].mean(axis=(0, 1))
    assert red[0] > 200
    assert red[1:].max() < 60
