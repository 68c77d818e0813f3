"""The extension: functions over handles of the library; the package's files are its only callers."""
from typing import Any

version: str

def __getattr__(name: str) -> Any: ...
