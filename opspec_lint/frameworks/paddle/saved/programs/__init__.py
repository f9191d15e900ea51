"""Readers of programs (ProgramDesc), and the checks that the legacy loaders of a release make."""
