"""The list of devices that this machine can train on."""
from __future__ import annotations

from typing import Any

from . import _calls, _ezlda


def devices() -> dict[str, Any]:
    """Return the GPUs and the CPU of this machine, whether this build can use each (and if not, why), and the device
    that ``device="auto"`` chooses."""
    return _ezlda.devices(_calls.context())
