"""The loader `keras.models.load_model`: loads a SavedModel as a Keras model, by the metadata that Keras saved with it.

Measured with the Keras of TensorFlow 1.15.0, 2.4.4, 2.8.4, 2.12.1, 2.15.1, 2.17.1 and 2.18.1. TensorFlow 2.5 moved the
metadata from the objects to a file, and 2.16 brought Keras 3, which takes no SavedModel.
"""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.loaders import saved_model__load
from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release
from opspec_lint.frameworks.tensorflow.saved.saved_model.objects import LAST_KERAS_2, LEGACY_KERAS, has_slots
from opspec_lint.models.fault import model_fault
from opspec_lint.models.files import is_file
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_METADATA = "keras_metadata.pb"
_IDENTIFIER = "_tf_keras_"
"""Prefix of the identifiers of objects that Keras creates again from metadata."""
_ANOTHER_LOADER = "load it with tf.saved_model.load or keras.layers.TFSMLayer, or save it as a .keras file"
_LOADS_FIRST = 134
"""The graph version of 1.15, whose Keras reads metadata after functions are loaded; 2.4 reads it before."""
_IN_OBJECTS = 561
"""The graph version of 2.4, whose Keras reads the metadata of objects; a later one reads the file first."""


def audit(model: Model[SavedModel], spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of Keras' own checks and of `saved_model.load`, in the order of the release."""
    saved = model.content
    version = target_release(spec).version
    if version is not None and version <= _LOADS_FIRST:
        yield from saved_model__load.audit(model, spec, load_options, has_keras=True)
    if version is None:
        yield target_release(spec).not_judged("keras", "a release with Keras 3 refuses every SavedModel")
    elif version > LAST_KERAS_2:
        yield _fault(saved, "the Keras of the release is Keras 3, which does not accept a SavedModel")
        return
    elif _is_without_metadata(saved, version):
        yield _fault(saved, "it has Keras objects, but no metadata of them where the release expects it")
    if version is None or version > _LOADS_FIRST:
        yield from saved_model__load.audit(model, spec, load_options, has_keras=True)


def _is_without_metadata(saved: SavedModel, version: int) -> bool:
    """Return whether a Keras object lacks metadata, in the file of 2.5 and later or in the object itself."""
    if version > _IN_OBJECTS and is_file(os.path.join(saved.folder, _METADATA)):
        return False
    return any(
        node.user_object.identifier.startswith(_IDENTIFIER) and not node.user_object.metadata
        for meta in saved.meta_graphs
        for node in meta.object_graph_def.nodes
    )


def _fault(saved: SavedModel, problem: str) -> Fact:
    """Return the fault that Keras refuses the SavedModel."""
    slots = any(map(has_slots, saved.meta_graphs))
    return model_fault(
        "model_keras_format",
        "keras",
        "refused",
        "keras_format",
        problem=problem,
        remedy=LEGACY_KERAS if slots else _ANOTHER_LOADER,
    )


LOADER = Loader(
    summary="keras.models.load_model, for a SavedModel of Keras; only if named with --loader",
    formats=("saved_model",),
    audit=audit,
    only_when_named=True,
)
