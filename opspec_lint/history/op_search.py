"""A history of one op: only the revisions that change the op are read, and their neighbours.

Candidates are the revisions that change a file with declarations of the op; in a file that declares many ops, only
those that change a paragraph about it. The op is read before each candidate; where that differs from the reading
before the next candidate, it is read at the candidate, too. Where two successive readings differ all the same, as a
change of some other file concerns the op, the revision is found by bisection: first among those that change a paragraph
about the op in any file that was read, then among all. What changes and changes back between two
readings, without a change of these files, is not seen, so the history records how many revisions there are.

If the last revision lacks the op, git finds the revisions that add or remove its name, and the op is read before each,
until one has it.
"""

from __future__ import annotations

import re
from itertools import islice

from opspec_lint.git import first_parents
from opspec_lint.history import releases, walk
from opspec_lint.history.op_reader import OpReader, plain_name
from opspec_lint.history.reader import ContractChange, change_between
from opspec_lint.history.store import REVISIONS
from opspec_lint.history.timeline import LEFT_OUT
from opspec_lint.kit.errors import InputError, nearest_advice
from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.text import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opspec_lint.git.first_parents import PathChange, Revision
    from opspec_lint.history.contracts import Topic
    from opspec_lint.history.facts import Facts, Unit
    from opspec_lint.history.op_reader import OpReading
    from opspec_lint.history.requested_op import RequestedOp
    from opspec_lint.history.store import Writer

_LONG = 100
"""Revisions from which on the newest change is announced while the search goes on."""
_NEAR = 32
"""Revisions between two readings from which on bisection looks for paragraphs about the op."""
_MOST = 50
"""Revisions that add or remove the name of a missing op, from which on the search for the op ends."""
_MOST_NAMES = 3
"""Fields that the announcement of a change names."""
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")


def build_op_history(
    writer: Writer, topic: Topic, op: RequestedOp, since: str | None, progress: Callable[[int, int, str], None]
) -> None:
    """Build the history of one op of a source tree in a new file.

    Revisions have the numbers that a whole history has from `since`, the id of the first revision, None for the root.
    `progress` is a callback: `(done, total, last change that was found)`. Of an op that the last revision lacks, the
    history has the removal alone. Raises InputError if the search finds no such op, or git fails; UsageError if `since`
    is not an ancestor.
    """
    writer.begin()
    walk.declare(writer, topic, topic.contracts[:1])
    chain = first_parents.commits(topic.opened.repository, topic.tip)
    if since is not None:
        since = since if since in chain else walk.first_parent_base(topic, since, chain, [])
        chain = chain[chain.index(since) :]
    search = _Search(topic, op, chain, progress)
    search.run()
    search.write(writer)
    writer.set_property(REVISIONS, str(len(chain)))
    writer.set_tags(releases.tags(topic.opened.repository, writer))
    writer.finish()
    topic.contracts[0].close()


def _whole_name_pattern(names: Iterable[bytes]) -> re.Pattern[bytes]:
    """Return the pattern that finds any of some names, but not as a part of a longer or a dotted name."""
    return re.compile(rb"(?<![\w.])(?:" + b"|".join(map(re.escape, sorted(names))) + rb")(?![\w.])")


