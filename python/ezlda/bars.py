"""Progress bars in terminals and notebooks, by tqdm."""
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


class Bar:
    """A tqdm bar. It is created at the first iteration, when the first number is known. If the run may end before its
    last iteration, the bar says "at most"."""

    def __init__(self, may_settle: bool = False) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            self._tqdm = _calls.needs("tqdm.auto", "a progress bar").tqdm
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


def make_bar(progress: bool | None, may_settle: bool = False) -> Bar | None:
    """Return a bar, or None. By default (None) there is one if the output is a terminal or a notebook and tqdm is
    installed. ``may_settle``: whether the run may end before its last iteration."""
    if progress is None:
        progress = (sys.stderr is not None and sys.stderr.isatty() or _in_notebook()) and _calls.is_here("tqdm")
    return Bar(may_settle) if progress else None


@contextlib.contextmanager
def doc_bar(progress: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Yield the function that the library calls with the number of documents done and of all documents; None without a
    bar."""
    if not progress:
        yield None
        return
    with Bar()._tqdm(unit="doc", desc="ezlda") as bar:
        def watch(done: int, docs: int) -> None:
            bar.total = docs
            bar.update(done - bar.n)
        yield watch
