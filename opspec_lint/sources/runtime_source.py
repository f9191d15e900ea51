"""Sources that read an installed framework: a probe runs in the interpreter that has it, and answers with its contract.

The probe is the file `_runtime_probe.py` beside the module of the source. It defines `probe`, may use what
`probe_tools` defines, and otherwise needs only the standard library of the Python of that interpreter.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SPEC_ANSWER: Mapping[str, tuple[type, ...]] = {
    "version": (str,),
    "binding": (str,),
    "loading": (dict,),
    "knows": (dict,),
    "ops": (dict,),
}
"""The answer of a probe that makes the parts of a spec file itself: the version of the framework, and those parts."""


def runtime_source(  # noqa: PLR0913 - each is a part of the query or of a message
    framework: str,
    *,
    title: str,
    package: str,
    requirement: str,
    file: str,
    needed: Callable[[], str] = str,
    answer: Mapping[str, tuple[type, ...]] = SPEC_ANSWER,
    spec_of: Callable[[dict[str, Any], str], Spec] | None = None,
) -> Source:
    """Return the source `FRAMEWORK-runtime`, which reads the framework of an interpreter.

    Args:
        framework: the framework.
        title: its usual name, for messages.
        package: the Python package to import.
        requirement: the project to install.
        file: the file of the module of the source, `__file__`, which `_runtime_probe.py` is beside.
        needed: returns a text that precedes the probe.
        answer: the keys of the probe's answer, with the types that their values may have.
        spec_of: returns the spec of an answer and the name of the source. A LookupError, TypeError, ValueError or
            AttributeError in it means that the answer is malformed. Without it, the answer has the parts of a spec
            file, and is validated as one.
    """
    scheme = f"{framework}-runtime"

    def extract(argument: str, reading: Reading) -> Spec:
        # At the first use: a source is declared in many runs that read nothing by it.
        from opspec_lint.sources.interpreter import Query, run_query

        query = Query(
            scheme=scheme,
            title=title,
            name=package,
            requirement=requirement,
            source=file,
            needed=needed(),
            answer=answer,
        )
        given = run_query(query, argument, reading.environment)
        name = f"{scheme}:{argument}" if argument else scheme
        return _spec_of_parts(given, framework, name) if spec_of is None else _converted(spec_of, given, name, title)

    return Source(
        summary=f"the {title} installed here, or that of another interpreter: {scheme}:PYTHON",
        extract=extract,
        runs_code=True,
    )


def _converted(spec_of: Callable[[dict[str, Any], str], Spec], answer: dict[str, Any], name: str, title: str) -> Spec:
    """Return the spec that `spec_of` makes of an answer.

    Raises:
        InputError: the answer is malformed, which only an interpreter with a modified framework gives.
    """
    try:
        return spec_of(answer, name)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        advice = f"name an interpreter with an unmodified {title}"
        raise InputError(name, "returned malformed data", advice=advice) from error


def _spec_of_parts(answer: dict[str, Any], framework: str, name: str) -> Spec:
    """Return the spec of an answer that has the parts of a spec file.

    Raises:
        InputError: the parts are no valid spec; the message names the first fault.
    """
    from opspec_lint.documents.decode import Document
    from opspec_lint.sources.recognise import spec_of
    from opspec_lint.spec.canonical import VERSION

    provenance = {"framework": framework, "version": answer.pop("version"), "made_by": f"{framework}-runtime"}
    return spec_of(Document(file=name, value={"opspec": VERSION, "provenance": provenance, **answer}))
