"""Exports what a planner must know about one Transformers version: the plan table `plans/transformers-<version>.json`.

Everything in the table is asked of the installed library, by building its classes on the meta device (no memory, no
weights) and looking: which tensors a class registers, which sub-models it holds, its parallel plans, ties, conversions
of checkpoint names, cache shapes. `docs/formats/plan_table.md` describes the file.
"""
