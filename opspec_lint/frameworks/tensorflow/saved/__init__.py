"""Saved models held against what a loader does with them: tags, variables, assets, signatures, objects."""
