"""Constructors for the facts about releases of ONNX that are more than a difference between two declarations."""

from __future__ import annotations

from functools import partial

from opspec_lint.kit.text import shorten
from opspec_lint.spec import op_table
from opspec_lint.spec.fact import LONGEST, Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.spec.model import Op


def version_added(  # noqa: PLR0913 - a fact is what it says
    ops: Mapping[str, Op],
    op: str,
    name: str,
    *,
    since: int,
    domain: str,
    published: int | None,
    predecessor: str | None,
    framework: str,
) -> Fact:
    """Return the fact that only head has a version of an op. It stores references, and computes its texts on demand.

    Args:
        ops: the ops of head.
        op: the version, such as `Conv@11`.
        name: the name of the op.
        since: the opset that brings the version.
        domain: the domain of the op.
        published: the opset of the domain that base has, None for a domain that base does not have.
        predecessor: the version before it, None for the first.
        framework: the framework of the ops.
    """
    is_late = published is not None and since <= published
    return Fact(
        event="op_added_late" if is_late else "version_added",
        kind="op",
        op=op,
        name=name,
        old=predecessor,
        new=op,
        origins=(None, op_table.origin(ops, op)),
        facts={"since": since, "domain": domain, "published": published},
        describe=partial(_describe_changes, ops, framework),
    )


def _describe_changes(ops: Mapping[str, Op], framework: str, fact: Fact) -> Mapping[str, object]:
    """Return the template value `differences`: the changes of a new version, in the texts of their rules."""
    return {"differences": shorten(_differences(ops, framework, fact), 2 * LONGEST)}


def _differences(ops: Mapping[str, Op], framework: str, fact: Fact) -> str:
    """Return the changes of a new version since its predecessor as text."""
    if fact.old is None:
        return "it is the first version of the op"
    from opspec_lint.diff.binding import BINDINGS
    from opspec_lint.frameworks.onnx.framework import BINDING
    from opspec_lint.spec import fields

    old, new = ops[fact.old], ops[fact.new]
    messages = _messages(BINDINGS.load(BINDING).compare(old, new, (), fields.field_table(framework)), framework)
    return f"since {fact.old}, {messages or 'its meaning changed, and not its signature'}"


def development_changed(op: str, differences: Sequence[Fact], *, since: int, domain: str, framework: str) -> Fact:
    """Return the fact that a version of an op that is newer than the last release was changed or removed.

    Args:
        op: the version, such as `Conv@11`.
        differences: the facts about the version.
        since: the opset that brings the version.
        domain: the domain of the op.
        framework: the framework of the ops.
    """
    removed = next((fact for fact in differences if fact.event == "op_removed"), None)
    facts = {"since": since, "domain": domain}
    if removed is not None:
        return Fact(
            event="development_removed", kind="op", op=op, name=op, old=op, origins=removed.origins, facts=facts
        )
    return Fact(
        event="development_changed",
        kind="op",
        op=op,
        name=op,
        old=op,
        new=op,
        origins=differences[0].origins,
        facts=facts,
        describe=partial(_describe_draft, tuple(differences), framework),
    )


def _describe_draft(differences: Sequence[Fact], framework: str, _: Fact) -> Mapping[str, object]:
    """Return the template value `differences` of a schema in development."""
    return {"differences": shorten(_messages(differences, framework), 2 * LONGEST)}


def _messages(changes: Iterable[Fact], framework: str) -> str:
    """Return the messages of the rules for some facts, in the terms of the framework."""
    from opspec_lint.lint import rulebook

    messages = (
        rulebook.load_worded(change.event, framework).message.format_map(change.template_values()) for change in changes
    )
    return "; ".join(messages)


def adapter_missing(op: Op, name: str, predecessor: str, steps: list[str]) -> Fact:
    """Return the fact that the version converter lacks the conversions `steps` for a new version."""
    return Fact(
        event="adapter_missing",
        kind="op",
        op=op.name,
        name=name,
        old=predecessor,
        new=op.name,
        origins=(None, op.origin),
        facts={"predecessor": predecessor, "ways": " or ".join(steps)},
    )


def limit_lowered(name: str, old: int, new: int) -> Fact:
    """Return the fact that head's limit `name`, such as the highest opset, is lower than base's."""
    return Fact(event="limit_lowered", kind="source", name=name, old=old, new=new, facts={"old": old, "new": new})
