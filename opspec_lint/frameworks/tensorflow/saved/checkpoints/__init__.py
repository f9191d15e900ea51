"""Checkpoints, V1 and V2 (tensor bundles): their tables, the tensors in them, and the checks of their bytes."""
