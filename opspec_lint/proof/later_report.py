"""The report on stored models under a later release, as text and as JSON (`documents/schemas/stored.schema.json`)."""

from __future__ import annotations

import json
from collections import Counter

from opspec_lint.kit.text import one_line, plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.proof.later import LaterResult
    from opspec_lint.spec.model import Spec

VERSION = 1
_MOST = 50
_LONGEST = 300


def as_text(head: Spec, loader: str, results: Sequence[LaterResult], *, is_tried: bool) -> str:
    """Return the text: models that no longer load, then counts by release; `is_tried`: a loader was run."""
    lines = []
    lost = [result for result in results if not result.is_taken]
    for result in lost[:_MOST]:
        lines.append(
            one_line(f"{result.verdict}: {result.model.op}, saved by {result.model.release} ({result.model.file})")
        )
        lines.append(f"    {shorten(one_line(result.reason), _LONGEST)}")
    if len(lost) > _MOST:
        lines.append(f"{len(lost) - _MOST} more are not taken; --format json has them all")
    counts = Counter(result.model.release for result in results)
    gone = Counter(result.model.release for result in lost)
    how = f"the {loader} of {head.provenance.version or head.file}" if is_tried else f"{head.file}, which was not run"
    lines += [one_line(f"{release}: {count - gone[release]} of {count}") for release, count in counts.items()]
    lines.append(one_line(f"{len(results) - len(lost)} of {plural(len(results), 'stored model')} load by {how}"))
    return "\n".join([*lines, ""])


def as_json(head: Spec, loader: str, results: Sequence[LaterResult], *, is_tried: bool) -> str:
    """Return the JSON text; `is_tried`: a loader was run."""
    document = {
        "version": VERSION,
        "head": {"file": head.file, "framework": head.provenance.framework, "version": head.provenance.version},
        "loader": loader,
        "tried": is_tried,
        "summary": {"models": len(results), "taken": sum(result.is_taken for result in results)},
        "models": [
            {
                "file": result.model.file,
                "op": result.model.op,
                "release": result.model.release,
                "verdict": result.verdict,
                "reason": result.reason or None,
            }
            for result in results
        ],
    }
    return json.dumps(document, indent=1) + "\n"
