"""The program that the prover `tflite.Interpreter` runs in an interpreter with a TFLite runtime: it loads models."""

import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PACKAGES = ("ai_edge_litert", "tflite_runtime")
modules: "list[Any]" = []


def start() -> str:
    """Import the first runtime that is installed, and return its version."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    for package in PACKAGES:
        try:
            modules.append(import_module(package + ".interpreter"))
        except ModuleNotFoundError as error:  # noqa: PERF203 - a handful
            if error.name != package:
                raise
        else:
            return version_of(package)
    modules.append(import_module("tensorflow").lite)
    return version_of("tensorflow")


def version_of(package: str) -> str:
    """Return the version of a package."""
    version = getattr(sys.modules[package], "__version__", None)
    if version is None:
        from importlib.metadata import version as installed

        version = installed(package.replace("_", "-"))
    return str(version)


def load(data: bytes) -> "dict[str, str]":
    """Load a model; it has no attrs that a runtime would show."""
    modules[0].Interpreter(model_content=data)
    return {}
