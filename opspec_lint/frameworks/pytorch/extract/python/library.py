"""The ops that Python code defines by `torch.library`, and by functions that call it."""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python import inference
from opspec_lint.frameworks.pytorch.extract.python.state import Frame
from opspec_lint.frameworks.pytorch.extract.python.statements import Statements
from opspec_lint.frameworks.pytorch.extract.python.values import (
    UNKNOWN,
    Annotation,
    Choice,
    Function,
    Library,
    Maker,
    Unknown,
    is_known,
)
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opspec_lint.frameworks.pytorch.extract.python.values import Method

    _Definition = Line | Remark

REGISTRARS = frozenset(("define", "custom_op", "triton_op", "infer_schema"))
"""What PyTorch calls the functions that define ops, or find the schema of one."""
_DEFINE = "torch.library.define"
_MAKERS = frozenset(
    (
        *("torch.library.custom_op", "torch.library.triton_op", "torch._library.custom_op", "torch._library.triton_op"),
        *("torch._library.custom_ops.custom_op", "torch._library.triton.triton_op", "torch._custom_ops.custom_op"),
    )
)
_INFER = frozenset(
    (
        *("torch.library.infer_schema", "torch._library.infer_schema", "torch._library.infer_schema.infer_schema"),
        *("torch._custom_op.impl.infer_schema", "torch._library.utils.infer_schema"),
    )
)
_LIBRARIES = {"torch.library.Library": False, "torch.library._scoped_library": True}
"""What makes a library, and whether its ops end with the block that it is made for."""
_OP = pattern(r"[A-Za-z_]\w*(?:::\w+)?(?:\.\w+)?")
_LONGEST_NAME = 60


