"""What all files of the package share: contexts, temporary folders, packages that may be missing."""
from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import tempfile
from typing import Any

import numpy as np

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


def check_prior(name: str, values: Any) -> None:
    """The range of the library, for the name that the caller knows."""
    if not all(1e-6 <= value <= 100 for value in np.ravel(values)):
        raise ValueError(f"{name} is {values!r}; expected a number from 0.000001 to 100")


def check_type(name: str, value: Any, kind: type, hint: str = "") -> None:
    """None or an object of the package."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name}: expected an ezlda.{kind.__name__}, found {value!r:.80}{hint}")


def text_path(path: Any) -> str:
    return os.fsdecode(os.fspath(path))
