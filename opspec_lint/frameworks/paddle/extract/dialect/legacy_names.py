"""What PIR ops and their arguments are called in a ProgramDesc, by op_compat.yaml.

The rules are those of op_compat_gen.py, which makes the tables of the translation and adds names of its own, and of
op_compat_info.h, which looks names up in them.
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
    """The ops, their arguments, the tensors of their attrs, and their extra attrs, all by names of a ProgramDesc."""
    Entry: TypeAlias = tuple[Any, ...]
    """The op, its arguments, those of its forward op, the tensors of its attrs, and its extra attrs."""

_GRAD, _OLD_GRAD = "_grad", "@GRAD"
_TENSORS = ("tensor_name", "tensors_name")
_SPARSE, _OF_SPARSE = "sparse_", "_sp"
"""How the names of ops of sparse tensors begin in a ProgramDesc, and end in PIR."""
_NO_SPECIALS = SpecialNames()
NO_TABLES: Tables = ({}, {}, {}, {})
"""Those of a tree without op_compat.yaml."""


class LegacyNames:
    """The names that op_compat.yaml has.

    Args:
        entries: its entries, as mappings of texts.
        special: the names that the script adds.
        sparse: the ops of sparse tensors, as YAML names them.
        tables: what all this came to before, as plain data.
    """

    def __init__(
        self,
        entries: Iterable[Mapping[str, Any]] = (),
        special: SpecialNames = _NO_SPECIALS,
        sparse: Iterable[str] = (),
        tables: Tables | None = None,
    ) -> None:
        self._ops, self._arguments, self._tensors, self._extra = self.tables = tables or ({}, {}, {}, {})
        self._known_as: dict[str, list[str]] = {}
        for entry in entries:
            self._take(entry)
        self._ops.update(special.ops)
        for op, names in special.arguments.items():
            known = {} if op in special.replaced else self._arguments.get(op, {})
            self._arguments[op] = {**known, **names}
        for op in sparse if special.has_sparse else ():
            ending = f"{_OF_SPARSE[1:]}_" if op.endswith("_") else _OF_SPARSE
            self._ops[_SPARSE + op.removesuffix("_")] = op + ending

    def _take(self, entry: Mapping[str, Any]) -> None:
        pairs = [_pair(each) for each in (str(entry.get("op", "")), *_listed(entry.get("backward")))]
        for own, legacy in pairs:
            if own != legacy:
                self._ops[str(legacy)] = str(own)
        extra = frozenset(map(_declared_name, _listed(_mapping(entry.get("extra")).get("attrs"))))
        for _, legacy in pairs:
            self._extra[legacy] = extra
            for section in ("inputs", "attrs", "outputs"):
                self._arguments.setdefault(legacy, {}).update(_texts(entry.get(section)))
            for section in ("int_array", "scalar"):
                for name, of in _mapping(entry.get(section)).items():
                    found = tuple(str(of[key]) for key in _TENSORS if key in _mapping(of))
                    self._tensors.setdefault(legacy, {})[str(name)] = found

    def of_op(self, op: str) -> tuple[str, ...]:
        """Return the ops of a ProgramDesc that are translated to an op, besides the one of its own name.

        Args:
            op: its name without the dialect, and without the `_` of the variant that works in place.
        """
        if not self._known_as:
            for legacy, own in sorted(self._ops.items()):
                self._known_as.setdefault(own.rstrip("_"), []).append(legacy)
        return tuple(self._known_as.get(op, ()))

    def entries_of(self, legacy_ops: Iterable[str]) -> tuple[Entry, ...]:
        """Return what op_compat.yaml says of the arguments of some ops of a ProgramDesc, as plain data."""
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
        """Tell whether there is an op of a ProgramDesc that is translated to the one of its own name."""
        return legacy_op in self._arguments and legacy_op not in self._ops

    def argument(self, legacy_op: str, name: str) -> str:
        """The name of an op's input or output in a ProgramDesc."""
        direct = self._arguments.get(legacy_op, {}).get(name)
        if direct is not None or _GRAD not in legacy_op:
            return direct or name
        forward = self._arguments.get(legacy_op[: legacy_op.index(_GRAD)], {})
        if _GRAD not in name:
            return forward.get(name, name)
        at = name.index(_GRAD)
        return (forward.get(name[:at], name[:at]) + name[at:]).replace(_GRAD, _OLD_GRAD)

    def attr(self, legacy_op: str, name: str) -> str:
        """The name of an op's attr in a ProgramDesc."""
        return self._arguments.get(legacy_op.partition(_GRAD)[0], {}).get(name, name)

    def tensors(self, legacy_op: str, name: str) -> tuple[str, ...]:
        """Return the inputs of a ProgramDesc's op that may hold the value of an attr."""
        return self._tensors.get(legacy_op, {}).get(name, ())

    def is_extra(self, legacy_op: str, attr: str) -> bool:
        """Tell whether an attr is extra: a ProgramDesc leaves it out, and reading one fills it in.

        Args:
            legacy_op: the op of the ProgramDesc.
            attr: what the ProgramDesc calls the attr.
        """
        return attr in self._extra.get(legacy_op, frozenset())


def _pair(text: str) -> tuple[str, str]:
    """Return the name of an op, and that of the ProgramDesc: `add (elementwise_add)`."""
    own, _, rest = text.partition("(")
    return own.strip(), rest.partition(")")[0].strip() or own.strip()


def _listed(found: Any) -> list[str]:
    if isinstance(found, list):
        return [str(each) for each in found]
    return str(found).split(",") if found else []


def _declared_name(text: str) -> str:
    """Return the name of a declaration in C++: `axis` of `int axis = -1`."""
    return text.partition("=")[0].split()[-1] if text.strip() else ""


def _mapping(found: Any) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _texts(found: Any) -> dict[str, str]:
    return {str(name): str(text) for name, text in _mapping(found).items()}
