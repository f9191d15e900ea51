"""The probe of an extension of PyTorch: it runs in the interpreter that has its wheel.

Its arguments are names of modules. It imports them, and writes a line of JSON: the schemas that PyTorch has then, the
errors of the modules that cannot be imported, and the names of all modules of PyTorch that are imported.
"""

import json
import os
import sys
from importlib import import_module


def main(*modules):
    """Import the modules."""
    # Standard output is for the answer only.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    torch = import_module("torch")
    errors = {}
    for module in modules:
        error = _import_error(module)
        if error is not None:
            errors[module] = f"{type(error).__name__}: {error}"[:200]
    schemas = sorted(set(map(str, torch._C._jit_get_all_schemas())))  # noqa: SLF001 - no public function returns them
    own = sorted(name for name in sys.modules if name.startswith("torch."))
    answers.write(json.dumps([schemas, errors, own]) + "\n")
    answers.flush()
    # Libraries that are not meant for this machine may crash at the end.
    os._exit(0)


def _import_error(module):
    try:
        import_module(module)
    except (Exception, SystemExit) as error:  # one that needs a GPU, or another package
        return error
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
