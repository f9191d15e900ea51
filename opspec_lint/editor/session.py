"""The checks of a session: one for each folder at a time, and what the last one of each has found."""

from __future__ import annotations

import asyncio

from opspec_lint.editor.messages import Checked, Declared, Problem, Task
from opspec_lint.editor.processes import Reader
from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.editor.messages import Mark, Subject
    from opspec_lint.project.scene import Request


class Folder:
    """A folder that is checked: the texts that were read of it last, and what was found."""

    def __init__(self) -> None:
        self.checked = Checked()
        self.declared = Declared()
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
        documents: returns the texts that are open in a folder, by path.
        tell: is called with a folder when it has an answer.
    """

    def __init__(
        self,
        request: Callable[[str], Request],
        documents: Callable[[str], Mapping[str, str]],
        tell: Callable[[str, Checked | Declared], None],
    ) -> None:
        self._request = request
        self._documents = documents
        self._tell = tell
        self._folders: dict[str, Folder] = {}
        self.encoding = "utf-16"

    def check(self, folder: str, delay: float = 0) -> None:
        """Check a folder after some seconds; a check of it that is under way ends."""
        found = self._folders.setdefault(folder, Folder())
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
            self._tell(folder, Checked())

    def close(self) -> None:
        """End all checks."""
        for each in self._folders.values():
            each.stop()
        self._folders.clear()

    def marks(self) -> Iterator[Mark]:
        """Yield the findings of all folders."""
        for each in self._folders.values():
            yield from each.checked.marks

    def problems(self) -> Iterator[Problem]:
        """Yield why something of a folder could not be read."""
        for each in self._folders.values():
            yield from each.checked.problems

    def subjects(self) -> Iterator[tuple[Subject, str | None]]:
        """Yield the declarations of open files, each with the file of its history."""
        for each in self._folders.values():
            yield from ((subject, each.declared.history) for subject in each.declared.subjects)

    async def _check(self, folder: str, found: Folder, delay: float) -> None:
        await asyncio.sleep(delay)
        task = Task(request=self._request(folder), documents=self._documents(folder), encoding=self.encoding)
        reader = found.reader = Reader(task)
        try:
            while (answer := await asyncio.to_thread(reader.next)) is not None:
                if isinstance(answer, Checked):
                    found.checked = answer
                else:
                    found.declared = answer
                self._tell(folder, answer)
        except OpspecError as error:
            found.checked = Checked(problems=(Problem(text=error.line, is_crash=True),))
            self._tell(folder, found.checked)
        finally:
            reader.end()
