"""The sources that a build script in Python lists: `setup.py`.

Nothing is executed. Lists in branches that never run and in variables without effect on the build are left out. A list
in a branch that may run has the test of the branch as its condition, and so have the lists in a variable that is read
there.
"""

from __future__ import annotations

import ast

from opspec_lint.builds.limits import MAX_STARLARK_STEPS, MAX_STARLARK_TOTAL
from opspec_lint.builds.python_uses import (
    Uses,
    changed_variable,
    constants_of,
    test_condition,
)
from opspec_lint.builds.setuptools.constant_paths import constant_paths
from opspec_lint.builds.setuptools.list_expressions import ListExpressions, Script
from opspec_lint.builds.setuptools.lists import (
    LiteralLists,
    NamedTexts,
    item_filter,
    replaced_assignments,
    weaken,
)
from opspec_lint.builds.setuptools.reductions import last_reductions
from opspec_lint.builds.setuptools.script_ends import ending_functions, ends, leaves
from opspec_lint.builds.setuptools.setup_calls import are_known_tools, imported_modules, may_call_setup
from opspec_lint.builds.source_lists import SourceLists
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.kit.python_text import parse_module, walk
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.builds.setuptools.reductions import Reduction
    from opspec_lint.builds.source_lists import PathFilter
    from opspec_lint.spec.condition import Condition


def find_lists(text: str, lists: SourceLists) -> None:
    """Record the lists of sources in a build script.

    Raises:
        SyntaxError: the text is not Python, such as a script of Python 2.
    """
    try:
        tree = parse_module(text)
        names = (node for node in walk(tree) if isinstance(node, ast.Name))
        used = dict.fromkeys((name.id for name in names if isinstance(name.ctx, ast.Load)), ALWAYS)
        constants = constants_of(tree)
        uses: Uses[PathFilter] = Uses(constants)
        steps = StepLimit(MAX_STARLARK_TOTAL, largest=MAX_STARLARK_STEPS)
        script = Script(constants, uses, steps, ending_functions(tree), NamedTexts(tree), constant_paths(tree))
        if any(isinstance(statement, (ast.Assign, ast.FunctionDef)) for statement in tree.body):
            # First to learn which variables a build uses, without a record of the lists.
            _Finder(used, SourceLists(), script).read(tree.body)
            used = uses.solve(set(used))
        if may_call_setup(tree):
            _Finder(used, lists, script).read(tree.body)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error)) from None


