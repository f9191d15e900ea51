"""The judgement of facts: for each rule of a fact's event, a finding with its level and its texts filled in.

The rules of an event come from the rulebook, the level from a profile, and the texts from the templates of the rule,
filled with the values of the fact.
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter

from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.kit.text import one_line
from opspec_lint.lint import rulebook
from opspec_lint.report.findings import LEVELS, Finding, mildest, worst
from opspec_lint.spec import fields, values
from opspec_lint.spec.fact import KINDS
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.identity import build_of
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.lint.profile import Profile
    from opspec_lint.lint.rule import Rule
    from opspec_lint.report.findings import Direction, Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable, Section
    from opspec_lint.spec.ids import RuleId

    _Judged: TypeAlias = tuple[tuple[Any, ...], Finding]
    """A finding behind its sort key."""

_SECTIONS: Mapping[type, Section] = {Input: "inputs", Output: "outputs", Attr: "attrs"}


def judge(  # noqa: PLR0913 - what is judged, and how
    facts: Iterable[Fact],
    profile: Profile,
    *,
    framework: str | None = None,
    in_order: bool = False,
    at_base: bool = False,
    memory: NoMemory = NO_MEMORY,
) -> tuple[Finding, ...]:
    """Return the findings for facts whose level is not "off".

    Order: findings that concern no single op, then ops by name; within an op, changes before circumstances, and the
    worst first.

    - `framework`: the framework of the ops; None to judge by general rules only.
    - `in_order`: findings of an op with the same level keep the order of the facts, as the order of arguments matters
      to the binding; otherwise they are ordered by kind and name.
    - `at_base`: the facts compare a spec file with itself before a change, and not two different specs.
    - `memory`: a cache of findings that comparisons with shared facts use in common.
    """
    rulebook.load_named(profile.named_rules())
    sort_key = _op_order if in_order else _order

    def judge_fact(fact: Fact) -> list[_Judged]:
        judgement = findings(fact, profile, framework, at_base=at_base, memory=memory)
        return [(sort_key(fact, finding), finding) for finding in judgement]

    judged: list[_Judged] = []
    for fact in facts:
        # The topic has the answers about the fact itself, and not those about its halves or under members.
        if memory is NO_MEMORY or fact.halves or profile.members:
            judged += judge_fact(fact)
        else:
            topic = "judged", at_base, in_order, *_answers_of_loaders(fact, profile)
            judged += memory.derive(fact, topic, partial(judge_fact, fact))
    judged.sort(key=itemgetter(0))
    return tuple(finding for _, finding in judged)


def _answers_of_loaders(fact: Fact, profile: Profile) -> tuple[Level | None, bool | None]:
    """Return all that the two specs contribute to the findings for a fact: the worst level, and a broken loader."""
    # Without `limit`, `at_most` is the same for all specs; an expired waiver and the like have no limit.
    at_most = None if profile.limit is None or not fact.is_of_contract else profile.at_most
    return (
        None if at_most is None else at_most(fact),
        None if profile.breaks_forward is None else profile.breaks_forward(fact),
    )


def judge_in_order(facts: Iterable[Fact], profile: Profile) -> tuple[Finding, ...]:
    """Return the findings for facts whose level is not "off", in the order of the facts."""
    return tuple(finding for fact in facts for finding in findings(fact, profile))


def findings(
    fact: Fact, profile: Profile, framework: str | None = None, *, at_base: bool = False, memory: NoMemory = NO_MEMORY
) -> Iterator[Finding]:
    """Yield a finding for each rule that judges a fact and whose level is not "off"."""
    # The functions that a profile binds to two specs decide on level and directions, and on nothing else of a finding.
    known: dict[tuple[RuleId, Level, tuple[Direction, ...]], Finding] = memory.derive(fact, "findings", dict)
    unworded: Finding | None = None
    template_values: dict[str, str] = {}
    for rule, level in _limited_rules(fact, profile, framework, at_base=at_base, memory=memory):
        directions = profile.directions(fact, rule.directions)
        key = rule.id, level, directions
        if key not in known:
            if unworded is None:
                template_values = {name: one_line(str(value)) for name, value in fact.template_values().items()}
                unworded = _unworded_finding(fact, rule, profile, framework)
            message, breaks, advice = _fill_templates(rule, template_values)
            known[key] = unworded.replace(
                rule=rule.id,
                level=level,
                directions=directions,
                consequence=rule.consequence,
                is_ignored=rule.is_ignored,
                message=message + fact.remark + _node_suffix(fact),
                breaks=breaks + _exemption_reason(fact, rule, profile),
                advice=advice,
            )
        yield known[key]


def _exemption_reason(fact: Fact, rule: Rule, profile: Profile) -> str:
    """Return why a finding about extra arguments is only a note, for the end of `breaks`; "" if it is not exempt."""
    if not (fact.is_of_contract and fact.is_exempt and profile.exempts_extra(rule.id)):
        return ""
    if LEVELS.index(profile.level(rule.id, rule.level, "off")) <= LEVELS.index("note"):
        return ""
    return "; it is a note as all of this is extra, which is cut when a model is saved"


def _unworded_finding(fact: Fact, rule: Rule, profile: Profile, framework: str | None) -> Finding:
    """Return the finding for a fact under a rule, with empty texts."""
    table = fields.field_table_of_all_frameworks() if framework is None else fields.field_table(framework)
    before, after = (None if declaration is None else one_line(declaration) for declaration in fact.declared)
    base_origin, head_origin = fact.origins
    return Finding(
        rule=rule.id,
        event=fact.event,
        level=rule.level,
        directions=rule.directions,
        kind=fact.kind,
        op=fact.op,
        name=fact.name,
        new_name=fact.new_name,
        confidence=fact.confidence,
        field=fact.field,
        old=_as_json(fact.old, table) if fact.is_of_contract else fact.old,
        new=_as_json(fact.new, table) if fact.is_of_contract else fact.new,
        message="",
        breaks="",
        advice="",
        review=None if fact.adds is None else profile.team(fact.adds),
        callers=fact.callers,
        declared=(before, after),
        base_origin=base_origin,
        head_origin=head_origin,
        promise=fact.promise,
        needs=fact.needs,
        graph=fact.graph,
        node=fact.node,
    )


def _as_json(value: Any, table: FieldTable) -> Any:
    """Return a value of a fact as a JSON value; for an argument, an object of the fields that reports show."""
    section = _SECTIONS.get(type(value))
    if section is None:
        return values.thaw(value)
    known = table.fields_of(section)
    shown = ((name, value.get(name)) for name, field in known.items() if field.is_shown)
    return {name: values.thaw(field_value) for name, field_value in shown if field_value is not UNKNOWN}


def _node_suffix(fact: Fact) -> str:
    """Return the nodes of a model that a fact concerns, as a suffix: " (node 'a' of function 'f', and 2 more)"."""
    if fact.node is None:
        return ""
    place = f" of function '{fact.graph}'" if fact.graph else ""
    more = f", and {fact.nodes - 1} more" if fact.nodes > 1 else ""
    return f" (node '{fact.node}'{place}{more})"


def _limited_rules(
    fact: Fact, profile: Profile, framework: str | None, *, at_base: bool = False, memory: NoMemory = NO_MEMORY
) -> Iterator[tuple[Rule, Level]]:
    """Yield the rules that judge a fact, each with its level, which `at_most` of the profile limits."""

    def compute() -> tuple[tuple[Rule, Level], ...]:
        return tuple(_judging_rules(fact, profile, framework, at_base=at_base))

    # The level of a fact with halves depends on the limits of the halves, which are those of these two specs.
    judging = compute() if fact.halves else memory.derive(fact, ("rules", at_base), compute)
    # The limit is a policy for ops, and a union has none of its own.
    is_limited = profile.at_most is not None and fact.is_of_contract and not profile.members
    for rule, level in judging:
        limited = mildest(level, profile.at_most(fact)) if is_limited and profile.at_most is not None else level
        if limited != "off":
            yield rule, limited


def _judging_rules(
    fact: Fact, profile: Profile, framework: str | None, *, at_base: bool = False
) -> Iterator[tuple[Rule, Level]]:
    """Yield the rules that judge a fact, each with its level before `at_most` of the profile limits it."""
    for rule in rulebook.rules_for_event(fact.event, framework):
        if rulebook.is_unnamed(rule.id, profile):
            continue
        level = _level(fact, rule, profile, framework, at_base=at_base)
        # The level first: the condition of a rule may have to build the op of a lazily loaded spec.
        if level != "off" and (rule.when is None or _applies(rule, rule.when, fact)):
            yield rule, level


def _applies(rule: Rule, when: Callable[[Fact], bool], fact: Fact) -> bool:
    """Evaluate the condition of a rule for a fact; raise OpspecError if the condition is faulty."""
    try:
        return when(fact)
    except (AttributeError, NameError, TypeError) as error:
        raise rulebook.rule_error(rule.id, error) from error
    except KeyError as error:
        key = error.args[0] if error.args else None
        # Only a missing fact is a mistake of the rule: any other key is one that this program looked up.
        if not isinstance(key, str) or key in fact.facts:
            raise
        unknown = ValueError(f"its condition uses {error}, a fact that this event does not have")
        raise rulebook.rule_error(rule.id, unknown) from error


def _fill_templates(rule: Rule, template_values: Mapping[str, str]) -> tuple[str, str, str]:
    """Return message, witness and advice of a rule with the values of a fact; raise OpspecError for a bad template."""
    try:
        return (
            rule.message.format_map(template_values),
            rule.witness.format_map(template_values),
            rule.advice.format_map(template_values),
        )
    except KeyError as error:
        unknown = ValueError(f"a template uses {error}, a word that the fact does not have")
        raise rulebook.rule_error(rule.id, unknown) from error
    except (AttributeError, ValueError) as error:
        raise rulebook.rule_error(rule.id, error) from error


def _level(fact: Fact, rule: Rule, profile: Profile, framework: str | None, *, at_base: bool) -> Level:
    """Return the level of a fact under a rule, before `at_most` of the profile limits it.

    A rename or a move has the worse level of its halves, a removal and an addition. An exempt fact is a note at most,
    and a fact about a variant of an op that no released build has is a warning at most unless the profile has a floor.
    """
    # A profile is a policy for ops: floor, ceiling and exemptions would be wrong for an expired waiver.
    if not fact.is_of_contract:
        return profile.named_level(rule.id) or fact.level or rule.level
    if profile.members:
        members = (member for member in profile.members if not rulebook.is_unnamed(rule.id, member))
        return worst(*(_level(fact, rule, member, framework, at_base=at_base) for member in members))
    op = fact.op or ""
    if fact.halves and rule.id == fact.event and rule.id not in profile.levels:
        half_levels = (level for half in fact.halves for _, level in _limited_rules(half, profile, framework))
        level = worst("off", *half_levels)
    else:
        level = profile.level(rule.id, rule.level, (at_base and rule.level_at_base) or "off")
        if fact.is_exempt and profile.exempts_extra(rule.id):
            level = mildest(level, "note")
        if profile.exempts(op):
            level = mildest(level, profile.exempt_ops_at_most)
    # A profile that raises every difference to a floor makes no exception for unpublished builds. "]" ends the
    # name of a variant, "gemm[rocm]": the test of one character spares the parse of every other name.
    if profile.floor == "off" and op[-1:] == "]" and _is_unreleased(op, framework):
        level = mildest(level, "warning")
    return level


def _is_unreleased(op: str, framework: str | None) -> bool:
    """Return whether an op is the variant of a build, such as `conv[rocm]`, that the framework does not publish."""
    build = build_of(op)
    if build is None:
        return False
    known = framework is not None and framework in fields.FRAMEWORKS
    if not known:
        return True
    stated = FRAMEWORKS.load(str(framework))
    return not stated.releases_any_build and build not in stated.released_builds


def _op_order(fact: Fact, finding: Finding) -> tuple[bool, str, bool, int]:
    """Return the sort key by op, then changes before circumstances, then the worst level."""
    badness = -LEVELS.index(finding.level) if fact.is_of_contract else 0
    return finding.op is not None, finding.op or "", not fact.is_of_contract, badness


def _order(fact: Fact, finding: Finding) -> tuple[bool, str, bool, int, int, str]:
    """Return the sort key by op and level, then kind and name of the argument."""
    kind, name = (KINDS.index(finding.kind), finding.name or "") if fact.is_of_contract else (0, "")
    return *_op_order(fact, finding), kind, name
