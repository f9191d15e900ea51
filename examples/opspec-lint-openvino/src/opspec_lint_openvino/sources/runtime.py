"""The source `openvino-runtime`: the OpenVINO in an interpreter, which runs `_runtime_probe`."""

from opspec_lint.sources.runtime_source import runtime_source

SOURCE = runtime_source("openvino", title="OpenVINO", package="openvino", requirement="openvino", file=__file__)
