"""Console scripts: set up signals before the first slow import, run a program, and exit with its code."""

from opspec_lint.cli import interrupts, quick_imports


def opspec_lint() -> None:
    """Run opspec-lint."""
    _run("main")


def print_op_desc() -> None:
    """Run the replay of Paddle's print_op_desc.py."""
    _run("print_op_desc")


def check_op_desc() -> None:
    """Run the replay of Paddle's check_op_desc.py."""
    _run("check_op_desc")


def _run(name: str) -> None:
    # Before the imports below, which take most of the time of a short run.
    interrupts.end_the_process()
    interrupts.keep_exit_codes()
    quick_imports.install()
    from opspec_lint.cli import main

    main.entry(getattr(main, name))
