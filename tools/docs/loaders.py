"""Measured behaviour of the frameworks' loaders for each rule, with counts, for `generate.py`.

Paddle: 3,690 programs, loaded by 1.8.5, 2.6.2, 3.0.0 and 3.3.1. TensorFlow: 1.15.0, 2.4.4, 2.8.4, 2.12.1 and 2.18.1,
with graphs of one fault each, models of real networks, and 3,042 refused loads of graphs of one
node. TFLite: the interpreters of TensorFlow 1.15.0, 2.4.4, 2.12.1 and 2.18.1 and of LiteRT 1.4.0 and 2.1.2; each op
that one interpreter accepts, in each version, in each other interpreter: 9,975 loads.
"""

from __future__ import annotations

PAIRS = {
    "paddle": (("1.8.5", "2.6.2"), ("2.6.2", "3.0.0")),
    "tensorflow": (("1.15.0", "2.4.4"), ("2.4.4", "2.18.1")),
    "tflite": (("2.4.4", "2.12.1"), ("2.17.1", "2.12.1")),
}
"""The releases between which findings are counted."""

LOADERS = {
    "paddle": ("executor and predictor", "translation to PIR"),
    "tensorflow": ("tf.import_graph_def, and SavedModels",),
    "tflite": ("tflite.Interpreter",),
}
"""The titles of the columns of MEASURED: the loaders."""

_NO_CHECKER = "no checkers: 20 of 34 refused by the kernel, 7 differ"
_VALUE = "refused by the op's checker: 25 of 34; the kernel checks the others"
_ABSENT = "refused: 35 of 35"
_OUTPUT = "ignored: 19 of 19"
_DEMANDED = "refused if it is missing: 101 of 101; not required in control flow"
_FLAG = "not checked"

