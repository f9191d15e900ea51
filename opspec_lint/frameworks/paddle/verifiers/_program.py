"""The first part of Paddle's verifier probes: finds the program of a path."""

import os
from importlib import import_module
from importlib.util import find_spec


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


def refuse_trained(file: str) -> None:
    """Raise NotTriedError for a program with persistable variables, which would be in a weight file."""
    core = import_module("paddle.base.core" if find_spec("paddle.base") else "paddle.fluid.core")
    # A block does not keep its program alive, so the variable does.
    program_desc = core.ProgramDesc(content(file))
    variables = program_desc.block(0).all_vars()
    if any(variable.persistable() and variable.name() not in ("feed", "fetch") for variable in variables):
        raise NotTriedError("its weights are not beside it")
