"""The generator of a revision: the YAML files that make ops, and the rules that turn entries into makers.

Paddle changed these rules in 51 commits between 2022 and 2024. The rules in force are read from the text of the
generator's scripts and templates, which are not run.
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
"""The file that calls the generator, since November 2022 and before."""

FOLDERS = (
    "paddle/fluid/operators/generator",
    "paddle/phi/api/yaml/generator",
    "python/paddle/utils/code_gen",
)
"""The folders of the generator, newest first."""

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
"""The files of the generator that decide what an op declares."""

_COMMENT = pattern(r"#[^\n]*")
_CALL = pattern(r"\b(generate_op|generate_sparse_op|generate_static_op)\.py\b")
TYPES = pattern(r"opmaker_attr_types_map\s*=\s*\{(.*?)\}", "s")
"""The table of the C++ types of attrs in type_mapping.py."""
TYPE = pattern(r"'([^']+)'\s*:\s*'([^']+)'")
"""A row of `TYPES`: the type in YAML, and the C++ type."""
_STRIPS = pattern(r"\[-1\] == '_'")
_MAX_CALLS = 200
"""The limit on calls of the generator in one build; Paddle's builds have about 20."""


class MakerRules(Record):
    """The rules of a generator of op makers.

    `types` are the C++ types of attrs by their types in YAML. The others are flags of rules that came or went:
    - `keeps_all_attrs`: attrs that the kernel does not take are declared too
    - `grad_inputs`, `grad_outputs`: a name that ends in `_grad` becomes `...@GRAD`
    - `optional_outputs`: outputs can be dispensable
    - `extra_inputs`, `extra_outputs`: op_compat.yaml can make them extra
    - `scalars`, `int_arrays`: op_compat.yaml can name the inputs that replace a Scalar or an IntArray, and their types
    - `support_tensor`: op_compat.yaml can leave these inputs out; `needs_tensor_name`: it has to name them otherwise
    - `sparse_renames`: the data_format of a sparse batch_norm becomes data_layout
    - `strips`, `strips_sparse`, `strips_compat`: a trailing `_` of a name is removed in the ops, the sparse ops, and
      op_compat.yaml
    - `pascal_case`: names of inputs and outputs are converted to it
    - `quotes`: a default of a Scalar(double) that becomes a string is quoted
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


class GeneratorCall(Record):
    """One call of the generator: its YAML file of ops, and the companion files.

    `script` is the name of the script. `options` are its options, with the YAML files in place of the parsed copies.
    `compat` is op_compat.yaml, `versions` op_version.yaml, `excluded` the list of ops to leave out, and `backward` the
    file of the gradients; None if the call names none.
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
    """The generator of a revision: its rules, its calls in the build, and the texts of its files by path.

    `entries` are the YAML files that it parses: the files of the calls, and others that make no op. `cmake` is the file
    with the calls.
    """

    rules: MakerRules
    steps: tuple[GeneratorCall, ...]
    entries: tuple[str, ...]
    parts: Mapping[str, str]
    cmake: str


def read(text_of: Callable[[str], str | None], load: Callable[[list[str]], None]) -> Generator | None:
    """Return the generator of a tree; None if the tree has none.

    `load` reads files ahead in one go. Raises UnresolvedError for more calls than any build has.
    """
    # Only the newest folder is read ahead: most revisions have no other.
    load([*CMAKE, *(f"{FOLDERS[0]}/{part}" for part in PARTS)])
    for cmake in CMAKE:
        text = text_of(cmake) or ""
        # Both files may exist; the one with the call counts.
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
    texts_by_name = {path[len(folder) + 1 :]: text for path, text in present.items()}
    steps, entries = _generator_calls(text, cmake)
    return Generator(rules=_rules(texts_by_name), steps=steps, entries=entries, parts=present, cmake=cmake)


def fingerprint(generator: Generator) -> str:
    """Return a hash that is equal for generators that work alike: comments and blank space do not count."""
    import hashlib

    digest = hashlib.sha256()
    for path, text in sorted(generator.parts.items()):
        # A `#` in a Jinja template is C++ or part of `{#`, and no comment of Python.
        code = _COMMENT.sub("", text) if path.endswith(".py") else text
        digest.update(f"{path.rpartition('/')[2]}\0{' '.join(code.split())}\0".encode())
    return digest.hexdigest()[:16]


def _rules(parts: Mapping[str, str]) -> MakerRules:
    """Read the rules from the texts of the generator's files."""
    template = parts.get("templates/operator_utils.c.j2", "")
    maker = _macro_text(template, "op_maker")
    add_input, add_output = _macro_text(template, "add_input"), _macro_text(template, "add_output")
    add_attr = _macro_text(template, "add_attr")
    script = parts.get("generate_op.py", "")
    types = TYPES.search(parts.get("type_mapping.py", ""))
    return MakerRules(
        types=dict(TYPE.findall(types[1])) if types else {},
        # Each rule is recognised by the code that came with it. `known_generators.py` lists the generators for which
        # the result was compared with the ops that the generator made.
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
        pascal_case="to_pascal_case(s" in _function_text(parts.get("filters.py", ""), "to_opmaker_name"),
        strips_sparse=bool(_STRIPS.search(parts.get("generate_sparse_op.py", ""))),
        strips=bool(re.search(r"\[-1\] != '_'", parts.get("parse_utils.py", ""))),
        strips_compat="without_underline" in script,
        quotes="'Scalar(double)'" in script and "std::string" in script,
    )


def _function_text(script: str, name: str) -> str:
    """Return the text of a Python function; "" if there is none."""
    match = re.search(rf"^def {name}\(.*?(?=^\S|\Z)", script, re.DOTALL | re.MULTILINE)
    return match[0] if match else ""


def _macro_text(template: str, name: str) -> str:
    """Return the text of a Jinja macro; "" if there is none."""
    match = re.search(rf"\{{%-?\s*macro {name}\(.*?endmacro", template, re.DOTALL)
    return match[0] if match else ""


def _generator_calls(script: str, cmake: str) -> tuple[tuple[GeneratorCall, ...], tuple[str, ...]]:
    """Return the calls of the generator in CMake, and the files that it parses."""
    calls = ScriptCalls(script, cmake)
    if len(_CALL.findall(calls.text)) > _MAX_CALLS:
        raise UnresolvedError(f"the YAML generator is called more than {_MAX_CALLS} times", cmake, 1)
    parsed = calls.parsed_files()
    steps: list[GeneratorCall] = []
    for match in _CALL.finditer(calls.text):
        options = calls.options(match.end())
        # The options were renamed from `api` to `ops` in 2022.
        ops = _first_option(options, "ops_yaml_path", "api_yaml_path")
        backward = _first_option(options, "backward_api_yaml_path", "backward_yaml_path", "backward_ops_yaml_path")
        steps.append(
            GeneratorCall(
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


def _first_option(options: Mapping[str, str], *names: str) -> str:
    """Return the value of the first option that a call has; "" for none."""
    return next((options[name] for name in names if options.get(name)), "")
