"""Writes the ranks that TensorFlow's shape functions demand, for `frameworks/tensorflow/saved/graphs/ranks.json`.

    python tools/tensorflow_ranks.py REPOSITORY@REVISION...

Each shape function is searched for the demands that it makes of an input in any case: `WithRank(c->input(0), 1, ...)`,
`WithRankAtLeast` and `WithRankAtMost` that stand outside of branches and in front of any other return. An op is listed
if all revisions that register it agree. `PYTHON tools/tensorflow_ranks.py --measure FILE`, with an interpreter that has
TensorFlow, removes the entries that the import of a graph does not confirm.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    Ranks: TypeAlias = "dict[str, dict[str, list[int | None]]]"
    """For each op the lowest and highest rank of inputs, by their number."""

_FILES = ("tensorflow/core/ops/*.cc", "tensorflow/core/framework/common_shape_fns.cc")
_OP = re.compile(r'REGISTER_OP\(\s*"(\w+)"\s*\)')
_FUNCTION = re.compile(
    r"^(?:inline |static )*Status (\w+)\((?:shape_inference::)?InferenceContext\* ?c\) \{", re.MULTILINE
)
_SHAPE = re.compile(r"\.SetShapeFn\(\s*(\[[^\]]*\]\s*\([^)]*\)(?:\s*->\s*[\w:]+)?\s*\{|[\w:]+)")
_DEMAND = re.compile(r"c->WithRank(AtLeast|AtMost)?\(\s*c->input\((\d+)\),\s*(\d+),")
_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|R"\w*\(.*?\)\w*"', re.DOTALL)


def main(*references: str) -> None:
    """Print the ranks of revisions, or with --measure of a file those that the TensorFlow here confirms."""
    if references[0] == "--measure":
        ranks = _confirmed(json.loads(Path(references[1]).read_text(encoding="utf-8")))
    else:
        every = [_ranks(*reference.rsplit("@", 1)) for reference in references]
        ranks = {}
        for op in sorted(set().union(*(ranks_of_op for ranks_of_op, _ in every))):
            stated = [demands_of_op.get(op, {}) for demands_of_op, registered in every if op in registered]
            if all(demands == stated[0] for demands in stated) and stated[0]:
                ranks[op] = stated[0]
    lines = ",\n".join(f" {json.dumps(op)}: {json.dumps(demands)}" for op, demands in sorted(ranks.items()))
    sys.stdout.write(f"{{\n{lines}\n}}\n")


def _ranks(repository: str, revision: str) -> tuple[Ranks, set[str]]:
    """Return the demands of each op at a revision, and the ops that it registers."""
    git = ("git", "-C", repository)
    names = subprocess.run([*git, "ls-tree", "-r", "--name-only", revision, "tensorflow/core/ops",
                            _FILES[1]], capture_output=True, text=True, check=True).stdout.split()  # fmt: skip
    texts = [
        subprocess.run([*git, "show", f"{revision}:{name}"], capture_output=True, text=True, check=True).stdout
        for name in names
        if name.endswith(".cc") and not name.endswith("_test.cc")
    ]
    bodies = {match[1]: _block(text, match.end()) for text in texts for match in _FUNCTION.finditer(text)}
    ranks: Ranks = {}
    registered = set()
    for text in texts:
        matches = list(_OP.finditer(text))
        for match, following in zip_longest(matches, matches[1:]):
            registered.add(match[1])
            chain = text[match.end() : following.start() if following else len(text)]
            shape = _SHAPE.search(chain)
            if shape is not None:
                body = (
                    _block(chain, shape.end())
                    if shape[1].endswith("{")
                    else bodies.get(shape[1].rpartition(":")[2], "")
                )
                demands = dict(_demands(body))
                if demands:
                    ranks[match[1]] = demands
    return ranks, registered


def _block(text: str, start: int) -> str:
    """Return the text from a place behind a brace to the brace that closes it, without comments and literals."""
    depth = 1
    code = _CODE.sub(lambda match: " " * len(match[0]), text[start : start + 20_000])
    for at, sign in enumerate(code):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return code[:at]
    return ""


def _demands(body: str) -> Iterator[tuple[str, list[int | None]]]:
    """Yield number, lowest and highest rank of each input whose rank a body demands in any case."""
    ranks: dict[str, list[int | None]] = {}
    for statement in _statements(body):
        match = _DEMAND.search(statement)
        if match and statement.lstrip().startswith("TF_RETURN_IF_ERROR("):
            kind, number, rank = match[1], match[2], int(match[3])
            known = ranks.setdefault(number, [0, None])
            if kind != "AtMost":
                known[0] = max(known[0] or 0, rank)
            if kind != "AtLeast":
                known[1] = rank if known[1] is None else min(known[1], rank)
    yield from ranks.items()


def _statements(body: str) -> Iterator[str]:
    """Yield the statements of a body that always run: those outside of blocks, up to a block that may return."""
    depth = start = 0
    for at, sign in enumerate(body):
        if sign == "{" and not depth:
            opened = at
        depth += (sign == "{") - (sign == "}")
        if sign == "}" and not depth:
            # A block with an early success ends what always runs; one that returns errors only does not.
            if re.search(r"\breturn\b(?!\s+errors::)", body[opened:at]):
                return
            start = at + 1
        elif sign == ";" and not depth:
            statement = body[start:at]
            if re.match(r"\s*(?:return|if|for|while|else|switch|do)\b", statement):
                return
            yield statement
            start = at + 1


# Measurement


def _confirmed(ranks: Ranks) -> Ranks:
    """Return the entries of ranks that an import refuses to exceed, and the ones about ops that are not here."""
    import tensorflow as tf
    from tensorflow.python.framework import op_def_registry as registry

    tf.compat.v1.GraphDef()  # a release loads its ops when it is first used
    find = registry.get if hasattr(registry, "get") else registry.get_registered_ops().get
    kept: Ranks = {}
    for op, demands in ranks.items():
        declared = find(op)
        if declared is None:
            kept[op] = demands
            continue
        confirmed = {}
        for number, (low, high) in demands.items():
            wrong = [
                rank for rank in ((low or 0) - 1, None if high is None else high + 1) if rank is not None and rank >= 0
            ]
            right = low or 0
            outcomes = [_try_import(declared, int(number), rank) for rank in wrong]
            if (
                outcomes
                and all("rank" in text for text in outcomes)
                and "rank" not in _try_import(declared, int(number), right)
            ):
                confirmed[number] = [low, high]
            else:
                sys.stderr.write(f"{op} {number} {low} {high}: {[text[:150] for text in outcomes]}\n")
        if confirmed:
            kept[op] = confirmed
    return kept


def _try_import(op: Any, number: int, rank: int) -> str:
    """Return the result of `_import` in a child process: some shape functions crash without an attr that they need."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.write(write, _import(op, number, rank).encode()[:4000])
        os._exit(0)
    os.close(write)
    with open(read, "rb") as stream:
        text = stream.read().decode(errors="replace")
    return "it crashed" if os.waitpid(child, 0)[1] else text


