"""Does the check of a task: what a reading process runs."""

from __future__ import annotations

import os

from opspec_lint.documents.file_context import top_of
from opspec_lint.editor.batches import packed
from opspec_lint.editor.lines import Lines
from opspec_lint.editor.marks import Sides, marks
from opspec_lint.editor.messages import Checked, Declared, Place, Problem
from opspec_lint.editor.subjects import subjects
from opspec_lint.editor.unsaved import unsaved
from opspec_lint.kit.errors import NothingToCheckError, OpspecError, internal_error
from opspec_lint.kit.pattern import pattern
from opspec_lint.project.check import examined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.editor.messages import Task
    from opspec_lint.project.check import Examined

_PLACE = pattern(r"(?P<file>.+?)(?::(?P<line>\d+))?(?::\d+)?: (?:(?:.*? )?line (?P<written>\d+))?")
"""How a message names a file, and a line of it: `ops.yaml:3: ...`, or `ops.json: line 3, column 1: ...`."""


def answers(task: Task) -> Iterator[Checked | Declared]:
    """Yield the result of a check, and then the declarations of the open files. Nothing is raised."""
    done, has_answered = Checked(), False
    try:
        found, problems = unsaved(task.documents)
        done = done.but(problems=tuple(problems))
        reading = task.request.reading.but(unsaved=found)
        with examined(task.request.but(reading=reading)) as checked:
            sides = _sides(checked, task.encoding)
            done, has_answered = done.but(marks=marks(checked.report, sides)), True
            yield done
            yield _declared(checked, sides, task)
    except OpspecError as error:
        if not has_answered:  # or it is about a file that the check did not have to read
            told = (_problem(each, task.request.folder) for each in (error, *error.others))
            yield done.but(problems=(*done.problems, *told))
    except Exception as error:
        crash = Problem(text=internal_error(error).line, is_crash=True)
        yield done.but(problems=(*done.problems, crash))


def _sides(checked: Examined, encoding: str) -> Sides:
    scene = checked.scene
    return Sides(
        top=scene.head.repository.top,
        commit=scene.base.revision,
        of_base=frozenset(each.base.spec.file for each in checked.pairs if each.base is not None),
        base=Lines(scene.base.read, encoding),
        head=Lines(scene.head.read, encoding),
    )


def _declared(checked: Examined, sides: Sides, task: Task) -> Declared:
    head = checked.scene.head
    open_files = {os.path.relpath(os.path.realpath(each), sides.top).replace(os.sep, "/") for each in task.documents}
    configured = checked.scene.of_head
    history = None if configured is None or configured.history is None else os.path.join(sides.top, configured.history)
    return Declared(batches=tuple(packed(subjects(checked.pairs, head, sides, open_files))), history=history)


def _problem(error: OpspecError, folder: str) -> Problem:
    """Return why a check of a folder was not possible, at the file of head that its message names."""
    named = _PLACE.match(error.message)
    paths = (
        os.path.join(each, named["file"]) for each in (top_of(os.path.join(folder, ".")) or folder, folder) if named
    )
    path = next(filter(os.path.isfile, paths), None)
    if named is None or path is None:
        return Problem(text=error.line, is_error=not isinstance(error, NothingToCheckError))
    line = int(named["line"] or named["written"] or 1) - 1
    return Problem(text=error.line, place=Place(path=os.path.realpath(path), range=(line, 0, line + 1, 0)))
