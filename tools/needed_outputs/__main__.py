"""Recorder of the outputs that ops of Paddle cannot do without.

    python -m tools.needed_outputs [--tree REPOSITORY] [--ops OP,...] PYTHON...

Each PYTHON is an interpreter with a release of Paddle. Each node of `cases.py` is run there as it is, and without each
of its intermediate and extra outputs. REPOSITORY is a git repository of Paddle, whose code is read for the same
outputs (`source.py`). Both go to `needed_outputs.json` of the package; `cases.py` states what they do not cover.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import FILE, NOT_MEASURED
from tests.support.paths import SPECS
from tools.needed_outputs.cases import CASES, varying_attrs
from tools.needed_outputs.source import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    Trial: TypeAlias = tuple[str, Any]
    """The outcome of a run, and its results or its error."""
    Outcomes: TypeAlias = dict[str, dict[str, list[str]]]
    """The outcomes of all nodes, by op and output."""

WHOLE_RUNS = 4
"""How often a whole node is run: a result of chance, such as the mask of two elements, may repeat once."""
RELEASES = ("2.6.2", "3.0.0", "3.3.1")
"""The releases whose intermediate and extra outputs are looked up in the tree."""


def main() -> None:
    """Measure in each interpreter, read the tree, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.needed_outputs")
    parser.add_argument("--tree")
    parser.add_argument("--ops", type=lambda text: text.split(","), default=list(CASES))
    parser.add_argument("pythons", nargs="*")
    options = parser.parse_args()
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    for python in options.pythons:
        version, outcomes = measure(python, options.ops)
        for op, of_outputs in outcomes.items():
            measured = recorded["measured"].setdefault(op, {"outcomes": {}})
            measured["nodes"] = varying_attrs(op)
            for output, outcome in of_outputs.items():
                measured["outcomes"].setdefault(output, {})[version] = outcome
    if options.tree:
        recorded["unchecked"] = read_tree(Tree(options.tree))
    FILE.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def measure(python: str, ops: Iterable[str] = CASES) -> tuple[str, Outcomes]:
    """Return the version in an interpreter, and the outcomes of ops there; an error of a whole node is printed."""
    nodes = [(op, node) for op in ops for node in CASES[op]]
    requests = json.dumps([{"op": op, **node} for op, node in nodes])
    command = [python, str(Path(__file__).with_name("_run.py")), str(WHOLE_RUNS)]
    lines = subprocess.run(command, input=requests, capture_output=True, text=True, check=True).stdout.splitlines()
    version, *answers = map(json.loads, lines)
    outcomes: Outcomes = {}
    for (op, _), (outputs, trials) in zip(nodes, answers, strict=True):
        if outputs and trials[0][0] != "ran":
            print(f"{version} {op}: {trials[0][1]}")
        for output, trial in zip(outputs, trials[WHOLE_RUNS:], strict=True):
            outcomes.setdefault(op, {}).setdefault(output, []).append(outcome_of(trials[:WHOLE_RUNS], trial))
    return version, outcomes


def outcome_of(whole: Sequence[Trial], trial: Trial) -> str:
    """Return the outcome of a trial without an output, given the runs of the whole node."""
    if any(outcome != "ran" for outcome, _ in whole):
        return NOT_MEASURED
    first, *others = (results for _, results in whole)
    if trial[0] != "ran":
        return trial[0]
    stable = {name for name, value in first.items() if all(results.get(name) == value for results in others)}
    return "ran" if all(trial[1][name] == first[name] for name in stable & trial[1].keys()) else "differs"


def read_tree(tree: Tree) -> dict[str, dict[str, str]]:
    """Return the functions that use an output unchecked, by op and output as programs name them."""
    functions_by_op: dict[str, dict[str, str]] = {}
    for op, outputs in sorted(unstated_outputs().items()):
        yaml_op, names = _names_in_yaml().get(op, (op, {}))
        functions = tree.needs(yaml_op)
        for output in sorted(outputs):
            function = functions.get(names.get(output, output))
            if function is not None:
                functions_by_op.setdefault(op, {})[output] = function
    return functions_by_op


def unstated_outputs() -> dict[str, set[str]]:
    """Return the intermediate and the extra outputs of the releases that are not dispensable, by op."""
    outputs: dict[str, set[str]] = {}
    for version in RELEASES:
        ops = json.loads((SPECS / f"paddle-{version}.json").read_text(encoding="utf-8"))["ops"]
        for op, declared in ops.items():
            outputs.setdefault(op, set()).update(_unchecked_names(declared.get("outputs", ())))
    return {op: names for op, names in outputs.items() if names}


def _unchecked_names(outputs: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the outputs that no loader checks."""
    for output in outputs:
        if not output.get("dispensable") and (output.get("intermediate") or output.get("extra")):
            yield output["name"]


def _names_in_yaml() -> dict[str, tuple[str, dict[str, str]]]:
    """Return the name of each op of programs in YAML, and the names of its outputs there by those in programs."""
    names: dict[str, tuple[str, dict[str, str]]] = {}
    for name, op in json.loads((SPECS / "paddle-pir-3.0.0.json").read_text(encoding="utf-8"))["ops"].items():
        plain = name.removeprefix("pd_op.").removesuffix("_")
        plain = f"sparse_{plain.removesuffix('_sp')}" if plain.endswith("_sp") else plain
        outputs = {output.get("legacy_name") or output["name"]: output["name"] for output in op.get("outputs", ())}
        for program_op in op.get("legacy_names") or [plain]:
            names.setdefault(program_op, (plain, outputs))
    return names


if __name__ == "__main__":
    main()
