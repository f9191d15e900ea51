"""What one C++ file registers: the ops with their arguments, what has no proto, what is unresolved."""

from __future__ import annotations

from opspec_lint.cpp.classes import class_name
from opspec_lint.cpp.unresolved import UnresolvedError, attempted
from opspec_lint.frameworks.paddle.source.declared import History, Unit, declared, unresolved
from opspec_lint.frameworks.paddle.source.fluid.op_versions import registered
from opspec_lint.frameworks.paddle.source.fluid.registrations import evaluated, registrations
from opspec_lint.frameworks.paddle.source.fluid.resolver import Resolvers
from opspec_lint.frameworks.paddle.source.fluid.scope import is_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.source.declared import OpDeclaration
    from opspec_lint.frameworks.paddle.source.fluid.registrations import Registration
    from opspec_lint.frameworks.paddle.source.fluid.scope import Scope
    from opspec_lint.frameworks.paddle.source.fluid.workspace import Workspace
    from opspec_lint.spec.model import Remark


def unit(workspace: Workspace, path: str) -> Unit:
    """The ops that a file registers, in one build."""
    resolver = Resolvers(workspace).of(path)
    scope = resolver.scope
    ops: list[tuple[str, OpDeclaration]] = []
    without: list[str] = []
    lost: list[Remark] = []
    histories: list[History] = []
    try:
        for this in registrations(scope):
            try:
                sections = attempted(lambda: evaluated(this, resolver))  # noqa: B023 - called here
            except UnresolvedError as error:
                lost.append(unresolved(this.op, error, path, this.line, _declaring_text(this, scope)))
                continue
            if sections is None:
                without.append(this.op)
            else:
                ops.append((this.op, declared(sections, path, this.line, this.column)))
        for code in scope.own():
            for found in registered(code, resolver.at):
                if isinstance(found, History):
                    histories.append(found)
                else:
                    op, why = found
                    lost.append(unresolved(f"{op} (op version)", why, path, 1, why.reason))
    except UnresolvedError as error:  # a macro that cannot be expanded hides what it registers
        lost.append(unresolved(path, error, path, 1, workspace.files.raw(path) or ""))
    return Unit(ops=tuple(ops), without=tuple(without), remarks=tuple(lost), histories=tuple(histories))


def _declaring_text(this: Registration, scope: Scope) -> str:
    """Return the text that declares an op: its registration, and what is found of its classes."""
    texts = [this.op, *this.arguments]
    waiting = [text for text in this.arguments if not is_foreign(text)]
    seen: set[str] = set()
    while waiting:
        text = waiting.pop()
        name, _ = class_name(text)
        if not name or name in seen:
            continue
        seen.add(name)
        try:
            found = scope.find_class(name, text)
        except UnresolvedError:
            found = None
        if found is not None:
            texts.append(" ".join(found.code.text[found.start : found.end].split()))
            waiting += (base for base in found.bases if not is_foreign(base))
    return "\0".join(texts)
