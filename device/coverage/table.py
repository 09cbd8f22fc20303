"""The results of the cross as a Markdown document."""

import json

import cases

_HEAD = """# The zoo on the emulated device, compiled for real

Each checkpoint of the zoo (one real 135M model in {num_checkpoints} shapes), in each form and dtype, in each way to run: 32 greedy tokens
against the CPU's (eager, dynamic cache, same dtype), and the logits of every step within the tolerances for the CPU
([verdicts.md](verdicts.md)). Made by

    device/cross                                   # hours on two cores; goes on where it was stopped
    device/cross --table docs/device-cross.md

with torch {torch} and Transformers {transformers}, one thread per rank, compiler `{compiler}`. *tokens*: all 32 are equal.
*near tie*: they part at a tie and the logits agree under teacher forcing, listed below. The seconds are the first
generation's, compilation included, on a busy machine; a graph that an earlier mode left in the cache costs its capture only.
"""


def markdown(cross, units: list[cases.Unit]) -> str:
    """The whole document."""
    import torch
    import transformers

    head = _HEAD.format(
        num_checkpoints=len(cases.CHECKPOINTS),
        torch=torch.__version__.split("+")[0],
        transformers=transformers.__version__,
        compiler=cross.compiler,
    )
    possible = [unit for unit in units if cross.why_not(unit) is None]
    outcomes = {unit: _outcomes(cross, unit) for unit in possible}
    impossible = {f"{u.checkpoint}, {u.form} {u.ranks}: {cross.why_not(u)}" for u in units if u not in possible}
    sections = [
        head,
        _counts(outcomes),
        _table(outcomes),
        _listed("Near ties", _near_ties(outcomes)),
        _listed("Different", _different(outcomes)),
        _listed("Not run yet, for want of time", _missing(outcomes)),
        _listed("What cannot be combined", [*cases.NO_SUCH_COMBINATION, *sorted(impossible)]),
    ]
    return "\n".join(sections)


def _outcomes(cross, unit: cases.Unit) -> dict[str, dict]:
    files = {mode: cross.results(unit) / f"{mode}.json" for mode in cases.MODES}
    return {mode: json.loads(file.read_text()) for mode, file in files.items() if file.exists()}


def _counts(outcomes) -> str:
    found = [outcome["evidence"] for modes in outcomes.values() for outcome in modes.values()]
    total = len(outcomes) * len(cases.MODES)
    return (
        f"{total} combinations exist, {len(found)} have run: {found.count('tokens')} with equal tokens, "
        f"{found.count('near_tie')} near ties, {found.count('differs')} different.\n"
    )


def _table(outcomes) -> str:
    lines = [f"| checkpoint | form | dtype | {' | '.join(cases.MODES.values())} |", "|---" * (3 + len(cases.MODES)) + "|"]
    for unit, modes in ((unit, modes) for unit, modes in outcomes.items() if modes):
        form = unit.form if unit.form == "single" else f"{unit.form} {unit.ranks}"
        cells = [_cell(modes.get(mode)) for mode in cases.MODES]
        lines.append(f"| {unit.checkpoint} | {form} | {unit.dtype} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(outcome: dict | None) -> str:
    if outcome is None:
        return "not run yet"
    return f"{outcome['evidence'].replace('_', ' ')}, {outcome['first_s']:.0f} s"


def _near_ties(outcomes) -> list[str]:
    return [_parting(unit, mode, outcome) for unit, mode, outcome in _with("near_tie", outcomes)]


def _different(outcomes) -> list[str]:
    return [
        f"{unit.name}, {cases.MODES[mode]}: {outcome['reason']}" if "reason" in outcome else _parting(unit, mode, outcome)
        for unit, mode, outcome in _with("differs", outcomes)
    ]


def _with(evidence: str, outcomes):
    return [
        (unit, mode, outcome)
        for unit, modes in outcomes.items()
        for mode, outcome in modes.items()
        if outcome["evidence"] == evidence
    ]


def _parting(unit: cases.Unit, mode: str, outcome: dict) -> str:
    where = f"{unit.name}, {cases.MODES[mode]}"
    logits = f"logits differ by {outcome['largest']:.2g} at most (rms {outcome['rms']:.2g})"
    if "step" not in outcome:
        return f"{where}: equal tokens, but the {logits}"
    return (
        f"{where}: token {outcome['step']} is {outcome['actual']} instead of {outcome['expected']}, the reference's two best "
        f"lie {outcome['gap']:.2g} apart; {logits}"
    )


def _missing(outcomes) -> list[str]:
    missing = {unit: [cases.MODES[mode] for mode in cases.MODES if mode not in modes] for unit, modes in outcomes.items()}
    return [
        f"{unit.name}: {'all four ways' if len(modes) == len(cases.MODES) else '; '.join(modes)}"
        for unit, modes in missing.items()
        if modes
    ]


def _listed(title: str, lines: list[str]) -> str:
    return f"## {title}\n\n" + ("\n".join(f"- {line}" for line in lines) if lines else "None.") + "\n"
