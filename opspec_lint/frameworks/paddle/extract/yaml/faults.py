"""What is wrong in the entries of Paddle's YAML files: keys, names and actions that nothing there has.

The generator passes over some of them without a message and fails at others. Which keys it reads is a list of those
that it has read at any time; a key that its own scripts put in quotes counts as well.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.frameworks.paddle.extract.declarations import remark
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, resolved
from opspec_lint.frameworks.paddle.extract.yaml.names import arguments, without_underscore
from opspec_lint.frameworks.paddle.extract.yaml.op_versions import ACTIONS
from opspec_lint.frameworks.paddle.extract.yaml.ops import COMMA, name_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.extract.yaml.names import Arguments, Names
    from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource
    from opspec_lint.spec.records import RemarkRecord

    EntryFault: TypeAlias = tuple[RemarkRecord, tuple[str, ...]]
    """The remark on a fault of an entry, and the names of which none may be registered by C++ if it is one."""

_MOST = 24
"""Scripts whose words are kept."""
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
_MAPPINGS = ("inputs", "outputs", "attrs", "extra", "scalar", "int_array", "get_expected_kernel_type")
_INPUT, _OUTPUT, _ATTR = "input", "output", "attr"
_CHOSEN = ("kernel.data_type", "kernel.layout", "kernel.backend")
_LISTED = {
    "optional": (_INPUT, _OUTPUT),
    "intermediate": (_OUTPUT,),
    "no_need_buffer": (_INPUT,),
    "data_transform.skip_transform": (_INPUT,),
    "data_transform.support_trans_dtype": (_INPUT,),
    "kernel.param": (_INPUT, _ATTR, _OUTPUT),
    "infer_meta.param": (_INPUT, _ATTR, _OUTPUT),
    **dict.fromkeys(_CHOSEN, (_INPUT, _ATTR)),
}
"""Where an entry names arguments, and of which kinds they may be."""
_QUOTED = pattern(r"[\"'](\w+)[\"']")
_SEPARATOR = pattern(r"[,>]")
_NAME = pattern(r"complex\((\w+)\)|([A-Za-z_]\w*)")
_LITERALS = frozenset({"true", "false"})
_ALIAS = pattern(r"[\w@]+")
_SCALAR_TYPES = {"scalar": "Scalar", "int_array": "IntArray"}


def of_file(entries: Iterable[YamlEntry], source: YamlSource) -> Iterator[EntryFault]:
    """Yield the entries of ops that have one before in the same file."""
    seen = set()
    for entry in entries:
        op = name_of(entry).partition("(")[0].strip()
        if op in seen:
            yield _fault(op, "entry", "is the second one of the op there", source, _start(entry))
        seen.add(op)


def of_entry(
    entry: YamlEntry, source: YamlSource, names: Names, quoted: Collection[str], signed: Collection[str]
) -> Iterator[EntryFault]:
    """Yield the faults of an entry that declares an op.

    Args:
        entry: the entry.
        source: its file.
        names: the ops of all YAML files.
        quoted: the words that the scripts which read it have in quotes.
        signed: the ops whose kernel signature is written by hand, so that its names need not be those of arguments.
    """
    op = name_of(entry)
    for path, key in _unknown(entry, _ENTRY_KEYS, quoted):
        yield _fault(op, path, f"has the unknown key '{path}'", source, key.start)
    yield from _repeated(op, entry, source)
    yield from missing_ops(entry, source, names)
    declared = arguments(entry)
    if declared is None:
        return
    for path, kinds in _LISTED.items():
        if path.endswith("param") and without_underscore(op) in signed:
            continue
        allowed = _of_kinds(declared, kinds)
        for name, start in _names(_at(entry, path), source):
            if name not in allowed and not (path in _CHOSEN and name[0].isupper()):  # which may be a function
                yield _fault(op, f"{path}.{name}", _no_argument(name, path, kinds), source, start)
    for path in ("inplace", "view"):
        yield from _pairs(op, path, entry.get(path), declared, source)


def missing_ops(entry: YamlEntry, source: YamlSource, names: Names, op: str | None = None) -> Iterator[EntryFault]:
    """Yield the other ops that an entry names and that no file has; that of one that C++ registers is none.

    Args:
        entry: the entry.
        source: its file.
        names: the ops of all YAML files.
        op: the op of the entry, None for the one that it is named for.
    """
    for name, program_name, at in _other_ops(entry, source):
        if name not in names:
            registered = (without_underscore(name), program_name or without_underscore(name))
            problem = f"names the op '{name}', which does not exist"
            yield _fault(name_of(entry) if op is None else op, name, problem, source, at, registered)


def of_compat(
    entry: YamlEntry, source: YamlSource, names: Names, forward: dict[str, Arguments]
) -> Iterator[EntryFault]:
    """Yield the faults of an entry of op_compat.yaml, without the keys that nothing reads.

    Args:
        entry: the entry.
        source: its file.
        names: the ops of all YAML files.
        forward: what the ops of the files that make op makers declare, by the name of the op.
    """
    phi, fluid = compat_names(entry)
    start = _start(entry)
    yield from _repeated(phi, entry, source)
    wrong = [key for key in _MAPPINGS if key in entry and not isinstance(entry[key], YamlEntry)]
    for key in wrong:
        yield _fault(phi, key, f"does not have a mapping under '{key}'", source, _key(entry, key).start)
    yield from missing_ops(entry, source, names, phi)
    if phi not in names:
        yield _fault(phi, phi, "matches no op", source, start, (phi, fluid))
    if not names.is_declared(phi):
        return
    yield from _renamed(phi, entry, source, names, forward.get(phi))
    yield from _configured(phi, entry, source, names, forward.get(phi))


def unread(entry: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[RemarkRecord]:
    """Yield the keys of an entry of op_compat.yaml that nothing reads."""
    op = name_of(entry).partition("(")[0].strip()
    found = [
        (path, key) for path, key in _unknown(entry, {"": _COMPAT_KEYS[""], "extra": _COMPAT_KEYS["extra"]}, quoted)
    ]
    for section in _SCALAR_TYPES:
        configs = entry.get(section)
        for config in configs.values() if isinstance(configs, YamlEntry) else ():
            if isinstance(config, YamlEntry):
                found += ((f"{section}.{key}", key) for key in _strange(config, _COMPAT_KEYS[section], quoted))
    for path, key in found:
        yield remark("compat_key_unread", path, op, source.at_line(key.start))


def of_version(entry: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[EntryFault]:
    """Yield the faults of an entry of op_version.yaml, without that it matches no op.

    Args:
        entry: the entry.
        source: its file.
        quoted: the words that the scripts which read it have in quotes.
    """
    op = name_of(entry)
    for key in _strange(entry, _VERSION_KEYS, quoted):
        yield _fault(op, key, f"has the unknown key '{key}'", source, key.start)
    points = entry.get("version")
    for point in points if isinstance(points, list) else ():
        if not isinstance(point, YamlEntry):
            continue
        for key in _strange(point, _CHECKPOINT_KEYS, quoted):
            yield _fault(op, key, f"has the unknown key '{key}' in a checkpoint", source, key.start)
        actions = point.get("action")
        for action in actions if isinstance(actions, list) else ():
            if isinstance(action, YamlEntry):
                yield from _action(op, action, source, quoted)


def compat_names(entry: YamlEntry) -> tuple[str, str]:
    """Return the name of the op of an entry of op_compat.yaml in YAML, without a `_` at its end, and in programs."""
    phi, _, rest = name_of(entry).partition("(")
    phi = without_underscore(phi.strip())
    return phi, str(entry.get("op_name", "")) or rest.partition(")")[0].strip() or phi


@lru_cache(maxsize=_MOST)
def quoted_words(script: str) -> frozenset[str]:
    """Return the words that a script has in quotes."""
    return frozenset(_QUOTED.findall(script))


def _action(op: str, action: YamlEntry, source: YamlSource, quoted: Collection[str]) -> Iterator[EntryFault]:
    known = [key for key in action if key in ACTIONS]
    for key in _strange(action, _ACTION_KEYS.union(ACTIONS), quoted):
        what = "key" if known else "action"
        yield _fault(op, key, f"has the unknown {what} '{key}'", source, key.start)
    if not known and not any(key not in _ACTION_KEYS for key in action):
        yield _fault(op, "action", "has an action that does nothing", source, action.start)


def _renamed(
    op: str, entry: YamlEntry, source: YamlSource, names: Names, declared: Arguments | None
) -> Iterator[EntryFault]:
    """Yield the names under inputs, outputs, attrs and extra that the op does not have."""
    extra = entry.get("extra")
    extra = extra if isinstance(extra, YamlEntry) else YamlEntry()
    known = _known(op, entry, source, names)
    later = frozenset(_ALIAS.findall(repr(extra.get("attrs"))))
    for path, kind, where in (
        ("inputs", _INPUT, entry.get("inputs")),
        ("outputs", _OUTPUT, entry.get("outputs")),
        ("attrs", _ATTR, entry.get("attrs")),
        ("extra.inputs", _INPUT, extra.get("inputs")),
        ("extra.outputs", _OUTPUT, extra.get("outputs")),
    ):
        aliases = where if isinstance(where, YamlEntry) else {}
        for name, start in _names(where, source):
            if declared is not None and name in _of_kinds(declared, (_INPUT, _OUTPUT, _ATTR)):
                is_known = name in _of_kinds(declared, (kind,))
            else:
                is_known = name in known or (kind == _ATTR and str(aliases.get(name)) in later)
            if not is_known:
                registered = compat_names(entry) if path.startswith("extra.") else ()  # may speak of a maker in C++
                yield _fault(op, f"{path}.{name}", _no_argument(name, path, (kind,)), source, start, registered)


def _configured(
    op: str, entry: YamlEntry, source: YamlSource, names: Names, declared: Arguments | None
) -> Iterator[EntryFault]:
    """Yield what is wrong under scalar and int_array."""
    known = _known(op, entry, source, names)
    for section, wanted in _SCALAR_TYPES.items():
        configs = entry.get(section)
        if not isinstance(configs, YamlEntry):
            continue
        for key, config in configs.items():
            path, start = f"{section}.{key}", _key(configs, key).start
            kind = declared.attrs.get(key) if declared is not None else None
            if key not in known:
                yield _fault(op, path, _no_argument(key, section, (_ATTR,)), source, start)
            elif kind is not None and not kind.startswith(wanted):
                problem = f"names '{key}' under '{section}', which is of type {kind}"
                yield _fault(op, path, problem, source, start)
            elif not isinstance(config, YamlEntry):
                yield _fault(op, path, f"does not have a mapping under '{path}'", source, start)


def _pairs(op: str, path: str, value: Any, declared: Arguments, source: YamlSource) -> Iterator[EntryFault]:
    """Yield the names in `(x -> out), (y -> more)` that are not those of an input and an output."""
    if not isinstance(value, Scalar):
        return
    for pair in COMMA.split(value):
        for written, kind in zip(pair.split("->"), (_INPUT, _OUTPUT), strict=False):
            name = written.strip(" \n()")
            if name and name not in _of_kinds(declared, (kind,)):
                start = _find(value, name, source)
                yield _fault(op, f"{path}.{name}", _no_argument(name, path, (kind,)), source, start)


def _other_ops(entry: YamlEntry, source: YamlSource) -> Iterator[tuple[str, str, int]]:
    """Yield the other ops that an entry names: in YAML, in programs ("" where it does not say), and where."""
    written = entry.get("backward")
    if isinstance(written, Scalar):
        for part in written.split(","):
            name, _, fluid = part.strip().rstrip(")").partition("(")
            if name.strip():
                yield name.strip(), fluid.strip(), _find(written, name.strip(), source)
    for key in ("get_expected_kernel_type", "manual_signature"):
        for name, start in _names(entry.get(key), source):
            yield name, "", start


def _known(op: str, entry: YamlEntry, source: YamlSource, names: Names) -> frozenset[str]:
    """Return all names in the declarations of an op and of its gradients."""
    others = (name for name, _, _ in _other_ops(entry, source))
    return names.words(names.gradients([op, *others]))


def _unknown(
    entry: YamlEntry, keys: dict[str, frozenset[str]], quoted: Collection[str]
) -> Iterator[tuple[str, Scalar]]:
    """Yield the path and the key of what is not among some keys: at the top, and in the mappings of these names."""
    for section, known in keys.items():
        inner = entry.get(section) if section else entry
        if isinstance(inner, YamlEntry):
            for key in _strange(inner, known, quoted):
                yield f"{section}.{key}" if section else str(key), key


def _strange(mapping: YamlEntry, known: Collection[str], quoted: Collection[str]) -> Iterator[Scalar]:
    return (_key(mapping, key) for key in mapping if key not in known and key not in quoted)


def _repeated(op: str, entry: YamlEntry, source: YamlSource) -> Iterator[EntryFault]:
    for key in entry.repeated:
        yield _fault(op, key, f"has the key '{key}' twice, and only the last one counts", source, key.start)


def _names(value: Any, source: YamlSource) -> Iterator[tuple[str, int]]:
    """Yield the names in a text or a list of texts, and where each stands; what is no name is passed over."""
    for item in value if isinstance(value, (list, dict)) else [value]:
        if isinstance(item, Scalar) and resolved(item) is not None:
            for part in _SEPARATOR.split(item):
                match = _NAME.fullmatch(part.strip())
                if match is not None and part.strip() not in _LITERALS:
                    name = match[1] or match[2]
                    yield name, _find(item, name, source)


def _find(written: Scalar, name: str, source: YamlSource) -> int:
    return next(occurrences(source.text, name, written.start, written.end), written.start)


def _at(entry: YamlEntry, path: str) -> Any:
    section, _, key = path.rpartition(".")
    inner = entry.get(section) if section else entry
    return inner.get(key) if isinstance(inner, YamlEntry) else None


def _of_kinds(declared: Arguments, kinds: Iterable[str]) -> frozenset[str]:
    every = {_INPUT: declared.inputs, _OUTPUT: declared.outputs, _ATTR: frozenset(declared.attrs)}
    return frozenset().union(*(every[kind] for kind in kinds))


def _no_argument(name: str, path: str, kinds: tuple[str, ...]) -> str:
    return f"names '{name}' under '{path}', which is not one of its {'s or '.join(kinds)}s"


def _key(mapping: YamlEntry, key: str) -> Scalar:
    return next(each for each in mapping if each == key)  # type: ignore[return-value]


def _start(entry: YamlEntry) -> int:
    names = (entry[key] for key in ("op", "api", "backward_op", "backward_api") if key in entry)
    name = next(names, None)
    return name.start if isinstance(name, Scalar) else entry.start


def _fault(  # noqa: PLR0913, PLR0917 - the fields of one record
    op: str, name: str, problem: str, source: YamlSource, start: int, registered: tuple[str, ...] = ()
) -> EntryFault:
    found = remark("yaml_entry_wrong", name, op, source.at_line(start), problem=problem, file=source.path)
    return found, registered
