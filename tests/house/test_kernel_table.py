"""The kernel table against the kernels: a launch copies what the table lists, and only the signature says how it is read."""
import re
from pathlib import Path

CUDA = Path(__file__).resolve().parents[2] / "src" / "backend" / "cuda"
TABLE = (CUDA / "cuda_kernel_table.c").read_text()
STATE = (CUDA / "kernels" / "device_state.h").read_text()


# States of their own: the documents and words passes, and what runs outside of an iteration.
OWN = ("ez_device_state", "ez_index_state", "ez_prior_sample_state", "ez_gather_state")


def signatures():
    """Kernel: the types and names of its parameters."""
    found = {}
    for path in sorted((CUDA / "kernels").glob("*.cu")):
        pattern = r'extern "C"\s+__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(([^)]*)\)'
        for name, parameters in re.findall(pattern, path.read_text()):
            found[name] = [tuple(parameter.split()[-2:]) for parameter in parameters.split(",")]
    return found


def members(struct):
    """Member: its type, if that is a struct or a number."""
    body = re.sub(r"/\*.*?\*/", "", re.search(rf"typedef struct {struct} {{(.*?)}} {struct};", STATE, re.S)[1], flags=re.S)
    return {name: words[0] for words in map(str.split, body.replace(",", " ").split(";")) for name in words[1:]}


def offered():
    """What a row may list: the type and the name of the member of the state."""
    state, found = members("ez_device_state"), {}
    for label, member in re.findall(r"\[(\w+)\] = offsetof\(ez_device_state, ([\w.]+)\)", TABLE):
        *outer, name = member.split(".")
        found[label] = ((members(state[outer[0]]) if outer else state)[name], name)
    return found


def test_a_launch_gives_a_kernel_what_its_signature_names():
    parts, kernels, rows = offered(), signatures(), {}
    for name, labels in re.findall(r'{\w+,\s*"(\w+)",[^{}]*{([^{}]*)}}', TABLE):
        rows[name] = [label.strip() for label in labels.split(",")]
    assert len(parts) > 10 and kernels.keys() == rows.keys()
    for name, parameters in kernels.items():
        if rows[name] == ["WHOLE"]:
            assert len(parameters) == 1 and parameters[0][0] in OWN, name
        else:
            assert parameters == [parts[label] for label in rows[name]], name


def test_only_draws_read_the_whole_state():
    whole = {name for name, parameters in signatures().items() if parameters[0][0] == "ez_device_state"}
    assert whole and all(name.startswith(("ez_documents_", "ez_words")) for name in whole), whole
