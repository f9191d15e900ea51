"""Write what a repository needs to be checked: a configuration, a pre-commit hook and a workflow.

The command looks for spec files (under specs/ or elsewhere), the source tree of a framework, saved models, and the
branch that changes are merged into. It never changes an existing file; it prints the entry for an existing
.pre-commit-config.yaml.
"""

from __future__ import annotations

import os

from opspec_lint.cli.shared_options import configure_reading, reading
from opspec_lint.git import sparse
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
    "opspec-lint init --framework mill opspec-lint-mill",
)

_SHARED = ("origin", "")
"""Remotes that every clone has, "" for local branches; others are names of one clone, and no base to configure."""
_SHOWN = 10
"""Spec files that are listed."""
_HAS_HOOK = pattern(r"^(?:[^#\n]*[\s{,-])?[\"']?id[\"']?\s*:\s*[\"']?opspec-lint(?:-audit)?[\"']?\s*(?:[,}#]|$)", "m")
"""The hook in a pre-commit configuration, in any style of YAML, but not in a comment."""
_MAX_HOOKS = 1 << 20
"""Bytes of that file that are searched."""
_ABROAD = (
    "--from does not name a GitHub repository; docs/how-to/run-in-gitlab-and-elsewhere.md has the commands for any CI"
)


class _FileStep:
    """The result for one file: `text` is None if it is not written, and `note` is the reason then."""

    def __init__(self, path: str, text: str | None, note: str = "", entry: str = "") -> None:
        self.path, self.text, self.note, self.entry = path, text, note, entry


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
    add("--framework", metavar="NAME", help="write the skeleton of a plug-in for this framework to DIR instead")
    add("folder", metavar="DIR", values="?", help="with --framework: the folder of the plug-in")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Survey the repository, and return the files to write.

    Raises UsageError if there is no work tree, nothing to check, or the present configuration is wrong.
    """
    if options.framework is not None or options.folder is not None:
        return _plugin(options)
    origin = starter.Tool() if options.origin is None else starter.tool(options.origin)
    advice = "run it in the repository to check, or run `git init` first"
    repository = repository_at(".", options.environment, advice=advice)
    if repository.top == repository.git_dir:
        raise UsageError("the repository has no work tree", advice="run it in a clone")
    objects = Objects(repository)
    try:
        tree = Snapshot(repository, objects, WORK_TREE)
        present = config.find(tree, "")
        surveyed = survey.survey_repository(tree, reading(options))
        setup = _setup(tree, present, surveyed).replace(documentation=origin.documentation)
    finally:
        objects.close()
    steps = [_hooks_step(repository, setup, origin)]
    if setup.compares:
        steps = [_config_step(repository, present, setup), *steps, _workflow_step(repository, origin)]
    placeholder_files = _files_with_placeholders(repository, steps, origin)
    lines = [
        *_survey_lines(surveyed, present, setup),
        *_step_lines(steps, is_dry=options.dry_run),
        *_next_lines(steps, placeholder_files),
    ]
    made = [
        # is_new: a file that appears after the survey must not be overwritten.
        OutputFile(path=os.path.join(repository.top, step.path), content=step.text, below=repository.top, is_new=True)
        for step in steps
        if step.text is not None
    ]
    return Outcome(
        text="\n".join([*map(one_line, lines), ""]),
        code=CLEAN,
        files=() if options.dry_run else made,
        makes_folder=True,
        remarks=(*surveyed.remarks, *(error.line for error in surveyed.unreadable)),
    )


def _plugin(options: Options) -> Outcome:
    """Return the files of a plug-in's skeleton.

    Raises:
        UsageError: the name or the folder is missing, or the name is wrong.
    """
    if options.framework is None or options.folder is None:
        problem = "--framework needs a folder" if options.folder is None else "DIR needs --framework"
        raise UsageError(problem, advice="opspec-lint init --framework NAME DIR")
    from opspec_lint.project.plugin_skeleton import skeleton

    top = os.path.dirname(options.folder.rstrip(os.sep)) or os.curdir
    files = [
        OutputFile(path=os.path.join(options.folder, path), content=text, below=top, is_new=True)
        for path, text in skeleton(options.framework).items()
    ]
    verb = "would write" if options.dry_run else "wrote"
    lines = [*(f"{verb} {file.path}" for file in files), f"next: pip install -e '{options.folder}[test]', and pytest"]
    return Outcome(
        text="\n".join([*map(one_line, lines), ""]),
        code=CLEAN,
        files=() if options.dry_run else files,
        makes_folder=True,
    )


def _setup(tree: Snapshot, present: Config | None, surveyed: Survey) -> Setup:
    """Return the setup: that of the present configuration, else one for the surveyed contracts.

    Raises UsageError if there is nothing to check.
    """
    shared = (branch for branch in default_branches(tree.repository) if branch.remote in _SHARED)
    branch = next(shared, None) or own_branch(tree.repository)
    base = None if branch is None else branch.name
    is_configured = present is not None and (present.specs or present.source)
    audited = tuple(_newest_release(framework) for framework in sorted(surveyed.models) if _newest_release(framework))
    if not is_configured and not surveyed.specs and not surveyed.sources and not audited:
        raise _empty_survey_error(tree, surveyed)
    if present is None or not is_configured:
        return starter.Setup(
            patterns=surveyed.patterns,
            sources=tuple(spec.name for spec in surveyed.sources),
            files=tuple(spec.name for spec in surveyed.specs),
            audited=audited,
            base=base,
            waivers=waiver_file.file_of(present),
        )
    patterns = tuple(entry.pattern for entry in present.specs)
    named = spec_files.SpecSet(patterns=patterns)
    return starter.Setup(
        patterns=patterns,
        sources=present.source,
        files=tuple(path for path in tree.files() if patterns and path in named),
        audited=audited,
        waivers=waiver_file.file_of(present),
    )


def _empty_survey_error(tree: Snapshot, surveyed: Survey) -> UsageError:
    """Return the error for a repository without a contract; it says what the survey could not look at."""
    if surveyed.unreadable:
        first, *others = surveyed.unreadable
        return UsageError(
            f"found nothing that can be checked: {first.message}",
            advice=f"{first.advice}; then run `opspec-lint init` again" if first.advice else "",
            others=tuple(others),
        )
    if surveyed.remarks:
        return UsageError(
            f"found nothing that can be checked: {surveyed.remarks[0]}",
            advice="correct the file, and run `opspec-lint init` again",
        )
    repository = tree.repository
    if left_out := sparse.left_out(repository.top, repository.environment):
        return UsageError(
            f"found nothing to check, but the sparse checkout leaves out {plural(len(left_out), 'file')}",
            advice="check out the folders that declare ops, `git sparse-checkout add FOLDER`, and run it again",
        )
    if ignored := survey.ignored_contract(tree):
        return UsageError(
            f"found nothing to check: init looks at the files of git, which ignores {ignored}",
            advice="change .gitignore, or add them by `git add --force`, and run it again",
        )
    if not tree.files():
        return UsageError(
            "found nothing to check: the repository has no files",
            advice="put a source tree, saved models or a spec there, and run it again; "
            "`opspec-lint extract SOURCE --output specs/NAME.json` writes a spec",
        )
    return UsageError(
        "found nothing to check: no spec file, no source tree of a framework, and no saved model",
        advice="put a spec there, `opspec-lint extract SOURCE --output specs/NAME.json`, and run it again; "
        "SOURCE is an installed Paddle or TensorFlow (`opspec-lint extract --help` lists more)",
    )


def _newest_release(framework: str) -> str:
    """Return the newest release of a framework that has an included spec, "" if there is none."""
    from opspec_lint.sources import released

    return next(reversed(released.names({framework})), "")


def _config_step(repository: Repository, present: Config | None, setup: Setup) -> _FileStep:
    path = starter.CONFIG if present is None else present.file
    reason = _obstacle(repository, path)
    return _FileStep(path, None if reason else starter.config(setup), reason or "")


def _hooks_step(repository: Repository, setup: Setup, origin: Tool) -> _FileStep:
    reason = _obstacle(repository, starter.HOOKS)
    if reason is None:
        return _FileStep(starter.HOOKS, starter.hooks(setup, origin))
    if _HAS_HOOK.search(_read_beginning(os.path.join(repository.top, starter.HOOKS))):
        return _FileStep(starter.HOOKS, None, f"{reason}, and has the hook")
    return _FileStep(starter.HOOKS, None, f"{reason}; add this to its `repos`:", starter.hook_entry(setup, origin))


def _workflow_step(repository: Repository, origin: Tool) -> _FileStep:
    reason = _obstacle(repository, starter.WORKFLOW)
    if reason is None and origin.action is None:
        reason = f"is not written: {_ABROAD}"
    return _FileStep(starter.WORKFLOW, None if reason else starter.workflow(origin), reason or "")


def _obstacle(repository: Repository, path: str) -> str | None:
    """Return the reason why a file cannot be created, such as that it exists; None if it can."""
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


def _read_beginning(path: str) -> str:
    """Return the beginning of a file, "" if it is not a regular file: reading a pipe could wait forever."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(_MAX_HOOKS)
    except OSError:
        return ""


