"""The specs that the examples of rules stand for: ops in a notation, what a model's callers call, or a schema."""

from __future__ import annotations

import re

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

_SCHEMA = re.compile(r"(?:namespace|table|struct|enum|union|root_type)\s+\w")
"""How the examples begin that are schemas. In the notation, a bracket follows the first name."""


def is_schema(text: str) -> bool:
    """Tell whether an example is a FlatBuffers schema."""
    return _SCHEMA.match(text) is not None


def is_interface(text: str) -> bool:
    """Tell whether an example is what callers of a saved model call."""
    from opspec_lint.spec.interface import notation

    return notation.BEGIN.match(text) is not None


def parse(text: str, *, framework: str = "any", binding: str | None = None) -> Spec:
    """Return the spec of one side of an example.

    Args:
        text: the side.
        framework: what the spec is to be of.
        binding: that of ops in the notation; None stands for a signature where any has types, else by name.

    Raises:
        NotationError: it is neither in one of the notations nor a schema.
    """
    from opspec_lint.spec.interface import notation
    from opspec_lint.spec.notation import NotationError, parse_spec

    if is_interface(text):
        try:
            return notation.parse_spec(text)
        except ValueError as error:
            raise NotationError(str(error)) from None
    if not is_schema(text):
        return parse_spec(text, framework=framework, binding=binding)
    from opspec_lint.documents.fbs.resolve import read_schema
    from opspec_lint.sources.declared import spec_of

    try:
        return spec_of(read_schema(text.encode(), "example"), "example", framework)
    except InputError as error:
        raise NotationError(error.message) from None
