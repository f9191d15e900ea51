"""Saved models in their folders, and what a loader makes of their tags, variables, assets, signatures, objects."""
