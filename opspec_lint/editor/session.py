"""The checks of a session: at most one for each folder at a time, and the results of the last one."""

from __future__ import annotations

import asyncio
from itertools import chain

from opspec_lint.editor.batches import unpack
from opspec_lint.editor.messages import CheckResult, OpenDeclarations, ReadProblem, Task
from opspec_lint.editor.processes import ReadingProcess
from opspec_lint.kit.errors import OpspecError, internal_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.editor.documents import OpenDocument
    from opspec_lint.editor.messages import DeclaredPlace, Mark
    from opspec_lint.project.check_context import Request


class _Folder:
    """A folder: its running check, the results of the last check, and the versions that it read."""

    def __init__(self) -> None:
        self.checked = CheckResult()
        self.declared = OpenDeclarations()
        self.versions: Mapping[str, int | None] = {}
        self.reader: ReadingProcess | None = None
        self.work: asyncio.Task[None] | None = None

    def stop(self) -> None:
        """End the running check."""
        if self.work is not None:
            self.work.cancel()
        if self.reader is not None:
            self.reader.end()
        self.work = self.reader = None


class Session:
    """The folders with open files.

    Args:
        request: returns the request for a check of a folder, as of now.
        documents: returns the open files of a folder, by path.
        notify: is called with a folder when its findings have changed.
        show_progress: shows that a folder is being read, until it is cancelled.
    """

    def __init__(
        self,
        request: Callable[[str], Request],
        documents: Callable[[str], Mapping[str, OpenDocument]],
        notify: Callable[[str], None],
        show_progress: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self._request = request
        self._documents = documents
        self._notify = notify
        self._show_progress = show_progress
        self._folders: dict[str, _Folder] = {}
        self.encoding = "utf-16"

    def check(self, folder: str, delay: float = 0) -> None:
        """Check a folder after some seconds, and end its running check."""
        state = self._folders.setdefault(folder, _Folder())
        state.stop()
        state.work = asyncio.get_running_loop().create_task(self._check(folder, state, delay))

    def check_all(self, delay: float = 0) -> None:
        """Check all folders."""
        for folder in list(self._folders):
            self.check(folder, delay)

    def leave(self, folder: str) -> None:
        """Drop a folder that has no open file left."""
        state = self._folders.pop(folder, None)
        if state is not None:
            state.stop()
            self._notify(folder)

    def close(self) -> None:
        """End all checks."""
        for state in self._folders.values():
            state.stop()
        self._folders.clear()

    def marks(self) -> Iterator[Mark]:
        """Yield the findings of all folders."""
        return chain.from_iterable(state.checked.marks for state in self._folders.values())

    def problems(self, folder: str | None = None) -> Iterator[ReadProblem]:
        """Yield the problems of one folder, or of all."""
        return chain.from_iterable(state.checked.problems for state in self._states(folder))

    def declarations(self, line: int) -> Iterator[tuple[DeclaredPlace, str | None]]:
        """Yield the declarations on a line of open files, each with the file of its history."""
        for state in self._folders.values():
            yield from ((declaration, state.declared.history) for declaration in unpack(state.declared.batches, line))

    def versions(self, folder: str | None = None) -> dict[str, int | None]:
        """Return the versions of open files that were read, by path, in one folder or in all."""
        return {path: version for state in self._states(folder) for path, version in state.versions.items()}

    def paths(self, folder: str) -> set[str]:
        """Return the files in which the last check of a folder shows something, even if only that all is well."""
        paths = {path for state in self._states(folder) for path in state.versions}
        paths |= {mark.place.path for state in self._states(folder) for mark in state.checked.marks}
        return paths | {problem.place.path for problem in self.problems(folder) if problem.place is not None}

    def _states(self, folder: str | None) -> Iterable[_Folder]:
        """Return the state of one folder, none if it is unknown, or of all."""
        if folder is None:
            return self._folders.values()
        return [self._folders[folder]] if folder in self._folders else []

    async def _check(self, folder: str, state: _Folder, delay: float) -> None:
        """Check a folder after some seconds; an error becomes a problem that is shown."""
        await asyncio.sleep(delay)
        try:
            await self._read(folder, state)
        # asyncio would drop the exception of a task that nobody awaits, and the editor would keep old findings.
        except Exception as error:
            shown_error = error if isinstance(error, OpspecError) else internal_error(error)
            state.checked = state.checked.replace(problems=(ReadProblem(text=shown_error.line, is_crash=True),))
            self._notify(folder)

    async def _read(self, folder: str, state: _Folder) -> None:
        """Run a check in a reading process, and store its answers as they arrive."""
        documents = self._documents(folder)
        texts = {path: document.text for path, document in documents.items()}
        reader = state.reader = ReadingProcess(
            Task(request=self._request(folder), documents=texts, encoding=self.encoding)
        )
        waiting = asyncio.create_task(self._show_progress(folder))
        try:
            async for answer in reader.answers():
                waiting.cancel()
                if isinstance(answer, OpenDeclarations):
                    state.declared = answer
                    continue
                # The versions that were read, not the current ones: the user may have typed since.
                state.checked = answer.completed_from(state.checked)
                state.versions = {path: document.version for path, document in documents.items()}
                self._notify(folder)
        finally:
            waiting.cancel()
            reader.end()
