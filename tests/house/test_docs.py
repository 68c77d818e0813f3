"""Documentation that holds together: links lead somewhere, every page is reached from docs/index.md, symbols are in the files that
pages name beside them, and docs/ stays small and in the present."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *(p for room in ("docs", "bench", "src", "tests", "python", "r", "recipe", "release")
                                        for p in (ROOT / room).rglob("*.md"))])
MOST_PAGES, MOST_WORDS = 16, 44000
SOURCES = {".c", ".h", ".cu", ".cuh", ".py", ".cpp"}


def links(page):
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page):
    for title in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M):
        yield re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere():
    broken = []
    for page in PAGES:
        for link in links(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_every_page_is_in_the_index():
    index = DOCS / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index)}
    assert [str(p.relative_to(ROOT)) for p in DOCS.rglob("*.md") if p != index and p not in linked] == []


def has(path, symbol):
    return re.search(rf"\b{re.escape(symbol)}\b", path.read_text(encoding="utf-8")) is not None


def file_named(page, path):
    """The file that a page means: paths are from the page's folder, from the root, from src/ or from src/backend/."""
    folders = (page.parent, ROOT, ROOT / "src", ROOT / "src" / "backend")
    return next((folder / path for folder in folders if (folder / path).is_file()), None)


def symbols_beside_files(text):
    """Yield each symbol of "`a`, `b` in `path`" with the path."""
    for match in re.finditer(r"((?:`\w+`(?:, | and ))*`\w+`)\s+in\s+`([\w/.]+\.(?:c|h|cu|cuh|py|cpp))`", text):
        for symbol in re.findall(r"`(\w+)`", match[1]):
            yield symbol, match[2]


def test_symbols_are_in_the_files_named_beside_them():
    wrong, seen = [], 0
    for page in PAGES:
        for symbol, path in symbols_beside_files(page.read_text(encoding="utf-8")):
            seen += 1
            file = file_named(page, path)
            if file is None or not has(file, symbol):
                wrong.append(f"{page.relative_to(ROOT)}: `{symbol}` is not in `{path}`")
    assert wrong == []
    assert seen > 20


def test_internal_names_exist():
    """Every ez_... that a page names is somewhere in the sources."""
    code = "\n".join(p.read_text(encoding="utf-8") for room in ("src", "include", "cli", "python", "tests")
                     for p in sorted((ROOT / room).rglob("*")) if p.is_file() and p.suffix in SOURCES)
    names = set(re.findall(r"\bezl?d?a?_\w+\b", code))
    missing = [f"{page.relative_to(ROOT)}: {name}" for page in PAGES if page.is_relative_to(DOCS)
               for name in sorted(set(re.findall(r"`(ez(?:lda)?_\w+)`", page.read_text(encoding="utf-8")))) if name not in names]
    assert missing == []


def test_docs_stay_small():
    """Words are counted as `wc -w` does."""
    pages = sorted(DOCS.rglob("*.md"))
    words = {page.name: len(page.read_text(encoding="utf-8").split()) for page in pages}
    assert len(pages) <= MOST_PAGES, sorted(words)
    assert sum(words.values()) <= MOST_WORDS, words


def test_docs_are_of_the_present():
    """Dates belong in bench/notes and in the changelog."""
    dated = [f"{page.relative_to(ROOT)}:{number}: {line.strip()[:80]}" for page in sorted(DOCS.glob("*.md"))
             for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
             if re.search(r"\b20[2-9]\d-(?:0[1-9]|1[0-2])(?!\d)", line)]
    assert dated == []
