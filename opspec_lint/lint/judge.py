"""Makes findings of facts: finds the rules of an event, fills in their templates, takes the level from the profile."""

from __future__ import annotations

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
    from typing import Any

    from opspec_lint.diff.memory import Memory
    from opspec_lint.lint.profile import Profile
    from opspec_lint.lint.rule import Rule
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable, Section

_SECTIONS: Mapping[type, Section] = {Input: "inputs", Output: "outputs", Attr: "attrs"}


def judge(  # noqa: PLR0913 - what is judged, and how
    facts: Iterable[Fact],
    profile: Profile,
    *,
    framework: str | None = None,
    in_order: bool = False,
    at_base: bool = False,
    memory: Memory | None = None,
) -> tuple[Finding, ...]:
    """Return the findings for facts, without those that the profile turns off.

    Findings about no single op come first, then those of each op, in order of name: its changes, the worst first, and
    then the circumstances.

    Args:
        facts: the facts.
        profile: the policy.
        framework: the framework of the ops; None to judge by general rules only.
        in_order: whether findings of an op with the same level keep the order of the facts; otherwise they are ordered
            by kind and name.
        at_base: whether the facts compare a spec with itself at its base, and not with another spec.
        memory: of comparisons of other specs that share facts with these.
    """
    judged = [
        (fact, finding)
        for fact in facts
        for finding in findings(fact, profile, framework, at_base=at_base, memory=memory)
    ]
    judged.sort(key=_place_of_op if in_order else _place)
    return tuple(finding for _, finding in judged)


def judge_in_turn(facts: Iterable[Fact], profile: Profile) -> tuple[Finding, ...]:
    """Return the findings for facts, without those that the profile turns off, in the order of the facts."""
    return tuple(finding for fact in facts for finding in findings(fact, profile))


def findings(
    fact: Fact, profile: Profile, framework: str | None = None, *, at_base: bool = False, memory: Memory | None = None
) -> Iterator[Finding]:
    """Yield a finding for each rule that judges a fact and that the profile does not turn off."""
    known = {} if memory is None else memory.findings(fact)
    stated: Finding | None = None
    words: dict[str, str] = {}
    for rule, level in _judgements(fact, profile, framework, at_base=at_base):
        directions = profile.directions(fact, rule.directions)
        if rule.id in known:
            before = known[rule.id]
            because = _because_exempt(fact, rule, profile)
            yield before.replace(level=level, directions=directions, breaks=before.breaks + because)
            continue
        if stated is None:
            words = {key: one_line(str(value)) for key, value in fact.template_values().items()}
            stated = _stated(fact, rule, profile, framework)
        message, breaks, advice = _filled(rule, words)
        known[rule.id] = stated.replace(
            rule=rule.id,
            level=level,
            directions=directions,
            consequence=rule.consequence,
            is_ignored=rule.is_ignored,
            message=message + fact.remark + _nodes(fact),
            breaks=breaks,
            advice=advice,
        )
        because = _because_exempt(fact, rule, profile)
        yield known[rule.id].replace(breaks=breaks + because) if because else known[rule.id]


def _because_exempt(fact: Fact, rule: Rule, profile: Profile) -> str:
    """Return the reason why a finding about extra arguments is a note, for the end of `breaks`; "" for no such one."""
    if not (fact.is_of_contract and fact.is_exempt and profile.exempts_extra(rule.id)):
        return ""
    if LEVELS.index(profile.level(rule.id, rule.level, "off")) <= LEVELS.index("note"):
        return ""
    return "; it is a note as all of this is extra, which is cut when a model is saved"


def _stated(fact: Fact, rule: Rule, profile: Profile, framework: str | None) -> Finding:
    """Return the finding of a fact under its first rule, without the texts of the rule."""
    table = fields.field_table_of_all_frameworks() if framework is None else fields.field_table(framework)
    before, after = (None if each is None else one_line(each) for each in fact.declared)
    adds = [fact.adds] if fact.adds is not None else []
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
        review=next((team for each in adds if (team := profile.team(each)) is not None), None),
        callers=fact.callers,
        declared=(before, after),
        base_origin=fact.origins[0],
        head_origin=fact.origins[1],
        promise=fact.promise,
        needs=fact.needs,
        graph=fact.graph,
        node=fact.node,
    )


def _as_json(value: Any, table: FieldTable) -> Any:
    """Return a value of a fact as a JSON value; an argument is all that reports show of its declaration."""
    section = _SECTIONS.get(type(value))
    if section is None:
        return values.thaw(value)
    known = table.fields_of(section)
    shown = ((name, value.get(name)) for name, field in known.items() if field.is_shown)
    return {name: values.thaw(each) for name, each in shown if each is not UNKNOWN}


