"""The checks of a session: one for each folder at a time, and what the last one of each has found."""

from __future__ import annotations

import asyncio
from itertools import chain

from opspec_lint.editor.batches import unpacked
from opspec_lint.editor.messages import Checked, Declared, Problem, Task
from opspec_lint.editor.processes import Reader
from opspec_lint.kit.errors import OpspecError, internal_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.editor.documents import Document
    from opspec_lint.editor.messages import Mark, Subject
    from opspec_lint.project.scene import Request


class _Folder:
    """A folder: the check of it that is under way, what the last one has found, and the versions that it read."""

    def __init__(self) -> None:
        self.checked = Checked()
        self.declared = Declared()
        self.versions: Mapping[str, int | None] = {}
        self.reader: Reader | None = None
        self.work: asyncio.Task[None] | None = None

    def stop(self) -> None:
        """End the check that is under way."""
        if self.work is not None:
            self.work.cancel()
        if self.reader is not None:
            self.reader.end()
        self.work = self.reader = None


class Session:
    """The folders whose files are open.

    Args:
        request: returns the request for a check of a folder, as of now.
        documents: returns the files that are open in a folder, by path.
        tell: is called with a folder when the findings of it are new.
        wait: says that a folder is being read, until it is cancelled.
    """

    def __init__(
        self,
        request: Callable[[str], Request],
        documents: Callable[[str], Mapping[str, Document]],
        tell: Callable[[str], None],
        wait: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self._request = request
        self._documents = documents
        self._tell = tell
        self._wait = wait
        self._folders: dict[str, _Folder] = {}
        self.encoding = "utf-16"

    def check(self, folder: str, delay: float = 0) -> None:
        """Check a folder after some seconds; a check of it that is under way ends."""
        found = self._folders.setdefault(folder, _Folder())
        found.stop()
        found.work = asyncio.get_running_loop().create_task(self._check(folder, found, delay))

    def check_all(self, delay: float = 0) -> None:
        """Check all folders."""
        for folder in list(self._folders):
            self.check(folder, delay)

    def leave(self, folder: str) -> None:
        """Forget a folder, no file of which is open any more."""
        found = self._folders.pop(folder, None)
        if found is not None:
            found.stop()
            self._tell(folder)

    def close(self) -> None:
        """End all checks."""
        for each in self._folders.values():
            each.stop()
        self._folders.clear()

    def marks(self) -> Iterator[Mark]:
        """Yield the findings of all folders."""
        return chain.from_iterable(each.checked.marks for each in self._folders.values())

    def problems(self, folder: str | None = None) -> Iterator[Problem]:
        """Yield why something could not be read: of one folder, or of all."""
        return chain.from_iterable(each.checked.problems for each in self._of(folder))

    def subjects(self, line: int) -> Iterator[tuple[Subject, str | None]]:
        """Yield the declarations on a line of open files, each with the file of its history."""
        for each in self._folders.values():
            yield from ((subject, each.declared.history) for subject in unpacked(each.declared.batches, line))

    def versions(self, folder: str | None = None) -> dict[str, int | None]:
        """Return the versions of open files that were read, by path: of one folder, or of all."""
        return {path: version for each in self._of(folder) for path, version in each.versions.items()}

    def paths(self, folder: str) -> set[str]:
        """Return the files of which the last check of a folder says something: open ones, if only that all is well."""
        found = {path for each in self._of(folder) for path in each.versions}
        found |= {each.place.path for folder_ in self._of(folder) for each in folder_.checked.marks}
        return found | {each.place.path for each in self.problems(folder) if each.place is not None}

    def _of(self, folder: str | None) -> Iterable[_Folder]:
        if folder is None:
            return self._folders.values()
        return [self._folders[folder]] if folder in self._folders else []

    async def _check(self, folder: str, found: _Folder, delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            await self._read(folder, found)
        except Exception as error:
            told = error if isinstance(error, OpspecError) else internal_error(error)
            found.checked = found.checked.but(problems=(Problem(text=told.line, is_crash=True),))
            self._tell(folder)

    async def _read(self, folder: str, found: _Folder) -> None:
        documents = self._documents(folder)
        texts = {path: each.text for path, each in documents.items()}
        reader = found.reader = Reader(Task(request=self._request(folder), documents=texts, encoding=self.encoding))
        waiting = asyncio.create_task(self._wait(folder))
        try:
            async for answer in reader.answers():
                waiting.cancel()
                if isinstance(answer, Declared):
                    found.declared = answer
                    continue
                found.checked, found.versions = answer, {path: each.version for path, each in documents.items()}
                self._tell(folder)
        finally:
            waiting.cancel()
            reader.end()
