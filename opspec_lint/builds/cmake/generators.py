"""The generator expressions of CMake, such as `$<$<BOOL:${USE_X}>:x.cc>`."""

from __future__ import annotations

from functools import reduce

from opspec_lint.builds.cmake.commands import is_true
from opspec_lint.builds.cmake.items import REFERENCE, Item, restrict
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from opspec_lint.spec.condition import Condition

    class Values(Protocol):
        """The values of the variables in a generator expression."""

        def expand(self, text: str, runs_if: Condition) -> list[Item]:
            """Return the items of a text with its variables replaced."""

        def value(self, text: str, runs_if: Condition) -> str | None:
            """Return the single value of a text; None if it is unknown or depends on a condition."""


NAMES = pattern(r"[^\s<>:;,$\"]+")
"""The names in a generator expression."""
_HEADS: dict[str, Condition] = {"1": ALWAYS, "0": NEVER, "BUILD_INTERFACE": ALWAYS, "INSTALL_INTERFACE": NEVER}
"""The generator expressions whose condition is known by their name."""


def joined_generators(arguments: Iterable[str]) -> Iterator[str]:
    """Yield arguments; the parts of a generator expression that contains blanks and lines are one argument."""
    waiting: list[str] = []
    depth = 0
    for argument in arguments:
        if not waiting and "$<" not in argument:
            yield argument
            continue
        depth = _depth_behind(argument, depth)
        waiting.append(argument)
        if not depth:
            yield argument if len(waiting) == 1 else ";".join(waiting)
            waiting, depth = [], 0
    yield from waiting


def _depth_behind(text: str, depth: int) -> int:
    """Return the number of generator expressions that are open behind a text; `depth` are those before the text."""
    for at, character in enumerate(text):
        if character == ">":
            depth -= depth > 0  # outside of a generator expression, it is a plain character: `a->b`
        else:
            depth += text.startswith("$<", at)
    return depth


def expand_generator(text: str, values: Values, runs_if: Condition) -> Iterator[Item]:
    """Yield the items of a generator expression such as `$<1:a.cc>`; its words if it is not followed."""
    head, colon, content = _split_generator(text)
    if head == "TARGET_OBJECTS":
        yield from (item._replace(text=f"$<{head}:{item.text}>") for item in values.expand(content, runs_if))
        return
    if head == "IF" and len(parts := [*split_list(content, ",")]) == 3:
        holds = _condition(parts[0], values, runs_if)
        for part, condition in ((parts[1], holds), (parts[2], negation(holds))):
            yield from restrict(values.expand(part, runs_if), condition)
        return
    content_if = _head_condition(head, values, runs_if) if colon and head is not None else None
    if content_if is not None:
        yield from restrict(values.expand(content, runs_if), content_if)
    else:
        yield from (Item(name) for name in NAMES.findall(text))
        for name in dict.fromkeys(REFERENCE.findall(text)):
            yield from values.expand(f"${{{name}}}", runs_if)


def _head_condition(head: str, values: Values, runs_if: Condition) -> Condition | None:
    """Return the condition under which `$<head:content>` is its content; None if it is no condition."""
    is_condition = head in _HEADS or head.startswith("$<") or "${" in head
    return _condition(head, values, runs_if) if is_condition else None


def _condition(text: str, values: Values, runs_if: Condition) -> Condition:
    """Return the condition under which a generator expression is 1."""
    if text in _HEADS:
        return _HEADS[text]
    if not text.startswith("$<"):
        value = values.value(text, runs_if) or text
        return _HEADS.get(value, requirement(f"{text} of CMake"))
    head, _, content = _split_generator(text)
    if head == "NOT":
        return negation(_condition(content, values, runs_if))
    if head in ("AND", "OR"):
        conditions = [_condition(part, values, runs_if) for part in split_list(content, ",")]
        if head == "OR":
            return disjunction((NEVER, *conditions))
        return reduce(conjunction, conditions, ALWAYS)
    known = [values.value(part, runs_if) for part in split_list(content, ",")]
    if head == "BOOL" and known[0] is not None:
        return ALWAYS if is_true(known[0]) else NEVER
    if head == "STREQUAL" and len(known) == 2 and None not in known:
        return ALWAYS if known[0] == known[1] else NEVER
    return requirement(f"{text} of CMake")


def split_list(text: str, separator: str) -> Iterator[str]:
    """Yield the parts of a text that a sign separates outside of references and generator expressions."""
    if separator not in text:
        yield text
        return
    depth = start = 0
    for at, character in enumerate(text):
        if character in "{<":
            depth += at > 0 and text[at - 1] == "$"
        elif character in "}>":
            depth -= depth > 0
        elif character == separator and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _split_generator(text: str) -> tuple[str | None, str, str]:
    """Return the parts `head`, `:` and `content` of `$<head:content>`; None as head of any other text."""
    if not text.endswith(">"):
        return None, "", text
    depth = 0
    colon = len(text) - 1
    for at, character in enumerate(text):
        if character == "<" and text[at - 1] == "$":
            depth += 1
        elif character == ">":
            depth -= 1
            if not depth and at + 1 < len(text):
                return None, "", text
        elif character == ":" and depth == 1 and colon == len(text) - 1:
            colon = at
    return text[2:colon], ":" if colon < len(text) - 1 else "", text[colon + 1 : -1]
