"""The hits that `allowed.toml` accepts, with a reason for each entry."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tools.plain_words.wording import Hit

ALLOWED = Path(__file__).with_name("allowed.toml")
_COUNT = re.compile(r"^count = \d+$", re.MULTILINE)


class Entry(NamedTuple):
    """The number of hits that a file or folder may have; with `texts`, only hits of these texts count."""

    path: str
    count: int
    reason: str
    texts: tuple[str, ...] = ()

    def covers(self, path: str, hit: Hit) -> bool:
        """Return whether the entry is for a hit in a file."""
        is_below = path == self.path or path.startswith(f"{self.path}/")
        return is_below and (not self.texts or hit.text in self.texts)


def load(text: str) -> list[Entry]:
    """Return the entries of an allow-list.

    Raises:
        ValueError: an entry has no reason.
    """
    entries = [
        Entry(fields["path"], fields["count"], fields["reason"], tuple(fields.get("texts", ())))
        for fields in tomllib.loads(text)["allowed"]
    ]
    for entry in entries:
        if not entry.reason.strip():
            raise ValueError(f"{ALLOWED.name}: the entry of {entry.path} has no reason")
    return entries


def problems(hits: Mapping[str, Sequence[Hit]], entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a line for each hit that no entry covers, and for each entry with a wrong count.

    A count that is too high is a problem as well: otherwise new hits could take the place of removed ones.

    Args:
        hits: the hits of each file, by its path from the top of the repository.
        entries: the allow-list.
    """
    covered: Counter[Entry] = Counter()
    for path, file_hits in hits.items():
        for hit in file_hits:
            entry = _covering(path, hit, entries)
            if entry is None:
                yield f"{path}:{hit.line}: {hit.kind}: {hit.text}"
            else:
                covered[entry] += 1
    for entry in entries:
        if covered[entry] > entry.count:
            hint = f"`python -m tools.plain_words {entry.path}` lists them"
            yield f"{entry.path}: {covered[entry]} hits, but {entry.count} are allowed: {hint}"
        elif covered[entry] < entry.count:
            hint = "`python -m tools.plain_words --lower` notes it"
            yield f"{entry.path}: {covered[entry]} hits are left of the {entry.count} that are allowed: {hint}"


def lower(text: str, hits: Mapping[str, Sequence[Hit]]) -> str:
    """Return an allow-list with each count lowered to the hits that are left; no count is raised."""
    entries = load(text)
    covered = Counter(_covering(path, hit, entries) for path, file_hits in hits.items() for hit in file_hits)
    blocks = text.split("[[allowed]]\n")
    lowered = [
        _COUNT.sub(f"count = {min(entry.count, covered[entry])}", block, count=1)
        for entry, block in zip(entries, blocks[1:], strict=True)
        if covered[entry]
    ]
    return "[[allowed]]\n".join([blocks[0], *lowered])


def _covering(path: str, hit: Hit, entries: Sequence[Entry]) -> Entry | None:
    """Return the most specific entry that covers a hit: one with its text, else the one of the deepest folder."""
    covering = [entry for entry in entries if entry.covers(path, hit)]
    return max(covering, key=lambda entry: (bool(entry.texts), entry.path.count("/")), default=None)
