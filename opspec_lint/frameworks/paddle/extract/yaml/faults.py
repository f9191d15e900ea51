"""Checks of the entries of Paddle's YAML files: unknown keys, names and actions, and repeated entries.

The generator passes over some faults without a message and fails at others. The known keys are those that it has read
at any time, and every word that its scripts at this revision have in quotes.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.frameworks.paddle.extract.declarations import remark
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, is_null
from opspec_lint.frameworks.paddle.extract.yaml.names import declared_arguments, without_underscore
from opspec_lint.frameworks.paddle.extract.yaml.op_versions import ACTIONS
from opspec_lint.frameworks.paddle.extract.yaml.ops import COMMA, entry_name
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.extract.yaml.names import Arguments, OpIndex
    from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource
    from opspec_lint.spec.records import RemarkRecord

    EntryFault: TypeAlias = tuple[RemarkRecord, tuple[str, ...]]
    """The remark on a fault, and ops: if C++ registers one of them, the entry is about that, and is no fault."""

_CACHED_SCRIPTS = 24
"""The number of scripts whose quoted words are cached."""
# The known keys of an entry of an op and of one of op_compat.yaml, by mapping in the entry; "" is the entry itself.
_ENTRY_KEYS = {
    "": frozenset({
        "op", "api", "backward_op", "backward_api", "forward", "args", "output", "infer_meta", "kernel", "backward",
        "invoke", "inplace", "view", "optional", "intermediate", "no_need_buffer", "data_transform", "composite",
        "support_dygraph_mode", "support_tensor", "traits", "interfaces",
    }),
    "infer_meta": frozenset({"func", "param", "spmd_rule", "local_shape", "global_shape"}),
    "kernel": frozenset({"func", "param", "data_type", "layout", "backend", "force_backend", "dispatch", "use_gpudnn"}),
    "data_transform": frozenset({"skip_transform", "support_trans_dtype"}),
}  # fmt: skip
_COMPAT_KEYS = {
    "": frozenset({
        "op", "api", "op_name", "grad_op_name", "backward", "inputs", "outputs", "attrs", "extra", "scalar",
        "int_array", "complex_promote", "drop_empty_grad", "get_expected_kernel_type", "manual_signature", "view",
    }),
    "extra": frozenset({"attrs", "inputs", "outputs"}),
    "scalar": frozenset({"data_type", "support_tensor", "tensor_name"}),
    "int_array": frozenset({"data_type", "support_tensor", "tensor_name", "tensors_name"}),
}  # fmt: skip
_VERSION_KEYS = frozenset({"op", "api", "version"})
_CHECKPOINT_KEYS = frozenset({"checkpoint", "action"})
_ACTION_KEYS = frozenset({"comment", "default", "name"})
# The keys of op_compat.yaml whose values have to be mappings.
_MAPPINGS = ("inputs", "outputs", "attrs", "extra", "scalar", "int_array", "get_expected_kernel_type")
_INPUT, _OUTPUT, _ATTR = "input", "output", "attr"
_KERNEL_SELECTORS = ("data_type", "layout", "backend")
_ARGUMENT_LISTS = (
    ("", "optional", (_INPUT, _OUTPUT)),
    ("", "intermediate", (_OUTPUT,)),
    ("", "no_need_buffer", (_INPUT,)),
    ("data_transform", "skip_transform", (_INPUT,)),
    ("data_transform", "support_trans_dtype", (_INPUT,)),
    ("kernel", "param", (_INPUT, _ATTR, _OUTPUT)),
    ("infer_meta", "param", (_INPUT, _ATTR, _OUTPUT)),
    *(("kernel", selector, (_INPUT, _ATTR)) for selector in _KERNEL_SELECTORS),
)
"""The keys of an entry that list arguments: the mapping of the key, "" for the entry itself, the key, and the kinds of
arguments that it may list."""
_QUOTED = pattern(r"[\"'](\w+)[\"']")
_SEPARATOR = pattern(r"[,>]")
_NAME = pattern(r"complex\((\w+)\)|([A-Za-z_]\w*)")
_LITERALS = frozenset({"true", "false"})
_ALIAS = pattern(r"[\w@]+")
_SCALAR_TYPES = {"scalar": "Scalar", "int_array": "IntArray"}


def duplicate_entries(entries: Iterable[YamlEntry], source: YamlSource) -> Iterator[EntryFault]:
    """Yield the entries for ops that have an earlier entry in the same file."""
    seen = set()
    for entry in entries:
        op = entry_name(entry).partition("(")[0].strip()
        if op in seen:
            yield _fault(op, "entry", "is the second one of the op there", source, _entry_start(entry))
        seen.add(op)


def entry_faults(
    entry: YamlEntry, source: YamlSource, names: OpIndex, quoted: Collection[str], signed: Collection[str]
) -> Iterator[EntryFault]:
    """Yield the faults of an entry that declares an op.

    `quoted` are the quoted words of the scripts that read it. `signed` are ops with a hand-written kernel signature,
    whose `param` may list names that are no arguments.
    """
    op = entry_name(entry)
    for path, key in _unknown_keys(entry, _ENTRY_KEYS, quoted):
        yield _fault(op, path, f"has the unknown key '{path}'", source, key.start)
    yield from _repeated_keys(op, entry, source)
    yield from missing_ops(entry, source, names)
    declared = declared_arguments(entry)
    if declared is None:
        return
    for section, field, kinds in _ARGUMENT_LISTS:
        mapping = entry.get(section) if section else entry
        value = mapping.get(field) if isinstance(mapping, YamlEntry) else None
        if value is None or (field == "param" and without_underscore(op) in signed):
            continue
        path = f"{section}.{field}" if section else field
        for name, item in _listed_names(value):
            # A capitalized name may be a function of C++ that chooses the data type.
            is_function = field in _KERNEL_SELECTORS and name[0].isupper()
            if not is_function and not _is_argument(name, declared, kinds):
                start = _offset_of(item, name, source)
                yield _fault(op, f"{path}.{name}", _not_an_argument(name, path, kinds), source, start)
    for path in ("inplace", "view"):
        yield from _pair_faults(op, path, entry.get(path), declared, source)


def missing_ops(
    entry: YamlEntry, source: YamlSource, names: Container[str], op: str | None = None
) -> Iterator[EntryFault]:
    """Yield the other ops that an entry names and that no file declares; C++ may still register them.

    `names` are the declared ops. The faults are about `op`, by default the name of the entry as written.
    """
    for name, program_name, written in _referenced_ops(entry):
        if name not in names:
            registered = (without_underscore(name), program_name or without_underscore(name))
            problem = f"names the op '{name}', which does not exist"
            start = _offset_of(written, name, source)
            yield _fault(entry_name(entry) if op is None else op, name, problem, source, start, registered)


def compat_faults(
    entry: YamlEntry, source: YamlSource, names: OpIndex, forward: dict[str, Arguments]
) -> Iterator[EntryFault]:
    """Yield the faults of an entry of op_compat.yaml, except for unread keys.

    `forward` has the declarations of the files that make op makers, by op.
    """
    phi, fluid = compat_names(entry)
    start = _entry_start(entry)
    yield from _repeated_keys(phi, entry, source)
    malformed = [key for key in _MAPPINGS if key in entry and not isinstance(entry[key], YamlEntry)]
    for key in malformed:
        yield _fault(phi, key, f"does not have a mapping under '{key}'", source, _key_scalar(entry, key).start)
    yield from missing_ops(entry, source, names, phi)
    if phi not in names:
        yield _fault(phi, phi, "matches no op", source, start, (phi, fluid))
    if not names.is_declared(phi):
        return
    yield from _alias_faults(phi, entry, source, names, forward.get(phi))
    yield from _config_faults(phi, entry, source, names, forward.get(phi))


def unread_keys(entry: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[RemarkRecord]:
    """Yield a remark for each key of an entry of op_compat.yaml that nothing reads."""
    op = entry_name(entry).partition("(")[0].strip()
    unread_paths = [
        (path, key)
        for path, key in _unknown_keys(entry, {"": _COMPAT_KEYS[""], "extra": _COMPAT_KEYS["extra"]}, quoted)
    ]
    for section in _SCALAR_TYPES:
        configs = entry.get(section)
        if not isinstance(configs, YamlEntry):
            continue
        for config in configs.values():
            if isinstance(config, YamlEntry):
                unread_paths += (
                    (f"{section}.{key}", key) for key in _keys_beyond(config, _COMPAT_KEYS[section], quoted)
                )
    for path, key in unread_paths:
        yield remark("compat_key_unread", path, op, source.at_line(key.start))


def version_faults(entry: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[EntryFault]:
    """Yield the faults of an entry of op_version.yaml, except that it matches no op."""
    op = entry_name(entry)
    for key in _keys_beyond(entry, _VERSION_KEYS, quoted):
        yield _fault(op, key, f"has the unknown key '{key}'", source, key.start)
    for checkpoint in _listed_mappings(entry.get("version")):
        for key in _keys_beyond(checkpoint, _CHECKPOINT_KEYS, quoted):
            yield _fault(op, key, f"has the unknown key '{key}' in a checkpoint", source, key.start)
        for action in _listed_mappings(checkpoint.get("action")):
            yield from _action_faults(op, action, source, quoted)


def compat_names(entry: YamlEntry) -> tuple[str, str]:
    """Return the op of an entry of op_compat.yaml: its name in YAML without a trailing `_`, and in programs."""
    phi, _, rest = entry_name(entry).partition("(")
    phi = without_underscore(phi.strip())
    return phi, str(entry.get("op_name", "")) or rest.partition(")")[0].strip() or phi


@lru_cache(maxsize=_CACHED_SCRIPTS)
def quoted_identifiers(script: str) -> frozenset[str]:
    """Return the words that a script has in quotes."""
    return frozenset(_QUOTED.findall(script))


def _action_faults(op: str, action: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[EntryFault]:
    """Yield the faults of one action of a checkpoint."""
    known = [key for key in action if key in ACTIONS]
    for key in _keys_beyond(action, _ACTION_KEYS.union(ACTIONS), quoted):
        key_or_action = "key" if known else "action"
        yield _fault(op, key, f"has the unknown {key_or_action} '{key}'", source, key.start)
    if not known and not any(key not in _ACTION_KEYS for key in action):
        yield _fault(op, "action", "has an action that does nothing", source, action.start)


def _alias_faults(
    op: str, entry: YamlEntry, source: YamlSource, names: OpIndex, declared: Arguments | None
) -> Iterator[EntryFault]:
    """Yield the names under inputs, outputs, attrs and extra that the op does not have."""
    extra = entry.get("extra")
    extra = extra if isinstance(extra, YamlEntry) else YamlEntry()
    known = _related_names(op, entry, names)
    # An attr may be renamed twice: under `attrs`, and under `extra` by the name that it got there. The text of the
    # value has the names, be it a text, a list or a mapping.
    renamed_later = frozenset(_ALIAS.findall(repr(extra.get("attrs"))))
    for path, kind, value in (
        ("inputs", _INPUT, entry.get("inputs")),
        ("outputs", _OUTPUT, entry.get("outputs")),
        ("attrs", _ATTR, entry.get("attrs")),
        ("extra.inputs", _INPUT, extra.get("inputs")),
        ("extra.outputs", _OUTPUT, extra.get("outputs")),
    ):
        aliases = value if isinstance(value, YamlEntry) else {}
        for name, item in _listed_names(value):
            if declared is not None and _is_argument(name, declared, (_INPUT, _OUTPUT, _ATTR)):
                is_known = _is_argument(name, declared, (kind,))
            else:
                is_known = name in known or (kind == _ATTR and str(aliases.get(name)) in renamed_later)
            if not is_known:
                # An entry may be about a maker in C++, whose extra arguments no YAML file declares.
                registered = compat_names(entry) if path.startswith("extra.") else ()
                start = _offset_of(item, name, source)
                yield _fault(op, f"{path}.{name}", _not_an_argument(name, path, (kind,)), source, start, registered)


def _config_faults(
    op: str, entry: YamlEntry, source: YamlSource, names: OpIndex, declared: Arguments | None
) -> Iterator[EntryFault]:
    """Yield the faults under scalar and int_array."""
    sections = [section for section in _SCALAR_TYPES if isinstance(entry.get(section), YamlEntry)]
    known = _related_names(op, entry, names) if sections else frozenset[str]()
    for section in sections:
        configs, expected_type = entry[section], _SCALAR_TYPES[section]
        for key, config in configs.items():
            path, start = f"{section}.{key}", _key_scalar(configs, key).start
            declared_type = declared.attrs.get(key) if declared is not None else None
            if key not in known:
                yield _fault(op, path, _not_an_argument(key, section, (_ATTR,)), source, start)
            elif declared_type is not None and not declared_type.startswith(expected_type):
                problem = f"names '{key}' under '{section}', which is of type {declared_type}"
                yield _fault(op, path, problem, source, start)
            elif not isinstance(config, YamlEntry):
                yield _fault(op, path, f"does not have a mapping under '{path}'", source, start)


def _pair_faults(op: str, path: str, value: Any, declared: Arguments, source: YamlSource) -> Iterator[EntryFault]:
    """Yield the names in `(x -> out), (y -> more)` that are not an input on the left and an output on the right."""
    if not isinstance(value, Scalar):
        return
    for pair in COMMA.split(value):
        for written, kind in zip(pair.split("->"), (_INPUT, _OUTPUT), strict=False):
            name = written.strip(" \n()")
            if name and not _is_argument(name, declared, (kind,)):
                start = _offset_of(value, name, source)
                yield _fault(op, f"{path}.{name}", _not_an_argument(name, path, (kind,)), source, start)


def _referenced_ops(entry: YamlEntry) -> Iterator[tuple[str, str, Scalar]]:
    """Yield the other ops that an entry names: the name in YAML, in programs ("" if not stated), and its scalar."""
    written = entry.get("backward")
    if isinstance(written, Scalar):
        for part in written.split(","):
            name, _, fluid = part.strip().rstrip(")").partition("(")
            if name.strip():
                yield name.strip(), fluid.strip(), written
    for key in ("get_expected_kernel_type", "manual_signature"):
        for name, item in _listed_names(entry.get(key)):
            yield name, "", item


def _related_names(op: str, entry: YamlEntry, names: OpIndex) -> frozenset[str]:
    """Return all names in the declarations of an op and its gradients.

    op_compat.yaml renames the arguments of gradients together with the arguments of the forward op.
    """
    others = (name for name, _, _ in _referenced_ops(entry))
    return names.argument_names(names.gradients([op, *others]))


def _unknown_keys(
    entry: YamlEntry, keys: dict[str, frozenset[str]], quoted: Collection[str]
) -> Iterator[tuple[str, Scalar]]:
    """Yield the path and the key of unknown keys, at the top of an entry and in its mappings."""
    for section, known in keys.items():
        inner = entry.get(section) if section else entry
        if isinstance(inner, YamlEntry):
            for key in _keys_beyond(inner, known, quoted):
                yield f"{section}.{key}" if section else str(key), key


def _keys_beyond(mapping: YamlEntry, known: frozenset[str], quoted: Collection[str]) -> Iterable[Scalar]:
    """Yield the keys of a mapping that are neither known nor quoted in a script."""
    # The fast way out for nearly all mappings.
    if mapping.keys() <= known:
        return ()
    return (_key_scalar(mapping, key) for key in mapping if key not in known and key not in quoted)


def _repeated_keys(op: str, entry: YamlEntry, source: YamlSource) -> Iterator[EntryFault]:
    """Yield the keys that an entry has twice."""
    for key in entry.repeated:
        yield _fault(op, key, f"has the key '{key}' twice, and only the last one counts", source, key.start)


def _listed_mappings(value: Any) -> Iterator[YamlEntry]:
    """Yield the mappings in a list; none for another value."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, YamlEntry))


