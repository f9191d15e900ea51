"""From facts to findings: the rules of each event are found, their templates filled in, the profile sets the level."""

from __future__ import annotations

from opspec_lint import rulebook, values
from opspec_lint.changes import (
    ArgumentAdded,
    ArgumentRenamed,
    FieldChanged,
    GraphsRefused,
    GraphVersionsChanged,
    HistoriesUnknown,
    HistoryChanged,
    OpAdded,
    OpInvalid,
    OpRemoved,
    RegistrationDangling,
    RegistrationMissing,
)
from opspec_lint.findings import LEVELS, Finding, mildest, worst
from opspec_lint.model import UNKNOWN
from opspec_lint.optable import origin
from opspec_lint.plain import one_line, plural, shorten
from opspec_lint.registrations import label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.changes import AnyArgument, Change
    from opspec_lint.findings import Level
    from opspec_lint.model import Checkpoint, Origin
    from opspec_lint.profile import Profile
    from opspec_lint.rule import Rule

_LONGEST = 300
"""Characters of a value in a sentence; the finding holds all of it."""
_SURE = 0.8
"""The confidence from which on a rename is stated as a fact."""
_KINDS = ("op", "input", "output", "attr", "registration", "source", "waiver")
_SHOWN_FIELDS = (
    "type",
    "type_attr",
    "number_attr",
    "type_list_attr",
    "is_ref",
    "default_value",
    "allowed_values",
    "minimum",
    "maximum",
    "duplicable",
    "dispensable",
    "intermediate",
    "generated",
    "extra",
    "quant",
)


def judge(
    changes: Iterable[Change], profile: Profile, *, framework: str | None = None, in_order: bool = False
) -> tuple[Finding, ...]:
    """Return the findings for all that the profile does not ignore; ops in order, the worst first within each.

    Args:
        changes: the facts.
        profile: the policy.
        framework: whose ops they are, None where the rules of no one framework are to judge.
        in_order: whether findings of an op that are equally bad keep the order of the facts; else they are ordered by
            kind and name.
    """
    findings = [
        _finding(change, rule, level, profile)
        for change in changes
        for rule, level in _judgements(change, profile, framework)
    ]
    return tuple(sorted(findings, key=_place_of_op if in_order else _place))


def _place_of_op(finding: Finding) -> tuple[bool, str, int]:
    return finding.op is not None, finding.op or "", -LEVELS.index(finding.level)


def _place(finding: Finding) -> tuple[bool, str, int, int, str]:
    kind = _KINDS.index(finding.kind)
    return *_place_of_op(finding), kind, finding.name or ""


def _judgements(change: Change, profile: Profile, framework: str | None = None) -> Iterator[tuple[Rule, Level]]:
    for rule in rulebook.on(change.event):
        level = _level(change, rule, profile, framework) if rule.only_for in (None, framework) else "off"
        if level != "off" and (rule.when is None or rule.when(change)):  # `when` may have to build an op
            yield rule, level


def _level(change: Change, rule: Rule, profile: Profile, framework: str | None) -> Level:
    """Return the level of a change under a rule; a rename or move has the worse of the levels of its two halves."""
    if isinstance(change, ArgumentRenamed) and rule.id == change.event and rule.id not in profile.levels:
        halves = (change.removed, change.added)
        return worst("off", *(level for half in halves for _, level in _judgements(half, profile, framework)))
    level = profile.level(rule.id, rule.level)
    if (change.exempt and profile.exempt_extra) or profile.exempts(change.op):
        return mildest(level, "note")
    return level


