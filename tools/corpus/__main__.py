"""Regression corpus of the command line: `python -m tools.corpus write FOLDER`, later `compare FOLDER`.

It checks that a refactoring changes no output. `write` draws the cases, and keeps them with their output in a folder.
`compare` runs the cases of this folder with the current tree, prints how the first outputs differ, and exits with 1 if
any does. `renew` replaces the kept output where it is meant to differ. The cases:

    history  a history of 3,000 revisions of Paddle, with its log and blame; and one of 200
    pairs    each included spec against each other one of its framework
    paddle   60 commits of Paddle that touch sources of ops, each checked against its parent, in every format
    pir      307 revisions of the PIR ops of Paddle, each read, and checked against the one before
    models   200 saved models, audited and shown in every format
    texts    the help of every command, and the explanation of every rule

OPSPEC_LINT_PADDLE_TREE names a repository of Paddle with its whole history; without it, `write` leaves out what needs
one. `--models` names folders of saved models, also in zip archives, from which those are drawn that our own writers do
not make. With `--few`, every tenth case is run: `compare --few` also takes a folder that was written without it.
`--python` is an interpreter with another tree installed, such as the revision before the change.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path

from tools.corpus.difference import difference
from tools.corpus.folder import Folder
from tools.corpus.runner import Runner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.corpus.folder import Case

PADDLE = "OPSPEC_LINT_PADDLE_TREE"


def main() -> int:
    """Run `write` or `compare`, and return the exit code: 1 if an output differs."""
    options = _options()
    folder, paddle = Folder(options.folder), os.environ.get(PADDLE)
    if options.command == "write":
        from tools.corpus.drawing import draw

        folder.create(draw(folder, paddle, options.models, options.seed))
    cases = [
        case
        for case in folder.cases()
        if (not options.only or case.group in options.only) and (case.is_few or not options.few)
    ]
    if any(case.needs_paddle for case in cases) and not paddle:
        print(f"{PADDLE} names no repository: the cases that need Paddle are left out", file=sys.stderr)
        cases = [case for case in cases if not case.needs_paddle]
    if not cases:
        print(f"{folder.path} has no such cases", file=sys.stderr)
        return 2
    with closing(Runner(options.python, options.jobs, folder, paddle)) as runner:
        print(f"{len(cases)} cases, with the tree {runner.tree}")
        outputs = runner.run(cases)
        count = _compare(folder, outputs, options) if options.command == "compare" else _keep(folder, outputs)
    print("processor time:", ", ".join(f"{group} {seconds:.0f} s" for group, seconds in runner.seconds.items()))
    return min(count, 1)


def _keep(folder: Folder, outputs: Iterable[tuple[Case, str]]) -> int:
    for case, output in outputs:
        folder.keep(case, output)
    return 0


def _compare(folder: Folder, outputs: Iterable[tuple[Case, str]], options: argparse.Namespace) -> int:
    """Print the first differences, and return the number of cases whose output differs."""
    equal, different = 0, []
    for case, output in outputs:
        expected = folder.output(case)
        if output == expected:
            equal += 1
            continue
        different.append(case.name)
        if options.keep:
            for name, text in (("old", expected), ("new", output)):
                path = options.keep / name / f"{case.name}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
        if len(different) <= options.show:
            print(f"=== {case.name}", *difference(expected, output), sep="\n", flush=True)
    print(f"{equal} cases as before, {len(different)} different", *sorted(different)[:50], sep="\n  ")
    return len(different)


def _options() -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tools.corpus", description=__doc__, formatter_class=formatter)
    parser.add_argument("command", choices=("write", "compare", "renew"))
    parser.add_argument("folder", type=Path, help="the folder of the cases and their output")
    parser.add_argument("--few", action="store_true", help="run every tenth case")
    parser.add_argument("--only", action="append", metavar="GROUP", help="run the cases of this group; may be repeated")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs the cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time (default: one a core)")
    parser.add_argument("--seed", type=int, default=1, help="with write: what is drawn (default: 1)")
    help_text = "with write: a folder of saved models; may be repeated"
    parser.add_argument("--models", action="append", type=Path, default=[], metavar="FOLDER", help=help_text)
    parser.add_argument("--show", type=int, default=3, help="with compare: how many differences are printed")
    help_text = "with compare: write the two outputs of each different case to this folder"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=help_text)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