class _Finder(ListExpressions):
    """A walk over the statements of a build file in their order.

    `_assigned` has a mark of the lists (`SourceLists.mark`) at the assignment of each variable, and `_function` has the
    function that the statement belongs to.
    """

    def __init__(self, used: Mapping[str, Condition], lists: SourceLists, script: Script) -> None:
        super().__init__(used, lists, script)
        self._function: tuple[str, ...] = ()
        self._assigned: dict[str, int] = {}

    def read(self, body: Iterable[ast.stmt]) -> None:
        """Record the lists in statements, up to one that ends the block."""
        before = self._tested
        statements = list(body)
        # In a branch at the top, a function of the whole script may read the variable.
        replaced = replaced_assignments(statements) if self._function or self._tested == ALWAYS else ()
        literals = LiteralLists(statements, self._steps)
        reductions = dict(last_reductions(statements))
        for statement in statements:
            if statement in replaced:
                continue
            removed = literals.removed_by(statement)
            if removed is not None:
                self._exclude(removed)
            elif statement in reductions:
                self._reduce(statement, reductions[statement])
            self._statement(statement)
            if ends(statement, self._ending):
                break
            if isinstance(statement, ast.If) and any(map(leaves, statement.body)):
                # `if not use_cuda: return []` is a condition of all that comes behind it.
                self._tested = conjunction(self._tested, negation(test_condition(statement.test, self._constants)))
                if self._tested == NEVER:
                    break
        self._tested = before

    def _reduce(self, statement: ast.stmt, reduction: Reduction) -> None:
        """Record that a statement takes items out of a variable."""
        if reduction.tests:
            filters = [(item_filter(item, test, self._texts, self._steps), test) for item, test in reduction.tests]
            if not self._is_certain or self._tested != ALWAYS:
                filters = [(weaken(keeps, ast.unparse(test)), test) for keeps, test in filters]
            self._uses.limit_items(reduction.variable, statement, (keeps for keeps, _ in filters))
            return
        text = f"`{ast.unparse(statement)}` leaves it in `{reduction.variable}`"
        kept_if = NEVER if reduction.takes_all and self._is_certain else requirement(text)
        self._uses.limit(reduction.variable, disjunction((kept_if, negation(self._tested))))

    def _value(self, value: ast.expr, variable: str | None = None) -> None:
        """Record the lists in an expression of a statement, and the names that it uses for a variable."""
        self._targets = self._function if variable is None else (variable, *self._function)
        self._uses.add(value, self._targets, self._tested)
        if self._condition() != NEVER:
            self.read_expression(value)
        self._targets = self._function

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.If):
            self._if(statement)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._define(statement)
        elif isinstance(statement, ast.ClassDef):
            self._class(statement)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._import(statement)
        elif isinstance(statement, (ast.For, ast.While, ast.With, ast.Try)):
            self._nested(statement)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            self._assignment(statement)
        else:
            self._simple(statement)

    def _define(self, statement: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Record the lists in a function that something calls."""
        for value in (*statement.decorator_list, statement.args):
            self._uses.add(value, (), self._tested)
        if statement.name in self._used or statement.decorator_list:
            before = self._function
            self._function = () if statement.decorator_list else (statement.name,)
            self._use_variables([statement.args])
            self.read(statement.body)
            self._function = before

    def _use_variables(self, nodes: Iterable[ast.AST]) -> None:
        """Record variables that may be other names of a list, such as parameters, as used by their function."""
        for node in nodes:
            for inner in walk(node):
                name = inner.arg if isinstance(inner, ast.arg) else inner.id if isinstance(inner, ast.Name) else None
                if name is not None:
                    self._uses.add(ast.Name(id=name), self._function, self._tested)

    def _simple(self, statement: ast.stmt) -> None:
        """Record the lists in a statement that is no block, or in a `match`."""
        if isinstance(statement, ast.Assert):
            self._uses.add_test(statement.test, self._function, self._tested)
        elif isinstance(statement, ast.Match):
            self._value(statement.subject)
            before, self._is_certain = self._is_certain, False
            for case in statement.cases:
                self.read(case.body)
            self._is_certain = before
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            changed = changed_variable(statement)
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr):
                    self._value(child, changed)

    def _assignment(self, statement: ast.Assign | ast.AugAssign) -> None:
        """Record the lists that are assigned or added to a variable that the file reads."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        name = target.id if isinstance(target, ast.Name) else None
        if isinstance(statement, ast.Assign) and name is not None:
            if name in self._used:
                self._assigned[name] = self._lists.mark()
                self._value(statement.value, name)
            if isinstance(statement.value, ast.Name):  # two names of one list
                self._uses.add(ast.Name(id=name), (statement.value.id,), self._tested)
            return
        if name is None:
            self._use_variables(statement.targets if isinstance(statement, ast.Assign) else ())
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.expr):
                self._value(child, name)
        # Between the assignment and the addition there may be lists of other variables: if more files than are count as
        # compiled together, a declaration in one of them is unresolved, which is reported.
        if name is not None and name in self._assigned and self._is_certain:
            self._lists.join(self._assigned[name])

    def _class(self, statement: ast.ClassDef) -> None:
        for value in (*statement.decorator_list, *statement.bases, *statement.keywords):
            self._uses.add(value, (), self._tested)
        before, self._function = self._function, ()
        for member in statement.body:
            # A base class calls the methods of a subclass (`build_ext.run`), which no text of the file shows.
            if isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.read(member.body)
                for value in (*member.decorator_list, member.args):
                    self._uses.add(value, (), self._tested)
                self._use_variables([member.args])
            else:
                self._statement(member)
        self._function = before

    def _if(self, statement: ast.If) -> None:
        holds = test_condition(statement.test, self._constants)
        self._uses.add_test(statement.test, self._function, self._tested)
        self.read_expression(statement.test)
        before = self._tested
        for block, condition in ((statement.body, holds), (statement.orelse, negation(holds))):
            self._tested = conjunction(before, condition)
            if self._tested != NEVER:
                self.read(block)
        self._tested = before

    def _nested(self, statement: ast.For | ast.While | ast.With | ast.Try) -> None:
        """Record the lists in a loop, `with` or `try`. Only a `with`, or `else` without a loop, certainly runs."""
        if isinstance(statement, ast.While):
            self._uses.add_test(statement.test, self._function, self._tested)
            if test_condition(statement.test, self._constants) == NEVER:
                self.read(statement.orelse)
                return
        before = self._is_certain
        self._is_certain = before and isinstance(statement, ast.With)
        if isinstance(statement, ast.For):
            self._value(statement.iter)
            self._use_variables([statement.target])
        for item in getattr(statement, "items", ()):
            self._value(item.context_expr)
            self._use_variables([item.optional_vars] if item.optional_vars is not None else [])
        for name in ("body", "orelse", "finalbody"):
            self.read(getattr(statement, name, ()))
        for handler in getattr(statement, "handlers", ()):
            self.read(handler.body)
        self._is_certain = before

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Take the names of a module that is not known as possible lists of sources."""
        modules = imported_modules(statement)
        if not are_known_tools(modules):
            name = min(module.partition(".")[0] for module in modules)
            self._lists.list_unknown(statement.lineno, f"the import of `{name}`")
