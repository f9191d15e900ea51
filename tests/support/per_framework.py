"""Values that the tests of all frameworks need from each one, in `tests/frameworks/NAME/samples.py`.

A name that a module does not have is left out; what each name means:

    name_in_head    returns the name of a fact in head, None for a fact of another framework
    FOREIGN         a regular expression: words of other frameworks, which no finding about its specs may use
    RAISED          how many rules its specs raise at least, if they are fewer than 40
    OF_TREES        the fields that only specs of its source trees state
    DECLARATIONS    declarations in the notation of its specs, if none of its releases is included
    declares        tells whether a text in that notation is of this framework
    EXAMPLES        base and head of a change that every profile finds, if the general notation cannot state it
    kinds           returns specs in which nearly every field states something, by the kind of spec
    WRONG           ops that its specs cannot contain, each with the error
    models          returns a whole model of each format: the path, and the files by their paths
    WRITTEN         writes a model of a scene to a path, by the end of its name: takes the path and the text
    tree            returns a source and the tree that it reads, of the parts of files in a scene; None for other files
    release         returns the spec that damaged models are audited with
    WRITERS         a released spec for each of its writers: its name, the writer and a loader
"""

from __future__ import annotations

import importlib
from functools import cache

from tests.support.paths import TESTS


@cache
def _modules():
    folders = sorted(path.parent.name for path in (TESTS / "frameworks").glob("*/samples.py"))
    return {name.replace("_", "-"): importlib.import_module(f"tests.frameworks.{name}.samples") for name in folders}


def every(name):
    """Return the value of a name in the samples of each framework that has it."""
    return {framework: getattr(module, name) for framework, module in _modules().items() if hasattr(module, name)}