def _nodes(fact: Fact) -> str:
    """Return in which nodes of a model a fact is so, as the end of a sentence."""
    if fact.node is None:
        return ""
    place = f" of function '{fact.graph}'" if fact.graph else ""
    more = f", and {fact.nodes - 1} more" if fact.nodes > 1 else ""
    return f" (node '{fact.node}'{place}{more})"


def _judgements(
    fact: Fact, profile: Profile, framework: str | None, *, at_base: bool = False
) -> Iterator[tuple[Rule, Level]]:
    for rule in rulebook.on(fact.event, framework):
        level = _level(fact, rule, profile, framework, at_base=at_base)
        if level != "off" and (rule.when is None or _selects(rule, rule.when, fact)):
            yield rule, level


def _selects(rule: Rule, when: Callable[[Fact], bool], fact: Fact) -> bool:
    """Tell whether a rule is about a fact; it may have to build an op.

    Raises:
        OpspecError: the rule asks for what no such fact has.
    """
    try:
        return when(fact)
    except (AttributeError, NameError, TypeError) as error:
        raise rulebook.mistake(rule.id, error) from error
    except KeyError as error:
        key = error.args[0] if error.args else None
        # Only a missing fact is a mistake of the rule: any other key is one that this program looked up.
        if not isinstance(key, str) or key in fact.facts:
            raise
        unknown = ValueError(f"its condition uses {error}, a fact that this event does not have")
        raise rulebook.mistake(rule.id, unknown) from error


def _filled(rule: Rule, words: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the message, the witness and the advice of a rule, filled in with the words of a fact.

    Raises:
        OpspecError: a template is wrong, or uses a word that the fact does not have.
    """
    try:
        return rule.message.format_map(words), rule.witness.format_map(words), rule.advice.format_map(words)
    except KeyError as error:
        unknown = ValueError(f"a template uses {error}, a word that the fact does not have")
        raise rulebook.mistake(rule.id, unknown) from error
    except (AttributeError, ValueError) as error:
        raise rulebook.mistake(rule.id, error) from error


def _level(fact: Fact, rule: Rule, profile: Profile, framework: str | None, *, at_base: bool) -> Level:
    """Return the level of a fact under a rule.

    A fact that stands for several ones has the worst of their levels. An exempt fact is a note at most, a fact about a
    variant of an op that no released build has is a warning at most unless the profile has a floor, and `at_most` of
    the profile limits the level too.
    """
    if not fact.is_of_contract:
        return profile.levels.get(rule.id, fact.level or rule.level)
    if profile.members:
        return worst(*(_level(fact, rule, each, framework, at_base=at_base) for each in profile.members))
    op = fact.op or ""
    if fact.halves and rule.id == fact.event and rule.id not in profile.levels:
        every = (each for half in fact.halves for _, each in _judgements(half, profile, framework))
        level = worst("off", *every)
    else:
        level = profile.level(rule.id, rule.level, (at_base and rule.level_at_base) or "off")
        if fact.is_exempt and profile.exempts_extra(rule.id):
            level = mildest(level, "note")
        if profile.exempts(op):
            level = mildest(level, profile.exempt_ops_at_most)
    if profile.at_most is not None:
        level = mildest(level, profile.at_most(fact))
    # A profile that raises every difference to a floor makes no exception for builds that nobody publishes.
    is_mild = profile.floor == "off" and op[-1:] == "]" and _is_unreleased(op, framework)
    return mildest(level, "warning") if is_mild else level


def _is_unreleased(op: str, framework: str | None) -> bool:
    """Tell whether an op is the variant of a build that the framework does not publish."""
    build = build_of(op)
    if build is None:
        return False
    known = framework is not None and framework in fields.FRAMEWORKS
    return not known or build not in FRAMEWORKS.load(str(framework)).released_builds


def _place_of_op(judged: tuple[Fact, Finding]) -> tuple[bool, str, bool, int]:
    fact, finding = judged
    badness = -LEVELS.index(finding.level) if fact.is_of_contract else 0
    return finding.op is not None, finding.op or "", not fact.is_of_contract, badness


def _place(judged: tuple[Fact, Finding]) -> tuple[bool, str, bool, int, int, str]:
    fact, finding = judged
    kind, name = (KINDS.index(finding.kind), finding.name or "") if fact.is_of_contract else (0, "")
    return *_place_of_op(judged), kind, name
