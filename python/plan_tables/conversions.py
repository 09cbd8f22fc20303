"""The loader's table of checkpoint-name conversions, with each pattern as the regular expression that it compiles to."""

import re

from transformers import conversion_mapping

NAMED_GROUP = re.compile(r"\(\?P<g(\d+)>")


def export(names):
    """{model type or class name: [transform, ...]} for those of `names` that have conversions, and `legacy`."""
    table = {}
    for name in sorted({*names, "legacy"}):
        transforms = conversion_mapping.get_checkpoint_conversion_mapping(name)
        if transforms:
            table[name] = [describe(transform) for transform in transforms]
    return table


def describe(transform):
    """One transform as data: a pattern whose alternatives are numbered groups, targets, and operations on shapes."""
    pattern = transform.compiled_sources
    branches = [[int(n), pattern.groupindex[f"g{n}"]] for n in NAMED_GROUP.findall(pattern.pattern)]
    described = {
        "kind": type(transform).__name__,
        "pattern": NAMED_GROUP.sub("(", pattern.pattern),
        "branches": branches,  # [index into sources, number of the group that holds its match]
        "sources": list(transform.source_patterns),
        "targets": list(transform.target_patterns),
    }
    operations = [operation(op) for op in getattr(transform, "operations", [])]
    if operations:
        described["operations"] = operations
    if (offset := getattr(transform, "offset", None)) is not None:
        described["offset"] = offset
    return described


def operation(op):
    """[name, argument, ...]: what the operation does to shapes."""
    fields = ("dim", "dim0", "dim1", "check_dims", "stack_dim", "concat_dim")
    arguments = {field: getattr(op, field) for field in fields if hasattr(op, field)}
    return [type(op).__name__, *(int(value) for value in arguments.values())]
