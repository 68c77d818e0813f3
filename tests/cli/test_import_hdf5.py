"""ezlda import of HDF5: AnnData (.h5ad) and the .h5 files of Cell Ranger."""
import json

import pytest

h5py = pytest.importorskip("h5py")
import numpy as np  # noqa: E402  (h5py needs it)

COUNTS = np.array([[2, 0, 1, 0], [0, 0, 0, 0], [0, 5, 0, 1]])
GENES, CELLS = ["ACTB", "CD3D", "MS4A1", "CD3D"], ["AAAC-1", "AAAG-1", "AATC-1"]


@pytest.fixture(autouse=True)
def built_with_hdf5(ezlda, tmp_path):
    with h5py.File(tmp_path / "empty.h5", "w"):
        pass
    if "this build has no HDF5 library" in ezlda("info", tmp_path / "empty.h5").stderr:
        pytest.skip("no HDF5 library")


def compressed(matrix):
    """data, indices, indptr of the rows."""
    data, indices, indptr = [], [], [0]
    for row in matrix:
        indices += list(np.nonzero(row)[0])
        data += list(row[np.nonzero(row)[0]])
        indptr.append(len(indices))
    return data, indices, indptr


def put_sparse(group, name, matrix, kind, dtype="f4"):
    part = group.create_group(name)
    part.attrs["encoding-type"] = kind + "_matrix"
    part.attrs["shape"] = np.array(matrix.shape)
    for key, values in zip(("data", "indices", "indptr"), compressed(matrix if kind == "csr" else matrix.T)):
        part.create_dataset(key, data=np.array(values, dtype if key == "data" else "i4"))


def put_names(group, name, names):
    frame = group.create_group(name)
    frame.attrs["_index"] = "names"
    frame.create_dataset("names", data=names, dtype=h5py.string_dtype())


def h5ad(path, kind="csr", matrix=COUNTS):
    with h5py.File(path, "w") as file:
        if kind == "dense":
            file.create_dataset("X", data=matrix.astype("f8"), compression="gzip")
        else:
            put_sparse(file, "X", matrix, kind)
        put_names(file, "obs", CELLS)
        put_names(file, "var", GENES)
    return path


def cellranger(path, old=False):
    data, indices, indptr = compressed(COUNTS)
    with h5py.File(path, "w") as file:
        group = file.create_group("hg19" if old else "matrix")
        for key, values in (("data", data), ("indices", indices), ("indptr", indptr), ("shape", COUNTS.T.shape)):
            group.create_dataset(key, data=np.array(values, "i8"))
        group.create_dataset("barcodes", data=np.array(CELLS, "S10"))
        group.create_dataset("gene_names" if old else "features/name", data=np.array(GENES, "S8"))
        if old:
            group.create_dataset("genes", data=np.array(GENES, "S8"))
    return path


def contents(ezlda, tmp_path, *paths):
    """Names and words with counts of every document, and the notes."""
    corpus, model, out = tmp_path / "c.ezc", tmp_path / "m.ezm", tmp_path / "out"
    result = ezlda("import", *paths, "-o", corpus)
    assert result.status == 0, result
    assert ezlda("train", corpus, "-k", 2, "-i", 1, "--device", "cpu", "-q", "-o", model).status == 0
    assert ezlda("export", model, "--to", "csv", "--corpus", corpus, "-o", out).status == 0
    names = [row.split(",")[1] for row in (out / "doc_fields.csv").read_text().splitlines()[1:]]
    return names, json.loads(ezlda("info", corpus, "--json").stdout), result.stderr


@pytest.mark.parametrize("kind", ["csr", "csc", "dense", "10x", "10x-old"])
def test_one_matrix_in_every_layout(ezlda, tmp_path, kind):
    (tmp_path / "x.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n3 4 4\n"
                                    "1 1 2\n1 3 1\n3 2 5\n3 4 1\n")
    (tmp_path / "v.txt").write_text("ACTB\nCD3D\nMS4A1\nCD3D-1\n")
    plain = json.loads(ezlda("info", tmp_path / "x.mtx", "--vocab", tmp_path / "v.txt", "--json").stdout)
    path = cellranger(tmp_path / "x.h5", kind == "10x-old") if kind.startswith("10x") else h5ad(tmp_path / "x.h5ad", kind)
    names, facts, notes = contents(ezlda, tmp_path, path)
    assert names == CELLS and facts["hash"] == plain["hash"]
    assert "read as hdf5 (counts of single cells)" in notes and "1 duplicate name" in notes
    assert contents(ezlda, tmp_path, path, path)[1]["documents"] == 6


def test_raw_counts_beside_other_values(ezlda, fails, tmp_path):
    path = h5ad(tmp_path / "x.h5ad", matrix=COUNTS * 0.5)
    fails(1, ["x.h5ad", "expected counts (whole numbers)"], "info", path)
    with h5py.File(path, "a") as file:
        put_sparse(file.create_group("raw"), "X", COUNTS, "csc")
        put_names(file["raw"], "var", GENES)
    names, facts, notes = contents(ezlda, tmp_path, path)
    assert names == CELLS and facts["tokens"] == 9 and "counts from raw/X" in notes
    with h5py.File(path, "a") as file:
        put_sparse(file.create_group("layers"), "counts", 2 * COUNTS, "csr")
    names, facts, notes = contents(ezlda, tmp_path, path)
    assert facts["tokens"] == 18 and "counts from layers/counts" in notes


DAMAGE = {"indices": ([0, 9, 1, 3], "an index is outside the matrix"), "indptr": ([0, 2, 1, 4], "do not ascend"),
          "data": ([1, 2], "as many indices as data")}


@pytest.mark.parametrize("key", DAMAGE)
def test_damaged_matrices(fails, tmp_path, key):
    values, words = DAMAGE[key]
    with h5py.File(h5ad(tmp_path / "x.h5ad"), "a") as file:
        del file["X"][key]
        file["X"].create_dataset(key, data=np.array(values))
    fails(1, ["x.h5ad", words], "info", tmp_path / "x.h5ad")


def test_files_that_are_not_matrices(fails, tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["other"] = [1, 2]
    fails(1, "neither AnnData", "info", tmp_path / "x.h5")
    whole = h5ad(tmp_path / "y.h5ad").read_bytes()
    (tmp_path / "y.h5ad").write_bytes(whole[:len(whole) // 2])
    fails(1, ["y.h5ad", "cannot open"], "info", tmp_path / "y.h5ad")
    with h5py.File(tmp_path / "z.h5ad", "w") as file:
        file.create_dataset("X", shape=(1 << 40, 1 << 10), dtype="f4", chunks=(1024, 1024))
    fails(1, "claims more elements than the file can hold", "info", tmp_path / "z.h5ad")
    with h5py.File(h5ad(tmp_path / "n.h5ad"), "a") as file:
        del file["obs"]["names"]
        file["obs"].create_dataset("names", data=["a"], dtype=h5py.string_dtype())
    fails(1, "expected 3 names, as the matrix has, found 1", "info", tmp_path / "n.h5ad")
