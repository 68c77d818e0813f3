"""What all files of the package share: contexts, temporary folders, packages that may be missing."""
from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import tempfile
from typing import Any

from . import _ezlda

log = logging.getLogger("ezlda")


def context(threads: int | None = None) -> Any:
    """A context of the library for one task. Its notes go to the logger "ezlda"."""
    return _ezlda.context(int(threads or 0), log.info)


def needs(package: str, what: str) -> Any:
    """Imports a package that is not required."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}, which is not installed") from error


def is_here(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ezlda-")


def text_path(path: Any) -> str:
    return os.fsdecode(os.fspath(path))
