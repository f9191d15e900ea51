"""What the YAML files of a tree have by name: ops with their arguments, those of files that make no op maker included.

op_compat.yaml speaks for all of them: for ops of the eager mode, for gradients, for those of oneDNN.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, entries
from opspec_lint.frameworks.paddle.extract.yaml.ops import COMMA, OUTPUT, is_input, name_of
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.frameworks.paddle.extract.declarations import Aliases
    from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource

OTHER_FILES = (
    "paddle/phi/ops/yaml/inconsistent/dygraph_backward.yaml",
    "paddle/phi/ops/yaml/inconsistent/dygraph_ops.yaml",
    "paddle/phi/ops/yaml/inconsistent/onednn_ops_extra.yaml",
    "paddle/phi/ops/yaml/inconsistent/onednn_static.yaml",
    "paddle/phi/ops/yaml/inconsistent/static_backward.yaml",
    "paddle/phi/ops/yaml/inconsistent/static_ops.yaml",
    "paddle/phi/ops/yaml/inconsistent/update_ops.yaml",
    "paddle/fluid/pir/dialect/operator/ir/onednn.yaml",
    "paddle/fluid/pir/dialect/operator/ir/ops.yaml",
    "paddle/fluid/pir/dialect/operator/ir/ops_backward.yaml",
    "paddle/fluid/pir/dialect/operator/ir/ops_onednn_extra.yaml",
    "paddle/fluid/pir/dialect/operator/ir/update_ops.yaml",
    "python/paddle/utils/code_gen/legacy_api.yaml",
    "python/paddle/utils/code_gen/legacy_backward.yaml",
)
"""The files with entries that the build of the op makers does not name, wherever they have been."""

_ITEM = pattern(r"^- ", "m")
_ENTRY = pattern(r"^- (?:backward_)?(?:op|api)\s*:\s*(\w+)(.*?)(?=^- |\Z)", "sm")
_ARGUMENTS_OF = pattern(r"^[^\S\n]+(args|output|extra_args)\s*:(.*?)(?=^[^\S\n]+[a-z_]+\s*:|\Z)", "sm")
_BACKWARD = pattern(r"^[^\S\n]+backward\s*:\s*(\w+)", "m")
_NAMELESS = pattern(r"(?:Tensor|\])\s*(?:[,{]|\Z)")
"""The type of an output that has no name, and so is called `out`."""
_WORD = pattern(r"\w+")
_NONE: frozenset[str] = frozenset()
_MOST = 24
"""Files whose names are kept."""
_ARGUMENTS = BoundedCache()
"""What entries declare, by their texts."""


class Arguments(Record):
    """The names of what an entry declares; attrs with their types."""

    inputs: frozenset[str]
    outputs: frozenset[str]
    attrs: dict[str, str]


def arguments(entry: YamlEntry) -> Arguments | None:
    """The names that an entry of a list at the top declares, None where its args or output are of another form."""
    if entry.text not in _ARGUMENTS:
        _ARGUMENTS[entry.text] = _arguments(entry)
    known: Arguments | None = _ARGUMENTS[entry.text]
    return known


def _arguments(entry: YamlEntry) -> Arguments | None:
    written, output = entry.get("args"), entry.get("output")
    if not isinstance(written, str) or not isinstance(output, str):
        return None
    inputs: set[str] = set()
    attrs: dict[str, str] = {}
    for part in COMMA.split(written.strip()[1:-1]):
        kind, _, rest = part.strip().partition(" ")
        name = rest.partition("=")[0].strip()
        if is_input(kind):
            inputs.add(name)
        elif name:
            attrs[name] = kind
    matches = (OUTPUT.search(part) for part in COMMA.split(output.strip()))
    outputs = frozenset(match[2][1:-1] if match[2] else "out" for match in matches if match is not None)
    return Arguments(inputs=frozenset(inputs), outputs=outputs, attrs=attrs)


def aliases(compat: YamlEntry, source: YamlSource) -> Aliases:
    """Return the names that an entry of op_compat.yaml gives to arguments, and as "" that which it gives to the op.

    Args:
        compat: the entry.
        source: its file.
    """
    written = compat.get("op", compat.get("api"))
    start = written.start if isinstance(written, Scalar) else compat.start
    found: Aliases = {"": (without_underscore(name_of(compat).partition("(")[0].strip()), source.at(start))}
    for section in ("inputs", "attrs", "outputs"):
        renamed = compat.get(section)
        for name, alias in renamed.items() if isinstance(renamed, YamlEntry) else ():
            if isinstance(alias, Scalar):
                found[str(alias)] = (str(name), source.at(alias.start))
    return found


def without_underscore(name: str) -> str:
    """Return the name of an op as the generator looks it up: `adam_` is `adam`."""
    return name.removesuffix("_")


class Names:
    """The ops of all YAML files of a tree, forward and backward.

    Args:
        texts: the texts of the files, each with what the names of its ops have in front: `sparse_`, or nothing.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._backward: dict[str, frozenset[str]] = {}
        self._declared: set[str] = set()
        for prefix, text in texts:
            for op, words, backward, is_declared in _named(text):
                name = prefix + op
                self._words[name] = self._words.get(name, _NONE) | words
                self._backward[name] = self._backward.get(name, _NONE).union(prefix + each for each in backward)
                if is_declared:
                    self._declared.add(name)

    def __contains__(self, name: str) -> bool:
        """Tell whether there is an op of a name, sparse or not."""
        plain = without_underscore(name)
        return plain in self._backward or f"sparse_{plain}" in self._backward

    def is_declared(self, name: str) -> bool:
        """Tell whether a file says which arguments an op has; others only add to them."""
        return without_underscore(name) in self._declared

    def words(self, ops: Iterable[str]) -> frozenset[str]:
        """Return all names in the declarations of ops."""
        return frozenset().union(*(self._words.get(op, ()) for op in ops))

    def gradients(self, ops: Iterable[str]) -> frozenset[str]:
        """Return ops and the backward ops that lead on from them."""
        found: set[str] = set()
        waiting = [without_underscore(op) for op in ops]
        while waiting:
            op = waiting.pop()
            if op not in found:
                found.add(op)
                waiting += self._backward.get(op, ())
        return frozenset(found)


@lru_cache(maxsize=_MOST)
def _named(text: str) -> list[tuple[str, frozenset[str], tuple[str, ...], bool]]:
    """Return the entries of a file: the op, the names in its declaration, its backward ops, and whether it has args."""
    matches = _ENTRY.findall(text)
    # Each entry of Paddle's files begins with its op. It takes a tenth of the time to search for that than to parse
    # the YAML, which is done for a file whose keys are in another order.
    if not matches or len(matches) != len(_ITEM.findall(text)):
        with suppress(UnresolvedError):
            matches = [(name_of(entry).partition("(")[0].strip(), _in_order(entry)) for entry in entries(text, "")]
    found = []
    for op, rest in matches:
        written = _ARGUMENTS_OF.findall(rest)
        words = {word for _, names in written for word in _WORD.findall(names)}
        if any(_NAMELESS.search(names) for _, names in written):
            words.add("out")
        backward = tuple(map(without_underscore, _BACKWARD.findall(rest)))
        is_declared = any(key == "args" for key, _ in written)
        found.append((without_underscore(op), frozenset(words), backward, is_declared))
    return found


def _in_order(entry: YamlEntry) -> str:
    """Return the keys of an entry that have a text, a line each, as they are below the op in Paddle's files."""
    return "".join(
        f"\n  {key} : {' '.join(value.split())}" for key, value in entry.items() if isinstance(value, Scalar)
    )
