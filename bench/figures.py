"""What every benchmark hands over: a list of figures, as JSON and as a table.

`ratio` is the peer's value through ours: 3.0 means that ours takes a third. `goal` is what `ours` should be at most, or words.
"""
import argparse
import json
from pathlib import Path


def figure(name: str, unit: str, ours: float, command: str, *, peer: float | None = None, peer_name: str | None = None,
           goal: float | str | None = None) -> dict:
    ratio = None if peer is None or ours == 0 else round(peer / ours, 3)
    return {"name": name, "unit": unit, "ours": ours, "peer": peer, "peer_name": peer_name, "ratio": ratio, "goal": goal,
            "command": command}  # fmt: skip


def table(figures: list[dict]) -> str:
    """The figures as aligned columns for people."""
    def text(value) -> str:
        return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)

    head = ["FIGURE", "OURS", "UNIT", "PEER", "RATIO", "GOAL", "PEER'S NAME"]
    rows = [[text(f[key]) for key in ("name", "ours", "unit", "peer", "ratio", "goal", "peer_name")] for f in figures]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [head, *rows]]
    return "\n".join(lines)


def add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there, as a JSON list")


def report(figures: list[dict], json_file: Path | None) -> None:
    """Prints the figures and writes them where `--json` says."""
    print(table(figures))
    if json_file:
        json_file.write_text(json.dumps(figures, indent=1) + "\n")
