"""Completion for PowerShell, from 5.0 on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.cli.completion import Program, Subcommand

SUMMARY = "add to $PROFILE: opspec-lint completion powershell | Out-String | Invoke-Expression"

_QUOTES = "'\u2018\u2019\u201a\u201b"
"""Characters that end a string in single quotes: PowerShell treats typographic quotes as plain ones."""
_COMPLETER = """\
    param($word, $line, $cursor)
    $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $prefix = ''
    if ($before.Count -lt 2) {
        $offered = $first
    } elseif (-not $commands.ContainsKey($before[1])) {
        return
    } else {
        $command = $commands[$before[1]]
        $option = $before[-1]
        if ($word -match '^(--[^=]+)=') {
            $option = $Matches[1]
            $prefix = "$option="
            $word = $word.Substring($prefix.Length)
        }
        if ($command.Takes.ContainsKey($option)) {
            $offered = $command.Takes[$option]
        } elseif ($word.StartsWith('-')) {
            $offered = $command.Options
        } else {
            $offered = $command.Words
        }
    }
    foreach ($each in $offered) {
        if ($each[0].StartsWith($word, [StringComparison]::Ordinal)) {
            $text = "$prefix$($each[0])"
            [System.Management.Automation.CompletionResult]::new($text, $each[0], 'ParameterValue', $each[1])
        }
    }"""


def render(program: Program) -> str:
    """Return the script; where it offers nothing, PowerShell completes files.

    Offers are pairs of a word and its description, which PowerShell does not allow to be empty.
    """
    first = [*((command.name, command.summary) for command in program.commands), *program.options.items()]
    lines = [
        f"# Completion of {program.name} for PowerShell.",
        f"Register-ArgumentCompleter -Native -CommandName {_quote(program.name)} -ScriptBlock {{",
        _COMPLETER.partition("\n")[0],
        f"    $first = {_pairs(first)}",
        "    $commands = New-Object 'System.Collections.Generic.Dictionary[string,object]'",
        *(f"    {line}" for command in program.commands for line in _command(command)),
        _COMPLETER.partition("\n")[2],
        "}",
        "",
    ]
    return "\n".join(lines)


def _command(command: Subcommand) -> Iterator[str]:
    """Yield the lines that describe the options and positional values of a command."""
    named = [(name, option) for option in command.options for name in option.names]
    takes = [f"{_quote(name)} = {_choices(option.choices)}" for name, option in named if option.values]
    choices = dict.fromkeys(choice for argument in command.positionals for choice in argument.choices)
    yield f"$commands[{_quote(command.name)}] = @{{"
    yield f"    Options = {_pairs((name, option.help) for name, option in named)}"
    yield f"    Words = {_choices(choices)}"
    yield f"    Takes = @{{ {'; '.join(takes)} }}"
    yield "}"


def _choices(choices: Iterable[str]) -> str:
    return _pairs((choice, choice) for choice in choices)


def _pairs(offered: Iterable[tuple[str, str]]) -> str:
    """Return a list of pairs; the comma before a single pair keeps PowerShell from unrolling the list."""
    # The pipeline of PowerShell unrolls a list with a single element.
    pairs = [f"@({_quote(choice)}, {_quote(description)})" for choice, description in offered]
    return f"@({',' if len(pairs) == 1 else ''}{', '.join(pairs)})"


def _quote(text: str) -> str:
    return "'" + "".join(sign * 2 if sign in _QUOTES else sign for sign in text) + "'"
