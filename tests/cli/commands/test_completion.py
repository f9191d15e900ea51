from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess

import pytest

from opspec_lint.cli import completion
from opspec_lint.cli.command import COMMANDS
from opspec_lint.cli.completion import SHELLS
from opspec_lint.cli.shells import bash, fish, zsh
from opspec_lint.lint.rulebook import RULES
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import released
from tests.support.programs import run

POSIX_SHELLS = [shell for shell in SHELLS.names() if shell != "powershell"]
OPTIONS = {
    command.name: [name for option in command.options for name in option.names]
    for command in completion.program("opspec-lint").commands
}
"""The options of each command."""


def test_which_arguments_may_be_given_again():
    repeating = {
        (command.name, *argument.names, *argument.values)
        for command in completion.program("opspec-lint").commands
        for argument in command.arguments
        if argument.repeats and "--include" not in argument.names  # which every command has that reads a spec
    }
    assert repeating == {
        ("audit", "MODEL"),
        ("audit", "--against", "SPEC"),
        ("audit", "--library", "SPEC"),
        ("audit", "--loader", "LOADER"),
        ("audit", "--require", "SPEC"),
        ("audit", "--verify", "PYTHON"),
        ("audit", "--format", "NAME[=FILE]"),
        ("show", "MODEL"),
        ("show", "--against", "SPEC"),
        ("show", "--loader", "LOADER"),
        ("check", "--format", "NAME[=FILE]"),
        ("check", "--library", "SPEC"),
        ("check", "--op", "OP"),
        ("check", "--profile", "[SOURCE=]NAME"),
        ("config", "--profile", "[SOURCE=]NAME"),
        ("waive", "--profile", "[SOURCE=]NAME"),
        ("check", "--proofs", "FILE"),
        ("log", "--arg", "NAME"),
        ("log", "--format", "NAME[=FILE]"),
        ("log", "--op", "OP"),
        ("site", "--only", "FRAMEWORK"),
        ("site", "--ops", "FILE"),
        ("log", "--rule", "RULE"),
        ("prove", "--op", "OP"),
        ("site", "--history", "FILE"),
        ("site", "--proofs", "FILE"),
        ("site", "--spec", "NAME"),
        ("validate", "SPEC"),
        ("waive", "FINGERPRINT"),
        ("waive", "--library", "SPEC"),
        ("waive", "--op", "OP"),
    }


ODD = completion.Program(
    name="opspec-lint",
    commands=(
        completion.Subcommand(
            name="odd",
            summary="isn't [it] odd: \\ it's \"$HOME\" `x` $(touch ran)",
            arguments=(
                completion.Completable(
                    names=("--odd",),
                    values=("NAME[=FILE]",),
                    choices=("a", "b"),
                    takes_files=False,
                    repeats=True,
                    help="isn't [it] odd: \\ it's \"$HOME\" `x` $(touch ran)",
                ),
            ),
        ),
    ),
    options={},
)
"""A program whose texts hold all that a shell could take for its own."""


def script(shell):
    ran = run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


def shell_or_skip(shell):
    result = shutil.which(shell)
    if result is None:
        pytest.skip(f"{shell} is not installed")
    return result


