"""Evaluation of ops that a class template declares, and that REGISTER_TF_OP_SHIM registers.

The macro names a kernel, a class derived from `TfOpKernel<Impl, ...>` or an alias of one. The strings for OpDefBuilder
are static members of the template Impl (CreateOpDefBuilderWrapper of lite/kernels/shim/tf_op_shim.h).
"""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.classes import class_at, class_matches, class_name, split_top
from opspec_lint.cpp.declarations import ALIAS
from opspec_lint.cpp.tokens import NAME, split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import std_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.tensorflow.extract.source.builder import Builder, BuiltOp, Place
    from opspec_lint.frameworks.tensorflow.extract.source.names import Names

_BASE = "TfOpKernel"
_METHODS = {"Inputs": "Input", "Outputs": "Output", "Attrs": "Attr"}
"""The static function that returns the arguments of each method of OpDefBuilder, in the order of the calls."""
_NAME, _DOC = ("OpName", "kOpName"), ("Doc", "kDoc")
"""The static function, and the constant that TensorFlow 2.7 and earlier reads instead."""
_MAX_STEPS = 10
"""Aliases and base classes between the kernel and `TfOpKernel`."""


def kernel_of(tokens: Tokens) -> str:
    """Return the kernel in `REGISTER_TF_OP_SHIM(kernel)` or, up to TensorFlow 2.6, `(name of the op, kernel)`.

    Raises:
        UnresolvedError: the kernel is not a plain name.
    """
    arguments = split_arguments(tokens, 2, tokens.closing(1))
    start, end = arguments[-1] if arguments else (0, 0)
    kind, name, _ = tokens[start]
    if kind != NAME or end != start + 1:
        raise UnresolvedError("the class that declares the op is not a plain name")
    return name


def build_op(kernel: str, names: Names, make_builder: Callable[[str], Builder], place: Place) -> BuiltOp:
    """Build the op of a kernel.

    Args:
        kernel: the name of the kernel.
        names: the names that are visible at the registration.
        make_builder: makes the builder of an op of a name.
        place: the place of the registration.

    Raises:
        UnresolvedError: the class is not known, or one of its strings cannot be evaluated.
    """
    scope, names = _implementation(kernel, names)
    builder = make_builder(_text(scope, names, *_NAME))
    for member, method in _METHODS.items():
        body, _ = names.function(scope, member, [])
        where = (body.code.path, *body.code.place(body.start)) if body.is_open else place
        for text in names.call(scope, member, []):
            builder.call(method, [partial(_itself, text)], where)
    builder.call("Doc", [partial(_text, scope, names, *_DOC)], place)
    return builder.finish()


def _implementation(kernel: str, names: Names) -> tuple[tuple[str, ...], Names]:
    """Return the qualified name of the template that declares the op of a kernel, and the names visible there."""
    for _ in range(_MAX_STEPS):
        selected = next(
            ((text, there) for declared, there in names.types(kernel) for text in _targets(declared, kernel)), None
        )
        if selected is None:
            raise UnresolvedError(f"the class {kernel} declares the op, and it is not known")
        text, names = selected
        kernel, arguments = class_name(text)
        if kernel == _BASE:
            first = split_top(arguments)[0].split("::")
            return tuple(part.strip() for part in first if part.strip()), names
    raise UnresolvedError(f"the class {kernel} is not derived from {_BASE}")


def _targets(declared: NameDeclaration, name: str) -> tuple[str, ...]:
    """Return the type that an alias names, or the base classes of a class; none for a class without a body here."""
    if declared.kind == ALIAS:
        return (declared.text.strip(),)
    matches = class_matches(declared.code).get(name, ())
    return next((class_at(declared.code, match).bases for match in matches if match.start(1) == declared.offset), ())


def _text(scope: tuple[str, ...], names: Names, function: str, constant: str) -> str:
    """Return the string of a static function or, if there is none, of a constant."""
    value = names.call(scope, function, []) if names.has_function(scope, function) else names.constant(scope, constant)
    return std_string(value)


def _itself(value: Any) -> Any:
    return value
