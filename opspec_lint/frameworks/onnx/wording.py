"""The texts of general rules in the terms of ONNX, where a published version of an op never changes."""

from __future__ import annotations

from opspec_lint.lint.wording import Wording

_NEW_VERSION = Wording(
    instead="Leave the published schema as it is. Add a new version of the op with the next opset.",
    advice="add a new version of the op with the next opset, and leave '{op}' as it is published",
)
_ALIKE = (
    "The names are similar and the types equal, or each is the only candidate for the other. The confidence states how "
    "certain the match is."
)
_POSITION = (
    "A node lists its inputs and outputs by position, so that the ones behind it shift, or a node has more than the "
    "schema allows."
)


def _added(kind: str, *, is_optional: bool) -> Wording:
    """Return the texts for an input or output that was added."""
    how = "optional" if is_optional else "required"
    more = {} if is_optional else {"why": f"An existing node does not have the {kind}, and is refused."}
    return _NEW_VERSION.replace(
        title=f"An {how} {kind} was added" if is_optional else f"A {how} {kind} was added",
        flags=f"An {kind} that only head's schema has, and that is {how if is_optional else 'not optional'}.",
        message=f"the {how} {kind} '{{name}}' was added",
        **more,
    )


def _changed(title: str, flags: str, why: str, message: str, witness: str) -> Wording:
    """Return the texts for a change that needs a new version of the op."""
    return _NEW_VERSION.replace(title=title, flags=flags, why=why, message=message, witness=witness)


WORDING = {
    **dict.fromkeys(
        (
            *("argument_order_changed", "argument_type_changed", "attr_default_added", "attr_default_changed"),
            *("attr_default_removed", "attr_removed", "attr_type_changed"),
        ),
        _NEW_VERSION,
    ),
    "attr_added_with_default": _changed(
        "An attribute was added that may be omitted",
        "An attribute that only head's schema has, and that is not required.",
        "No existing model breaks. A model of head that states it is refused by an older release.",
        "the optional attribute '{name}' was added",
        "a new model with a node of '{op}' that states '{name}' is refused by an older release",
    ),
    "attr_added_without_default": _changed(
        "A required attribute was added",
        "An attribute that only head's schema has, and that is required.",
        "An existing node does not have it, and is refused.",
        "the required attribute '{name}' was added",
        "an existing model with a node of '{op}' does not state '{name}', and is refused",
    ),
    "attr_renamed": _NEW_VERSION.replace(
        flags=f"An attribute of base that head does not have, and a new one. {_ALIKE}"
    ),
    "dispensable_set": _changed(
        "An input or output became optional",
        "An input or output that is optional in head and not in base.",
        "No existing model breaks. A model of head may omit it, and an older release refuses such a model.",
        "the {kind} '{name}' became optional",
        "a new model that omits the {kind} '{name}' of '{op}' is refused by an older release",
    ),
    "dispensable_cleared": _changed(
        "An input or output is no longer optional",
        "An input or output that is optional in base and not in head.",
        "An existing model may omit it, and is refused.",
        "the {kind} '{name}' is no longer optional",
        "an existing model that omits the {kind} '{name}' of '{op}' is refused",
    ),
    "duplicable_set": _changed(
        "An input or output became variadic",
        "An input or output that may be several tensors in head and is one in base.",
        "No existing model breaks. A model of head may have several tensors, which an older release refuses.",
        "the {kind} '{name}' became variadic",
        "a new model with several tensors for '{name}' of '{op}' is refused by an older release",
    ),
    "duplicable_cleared": _changed(
        "An input or output is no longer variadic",
        "An input or output that may be several tensors in base and is one in head.",
        "An existing model may have several tensors there, and is refused.",
        "the {kind} '{name}' is no longer variadic",
        "an existing model with several tensors for '{name}' of '{op}' is refused",
    ),
    **{
        f"{kind}_{event}": texts
        for kind in ("input", "output")
        for event, texts in (
            ("added_dispensable", _added(kind, is_optional=True)),
            ("added_not_dispensable", _added(kind, is_optional=False)),
            ("removed", _NEW_VERSION.replace(why=_POSITION)),
            (
                "renamed",
                _NEW_VERSION.replace(flags=f"An {kind} of base that head does not have, and a new one. {_ALIKE}"),
            ),
            (
                "moved",
                _NEW_VERSION.replace(flags=f"An {kind} of base that is of the other kind in head.", why=_POSITION),
            ),
        )
    },
}
