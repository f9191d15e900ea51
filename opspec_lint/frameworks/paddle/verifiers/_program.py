"""The first part of Paddle's verifier probes: finds the program of a path."""

import os


class NotTriedError(Exception):
    """The model cannot be loaded as it is, whatever the release."""


def program(path: str) -> str:
    """Return the file of a ProgramDesc, given the file or its folder."""
    if not os.path.isdir(path):
        return path
    names = [name for name in sorted(os.listdir(path)) if name == "__model__" or name.endswith(".pdmodel")]
    return os.path.join(path, names[0])


def content(path: str) -> bytes:
    """Return the bytes of a file."""
    with open(path, "rb") as stream:
        return stream.read()
