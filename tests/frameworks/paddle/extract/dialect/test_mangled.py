"""Names of C++ functions in a library."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.dialect.mangled import demangle

STRING = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>"


@pytest.mark.parametrize(
    ("name", "function", "types"),
    [
        ("_Z1fv", "f", []),
        ("_Z3addif", "add", ["int", "float"]),
        ("_ZN1a1b1fEbdl", "a::b::f", ["bool", "double", "long"]),
        ("_ZN1a1fERKN1b1VES3_S1_", "a::f", ["b::V const&", "b::V const&", "b::V"]),
        ("_ZN1a1fERKNS_8optionalIN1b1VEEES5_", "a::f", ["a::optional<b::V> const&", "a::optional<b::V> const&"]),
        (
            "_ZN1a1fERKSt6vectorIN1b1VESaIS2_EERKN1a8optionalIS2_EE",
            "a::f",
            ["std::vector<b::V, std::allocator<b::V>> const&", "a::optional<b::V> const&"],
        ),
        ("_ZN1a1fERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEi", "a::f", [f"{STRING} const&", "int"]),
        ("_ZN1a1fEPKcOSs", "a::f", ["char const*", "std::string&&"]),
    ],
)
def test_parameters_are_those_of_the_declaration(name, function, types):
    assert demangle(name) == (function, types)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "f",
        "_Z",
        "_ZN",
        "_ZN1a1fES",
        "_ZN1a1fES9_",
        "_ZN1a1fEIiE",
        "_Z9f",
        "_ZN1a1fERK",
        "_Z1f!",
        "_Z1f" + "R" * 9000,
    ],
)
def test_what_is_no_such_name_is_refused(name):
    with pytest.raises(ValueError, match=name[:10].replace("!", ".") or "^$"):
        demangle(name)
