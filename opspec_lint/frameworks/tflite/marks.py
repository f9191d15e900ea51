"""The marks of source trees of LiteRT, and of TensorFlow, which has TensorFlow Lite."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tflite.extract.layout import PLACES
from opspec_lint.sources.marks import TreeMark

MARKS = {
    "tflite-source": TreeMark(
        path=r"((?:[^/]+/)*?)(?:tensorflow/lite|tflite)/(?:core/)?kernels/register\.cc$",
        contracts=f"(?:[^/]+/)*?(?:{'|'.join(map(re.escape, PLACES['schema']))})$",
    ),
}