def _survey_lines(surveyed: Survey, present: Config | None, setup: Setup) -> Iterator[str]:
    """Yield what was found: the contracts that are checked, the saved models, and the base."""
    if present is not None and (present.specs or present.source):
        yield f"found  {present.file}, which says what is checked"
    else:
        specs = (*surveyed.specs, *surveyed.sources)
        yield from (f"found  {spec}" for spec in specs[:_SHOWN])
        if len(specs) > _SHOWN:
            yield f"found  {len(specs) - _SHOWN} more"
    for framework, models in sorted(surveyed.models.items()):
        yield f"found  {plural(len(models), 'saved model')} of {framework}, such as {models[0]}"
    if setup.base is not None:
        yield f"base   {setup.base}"


def _step_lines(steps: list[_FileStep], *, is_dry: bool) -> Iterator[str]:
    for step in steps:
        if step.text is None:
            yield f"left   {step.path} {step.note}"
            yield from (f"       {line}".rstrip() for line in step.entry.splitlines())
        else:
            yield f"would write  {step.path}" if is_dry else f"wrote  {step.path}"
            yield from (f"       {line}".rstrip() for line in (step.text.splitlines() if is_dry else ()))


def _files_with_placeholders(repository: Repository, steps: list[_FileStep], origin: Tool) -> list[str]:
    """Return the files, and the entries for other files, that still have placeholders for opspec-lint's repository."""
    files = []
    for step in steps:
        is_new = step.text is not None or step.entry
        text = f"{step.text}{step.entry}" if is_new else _read_beginning(os.path.join(repository.top, step.path))
        if (origin.is_placeholder or not is_new) and starter.has_placeholder(text):
            files.append(f"the entry for {step.path}" if step.entry else step.path)
    return files


def _next_lines(steps: list[_FileStep], placeholder_files: list[str]) -> Iterator[str]:
    """Yield the steps that are left to the user."""
    if placeholder_files:
        files = ", ".join(placeholder_files)
        yield f"next   replace OWNER and COMMIT with opspec-lint's repository and a commit, in: {files}"
    for step in steps:
        if step.entry:
            yield f"next   add the entry of the hooks to {step.path}"
    if any(step.text or step.entry for step in steps):
        yield "next   review the files, then run `pre-commit install`, `git add` and `git commit`"
    elif not placeholder_files:
        yield "next   nothing: the setup is complete"
