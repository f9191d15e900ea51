"""TorchScript as its archive has it: Python text of classes and methods, of which the calls of ops are picked.

The text is not parsed as Python, and never run. An op has no overload there: `torch.X` is aten::X, `ops.NS.X` is NS::X.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_WEIGHTS = 20_000
"""Weights that are named: classes whose attributes are of one another's can stand for any number."""
MAX_DEPTH = 64
_LONGEST_HEAD = 1 << 16
"""Characters of the head of a method; what follows is not looked at for its parameters."""
_STRINGS = pattern(r"""(["\'])(?:(?!\1)[^\\\n]|\\.)*(?:\1|$|(?=\\$))|#[^\n]*""", "m")
"""Strings and comments. Each quote begins a match, whatever follows: one that failed at the end of its line would be
tried again at each escaped quote before."""
_BLOCK = pattern(r"^ *(class|def) (\w{1,200})[(:]", "m")
_SIGN = pattern(
    r"(?:(?<![\w.])(?:torch|ops\.(\w+))\.(\w+))?\(|[\[\](){},]|(?<=[ (])(\w+)=(?!=)|[\w.]+|[^\w\s()\[\]{},]+"
)
"""What the arguments of calls are told apart by; the first alternative opens a call, of an op if it names one."""
_FIELD = pattern(r'^  (?:(\w{1,200}) : |__annotations__\["(\w{1,200})"\] = )([^\n]*)', "m")
_LISTED = pattern(r"^  __(?:parameters|buffers)__ = \[([^\]\n]*)\]", "m")
_TYPE = pattern(r"\b__torch__(?:\.\w{1,200}){1,100}")
_FORWARD = "forward"


class Call(Record):
    """A call of an op: how many arguments it gives by position, and the names of the others."""

    op: str
    positional: int = 0
    keywords: tuple[str, ...] = ()


class Method(Record):
    """A method or function: the class that it is of, "" for none, its parameters with their types, and its calls."""

    owner: str
    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    returns: str = ""
    calls: tuple[Call, ...] = ()


class ScriptClass(Record):
    """A class: the types of its attributes, and which of them are weights."""

    name: str
    fields: Mapping[str, str] = {}
    weights: tuple[str, ...] = ()


class Script(Record):
    """What a file defines, and the types of archives that it names."""

    classes: tuple[ScriptClass, ...] = ()
    methods: tuple[Method, ...] = ()
    types: tuple[str, ...] = ()


