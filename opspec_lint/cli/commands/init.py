"""Write what a repository needs to be checked: a configuration, a pre-commit hook and a workflow.

The repository is looked at first: its spec files (under specs/ or elsewhere) or its source tree of a framework, its
saved models, and the branch that changes go to. What is there already is never touched; the entry for an existing
.pre-commit-config.yaml is printed.
"""

from __future__ import annotations

import os

from opspec_lint.cli.shared_options import configure_reading, reading
from opspec_lint.git.default_branch import default_branches, own_branch
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import WORK_TREE, repository_at
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line, plural
from opspec_lint.project import config, spec_files, starter, survey, waiver_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.git.repository import Repository
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.project.config import Config
    from opspec_lint.project.starter import Setup, Tool
    from opspec_lint.project.survey import Survey

SUMMARY = "write the configuration, the hook and the workflow that a repository needs"
EXAMPLES = (
    "opspec-lint init --dry-run",
    "opspec-lint init",
)

_SHARED = ("origin", "")
"""The remotes that every clone has under this name, "" for local branches: others are no base for a configuration."""
_SHOWN = 10
"""Spec files that are listed."""
_HAS_HOOK = pattern(r"^(?:[^#\n]*[\s{,-])?[\"']?id[\"']?\s*:\s*[\"']?opspec-lint(?:-audit)?[\"']?\s*(?:[,}#]|$)", "m")
"""The hook in a configuration of pre-commit, in any style of YAML, but not in a comment."""
_MAX_HOOKS = 1 << 20
"""Bytes of that file which are looked at."""
_ABROAD = (
    "--from does not name a GitHub repository; docs/how-to/run-in-gitlab-and-elsewhere.md has the commands for any CI"
)


class _Step:
    """What comes of one file: `text` is None where it is not written, and `words` then says why."""

    def __init__(self, path: str, text: str | None, words: str = "", entry: str = "") -> None:
        self.path, self.text, self.words, self.entry = path, text, words, entry


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("--dry-run", values=0, help="write nothing; show what would be written")
    add(
        "--from",
        dest="origin",
        metavar="URL@REVISION",
        help="where hook and workflow get opspec-lint: a repository and its revision (default: placeholders)",
    )
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Look, and return what is to be written.

    Raises:
        UsageError: there is no work tree, or nothing to check, or the configuration that is there is wrong.
    """
    origin = starter.Tool() if options.origin is None else starter.tool(options.origin)
    advice = "run it in the repository to check, or run `git init` first"
    repository = repository_at(".", options.environment, advice=advice)
    if repository.top == repository.git_dir:
        raise UsageError("the repository has no work tree", advice="run it in a clone")
    objects = Objects(repository)
    try:
        tree = Snapshot(repository, objects, WORK_TREE)
        present = config.find(tree, "")
        found = survey.survey_repository(tree, reading(options))
        setup = _setup(tree, present, found)
    finally:
        objects.close()
    steps = [_hooks(repository, setup, origin)]
    if setup.compares:
        steps = [_config(repository, present, setup), *steps, _workflow(repository, origin)]
    unsaid = _unsaid(repository, steps, origin)
    lines = [*_found(found, present, setup), *_done(steps, is_dry=options.dry_run), *_next(steps, unsaid)]
    made = [
        OutputFile(path=os.path.join(repository.top, each.path), content=each.text, below=repository.top, is_new=True)
        for each in steps
        if each.text is not None
    ]
    return Outcome(
        text="\n".join([*map(one_line, lines), ""]),
        code=CLEAN,
        files=() if options.dry_run else made,
        makes_folder=True,
        remarks=found.remarks,
    )


def _setup(tree: Snapshot, present: Config | None, found: Survey) -> Setup:
    """Return the setup: that of a configuration that is there, else of what was found.

    Raises:
        UsageError: there is nothing.
    """
    shared = (branch for branch in default_branches(tree.repository) if branch.remote in _SHARED)
    branch = next(shared, None) or own_branch(tree.repository)
    base = None if branch is None else branch.name
    is_told = present is not None and (present.specs or present.source)
    audited = tuple(_newest(framework) for framework in sorted(found.models) if _newest(framework))
    if not is_told and not found.specs and not found.sources and not audited:
        if found.remarks:
            raise UsageError(f"found nothing that can be checked: {found.remarks[0]}", advice="then run it again")
        raise UsageError(
            "found nothing to check: no spec file, no source tree of a framework, and no saved model",
            advice="put a spec there, `opspec-lint extract SOURCE --output specs/NAME.json`, and run it again; "
            "SOURCE is an installed Paddle or TensorFlow (`opspec-lint extract --help` lists more)",
        )
    if present is None or not is_told:
        return starter.Setup(
            patterns=found.patterns,
            sources=tuple(each.name for each in found.sources),
            files=tuple(each.name for each in found.specs),
            audited=audited,
            base=base,
            waivers=waiver_file.file_of(present),
        )
    patterns = tuple(each.pattern for each in present.specs)
    named = spec_files.SpecSet(patterns=patterns)
    return starter.Setup(
        patterns=patterns,
        sources=present.source,
        files=tuple(path for path in tree.files() if patterns and path in named),
        audited=audited,
        waivers=waiver_file.file_of(present),
    )


def _newest(framework: str) -> str:
    """Return the newest release of a framework whose spec is included, "" if none is."""
    from opspec_lint.sources import released

    return next(reversed(released.names({framework})), "")


def _config(repository: Repository, present: Config | None, setup: Setup) -> _Step:
    path = starter.CONFIG if present is None else present.file
    reason = _obstacle(repository, path)
    return _Step(path, None if reason else starter.config(setup), reason or "")


def _hooks(repository: Repository, setup: Setup, origin: Tool) -> _Step:
    reason = _obstacle(repository, starter.HOOKS)
    if reason is None:
        return _Step(starter.HOOKS, starter.hooks(setup, origin))
    if _HAS_HOOK.search(_text(os.path.join(repository.top, starter.HOOKS))):
        return _Step(starter.HOOKS, None, f"{reason}, and has the hook")
    return _Step(starter.HOOKS, None, f"{reason}; add this to its `repos`:", starter.hook_entry(setup, origin))


def _workflow(repository: Repository, origin: Tool) -> _Step:
    reason = _obstacle(repository, starter.WORKFLOW)
    if reason is None and origin.action is None:
        reason = f"is not written: {_ABROAD}"
    return _Step(starter.WORKFLOW, None if reason else starter.workflow(origin), reason or "")


def _obstacle(repository: Repository, path: str) -> str | None:
    """Return why a file cannot be made: it is there, or would lie outside of the repository."""
    full = os.path.join(repository.top, path)
    if os.path.lexists(full):
        return "already exists and stays unchanged"
    above = os.path.dirname(path)
    while above and not os.path.lexists(os.path.join(repository.top, above)):
        above = os.path.dirname(above)
    if above and not os.path.isdir(os.path.join(repository.top, above)):
        return f"is not written: {above} is not a folder"
    if os.path.realpath(full) != os.path.join(os.path.realpath(repository.top), *path.split("/")):
        return "is not written: a symbolic link is on the way"
    return None


def _text(path: str) -> str:
    """Return the beginning of a file, "" for what is none, which reading could wait for without end."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(_MAX_HOOKS)
    except OSError:
        return ""


