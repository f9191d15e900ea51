"""The expressions of Python files, evaluated: constants, names, operators, containers and calls.

An expression is evaluated without running it. Its value is a plain Python object, an object of `values.py`, UNKNOWN if
the text does not decide it, or a `Choice` with a condition for each alternative.
"""

from __future__ import annotations

import ast
import operator
from functools import partial

from opspec_lint.frameworks.pytorch.extract.python.calls import Calls
from opspec_lint.frameworks.pytorch.extract.python.containers import missing_item
from opspec_lint.frameworks.pytorch.extract.python.state import EvaluatedCall, Frame, Site, merge_alternatives
from opspec_lint.frameworks.pytorch.extract.python.unbound_names import UnboundNames
from opspec_lint.frameworks.pytorch.extract.python.values import (
    DELETED,
    PRIMITIVE,
    UNKNOWN,
    Annotation,
    Choice,
    Class,
    Function,
    Imported,
    Instance,
    Unknown,
    is_hashable,
    is_known,
)
from opspec_lint.kit.guarded import MAX_SIZE
from opspec_lint.kit.python_text import show_syntax
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.pytorch.extract.python.values import FunctionNode
    from opspec_lint.spec.condition import Condition


class Expressions(Calls):
    """The evaluation of expressions, by the type of their syntax node (`evaluators`); all others are unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.unbound_names = UnboundNames()

    def evaluate(self, node: ast.expr, frame: Frame) -> object:
        """Return the value of an expression."""
        evaluate = self.evaluators.get(type(node))
        return UNKNOWN if evaluate is None else evaluate(self, node, frame)

    def path_of(self, node: ast.expr, frame: Frame) -> str:
        """Return the dotted name of a value that code outside the tree provides, "" for any other value."""
        value = self.evaluate(node, frame)
        if isinstance(value, Imported):
            value = self.resolve(value)
        return value.path if isinstance(value, Unknown) else ""

    def condition_of(self, node: ast.expr, frame: Frame) -> Condition:
        """Return the condition under which an expression is true."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negation(self.condition_of(node.operand, frame))
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            result = ALWAYS if is_and else NEVER
            for operand in node.values:
                evaluated_if = result if is_and else negation(result)
                truth = self.run_under(evaluated_if, operand.lineno, partial(self.condition_of, operand, frame), NEVER)
                result = conjunction(result, truth) if is_and else disjunction((result, truth))
                if result == (NEVER if is_and else ALWAYS):
                    break
            return result
        return self.truth_condition(self.evaluate(node, frame), lambda: show_syntax(node))

    def _eval_constant(self, node: ast.Constant, _: Frame) -> object:
        return node.value if isinstance(node.value, PRIMITIVE) else UNKNOWN

    def _eval_name(self, node: ast.Name, frame: Frame) -> object:
        """Return the value of a name; one that the file does not bind is a builtin, or comes from `import *`."""
        scope = frame.redirected.get(node.id) or frame.scope.find(node.id)
        if scope is not None and node.id in scope.values:
            value = scope.values[node.id]
        else:
            value = frame.module.name if node.id == "__name__" else Unknown(node.id)
        if (value is DELETED or isinstance(value, Unknown)) and self.unbound_names.contains(node.id, frame):
            self.doubt(f"`{node.id}` has a value")
        return UNKNOWN if value is DELETED else value

    def _eval_attribute(self, node: ast.Attribute, frame: Frame) -> object:
        return self.get_attribute(self.evaluate(node.value, frame), node.attr)

    def _eval_subscript(self, node: ast.Subscript, frame: Frame) -> object:
        """Return `value[key]` or `value[start:stop]`; of something that is not in the tree, a type: `List[Tensor]`."""
        owner = self.resolve(self.evaluate(node.value, frame))
        if isinstance(owner, Unknown | Class):
            return Annotation(node, frame.scope)
        if isinstance(node.slice, ast.Slice):
            parts = [
                None if element is None else self.evaluate(element, frame)
                for element in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return self.apply(lambda value, *bounds: value[slice(*bounds)], owner, *parts)
        key = self.resolve_deeply(self.evaluate(node.slice, frame))
        if isinstance(owner, tuple | list | dict) and is_known(key):
            # Not by `apply`, which needs a container whose items are all known.
            container: Any = owner
            if missing_item(owner, key) is not None:
                self.doubt(f"`{show_syntax(node)}` exists")
            try:
                return container[key]
            except (LookupError, TypeError):
                return UNKNOWN
        return self.apply(operator.getitem, owner, key)

    def _eval_binary(self, node: ast.BinOp, frame: Frame) -> object:
        """Return the result of `left + right` and the like; `X | Y` is taken for a type."""
        if isinstance(node.op, ast.BitOr):
            return Annotation(node, frame.scope)
        left, right = self.evaluate(node.left, frame), self.evaluate(node.right, frame)
        result = self.apply_operator(node.op, left, right)
        if right == 0 and isinstance(left, int | float) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            self.stop(ZeroDivisionError)
        elif result is UNKNOWN:
            self.escaped += (left, right)
        return result

    def _eval_comparison(self, node: ast.Compare, frame: Frame) -> object:
        """Return the result of a chain such as `a < b <= c`, which ends at the first comparison that is not true."""
        left = self.resolve_deeply(self.evaluate(node.left, frame))
        result: object = True
        for sign, side in zip(node.ops, node.comparators, strict=True):
            right = self.resolve_deeply(self.evaluate(side, frame))
            result = self.compare_values(sign, left, right)
            if result is not True:
                return result
            left = right
        return result

    def _eval_boolean(self, node: ast.BoolOp, frame: Frame) -> object:
        """Return the value of `a or b` or `a and b`: a choice of both operands where the first one is unknown."""
        is_or = isinstance(node.op, ast.Or)
        results: list[tuple[Condition, object]] = []
        remaining = ALWAYS
        unknown: object = UNKNOWN
        for place, operand in enumerate(node.values):
            value = self.run_under(remaining, operand.lineno, partial(self.evaluate, operand, frame), unknown)
            truth = self.truth_condition(value, partial(show_syntax, operand))
            taken = ALWAYS if place == len(node.values) - 1 else truth if is_or else negation(truth)
            if conjunction(remaining, taken) != NEVER:
                results.append((conjunction(remaining, taken), value))
            remaining = conjunction(remaining, negation(taken))
            if remaining == NEVER:
                break
        return merge_alternatives(results)

    def _eval_unary(self, node: ast.UnaryOp, frame: Frame) -> object:
        """Return the value of `not x`, `-x` or `+x`; the value of `not x` may depend on a condition."""
        if isinstance(node.op, ast.Not):
            truth = self.condition_of(node, frame)
            if truth in (ALWAYS, NEVER):
                return truth == ALWAYS
            return Choice(((truth, True), (negation(truth), False)))
        signs: dict[type[ast.unaryop], Callable[..., Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
        sign = signs.get(type(node.op))
        return self.apply(sign, self.resolve_deeply(self.evaluate(node.operand, frame)))

    def _eval_conditional(self, node: ast.IfExp, frame: Frame) -> object:
        """Return the value of `body if test else orelse`; each side is evaluated under its condition."""
        results: list[tuple[Condition, object]] = []
        truth = self.condition_of(node.test, frame)
        self.run_branches(
            truth,
            node.lineno,
            lambda: results.append((truth, self.evaluate(node.body, frame))),
            lambda: results.append((negation(truth), self.evaluate(node.orelse, frame))),
        )
        return merge_alternatives(results)

    def _eval_fstring(self, node: ast.JoinedStr, frame: Frame) -> object:
        result: object = ""
        for part in node.values:
            value = part.value if isinstance(part, ast.Constant) else self._format_field(part, frame)
            result = self.apply_operator(ast.Add(), result, value)
        return result

    def _format_field(self, part: ast.expr, frame: Frame) -> object:
        """Return the text of a field of an f-string, such as `{name!r:>{width}}`."""
        if not isinstance(part, ast.FormattedValue):
            return UNKNOWN
        convert = {ord("r"): repr, ord("a"): ascii}.get(part.conversion, str)
        layout = "" if part.format_spec is None else self.evaluate(part.format_spec, frame)
        value = self.resolve_deeply(self.evaluate(part.value, frame))
        return self.apply(
            lambda value, form: format(convert(value) if part.conversion > 0 or not form else value, form),
            value,
            layout,
        )

    def _eval_sequence(self, node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> object:
        result: list[object] = []
        for values in self._unpack(node.elts, frame):
            if values is None or len(result) > MAX_SIZE:
                return UNKNOWN
            result += values
        return tuple(result) if isinstance(node, ast.Tuple) else result

    def _unpack(self, nodes: Sequence[ast.expr], frame: Frame) -> Iterator[list[object] | None]:
        """Yield the values that each expression of a list adds to it: several for `*x`, None if x is unknown."""
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield self.known_items(self.evaluate(node.value, frame))
            else:
                yield [self.evaluate(node, frame)]

    def _eval_dict(self, node: ast.Dict, frame: Frame) -> object:
        """Return the dict; UNKNOWN if a key, or what `**` unpacks, is not known."""
        result: dict[object, object] = {}
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node, frame)
            if key_node is None:  # `**value`
                unpacked = self.resolve(value)
                if not isinstance(unpacked, dict):
                    return UNKNOWN
                result |= unpacked
                continue
            key = self.resolve_deeply(self.evaluate(key_node, frame))
            if not is_hashable(key):
                return UNKNOWN
            result[key] = value
        return result

    def _eval_lambda(self, node: ast.Lambda, frame: Frame) -> object:
        return self.make_function(node, frame)

    def make_function(self, node: FunctionNode, frame: Frame) -> Function:
        """Return the function that a `def` or `lambda` creates, with the values of its defaults."""
        signature = node.args
        positional = [*signature.posonlyargs, *signature.args]
        first_default = len(positional) - len(signature.defaults)
        pairs = zip(positional[first_default:], signature.defaults, strict=True)
        keyword_only = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
        with_default = ((parameter, default) for parameter, default in keyword_only if default)
        defaults = {parameter.arg: self.evaluate(default, frame) for parameter, default in (*pairs, *with_default)}
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        qualified = f"{frame.qualified}.{name}" if frame.qualified else name
        # The names of a class are not visible in its methods.
        scope = frame.scope.outer or frame.scope if frame.scope.is_class else frame.scope
        return self.note_calls(Function(node, scope, frame.module, defaults, qualified))

    def _eval_walrus(self, node: ast.NamedExpr, frame: Frame) -> object:
        value = self.evaluate(node.value, frame)
        self.bind(node.target, value, frame)
        return value

    def _eval_waiting(self, node: ast.Await | ast.Yield | ast.YieldFrom, frame: Frame) -> object:
        """Evaluate `await x`, `yield x` or `yield from x`, whose results are unknown."""
        if node.value is not None:
            value = self.evaluate(node.value, frame)
            self.escaped.append(value if isinstance(node, ast.Yield) else self.consume(value))
        self.suspend(frame)
        return UNKNOWN

    def bind(self, target: ast.expr, value: object, frame: Frame) -> None:
        """Assign a value to a target: a name, an attribute, an item of a dict, or a list of targets."""
        if isinstance(target, ast.Name):
            self.assign(frame.redirected.get(target.id, frame.scope), target.id, value)
        elif isinstance(target, ast.Attribute):
            owner = self.resolve(self.evaluate(target.value, frame))
            if isinstance(owner, Instance | Class):
                self.assign(owner.scope, target.attr, value)
            else:
                self.escaped.append(value)
                if isinstance(owner, Unknown):
                    self.note_replaced(f"{owner.path}.{target.attr}", Site(target, frame))
        elif isinstance(target, ast.Tuple | ast.List):
            items = self.known_items(value)
            fits = items is not None and len(items) == len(target.elts)
            if not fits:
                self.escaped.append(value)
            for place, element in enumerate(target.elts):
                self.bind(element, items[place] if items is not None and fits else UNKNOWN, frame)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, UNKNOWN, frame)
            self.escaped.append(value)
        elif isinstance(target, ast.Subscript):
            owner = self.resolve(self.evaluate(target.value, frame))
            self.store_item(owner, self.evaluate(target.slice, frame), value)
            if not isinstance(owner, list | dict):
                self.escaped.append(value)

    def note_replaced(self, path: str, site: Site) -> None:
        """Note that the code replaces a function of PyTorch (`library.py`)."""
        raise NotImplementedError

    def _eval_call(self, node: ast.Call, frame: Frame) -> object:
        """Evaluate function and arguments, and call the function; unknown unpacked arguments are left out."""
        self.step()
        function = self.evaluate(node.func, frame)
        arguments = [value for values in self._unpack(node.args, frame) for value in values or ()]
        keywords: dict[str, object] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, frame)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(unpacked := self.resolve(value), dict):
                keywords |= {name: element for name, element in unpacked.items() if isinstance(name, str)}
        return self.call(function, EvaluatedCall(arguments, keywords, node, frame))

    evaluators: Mapping[type[ast.expr], Callable[..., object]] = {
        ast.Constant: _eval_constant,
        ast.Name: _eval_name,
        ast.Attribute: _eval_attribute,
        ast.Subscript: _eval_subscript,
        ast.BinOp: _eval_binary,
        ast.BoolOp: _eval_boolean,
        ast.UnaryOp: _eval_unary,
        ast.Compare: _eval_comparison,
        ast.IfExp: _eval_conditional,
        ast.JoinedStr: _eval_fstring,
        ast.Tuple: _eval_sequence,
        ast.List: _eval_sequence,
        ast.Set: _eval_sequence,
        ast.Dict: _eval_dict,
        ast.Lambda: _eval_lambda,
        ast.NamedExpr: _eval_walrus,
        ast.Call: _eval_call,
        ast.Await: _eval_waiting,
        ast.Yield: _eval_waiting,
        ast.YieldFrom: _eval_waiting,
    }
