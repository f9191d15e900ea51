"""Completion for zsh."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cli.completion import Completable, Program, Subcommand

SUMMARY = "put it into a folder of $fpath, as _opspec-lint, or source it behind compinit"


def render(program: Program) -> str:
    """Return the script."""
    function = f"_{program.name}"  # the name of the file in $fpath, since zsh runs the function of that name
    lines = [
        f"#compdef {program.name}",
        f"# Completion of {program.name} for zsh.",
        f"{function}() {{",
        "  local -a commands",
        "  if (( CURRENT == 2 )); then",
        "    commands=(",
        *(f"      {_quote(f'{name}:{_escape(description)}')}" for name, description in _first(program)),
        "    )",
        "    _describe -t commands command commands",
        "    return",
        "  fi",
        "  local command=$words[2]",
        "  shift words",
        "  (( CURRENT-- ))",
        "  case $command in",
        *(f"    {line}" for command in program.commands for line in _case(command)),
        "  esac",
        "}",
        f'if [ "$funcstack[1]" = "{function}" ]; then',
        f'  {function} "$@"',
        "elif (( $+functions[compdef] )); then",
        f"  compdef {function} {program.name}",
        "fi",
        "",
    ]
    return "\n".join(lines)


def _first(program: Program) -> Iterator[tuple[str, str]]:
    yield from ((command.name, command.summary) for command in program.commands)
    yield from program.options.items()


def _case(command: Subcommand) -> Iterator[str]:
    yield f"{command.name}) _arguments -S \\"
    yield from (f"  {_quote(spec)} \\" for argument in command.arguments for spec in _specs(argument))
    yield "  ;;"


def _specs(argument: Completable) -> Iterator[str]:
    """Yield the specifications of an argument for zsh's `_arguments`."""
    value = "".join(f":{_escape(name)}:{_action(argument)}" for name in argument.values)
    if not argument.names:
        yield f"{'*' if argument.repeats else ''}{value}"
    for name in argument.names:
        assigns = "=" if len(argument.values) == 1 and name.startswith("--") else ""
        yield f"{'*' if argument.repeats else ''}{name}{assigns}[{_escape(argument.help)}]{value}"


def _action(argument: Completable) -> str:
    if argument.choices and argument.takes_files:
        return f"{{compadd -- {' '.join(argument.choices)}; _files}}"
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    return "_files" if argument.takes_files or not argument.names else " "


def _escape(text: str) -> str:
    for sign in "\\:[]":
        text = text.replace(sign, f"\\{sign}")
    return text


def _quote(text: str) -> str:
    escaped = text.replace("'", "'\\''")
    return f"'{escaped}'"
