"""The gaps of a spec of PyTorch: native_functions.yaml lacks the ops of TorchScript itself and of extensions."""

from __future__ import annotations

from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

REMEDY = "name a spec of a wheel (`pytorch-wheel:FILE`) or of an installed release (`pytorch-runtime:PYTHON`)"
_PYTORCH_NAMESPACES = frozenset(
    ("aten", "prim", "prims", "quantized", "sparse", "mkldnn", "mkl", "profiler", "inductor")
)
"""Namespaces of PyTorch itself, which only an installed release may know."""
_PRIMITIVE_NAMESPACE = "prim"
"""A namespace of which every runtime has ops, and no native_functions.yaml."""
_TORCHSCRIPT_OPS = frozenset(
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
"""Names of ops that TorchScript registers itself, on values such as int, str and list."""


def is_unknown_namespace(spec: Spec, namespace: str) -> bool:
    """Return whether a spec has no op of a namespace, so that an op there may exist in the release."""
    begin = f"{namespace}::"
    return not any(name.startswith(begin) for name in spec.ops)


def unknown_namespace_fault(op: str, namespace: str) -> Fact:
    """Return the fact that an op cannot be judged, as the spec has no op of its namespace."""
    problem = f"the spec has no op of '{namespace}', which '{op}' is of"
    remedy = (
        f"import the extension that registers '{namespace}' before you load the model, and add its ops to the release: "
        f"`--library SPEC`, with a dump of its schemas, `pytorch-source:DIR` or `pytorch-runtime:PYTHON,MODULE`"
    )
    return not_judged(op, problem, REMEDY if namespace in _PYTORCH_NAMESPACES else remedy, op=op)


def knows_torchscript(spec: Spec) -> bool:
    """Return whether a spec has the ops that TorchScript registers itself."""
    return not is_unknown_namespace(spec, _PRIMITIVE_NAMESPACE)


def may_be_torchscript(op: str) -> bool:
    """Return whether an op may be one that TorchScript registers itself."""
    namespace, _, name = op.partition("::")
    return namespace == _PRIMITIVE_NAMESPACE or name in _TORCHSCRIPT_OPS
