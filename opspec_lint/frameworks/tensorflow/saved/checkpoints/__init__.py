"""Checkpoints: the table of a tensor bundle (V2) or of a V1 file, and what it says of tensors and their bytes."""
