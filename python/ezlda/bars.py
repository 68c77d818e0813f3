"""Progress bars in terminals and notebooks, by tqdm or rich."""
from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any, Callable, Iterator

from . import _calls

#: The format of a bar whose total is a limit: tqdm's own, without the time that is left.
AT_MOST = "{l_bar}{bar}| {n_fmt} of at most {total_fmt} [{elapsed}, {rate_fmt}{postfix}]"


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


class RichBar:
    """A bar of rich with the part of tqdm's interface that this package uses."""

    def __init__(self, total: int | None = None, initial: int = 0, unit: str = "it", desc: str = "",
                 bar_format: str | None = None) -> None:
        shown = _calls.needs("rich.progress", 'progress="rich"')
        of = "of at most" if bar_format == AT_MOST else "of"
        self._progress = shown.Progress(
            shown.TextColumn("{task.description}"), shown.BarColumn(),
            shown.TextColumn("{task.completed} {task.fields[of]} {task.total} {task.fields[unit]}"),
            shown.TimeElapsedColumn(), shown.TextColumn("{task.fields[postfix]}"))
        self.n, self._total, self.bar_format = initial, total, bar_format
        self._task = self._progress.add_task(desc, total=total, completed=initial, unit=unit, of=of, postfix="")
        self._progress.start()

    @property
    def total(self) -> int | None:
        return self._total

    @total.setter
    def total(self, total: int) -> None:
        if total != self._total:
            self._total = total
            self._progress.update(self._task, total=total)

    def update(self, n: int) -> None:
        self.n += n
        self._progress.update(self._task, completed=self.n)

    def set_postfix_str(self, text: str, refresh: bool = True) -> None:
        self._progress.update(self._task, postfix=text)

    def set_postfix(self, refresh: bool = True, **values: Any) -> None:
        self.set_postfix_str(", ".join(f"{name} {value}" for name, value in values.items()))

    def refresh(self) -> None:
        self._progress.update(self._task, of="of at most" if self.bar_format == AT_MOST else "of")
        self._progress.refresh()

    def close(self) -> None:
        self._progress.stop()

    def __enter__(self) -> RichBar:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def _kind_of(progress: Any) -> Callable[..., Any]:
    """Return what makes a bar: the class of tqdm, or `RichBar`."""
    if progress == "rich":
        return RichBar
    if progress not in (True, "tqdm"):
        raise ValueError(f'progress: expected True, False, None, "tqdm" or "rich", found {progress!r}')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
        made: Callable[..., Any] = _calls.needs("tqdm.auto", "a progress bar").tqdm
    return made


class Bar:
    """A bar of a run. It is created at the first iteration, when the first number is known. If the run may end before its
    last iteration, the bar says "at most"."""

    def __init__(self, progress: bool | str = True, may_settle: bool = False) -> None:
        self._tqdm = _kind_of(progress)
        self._bar: Any = None
        self._format = AT_MOST if may_settle else None

    def show(self, p: Any) -> None:
        if self._bar is None:
            self._bar = self._tqdm(total=p.iterations, initial=p.iteration - 1, unit="it", desc="ezlda",
                                   bar_format=self._format)
        if p.llpt == p.llpt:
            self._bar.set_postfix(LLPT=f"{p.llpt:.3f}", refresh=False)
        self._bar.update(p.iteration - self._bar.n)

    def complete(self, iterations: int) -> None:
        """Show that this was the number of iterations of the run, and that it is complete."""
        if self._bar is not None:
            self._bar.bar_format, self._bar.total = None, iterations
            self._bar.update(iterations - self._bar.n)
            self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def make_bar(progress: bool | str | None, may_settle: bool = False) -> Bar | None:
    """Return a bar, or None. By default (None) there is one if the output is a terminal or a notebook and tqdm is
    installed. ``may_settle``: whether the run may end before its last iteration."""
    if progress is None:
        progress = (sys.stderr is not None and sys.stderr.isatty() or _in_notebook()) and _calls.is_here("tqdm")
    return Bar(progress, may_settle) if progress else None


@contextlib.contextmanager
def doc_bar(progress: bool | str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the function that the library calls with the number of documents done and of all documents; None without a
    bar."""
    if not progress:
        yield None
        return
    with Bar(progress)._tqdm(unit="doc", desc="ezlda") as bar:
        def watch(done: int, docs: int) -> None:
            bar.total = docs
            bar.update(done - bar.n)
        yield watch
