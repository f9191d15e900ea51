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
_HEADER = '#include "paddle/fluid/framework/op_version_registry.h"'
_VERSION_STUBS = """
namespace paddle { namespace framework { namespace compatible {
struct OpVersionDesc {
  template <typename T> OpVersionDesc& NewAttr(const std::string&, const std::string&, const T&) { return *this; }
  template <typename T> OpVersionDesc& ModifyAttr(const std::string&, const std::string&, const T&) { return *this; }
  OpVersionDesc& DeleteAttr(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& NewInput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& NewOutput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& DeleteInput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& DeleteOutput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& ModifyInput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& ModifyOutput(const std::string&, const std::string&) { return *this; }
  OpVersionDesc& BugfixWithBehaviorChanged(const std::string&) { return *this; }
};
struct OpVersion { OpVersion& AddCheckpoint(const std::string&, const OpVersionDesc&) { return *this; } };
OpVersion& Register(const char*);
}}}
#define REGISTER_OP_VERSION(op) \\
  static paddle::framework::compatible::OpVersion& version_of_##op = paddle::framework::compatible::Register(#op)
"""
"""The stubs of the header of op versions, for a file that includes it."""
_VERSIONS = re.compile(
    r'^REGISTER_OP_VERSION\(\w+\)(?:[^;"R]|R"ROC\(.*?\)ROC"|R|"(?:[^"\\]|\\.)*")*;', re.MULTILINE | re.DOTALL
)
_MAKER = re.compile(r"\bvoid\s+(?:\w+::)?Make\s*\(\s*\)[^;{}]*\{")


def is_worse(base: str, repaired: str, language: str) -> bool:
    """Tell whether a repaired file has more errors than the one of base, or cannot be parsed."""
    if language == "fbs":
        return False  # the check of the repaired file reads it as flatc does
    if language in ("yaml", "compat"):
        try:
            yaml.load(repaired, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - it is a safe one
        except yaml.YAMLError:
            return True
        return False
    return _count_errors(repaired) > _count_errors(base)


def _count_errors(text: str) -> int:
    """Return the number of errors in the methods `Make` and the op versions; names that stubs lack are errors too."""
    bodies = [_VERSION_STUBS if _HEADER in text else "", *(f"{match[0]}\n" for match in _VERSIONS.finditer(text))]
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
