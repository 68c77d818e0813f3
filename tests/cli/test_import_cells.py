"""Matrices of single cells as 10x Genomics' tools write them: cells in columns, names in files beside the matrix."""
import gzip
import json

import pytest

# Five genes, three cells: the second cell is empty, a symbol comes twice and another one is like its next name.
GENES = ["A", "B", "A", "A-1", "C"]
MATRIX = "%%MatrixMarket matrix coordinate integer general\n%metadata_json: {}\n5 3 5\n" \
         "1 1 3\n2 1 1\n3 1 1\n5 3 4000\n1 3 2\n"
TURNED = MATRIX.replace("5 3 5\n", "3 5 5\n", 1).replace("1 1 3\n2 1 1\n3 1 1\n5 3 4000\n1 3 2",
                                                          "1 1 3\n1 2 1\n1 3 1\n3 5 4000\n3 1 2")


def write_cells(folder, prefix="", features="features.tsv", matrix=MATRIX, barcodes=3, packed=True):
    folder.mkdir(exist_ok=True)
    lines = {"features.tsv": "ENSG{0}\t{1}\tGene Expression\n", "genes.tsv": "ENSG{0}\t{1}\n",
             "peaks.bed": "chr1\t{0}00\t{0}50\n"}
    files = {"matrix.mtx": matrix, "barcodes.tsv": "".join(f"CELL{i}-1\n" for i in range(barcodes)),
             features: "".join(lines[features].format(i, gene) for i, gene in enumerate(GENES))}
    for name, text in files.items():
        if packed:
            (folder / f"{prefix}{name}.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / f"{prefix}{name}").write_text(text)
    return folder


def counts(ezlda, tmp_path, *arguments):
    """The corpus by the names of its documents, as `train` and `export` have it."""
    done = ezlda("train", *arguments, "-k", 2, "-i", 1, "--keep-topics", "-q", "-o", tmp_path / "m.ezm")
    assert done.status == 0, done
    assert ezlda("export", tmp_path / "m.ezm", "--to", "csv", "-o", tmp_path / "t", "-q").status == 0
    words = {}
    for line in (tmp_path / "t" / "topic_words.csv").read_text().splitlines()[1:]:
        _, word, count, _ = line.split(",")
        words[word] = words.get(word, 0) + int(count)
    docs = json.loads(ezlda("docs", tmp_path / "m.ezm", "--json").stdout)["documents"]
    return {d["name"]: d["tokens"] for d in docs}, words


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("features", ["features.tsv", "genes.tsv"])
def test_a_folder_is_its_matrix(ezlda, tmp_path, features, packed):
    folder = write_cells(tmp_path / "cells", features=features, packed=packed)
    result = ezlda("import", folder, "-o", tmp_path / "c.ezc")
    assert result.status == 0 and "3 documents, 5 words, 4,007 tokens" in result.stdout
    for part in ("read as mm", "cells are in the columns", features, "barcodes.tsv", "1 duplicate name, made unique"):
        assert part in result.stderr
    names, words = counts(ezlda, tmp_path, tmp_path / "c.ezc")
    assert names == {"CELL0-1": 5, "CELL1-1": 0, "CELL2-1": 4002}
    assert words == {"A": 5, "B": 1, "A-2": 1, "C": 4000}
    matrix = next(folder.glob("matrix.mtx*"))
    assert ezlda("import", matrix, "-q", "-o", tmp_path / "d.ezc").status == 0
    assert (tmp_path / "c.ezc").read_bytes() == (tmp_path / "d.ezc").read_bytes()


def test_files_with_a_prefix_and_regions(ezlda, tmp_path):
    folder = write_cells(tmp_path / "geo", prefix="GSM1_", features="peaks.bed")
    names, words = counts(ezlda, tmp_path, folder / "GSM1_matrix.mtx.gz")
    assert names == {"CELL0-1": 5, "CELL1-1": 0, "CELL2-1": 4002}
    assert words == {"chr1:000-050": 5, "chr1:100-150": 1, "chr1:200-250": 1, "chr1:400-450": 4000}


def test_features_of_several_types_are_reported(ezlda, tmp_path):
    folder = write_cells(tmp_path / "cells", packed=False)
    assert "features of" not in ezlda("import", folder, "-o", tmp_path / "c.ezc").stderr
    lines = (folder / "features.tsv").read_text().splitlines()
    (folder / "features.tsv").write_text("\n".join([*lines[:3], "P1\tCD3\tAntibody Capture", "P2\tCD4"]) + "\n")
    result = ezlda("import", folder, "-o", tmp_path / "c.ezc")
    assert "features of 3 types (3 Gene Expression, 1 Antibody Capture, 1 without a type); all of them are words" in result.stderr
    assert result.status == 0 and "3 documents, 5 words" in result.stdout


def test_cells_in_rows_and_a_named_list_of_features(ezlda, tmp_path):
    folder = write_cells(tmp_path / "cells", matrix=TURNED)
    result = ezlda("import", folder, "-o", tmp_path / "c.ezc")
    assert result.status == 0 and "cells are in the rows" in result.stderr
    expected = counts(ezlda, tmp_path, tmp_path / "c.ezc")
    assert expected == counts(ezlda, tmp_path, write_cells(tmp_path / "other"))
    (tmp_path / "x.mtx").write_text(TURNED)
    _, words = counts(ezlda, tmp_path, tmp_path / "x.mtx", "--vocab", folder / "features.tsv.gz")
    assert words == expected[1]


def test_samples_are_joined_and_a_folder_of_text_stays_one(ezlda, tmp_path):
    a, b = write_cells(tmp_path / "a"), write_cells(tmp_path / "b")
    result = ezlda("import", a, b, "-o", tmp_path / "c.ezc")
    assert result.status == 0 and "6 documents, 5 words, 8,014 tokens" in result.stdout
    assert "3 documents" in ezlda("import", a, "--format", "dir", "-o", tmp_path / "c.ezc").stdout


def test_files_that_do_not_fit_are_refused(fails, tmp_path):
    folder = write_cells(tmp_path / "cells", barcodes=4)
    fails(1, ["matrix.mtx.gz:3", "5 rows and 3 columns", "features.tsv.gz has 5", "barcodes.tsv.gz has 4"],
          "import", folder, "-o", tmp_path / "c.ezc")
    write_cells(tmp_path / "cells", matrix=MATRIX.replace("2 1 1", "6 1 1"))
    fails(1, ["matrix.mtx.gz:5", "a word number from 1 to 5"], "import", folder, "-o", tmp_path / "c.ezc")
    write_cells(tmp_path / "cells", matrix=MATRIX.replace("2 1 1", "2 4 1"))
    fails(1, ["matrix.mtx.gz:5", "a document number from 1 to 3"], "import", folder, "-o", tmp_path / "c.ezc")
