"""Asks Transformers itself what our planner claims: builds each configuration on the meta device, shards it with the
library's own code on a group of ranks that exist in name only, and counts bytes. Compares with `willitrun plan --json`
on sparse checkpoints that hold the names which such a model is saved under.
"""