def _finding(change: Change, rule: Rule, level: Level, profile: Profile) -> Finding:
    facts = {key: one_line(str(value)) for key, value in _facts(change).items()}
    old, new = _values(change)
    base_origin, head_origin = _origins(change)
    concerns_all = isinstance(change, (HistoriesUnknown, GraphsRefused, GraphVersionsChanged))
    op, name = (None, None) if concerns_all else (change.op, change.name)
    message = rule.message.format_map(facts)
    if change.against:
        message += f", counted from the declaration {plural(change.against, 'version')} before base's"
    return Finding(
        rule=rule.id,
        level=level,
        directions=rule.directions,
        kind=change.kind,
        op=op,
        name=name,
        new_name=getattr(change, "new_name", None),
        confidence=getattr(change, "confidence", None),
        field=_field(change),
        old=old,
        new=new,
        message=message,
        breaks=rule.witness.format_map(facts),
        advice=rule.advice.format_map(facts),
        review=_review(change, profile),
        base_origin=base_origin,
        head_origin=head_origin,
    )


def _review(change: Change, profile: Profile) -> str | None:
    if isinstance(change, ArgumentRenamed):
        return _review(change.added, profile)
    added: AnyArgument | None = None
    if isinstance(change, ArgumentAdded) and not change.exempt:
        added = change.new
    elif isinstance(change, FieldChanged) and not change.exempt and _is_reviewed(change):
        added = change.after
    return None if added is None else profile.reviewers.get("quant" if added.quant is True else "def")


def _is_reviewed(change: FieldChanged) -> bool:
    return change.field == "default_value" or (change.field == "extra" and not change.new)


def _field(change: Change) -> str | None:
    if isinstance(change, (FieldChanged, GraphsRefused, GraphVersionsChanged)):
        return change.field
    if isinstance(change, (RegistrationMissing, RegistrationDangling)):
        return label(change.update)
    if isinstance(change, OpInvalid):
        return "invalid"
    return None


def _things(change: Change) -> tuple[Any, Any]:
    """Return what base and head declare of what changed, each None where it declares nothing."""
    if isinstance(change, RegistrationMissing):
        return _things(change.cause)
    if isinstance(change, ArgumentRenamed):
        return change.removed.old, change.added.new
    if isinstance(change, FieldChanged):
        return change.before, change.after
    return getattr(change, "old", None), getattr(change, "new", None)


def _origins(change: Change) -> tuple[Origin | None, Origin | None]:
    """Return where base and head declare what changed, each None where it does not, or has no lines."""
    if isinstance(change, OpRemoved):
        return origin(change.ops, change.op), None
    if isinstance(change, OpAdded):
        return None, origin(change.ops, change.op)
    before, after = _things(change)
    return getattr(before, "origin", None), getattr(after, "origin", None)


def _values(change: Change) -> tuple[Any, Any]:
    """Return what was and what is, as JSON values."""
    if isinstance(
        change, (OpAdded, OpRemoved, RegistrationMissing, RegistrationDangling, HistoriesUnknown, GraphsRefused)
    ):
        return None, None
    if isinstance(change, (FieldChanged, GraphVersionsChanged)):
        return values.thaw(change.old), values.thaw(change.new)
    if isinstance(change, OpInvalid):
        return None, change.reason
    if isinstance(change, HistoryChanged):
        show = _show_words if change.how == "reworded" else _show_history
        return show(change.old), show(change.new)
    before, after = _things(change)
    return _declaration(before), _declaration(after)


def _declaration(argument: AnyArgument | None) -> dict[str, Any] | None:
    if argument is None:
        return None
    fields = {field: getattr(argument, field, UNKNOWN) for field in _SHOWN_FIELDS}
    return {field: values.thaw(value) for field, value in fields.items() if value is not UNKNOWN}