_PADDLE = {
    "op_removed": ("refused: 19 of 19", "refused, also ops that the executor runs: 155 of 769 have no PIR op"),
    "input_added_not_dispensable": (_DEMANDED, "refused at load"),
    "input_added_dispensable": (
        "not required; the kernel decides: 4 of 10 the same",
        "loads if it is optional in PIR",
    ),
    "input_removed": ("ignored: 34 of 34 the same", "ignored"),
    "dispensable_cleared": (_DEMANDED, "refused at load"),
    "duplicable_cleared": ("the first is used: 12 of 15; the kernel fails: 3", "refused"),
    "output_added_not_dispensable": (
        "refused: 26 of 26; intermediate: fails for 9 ops (such as layer_norm), others load",
        "refused, intermediate or not",
    ),
    "output_removed": (_OUTPUT, "ignored"),
    "intermediate_cleared": ("refused where a model has no such output", "refused where a model has none"),
    "extra_cleared_not_optional": (
        "refused, like an added argument; intermediate: flatten2 as 2.6.2 saves it crashes 3.0.0 and 3.3.1, 24 of 24",
        "refused",
    ),
    "extra_unsaid": ("1.8.5 requires every output: refused, 15 ops of 2.6.2", "-"),
    "attr_removed": (_OUTPUT, "ignored, even if it had an effect"),
    "attr_added_with_default": (
        "the default of the loading release: 17 of 17 the same",
        "BOOLEAN becomes false; most others refused, default or not",
    ),
    "attr_added_without_default": (_ABSENT, "refused, except BOOLEAN, types, places and int64 lists"),
    "attr_default_changed": (
        "affects models without the attr: of 86, 41 differ and 24 fail; savers write the attr, so no model",
        "defaults are not used",
    ),
    "attr_default_removed": (f"{_ABSENT} without the attr; savers write it", "defaults are not used"),
    "attr_type_changed": ("370 of 393 refused, 23 converted", "INT, LONG to BOOLEAN and lists of them converted"),
    "attr_renamed": ("the old name is ignored, the new one absent", "the same"),
    "allowed_values_narrowed": (_VALUE, _NO_CHECKER),
    "minimum_raised": (_VALUE, _NO_CHECKER),
    "maximum_lowered": (_VALUE, _NO_CHECKER),
    "support_tensor_cleared": ("a variable in place of a value: 46 of 46 refused", "treated as absent"),
    "generated_set": (_FLAG, _FLAG),
    "quant_set": (_FLAG, _FLAG),
    "extra_set": ("saved models load; savers no longer write it", "-"),
    "op_version_unregistered": ("no effect: 8 of 10 ops; set_value and assign_value are rewritten", "no effect"),
    "predictor_broadcast_changed": (
        "predictor of 3.x: 210 of 210 programs fail in which it fuses the op with its reader; 291 others load",
        "-",
    ),
}
_TENSORFLOW = {
    "op_removed": ("refused: 2,519 of 2,519 graphs of one node, 208 models; in uncalled functions: loads, 5 of 5",),
    "deprecation_changed": ("refused from the version on: 30 of 30; before it loads: 15 of 15",),
    "attr_removed": (
        "up to 2.4 refused, 385 graphs and 137 models, at its default 0 of 15; from 2.8 on ignored, 45 of 45",
    ),
    "attr_default_changed": ("loads with the default of the loading release: 15 of 15, no loader checks it",),
    "attr_default_removed": ("refused: 10 of 10 graphs of one node, 30 of 30 with one fault",),
    "attr_added_with_default": ("loads, in functions too: 25 of 25",),
    "attr_added_without_default": ("refused: 30 of 30",),
    "attr_type_changed": ("refused, nothing is converted: 35 of 35",),
    "allowed_values_narrowed": ("refused: 128 of 128 graphs of one node, 15 of 15 with one fault",),
    "minimum_raised": ("refused: 10 of 10",),
    "input_added_not_dispensable": ("refused: 15 of 15",),
    "input_removed": ("refused: 15 of 15",),
    "argument_type_changed": ("refused: 15 of 15",),
    "input_ref_set": ("refused: 5 of 5",),
    "output_removed": ("refused where it is read: 15 of 15",),
    "output_added_not_dispensable": ("an existing index loads; so an output added at the end stops nothing",),
    "output_renamed": ("main graph: by number, loads; body of a function: refused, in 2.4.4 and 2.18.1",),
    "argument_name_changed": ("not checked",),
    "min_consumer_raised": ("refused above the consumer's version: 15 of 15; SavedModels of functions: not checked",),
    "graph_version_lowered": ("a producer of the future loads: 35 of 35",),
    "op_flag_set": ("not checked",),
}
_NOT_IN_A_RUNTIME = ("not checked: no runtime contains this file",)
_TFLITE = {
    "op_removed": ("refused: 498 of 498",),
    "max_version_lowered": ("refused above the new maximum: 1,059 of 1,059; loads up to it: 1,584 of 1,584",),
    "max_version_raised": ("loads: 1,584 of 1,584",),
    "min_version_raised": ("refused below the minimum: version 1 of BROADCAST_TO by 4 of 4 runtimes",),
    "enum_value_removed": (
        "in an option, refused for TensorType and 3 other enums: 13 of 14 options; loads for the others: 35 of 35",
    ),
    "reference_kernel_lost": ("not checked: the optimized kernels are loaded",),
    "reference_kernel_behind": ("not checked: the optimized kernels are loaded",),
    **dict.fromkeys(
        (
            "versioning_changed",
            "version_skipped",
            "converter_version_lost",
            "converter_version_refused",
            "kernel_version_unwritten",
            "runtime_row_changed",
            "runtime_row_missing",
            "runtime_row_refuted",
            "runtime_row_removed",
            "runtime_row_too_old",
            "runtime_row_without_kernel",
        ),
        _NOT_IN_A_RUNTIME,
    ),
}
MEASURED = {"paddle": _PADDLE, "tensorflow": _TENSORFLOW, "tflite": _TFLITE}
"""By framework and rule, what each loader does."""

