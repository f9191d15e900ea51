"""The comparison of TensorFlow's api_def files, which have the documentation and visibility of ops, with the ops.

The rules come from core/api_def/api_test.cc: each op of ops.pbtxt has a file in base_api, each file is about an op,
and names only arguments that the op has. The op of a file is the one that its content names,
whatever the file is called.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.extract.source.op_records import FAULT, OPDEF, PLACE
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
    from opspec_lint.spec.records import RemarkRecord

    Field: TypeAlias = tuple[str, str, int]
    """A field of an api_def: its path below `op`, its value and its line."""
    ApiDef: TypeAlias = tuple[list[str], list[Field]]
    """The content of an api_def: the names of the ops that it describes, and its fields."""
    Fault: TypeAlias = tuple[str, int]
    """A point in which an api_def contradicts its op, and its line."""

BASE = "tensorflow/core/api_def/base_api"
FOLDERS = (BASE, "tensorflow/core/api_def/python_api")
_FILE = pattern(r"/api_def_[^/]*\.pbtxt\Z")
EXCLUDED = ("tensorflow/core/api_def/excluded_ops.cc", "tensorflow/core/api_def/api_test.cc")
"""Files with the names of ops that need no api_def; the first exists since 1.6."""
_TOKEN = pattern(
    r'<<(?P<end>\w+)\n(?:.*\n)*?(?P=end)|"(?P<text>(?:[^"\\\n]|\\.)*)"|#.*|(?P<word>[\w.+-]+)|(?P<sign>[{}\[\]])|\n'
)
_NAME = pattern(r'"([A-Z]\w*)"')
_VISIBILITIES = ("DEFAULT_VISIBILITY", "VISIBLE", "SKIP", "HIDDEN")
_ARGUMENTS = {"in_arg.name": "input", "out_arg.name": "output", "attr.name": "attr"}
_CHECKED = frozenset({*_ARGUMENTS, "graph_op_name", "visibility", "arg_order", "deprecation_version"})
_MESSAGE, _ENDPOINT, _DEPRECATED = "deprecation_message", "endpoint", "endpoint.deprecated"
_KEPT = _CHECKED | {_MESSAGE, _ENDPOINT, _DEPRECATED}
_WRITE = "run `tensorflow/core/api_def/update_api_def.sh`, which writes the file"
_CORRECT = "correct the api_def file, or delete it with the op"
_MAX_DIGEST = 32


def is_api_def(path: str) -> bool:
    """Return whether a file in the folders matches `api_def_*.pbtxt`, the pattern of TensorFlow's programs."""
    return path.startswith(FOLDERS) and _FILE.search(path) is not None


def excluded_ops(text: str) -> list[str]:
    """Return the names of ops in a text of C++ that lists those without an api_def."""
    return _NAME.findall(text)


def parse_api_def(text: str) -> ApiDef:
    """Return the ops and the checked fields of an api_def; a field of an unreadable text is passed over."""
    fields: list[Field] = []
    path: list[str] = []
    key, line = "", 1
    is_list = False
    for match in _TOKEN.finditer(text):
        bare, sign = match["word"], match["sign"]
        if sign == "{":
            path.append(key)
            name = ".".join(path[1:])
            if name in _KEPT:
                fields.append((name, "", line))
            key = ""
        elif sign == "}":
            path = path[:-1]
            key = ""
        elif sign:
            is_list = sign == "["
            key = key if is_list else ""
        elif bare and not key:
            key = bare
        elif key and (bare or match["text"] is not None):
            name = ".".join([*path[1:], key])
            if name in _KEPT:
                fields.append((name, bare or match["text"], line))
            key = key if is_list else ""
        elif match["end"]:
            key = ""
        line += match[0].count("\n")
    return [value for name, value, _ in fields if name == "graph_op_name"], fields


def disagreements(
    files: Mapping[str, ApiDef],
    excluded: Collection[str],
    ops: Mapping[str, OpRecord],
    needing: Collection[str],
    faults_of: Callable[[str, bytes], Iterable[Fault]],
) -> Iterator[RemarkRecord]:
    """Yield a remark for each point in which api_def files and ops disagree.

    Args:
        files: the content of each file by its path; without any, the tree is older than these files.
        excluded: the ops that need no file.
        ops: the ops of the tree.
        needing: the names of the ops that need a file, if they are not excluded.
        faults_of: returns the result of `faults` for the file of a path and a serialized OpDef.
    """
    described: set[str] = set()
    for path, (names, fields) in files.items():
        described.update(names if path.startswith(BASE) else ())
        op = ops.get(names[0]) if len(names) == 1 else None
        if len(names) > 1 and not path.endswith(tuple(f"/api_def_{name}.pbtxt" for name in names)):
            continue  # before 1.5, a file had all ops with one first letter
        if len(names) != 1:
            yield _remark(names[0] if names else path, f"{path} has {len(names)} ops, not one", (path, 1), _CORRECT)
        elif op is None:
            yield _remark(names[0], "no source registers the op of the file", (path, fields[0][2]), _CORRECT)
        elif op[FAULT] is None:
            for reason, line in faults_of(path, op[OPDEF]):
                yield _remark(names[0], reason, (path, line), _CORRECT)
    if files:
        for name in sorted({*needing}.difference(described, excluded)):
            yield _remark(name, f"{BASE}/api_def_{name}.pbtxt is missing", ops[name][PLACE][:2], _WRITE)


def faults(fields: list[Field], serialized: bytes) -> Iterator[Fault]:
    """Yield the points in which an api_def contradicts the OpDef of its op."""
    opdef = message("OpDef").FromString(serialized)
    declared = {
        "in_arg.name": {argument.name for argument in opdef.input_arg},
        "out_arg.name": {argument.name for argument in opdef.output_arg},
        "attr.name": {attr.name for attr in opdef.attr},
    }
    for name, value, line in fields:
        if name in _ARGUMENTS and value not in declared[name]:
            yield f"the op has no {_ARGUMENTS[name]} '{value}'", line
        elif name == "visibility" and value not in _VISIBILITIES:
            yield f"the visibility '{value}' is none of {', '.join(_VISIBILITIES)}", line
    order = [value for name, value, _ in fields if name == "arg_order"]
    lines = {name: line for name, _, line in fields}
    if order and sorted(order) != sorted(argument.name for argument in opdef.input_arg):
        yield "arg_order has not just the inputs of the op", lines["arg_order"]
    if "deprecation_version" in lines and _MESSAGE not in lines:
        yield "deprecation_version is set, and deprecation_message is not", lines["deprecation_version"]
    deprecated = sum(name == _DEPRECATED and value == "true" for name, value, _ in fields)
    if deprecated and _MESSAGE in lines:
        yield "an endpoint and the whole op are deprecated; the message alone says it", lines[_DEPRECATED]
    elif deprecated and deprecated == sum(name == _ENDPOINT for name, _, _ in fields):
        yield "every endpoint is deprecated; deprecation_message has to say it instead", lines[_DEPRECATED]


def _remark(name: str, reason: str, place: tuple[str, int | None], remedy: str) -> RemarkRecord:
    """Return the remark that an api_def file and an op disagree."""
    return {
        "event": "api_def_wrong",
        "name": name,
        "op": name,
        "digest": digest(f"{name} {reason}".encode())[:_MAX_DIGEST],
        "facts": {"reason": reason, "remedy": remedy},
        "place": (*place, None),
    }
