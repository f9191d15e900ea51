"""The rules by which op_gen.py makes ops of entries in YAML, read off its text: they drift, and it is not run."""

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
_DECIDING = pattern(
    r"^class OpCompatParser\b.*?(?=^    def parse_infer_meta_map\b)|^ +for op_name in op_info\.op_phi_name:.*?"
    r"(?=^ +# gen op_declare_str)|^( +)for op in op_yaml_items:.*?OpInfoParser\(",
    "sm",
)
"""The parts of op_gen.py that decide what an op declares and what it is called."""
_NAMESPACE = pattern(r"\bir::")
"""What `pir::` was until September 2023."""
_COMMENT = pattern(r"#[^\n]*")


class Rules(Record):
    """The rules of a generator.

    `types` are the attributes of the dialect by the types in YAML, `data_types` the C++ types of Scalars and IntArrays,
    and `by_hand` the ops that it leaves to classes written by hand. The rest tells whether a rule holds.
    `forward_compat`: a grad op without an entry in op_compat.yaml has that of its forward op. `pops_scalars`: pow has
    no mutable attrs. `support_tensor`: an op of the YAML can name its mutable attrs. `needs_tensor`: op_compat.yaml
    makes an attr mutable only if it lets tensors take its place. `optional_intermediates`: an intermediate output is
    optional as well. `optional_inplace`: so is one that takes the place of an optional input. `dispatches`: an op with
    several kernels becomes one op for each. `sparse_suffix`: a sparse op ends in `_sp`. `sparse_scalars`: its Scalars
    can be mutable. `compat_types`: op_compat.yaml says what a Scalar that stays an attr holds. `close` is the type of
    the Scalars of isclose and allclose. `skips_add_n_grad`: there is none.
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


def read(text_of: Callable[[str], str | None], folder: str) -> tuple[Rules, str]:
    """Return the rules of a generator, and a short text that is the same for generators that work alike.

    Args:
        text_of: returns the text of a file of the tree, None where there is none.
        folder: the folder of op_gen.py.

    Raises:
        UnresolvedError: its tables of types are not where they are in any generator that is known.
    """
    script = text_of(f"{folder}/op_gen.py") or ""
    shared = text_of(f"{folder}/gen_utils.py") or ""
    mapping = text_of(f"{_PARSER}type_mapping.py") or ""
    types = _ATTR_TYPES.search(shared) or _ATTR_TYPES.search(script)
    data_types = TYPES.search(mapping)
    if types is None or data_types is None:
        raise UnresolvedError("the types of attrs are not found in the generator", f"{folder}/op_gen.py", 1)
    by_hand = _BY_HAND.search(script)
    packed = re.sub(r"\s+", "", script)
    rules = Rules(
        types={
            name: kind.replace("ir::", "pir::").replace("ppir", "pir") for name, kind in _ATTR_TYPE.findall(types[1])
        },
        data_types=dict(TYPE.findall(data_types[1])),
        by_hand=frozenset(_QUOTED.findall(by_hand[1])) if by_hand else frozenset(),
        forward_compat="get_compat(op['forward']['name'])" in packed,
        pops_scalars="pop('scalar')" in script,
        support_tensor="parse_support_tensor" in script,
        needs_tensor="is_mutable_attribute" in script,
        optional_intermediates="'optional' in output_info or 'intermediate' in output_info" in script,
        optional_inplace="refine_output_optional_list" in script,
        dispatches="len(func_list) == 1" in script,
        sparse_suffix="op_dialect_name_suffix" in script,
        sparse_scalars='andnotself.yaml_file.endswith("sparse_ops.parsed.yaml")' not in packed,
        compat_types='not in ["isclose", "allclose"]' in script,
        close="double" if 'data_type = "double"' in script else "float",
        skips_add_n_grad='key == "add_n_grad"' in script,
    )
    return rules, _fingerprint(script, types[0], data_types[0], by_hand[0] if by_hand else "")


def _fingerprint(script: str, *tables: str) -> str:
    deciding = [match[0] for match in _DECIDING.finditer(_COMMENT.sub("", script))]
    return digest(" ".join(" ".join((*deciding, *tables)).split()))
