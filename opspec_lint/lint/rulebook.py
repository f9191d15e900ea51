"""Finds rules by id, and the rules that judge an event.

The rule of the same name judges an event. Any other rule names its events (`on`), and its id begins with the name of
one: so the module of a rule is imported only when its event occurs. Such a rule in the folder of a framework is about
the ops of that framework alone.
"""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import OpspecError, UsageError
from opspec_lint.lint.wording import in_words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.lint.rule import Rule
    from opspec_lint.spec.ids import EventId


def _of_file(rule: Rule, name: str, framework: str, doc: str) -> Rule:
    return rule.of_file(name, framework, doc)


RULES: Catalogue[Rule] = Catalogue("lint/rules/*", "frameworks/*/rules", offers="RULE", complete=_of_file)


def load(name: str) -> Rule:
    """Return a rule by id.

    Raises:
        UsageError: no rule has this id.
        OpspecError: the file of the rule is wrong.
    """
    try:
        return RULES.load(name)
    except UsageError:
        raise
    except Exception as error:
        raise mistake(name, error) from error


def subject_of(name: str) -> str:
    """Return what a rule is about: the folder of a general rule, or else its framework.

    Raises:
        KeyError: no rule has this id.
    """
    return RULES.framework_of(name) or os.path.basename(os.path.dirname(RULES.file_of(name)))


def mistake(name: str, error: Exception) -> OpspecError:
    """Return the error for a mistake in the file of a rule, which names the file.

    Args:
        name: the id of the rule.
        error: what came of the mistake.
    """
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    advice = "correct the rule: CONTRIBUTING.md describes its parts, and `pytest tests/lint/test_rules.py` tests them"
    return OpspecError(f"{RULES.file_of(name)}: {kind}{error}", advice=advice)


@cache
def worded(name: str, framework: str | None) -> Rule:
    """Return a rule by id, with its texts in the terms of a framework; None for those of the rule itself.

    Raises:
        UsageError: no rule has this id.
        OpspecError: the file of the rule is wrong.
    """
    return in_words_of(load(name), framework)


@cache
def on(event: EventId, framework: str | None) -> tuple[Rule, ...]:
    """Return the rules that judge an event in the terms of a framework, the one of the same name first.

    Args:
        event: the event.
        framework: the framework of the ops that it is about; None to leave out the rules of frameworks.
    """
    longer = (name for name in RULES.names() if name.startswith(f"{event}_"))
    beside = (worded(name, framework) for name in longer if RULES.framework_of(name) in ("", framework))
    return (worded(event, framework), *(rule for rule in beside if event in rule.on))