def _facts(change: Change) -> dict[str, object]:  # noqa: PLR0912 - a branch for each kind of change
    """Return what the templates of a rule can name."""
    facts: dict[str, object] = {"op": change.op, "kind": change.kind, "name": change.name}
    if isinstance(change, ArgumentRenamed):
        was_renamed = "was renamed" if change.confidence >= _SURE else "seems to have been renamed"
        facts |= {"new_name": change.new_name, "confidence": change.confidence, "was_renamed": was_renamed}
    elif isinstance(change, FieldChanged):
        facts |= {"old": _show(change, change.old), "new": _show(change, change.new), "field": change.field}
        if change.field == "allowed_values":
            facts |= _set_facts(change.old, change.new)
    elif isinstance(change, OpInvalid):
        facts |= {"reason": shorten(change.reason, _LONGEST)}
    elif isinstance(change, OpRemoved):
        facts |= _removal_facts(change)
    elif isinstance(change, OpAdded):
        facts |= {"predecessor": change.predecessor}
    elif isinstance(change, (GraphsRefused, GraphVersionsChanged)):
        if isinstance(change, GraphVersionsChanged):
            facts |= {"old": values.show(change.old), "new": values.show(change.new)}
        facts |= {"written": change.after.producer, "written_before": change.before.producer}
        facts |= {"since": change.after.producer_since, "since_before": change.before.producer_since}
    elif isinstance(change, ArgumentAdded) and change.kind == "attr":
        default = change.new.default_value  # type: ignore[union-attr]
        facts |= {"new": "unknown" if default is UNKNOWN else shorten(values.show(default), _LONGEST)}
    elif isinstance(change, RegistrationMissing):
        facts |= {"update": label(change.update)}
    elif isinstance(change, RegistrationDangling):
        facts |= {"update": label(change.update), "what_is_wrong": _what_is_wrong(change)}
    elif isinstance(change, HistoryChanged):
        facts |= _history_facts(change)
    elif isinstance(change, HistoriesUnknown):
        side = "neither side brings" if change.side == "neither" else f"{change.side} brings no"
        changes = plural(change.count, "change")
        unchecked = f"{changes} could not be checked for a registration, nor the histories for what was lost"
        if change.side == "neither":
            unchecked = f"{changes} could not be checked for a registration"
        weakly = f"{changes} checked against all that head ever registered, old or new"
        facts |= {"side": side, "consequence": weakly if change.side == "base" else unchecked}
    return facts


def _set_facts(old: Any, new: Any) -> dict[str, object]:
    """Return what is no longer allowed, and what newly is."""
    return {
        "lost": _beyond(old, new) or f"what is not in {_listed(new)}",
        "gained": _beyond(new, old) or ("any value" if new is None else "the same values in another order"),
    }


def _beyond(one: Any, other: Any) -> str:
    """Return the values of one set that another has not."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return ""
    return ", ".join(map(values.show, values.beyond(one, other)))


def _listed(value: Any) -> str:
    return shorten(values.show(value), _LONGEST)


def _removal_facts(change: OpRemoved) -> dict[str, object]:
    written = "base's" if change.graph_version is None else str(change.graph_version)
    return {"successor": change.successor, "graph_version": written}


def _show(change: FieldChanged, value: Any) -> str:
    return (
        str(value)
        if change.field in ("type", "name")
        else "none"
        if value is None
        else shorten(values.show(value), _LONGEST)
    )


def _what_is_wrong(change: RegistrationDangling) -> str:
    update = change.update
    if not change.op_exists:
        return f"but there is no op '{change.op}'"
    if update.action == "delete":
        return f"which is still an {update.kind} of '{change.op}'"
    if change.elsewhere:
        return f"which is an {change.elsewhere} of '{change.op}' and no {update.kind}"
    return f"which is no {update.kind} of '{change.op}'"


def _history_facts(change: HistoryChanged) -> dict[str, object]:
    at = slice(change.index, change.index + 1) if change.how == "rewritten" else slice(change.index, None)
    return {
        "index": change.index + 1,
        "checkpoints": plural(abs(len(change.old) - len(change.new)), "checkpoint"),
        "total": max(len(change.old), len(change.new)),
        "old": " | ".join(_show_history(change.old[at])) or "nothing",
        "new": " | ".join(_show_history(change.new[at])) or "nothing",
    }


def _show_words(history: Iterable[Checkpoint]) -> list[list[str]]:
    """Return the notes and remarks of a history, which are all that a reworded one differs in."""
    return [[checkpoint.note, *(update.remark for update in checkpoint.updates)] for checkpoint in history]


def _show_history(history: Iterable[Checkpoint]) -> list[str]:
    from opspec_lint.notation import show_update

    return [", ".join(map(show_update, checkpoint.updates)) for checkpoint in history]
