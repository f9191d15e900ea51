"""Completion for bash, from 3.2 on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cli.completion import Program, Subcommand

SUMMARY = "source it from ~/.bashrc, or put it into ~/.local/share/bash-completion/completions/opspec-lint"


def render(program: Program) -> str:
    """Return the script; where it offers nothing, bash completes files.

    Bash splits `paddle@2.6.2` into three words at `@`, and replaces the last one only: the script puts them together,
    and removes the beginning from its results.
    """
    function = f"_{program.name.replace('-', '_')}"
    first = " ".join([*(command.name for command in program.commands), *program.options])
    lines = [
        f"# Completion of {program.name} for bash.",
        f"{function}() {{",
        "  local IFS=$' \\t\\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} choices= name=",
        "  COMPREPLY=()",
        '  if [ "$word" = "=" ]; then',
        "    word=",
        '  elif [ "$before" = "=" ]; then',
        "    before=${COMP_WORDS[COMP_CWORD-2]}",
        '  elif [ "$word" = "@" ]; then',
        "    name=$before before=${COMP_WORDS[COMP_CWORD-2]}",
        "    word=$name@",
        '  elif [ "$before" = "@" ]; then',
        "    name=${COMP_WORDS[COMP_CWORD-2]} before=${COMP_WORDS[COMP_CWORD-3]}",
        "    word=$name@$word",
        "  fi",
        '  if [ "$COMP_CWORD" -eq 1 ]; then',
        f'    choices="{first}"',
        "  else",
        '    case "${COMP_WORDS[1]} $before" in',
        *(f"      {line}" for command in program.commands for line in _value_cases(command)),
        '      *) case "${COMP_WORDS[1]} $word" in',
        *(f"        {line}" for command in program.commands for line in _word_cases(command)),
        "      esac ;;",
        "    esac",
        "  fi",
        '  COMPREPLY=($(compgen -W "$choices" -- "$word"))',
        # Before bash 4.4, an empty array is an unbound variable under `set -u`, hence the `+`.
        '  COMPREPLY=(${COMPREPLY[@]+"${COMPREPLY[@]#"$name"}"})',
        "}",
        f"complete -o bashdefault -o default -F {function} {program.name}",
        "",
    ]
    return "\n".join(lines)


def _value_cases(command: Subcommand) -> Iterator[str]:
    """Yield a case for the word after each option that takes a value."""
    for option in command.options:
        if option.values:
            pattern = "|".join(f'"{command.name} {name}"' for name in option.names)
            yield f'{pattern}) choices="{" ".join(option.choices)}" ;;'


def _word_cases(command: Subcommand) -> Iterator[str]:
    """Yield the cases for a word that follows no such option."""
    options = " ".join(name for option in command.options for name in option.names)
    yield f'"{command.name} -"*) choices="{options}" ;;'
    choices = " ".join(dict.fromkeys(choice for argument in command.positionals for choice in argument.choices))
    if choices:
        yield f'"{command.name} "*) choices="{choices}" ;;'
