"""Helpers that all files of the package share: contexts, temporary folders, optional packages, checks of arguments."""
from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import sys
import tempfile
from typing import Any, Callable

import numpy as np

from . import _ezlda

log = logging.getLogger("ezlda")


LOG_LEVELS = (logging.INFO, logging.WARNING, logging.ERROR)  # by the library's ezlda_note_level


def pass_note(level: int, text: str) -> None:
    """Log a note of the library."""
    log.log(LOG_LEVELS[level], "%s", text)


def context(threads: int | None = None, note: Callable[[int, str], object] = pass_note) -> Any:
    """Return a context of the library for one task. Its notes go to the logger "ezlda", or to ``note``."""
    return _ezlda.context(int(threads or 0), note)


def needs(package: str, what: str) -> Any:
    """Import an optional package. Raises ImportError, which says that ``what`` needs it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs {package}, which is not installed") from error


def is_here(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def depth_of_caller() -> int:
    """Return the stack level, for a warning, of the first caller outside this package and scikit-learn."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] in ("ezlda", "sklearn"):
        frame, depth = frame.f_back, depth + 1
    return depth


def float_type(dtype: Any) -> Any:
    """Return the type of a result. Raises ValueError unless it is float64 or float32."""
    if np.dtype(dtype) not in (np.float64, np.float32):
        raise ValueError(f"dtype is {np.dtype(dtype)}; expected float64 or float32")
    return dtype


def check_device(device: Any) -> None:
    if not isinstance(device, str):
        raise ValueError(f"device is {device!r}; expected a string such as 'auto', 'cpu' or 'cuda:0'")


def scratch() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ezlda-")


def check_prior(name: str, values: Any) -> None:
    """Check the library's range of priors, and report the argument under the name that the caller knows."""
    if not all(1e-6 <= value <= 100 for value in np.ravel(values)):
        raise ValueError(f"{name} is {values!r}; expected a number from 0.000001 to 100")


def check_type(name: str, value: Any, kind: type, hint: str = "") -> None:
    """Check that a value is None or an object of this class."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name}: expected an ezlda.{kind.__name__}, found {value!r:.80}{hint}")


def text_path(path: Any) -> str:
    return os.fsdecode(os.fspath(path))
