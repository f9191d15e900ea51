"""What the build of a revision does with its YAML files: which of them make ops, and by which rules.

The rules of Paddle's own generator drift. Which of them hold is read off its files; the generator itself is not run.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.script_calls import ScriptCalls
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CMAKE = ("paddle/fluid/operators/generator/CMakeLists.txt", "paddle/phi/api/lib/CMakeLists.txt")
"""Where the build calls the generator, since November 2022 and before."""

FOLDERS = (
    "paddle/fluid/operators/generator",
    "paddle/phi/api/yaml/generator",
    "python/paddle/utils/code_gen",
)
"""Where the generator is, newest first."""

PARTS = (
    "generate_op.py",
    "generate_sparse_op.py",
    "generate_static_op.py",
    "parse_utils.py",
    "type_mapping.py",
    "filters.py",
    "tests_utils.py",
    "tests.py",
    "templates/operator_utils.c.j2",
    "templates/op.c.j2",
    "templates/sparse_op.c.j2",
)
"""The files of the generator that decide what an op has."""

_COMMENT = pattern(r"#[^\n]*")
_CALL = pattern(r"\b(generate_op|generate_sparse_op|generate_static_op)\.py\b")
TYPES = pattern(r"opmaker_attr_types_map\s*=\s*\{(.*?)\}", "s")
"""The table of the C++ types of attrs in type_mapping.py."""
TYPE = pattern(r"'([^']+)'\s*:\s*'([^']+)'")
"""A row of it: the YAML's type, and the C++ type."""
_STRIPS = pattern(r"\[-1\] == '_'")
_MAX_CALLS = 200
"""Calls of the generator in one build; Paddle's have about 20."""


class Rules(Record):
    """The rules of a generator.

    `types` are the C++ types of attrs by the YAML's. The rest tells whether a rule holds. `keeps_all_attrs`: attrs that
    the kernel does not take are kept as well. `grad_inputs`, `grad_outputs`: a name that ends in `_grad` becomes
    `...@GRAD`. `optional_outputs`: outputs can be dispensable. `extra_inputs`, `extra_outputs`: op_compat.yaml can make
    them extra. `scalars`, `int_arrays`: it can name the inputs that go with a Scalar or an IntArray, and their types;
    `support_tensor`: it can do without them; `needs_tensor_name`: it must name one or the other. `sparse_renames`: the
    data_format of a sparse batch_norm becomes data_layout. `strips`, `strips_sparse`, `strips_compat`: a `_` at the end
    of a name goes, in the ops, the sparse ones, and op_compat.yaml. `pascal_case`: names of inputs and outputs are put
    into it. `quotes`: a default of a Scalar(double) that becomes a string is quoted.
    """

    types: Mapping[str, str]
    keeps_all_attrs: bool
    grad_inputs: bool
    grad_outputs: bool
    optional_outputs: bool
    extra_inputs: bool
    extra_outputs: bool
    scalars: bool
    int_arrays: bool
    support_tensor: bool
    needs_tensor_name: bool
    sparse_renames: bool
    pascal_case: bool
    strips: bool
    strips_sparse: bool
    strips_compat: bool
    quotes: bool


class Step(Record):
    """One call of the generator: the YAML file, and the companion files that it is given.

    `script` is what is called, and `options` are those of the call, with the YAML files in place of the parsed ones.
    """

    script: str
    options: Mapping[str, str]
    ops: str
    compat: str | None
    versions: str | None
    excluded: str | None
    sparse: bool
    backward: str | None


class Generator(Record):
    """The generator of a revision: its rules, the calls of the build, and the texts of its files by path.

    `entries` are the YAML files whose entries it parses: those of the steps, and others that make no op.
    """

    rules: Rules
    steps: tuple[Step, ...]
    entries: tuple[str, ...]
    parts: Mapping[str, str]
    cmake: str


