"""Syntax check of repaired files: makers by `g++ -fsyntax-only` against stub headers, entries by a YAML parser."""

from __future__ import annotations

import re
import subprocess
import sys

import yaml

_STUBS = """#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>
template <typename T> struct Attr {
  Attr& SetDefault(const T&) { return *this; }
  Attr& AsExtra() { return *this; }
  Attr& AsQuant() { return *this; }
  Attr& SupportTensor() { return *this; }
  Attr& InEnum(std::initializer_list<T>) { return *this; }
  Attr& EqualGreaterThan(const T&) { return *this; }
  Attr& GreaterThan(const T&) { return *this; }
  template <typename F> Attr& AddCustomChecker(F) { return *this; }
};
struct Variable {
  Variable& AsDispensable() { return *this; }
  Variable& AsDuplicable() { return *this; }
  Variable& AsIntermediate() { return *this; }
  Variable& AsExtra() { return *this; }
  Variable& AsQuant() { return *this; }
};
struct OpProtoAndCheckerMaker {
  Variable AddInput(const char*, const char*);
  Variable AddOutput(const char*, const char*);
  template <typename T> Attr<T> AddAttr(const char*, const char*);
  void AddComment(const char*);
};
"""
_MAKER = re.compile(r"\bvoid\s+(?:\w+::)?Make\s*\(\s*\)[^;{}]*\{")


def is_worse(base: str, repaired: str, language: str) -> bool:
    """Tell whether a repaired file has more errors than the one of base, or cannot be parsed."""
    if language == "yaml":
        try:
            yaml.load(repaired, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - it is a safe one
        except yaml.YAMLError:
            return True
        return False
    return _count_errors(repaired) > _count_errors(base)


def _count_errors(text: str) -> int:
    """Return the number of errors in the methods `Make` of a file; names that the stubs lack are errors as well."""
    bodies = []
    for number, match in enumerate(_MAKER.finditer(text)):
        depth, at = 1, match.end()
        while at < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        bodies.append(f"struct M{number} : OpProtoAndCheckerMaker {{ void Make() {{{text[match.end() : at]} }};\n")
    command = ["g++", "-std=c++17", "-fsyntax-only", "-fmax-errors=0", "-x", "c++", "-"]
    done = subprocess.run(command, input=_STUBS + "".join(bodies), capture_output=True, text=True, check=False)
    if not done.stderr and done.returncode:
        sys.exit("g++ ended with an error that it does not explain")
    return len(re.findall(r": (?:fatal )?error: ", done.stderr))
