"""PowerShell's completion: its syntax by a grammar of PowerShell, and what it offers where there is a PowerShell."""

from __future__ import annotations

import shutil
import subprocess

import pytest
import tree_sitter
import tree_sitter_powershell

from opspec_lint.cli import completion
from opspec_lint.cli.command import COMMANDS
from opspec_lint.cli.shells import powershell
from opspec_lint.lint.rulebook import RULES
from opspec_lint.report.reporter import REPORTERS
from tests.support.patience import PATIENCE
from tests.support.programs import run

PROGRAM = completion.program("opspec-lint")


def script():
    ran = run("completion", "powershell")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def nodes_of(text):
    """Yield every node of the syntax tree of a script."""
    grammar = tree_sitter.Language(tree_sitter_powershell.language())
    waiting = [tree_sitter.Parser(grammar).parse(text.encode()).root_node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def strings_of(text):
    """Return the strings in single quotes of a script, in order, each as PowerShell takes it."""
    plain = [node.text.decode()[1:-1] for node in nodes_of(text) if node.type == "verbatim_string_characters"]
    return [decoded.replace("''", "'") for decoded in plain]


def odd(text):
    argument = completion.Completable(
        names=("--odd",), values=("NAME",), choices=("a",), takes_files=False, repeats=False, help=text
    )
    command = completion.Subcommand(name="odd", summary=text, arguments=(argument,))
    return completion.Program(name="opspec-lint", commands=(command,), options={})


def test_the_script_is_powershell():
    assert not [node for node in nodes_of(script()) if node.is_error or node.is_missing]


def test_every_command_option_and_choice_is_in_the_script():
    result = strings_of(script())
    named = {name for command in PROGRAM.commands for option in command.options for name in option.names}
    choices = {choice for command in PROGRAM.commands for argument in command.arguments for choice in argument.choices}
    assert {*COMMANDS.names(), "--help", "--version", *named, *choices} <= {*result}
    assert [item for item in result if not item.strip()] == [""]  # the prefix; an empty tooltip is refused


@pytest.mark.parametrize("text", ["isn't [it] odd: \\ it's \"$HOME\" `x` $(touch ran)", "a\nb", "'", "); exit #"])
def test_no_text_leaves_its_quotes(text):
    rendered = powershell.render(odd(text))
    assert not [node for node in nodes_of(rendered) if node.is_error or node.is_missing]
    assert strings_of(rendered).count(text) == 2


def test_typographic_quotes_end_a_string_of_powershell_as_well():
    assert "('odd', 'it\u2019\u2019s \u2018\u2018odd\u201a\u201a\u201b\u201b')" in powershell.render(
        odd("it\u2019s \u2018odd\u201a\u201b")
    )


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", [*COMMANDS.names(), "--help", "--version"]),
        ("ch", ["check"]),
        ("check --for", ["--format"]),
        ("check --format ", REPORTERS.names()),
        ("check --format sa", ["sarif"]),
        ("check --format=sa", ["--format=sarif"]),
        ("check a.json --profile paddle-", ["paddle-2021"]),
        ("explain op_removed", [rule for rule in RULES.names() if rule.startswith("op_removed")]),
        ("check a.json paddle@1", ["paddle@1.8.5"]),
    ],
)
def test_powershell_completes(tmp_path, typed, offered):
    shell = shutil.which("pwsh") or shutil.which("powershell")
    if shell is None:
        pytest.skip("PowerShell is not installed")
    (tmp_path / "completion.ps1").write_text(script(), encoding="utf-8")
    text = (
        f". ./completion.ps1; $typed = 'opspec-lint {typed}'; "
        "[System.Management.Automation.CommandCompletion]::CompleteInput($typed, $typed.Length, $null)"
        ".CompletionMatches | ForEach-Object { $_.CompletionText }"
    )
    done = subprocess.run(
        [shell, "-NoProfile", "-NonInteractive", "-Command", text],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.split()) == sorted(offered)
