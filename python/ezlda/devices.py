"""What this machine can train on."""
from __future__ import annotations

from typing import Any

from . import _calls, _ezlda


def devices() -> dict[str, Any]:
    """Lists GPUs and the CPU, whether this build can use them and why not, and what ``device="auto"`` takes."""
    return _ezlda.devices(_calls.context())
