"""The check of a task, in a reading process."""

from __future__ import annotations

import os

from opspec_lint.documents.file_context import top_of
from opspec_lint.editor.batches import pack
from opspec_lint.editor.declarations import declarations
from opspec_lint.editor.lines import Lines
from opspec_lint.editor.marks import SideFiles, marks
from opspec_lint.editor.messages import CheckResult, FilePlace, OpenDeclarations, ReadProblem
from opspec_lint.editor.unsaved import unsaved_contents
from opspec_lint.kit.errors import NothingToCheckError, OpspecError, internal_error
from opspec_lint.kit.pattern import pattern
from opspec_lint.project.check import examine_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.editor.messages import Task
    from opspec_lint.project.check import ExaminedProject

_PLACE = pattern(r"(?P<file>.+?)(?::(?P<line>\d+))?(?::\d+)?: (?:(?:.*? )?line (?P<written>\d+))?")
"""A file and a line in a message: `ops.yaml:3: ...`, or `ops.json: line 3, column 1: ...`."""


def answers(task: Task) -> Iterator[CheckResult | OpenDeclarations]:
    """Yield the result of a check, then the declarations of the open files. Errors become problems."""
    done, has_answered = CheckResult(), False
    try:
        unsaved_files, problems = unsaved_contents(task.documents)
        done = done.replace(problems=tuple(problems))
        reading = task.request.reading.replace(unsaved=unsaved_files)
        with examine_project(task.request.replace(reading=reading)) as checked:
            sides = _sides(checked, task.encoding)
            done, has_answered = done.replace(marks=marks(checked.report, sides)), True
            # Findings first: the declarations of all open files take longer, and only a hover needs them.
            yield done
            yield _declared(checked, sides, task)
    except OpspecError as error:
        if not has_answered:  # a later error concerns a file that the check did not need
            problems_of_error = (_problem(problem, task.request.folder) for problem in (error, *error.others))
            yield done.replace(problems=(*done.problems, *problems_of_error), is_complete=False)
    except Exception as error:
        crash = ReadProblem(text=internal_error(error).line, is_crash=True)
        yield done.replace(problems=(*done.problems, crash), is_complete=False)


def _sides(checked: ExaminedProject, encoding: str) -> SideFiles:
    """Return the files of base and head of a check."""
    context = checked.context
    return SideFiles(
        top=context.head.repository.top,
        commit=context.base.revision,
        base_specs=frozenset(pair.base.spec.file for pair in checked.pairs if pair.base is not None),
        base=Lines(context.base.read, encoding),
        head=Lines(context.head.read, encoding),
    )


def _declared(checked: ExaminedProject, sides: SideFiles, task: Task) -> OpenDeclarations:
    """Return the declarations in the open files, and the file of the configured history."""
    head = checked.context.head
    open_files = {os.path.relpath(os.path.realpath(path), sides.top).replace(os.sep, "/") for path in task.documents}
    configured = checked.context.head_config
    history = None if configured is None or configured.history is None else os.path.join(sides.top, configured.history)
    return OpenDeclarations(batches=tuple(pack(declarations(checked.pairs, head, sides, open_files))), history=history)


def _problem(error: OpspecError, folder: str) -> ReadProblem:
    """Return the problem of a check that failed, at the file of head that its message names."""
    named = _PLACE.match(error.message)
    path: str | None = None
    if named is not None:
        top = top_of(os.path.join(folder, ".")) or folder
        # A message names a file from the top of the repository, or from the folder that is checked.
        paths = (os.path.join(start, named["file"]) for start in (top, folder))
        path = next(filter(os.path.isfile, paths), None)
    if named is None or path is None:
        return ReadProblem(text=error.line, is_error=not isinstance(error, NothingToCheckError))
    line = int(named["line"] or named["written"] or 1) - 1
    return ReadProblem(text=error.line, place=FilePlace(path=os.path.realpath(path), range=(line, 0, line + 1, 0)))
