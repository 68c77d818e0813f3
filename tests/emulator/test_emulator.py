"""The emulator itself: what CUDA says of its operations, and the faults that must be seen."""
import itertools
import json
import struct

import pytest

ORDERS = [{}, {"SIMT_SHUFFLE": "1"}, {"SIMT_SHUFFLE": "2", "SIMT_THREADS": "1"}]


def lanes(i):
    """Numbers of the threads of i's warp."""
    return range(i // 32 * 32, i // 32 * 32 + 32)


def bits(i, holds):
    return sum(1 << j % 32 for j in lanes(i) if holds(j))


def float_bits(f):
    return struct.unpack("<I", struct.pack("<f", f))[0]


@pytest.mark.parametrize("settings", ORDERS, ids=str)
@pytest.mark.parametrize("width", [32, 8])
def test_collective_operations(results, width, settings):
    n = 64
    out = results("probe_collectives", ("c_uint32", width), words=16 * n, threads=n, settings=settings)

    def x(i):
        return i * i + 7

    for i in range(n):
        group, at = i // width * width, i % width
        other = i ^ 5
        expected = [
            x(group + 3 % width),
            x(i - 2 if at >= 2 else i),
            x(i + 2 if at + 2 < width else i),
            x(other if other < group + width else i),
            x(i ^ 1),
            bits(i, lambda j: j % 3 == 0),
            (2 if i >= 32 else 0) | (1 if i < 32 else 0),
            bits(i, lambda j: j % 5 == i % 5),
            sum(map(x, lanes(i))) % 2**32,
            max(map(x, lanes(i))),
            min(20 - j for j in lanes(i)) % 2**32,
            n // 4,
            2,
            bits(i, lambda j: j % 2 == i % 2 and j % 3 == 0),
            float_bits((i + 1 if i % 32 < 31 else i) / 4),
            n,
        ]
        assert out[16 * i:16 * i + 16] == expected, i


@pytest.mark.parametrize("settings", ORDERS, ids=str)
def test_shared_memory_and_blocks(results, settings):
    blocks, threads = 7, 256
    low, high = results("probe_sum", words=2, threads=threads, blocks=blocks, shared=4, settings=settings)
    assert high << 32 | low == sum(b + t for b, t in itertools.product(range(blocks), range(threads)))


def test_memory_starts_with_a_pattern(results):
    out = results("probe_poison", words=4, threads=1, blocks=3, shared=16)
    assert out == [0xdbdbdbdb] * 4


def test_rounding(results):
    a, b, n = 1 / 3, 2.0**-30, 2**25 + 1
    out = results("probe_rounding", ("c_float", a), ("c_float", b), ("c_uint64", n), words=16, threads=1)
    add, mul, div, wide, narrow = out[0:3], out[3:6], out[6:9], out[9:12], out[12:16]
    third = float_bits(1 / 3)
    assert add == [third, third + 1, third]
    assert mul == [float_bits(1 / 3 * b)] * 3
    assert div == [float_bits(1 / 3 / b)] * 3
    assert wide == [float_bits(2.0**25), float_bits(2.0**25) + 1, float_bits(2.0**25)]
    assert narrow == wide + [float_bits(2.0**25)]


@pytest.mark.parametrize("f, expected", [(2.5, (2, 2, 2)), (3.5, (4, 4, 3)), (-1.0, (0, 0, 0)),
                                         (float("nan"), (0, 0, 0)),
                                         (3e9, (3000000000, 3000000000, 3000000000)),
                                         (1e20, (2**64 - 1, 2**32 - 1, 2**32 - 1))])
def test_integers(results, f, expected):
    a, b = 0x00f08001, 0x91827364
    out = results("probe_integers", ("c_float", f), ("c_uint32", a), ("c_uint32", b), words=18, threads=1)
    got = [out[2 * i + 1] << 32 | out[2 * i] for i in range(9)]
    assert tuple(got[:3]) == expected
    assert got[3:] == [a * b >> 32, 0x91ff6401, int(f"{a:032b}"[::-1], 2), 8, 1, 0x82736400]


def test_a_race_shows_in_another_order(results):
    right = list(range(63))
    assert results("probe_race")[1:] == right
    assert any(results("probe_race", settings={"SIMT_SHUFFLE": str(seed)})[1:] != right for seed in range(1, 4))


def test_lanes_at_different_operations(faults):
    faults(["kernel probe_divergent, block 0: lanes of a warp meet at different operations",
            "lanes 55555555: at a shuffle", "lanes aaaaaaaa: at a shuffle", "emulator_probe.cu:"], "probe_divergent")


def test_lanes_that_have_ended(faults):
    faults(["waits for lanes that have ended", "warp 0, lanes 00000020: ended"], "probe_ended")


def test_deadlock(faults):
    faults(["deadlock", "warp 1, lanes 00000002: at __syncthreads", "warp 1, lanes fffffffd: at __syncwarp"],
           "probe_deadlock")


def test_barriers_that_differ(faults):
    faults("threads meet at different __syncthreads", "probe_two_barriers")


def test_a_lane_outside_the_mask(faults):
    faults("a shuffle reads a lane that is not in its mask", "probe_outside_mask")


def test_writes_outside_memory(faults):
    faults("allocation 1 of 256 bytes was written 4 bytes behind its end", "probe_write", ("c_int64", 65), threads=1)
    faults("4 bytes before allocation 1 of 256 bytes", "probe_write", ("c_int64", -1), threads=1)
    faults("5000 bytes behind the start of allocation 1", "probe_write", ("c_int64", 1250), threads=1)
    faults("no memory of the device", "probe_write", ("c_int64", 1 << 40), threads=1)


def test_writes_outside_shared_memory(launch, faults):
    assert launch("probe_write_shared", ("c_int64", 3), threads=1, shared=16).status == 0
    faults("16 bytes behind the start of dynamic shared memory of 16 bytes", "probe_write_shared", ("c_int64", 4),
           threads=1, shared=16)


def test_what_only_c_forgives(faults):
    faults("is misaligned", "probe_misaligned", ("c_uint32", 4), threads=1)
    faults("index 9 is outside the array", "probe_index", ("c_uint32", 9), threads=1)
    faults("shift by 32", "probe_shift", ("c_uint32", 32), threads=1)
    faults("__trap at", "probe_trap", threads=1)


def test_a_stack_that_is_full(faults):
    faults("stack", "probe_recursion", ("c_uint32", 1000), threads=1)


@pytest.mark.parametrize("keywords, call", [({"threads": 2048}, "cuLaunchKernel"), ({"blocks": 0}, "cuLaunchKernel"),
                                            ({"shared": 64 << 10}, "cuLaunchKernel"),
                                            ({"settings": {"SIMT_FAIL": "cuMemAlloc_v2"}}, "cuMemAlloc_v2"),
                                            ({"words": 1 << 20, "settings": {"SIMT_MEMORY": "4096"}}, "cuMemAlloc_v2")])
def test_calls_that_fail(results, keywords, call):
    assert results("probe_sum", **keywords)["call"] == call


def test_launch_bounds(results):
    assert results("probe_sum", words=2, threads=288, shared=4) == {"call": "cuLaunchKernel", "code": 701}


def test_the_first_fault_is_reported_once(launch):
    assert json.dumps(launch("probe_divergent").stderr).count("emulator:") == 1


@pytest.mark.parametrize("lazy, early, unseen, apart", [("0", 1, 7, 9), ("1", 2, 0, 8)])
def test_streams(probe, lazy, early, unseen, apart):
    """Work done at once, or as late as the driver may: a wait that is missing shows in one of the two."""
    result = probe("stream_probe.py", "copies", SIMT_LAZY=lazy)
    assert (result.stderr, result.status) == ("", 0)
    assert json.loads(result.stdout) == {
        "source changed before the wait": early, "result before the wait": unseen, "result after the wait": 7,
        "another stream, no event": apart, "another stream, after its event": 9, "plain memory": 10}


def test_the_host_touches_memory_of_the_device(probe):
    result = probe("stream_probe.py", "touch")
    assert result.status < 0 and "emulator: the host touches memory of the device" in result.stderr
