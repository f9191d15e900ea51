"""The names of PIR ops and their arguments in ProgramDescs, by the rules of the translation.

op_compat_gen.py makes tables from op_compat.yaml and adds further names. op_compat_info.h looks names up in these
tables: a gradient falls back to the entry of its forward op.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.special_names import SpecialNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    Tables: TypeAlias = tuple[
        dict[str, str], dict[str, dict[str, str]], dict[str, dict[str, tuple[str, ...]]], dict[str, frozenset[str]]
    ]
    """PIR ops, argument names, tensors that replace attrs, and extra attrs, all by ops of a ProgramDesc."""
    Entry: TypeAlias = tuple[Any, ...]
    """An op with its argument names, those of its forward op, the tensors of its attrs, and its extra attrs."""

_GRAD, _OLD_GRAD = "_grad", "@GRAD"
_TENSORS = ("tensor_name", "tensors_name")
_SPARSE_PREFIX, _SPARSE_SUFFIX = "sparse_", "_sp"
"""The prefix of sparse ops in a ProgramDesc, and their suffix in PIR."""
_NO_SPECIALS = SpecialNames()
NO_TABLES: Tables = ({}, {}, {}, {})
"""The tables of a tree without op_compat.yaml."""


class LegacyNames:
    """The names in ProgramDescs.

    They are made from the entries of op_compat.yaml, the names that the script adds (`special`), and the ops of sparse
    tensors; or from the tables of an earlier run.
    """

    def __init__(
        self,
        entries: Iterable[Mapping[str, Any]] = (),
        special: SpecialNames = _NO_SPECIALS,
        sparse: Iterable[str] = (),
        tables: Tables | None = None,
    ) -> None:
        self._ops, self._arguments, self._tensors, self._extra = self.tables = tables or ({}, {}, {}, {})
        self._legacy_ops: dict[str, list[str]] = {}
        for entry in entries:
            self._add_entry(entry)
        # op_compat_gen.py assigns the names of special ops after the loop over the entries.
        self._ops.update(special.ops)
        for op, names in special.arguments.items():
            known = {} if op in special.replaced else self._arguments.get(op, {})
            self._arguments[op] = {**known, **names}
        if special.has_sparse:
            for op in sparse:
                # `batch_norm_` becomes `batch_norm_sp_`: the mark of the inplace variant stays at the end.
                inplace_mark = "_" if op.endswith("_") else ""
                plain = op.removesuffix("_")
                self._ops[_SPARSE_PREFIX + plain] = plain + _SPARSE_SUFFIX + inplace_mark

    def _add_entry(self, entry: Mapping[str, Any]) -> None:
        """Add an entry of op_compat.yaml."""
        pairs = [_pair(text) for text in (str(entry.get("op", "")), *_as_list(entry.get("backward")))]
        for own, legacy in pairs:
            if own != legacy:
                self._ops[str(legacy)] = str(own)
        extra = frozenset(map(_declared_name, _as_list(_as_mapping(entry.get("extra")).get("attrs"))))
        for _, legacy in pairs:
            self._extra[legacy] = extra
            for section in ("inputs", "attrs", "outputs"):
                self._arguments.setdefault(legacy, {}).update(_texts(entry.get(section)))
            for section in ("int_array", "scalar"):
                for name, config in _as_mapping(entry.get(section)).items():
                    tensors = tuple(str(config[key]) for key in _TENSORS if key in _as_mapping(config))
                    self._tensors.setdefault(legacy, {})[str(name)] = tensors

    def ops_translated_to(self, op: str) -> tuple[str, ...]:
        """Return the ops of a ProgramDesc that are translated to a PIR op of another name.

        `op` has no dialect and no trailing `_`, which marks the variant that works in place.
        """
        # Made on first use, when all names are added.
        if not self._legacy_ops:
            for legacy, name in sorted(self._ops.items()):
                self._legacy_ops.setdefault(name.rstrip("_"), []).append(legacy)
        return tuple(self._legacy_ops.get(op, ()))

    def entries_of(self, legacy_ops: Iterable[str]) -> tuple[Entry, ...]:
        """Return the names in op_compat.yaml for the arguments of some ops of a ProgramDesc, as plain data."""
        return tuple(
            (
                op,
                self._arguments.get(op),
                self._arguments.get(op.partition(_GRAD)[0]),
                self._tensors.get(op),
                self._extra.get(op),
            )
            for op in legacy_ops
        )

    def keeps_name(self, legacy_op: str) -> bool:
        """Return whether an op of a ProgramDesc is translated to the PIR op of the same name."""
        return legacy_op in self._arguments and legacy_op not in self._ops

    def argument(self, legacy_op: str, name: str) -> str:
        """Return the name of an op's input or output in a ProgramDesc."""
        direct = self._arguments.get(legacy_op, {}).get(name)
        if direct is not None or _GRAD not in legacy_op:
            return direct or name
        forward = self._arguments.get(legacy_op[: legacy_op.index(_GRAD)], {})
        if _GRAD not in name:
            return forward.get(name, name)
        # `x_grad` of a gradient is `X@GRAD` in a ProgramDesc, where the forward op calls `x` by the name `X`.
        at = name.index(_GRAD)
        return (forward.get(name[:at], name[:at]) + name[at:]).replace(_GRAD, _OLD_GRAD)

    def attr(self, legacy_op: str, name: str) -> str:
        """Return the name of an op's attr in a ProgramDesc."""
        return self._arguments.get(legacy_op.partition(_GRAD)[0], {}).get(name, name)

    def tensors(self, legacy_op: str, name: str) -> tuple[str, ...]:
        """Return the inputs of a legacy op that may replace an attr."""
        return self._tensors.get(legacy_op, {}).get(name, ())

    def is_extra(self, legacy_op: str, attr: str) -> bool:
        """Return whether a legacy attr is extra: saving omits it, and loading fills in its default."""
        return attr in self._extra.get(legacy_op, frozenset())


def _pair(text: str) -> tuple[str, str]:
    """Parse `add (elementwise_add)` into the name of the op and its name in a ProgramDesc."""
    name, _, rest = text.partition("(")
    return name.strip(), rest.partition(")")[0].strip() or name.strip()


def _as_list(value: Any) -> list[str]:
    """Return the texts of a list, or of a text with commas."""
    if isinstance(value, list):
        return [str(item) for item in value]
    return str(value).split(",") if value else []


def _declared_name(text: str) -> str:
    """Return the name in a C++ declaration: `axis` of `int axis = -1`."""
    return text.partition("=")[0].split()[-1] if text.strip() else ""


def _as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a value if it is a mapping, or else an empty one."""
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> dict[str, str]:
    """Return a mapping of texts; empty for another value."""
    return {str(name): str(text) for name, text in _as_mapping(value).items()}
