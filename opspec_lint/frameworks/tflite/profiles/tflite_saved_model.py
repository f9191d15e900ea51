"""The policy for saved models in TensorFlow Lite's interpreter.

The interpreter looks up every operator code of a model, used or not, and refuses a version below the least or above the
greatest of its kernel. It reads the bytes by head's schema. An error is a model of base's converter that is refused,
misread, or loses data. A change that only new models on an old runtime notice is a note. Disagreements between files of
a source tree are off, as they do not concern the interpreter.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.profiles.tflite import PROFILE as TFLITE

PROFILE = TFLITE.replace(
    summary="what stops a saved model in TensorFlow Lite's interpreter",
    levels={
        **TFLITE.levels,
        **dict.fromkeys(
            ("slot_key_cleared", "slot_required_cleared", "slot_string_to_bytes", "file_identifier_removed"), "note"
        ),
        **dict.fromkeys(
            (
                "converter_version_lost",
                "converter_version_refused",
                "delegate_unchecked",
                "kernel_version_unwritten",
                "options_table_changed",
                "parameter_read",
                "parameter_stored",
                "parameter_unread",
                "parameter_unstored",
                "parameter_unversioned",
                "parameter_version_untrue",
                "reference_kernel_behind",
                "reference_kernel_lost",
                "runtime_row_changed",
                "runtime_row_missing",
                "runtime_row_refuted",
                "runtime_row_removed",
                "runtime_row_too_old",
                "runtime_row_without_kernel",
                "runtime_rows_apart",
                "version_skipped",
                "version_widened",
                "versioning_changed",
            ),
            "off",
        ),
    },
    default_for=(),
)
