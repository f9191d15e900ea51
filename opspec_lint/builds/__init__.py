"""Readers of build files: the sources that a build compiles, each with its condition."""
