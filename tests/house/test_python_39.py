"""The package runs on Python 3.9: its files have no newer syntax, and use nothing newer when they are imported or called."""
import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "python" / "ezlda").glob("*.py")), ROOT / "python" / "command" / "ezlda"]
NEWER = r"\bpairwise\b|\bbatched\b|strict=True|kw_only=|slots=True|\btomllib\b|\bexcept\*|\bExceptionGroup\b"
TYPES = {"Unpack", "Self", "TypeAlias", "ParamSpec", "Required", "NotRequired", "TypeGuard", "Never", "override"}


def outside_type_checking(tree):
    """All nodes but those below `if TYPE_CHECKING:`."""
    for node in tree.body:
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from ast.walk(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file_is_for_python_39(path):
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 9))
    assert not re.search(NEWER, text)
    assert not any(isinstance(node, (ast.Match,)) for node in ast.walk(tree))
    nodes = list(outside_type_checking(tree))
    names = {name.name for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "typing" for name in node.names}
    assert not names & TYPES
    # "A | B" in an annotation is never computed; as the value of a name of the module it would be.
    if any("|" in ast.unparse(node.annotation) for node in nodes if isinstance(node, ast.arg) and node.annotation):
        assert "from __future__ import annotations" in text
    unions = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Assign)
              for part in ast.walk(node.value) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr)]
    assert unions == []
