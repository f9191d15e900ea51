"""Inputs of the action, which `action.yml` passes in one variable each, "" for an input that is not set."""

from __future__ import annotations

from opspec_lint.kit.errors import unknown_name
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMMENTS = ("auto", "always", "never")
"""When a comment is made: if there are findings, on every pull request, or on none."""

_TOKEN = "INPUT_TOKEN"  # noqa: S105 - the name of a variable


class Inputs(Record):
    """The values of the inputs. `action.yml` describes each input, and its default."""

    base: str | None = None
    config: str | None = None
    waivers: str | None = None
    profiles: tuple[str, ...] = ()
    comment: str = "auto"
    sarif: str | None = None
    released: str | None = None
    next: str | None = None
    proofs: str | None = None
    token: str = ""
    folder: str = "."


def read(environment: Mapping[str, str]) -> Inputs:
    """Return the inputs of an environment.

    Raises:
        UsageError: an input has an invalid value.
    """

    def given(name: str) -> str | None:
        return environment.get(f"INPUT_{name}", "").strip() or None

    comment = given("COMMENT") or "auto"
    if comment not in COMMENTS:
        raise unknown_name("value of the input `comment`:", comment, COMMENTS)
    return Inputs(
        base=given("BASE"),
        config=given("CONFIG"),
        waivers=given("WAIVERS"),
        profiles=tuple(line.strip() for line in (given("PROFILE") or "").split("\n") if line.strip()),
        comment=comment,
        sarif=given("SARIF"),
        released=given("RELEASED"),
        next=given("NEXT"),
        proofs=given("PROOFS"),
        token=environment.get(_TOKEN, "").strip(),
        folder=given("WORKING_DIRECTORY") or ".",
    )


def without_token(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for child processes: without the token."""
    return {name: value for name, value in environment.items() if name != _TOKEN}