class Definitions(Statements):
    """The evaluation of files that define ops; `found` are the definitions, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.registrars |= REGISTRARS
        self.definitions_so_far: list[tuple[_Definition, Library | None]] = []
        self._refusal = ""
        self._decorating: list[str] = []

    @property
    def results(self) -> list[_Definition]:
        """The definitions, in order."""
        return [definition for definition, _ in self.definitions_so_far]

    def library_deleted(self, library: Library) -> None:
        """Take away the ops of a library that nothing refers to any more."""
        if self.condition == ALWAYS:
            self.definitions_so_far = [element for element in self.definitions_so_far if element[1] is not library]

    def decorated(self, node: ast.expr, value: object, frame: Frame) -> object:
        """Return what a decorator makes of a function or class."""
        self._decorating.append(value.name if isinstance(value, Function) else "")
        try:
            return super().decorated(node, value, frame)
        finally:
            self._decorating.pop()

    def provided(
        self, path: str, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a call of something that PyTorch provides; None for any other function."""
        if path in _LIBRARIES:
            given = {**keywords, **dict(zip(("ns", "kind"), arguments, strict=False))}
            return Library(self.deep(given.get("ns", UNKNOWN)), is_scoped=_LIBRARIES[path])
        if path in _MAKERS:
            given = {**keywords, **dict(zip(("name", "fn"), arguments, strict=False))}
            has_function = self.forced(given.get("fn")) is not None
            return self.made(Maker(given), given["fn"], node, frame) if has_function else Maker(given)
        if path in _INFER:
            return self._inferred(arguments, keywords)
        if path == _DEFINE:
            return self._defined(arguments, keywords, node, frame)
        self._foreign(path, arguments, node, frame)
        return None

    def library_call(
        self, method: Method, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Return the result of a method of a library."""
        given = {**keywords, **dict(zip(("schema",), arguments, strict=False))}
        if method.name == "define" and isinstance(method.owner, Library) and "schema" in given:
            self._of_library(method.owner, given["schema"], node, frame)
        return UNKNOWN

    def made(self, maker: Maker, function: object, node: ast.AST, frame: Frame) -> object:
        """Return the result of a decorator that makes an op of a function."""
        name, function = self.deep(maker.given.get("name", UNKNOWN)), self.forced(function)
        schema = self.deep(maker.given.get("schema"))
        self._refusal = ""
        if not isinstance(schema, str):
            is_given = schema is not None
            schema = UNKNOWN if is_given else self._schema_of(function, maker.given)
        unnamed = "" if isinstance(name, str | Choice) else "its name is no literal"
        self._emit(self.binary(ast.Add(), name, schema), name, unnamed or self._refusal, node, frame)
        return function

    def _defined(
        self, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, frame: Frame
    ) -> object:
        """Evaluate `torch.library.define("ns::name", "(...) -> ...")`, or `define(library, "name(...) -> ...")`."""
        library = self.forced(arguments[0]) if arguments else None
        if isinstance(library, Library):
            self._of_library(library, arguments[1] if len(arguments) > 1 else UNKNOWN, node, frame)
            return UNKNOWN
        given = {**keywords, **dict(zip(("qualname", "schema"), arguments, strict=False))}
        name, schema = (self.deep(given.get(key, UNKNOWN)) for key in ("qualname", "schema"))
        self._emit(self.binary(ast.Add(), name, schema), name, "", node, frame)
        return UNKNOWN

    def _of_library(self, library: Library, schema: object, node: ast.AST, frame: Frame) -> None:
        if library.is_scoped:
            return
        space, schema = self.deep(library.namespace), self.deep(schema)
        prefix = self.binary(ast.Add(), space, "::")
        reason = "" if isinstance(space, str | Choice) else "the namespace of the library is not known"
        self._emit(self.binary(ast.Add(), prefix, schema), schema if reason else prefix, reason, node, frame, library)

    def _foreign(self, path: str, arguments: Sequence[object], node: ast.AST, frame: Frame) -> None:
        """Note a call of unknown code that seems to define an op."""
        called = path.rpartition(".")[2]
        if not called and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = node.func.attr
        first = self.deep(arguments[0]) if arguments and (called == "define" or "custom_op" in called) else None
        if not isinstance(first, str):
            return
        if called == "define" and ") ->" in first:
            owner = (
                ast.unparse(node.func.value)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                else path
            )
            self._unresolved(_joined_lines(first), f"the namespace of '{owner}' is not known", node, frame)
        elif "::" in first and _OP.fullmatch(first) and not path.startswith("torch."):
            self._unresolved(first, f"'{path or called}' is not in the tree", node, frame)

    def _emit(  # noqa: PLR0913, PLR0917 - the definition, and where it is
        self, text: object, name: object, reason: str, node: ast.AST, frame: Frame, library: Library | None = None
    ) -> None:
        """Note an op that is defined under the current condition; without its text, that it cannot be evaluated."""
        if isinstance(text, Choice):
            self.by_alternative(text, lambda element: self._emit(element, name, reason, node, frame, library))
            return
        reason = reason or self._refusal or "the schema is no literal"
        self._refusal = ""
        if not isinstance(text, str):
            known = name if isinstance(name, str) else ""
            if known.endswith("::"):
                known = f"{known}{self._name_given(node, frame)}" if self._name_given(node, frame) else ""
            self._unresolved(known or self._name_given(node, frame), reason, node, frame, library)
            return
        origin = self._place(node, frame)[0]
        line = self.condition_line if self.condition != ALWAYS else None
        definition = Line(_joined_lines(text), origin.file, origin.line, condition=self.condition, condition_line=line)
        self.definitions_so_far.append((definition, library))

    def _unresolved(self, name: str, reason: str, node: ast.AST, frame: Frame, library: Library | None = None) -> None:
        origin, node, frame = self._place(node, frame)
        decorated = next((element for element in reversed(self._decorating) if element), "")
        shown = name or decorated or ast.unparse(getattr(node, "func", node))
        remark = Remark(
            event="op_unresolved",
            name=shown[:_LONGEST_NAME],
            op=name if "::" in name and _OP.fullmatch(name) else None,
            digest=f"{shown} {ast.unparse(node)}",
            facts={"reason": reason},
            origin=origin,
        )
        if all(remark != element for element, _ in self.definitions_so_far[-1:]):
            self.definitions_so_far.append((remark, library))

    def _place(self, node: ast.AST, frame: Frame) -> tuple[Origin, ast.AST, Frame]:
        """Return the place of a definition: the call that states its arguments, which may be one of a registrar."""
        while frame.call is not None and frame.call[1].module.path and _depends(node, frame):
            node, frame = frame.call
        return Origin(file=frame.module.path, line=getattr(node, "lineno", None)), node, frame

    def _name_given(self, node: ast.AST, frame: Frame) -> str:
        """Return the text that a call of a registrar gives and that may be the name of the op, "" if there is none."""
        _, node, frame = self._place(node, frame)
        if not isinstance(node, ast.Call):
            return ""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        texts = (self.deep(self.value(element, frame)) for element in given if not isinstance(element, ast.Starred))
        return next((text for text in texts if isinstance(text, str) and _OP.fullmatch(text)), "")

    def _inferred(self, arguments: Sequence[object], keywords: Mapping[str, object]) -> object:
        """Return the result of `infer_schema(function, mutates_args=...)`."""
        given = {**keywords, **dict(zip(("prototype_function", "mutates_args"), arguments, strict=False))}
        schema = self._schema_of(self.forced(given.get("prototype_function", UNKNOWN)), given)
        return self.binary(ast.Add(), self.deep(given["op_name"]), schema) if given.get("op_name") else schema

    def _schema_of(self, function: object, given: Mapping[str, object]) -> object:
        """Return the schema that PyTorch infers of a function, UNKNOWN if that cannot be told."""
        if isinstance(function, Choice):
            return self.by_alternative(function, lambda element: self._schema_of(self.forced(element), given))
        if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
            self._refusal = "the function that it is made of is not known"
            return UNKNOWN
        mutated = self.deep(given.get("mutates_args", UNKNOWN))
        if not is_known(mutated) or not isinstance(mutated, str | tuple | list | dict):
            self._refusal = "`mutates_args` is no literal"
            return UNKNOWN
        if is_known(tags := self.deep(given.get("tags", ()))) is False or tags:
            self._refusal = "its tags can change what it returns"
            return UNKNOWN
        names = mutated if isinstance(mutated, str) else tuple(map(str, mutated))
        try:
            return inference.infer(function.node, names, _Names(self, function))
        except inference.NotInferableError as error:
            self._refusal = str(error)
            return UNKNOWN


class _Names(inference.Names):
    """The names in the definition of a function, as its file defines them."""

    def __init__(self, evaluator: Definitions, function: Function) -> None:
        self._evaluator = evaluator
        self._function = function
        self._frame = Frame(function.scope, function.module)

    def path(self, node: ast.expr) -> str:
        """Return the dotted name of what an expression names."""
        return self._evaluator.path_of(node, self._frame)

    def written(self, node: ast.expr) -> ast.expr:
        """Return the type that a name is an alias of, or the expression itself."""
        if isinstance(node, ast.Name | ast.Attribute):
            value = self._evaluator.forced(self._evaluator.value(node, self._frame))
            if isinstance(value, Annotation) and value.scope is self._function.scope:
                return value.node
        return node

    def default(self, name: str) -> object:
        """Return the default value of a parameter: a constant, or a dotted name as `inference.Name`."""
        value = self._evaluator.deep(self._function.defaults.get(name, UNKNOWN))
        return inference.Name(value.path) if isinstance(value, Unknown) else value


def _depends(node: ast.AST, frame: Frame) -> bool:
    """Return whether an argument of a call, or a decorator, names something of the function that the call is in."""
    given = [*node.args, *(element.value for element in node.keywords)] if isinstance(node, ast.Call) else [node]
    names = (part.id for element in given for part in ast.walk(element) if isinstance(part, ast.Name))
    return any((scope := frame.scope.find(name)) is not None and scope is not frame.module.scope for name in names)


def _joined_lines(text: str) -> str:
    return " ".join(text.split())
