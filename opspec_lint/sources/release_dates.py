"""When the releases came out whose specs opspec-lint contains: the day on which the package index got the first wheel.

The releases of TFLite are those of the TensorFlow that contains it.
"""

from __future__ import annotations

_DATES = {
    "litert@2.1.2": "2026-01-28",
    "onnx@1.12.0": "2022-06-18",
    "onnx@1.16.2": "2024-08-01",
    "onnx@1.19.1": "2025-10-10",
    "onnx@1.23.2": "2026-10-06",
    "onnxruntime@1.16.3": "2023-11-20",
    "onnxruntime@1.23.2": "2025-10-22",
    "onnxruntime@1.32.0": "2026-11-13",
    "paddle@1.8.5": "2020-09-28",
    "paddle@2.6.2": "2024-09-13",
    "paddle@3.0.0": "2025-03-26",
    "paddle@3.3.1": "2026-03-24",
    "paddle-pir@3.0.0": "2025-03-26",
    "paddle-pir@3.3.1": "2026-03-24",
    "pytorch@2.4.1": "2024-09-04",
    "pytorch@2.13.0": "2026-07-08",
    "tensorflow@1.15.0": "2019-10-16",
    "tensorflow@2.4.4": "2021-11-01",
    "tensorflow@2.8.4": "2022-11-16",
    "tensorflow@2.12.1": "2023-07-05",
    "tensorflow@2.15.1": "2024-03-08",
    "tensorflow@2.18.1": "2025-03-12",
    "tflite@2.4.4": "2021-11-01",
    "tflite@2.12.1": "2023-07-05",
    "tflite@2.17.1": "2024-10-24",
}


def date_of(name: str) -> str | None:
    """Return the day on which a release came out, as YYYY-MM-DD; None for one that is not known."""
    return _DATES.get(name)
