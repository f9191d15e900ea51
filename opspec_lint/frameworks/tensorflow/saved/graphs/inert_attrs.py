"""Attrs that do not affect results in a single process, so that a release which ignores them computes the same.

These are attrs that TensorFlow added after 1.15. Source: their documentation in the op registrations, and the kernels.
"""

from __future__ import annotations

INERT = frozenset(
    (
        # names for messages, profiles and logs
        "debug_name",
        "log_warning",
        "metadata",
        # hints of how fast: threads, buffers, budgets
        "buffer_size_min",
        "force_synchronous",
        "legacy_autotune",
        "parallel_copy",
        "ram_budget",
        "use_default_device",
        "use_unbounded_threadpool",
        # placement and communication of several processes or devices
        "allowed_devices",
        "communication_hint",
        "replicate_on_split",
        "timeout_seconds",
        # marks for passes that compile or quantize
        "grad_a",
        "grad_b",
        "grad_x",
        "grad_y",
        "is_stateless",
        # a check of the value that is assigned, which a model that ran has passed
        "validate_shape",
    )
)
