"""The facts of a line as data, in the shape of MDN's browser-compat-data.

Each op and argument has `__compat` as it is there (`version_added`, `version_removed`, `partial_implementation`), and
beside it `__contract`: how it is declared from which release to which. `documents/schemas/compat.schema.json`
describes it.
"""

from __future__ import annotations

import json

from opspec_lint.site.loads import LOADING, outcome
from opspec_lint.site.timeline import SECTION_OF
from opspec_lint.site.when import since, until
from opspec_lint.spec import values
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import DeclaredItem, OpTimeline, Span
    from opspec_lint.spec.fields import Field
    from opspec_lint.spec.model import Declared

VERSION = 1


def index_json(files: Mapping[str, Line]) -> str:
    """Return the list of the data files as JSON text; they are given by their paths from the top of the site."""
    frameworks = {
        line.framework: {"name": line.title, "file": path.rpartition("/")[2], "newest_release": line.newest.label}
        for path, line in files.items()
    }
    return json.dumps({"version": VERSION, "frameworks": frameworks}, indent=1) + "\n"


def to_json(line: Line, ops: Mapping[str, OpTimeline], judged: Judgements) -> Iterator[str]:
    """Yield the data of a line as JSON text, in parts."""
    top = {
        "__meta": {"version": VERSION, "judged_by": judged.profile},
        "frameworks": {
            line.framework: {
                "name": line.title,
                "releases": {
                    release.label: {
                        "spec": release.name,
                        **({} if release.date is None else {"release_date": release.date}),
                    }
                    for release in line.releases
                },
            }
        },
    }
    yield f'{_dumps(top)[:-1]},"ops":{{'
    for place, (name, op) in enumerate(ops.items()):
        yield f"{',' if place else ''}\n{_dumps(name)}:{_dumps(_op(op, line, judged))}"
    yield "\n}}\n"


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _op(op: OpTimeline, line: Line, judged: Judgements) -> dict[str, Any]:
    """Return the record of an op, with the records of its arguments by section."""
    breaks = list(_breaks(op, line, judged))
    entry = _item_record(op.whole, line, breaks)
    for kind, section in SECTIONS.items():
        own = [argument for argument in op.arguments if argument.kind == kind]
        if own:
            entry[section] = {
                name: _item_record(argument, line) for name, argument in zip(_distinct(own), own, strict=True)
            }
    return entry


def _distinct(declared_items: Iterable[DeclaredItem]) -> list[str]:
    """Return the names of arguments as distinct keys."""
    from opspec_lint.kit.text import distinct

    # A framework may declare several arguments with one name, which would be one key of the JSON object.
    return distinct(item.name for item in declared_items)


def _item_record(item: DeclaredItem, line: Line, breaks: Iterable[tuple[int, str]] = ()) -> dict[str, Any]:
    """Return the record of an op or argument: a support statement for each span, the newest first."""
    statements = [_statement(span, line, list(breaks)) for span in reversed(item.spans)]
    support: Any = statements[0] if len(statements) == 1 else statements
    return {"__compat": {"support": {line.framework: support}}, "__contract": list(_contracts(item, line))}


def _statement(span: Span, line: Line, breaks: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """Return a span of releases as a support statement of browser-compat-data, with the breaks within the span."""
    statement: dict[str, Any] = {"version_added": since(span, line)}
    gone = until(span, line)
    if gone is not None:
        statement["version_removed"] = gone
    within = [
        sentence for place, sentence in breaks if span.since < place and (span.until is None or place < span.until)
    ]
    if within:
        statement |= {"partial_implementation": True, "notes": within[0] if len(within) == 1 else within}
    return statement


def _breaks(op: OpTimeline, line: Line, judged: Judgements) -> Iterator[tuple[int, str]]:
    """Yield the releases with an op that do not load models of the release before that use it, with a sentence."""
    states = op.states
    for place in range(1, len(states)):
        if states[place - 1] == states[place] == "there":
            result = outcome(judged.findings(place - 1, place, op.whole.name))
            if result.verdict not in LOADING and result.finding is not None:
                before, after = (line.releases[index].label for index in (place - 1, place))
                yield place, f"{after} does not load models of {before}: {result.finding.message}"


def _contracts(item: DeclaredItem, line: Line) -> Iterator[dict[str, Any]]:
    """Yield the declarations of an op or argument, the newest first."""
    every = line.table.fields_of(SECTION_OF[item.kind])
    for period in reversed(item.periods):
        if period.declared is not None:
            first, last = line.releases[period.start].label, line.releases[period.end - 1].label
            yield {"version_first": first, "version_last": last, **contract(period.declared, every.values())}


def contract(declared: Declared, every: Iterable[Field]) -> dict[str, Any]:
    """Return the known fields of a declaration that do not have their defaults, as JSON values."""
    known = {}
    for field in every:
        value = declared.get(field.name)
        if value is not UNKNOWN and not values.same(value, field.default):
            known[field.name] = values.thaw(value)
    return known