def _listed_names(value: Any) -> Iterator[tuple[str, Scalar]]:
    """Yield the names in a text, a list of texts or the keys of a mapping, with the text of the name.

    Texts that contain no names, such as numbers, are skipped.
    """
    items = value if isinstance(value, (list, dict)) else (value,)
    for item in items:
        if isinstance(item, Scalar) and not is_null(item):
            for part in _SEPARATOR.split(item):
                match = _NAME.fullmatch(part.strip())
                if match is not None and match[0] not in _LITERALS:
                    yield match[1] or match[2], item


def _offset_of(written: Scalar, name: str, source: YamlSource) -> int:
    """Return the offset of a name in a scalar, or of the scalar if it has escapes."""
    return next(occurrences(source.text, name, written.start, written.end), written.start)


def _is_argument(name: str, declared: Arguments, kinds: Iterable[str]) -> bool:
    """Return whether an op has an argument of a name that is of one of some kinds."""
    return any(name in getattr(declared, f"{kind}s") for kind in kinds)


def _not_an_argument(name: str, path: str, kinds: tuple[str, ...]) -> str:
    """Return the problem of a name that is no argument of the expected kinds."""
    return f"names '{name}' under '{path}', which is not one of its {'s or '.join(kinds)}s"


def _key_scalar(mapping: YamlEntry, key: str) -> Scalar:
    """Return a key of a mapping as the scalar in the file, which has its place."""
    return next(scalar for scalar in mapping if scalar == key)  # type: ignore[return-value]


def _entry_start(entry: YamlEntry) -> int:
    """Return the offset of an entry's op name, or of the entry if it has none."""
    names = (entry[key] for key in ("op", "api", "backward_op", "backward_api") if key in entry)
    name = next(names, None)
    return name.start if isinstance(name, Scalar) else entry.start


def _fault(  # noqa: PLR0913, PLR0917 - the fields of one record
    op: str, name: str, problem: str, source: YamlSource, start: int, registered: tuple[str, ...] = ()
) -> EntryFault:
    """Return a fault of an entry."""
    fault_remark = remark("yaml_entry_wrong", name, op, source.at_line(start), problem=problem, file=source.path)
    return fault_remark, registered