class Code(Record):
    """What `torch.jit.load` judges of an archive.

    `calls` are those of ops: the method or function, the name of the node there, and the call. `problems` are what
    of the archive is refused, whatever its ops are, and why.
    """

    calls: tuple[tuple[str, str, Call], ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


def read(text: str, module: str) -> Script:
    """Return the definitions of a file.

    Args:
        text: the file.
        module: the name that it goes by, such as `__torch__.torch.nn.modules.linear`.
    """
    blank = _STRINGS.sub(_blanked, text)
    classes: list[ScriptClass] = []
    methods: list[Method] = []
    starts = list(_BLOCK.finditer(blank))
    ends = [*(each.start() for each in starts[1:]), len(blank)]
    for start, end in zip(starts, ends, strict=False):
        if start[1] == "class":
            classes.append(_class(f"{module}.{start[2]}", text[start.end() : end]))
        else:
            is_method = start[0].startswith(" ") and bool(classes)
            owner = classes[-1].name if is_method else ""
            name = start[2] if owner else f"{module}.{start[2]}"
            methods.append(_method(owner, name, blank[start.end() : end]))
    types = tuple(dict.fromkeys(_TYPE.findall(blank)))
    return Script(classes=tuple(classes), methods=tuple(methods), types=types)


def _blanked(match: re.Match[str]) -> str:
    """Return the blank text that replaces a string, which remains an argument, or a comment."""
    return f'"{" " * (len(match[0]) - 1)}' if match[1] else " " * len(match[0])


def _class(name: str, body: str) -> ScriptClass:
    """Return a class of what stands between its name and its first method; names of attributes may be strings."""
    listed = " ".join(match[1] for match in _LISTED.finditer(body))
    fields = {match[1] or match[2]: match[3].strip() for match in _FIELD.finditer(body)}
    return ScriptClass(name=name, fields=fields, weights=tuple(re.findall(r'"(\w{1,200})"', listed)))


def _method(owner: str, name: str, text: str) -> Method:
    """Return a method of what follows its opening parenthesis, strings blanked."""
    head, body = _head(text)
    parameters = [_parameter(each) for each in head]
    returns = re.match(r"\s*->\s*([^\n]*):", text[body : body + _LONGEST_HEAD])
    return Method(
        owner=owner,
        name=name,
        parameters=tuple(parameters[1:] if owner else parameters),
        returns=returns[1].strip() if returns else "",
        calls=tuple(_calls(text, body)),
    )


class _Open:
    """A call of an op whose bracket is open."""

    def __init__(self, op: str, place: int) -> None:
        self.op = op
        self.place = place
        self.given = 0
        self.keywords: list[str] = []
        self.is_begun = False


def _calls(text: str, begin: int) -> list[Call]:
    """Return the calls of ops in the body of a method, in the order in which they begin."""
    found: list[tuple[int, Call]] = []
    stack: list[_Open | None] = []  # None for a bracket of anything else, of which a hostile file has millions
    for match in _SIGN.finditer(text, begin):
        sign, top = match[0], stack[-1] if stack else None
        if sign[-1] in "([{":
            if top is not None:
                top.is_begun = True
            stack.append(_Open(f"{match[1] or 'aten'}::{match[2]}", match.start()) if match[2] else None)
        elif sign in ")]}":
            if stack:
                stack.pop()
            if top is not None:
                count = top.given + top.is_begun - len(top.keywords)
                found.append((top.place, Call(op=top.op, positional=count, keywords=tuple(top.keywords))))
        elif top is None:
            continue
        elif sign == ",":
            top.given += top.is_begun
            top.is_begun = False
        else:
            if match[3] and not top.is_begun:
                top.keywords.append(match[3])
            top.is_begun = True
    found += ((each.place, Call(op=each.op)) for each in stack if each is not None)
    return [call for _, call in sorted(found, key=lambda each: each[0])]


def _head(text: str) -> tuple[list[str], int]:
    """Return the parameters of a method, and where its parenthesis is closed: 0 where it is not."""
    found, depth, begin = [], 0, 0
    for at, sign in enumerate(text[:_LONGEST_HEAD]):
        if sign in "([":
            depth += 1
        elif sign in ")]" and depth:
            depth -= 1
        elif sign in "),]" and not depth:
            found.append(text[begin:at])
            begin = at + 1
            if sign == ")":
                return [each for each in found if each.strip()], at + 1
    return [], 0


def _parameter(text: str) -> tuple[str, str]:
    name, _, kind = text.partition(":")
    return name.strip(), kind.partition("=")[0].strip()


def of_scripts(scripts: list[Script], version: int | None) -> MetaGraph:
    """Return the description of all the files of an archive.

    Args:
        scripts: what the files define.
        version: the version of ops that the archive is of.
    """
    classes = {each.name: each for script in scripts for each in script.classes}
    main = _main(scripts, classes)
    methods = [each for script in scripts for each in script.methods]
    methods.sort(key=lambda each: not _is_main(each, main))
    return MetaGraph(
        producer=version,
        graphs=tuple(_graph(each, main) for each in methods),
        signatures=tuple(_signature(each) for each in methods if _is_main(each, main)),
        variables=tuple(_all_weights(main, classes)),
    )


def _is_main(method: Method, main: str) -> bool:
    return method.owner == main and method.name == _FORWARD


def _main(scripts: list[Script], classes: Mapping[str, ScriptClass]) -> str:
    """Return the class of the model: the one that can be called and is no other's part. "" where it cannot be told."""
    parts = {name for each in classes.values() for kind in each.fields.values() for name in re.findall(r"[\w.]+", kind)}
    callable_ = (each.owner for script in scripts for each in script.methods if each.name == _FORWARD)
    found = [owner for owner in callable_ if owner and owner not in parts]
    return found[0] if len(found) == 1 else ""


def _graph(method: Method, main: str) -> Graph:
    name = f"{method.owner}.{method.name}" if method.owner else method.name
    return Graph(
        name="" if _is_main(method, main) else name, nodes=Nodes(method.calls, _node, lambda call: str(call.op))
    )


def _node(call: Call, place: int) -> Node:
    return Node(name=f"{call.op}#{place}", op=call.op)


def calls(scripts: list[Script]) -> Iterator[tuple[str, str, Call]]:
    """Yield the calls of ops: the method or function, the name of the node there, and the call."""
    for script in scripts:
        for method in script.methods:
            graph = f"{method.owner}.{method.name}" if method.owner else method.name
            for place, call in enumerate(method.calls):
                yield graph, f"{call.op}#{place}", call


def _signature(method: Method) -> Signature:
    inputs = {name: Tensor(name=name, dtype=kind) for name, kind in method.parameters}
    outputs = {"": Tensor(name="", dtype=method.returns)} if method.returns else {}
    return Signature(key=method.name, inputs=inputs, outputs=outputs)


def _all_weights(main: str, classes: Mapping[str, ScriptClass]) -> Iterator[Tensor]:
    """Yield the weights of a model by their paths; types and shapes stand in pickles, which are not opened."""
    waiting = [("", main, 0)]
    count = 0
    while waiting:
        path, name, depth = waiting.pop()
        found = classes.get(name)
        if found is None or depth > MAX_DEPTH:
            continue
        for weight in found.weights:
            yield Tensor(name=f"{path}{weight}")
            count += 1
        if count > MAX_WEIGHTS or len(waiting) > MAX_WEIGHTS:
            return
        inner = [(f"{path}{field}.", kind, depth + 1) for field, kind in found.fields.items() if kind in classes]
        waiting += reversed(inner)
