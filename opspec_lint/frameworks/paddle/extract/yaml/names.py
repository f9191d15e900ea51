"""An index of the ops in all YAML files of a tree: their arguments and their gradients.

It includes files that make no op maker, because op_compat.yaml has entries for their ops too: eager ops, gradients,
oneDNN ops.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.ops import COMMA, OUTPUT, entry_name, is_input
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from opspec_lint.frameworks.paddle.extract.declarations import Aliases
    from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource

UNNAMED_FILES = (
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
"""Files with entries that the build of the op makers does not name, at all their paths over time."""

_ITEM = pattern(r"^- ", "m")
_ENTRY = pattern(r"- (?:backward_)?(?:op|api)\s*:\s*(\w+)")
_KEY = pattern(r"\n[^\S\n]+([a-z_]+)\s*:")
_NAME = pattern(r"\s*(\w+)")
_NAMELESS = pattern(r"(?:Tensor|\])\s*(?:[,{]|\Z)")
"""The type of an output without a name, which is called `out`."""
_IDENTIFIER = pattern(r"\w+")
_ARGUMENT_KEYS = ("args", "output", "extra_args")
_NONE: frozenset[str] = frozenset()
_CACHED_FILES = 24
"""The number of files whose index is cached."""
_ARGUMENTS = BoundedCache()
"""The arguments of entries, by the text of the entry: the next revision has nearly the same entries."""


class Arguments(Record):
    """The names of the arguments that an entry declares; attrs with their types."""

    inputs: frozenset[str]
    outputs: frozenset[str]
    attrs: dict[str, str]


def declared_arguments(entry: YamlEntry) -> Arguments | None:
    """Return the names of the arguments of a top entry; None if its args or output have another form."""
    if entry.text not in _ARGUMENTS:
        _ARGUMENTS[entry.text] = _parse_arguments(entry)
    known: Arguments | None = _ARGUMENTS[entry.text]
    return known


def _parse_arguments(entry: YamlEntry) -> Arguments | None:
    """Parse the arguments for `declared_arguments`, which caches them."""
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


def read_aliases(compat: YamlEntry, source: YamlSource) -> Aliases:
    """Return the aliases in an entry of op_compat.yaml, by the name in programs; "" is the alias of the op."""
    written = compat.get("op", compat.get("api"))
    start = written.start if isinstance(written, Scalar) else compat.start
    aliases_by_name: Aliases = {
        "": (without_underscore(entry_name(compat).partition("(")[0].strip()), source.at(start))
    }
    for section in ("inputs", "attrs", "outputs"):
        renamed = compat.get(section)
        for name, alias in renamed.items() if isinstance(renamed, YamlEntry) else ():
            if isinstance(alias, Scalar):
                aliases_by_name[str(alias)] = (str(name), source.at(alias.start))
    return aliases_by_name


def without_underscore(name: str) -> str:
    """Return the name under which the generator looks up an op: `adam` for `adam_`."""
    return name.removesuffix("_")


class OpIndex:
    """The ops of all YAML files of a tree, forward and backward.

    `texts` are (prefix, text) of each file; the prefix of the ops in a sparse file is `sparse_`.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._names_by_op: dict[str, frozenset[str]] = {}
        self._backward: dict[str, frozenset[str]] = {}
        self._declared: set[str] = set()
        for prefix, text in texts:
            for entry in _index_file(text):
                name = prefix + entry.op
                # One op may have entries in several files, such as legacy and static ones.
                self._names_by_op[name] = self._names_by_op.get(name, _NONE) | entry.names
                gradients = (prefix + gradient for gradient in entry.gradients)
                self._backward[name] = self._backward.get(name, _NONE).union(gradients)
                if entry.has_arguments:
                    self._declared.add(name)

    @property
    def names(self) -> Collection[str]:
        """The ops, without a trailing underscore."""
        return self._backward.keys()

    def __contains__(self, name: object) -> bool:
        """Return whether there is an op of a name, sparse or not."""
        plain = without_underscore(str(name))
        return plain in self._backward or f"sparse_{plain}" in self._backward

    def is_declared(self, name: str) -> bool:
        """Return whether a file declares the arguments of an op; other entries only add to an op."""
        return without_underscore(name) in self._declared

    def argument_names(self, ops: Iterable[str]) -> frozenset[str]:
        """Return all names in the declarations of ops."""
        return frozenset().union(*(self._names_by_op.get(op, ()) for op in ops))

    def gradients(self, ops: Iterable[str]) -> frozenset[str]:
        """Return ops and their gradients of every order."""
        reached: set[str] = set()
        pending = [without_underscore(op) for op in ops]
        while pending:
            op = pending.pop()
            if op not in reached:
                reached.add(op)
                pending += self._backward.get(op, ())
        return frozenset(reached)


class _IndexedEntry(NamedTuple):
    """An entry of a file: its op, the names in the declarations of its arguments, and its gradient ops.

    `has_arguments` is whether the entry declares arguments; without them, it adds to the entry of another file.
    """

    op: str
    names: frozenset[str]
    gradients: tuple[str, ...]
    has_arguments: bool


@lru_cache(maxsize=_CACHED_FILES)
def _index_file(text: str) -> list[_IndexedEntry]:
    """Return the entries of a file, by a search of its text."""
    return [_index_entry(op, rest) for op, rest in _split_entries(text)]


def _split_entries(text: str) -> list[tuple[str, str]]:
    """Return the op of each entry of a file, and the text of the entry behind the op."""
    starts = [match.start() for match in _ITEM.finditer(text)]
    items = [(_ENTRY.match(text, start, end), end) for start, end in pairwise((*starts, len(text)))]
    entries = [(match[1], text[match.end() : end]) for match, end in items if match is not None]
    # Each entry of Paddle's files begins with its op. It takes a tenth of the time to search for that than to parse
    # the YAML, which is done for a file whose keys are in another order.
    if not entries or len(entries) != len(items):
        with suppress(UnresolvedError):
            entries = [
                (entry_name(entry).partition("(")[0].strip(), _ordered_text(entry)) for entry in parse_entries(text, "")
            ]
    return entries


def _index_entry(op: str, rest: str) -> _IndexedEntry:
    """Return the index of an entry, given its op and the text behind that."""
    keys = list(_KEY.finditer(rest))
    # A value ends with the line before the next key, whose match begins with the line break.
    ends = (*(key.start() + 1 for key in keys[1:]), len(rest))
    values = [(key[1], rest[key.end() : end]) for key, end in zip(keys, ends, strict=False)]
    written = [value for key, value in values if key in _ARGUMENT_KEYS]
    identifiers = {name for value in written for name in _IDENTIFIER.findall(value)}
    if any(_NAMELESS.search(value) for value in written):
        identifiers.add("out")
    backward = (_NAME.match(value) for key, value in values if key == "backward")
    gradients = tuple(without_underscore(gradient[1]) for gradient in backward if gradient is not None)
    has_arguments = any(key == "args" for key, _ in values)
    return _IndexedEntry(without_underscore(op), frozenset(identifiers), gradients, has_arguments)


def _ordered_text(entry: YamlEntry) -> str:
    """Return the keys of an entry with scalar values, one a line, as Paddle's files write them below the op."""
    return "".join(
        f"\n  {key} : {' '.join(value.split())}" for key, value in entry.items() if isinstance(value, Scalar)
    )
