"""Checks of a model by a release: versions, names, nodes, types. The loaders choose from these."""
