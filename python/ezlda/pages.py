"""The report: one self-contained HTML page, as a file and in notebooks."""
from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from . import _calls, _ezlda

if TYPE_CHECKING:
    from .corpus import Corpus
    from .model import Model


class Report:
    """A report about a model, as `Model.report` returns it. A notebook shows it in a frame of ``height`` pixels."""

    def __init__(self, content: str, path: str | None = None, height: int = 800) -> None:
        self.html = content
        self.path = path
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. Raises OSError if it cannot be written."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{self.height}" '
                'style="border:0" sandbox="allow-scripts allow-downloads"></iframe>')

    def __repr__(self) -> str:
        return f"<ezlda.Report: {self.path or 'not saved'}, {len(self.html):,} characters>"


def make_report(model: Model, path: Any, corpus: Corpus | None, other: Model | None, svg: Any,
                options: dict[str, Any]) -> Report:
    def write(target: Any, pictures: bool) -> None:
        _ezlda.report(_calls.context(), model._handle, corpus._handle if corpus is not None else None,
                      other._handle if other is not None else None, options, target, pictures)
    with _calls.scratch() as folder:
        page = os.path.join(folder, "report.html") if path is None else path
        write(page, False)
        if svg is not None:
            write(svg, True)
        with open(page, encoding="utf-8", newline="") as file:
            return Report(file.read(), None if path is None else _calls.text_path(path))
