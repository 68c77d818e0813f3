"""No two threads meet at an address without order, in any pass of the CUDA trainer."""
import pytest

from emulated_corpora import draw_bags, import_bags

CASES = [("mixed", "-k 20"), ("small", "-k 100 --sampler two-branch --w-format sparse"),
         ("small", "-k 300 --w-format dense --estimator esca"), ("mixed", "-k 1500 --start random -g 2"),
         ("few words", "-k 300 --device-memory 150k"), ("tiny", "-k 8300"), ("tiny", "-k 4200 --w-format dense")]


@pytest.mark.parametrize("corpus, options", CASES)
def test_no_races(ezlda, corpora, tmp_path, corpus, options):
    """One block at a time, which works on many documents and words, one after another."""
    result = ezlda("train", corpora[corpus], "-i", 1, "--fixed-priors", "--device", "cuda", "-q", "-o", tmp_path / "m.ezm",
                   *options.split(), SIMT_RACES="1", SIMT_PROCESSORS="1", SIMT_BLOCKS="1")
    assert result == ("", "", 0)


@pytest.mark.parametrize("options", ["-k 3 --w-format sparse", "-k 100"])
def test_no_races_with_seeds(ezlda, tmp_path, options):
    (tmp_path / "words.txt").write_text("".join(f"w{v}\n" for v in range(40)), encoding="ascii")
    corpus = import_bags(ezlda, tmp_path / "c.ezc", draw_bags([30] * 20, 40, 3), "--vocab", tmp_path / "words.txt")
    (tmp_path / "seeds.txt").write_text("w4 w1 w20\n2: w6 w5 w4\n", encoding="ascii")
    result = ezlda("train", corpus, "-i", 2, "--device", "cuda", "-q", "-o", tmp_path / "m.ezm", "--seeds",
                   tmp_path / "seeds.txt", "--seed-weight", 50, *options.split(), SIMT_RACES="1")
    assert result == ("", "", 0)


@pytest.mark.parametrize("kernel, threads", [("probe_race", 64), ("probe_warp_race", 32), ("probe_device_race", 32)])
def test_a_race_is_seen_in_any_order(faults, kernel, threads):
    faults(["race: ", "emulator_probe.cu:"], kernel, threads=threads, blocks=2, settings={"SIMT_RACES": "1"})


@pytest.mark.parametrize("kernel, threads", [("probe_sum", 64), ("probe_excused_race", 64), ("probe_warp_order", 32),
                                             ("probe_same_value", 64)])
def test_accesses_that_are_not_races(launch, kernel, threads):
    result = launch(kernel, threads=threads, blocks=3, shared=16, settings={"SIMT_RACES": "1"})
    assert (result.stderr, result.status) == ("", 0)