def _import(op: Any, number: int, rank: int) -> str:
    """Return the message of importing a node of an op with an input of a rank, "" if there is none."""
    import tensorflow as tf

    graph = tf.compat.v1.GraphDef()
    graph.versions.producer = 26
    node = graph.node.add(name="n", op=op.name)
    types: dict[str, int] = {}
    for attr in op.attr:
        _fill(node.attr[attr.name], attr, types)
    flat = []
    for argument in op.input_arg:
        kinds = [argument.type or types.get(argument.type_attr, 1)]
        if argument.type_list_attr:
            kinds = list(node.attr[argument.type_list_attr].list.type)
        elif argument.number_attr:
            kinds *= node.attr[argument.number_attr].i
        flat += [kind + 100 if argument.is_ref else kind for kind in kinds]
    for at, kind in enumerate(flat):
        source = graph.node.add(name=f"p{at}", op="Placeholder")
        if kind > 100:
            source.op = "VariableV2"
            source.attr["dtype"].type = kind - 100
            source.attr["shape"].shape.unknown_rank = True
        else:
            source.attr["dtype"].type = kind
            source.attr["shape"].shape.unknown_rank = at != number
        if at == number:
            source.attr["shape"].shape.unknown_rank = False
            for _ in range(rank):
                source.attr["shape"].shape.dim.add(size=2)
        node.input.append(source.name)
    if number >= len(flat):
        return "no such input"
    try:
        with tf.Graph().as_default():
            tf.import_graph_def(graph, name="")
    except Exception as error:  # whatever TensorFlow raises is an answer
        return str(error)
    return ""


def _fill(value: Any, attr: Any, types: dict[str, int]) -> None:
    """Give an attr its default, or a value that the op takes."""
    kinds = list(attr.allowed_values.list.type) or [1]
    if attr.HasField("default_value"):
        value.CopyFrom(attr.default_value)
    elif attr.type.startswith("list("):
        value.list.SetInParent()
        items = {"list(type)": ("type", kinds[0]), "list(int)": ("i", 1)}
        for _ in range(attr.minimum if attr.type == "list(shape)" else 0):
            value.list.shape.add(unknown_rank=True)
        if attr.type in items:
            field, item = items[attr.type]
            getattr(value.list, field).extend([item] * attr.minimum)
    elif attr.type == "shape":
        value.shape.unknown_rank = True
    elif attr.type == "tensor":
        value.tensor.dtype = 1
    elif attr.type == "func":
        value.func.name = "f"
    else:
        strings = list(attr.allowed_values.list.s) or [b""]
        made = {"type": kinds[0], "i": max(attr.minimum, 1), "s": strings[0], "f": 1.0, "b": False}
        field = {"type": "type", "int": "i", "string": "s", "float": "f", "bool": "b"}[attr.type]
        setattr(value, field, made[field])
    if attr.type == "type":
        types[attr.name] = value.type


if __name__ == "__main__":
    main(*sys.argv[1:])
