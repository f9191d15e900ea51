"""The ops that Python code defines by `torch.library`, and by functions that call it.

`Definitions.results` are, in the order of evaluation, the schema of each op (`Line`), or a remark where the name or the
schema cannot be evaluated, each with the module that executes the definition when it is imported.
"""

from __future__ import annotations

import ast

from opspec_lint.frameworks.pytorch.extract.python import inference
from opspec_lint.frameworks.pytorch.extract.python.function_names import FunctionNames
from opspec_lint.frameworks.pytorch.extract.python.lifetimes import live_libraries
from opspec_lint.frameworks.pytorch.extract.python.state import Frame, Site
from opspec_lint.frameworks.pytorch.extract.python.statements import Statements
from opspec_lint.frameworks.pytorch.extract.python.values import (
    UNKNOWN,
    Choice,
    Function,
    Library,
    OpDecorator,
    Unknown,
    is_known,
)
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import show_syntax, walk
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, negation
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall
    from opspec_lint.frameworks.pytorch.extract.python.values import Method, Scope

    _Definition = Line | Remark

REGISTRARS = frozenset(("define", "custom_op", "triton_op", "infer_schema", "load_inline", "methodcaller"))
"""The names of functions that define ops, infer the schema of one, or return a function that may define one."""
_LIBRARY_METHODS = frozenset(
    """
    define fallback impl _destroy _impl_with_aoti_compile _register_fake _register_torch_dispatch_rule
    """.split()  # noqa: SIM905 - a list would have a line for each
)
_DEFINE = "torch.library.define"
_OP_DECORATORS = frozenset(
    (
        *("torch.library.custom_op", "torch.library.triton_op", "torch._library.custom_op", "torch._library.triton_op"),
        *("torch._library.custom_ops.custom_op", "torch._library.triton.triton_op", "torch._custom_ops.custom_op"),
    )
)
_INFER_SCHEMA = frozenset(
    (
        *("torch.library.infer_schema", "torch._library.infer_schema", "torch._library.infer_schema.infer_schema"),
        *("torch._custom_op.impl.infer_schema", "torch._library.utils.infer_schema"),
    )
)
_LIBRARIES = {"torch.library.Library": False, "torch.library._scoped_library": True}
"""The functions that return a library, and whether its ops last no longer than the `with` block."""
_DEFINERS = frozenset((*_OP_DECORATORS, *_INFER_SCHEMA, *_LIBRARIES, _DEFINE, "torch.library.Library.define"))
_OP = pattern(r"[A-Za-z_]\w*(?:::\w+)?(?:\.\w+)?")
_LONGEST_NAME = 60


