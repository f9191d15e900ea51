"""Checks of a model against a release: versions, names, nodes, types. Each loader combines the checks that it makes."""
