"""What a spec of PyTorch can tell: native_functions.yaml has no op of TorchScript's own, and none of an extension."""

from __future__ import annotations

from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

REMEDY = "name a spec of a wheel (`pytorch-wheel:FILE`) or of an installed release (`pytorch-runtime:PYTHON`)"
_OWN = frozenset(("aten", "prim", "prims", "quantized", "sparse", "mkldnn", "mkl", "profiler", "inductor"))
"""Namespaces of PyTorch itself, which only an installed release may know."""
_PRIMITIVES = "prim"
"""The namespace that every runtime has, and no native_functions.yaml."""
_OF_TORCHSCRIPT = frozenset(
    """
    Bool Complex ComplexImplicit Delete Float FloatImplicit Generator Int IntImplicit ScalarImplicit Size
    __contains__ __derive_index __getitem__ __interpolate __is__ __isnot__ __not__ __range_length
    __round_to_zero_floordiv __upsample __upsample_bilinear __upsample_nearest _get_cpu_capability
    _get_tracing_state _grad_sum_to_size _infer_size _list_to_tensor _ncf_unsqueeze _ncf_view
    _no_grad_embedding_renorm_ _no_grad_fill_ _no_grad_normal_ _no_grad_uniform_ _no_grad_zero_ _pack_sequence
    _set_item _size_if_not_equal _tensor_to_list _unwrap_optional append as_tensor backward bin broadcast_shapes
    capitalize center chr clear confirmed_by_owner count cpu cuda degrees device dict dist_backward divmod
    element_size endswith expandtabs extend fabs factorial find floordiv format gamma get get_autocast_dtype
    get_gradients grad has_torch_function hash hex initial_seed insert is_autocast_cpu_enabled
    is_autocast_enabled is_grad_enabled is_non_overlapping_and_dense is_owner is_scripting
    is_strides_like_format isalnum isalpha isdecimal isdigit isidentifier islower isnumeric isprintable isspace
    istitle isupper items join keys len list ljust local_value lower lstrip manual_seed mathremainder modf oct
    ord owner owner_name partition percentFormat pop popitem quantized_gru quantized_lstm radians remove replace
    reverse rfind rindex rjust rpartition rsplit rstrip save seed set_grad_enabled setdefault sorted splitlines
    startswith str strip swapcase tensor title to_here update upper wait warn zfill
    """.split()  # noqa: SIM905 - a list would have a line for each
)
"""Ops of `aten` that TorchScript registers itself, on values of Python."""


def is_unknown_namespace(spec: Spec, namespace: str) -> bool:
    """Tell whether a spec has no op of a namespace, so that it cannot tell whether the release has one."""
    begin = f"{namespace}::"
    return not any(name.startswith(begin) for name in spec.ops)


def of_extension(op: str, namespace: str) -> Fact:
    """Return the fault of an op of a namespace that a spec has no op of: an extension registers it, or the release."""
    problem = f"the spec has no op of '{namespace}', which '{op}' is of"
    remedy = (
        f"import the extension that registers '{namespace}' before you load the model, and add its ops to the release: "
        f"`--library SPEC`, with a dump of its schemas, `pytorch-source:DIR` or `pytorch-runtime:PYTHON,MODULE`"
    )
    return not_judged(op, problem, REMEDY if namespace in _OWN else remedy, op=op)


def knows_torchscript(spec: Spec) -> bool:
    """Tell whether a spec has the ops that TorchScript registers itself."""
    return not is_unknown_namespace(spec, _PRIMITIVES)


def may_be_torchscript(op: str) -> bool:
    """Tell whether an op may be one that TorchScript registers itself."""
    namespace, _, name = op.partition("::")
    return namespace == _PRIMITIVES or name in _OF_TORCHSCRIPT
