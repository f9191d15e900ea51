"""What became of the models of a store, as text and as JSON (`documents/schemas/stored.schema.json`)."""

from __future__ import annotations

import json
from collections import Counter

from opspec_lint.kit.text import one_line, plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.proof.later import Fate
    from opspec_lint.spec.model import Spec

VERSION = 1
_MOST = 50
_LONGEST = 300


def as_text(head: Spec, loader: str, fates: Sequence[Fate], *, is_tried: bool) -> str:
    """Return the fates of stored models as text, those first that are not taken."""
    lines = []
    lost = [each for each in fates if not each.is_taken]
    for each in lost[:_MOST]:
        lines.append(one_line(f"{each.verdict}: {each.model.op}, saved by {each.model.release} ({each.model.file})"))
        lines.append(f"    {shorten(one_line(each.reason), _LONGEST)}")
    if len(lost) > _MOST:
        lines.append(f"{len(lost) - _MOST} more are not taken; --format json has them all")
    counts = Counter(each.model.release for each in fates)
    gone = Counter(each.model.release for each in lost)
    how = f"the {loader} of {head.provenance.version or head.file}" if is_tried else f"{head.file}, which was not run"
    lines += [one_line(f"{release}: {count - gone[release]} of {count}") for release, count in counts.items()]
    lines.append(one_line(f"{len(fates) - len(lost)} of {plural(len(fates), 'stored model')} load by {how}"))
    return "\n".join([*lines, ""])


def as_json(head: Spec, loader: str, fates: Sequence[Fate], *, is_tried: bool) -> str:
    """Return the fates of stored models as JSON text."""
    document = {
        "version": VERSION,
        "head": {"file": head.file, "framework": head.provenance.framework, "version": head.provenance.version},
        "loader": loader,
        "tried": is_tried,
        "summary": {"models": len(fates), "taken": sum(each.is_taken for each in fates)},
        "models": [
            {
                "file": each.model.file,
                "op": each.model.op,
                "release": each.model.release,
                "verdict": each.verdict,
                "reason": each.reason or None,
            }
            for each in fates
        ],
    }
    return json.dumps(document, indent=1) + "\n"
