"""The rules of op_gen.py, which makes ops from YAML entries; they are read from its text, and it is not run."""

from __future__ import annotations

import re

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.declarations import digest
from opspec_lint.frameworks.paddle.extract.yaml.generator import TYPE, TYPES
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SCRIPTS = ("op_gen.py", "gen_utils.py")
_PARSER = "paddle/fluid/operators/generator/"
PARSER_SCRIPTS = (f"{_PARSER}type_mapping.py",)
_ATTR_TYPES = pattern(r"attr_types_map\s*=\s*\{(.*?)\n\s*\}", "s")
_ATTR_TYPE = pattern(r"'([^']+)'\s*:\s*\[\s*'([^']+)'")
_BY_HAND = pattern(r"^(?:PD_MANUAL_OP_LIST|_NO_NEED_GEN_OPS)\s*=\s*\{(.*?)\}", "sm")
_QUOTED = pattern(r"[\"'](\w+)[\"']")
_RELEVANT_CODE = pattern(
    r"^class OpCompatParser\b.*?(?=^    def parse_infer_meta_map\b)|^ +for op_name in op_info\.op_phi_name:.*?"
    r"(?=^ +# gen op_declare_str)|^( +)for op in op_yaml_items:.*?OpInfoParser\(",
    "sm",
)
"""The parts of op_gen.py that decide the declaration and the name of an op."""
_NAMESPACE = pattern(r"\bir::")
"""The namespace `pir::` before September 2023."""
_COMMENT = pattern(r"#[^\n]*")


class DialectRules(Record):
    """The rules of a generator of PIR ops.

    `types` are the attribute types of the dialect by types in YAML, `data_types` the C++ types of Scalars and
    IntArrays, `by_hand` the ops with hand-written classes, `close` the type of the Scalars of isclose and allclose. The
    others are flags of rules that came or went:
    - `forward_compat`: a gradient without an entry in op_compat.yaml uses the entry of its forward op
    - `pops_scalars`: pow has no mutable attrs
    - `support_tensor`: the YAML entry of an op can name its mutable attrs
    - `needs_tensor`: op_compat.yaml makes an attr mutable only if tensors can replace it
    - `optional_intermediates`: an intermediate output is optional too
    - `optional_inplace`: an output is optional too if it reuses the memory of an optional input
    - `dispatches`: an op with several kernels becomes one op for each
    - `sparse_suffix`: a sparse op ends in `_sp`
    - `sparse_scalars`: the Scalars of sparse ops can be mutable
    - `compat_types`: op_compat.yaml states the type of a Scalar that stays an attr
    - `skips_add_n_grad`: add_n_grad is not made
    """

    types: Mapping[str, str]
    data_types: Mapping[str, str]
    by_hand: frozenset[str]
    forward_compat: bool
    pops_scalars: bool
    support_tensor: bool
    needs_tensor: bool
    optional_intermediates: bool
    optional_inplace: bool
    dispatches: bool
    sparse_suffix: bool
    sparse_scalars: bool
    compat_types: bool
    close: str
    skips_add_n_grad: bool


def read(text_of: Callable[[str], str | None], folder: str) -> tuple[DialectRules, str]:
    """Return the rules of a generator, and a fingerprint that is equal for generators that work alike.

    Raises UnresolvedError if its tables of types are in no known place.
    """
    script = text_of(f"{folder}/op_gen.py") or ""
    shared = text_of(f"{folder}/gen_utils.py") or ""
    mapping = text_of(f"{_PARSER}type_mapping.py") or ""
    types = _ATTR_TYPES.search(shared) or _ATTR_TYPES.search(script)
    data_types = TYPES.search(mapping)
    if types is None or data_types is None:
        raise UnresolvedError("the types of attrs are not found in the generator", f"{folder}/op_gen.py", 1)
    by_hand = _BY_HAND.search(script)
    compact_script = re.sub(r"\s+", "", script)
    # Each rule is recognised by the code that came with it; `known_generators.py` lists the generators for which the
    # result was compared with the generated ops.
    rules = DialectRules(
        types={name: _NAMESPACE.sub("pir::", kind) for name, kind in _ATTR_TYPE.findall(types[1])},
        data_types=dict(TYPE.findall(data_types[1])),
        by_hand=frozenset(_QUOTED.findall(by_hand[1])) if by_hand else frozenset(),
        forward_compat="get_compat(op['forward']['name'])" in compact_script,
        pops_scalars="pop('scalar')" in script,
        support_tensor="parse_support_tensor" in script,
        needs_tensor="is_mutable_attribute" in script,
        optional_intermediates="'optional' in output_info or 'intermediate' in output_info" in script,
        optional_inplace="refine_output_optional_list" in script,
        dispatches="len(func_list) == 1" in script,
        sparse_suffix="op_dialect_name_suffix" in script,
        sparse_scalars='andnotself.yaml_file.endswith("sparse_ops.parsed.yaml")' not in compact_script,
        compat_types='not in ["isclose", "allclose"]' in script,
        close="double" if 'data_type = "double"' in script else "float",
        skips_add_n_grad='key == "add_n_grad"' in script,
    )
    return rules, _fingerprint(script, types[0], data_types[0], by_hand[0] if by_hand else "")


def _fingerprint(script: str, *tables: str) -> str:
    """Return a hash of the relevant code and the tables, without comments and blank space."""
    relevant = [match[0] for match in _RELEVANT_CODE.finditer(_COMMENT.sub("", script))]
    return digest(" ".join(" ".join((*relevant, *tables)).split()))
