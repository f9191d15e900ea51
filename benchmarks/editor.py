"""Study of the language server: its diagnostics against the output of `check`, and a random session.

    python -m benchmarks.editor edits REPOSITORY [--count N] [--seed N] FILE...
    python -m benchmarks.editor session REPOSITORY [--minutes N] [--seed N] FILE...

REPOSITORY is the top of a work tree that may be changed, and is put back; FILE... are the files to edit, from its top.

`edits` saves random edits, and compares findings, messages and places after each. It prints the times of the answers
and of `check`. `session` opens, edits, saves, closes, renames and deletes files, changes some outside of the editor,
switches branches, and applies actions; it prints the memory, processes and open files of the server, and at the end the
files that changed although no action was applied to them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.editing import Editor, editing, expected

DECLARES = re.compile(r"Add(Input|Output|Attr)|SetDefault|args *:|output *:|\"name\"|:\s*\w+.*;|default|opt\s*:")
SESSION_BRANCH = "opspec-lint-session"
CHECK = [sys.executable, "-m", "opspec_lint", "check"]


def main() -> int:
    """Run `edits` or `session`; return 1 if anything differs or crashes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("edits", "session"))
    parser.add_argument("repository")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=33)
    options = parser.parse_args()
    top = Path(options.repository).resolve()
    chance = random.Random(options.seed)  # noqa: S311 - no secret
    if options.what == "edits":
        return asyncio.run(edits(top, options.files, options.count, chance))
    return asyncio.run(session(top, options.files, options.minutes * 60, chance))


def with_random_edit(text: str, chance: random.Random) -> str:
    """Return a text with one random edit of a line that declares something."""
    lines = text.split("\n")
    at = chance.choice([number for number, line in enumerate(lines) if DECLARES.search(line)] or [0])
    kind = chance.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[at])
    elif kind == 2:
        lines[at] = re.sub(r"\d+", lambda match: str(int(match[0]) + 1), lines[at], count=1)
    elif kind == 3:
        lines[at] = re.sub(r"(\w{3,})(\W*)$", r"\1_new\2", lines[at], count=1)
    elif kind == 4:
        lines[at] = re.sub(r"\"(\w+)\"", r'"\1_new"', lines[at], count=1)
    else:
        where = chance.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:where] + chance.choice("({;\"'é😀:,") + lines[at][where:]
    return "\n".join(lines)


async def edits(top: Path, files: list[str], count: int, chance: random.Random) -> int:
    """Save random edits, compare the diagnostics with `check`, and print how many differ."""
    before = {path: (top / path).read_text(encoding="utf-8") for path in files}
    took: list[float] = []
    checks: list[float] = []
    differ = failed = findings = 0
    async with editing(top, dict(os.environ)) as editor:
        for path in files:
            await editor.open(path)
        for number in range(count):
            path = chance.choice(files)
            start = time.perf_counter()
            await editor.save(path, with_random_edit(editor.texts[path], chance))
            took.append(time.perf_counter() - start)
            shown, messages = editor.shown_findings(), list(editor.messages)
            start = time.perf_counter()
            code, problem, findings_of_check = check(top)
            checks.append(time.perf_counter() - start)
            failed += code > 1
            findings += len(findings_of_check)
            is_reported = any(problem in text for text in (*messages, *(diagnostic[2] for diagnostic in shown)))
            if (code > 1 and not is_reported) or (code <= 1 and shown != findings_of_check):
                differ += 1
                print(
                    f"edit {number} of {path} differs ({code} {problem}):\n  {shown}\n  {findings_of_check}", flush=True
                )
            if chance.random() < 0.7:
                await editor.save(path, before[path])
            if number % 50 == 49:
                print(f"{number + 1} edits, {findings} findings, {failed} not readable, {differ} differ", flush=True)
    for path, text in before.items():
        (top / path).write_text(text, encoding="utf-8")
    print(f"{count} edits, {findings} findings, {failed} not readable, {differ} differ")
    for name, times in (("save to diagnostics", took), ("check", checks)):
        ordered = sorted(times)
        print(f"{name}: median {statistics.median(times):.2f} s, 95 % {ordered[int(0.95 * len(times))]:.2f} s")
    return 1 if differ else 0


def check(top: Path) -> tuple[int, str, list[object]]:
    """Return the exit code of `check`, its message if it fails, and the diagnostics that an editor should show."""
    with tempfile.NamedTemporaryFile(suffix=".json") as places:
        command = [*CHECK, "--format", f"rdjson={places.name}", "--format", "json"]
        ran = subprocess.run(command, cwd=top, capture_output=True, text=True, check=False)
        if ran.returncode > 1:
            return ran.returncode, ran.stderr.split("\n")[0].removeprefix("opspec-lint: error: "), []
        return ran.returncode, "", list(expected(Path(places.name).read_text(encoding="utf-8"), top))


