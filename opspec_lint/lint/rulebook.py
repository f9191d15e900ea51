"""The lookup of rules by id and by the event that they judge.

An event is judged by the rule of the same name, and by rules that name it in `on`. The id of such a further rule begins
with the name of the event (`op_removed_deprecated` for `op_removed`): so the file names tell which modules to import,
and the module of a rule is imported only when its event occurs. A further rule in the folder of a framework judges the
ops of that framework alone.
"""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import OpspecError
from opspec_lint.lint.wording import apply_wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.lint.profile import Profile
    from opspec_lint.lint.rule import Rule
    from opspec_lint.spec.ids import EventId, RuleId


def _complete(rule: Rule, name: str, framework: str, doc: str) -> Rule:
    """Return a rule with the fields that its file name, its folder and its docstring give."""
    return rule.with_file_data(name, framework, doc)


RULES: Catalogue[Rule] = Catalogue(
    "lint/rules/*", "frameworks/*/rules", offers="RULE", is_open=True, complete=_complete
)


def load(name: str) -> Rule:
    """Return a rule by id; raise UsageError for an unknown id, OpspecError for a faulty rule file."""
    try:
        return RULES.load(name)
    except OpspecError:  # of an unknown name, or of a plug-in, which the message already names
        raise
    # Any exception: a rule file is Python that a contributor may just have written, and the error must name the file.
    except Exception as error:
        raise rule_error(name, error) from error


def subject_of(name: str) -> str:
    """Return the subject of a rule: its framework, or for a general rule the name of its folder, such as "attrs"."""
    return RULES.framework_of(name) or os.path.basename(os.path.dirname(RULES.file_of(name)))


def rule_error(name: str, error: Exception) -> OpspecError:
    """Return an error that names the file of a faulty rule; `error` is the exception that the mistake raised."""
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    advice = "correct the rule: CONTRIBUTING.md describes its parts, and `pytest tests/lint/test_rules.py` tests them"
    return OpspecError(f"{RULES.file_of(name)}: {kind}{error}", advice=advice)


@cache
def load_worded(name: str, framework: str | None) -> Rule:
    """Return a rule by id, with its texts in the terms of a framework; None for the general texts."""
    return apply_wording(load(name), framework)


def has_to_be_named(name: str) -> bool:
    """Return True for a plug-in's rule for all frameworks: a profile or a configuration has to name it.

    Otherwise, a finding would depend on whether the plug-ins were looked up before.
    """
    return RULES.is_plugged(name) and not RULES.framework_of(name)


def is_unnamed(name: RuleId, profile: Profile) -> bool:
    """Return True if a profile has to name a rule so that the rule judges, and does not."""
    return has_to_be_named(name) and profile.named_level(name) is None


def load_named(names: Iterable[str]) -> None:
    """Load the rules of plug-ins that a configuration or a profile names.

    Rules of plug-ins that fail are passed over where nobody names them. A named one has to raise instead: a check
    without it would pass for the wrong reason.

    Raises:
        OpspecError: one of the rules fails.
    """
    if RULES.plugin_names():
        for name in names:
            if RULES.is_plugged(name):
                RULES.load(name)


def rules_for_event(event: EventId, framework: str | None) -> tuple[Rule, ...]:
    """Return the rules that judge an event, the rule of the same name first; None leaves out rules of frameworks."""
    # The number of plug-ins is a part of the key of the cache, as their activation adds rules.
    return _rules_for_event(event, framework, RULES.plugin_count())


@cache  # as each of many thousand facts asks for its event
def _rules_for_event(event: EventId, framework: str | None, plugins: int) -> tuple[Rule, ...]:
    """Return the rule of an event, then further rules that list the event, with the texts of a framework."""
    # The id of a rule that lists the event in `on` begins with the event's name.
    names = (
        name
        for name in _rules_by_prefix(plugins).get(event, ())
        if RULES.framework_of(name) in ("", framework) and not _is_failing_plugin_rule(name)
    )
    further_rules = (load_worded(name, framework) for name in names)
    return (load_worded(event, framework), *(rule for rule in further_rules if event in rule.on))


@cache  # as a comparison has dozens of events, and looking through all rules for each takes 1 % of a short run
def _rules_by_prefix(plugins: int) -> dict[str, list[str]]:  # noqa: ARG001 - the key
    """Return the ids of rules by each prefix before an underscore, in the order of all rules."""
    rules: dict[str, list[str]] = {}
    for name in RULES.names():
        end = name.find("_")
        while end >= 0:
            rules.setdefault(name[:end], []).append(name)
            end = name.find("_", end + 1)
    return rules


def _is_failing_plugin_rule(name: str) -> bool:
    """Return True for a plug-in's rule for all frameworks that fails: `load_named` refuses it where it is named."""
    return has_to_be_named(name) and not RULES.can_load(name)
