"""`keras.models.load_model`: a SavedModel as a model of Keras, from the metadata that Keras put beside its objects.

Measured with the Keras of TensorFlow 1.15.0, 2.4.4, 2.8.4, 2.12.1, 2.15.1, 2.17.1 and 2.18.1. TensorFlow 2.5 moved the
metadata from the objects to a file, and 2.16 brought Keras 3, which takes no SavedModel.
"""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.loaders import saved_model__load
from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of
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
"""How the identifier of an object begins that Keras makes again."""
_ANOTHER_LOADER = "load it with tf.saved_model.load or keras.layers.TFSMLayer, or save it as a .keras file"
_LOADS_FIRST = 134
"""The graph version of 1.15, whose Keras looks at metadata when functions are loaded; 2.4 does so before."""
_IN_OBJECTS = 561
"""The graph version of 2.4, whose Keras reads the metadata of objects; a later one reads the file first."""


def audit(model: Model[SavedModel], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what Keras stumbles over before it loads the model, and what loading stumbles over."""
    saved = model.content
    version = release_of(spec).version
    if version is not None and version <= _LOADS_FIRST:
        yield from saved_model__load.audit(model, spec, asked)
    if version is None:
        yield release_of(spec).not_judged("keras", "a release with Keras 3 refuses every SavedModel")
    elif version > LAST_KERAS_2:
        yield _fault(saved, "the Keras of the release is Keras 3, which does not accept a SavedModel")
        return
    elif _is_without_metadata(saved, version):
        yield _fault(saved, "it has Keras objects, but no metadata of them where the release expects it")
    if version is None or version > _LOADS_FIRST:
        yield from saved_model__load.audit(model, spec, asked)


def _is_without_metadata(saved: SavedModel, version: int) -> bool:
    """Tell whether an object of Keras has no metadata; between two versions, whether it has none in either place."""
    if version > _IN_OBJECTS and is_file(os.path.join(saved.folder, _METADATA)):
        return False
    return any(
        each.user_object.identifier.startswith(_IDENTIFIER) and not each.user_object.metadata
        for meta in saved.meta_graphs
        for each in meta.object_graph_def.nodes
    )


def _fault(saved: SavedModel, problem: str) -> Fact:
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
