"""Verifiers, each named for the loader whose real call they make: they load whole models in the user's interpreter."""