_NEWER_TYPE = "an option is a TensorType that the older schema lacks; `check` of the two schemas reports it"
SOUND = {
    "paddle": (
        ("1.8.5", "2.6.2", 3386, 0, ""),
        (
            "2.6.2",
            "3.0.0",
            4030,
            6,
            "an extra attr that is set, as savers never do, is read as its default value",
        ),
        ("2.6.2", "1.8.5", 1863, 1, "the same"),
    ),
    "tensorflow": (
        ("1.15.0", "2.4.4", 4973, 2, "the shape function of XlaEinsum looks at the value of `equation`"),
        (
            "2.4.4",
            "2.18.1",
            4921,
            4,
            "the shape functions of AudioSpectrogram and MaxPoolV2 look at values of attrs",
        ),
        ("2.18.1", "2.4.4", 3171, 1, "2.4.4 crashes in the shape function of TPUPartitionedInput"),
    ),
    "tflite": (
        ("TensorFlow 2.4.4", "TensorFlow 2.12.1", 2000, 0, ""),
        ("TensorFlow 2.4.4", "LiteRT 2.1.2", 2000, 0, ""),
        ("TensorFlow 2.12.1", "TensorFlow 2.18.1", 2000, 0, ""),
        ("LiteRT 1.4.0", "LiteRT 2.1.2", 2000, 0, ""),
        ("TensorFlow 2.12.1", "TensorFlow 2.4.4", 1151, 3, _NEWER_TYPE),
        ("LiteRT 2.1.2", "LiteRT 1.4.0", 1805, 12, _NEWER_TYPE),
        ("LiteRT 2.1.2", "TensorFlow 2.18.1", 1790, 12, _NEWER_TYPE),
    ),
}
"""Base, head; of the models of DRAWN those whose op has no finding worse than a note, those that break, and why."""

DRAWN = {"paddle": 5000, "tensorflow": 5000, "tflite": 2000}
"""How many models were drawn that their own release loads."""

PROVED = {
    "paddle": (
        (
            ("1.8.5", "2.6.2", (70, 75), (61, 0)),
            ("2.6.2", "3.0.0", (147, 4), (138, 0)),
            ("2.6.2", "1.8.5", (443, 4), (426, 0)),
        ),
        (
            "Refuted are attrs such as `use_mkldnn`, which make no difference, and types of attrs that are "
            "converted. The others are not provable: most need inputs that a model of one op does not have, or a GPU; "
            "the predictor was not run."
        ),
    ),
    "tensorflow": (
        (("1.15.0", "2.4.4", (13, 0), (13, 0)), ("2.4.4", "2.18.1", (42, 0), (42, 0))),
        "One removal of an attr is not provable: no kernel of the CPU runs `_XlaHostComputeMlir`.",
    ),
    "tflite": (
        (
            ("TensorFlow 2.12.1", "TensorFlow 2.4.4", (63, 0), (63, 0)),
            ("TensorFlow 2.18.1", "TensorFlow 2.12.1", (48, 0), (48, 0)),
            ("LiteRT 2.1.2", "LiteRT 1.4.0", (13, 0), (13, 0)),
        ),
        (
            "Findings about reference kernels are not provable with an interpreter, and neither are removals of 33 ops "
            "for which TensorFlow 2.18.1 has no kernel."
        ),
    ),
}
"""Base, head; of the errors of the published table and of `saved-model` those that `prove` confirmed and refuted."""

_STOPPED = "stopped_models"
FORETOLD = {
    "paddle": (206, 194, "checks of kernels on a shape, a value or a type, which no spec contains", _STOPPED),
    "tensorflow": (3387, 3387, "", _STOPPED),
    "tflite": (1557, 1557, "", "drawn_models"),
}
"""Loads that another release refused or crashed on, those that `saved-model` predicts, what the others are, counter.
"""