class Definitions(Statements):
    """The evaluation of the calls that define ops; `results` are the definitions, in order.

    `executed` is the file that is executed at the moment, "" within a function that no file calls.
    """

    def __init__(self) -> None:
        super().__init__()
        self.registrars |= REGISTRARS
        self.executed = ""
        self._definitions: list[tuple[_Definition, Library | None, str]] = []
        self._reason_unknown = ""
        self._decorating: list[str] = []
        self._unevaluated: set[int] = set()

    def note_changed_containers(self) -> None:
        """Add a remark about each loop over a container that has got further items since."""
        for container, size, iterated, frame in self.watched:
            if len(container) > size:
                reason = f"`{show_syntax(iterated)}` gets further items behind the loop, or at a time that is not known"
                self._add_unresolved("", reason, Site(iterated, frame))

    @property
    def results(self) -> list[tuple[_Definition, str]]:
        """The ops defined so far, and remarks about definitions that cannot be evaluated, each with its module."""
        return [(definition, module) for definition, _, module in self._definitions]

    def drop_dead_libraries(self, scopes: Iterable[Scope]) -> None:
        """Remove the ops of the libraries that nothing refers to at the end: PyTorch unregisters them with the object.

        Args:
            scopes: the names of all modules.
        """
        libraries = {id(library) for _, library, _ in self._definitions if library is not None}
        dead = libraries - live_libraries(scopes)
        if dead:
            dead -= live_libraries(self.escaped)
        self._definitions = [element for element in self._definitions if id(element[1]) not in dead]

    def _destroy_library(self, library: Library) -> None:
        """Remove the ops of a library under the current condition."""
        kept: list[tuple[_Definition, Library | None, str]] = []
        for definition, owner, module in self._definitions:
            if owner is not library or not isinstance(definition, Line):
                kept.append((definition, owner, module))
                continue
            condition = conjunction(definition.condition or ALWAYS, negation(self.condition))
            if condition != NEVER:
                kept.append((definition.under(condition, self.condition_line or 1), owner, module))
        self._definitions = kept

    def apply_decorator(self, node: ast.expr, value: object, frame: Frame) -> object:
        """Return what a decorator makes of a function or class; remarks meanwhile show the name of the function."""
        self._decorating.append(value.name if isinstance(value, Function) else "")
        try:
            return super().apply_decorator(node, value, frame)
        finally:
            self._decorating.pop()

    def note_replaced(self, path: str, site: Site) -> None:
        """Add a remark about code that replaces a function that defines ops."""
        if path in _DEFINERS:
            self._add_unresolved(path, f"`{path}` is replaced, so that it may define other ops or none", site)

    def note_unevaluated(self, statement: ast.stmt, error: Exception, frame: Frame) -> None:
        """Add a remark about a statement that cannot be evaluated, once for all calls that reach it."""
        if id(statement) not in self._unevaluated:
            self._unevaluated.add(id(statement))
            depth = "it is nested too deep" if isinstance(error, RecursionError) else type(error).__name__
            reason = f"the statement cannot be evaluated, and what it defines is not known: {depth}"
            self._add_unresolved("", reason, Site(statement, Frame(frame.scope, frame.module)))

    def call_provided(self, path: str, call: EvaluatedCall) -> object:
        """Return the result of a function of PyTorch, by its dotted name; None for one that defines no op."""
        if path in _LIBRARIES:
            by_name = call.by_name("ns", "kind")
            space, kind = (self.resolve_deeply(by_name.get(key, UNKNOWN)) for key in ("ns", "kind"))
            library = Library(space, kind, is_scoped=_LIBRARIES[path])
            if not self.executed:  # the caller of a function that no file calls may keep it
                self.escaped.append(library)
            return library
        if path in _OP_DECORATORS:
            by_name = call.by_name("name", "fn")
            has_function = self.resolve(by_name.get("fn")) is not None
            return (
                self.make_op(OpDecorator(by_name), by_name["fn"], call.site) if has_function else OpDecorator(by_name)
            )
        if path in _INFER_SCHEMA:
            return self._call_infer_schema(call)
        if path == _DEFINE:
            return self._call_define(call)
        if path == "setattr" and isinstance(
            owner := self.resolve(call.arguments[0] if call.arguments else None), Unknown
        ):
            name = self.resolve_deeply(call.argument(1))
            # A name that is not known may be the one of any function of the module.
            members = (path for path in sorted(_DEFINERS) if path.rpartition(".")[0] == owner.path)
            replaced = f"{owner.path}.{name}" if isinstance(name, str) else next(members, "")
            self.note_replaced(replaced, call.site)
        if path.endswith(".load_inline"):
            source = "\n".join(_texts(self.resolve_deeply(list(call.values))))
            if "TORCH_LIBRARY" in source:
                self._add_unresolved("", "C++ source in a text is not read", call.site, content=source)
        self._note_unknown_definer(path, call)
        return None

    def call_library(self, method: Method, call: EvaluatedCall) -> object:
        """Evaluate `library.define(SCHEMA)`; other methods of a library define no op."""
        if method.name == "_destroy" and isinstance(method.owner, Library):
            self._destroy_library(method.owner)
        elif method.name not in _LIBRARY_METHODS:
            self._add_unresolved("", f"`{method.name}` of a library is not followed", call.site)
        by_name = call.by_name("schema")
        if method.name == "define" and isinstance(method.owner, Library):
            self._define_in_library(method.owner, by_name.get("schema", UNKNOWN), call.site)
        return UNKNOWN

    def make_op(self, decorator: OpDecorator, function: object, site: Site) -> object:
        """Define the op that a decorator makes of a function, and return the function."""
        name, function = self.resolve_deeply(decorator.arguments.get("name", UNKNOWN)), self.resolve(function)
        schema = self.resolve_deeply(decorator.arguments.get("schema"))
        self._reason_unknown = ""
        if not isinstance(schema, str):
            is_given = schema is not None
            schema = UNKNOWN if is_given else self._infer_schema(function, decorator.arguments)
        unnamed = "" if isinstance(name, str | Choice) else "its name is no literal"
        self._add_definition(self.apply_operator(ast.Add(), name, schema), name, unnamed or self._reason_unknown, site)
        return function

    def _call_define(self, call: EvaluatedCall) -> object:
        """Evaluate `torch.library.define("ns::name", "(...) -> ...")`, or `define(library, "name(...) -> ...")`."""
        library = self.resolve(call.argument(0))
        if isinstance(library, Library):
            self._define_in_library(library, call.argument(1), call.site)
            return UNKNOWN
        by_name = call.by_name("qualname", "schema")
        name, schema = (self.resolve_deeply(by_name.get(key, UNKNOWN)) for key in ("qualname", "schema"))
        owner = self.resolve(by_name.get("lib"))
        self._add_definition(
            self.apply_operator(ast.Add(), name, schema),
            name,
            "",
            call.site,
            owner if isinstance(owner, Library) else None,
        )
        return UNKNOWN

    def _define_in_library(self, library: Library, schema: object, site: Site) -> None:
        """Add the op that `library.define(SCHEMA)` defines, in the namespace of the library."""
        # `_scoped_library` removes its ops at the end of the `with` block (torch/library.py).
        if library.is_scoped:
            return
        if library.kind == "IMPL":  # `define` raises
            self.stop()
            return
        space, schema = self.resolve_deeply(library.namespace), self.resolve_deeply(schema)
        prefix = self.apply_operator(ast.Add(), space, "::")
        reason = "" if isinstance(space, str | Choice) else "the namespace of the library is not known"
        self._add_definition(
            self.apply_operator(ast.Add(), prefix, schema), schema if reason else prefix, reason, site, library
        )

    def _note_unknown_definer(self, path: str, call: EvaluatedCall) -> None:
        """Add a remark about a call of code outside the tree that seems to define an op."""
        called, node = path.rpartition(".")[2], call.site.node
        if not called and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = node.func.attr
        if called != "define" and "custom_op" not in called:
            return
        first = self.resolve_deeply(call.argument(0))
        if not isinstance(first, str):
            return
        if called == "define" and ") ->" in first:
            owner = (
                show_syntax(node.func.value)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                else path
            )
            self._add_unresolved(_join_lines(first), f"the namespace of '{owner}' is not known", call.site)
        elif "::" in first and _OP.fullmatch(first) and not path.startswith("torch."):
            self._add_unresolved(first, f"'{path or called}' is not in the tree", call.site)

    def _add_definition(
        self, text: object, name: object, reason: str, site: Site, library: Library | None = None
    ) -> None:
        """Add an op that is defined under the current condition, or a remark where its schema is not known."""
        if isinstance(text, Choice):
            self.map_alternatives(text, lambda element: self._add_definition(element, name, reason, site, library))
            return
        reason = reason or self._reason_unknown or "the schema is no literal"
        self._reason_unknown = ""
        if not isinstance(text, str):
            known = name if isinstance(name, str) else ""
            if known.endswith("::"):
                known = f"{known}{self._op_name_in_call(site)}" if self._op_name_in_call(site) else ""
            self._add_unresolved(known or self._op_name_in_call(site), reason, site, library)
            return
        origin, _ = self._locate(site)
        line = self.condition_line if self.condition != ALWAYS else None
        definition = Line(_join_lines(text), origin.file, origin.line, condition=self.condition, condition_line=line)
        self._definitions.append((definition, library, self.executed))

    def _add_unresolved(
        self, name: str, reason: str, site: Site, library: Library | None = None, *, content: str = ""
    ) -> None:
        """Add a remark about a definition that cannot be evaluated; `name` is "" if it is not known.

        The remark is another one where `content`, which the definition depends on, is another text.
        """
        origin, (node, _) = self._locate(site)
        decorated = next((element for element in reversed(self._decorating) if element), "")
        shown = name or decorated or _join_lines(show_syntax(getattr(node, "func", node)))
        remark = Remark(
            event="op_unresolved",
            name=shown[:_LONGEST_NAME],
            op=name if "::" in name and _OP.fullmatch(name) else None,
            digest=f"{shown} {show_syntax(node)} {content}".rstrip(),
            facts={"reason": reason},
            origin=origin,
        )
        if all(remark != element for element, *_ in self._definitions[-1:]):
            self._definitions.append((remark, library, self.executed))

    def _locate(self, site: Site) -> tuple[Origin, Site]:
        """Return the origin of a definition, and its site: the outermost call on the way that states its arguments.

        A function that defines ops for its callers, `def register(name): lib.define(name + ...)`, is not the place.
        """
        while (call := site.frame.call) is not None and call.frame.module.path and _uses_local_names(site):
            site = call
        return Origin(file=site.frame.module.path, line=getattr(site.node, "lineno", None)), site

    def _op_name_in_call(self, site: Site) -> str:
        """Return the first argument of a call that may be the name of an op, "" if there is none."""
        _, (node, frame) = self._locate(site)
        if not isinstance(node, ast.Call):
            return ""
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        texts = (
            self.resolve_deeply(self.evaluate(element, frame))
            for element in arguments
            if not isinstance(element, ast.Starred)
        )
        return next((text for text in texts if isinstance(text, str) and _OP.fullmatch(text)), "")

    def _call_infer_schema(self, call: EvaluatedCall) -> object:
        """Return the result of `infer_schema(function, mutates_args=...)`."""
        by_name = call.by_name("prototype_function", "mutates_args")
        schema = self._infer_schema(self.resolve(by_name.get("prototype_function", UNKNOWN)), by_name)
        return (
            self.apply_operator(ast.Add(), self.resolve_deeply(by_name["op_name"]), schema)
            if by_name.get("op_name")
            else schema
        )

    def _infer_schema(self, function: object, by_name: Mapping[str, object]) -> object:
        """Return the schema that PyTorch infers from a function; UNKNOWN, and set the reason, where it is not known."""
        if isinstance(function, Choice):
            return self.map_alternatives(function, lambda element: self._infer_schema(self.resolve(element), by_name))
        if isinstance(function, Function) and function.presented is not None:
            presented = self.resolve(function.presented)
            alternatives = presented.alternatives if isinstance(presented, Choice) else ((ALWAYS, presented),)
            schemas = {self._infer_schema(element, by_name) for _, element in alternatives}
            if isinstance(presented, Function | Choice):
                return schemas.pop() if len(schemas) == 1 else self._infer_schema(presented, by_name)
        if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
            self._reason_unknown = "the function that it is made of is not known"
            return UNKNOWN
        mutated = self.resolve_deeply(by_name.get("mutates_args", UNKNOWN))
        if not is_known(mutated) or not isinstance(mutated, str | tuple | list | dict):
            self._reason_unknown = "`mutates_args` is no literal"
            return UNKNOWN
        if is_known(tags := self.resolve_deeply(by_name.get("tags", ()))) is False or tags:
            self._reason_unknown = "its tags can change what it returns"
            return UNKNOWN
        names = mutated if isinstance(mutated, str) else tuple(map(str, mutated))
        try:
            return inference.infer(function.node, names, FunctionNames(self, function))
        except inference.NotInferableError as error:
            self._reason_unknown = str(error)
            return UNKNOWN


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value and in the lists within it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _uses_local_names(site: Site) -> bool:
    """Return whether an argument of a call, or a decorator, uses a parameter or local name of its function."""
    node, frame = site
    parts = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else [node]
    names = (part.id for element in parts for part in walk(element) if isinstance(part, ast.Name))
    return any((scope := frame.scope.find(name)) is not None and scope is not frame.module.scope for name in names)


def _join_lines(text: str) -> str:
    """Return a text with every run of spaces and line ends as one space."""
    return " ".join(text.split())
