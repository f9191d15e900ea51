"""Compares what the language server shows with what `check` says, and lets it run through a session drawn by chance.

    python -m benchmarks.editor edits REPOSITORY [--count N] [--seed N] FILE...
    python -m benchmarks.editor session REPOSITORY [--minutes N] [--seed N] FILE...

REPOSITORY is the top of a work tree that may be changed, and is put back; FILE... are the files to edit, from its top.

`edits` saves one edit after the other, and compares findings, messages and places. It prints how long each answer took,
and how long `check` does. `session` opens, edits, saves, closes, renames and deletes files, changes some that are not
open, and switches branches; it prints the memory, processes and open files of the server, and at the end what was
written that nobody asked for.
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

from tests.support.editing import editing, expected

DECLARES = re.compile(r"Add(Input|Output|Attr)|SetDefault|args *:|output *:|\"name\"|:\s*\w+.*;|default|opt\s*:")
CHECK = [sys.executable, "-m", "opspec_lint", "check"]


def main() -> int:
    """Run one of the two; the exit code is 1 if anything was not as it should be."""
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


def edited(text: str, chance: random.Random) -> str:
    """Return a text with an edit of a line that declares something: a name, a number, a line, or any character."""
    lines = text.split("\n")
    at = chance.choice([number for number, line in enumerate(lines) if DECLARES.search(line)] or [0])
    kind = chance.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[at])
    elif kind == 2:
        lines[at] = re.sub(r"\d+", lambda found: str(int(found[0]) + 1), lines[at], count=1)
    elif kind == 3:
        lines[at] = re.sub(r"(\w{3,})(\W*)$", r"\1_new\2", lines[at], count=1)
    elif kind == 4:
        lines[at] = re.sub(r"\"(\w+)\"", r'"\1_new"', lines[at], count=1)
    else:
        where = chance.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:where] + chance.choice("({;\"'é😀:,") + lines[at][where:]
    return "\n".join(lines)


async def edits(top: Path, files: list[str], count: int, chance: random.Random) -> int:
    """Save edits, compare what is shown with `check`, and print how many differ."""
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
            await editor.save(path, edited(editor.texts[path], chance))
            took.append(time.perf_counter() - start)
            shown, told = editor.found(), list(editor.messages)
            start = time.perf_counter()
            code, problem, found = check(top)
            checks.append(time.perf_counter() - start)
            failed += code > 1
            findings += len(found)
            is_told = any(problem in each for each in (*told, *(each[2] for each in shown)))
            if (code > 1 and not is_told) or (code <= 1 and shown != found):
                differ += 1
                print(f"edit {number} of {path} differs ({code} {problem}):\n  {shown}\n  {found}", flush=True)
            if chance.random() < 0.7:
                await editor.save(path, before[path])
    for path, text in before.items():
        (top / path).write_text(text, encoding="utf-8")
    print(f"{count} edits, {findings} findings, {failed} not readable, {differ} differ")
    for name, each in (("save to diagnostics", took), ("check", checks)):
        ordered = sorted(each)
        print(f"{name}: median {statistics.median(each):.2f} s, 95 % {ordered[int(0.95 * len(each))]:.2f} s")
    return 1 if differ else 0


def check(top: Path) -> tuple[int, str, list[object]]:
    """Return the exit code of `check`, its message where it fails, and what an editor should show."""
    with tempfile.NamedTemporaryFile(suffix=".json") as places:
        command = [*CHECK, "--format", f"rdjson={places.name}", "--format", "json"]
        ran = subprocess.run(command, cwd=top, capture_output=True, text=True, check=False)
        if ran.returncode > 1:
            return ran.returncode, ran.stderr.split("\n")[0].removeprefix("opspec-lint: error: "), []
        return ran.returncode, "", list(expected(Path(places.name).read_text(encoding="utf-8"), top))


async def session(top: Path, files: list[str], seconds: float, chance: random.Random) -> int:
    """Go through a session, and print what the server takes and what it has written."""
    git(top, "branch", "-f", "opspec-other")
    held = {path: (top / path).read_text(encoding="utf-8") for path in files}
    begin = dict(held)
    end, shown, steps = time.monotonic() + seconds, 0.0, 0
    async with editing(top, dict(os.environ)) as editor:
        while time.monotonic() < end:
            await step(editor, top, held, begin, chance)
            steps += 1
            if time.monotonic() > shown + 30:
                shown = time.monotonic()
                print(f"{steps:6} steps  {taken(os.getpid())}", flush=True)
            await asyncio.sleep(chance.choice((0, 0, 0.05, 0.5)))
        for path in list(editor.texts):
            editor.close(path)
        await asyncio.sleep(2)
        print(f"{steps:6} steps  {taken(os.getpid())}  all closed")
        messages = editor.messages
    written = [path for path, text in held.items() if (top / path).read_text(encoding="utf-8") != text]
    for path in held.keys() - begin.keys():
        (top / path).unlink()
    for path, text in begin.items():
        (top / path).write_text(text, encoding="utf-8")
    written += git(top, "status", "--porcelain").split("\n")[:-1]
    crashes = [each for each in messages if "internal error" in each or "exit code" in each]
    print(f"{len(messages)} messages, {len(crashes)} of crashes {crashes[:3]}; written by others: {written}")
    return 1 if written or crashes else 0


async def step(editor, top: Path, held: dict[str, str], begin: dict[str, str], chance: random.Random) -> None:  # type: ignore[no-untyped-def]
    """Take one step of a session. `held` is what each file holds, `begin` what it held at first."""
    path = chance.choice(sorted(held))
    kind = chance.randrange(12)
    if path not in editor.texts:
        editor.begin(path, held[path])
    elif kind < 5:
        editor.send(path, edited(editor.texts[path], chance))
    elif kind < 7:
        held[path] = chance.choice((editor.texts[path], begin.get(path, "")))
        await editor.save(path, held[path])
    elif kind == 7:
        editor.close(path)
    elif kind == 8:
        new = f"{path}.new{Path(path).suffix}" if path in begin else path
        (top / path).rename(top / new)
        editor.close(path)
        held[new] = held.pop(path)
        editor.begin(new, held[new])
        (top / new).rename(top / path)
        editor.close(new)
        held[path] = held.pop(new)
    elif kind == 9:
        (top / path).unlink()
        await editor.hover(path, 0)
        (top / path).write_text(held[path], encoding="utf-8")
    elif kind == 10:
        git(top, "symbolic-ref", "HEAD", chance.choice(("refs/heads/opspec-other", branch(top))))
        editor.files_changed([".git/HEAD"])
    else:
        await editor.hover(path, chance.randrange(40))
        await editor.actions(path, chance.randrange(40))


def branch(top: Path, found: list[str] = []) -> str:  # noqa: B006 - the branch of the beginning
    """Return the branch that was checked out at first."""
    if not found:
        found.append(git(top, "symbolic-ref", "HEAD").strip())
    return found[0]


def git(top: Path, *words: str) -> str:
    """Run git, and return what it says."""
    return subprocess.run(["git", *words], cwd=top, check=True, capture_output=True, text=True).stdout


def taken(pid: int) -> str:
    """Return the memory, the processes and the open files of all that a process has started."""
    found = below(pid)
    memory = sum(int(re.search(r"VmRSS:\s+(\d+)", status(each) or "VmRSS: 0")[1]) for each in found)  # type: ignore[index]
    handles = sum(len(os.listdir(f"/proc/{each}/fd")) for each in found if os.path.isdir(f"/proc/{each}/fd"))
    first = re.search(r"VmRSS:\s+(\d+)", status(found[0])) if found else None
    own = int(first[1]) >> 10 if first else 0
    return f"{own} MiB server, {memory >> 10} MiB all, {len(found)} processes, {handles} open files"


def below(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    own = [int(each) for each in children.read_text().split()] if children.exists() else []
    return [each for child in own for each in (child, *below(child))]


def status(pid: int) -> str:
    """Return what the system says of a process, "" where it has ended."""
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
