"""Completion for fish."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cli.completion import Completable, Program, Subcommand

SUMMARY = "put it into ~/.config/fish/completions/opspec-lint.fish"


def render(program: Program) -> str:
    """Return the script."""
    test = f"__{program.name.replace('-', '_')}_is"
    lines = [
        f"# Completion of {program.name} for fish.",
        f"function {test}",
        "  set -l words (commandline -opc)",
        '  test (count $words) -gt 1; and test "$words[2]" = "$argv[1]"',
        "end",
        f"complete -c {program.name} -f -n 'test (count (commandline -opc)) -eq 1' -a {_quote(_list(program))}",
        *(
            f"complete -c {program.name} -n 'test (count (commandline -opc)) -eq 1'"
            f" -l {name.removeprefix('--')} -d {_quote(help_)}"
            for name, help_ in program.options.items()
        ),
        *(
            f"complete -c {program.name} -n {_quote(f'{test} {command.name}')} {line}"
            for command in program.commands
            for line in _arguments(command)
        ),
    ]
    return "\n".join([*lines, ""])


def _list(program: Program) -> str:
    r"""Return the commands in fish's notation, `NAME\tSUMMARY`, one a line."""
    return "\n".join(rf"{command.name}\t{_quote(command.summary)}" for command in program.commands)


def _arguments(command: Subcommand) -> Iterator[str]:
    for option in command.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        yield f"{names} {_value_options(option)}-d {_quote(option.help)}"
    for argument in command.positionals:
        if argument.choices:
            yield f"{'' if argument.takes_files else '-f '}-a {_quote(' '.join(argument.choices))}"


def _value_options(option: Completable) -> str:
    if not option.values:
        return ""
    if option.choices:
        return f"{'-r -F' if option.takes_files else '-x'} -a {_quote(' '.join(option.choices))} "
    return "-r -F " if option.takes_files else "-x "


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