def _found(found: Survey, present: Config | None, setup: Setup) -> Iterator[str]:
    if present is not None and (present.specs or present.source):
        yield f"found  {present.file}, which says what is checked"
    else:
        each = (*found.specs, *found.sources)
        yield from (f"found  {one}" for one in each[:_SHOWN])
        if len(each) > _SHOWN:
            yield f"found  {len(each) - _SHOWN} more"
    for framework, models in sorted(found.models.items()):
        yield f"found  {plural(len(models), 'saved model')} of {framework}, such as {models[0]}"
    if setup.base is not None:
        yield f"base   {setup.base}"


def _done(steps: list[_Step], *, is_dry: bool) -> Iterator[str]:
    for step in steps:
        if step.text is None:
            yield f"left   {step.path} {step.words}"
            yield from (f"       {line}".rstrip() for line in step.entry.splitlines())
        else:
            yield f"would write  {step.path}" if is_dry else f"wrote  {step.path}"
            yield from (f"       {line}".rstrip() for line in (step.text.splitlines() if is_dry else ()))


def _unsaid(repository: Repository, steps: list[_Step], origin: Tool) -> list[str]:
    """Return the files, those that are there already and those that are written, in which placeholders stand."""
    files = []
    for each in steps:
        is_new = each.text is not None or each.entry
        text = f"{each.text}{each.entry}" if is_new else _text(os.path.join(repository.top, each.path))
        if (origin.is_placeholder or not is_new) and starter.has_placeholder(text):
            files.append(each.path)
    return files


def _next(steps: list[_Step], unsaid: list[str]) -> Iterator[str]:
    if unsaid:
        yield f"next   replace OWNER and COMMIT with opspec-lint's repository and a commit, in: {', '.join(unsaid)}"
    for each in steps:
        if each.entry:
            yield f"next   add the entry of the hooks to {each.path}"
    if any(each.text or each.entry for each in steps):
        yield "next   review the files, then run `pre-commit install`, `git add` and `git commit`"
    elif not unsaid:
        yield "next   nothing: the setup is complete"