class _Search:
    """The search for the revisions that change an op, from the last one backwards."""

    def __init__(
        self, topic: Topic, request: RequestedOp, chain: list[str], progress: Callable[[int, int, str], None]
    ) -> None:
        self._topic = topic
        self._op = op = request.name
        self._announce = request.announce
        self._chain = chain
        self._places = {commit: place for place, commit in enumerate(chain)}
        self._progress = progress
        self._reader = OpReader(topic, op, chain)
        self._readings: dict[int, OpReading] = {}
        self._name = _whole_name_pattern([plain_name(op).encode()])
        self._paragraphs: dict[tuple[str, re.Pattern[bytes]], tuple[bytes, ...]] = {}
        self._newest_change = 0  # the place of the newest change that was found, for the progress
        self._files: frozenset[str] = frozenset()  # a file that comes and goes declares the op at each return

    def run(self) -> None:
        """Read the op at all revisions that change it, and at those before them.

        Raises InputError if no revision is found that has it.
        """
        start = len(self._chain) - 1
        reading = self._read(start)
        if not reading.files:
            start = self._last_with_op(reading)
        if reading.files or reading.problem is not None:  # what cannot be read now is not removed
            while start:
                start = self._search_files(start)
        self._progress(len(self._chain), len(self._chain), "")

    def _last_with_op(self, last: OpReading) -> int:
        """Return the place of a revision that has the op, which the last one lacks.

        Raises InputError if there is none.
        """
        first, tip = self._chain[0], self._chain[-1]
        suffixes = self._topic.contracts[0].suffixes
        name = plain_name(self._op)
        named = first_parents.naming(self._topic.opened.repository, first, tip, name, suffixes)
        for commit in islice(named, _MOST):
            place = self._places[commit]
            if self._read(place - 1).files:
                self._settle(place, len(self._chain) - 1)  # the newest change is the first that is found
                self._settle(place - 1, place)
                return place - 1
        raise self._missing_op_error(last)

    def _search_files(self, start: int) -> int:
        """Search back from a revision in the files that declare the op there.

        Return the place of the revision at which other files declare it, 0 if there is none.
        """
        self._files |= self._readings[start].files
        for place in self._candidates(start):
            before = self._read(place - 1)
            if before.state != self._readings[start].state:
                at_candidate = self._read(place)
                self._settle(place, start)
                if at_candidate.state != before.state:
                    self._note_change(place)
            start = place - 1
            if before.files - self._files:
                return start
        self._settle(0, start)
        return 0

    def _candidates(self, start: int) -> Iterator[int]:
        """Yield the places of the revisions that change the files of a revision, newest first."""
        self._reader.read(start)  # bisection may have read another revision last
        paths, names = sorted(self._files), self._name_pattern(start)
        self._paragraphs.clear()
        now = dict(self._blobs(self._chain[start], paths))
        shared = self._reader.shared_paths()
        whole = {path for path in paths if path not in shared or not self._paragraphs_with(now[path], names)}
        for revision, undone in self._log(0, start, paths):
            is_concerned = False
            for change in undone:
                after, now[change.path] = now[change.path], change.blob
                if change.path in whole or self._paragraphs_with(after, names) != self._paragraphs_with(
                    change.blob, names
                ):
                    is_concerned = True
            if is_concerned:
                yield self._places[revision.commit]

    def _log(self, first: int, last: int, paths: Iterable[str] = ()) -> Iterator[tuple[Revision, list[PathChange]]]:
        """Yield the revisions between two places, newest first, with the reverse of their changes."""
        repository = self._topic.opened.repository
        return first_parents.newest_first(repository, self._chain[first], self._chain[last], paths)

    def _blobs(self, commit: str, paths: list[str]) -> Iterator[tuple[str, str]]:
        """Yield each path with the id of its content at a commit, "" for none."""
        paths_by_name = {f"{commit}:{path}": path for path in paths}
        for name, identity, _ in list(self._topic.opened.objects.read_many(paths_by_name, MAX_SOURCE)):
            yield paths_by_name[name], identity

    def _name_pattern(self, place: int) -> re.Pattern[bytes]:
        """Return the pattern for the names of the op at the revision that was read last."""
        names = self._reader.names(lambda file: self._lines(f"{self._chain[place]}:{self._topic.prefix}{file}"))
        return _whole_name_pattern(names)

    def _lines(self, name: str) -> list[bytes]:
        ((_, _, data),) = list(self._topic.opened.objects.read_many([name], MAX_SOURCE))
        return (data or b"").splitlines()

    def _paragraphs_with(self, blob: str, names: re.Pattern[bytes]) -> tuple[bytes, ...]:
        """Return the paragraphs of a content that name the op."""
        if not blob:
            return ()
        key = blob, names
        if key not in self._paragraphs:
            ((_, _, data),) = list(self._topic.opened.objects.read_many([blob], MAX_SOURCE))
            paragraphs = _BLANK_LINE.split(data) if data and names.search(data) else ()
            self._paragraphs[key] = tuple(paragraph for paragraph in paragraphs if names.search(paragraph))
        return self._paragraphs[key]

    def _read(self, place: int) -> OpReading:
        if place not in self._readings:
            self._readings[place] = self._reader.read(place)
            done = len(self._chain) - place
            change = f"last change {self._chain[self._newest_change][:10]}" if self._newest_change else ""
            self._progress(min(done, len(self._chain) - 1), len(self._chain), change)
        return self._readings[place]

    def _settle(self, first: int, last: int) -> None:
        """Read between two revisions until each change is between two successive ones."""
        suspects: list[int] | None = None
        differing = [(first, last)]
        while differing:
            first, last = differing.pop()
            if self._read(last).state == self._read(first).state:
                continue
            if last - first == 1:
                self._note_change(last)
                continue
            if suspects is None:
                suspects = self._suspects(first, last)
            within = [place for place in suspects if first < place <= last]
            middle = within[len(within) // 2] if within else (first + last) // 2
            before = middle - 1 if within else middle
            ranges = ((first, before), (before, middle), (middle, last))
            differing += (ends for ends in ranges if ends[0] < ends[1])

    def _note_change(self, place: int) -> None:
        """Announce the first change that is found, which is the newest one."""
        if self._newest_change:
            return
        self._newest_change = place
        if len(self._chain) >= _LONG:
            revision = first_parents.revision_of(self._topic.opened.repository, self._chain[place])
            pull_request = "" if revision.pull_request is None else f" #{revision.pull_request}"
            names = listing(self._changed_fields(place), _MOST_NAMES)
            self._announce(
                f"{revision.commit[:10]} of {revision.date[:10]}{pull_request} changed {self._op} last: {names}; "
                "the search for earlier changes goes on"
            )

    def _changed_fields(self, place: int) -> list[str]:
        """Return the names of what a revision changes of the op: "attr axis default_value"; the op itself is "op"."""
        units = change_between(self._readings[place - 1].units, self._readings[place].units).units
        earlier = self._readings[place - 1].units
        keys = {
            key
            for unit, facts in units.items()
            for key in {*facts, *earlier.get(unit, ())}
            if key[2] not in LEFT_OUT and facts.get(key) != earlier.get(unit, {}).get(key)
        }
        return [" ".join(part for part in key if part) for key in sorted(keys)]

    def _suspects(self, first: int, last: int) -> list[int]:
        """Return the places, in order, of the revisions that change a paragraph with the op's name in a file read last.

        None if the revisions are few.
        """
        if last - first < _NEAR:
            return []
        read = self._reader.accessed_paths()
        changes = [
            (self._places[revision.commit], change)
            for revision, undone in self._log(first, last)
            for change in undone
            if change.path in read
        ]
        paths = sorted({change.path for _, change in changes})
        now = dict(self._blobs(self._chain[last], paths))
        suspects: set[int] = set()
        for place, change in changes:
            after, now[change.path] = now[change.path], change.blob
            if self._paragraphs_with(after, self._name) != self._paragraphs_with(change.blob, self._name):
                suspects.add(place)
        return sorted(suspects)

    def write(self, writer: Writer) -> None:
        """Write the revisions that were read, oldest first."""
        state = walk.ContractState(writer, 0, self._topic.contracts[0], -1)
        units: Mapping[Unit, Facts] = {}
        for place, reading in sorted(self._readings.items()):
            revision = first_parents.revision_of(self._topic.opened.repository, self._chain[place])
            walk.add_revision(writer, place, revision)
            if reading.problem is None:
                state.apply(place, change_between(units, reading.units))
                units = reading.units
            else:
                state.apply(place, ContractChange(problem=reading.problem, is_absent=reading.is_absent))

    def _missing_op_error(self, reading: OpReading) -> InputError:
        known = () if reading.problem is not None else self._reader.all_ops(len(self._chain) - 1)
        problem = reading.problem or f"has no op {self._op!r} at {self._chain[-1][:10]}"
        past = f"nor had it before any of the last {_MOST} revisions that add or remove {plain_name(self._op)!r}"
        advice = f"{nearest_advice(self._op, known)}; {past}: `opspec-lint history` builds a history of all ops"
        return InputError(self._topic.name, problem, advice=advice)