def complete_in_bash(folder, *args, file=None):
    """Return the completions of bash for the last of some words."""
    source = folder / "completion.bash"
    source.write_text(script("bash") if file is None else file, encoding="utf-8")
    text = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        '_opspec_lint; for each in "${COMPREPLY[@]}"; do printf "%s\\n" "$each"; done'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", text, "bash", str(source), "opspec-lint", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def complete_in_fish(folder, line, file=None):
    """Return the completions of fish for the end of a line."""
    source = folder / "completion.fish"
    source.write_text(script("fish") if file is None else file, encoding="utf-8")
    home = os.environ | {"HOME": str(folder.parent)}
    home |= {f"XDG_{name}_HOME": str(folder.parent) for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    done = subprocess.run(
        [shell_or_skip("fish"), "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(source), line],
        cwd=folder,
        env=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


TEXTS = [
    ([""], [*COMMANDS.names(), "--help", "--version"]),
    (["ch"], ["check"]),
    (["check", "--for"], ["--format"]),
    (["check", "--"], [name for name in OPTIONS["check"] if name.startswith("--")]),
    (["check", "--format", ""], REPORTERS.names()),
    (["check", "--format", "sa"], ["sarif"]),
    (["check", "a.json", "--profile", "tensorflow-p"], ["tensorflow-public"]),
    (["extract", "--build", "g"], ["gpu"]),
    (["explain", "op_removed"], [rule for rule in RULES.names() if rule.startswith("op_removed")]),
    (["rules", "--format", ""], ["text", "json"]),
    (["completion", ""], SHELLS.names()),
    (["init", "--d"], ["--dry-run"]),
    (["check", "paddle-pir@3"], released.names({"paddle-pir"})),
    (["check", "a.json", "paddle@1.8"], ["paddle@1.8.5"]),
    (["audit", "model", "--against", "paddle@1.8"], ["paddle@1.8.5"]),
    (["extract", "paddle@1.8"], ["paddle@1.8.5"]),
    (["nothing", "--"], []),
]


@pytest.mark.parametrize(("texts", "offered"), TEXTS)
def test_bash_completes(tmp_path, texts, offered):
    assert sorted(complete_in_bash(tmp_path, *texts)) == sorted(offered)


@pytest.mark.parametrize(("texts", "offered"), TEXTS)
def test_fish_completes(tmp_path, texts, offered):
    result = complete_in_fish(tmp_path, " ".join(["opspec-lint", *texts]))
    own = [item for item in result if not (tmp_path / item).exists() and not item.startswith("completion.fish")]
    if texts == [""]:  # options are offered behind a hyphen
        offered = COMMANDS.names()
    assert sorted(set(own)) == sorted(offered)


@pytest.mark.parametrize("texts", [["check", "--format", "="], ["check", "--format", "=", ""]])
def test_bash_completes_behind_an_equals_sign(tmp_path, texts):
    assert sorted(complete_in_bash(tmp_path, *texts)) == REPORTERS.names()


@pytest.mark.parametrize("texts", [["check", "x"], ["check", "--output", ""], ["check", "--waivers", "x"]])
def test_where_bash_knows_nothing_it_is_left_to_complete_files(tmp_path, texts):
    assert complete_in_bash(tmp_path, *texts) == []
    assert "complete -o bashdefault -o default -F _opspec_lint opspec-lint\n" in script("bash")


@pytest.mark.parametrize("name", COMMANDS.names())
def test_every_option_of_every_command_is_completed(tmp_path, name):
    assert sorted(complete_in_bash(tmp_path, name, "-")) == sorted(OPTIONS[name])
    assert {"-h", "--help"} <= set(OPTIONS[name])


@pytest.mark.parametrize("shell", POSIX_SHELLS)
@pytest.mark.parametrize("is_odd", [False, True])
def test_the_shell_itself_takes_the_script(tmp_path, shell, is_odd):
    file = tmp_path / "script"
    text = {"bash": bash, "fish": fish, "zsh": zsh}[shell].render(ODD) if is_odd else script(shell)
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [shell_or_skip(shell), "-n", str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_text_is_taken_for_a_command(tmp_path):
    assert complete_in_bash(tmp_path, "odd", "--odd", "", file=bash.render(ODD)) == ["a", "b"]
    if shutil.which("fish"):
        assert complete_in_fish(tmp_path, "opspec-lint odd --odd ", file=fish.render(ODD)) == ["a", "b"]
        assert complete_in_fish(tmp_path, "opspec-lint o", file=fish.render(ODD)) == ["odd"]
    assert not (tmp_path / "ran").exists()


class Terminal:
    """A shell at a terminal, in which what is typed can be completed; our program is not on its path."""

    def __init__(self, folder, *command):
        self.master, slave = pty.openpty()
        environment = os.environ | {
            "TERM": "dumb",
            "HOME": str(folder),
            "ZDOTDIR": str(folder),
            "PATH": "/usr/bin:/bin",
        }
        self.process = subprocess.Popen(
            [shell_or_skip(command[0]), *command[1:]],
            cwd=folder,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.said = ""

    def type(self, text, awaited):
        """Type a text, and wait until something is said."""
        os.write(self.master, text.encode())
        self.said = ""
        while awaited not in self.said:
            ready, _, _ = select.select([self.master], [], [], 60)
            assert ready, f"{awaited!r} is not in {self.said!r}"
            self.said += os.read(self.master, 4096).decode("utf-8", "replace")

    def completes(self, *pairs):
        """Complete what is typed, each by the rest that is awaited, and make sure that nothing is complained of."""
        for typed, rest in pairs:
            self.type(f"{typed}\t", f"{typed}{rest}")
            assert "not found" not in self.said
            assert "_opspec" not in self.said
            self.type("\x15echo AG''AIN\n", "AGAIN")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def terminal(tmp_path):
    """Return a function that starts a shell at a terminal and has it read our script."""
    started = []

    def start(setup, *command):
        made = Terminal(tmp_path, *command)
        started.append(made)
        made.type(f"{setup}; echo REA''DY\n", "READY")
        return made

    yield start
    for item in started:
        item.close()


ZSH = ("zsh", "-f", "-i")
BASH = ("bash", "--norc", "--noprofile", "-i")
COMPINIT = "autoload -U compinit; compinit -u -d dump"


def test_zsh_completes(tmp_path, terminal):
    (tmp_path / "completion.zsh").write_text(script("zsh"), encoding="utf-8")
    terminal(f"{COMPINIT}; source ./completion.zsh", *ZSH).completes(
        ("opspec-lint expl", "ain "),
        ("opspec-lint check --profile paddle-2", "021 "),
        ("opspec-lint init --dry", "-run "),
        ("opspec-lint explain op_removed_u", "ndeprecated "),
        ("opspec-lint check --format=sar", "if "),
        ("opspec-lint check paddle@2.6", ".2 "),
        ("opspec-lint audit model --against paddle@1.8", ".5 "),
    )


def test_zsh_completes_at_the_first_time_from_a_folder_of_fpath(tmp_path, terminal):
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions" / "_opspec-lint").write_text(script("zsh"), encoding="utf-8")
    terminal(f'fpath=("$PWD/functions" $fpath); {COMPINIT}', *ZSH).completes(
        ("opspec-lint expl", "ain "), ("opspec-lint check --profile paddle-2", "021 ")
    )


def test_bash_completes_at_a_terminal(tmp_path, terminal):
    (tmp_path / "completion.bash").write_text(script("bash"), encoding="utf-8")
    terminal("set -u; shopt -s failglob; IFS=,; source ./completion.bash", *BASH).completes(
        ("opspec-lint expl", "ain "),
        ("opspec-lint check --profile paddle-2", "021 "),
        ("opspec-lint check --format=sar", "if "),
    )


@pytest.mark.parametrize("before", ["check", "check paddle@3.0.0", "audit model --against"])
def test_bash_completes_behind_an_at_sign_at_a_terminal(tmp_path, terminal, before):
    (tmp_path / "completion.bash").write_text(script("bash"), encoding="utf-8")
    at = terminal("opspec-lint() { echo SAID:$*:; }; source ./completion.bash", *BASH)
    at.type(f"opspec-lint {before} paddle@2.6\t\n", "SAID:")
    assert f"SAID:{before} paddle@2.6.2:" in at.said


HOSTILE = [
    "$(touch ran).json",
    "`touch ran`.json",
    ";touch ran;.json",
    "'\";touch ran;\"'.json",
    "${x[$(touch ran)]}.json",
]
"""Names of files that say what to run, should anybody take them for more than names."""


@pytest.mark.parametrize(
    ("shell", "command", "setup"),
    [("bash", BASH, "source ./completion.bash"), ("zsh", ZSH, f"{COMPINIT}; source ./completion.zsh")],
)
def test_names_of_files_are_completed_and_run_nothing(tmp_path, terminal, shell, command, setup):
    for name in (*HOSTILE, "two words.json", "umlaut-ü.json"):
        (tmp_path / name).touch()
    (tmp_path / f"completion.{shell}").write_text(script(shell), encoding="utf-8")
    at = terminal(setup, *command)
    at.completes(
        ("opspec-lint check two", "\\ words.json"),
        ("opspec-lint check --output two", "\\ words.json"),
        ("opspec-lint check --output=two", "\\ words.json"),
        ("opspec-lint validate '$(", "touch ran).json'"),
        ("opspec-lint check \\`", "touch\\ ran\\`.json"),
        ("opspec-lint check \\;", "touch\\ ran\\;.json"),
    )
    assert not (tmp_path / "ran").exists()


def test_fish_completes_names_of_files_and_runs_nothing(tmp_path):
    for name in (*HOSTILE, "two words.json"):
        (tmp_path / name).touch()
    for text in ("check ", "check --output ", "validate "):
        offered = complete_in_fish(tmp_path, f"opspec-lint {text}")
        assert {*HOSTILE, "two words.json"} <= {item.replace("\\", "") for item in offered}
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("shell", POSIX_SHELLS)
def test_a_script_states_nothing_where_the_program_or_the_completion_of_the_shell_is_missing(tmp_path, shell):
    (tmp_path / "script").write_text(script(shell), encoding="utf-8")
    bare = {"bash": ("--norc", "-eu"), "fish": ("--no-config",), "zsh": ("-f", "-eu")}[shell]
    done = subprocess.run(
        [shell_or_skip(shell), *bare, "-c", "source ./script"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_unknown_shell_is_named():
    ran = run("completion", "fihs")
    assert (ran.code, "did you mean 'fish'?" in ran.err) == (2, True)
