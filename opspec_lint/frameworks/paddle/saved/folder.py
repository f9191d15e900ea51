"""The choice of the program in a model folder: `inference.pdmodel` or `inference.json`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.format import Candidate

OLD_NAME = "__model__"
"""The file name of a program that `fluid.io.save_inference_model` wrote."""
_WEIGHTS = (".pdiparams", ".pdiparams.info")


def program_in(candidate: Candidate, ending: str) -> str | None:
    """Return the name of the only program in a folder; None if there is none or more than one.

    A program is a `.pdmodel` file, or a `.json` file with weights of the same name. A folder with both has no single
    program, as each loader reads its own kind.
    """
    entries = candidate.entries
    if OLD_NAME in entries:
        return OLD_NAME if ending == ".pdmodel" else None
    programs = [name for name in sorted(entries) if name.endswith(".pdmodel") or _is_pir(name, entries)]
    return programs[0] if len(programs) == 1 and programs[0].endswith(ending) else None


def _is_pir(name: str, entries: frozenset[str]) -> bool:
    """Return whether a file is a PIR program: a `.json` file with weights beside it."""
    return name.endswith(".json") and any(name.removesuffix(".json") + ending in entries for ending in _WEIGHTS)