async def session(top: Path, files: list[str], seconds: float, chance: random.Random) -> int:
    """Run a random session, and print the memory of the server and the files that it wrote."""
    branch, status_before = git(top, "symbolic-ref", "HEAD").strip(), git(top, "status", "--porcelain")
    git(top, "branch", "-f", SESSION_BRANCH)
    begin = {path: (top / path).read_text(encoding="utf-8") for path in files}
    held, shown, steps = dict(begin), 0.0, 0
    end = time.monotonic() + seconds
    async with editing(top, dict(os.environ)) as editor:
        while time.monotonic() < end:
            await step(editor, held, begin, (branch, f"refs/heads/{SESSION_BRANCH}"), chance)
            steps += 1
            if time.monotonic() > shown + 30:
                shown = time.monotonic()
                print(f"{steps:6} steps  {resources(os.getpid())}", flush=True)
            await asyncio.sleep(chance.choice((0, 0, 0.05, 0.5)))
        for path in list(editor.texts):
            editor.close(path)
        await asyncio.sleep(2)
        print(f"{steps:6} steps  {resources(os.getpid())}  all closed")
        messages = editor.messages
    written = [path for path, text in held.items() if (top / path).read_text(encoding="utf-8") != text]
    for path, text in begin.items():
        (top / path).write_text(text, encoding="utf-8")
    git(top, "symbolic-ref", "HEAD", branch)
    git(top, "branch", "-D", SESSION_BRANCH)
    status_after = git(top, "status", "--porcelain")
    written += [] if status_after == status_before else [status_after]
    crashes = [
        message
        for message in messages
        if "internal error" in message or "exit code" in message or "in server" in message
    ]
    print(f"{len(messages)} messages, {len(crashes)} of crashes {crashes[:3]}; written by others: {written}")
    return 1 if written or crashes else 0


async def step(
    editor: Editor, held: dict[str, str], begin: dict[str, str], branches: tuple[str, str], chance: random.Random
) -> None:
    """Take one random step of a session. `held` has the text of each file on disk, `begin` its first text."""
    path = chance.choice(sorted(held))
    file, kind = editor.top / path, chance.randrange(13)
    if path not in editor.texts:
        editor.begin(path, held[path])
    elif kind < 5:
        editor.send(path, with_random_edit(editor.texts[path], chance))
    elif kind < 7:
        held[path] = chance.choice((editor.texts[path], begin[path]))
        await editor.save(path, held[path])
    elif kind == 7:
        editor.close(path)
    elif kind == 8:
        await rename_twice(editor, path)
    elif kind == 9:
        mode = file.stat().st_mode
        file.unlink()
        await editor.hover(path, 0)
        file.write_text(held[path], encoding="utf-8")
        file.chmod(mode)
    elif kind == 10:
        git(editor.top, "symbolic-ref", "HEAD", chance.choice(branches))
        editor.files_changed([".git/HEAD"])
    elif kind == 11:
        held[path] = with_random_edit(held[path], chance)
        file.write_text(held[path], encoding="utf-8")
        editor.files_changed([path])
    else:
        await use_features(editor, path, chance)


async def rename_twice(editor: Editor, path: str) -> None:
    """Rename an open file, and rename it back."""
    file, text = editor.top / path, editor.texts[path]
    moved = f"{path}.moved{file.suffix}"
    for old, new in ((path, moved), (moved, path)):
        (editor.top / old).rename(editor.top / new)
        editor.close(old)
        editor.begin(new, text)
        await asyncio.sleep(0.2)


async def use_features(editor: Editor, path: str, chance: random.Random) -> None:
    """Request the hover, the text at base and the actions of a place, and apply an action."""
    shown = editor.published.get(editor.uri(path))
    lines = [diagnostic.range.start.line for diagnostic in shown.diagnostics] if shown else []
    line = chance.choice(lines or [0])
    await editor.hover(path, line)
    base = await editor.base(path, line)
    if base is not None:
        await editor.text_at_base(base.uri)
    actions = [action for action in await editor.actions(path, line) if len(action.edit.document_changes) == 1]
    own = [action for action in actions if action.edit.document_changes[0].text_document.uri == editor.uri(path)]
    if own:
        editor.send(path, editor.applied(path, chance.choice(own)))


def git(top: Path, *arguments: str) -> str:
    """Run git, and return its output."""
    return subprocess.run(["git", *arguments], cwd=top, check=True, capture_output=True, text=True).stdout


def resources(pid: int) -> str:
    """Return the memory, the processes and the open files of all descendants of a process."""
    pids = descendants(pid)
    memory = [resident(process) for process in pids]
    handles = sum(len(os.listdir(f"/proc/{process}/fd")) for process in pids if os.path.isdir(f"/proc/{process}/fd"))
    own, every = memory[0] >> 10 if memory else 0, sum(memory) >> 10
    return f"{own} MiB server, {every} MiB all, {len(pids)} processes, {handles} open files"


def descendants(pid: int) -> list[int]:
    """Return the descendants of a process."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    own = [int(child) for child in children.read_text().split()] if children.exists() else []
    return [process for child in own for process in (child, *descendants(child))]


def resident(pid: int) -> int:
    """Return the memory of a process in KiB, 0 where it has ended."""
    try:
        match = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(match[1]) if match else 0


if __name__ == "__main__":
    sys.exit(main())
