"""Parser of XML in files that anybody may have written."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def parse_xml(data: bytes, file: str) -> Element:
    """Return the root element of an XML document.

    Raises:
        InputError: the document is not well-formed, or declares entities, which can expand to any size.
    """
    from xml.etree import ElementTree

    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise InputError(file, "declares entities, which are not read", advice="write the file without a DOCTYPE")
    try:
        return ElementTree.fromstring(data)  # noqa: S314 - without declarations, there is nothing to expand
    except (ElementTree.ParseError, ValueError, LookupError) as error:  # the encoding may be unknown
        raise InputError(file, f"is not XML: {error}", advice="is the file complete?") from None
