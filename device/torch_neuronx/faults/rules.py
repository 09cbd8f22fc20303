"""The file of faults: TOML to checked values.

    [[fault]]
    at = "operator"         # operator, collective, compile or load
    effect = "nrt"          # see EFFECTS
    match = "aten::mm*"     # shell pattern over operators: "aten::mm", in graphs "aten.mm.default"; all when absent
    model = "owner/name"    # only when the running script names it; any when absent
    rank = 1                # only on this rank; all when absent
    nth = 3                 # the third that matches, from 1 (default 1)
    and_later = true        # and every one after it (default false)
    status = 1003           # of effect nrt
    code = "NCC_EVRF009"    # of effect ncc
    seconds = 5.0           # of effect slow
"""

import dataclasses
import fnmatch
import tomllib

from . import codes

EFFECTS = {
    "operator": {"nrt", "out_of_memory", "hang", "crash", "wrong_numbers"},
    "collective": {"nrt", "hang", "crash", "lost"},
    "compile": {"ncc", "hang", "crash", "slow", "killed"},
    "load": {"nrt", "out_of_memory", "hang", "crash", "wrong_numbers"},  # of each later run of the graph
}
_NEEDS = {"nrt": "status", "ncc": "code", "slow": "seconds"}


@dataclasses.dataclass(frozen=True)
class Rule:
    """One fault of the file."""

    at: str
    effect: str
    match: str = "*"
    model: str | None = None
    rank: int | None = None
    nth: int = 1
    and_later: bool = False
    status: int | None = None
    code: str | None = None
    seconds: float | None = None

    def concerns(self, rank: int, running: str) -> bool:
        """Whether the rule is for this rank and for what is running."""
        return self.rank in (None, rank) and (self.model is None or self.model in running)

    def matches_graph(self, operators: list[str]) -> bool:
        """Whether any operator of a graph matches; an empty graph matches a rule for all."""
        return self.match == "*" or any(fnmatch.fnmatchcase(name, self.match) for name in operators)


def read(path: str) -> list[Rule]:
    """Reads a file; raises RuntimeError that names the file and the rule when it is wrong."""
    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuntimeError(f"NEURON_EMULATED_FAULTS={path}: {error}") from None
    unknown = sorted(set(document) - {"fault"})
    if unknown:
        raise RuntimeError(f"NEURON_EMULATED_FAULTS={path}: unknown key {unknown[0]!r}")
    tables = document.get("fault", [])
    return [_rule(f"{path}: fault {number}", table) for number, table in enumerate(tables, 1)]


def _rule(where: str, table: dict) -> Rule:
    known = {field.name for field in dataclasses.fields(Rule)}
    unknown = sorted(set(table) - known)
    if unknown:
        raise RuntimeError(f"{where}: unknown key {unknown[0]!r}")
    at, effect = table.get("at"), table.get("effect")
    if at not in EFFECTS:
        raise RuntimeError(f"{where}: at must be one of {', '.join(EFFECTS)}, not {at!r}")
    if effect not in EFFECTS[at]:
        raise RuntimeError(f"{where}: effect at {at} must be one of {', '.join(sorted(EFFECTS[at]))}, not {effect!r}")
    needed = _NEEDS.get(effect)
    if needed is not None and needed not in table:
        raise RuntimeError(f"{where}: effect {effect} needs {needed}")
    if effect == "nrt" and table["status"] not in codes.NRT_STATUS:
        raise RuntimeError(f"{where}: unknown NRT status {table['status']}")
    if at == "collective":
        table = {"match": "neuron::all_reduce"} | table
    return Rule(**table)
