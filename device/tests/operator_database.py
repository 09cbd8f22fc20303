"""PyTorch's own operator tests as a witness: samples of its OpInfo database, run on the device and on the CPU.

    operator_database.py [--write FILE] [NAME...]     all operators, or those; a table as Markdown
"""

import argparse
import collections
import dataclasses
import itertools
import sys

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

DTYPES = (torch.float32, torch.bfloat16, torch.int64, torch.bool)
SAMPLES_PER_DTYPE = 6
# Their results hold whatever the memory held: only shape and dtype can agree, so they are counted apart.
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}


@dataclasses.dataclass
class Tally:
    """Outcomes of one operator's samples, and the first reason of each kind of trouble."""

    same: int = 0
    different: int = 0
    refused: int = 0
    reason: str = ""

    def note(self, trouble: str, error: Exception) -> None:
        setattr(self, trouble, getattr(self, trouble) + 1)
        self.reason = self.reason or f"{trouble}: {str(error).splitlines()[0][:110] if str(error) else type(error).__name__}"


def operators(names=()) -> dict[str, list]:
    """The database's operators by name, variants together."""
    known = collections.defaultdict(list)
    for op in op_db:
        if not names or op.name in names:
            known[op.name].append(op)
    return dict(known)


def to_device(value):
    """A sample's argument on the device; a tensor keeps its place in its storage, which some operators look at."""
    if not isinstance(value, torch.Tensor):
        return torch.device("neuron") if isinstance(value, torch.device) or value == "cpu" else value
    plain = value.detach()
    if plain.layout != torch.strided or plain.is_conj() or plain.is_neg():
        return plain.to("neuron").requires_grad_(value.requires_grad)
    storage = torch.empty(0, dtype=plain.dtype).set_(plain.untyped_storage()).to("neuron")
    placed = storage.as_strided(plain.size(), plain.stride(), plain.storage_offset())
    return placed.requires_grad_(value.requires_grad)


def run(op, sample, on_device: bool):
    """The operator's result, as tensors of the CPU where they are tensors."""
    arguments = (sample.input, sample.args, sample.kwargs)
    if on_device:
        arguments = pytree.tree_map(to_device, arguments)
    torch.manual_seed(0)
    first, rest, named = arguments
    result = op(first, *rest, **named)
    return pytree.tree_map(lambda value: value.cpu() if isinstance(value, torch.Tensor) else value, result)


def try_operator(op, tally: Tally) -> None:
    """Adds the outcomes of an operator's samples to `tally`. Samples that the CPU refuses do not count."""
    for dtype in DTYPES:
        if not op.supports_dtype(dtype, "cpu"):
            continue
        for sample in itertools.islice(op.sample_inputs("cpu", dtype), SAMPLES_PER_DTYPE):
            try:
                expected = run(op, sample, on_device=False)
            except Exception:
                continue
            try:
                actual = run(op, sample, on_device=True)
            except Exception as error:
                tally.note("refused", error)
                continue
            try:
                if op.name in UNINITIALISED:
                    actual = torch.empty_like(actual).copy_(expected) if actual.shape == expected.shape else actual
                torch.testing.assert_close(actual, expected, equal_nan=True, check_stride=False)
                tally.same += 1
            except (AssertionError, TypeError) as error:
                tally.note("different", error)


def tallies(names=()) -> dict[str, Tally]:
    """The tally of each operator."""
    result = {}
    for name, variants in operators(names).items():
        result[name] = Tally()
        for op in variants:
            try_operator(op, result[name])
        print(f"{name}: {result[name]}", file=sys.stderr, flush=True)
    return result


def as_markdown(result: dict[str, Tally]) -> str:
    """Counts, then what is not the same, operator by operator."""
    tried = {name: tally for name, tally in result.items() if tally.same + tally.different + tally.refused}
    shaped = sorted(UNINITIALISED & tried.keys())
    with_values = tried.keys() - UNINITIALISED
    good = [name for name, tally in tried.items() if not tally.different and not tally.refused]
    good_values = [name for name in good if name in with_values]
    total = [sum(getattr(tally, field) for tally in tried.values()) for field in ("same", "different", "refused")]
    lines = [
        f"{len(with_values)} operators with samples and defined values, {len(good_values)} of them the same in every sample. Of "
        f"{len(shaped)} more only shape and dtype can be compared: {', '.join(shaped)}. "
        f"Samples: {total[0]} the same, {total[1]} different, {total[2]} refused.",
        "",
        "| operator | same | different | refused | first reason |",
        "|---|---|---|---|---|",
    ]
    for name, tally in sorted(tried.items()):
        if name not in good:
            reason = tally.reason.replace("|", "\\|")
            lines.append(f"| {name} | {tally.same} | {tally.different} | {tally.refused} | {reason} |")
    lines += ["", "The same in every sample: " + ", ".join(sorted(good_values)) + "."]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("name", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    text = as_markdown(tallies(set(arguments.name)))
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
