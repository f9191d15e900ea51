"""Files that a step writes: its outputs, its part of the summary page, and reports for later steps."""

from __future__ import annotations

import os

from opspec_lint.kit.errors import OpspecError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SUMMARY_LIMIT = 1024 * 1024 - 1
"""Bytes: GitHub refuses a step's summary of more than 1 MiB whole."""


def put(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Set outputs of the step.

    Each value is enclosed by unpredictable delimiters, so that no value can set another output.

    Raises:
        OpspecError: the file cannot be written.
    """
    text = ""
    for name, value in values.items():
        end = f"end-{os.urandom(16).hex()}"
        text += f"{name}<<{end}\n{value}\n{end}\n"
    _append(environment.get("GITHUB_OUTPUT", ""), text)


def summary_room(environment: Mapping[str, str]) -> int:
    """Return how many bytes the summary of the step may still grow, 0 if there is no summary."""
    path = environment.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return 0
    try:
        return max(SUMMARY_LIMIT - os.path.getsize(path), 0)
    except OSError:
        return SUMMARY_LIMIT


def summarise(environment: Mapping[str, str], markdown: str) -> None:
    """Append to the summary of the step, or do nothing if it would exceed its limit.

    Raises:
        OpspecError: the file cannot be written.
    """
    if len(markdown.encode("utf-8", "backslashreplace")) <= summary_room(environment):
        _append(environment.get("GITHUB_STEP_SUMMARY", ""), markdown)


def report_folder(environment: Mapping[str, str]) -> str:
    """Return a new folder for reports, outside of the work tree.

    Raises:
        OpspecError: the folder cannot be made.
    """
    import tempfile

    try:
        return tempfile.mkdtemp(prefix="opspec-lint-", dir=environment.get("RUNNER_TEMP") or None)
    except OSError as error:
        raise OpspecError(f"the folder for the reports cannot be created: {error.strerror}") from None


def safe_path(environment: Mapping[str, str], path: str) -> str:
    """Return a path that a report may be written to.

    A checkout may contain links: one in the place of a report would redirect it over any file.

    Raises:
        UsageError: a link in the workspace is on the way.
    """
    top = os.path.abspath(environment.get("GITHUB_WORKSPACE") or ".")
    full = os.path.abspath(path)
    if full.startswith(os.path.join(top, "")):
        straight = os.path.join(os.path.realpath(top), os.path.relpath(full, top))
        if os.path.normcase(os.path.realpath(full)) != os.path.normcase(straight):
            raise UsageError(f"{path}: a link in the workspace leads elsewhere", advice="name a file below RUNNER_TEMP")
    return path


def _append(path: str, text: str) -> None:
    """Append a text to a file of the runner; do nothing without a path, as outside of GitHub Actions."""
    if path:
        try:
            with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
                stream.write(text)
        except OSError as error:
            raise OpspecError(f"{path}: cannot be written: {error.strerror}") from None
