"""Writes down the schemas that PyTorch has registered: what of `pytorch-runtime` runs in its interpreter.

Python 3.6 or later, and its standard library. The one argument is the file that the answer goes to: {"version",
"schemas", "upgraders", "operator_version"}, or {"error"}. It is empty while PyTorch is imported.
"""

import json
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main(answer: str) -> None:
    """Write the answer of this interpreter's PyTorch, or what went wrong, to the file `answer`."""
    with open(answer, "w", encoding="utf-8") as stream:
        try:
            text = json.dumps(ask())
        except BaseException as error:  # an import can end in SystemExit too
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        stream.write(text)


def ask() -> "dict[str, Any]":
    """Import PyTorch and return its version, its schemas, and the upgraders of each op."""
    torch = import_module("torch")
    core = torch._C  # noqa: SLF001 - what it registers has no public name
    schemas = core._jit_get_all_schemas() + getattr(core, "_jit_get_custom_class_schemas", list)()  # noqa: SLF001
    newest = getattr(core, "_get_max_operator_version", None)
    return {
        "version": str(torch.__version__),
        "schemas": [str(each) for each in schemas],
        "upgraders": upgraders(getattr(core, "_get_operator_version_map", dict)()),
        "operator_version": newest() if newest else None,
    }


def upgraders(entries: "dict[str, Any]") -> "dict[str, list[list[Any]]]":
    """Return the upgraders of each op: the name of each, the schema that it upgrades, and from when it does not."""
    return {
        op: [[each.upgrader_name, str(each.old_schema), each.bumped_at_version] for each in found]
        for op, found in entries.items()
    }


if __name__ == "__main__":
    main(sys.argv[1])
