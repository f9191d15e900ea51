"""Options that several commands have in common."""

from __future__ import annotations

from opspec_lint.cli.destinations import file_of
from opspec_lint.kit.command_line import Outcome, OutputFile, WrongValueError, choice_of, summary_lines
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.models.loader import Loader
    from opspec_lint.project.profile_choice import ProfileChoice
    from opspec_lint.sources.libraries import Libraries
    from opspec_lint.sources.reading import Reading

_SITE_ADDRESS = pattern(r"(https?://|file:///)?[^:?#\s\\]+(:\d+)?(/[^:?#\s\\]*)?")


def configure_inputs(arguments: Arguments) -> None:
    """Declare the options for the compared specs; the command itself declares `base_spec` and `head_spec`."""
    configure_ends(arguments)
    add = arguments.add
    add("--op", repeats=True, metavar="OP", help="check only this op, or those of a pattern ('conv*'); may be repeated")
    configure_reading(arguments)
    configure_libraries(arguments)
    add("--base-op-versions", metavar="FILE", help="the op versions of BASE; they replace those in its spec")
    add("--head-op-versions", metavar="FILE", help="the op versions of HEAD; they replace those in its spec")


def configure_ends(arguments: Arguments) -> None:
    """Declare the options for base and head in a repository, and for the policy."""
    add = arguments.add
    add("--base", metavar="REVISION", help="compare with the merge base of HEAD and this (default: the default branch)")
    add("--exact", values=0, help="compare with the revision of --base itself, not with a merge base")
    add("--staged", values=0, help="check the staged files, not the work tree")
    add("--head", metavar="REVISION", help="check a revision, not the work tree")
    add("--fetch", values=0, help="fetch a revision that the clone lacks")
    add("--config", metavar="FILE", help="use this configuration file, not the repository's own")
    add("--waivers", metavar="FILE", help="use this waiver file, not the repository's own")
    add("--usage", metavar="FILE", help="the results of `audit --results`: rank findings by the models that use the op")
    add(
        "--profile",
        repeats=True,
        accept=_profile_choice,
        known=PROFILES.names,
        metavar="[SOURCE=]NAME",
        help=lambda: (
            f"the policy, or that of one source or spec file; may be repeated: {', '.join(PROFILES.names())} "
            "(default: that of the framework)"
        ),
    )


def _profile_choice(text: str) -> ProfileChoice:
    from opspec_lint.project.profile_choice import parse_choice

    choice = parse_choice(text)
    choice_of("profile", PROFILES.names)(choice.profile)
    return choice


def configure_reading(arguments: Arguments) -> None:
    """Declare the options for reading a spec."""
    add = arguments.add
    add(
        "--include",
        "-I",
        repeats=True,
        metavar="FOLDER",
        help="search the files that a schema includes in this folder as well; may be repeated",
    )
    add(
        "--build",
        accept=choice_of("build", builds),
        known=builds,
        metavar="BUILD",
        help="the build of a source tree, by default the first: of Paddle all, cpu, gpu or xpu; of TensorFlow public, "
        "cpu, gpu, mkl, tpu, windows or all",
    )
    add("--no-cache", values=0, help="ignore the cache of source trees, and write nothing to it")


def builds() -> list[str]:
    """Return the names of the builds of a source tree."""
    every = (SOURCES.load(scheme).builds for scheme in SOURCES.names())
    return list(dict.fromkeys(build for builds in every for build in builds))


def schemes() -> str:
    """Return the schemes of all sources, each with its summary."""
    return summary_lines(SOURCES.names(), lambda scheme: SOURCES.load(scheme).summary)


def reading(options: Options) -> Reading:
    """Return the options for reading sources, from the options of `configure_reading`."""
    from opspec_lint.sources.reading import Reading

    return Reading(
        environment=options.environment,
        build=options.build,
        include=tuple(options.include or ()),
        caches=not options.no_cache,
        # None: the command has no --fetch, so that no error advises it.
        may_fetch=getattr(options, "fetch", None),
        progress=options.progress,
        standard_input=options.standard_input,
    )


def configure_loader(arguments: Arguments) -> None:
    """Declare --loader, loaders of saved models."""
    from opspec_lint.models.loader import LOADERS

    arguments.add(
        "--loader",
        repeats=True,
        accept=choice_of("loader", LOADERS.names),
        known=LOADERS.names,
        help="the loader (default: every loader for its kind of model); may be repeated",
    )


def named_loaders(options: Options) -> tuple[Loader, ...]:
    """Return the loaders of `--loader`, each once; none if the option was not given."""
    from opspec_lint.models.loader import LOADERS

    return tuple(LOADERS.load(name) for name in dict.fromkeys(options.loader or ()))


def configure_libraries(arguments: Arguments) -> None:
    """Declare --library, libraries with further ops."""
    arguments.add(
        "--library",
        repeats=True,
        metavar="SPEC",
        help="the ops of a library that is loaded into each release, such as an op list; may be repeated",
    )


def libraries(options: Options, how: Reading) -> Libraries:
    """Return the libraries of `--library`. Raises InputError if one cannot be read."""
    from opspec_lint.sources.libraries import read_libraries

    return read_libraries(options.library or (), how)


def configure_format(arguments: Arguments, formats: Callable[[], Iterable[str]]) -> None:
    """Declare --format for one of several output formats; `text` is the default."""
    arguments.add(
        "--format",
        accept=choice_of("format", formats),
        known=formats,
        default="text",
        help=lambda: f"the output format: {', '.join(formats())} (default: text)",
    )


def configure_site(arguments: Arguments) -> None:
    """Declare --site, the address of a site of all ops."""
    arguments.add(
        "--site",
        metavar="ADDRESS",
        accept=_site_address,
        help="with --format html: link each op to its page on the site that `opspec-lint site` wrote; an address, or "
        "a path from the folder of the page",
    )


def _site_address(text: str) -> str:
    """Return the address of a folder without a slash at its end."""
    if not _SITE_ADDRESS.fullmatch(text):
        raise WrongValueError(f"{text!r} is no address of a site: use https://HOST/FOLDER, or a path such as ../ops")
    return text.removesuffix("index.html").rstrip("/") or "."


def require_page(options: Options, formats: Collection[str]) -> None:
    """Raise UsageError if --site is given, and none of the formats is a page that has links."""
    if options.site is not None and "html" not in formats:
        raise UsageError("--site has no effect without a page", advice="use --format html")


def extract_command(source: str, file: str) -> str:
    """Return the command that writes the spec of a source to a file, quoted for a shell."""
    import shlex

    return shlex.join(["opspec-lint", "extract", source, "--output", file])


def outcome(text: str, code: int, output: str | None) -> Outcome:
    """Return an outcome whose text goes to the file of `--output`; None and `-` are standard output."""
    file = file_of(output)
    if file is None:
        return Outcome(text=text, code=code)
    return Outcome(text="", code=code, files=[OutputFile(path=file, content=text)], makes_folder=True)