def read(text_of: Callable[[str], str | None], load: Callable[[list[str]], None]) -> Generator | None:
    """Return the generator of a tree, None where it has none.

    Args:
        text_of: returns the text of a file of the tree, None where there is none.
        load: reads files ahead.

    Raises:
        UnresolvedError: the build calls it more often than any build does.
    """
    load([*CMAKE, *(f"{folder}/{part}" for folder in FOLDERS[:1] for part in PARTS)])
    for cmake in CMAKE:
        text = text_of(cmake) or ""
        if "generate_op.py" in text:
            break
    else:
        return None
    for folder in FOLDERS:
        if text_of(f"{folder}/generate_op.py") is not None:
            break
    else:
        return None
    parts = {f"{folder}/{part}": text_of(f"{folder}/{part}") for part in PARTS}
    present = {path: text for path, text in parts.items() if text is not None}
    named = {path[len(folder) + 1 :]: text for path, text in present.items()}
    steps, entries = _steps(text, cmake)
    return Generator(rules=_rules(named), steps=steps, entries=entries, parts=present, cmake=cmake)


def fingerprint(generator: Generator) -> str:
    """Return a short text that is the same for generators that work alike: comments and blank space do not count."""
    import hashlib

    digest = hashlib.sha256()
    for path, text in sorted(generator.parts.items()):
        words = _COMMENT.sub("", text) if path.endswith(".py") else text
        digest.update(f"{path.rpartition('/')[2]}\0{' '.join(words.split())}\0".encode())
    return digest.hexdigest()[:16]


def _rules(parts: Mapping[str, str]) -> Rules:
    template = parts.get("templates/operator_utils.c.j2", "")
    maker = _macro(template, "op_maker")
    add_input, add_output = _macro(template, "add_input"), _macro(template, "add_output")
    add_attr = _macro(template, "add_attr")
    script = parts.get("generate_op.py", "")
    types = TYPES.search(parts.get("type_mapping.py", ""))
    return Rules(
        types=dict(TYPE.findall(types[1])) if types else {},
        keeps_all_attrs='["kernel"]["param"]' not in maker,
        grad_inputs="to_opmaker_name" in add_input,
        grad_outputs="to_opmaker_name" in add_output,
        optional_outputs='output["optional"]' in add_output,
        extra_inputs="is_extra" in add_input,
        extra_outputs="is_extra" in add_output,
        scalars="scalar_configs" in script,
        int_arrays="int_array_configs" in script,
        support_tensor="support_tensor" in add_attr,
        needs_tensor_name="if 'tensor_name' in scalar_config" not in script,
        sparse_renames="data_layout" in parts.get("generate_sparse_op.py", ""),
        pascal_case="to_pascal_case(s" in _function(parts.get("filters.py", ""), "to_opmaker_name"),
        strips_sparse=bool(_STRIPS.search(parts.get("generate_sparse_op.py", ""))),
        strips=bool(re.search(r"\[-1\] != '_'", parts.get("parse_utils.py", ""))),
        strips_compat="without_underline" in script,
        quotes="'Scalar(double)'" in script and "std::string" in script,
    )


def _function(script: str, name: str) -> str:
    match = re.search(rf"^def {name}\(.*?(?=^\S|\Z)", script, re.DOTALL | re.MULTILINE)
    return match[0] if match else ""


def _macro(template: str, name: str) -> str:
    match = re.search(rf"\{{%-?\s*macro {name}\(.*?endmacro", template, re.DOTALL)
    return match[0] if match else ""


def _steps(script: str, cmake: str) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """Return the steps, and the files that are parsed."""
    calls = ScriptCalls(script, cmake)
    if len(_CALL.findall(calls.text)) > _MAX_CALLS:
        raise UnresolvedError(f"the YAML generator is called more than {_MAX_CALLS} times", cmake, 1)
    parsed = calls.parsed()
    steps: list[Step] = []
    for match in _CALL.finditer(calls.text):
        options = calls.options(match.end())
        ops = options.get("ops_yaml_path") or options.get("api_yaml_path") or ""
        backward = options.get("backward_yaml_path") or options.get("backward_ops_yaml_path") or ""
        backward = options.get("backward_api_yaml_path", backward)
        steps.append(
            Step(
                script=f"{match[1]}.py",
                options={name: parsed.get(value, value) for name, value in options.items()},
                ops=parsed.get(ops, ops),
                compat=next((path for name, path in options.items() if name.endswith("compat_yaml_path")), None),
                versions=options.get("op_version_yaml_path") or options.get("api_version_yaml_path"),
                excluded=options.get("ops_exclude_yaml_path"),
                sparse=match[1] == "generate_sparse_op",
                backward=parsed.get(backward, backward) or None,
            )
        )
    sources = dict.fromkeys([*parsed.values(), *(step.ops for step in steps)])
    return tuple(steps), tuple(sources)
