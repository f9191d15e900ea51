"""Compiles snippets of C++, runs them, and reads the same files: what each declares, as comparable lines."""

from __future__ import annotations

import subprocess

from tests.frameworks.paddle.extract.tree.cpp_snippets import HARNESS
from tests.support.patience import PATIENCE
from tests.support.trees.paddle_trees import OPERATORS, declared_of, lost, read

FLAGS = {"duplicable": "d", "dispensable": "o", "intermediate": "i", "extra": "e", "quant": "q"}


def prepare(folder):
    """Write the framework that snippets are compiled against, and compile its header once."""
    (folder / "harness.h").write_text(HARNESS)
    subprocess.run(["g++", "-std=c++17", "-w", "-O0", "harness.h"], cwd=folder, check=True, capture_output=True)
    (folder / OPERATORS).mkdir(parents=True, exist_ok=True)


def run(folder, numbered):
    """Return the output of compiled snippets, by op; None where the compiler refuses one of them.

    Args:
        folder: where `prepare` was.
        numbered: the snippets, each with its namespace.
    """
    lines = ['#include "harness.h"']
    for ns, snippet in numbered:
        source, header = snippet.files(ns)
        (folder / f"{OPERATORS}/{ns}_op.cc").write_text(source)
        (folder / f"{OPERATORS}/{ns}.h").write_text(header)
        lines.append(f'#include "{OPERATORS}/{ns}_op.cc"')
        lines += [f"#undef {name}" for name in snippet.macros()]
    name = f"all_{numbered[0][0]}"
    (folder / f"{name}.cc").write_text("\n".join([*lines, "int main() { return 0; }\n"]))
    command = ["g++", "-std=c++17", "-w", "-O0", "-I.", "-o", name, f"{name}.cc"]
    compiled = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if compiled.returncode:
        return None, compiled.stderr
    output = subprocess.run(
        [f"./{name}"], cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE
    ).stdout
    result: dict[str, list[str]] = {}
    for line in output.splitlines():
        op, _, rest = line.partition("\t")
        result.setdefault(op, [])
        if rest != "end":
            result[op].append(rest)
    return {op: sorted(lines) for op, lines in result.items()}, ""


def reading(ns, snippet):
    """Return the declarations read from a snippet, by op: lines as `run` has them, or why it is unresolved."""
    source, header = snippet.files(ns)
    files = {f"{OPERATORS}/{ns}_op.cc": source} | ({f"{OPERATORS}/{ns}.h": header} if header else {})
    result = read(files)
    unresolved = {op: f"{file}:{line}: {reason}" for op, file, line, reason, _ in lost(result)}
    return {op: sorted(_lines(declared_of(result, op))) for op in result.ops}, unresolved


def _lines(op):
    for kind, items in (("I", op.inputs), ("O", op.outputs)):
        for item in items:
            yield f"{kind}\t{_shown(item.name)}\t{_flags(item)}\t\tNone"
    for item in op.attrs:
        value = "None" if item.default_value is None else _shown(item.default_value, item.type)
        yield f"A\t{_shown(item.name)}\t{_flags(item)}\t{'g' if item.get('generated') else ''}\t{value}"


def _flags(argument):
    return "".join(sorted(letter for flag, letter in FLAGS.items() if argument.get(flag) is True))


def _shown(value, kind=""):
    if isinstance(value, tuple):
        return f"({''.join(f'{_shown(item, kind)},' for item in value)})"
    if isinstance(value, str):
        return f"'{value.encode().hex()}"
    if isinstance(value, float):
        return f"{value:.17g}"
    return str(value)
