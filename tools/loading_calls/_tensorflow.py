"""The files and public calls of TensorFlow."""

import os
from importlib import import_module


def start():
    """Import TensorFlow, and return its version."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    return str(import_module("tensorflow").__version__)


def tensorflow():
    """Return the framework."""
    return import_module("tensorflow")


def save_module(path):
    """Save a `tf.Module` with one function."""
    tf = tensorflow()
    if tf.__version__.startswith("1."):
        tf.compat.v1.enable_eager_execution()
    module = tf.Module()
    module.v = tf.Variable([1.0, 2.0])
    module.f = tf.function(lambda x: x * module.v, input_signature=[tf.TensorSpec([None, 2], tf.float32)])
    tf.compat.v2.saved_model.save(module, path, signatures=module.f)


def save_session(path):
    """Save a graph of TensorFlow 1 with a variable."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf1.float32, [None, 2])
        y = x * tf1.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, path, {"x": x}, {"y": y})


def save_meta(path):
    """Save a meta graph with its checkpoint."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.get_variable("v", initializer=[1.0, 2.0])
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, path)


def save_graph(path):
    """Save a graph without variables."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default() as graph:
        tf1.nn.relu(tf1.placeholder(tf1.float32, [None, 2], "x"), "y")
    with open(path, "wb") as stream:
        stream.write(graph.as_graph_def().SerializeToString())


def keras_model():
    """Return a model of Keras."""
    keras = tensorflow().keras
    return keras.Sequential([keras.layers.InputLayer((2,)), keras.layers.Dense(2)])


def save_keras(path):
    """Save a model of Keras in the format of the suffix; a path without one is a SavedModel."""
    model = keras_model()
    if "." in os.path.basename(path) or not hasattr(model, "export"):
        model.save(path)
    elif int(import_module("keras").__version__.split(".")[0]) < 3:
        model.save(path, save_format="tf")
    else:
        model.export(path)


def load_session(path):
    """Load a SavedModel into a session."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.saved_model.loader.load(session, ["serve"], path)


def load_predictor(path):
    """Load a SavedModel by the predictor of TensorFlow 1."""
    import_module("tensorflow.contrib.predictor").from_saved_model(path)


def load_objects(path):
    """Load a SavedModel as objects."""
    tensorflow().compat.v2.saved_model.load(path)


def load_keras(path):
    """Load by Keras."""
    tensorflow().keras.models.load_model(path)


def load_layer(path):
    """Load a SavedModel as a layer of Keras 3."""
    tensorflow().keras.layers.TFSMLayer(path, call_endpoint="serving_default")


def convert(path):
    """Read a SavedModel by the converter of TensorFlow Lite."""
    tensorflow().lite.TFLiteConverter.from_saved_model(path)


def import_graph(path):
    """Import a graph."""
    tf1 = tensorflow().compat.v1
    graph_def = tf1.GraphDef()
    with open(path, "rb") as stream:
        graph_def.ParseFromString(stream.read())
    with tf1.Graph().as_default():
        tf1.import_graph_def(graph_def, name="")


def import_meta(path):
    """Import a meta graph, and restore its variables."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.train.import_meta_graph(path + ".meta").restore(session, path)


def load_checkpoint(path):
    """Read a checkpoint."""
    reader = tensorflow().train.load_checkpoint(path)
    for name in reader.get_variable_to_shape_map():
        reader.get_tensor(name)


SAVED_MODEL = {
    "saved_model.load": load_objects,
    "v1.saved_model.loader.load": load_session,
    "keras.models.load_model": load_keras,
    "keras.layers.TFSMLayer": load_layer,
    "lite.TFLiteConverter.from_saved_model": convert,
    "contrib.predictor.from_saved_model": load_predictor,
}
SAVERS = {
    "SavedModel of tf.Module": ("model", save_module),
    "SavedModel of a session": ("model", save_session),
    "SavedModel of Keras": ("model", save_keras),
    "HDF5 of Keras": ("model.h5", save_keras),
    "zip of Keras": ("model.keras", save_keras),
    "MetaGraphDef": ("model", save_meta),
    "GraphDef": ("graph.pb", save_graph),
}
CALLS = {
    **{kind: SAVED_MODEL for kind in SAVERS if kind.startswith("SavedModel")},
    "HDF5 of Keras": {"keras.models.load_model": load_keras},
    "zip of Keras": {"keras.models.load_model": load_keras},
    "MetaGraphDef": {"v1.train.import_meta_graph": import_meta, "train.load_checkpoint": load_checkpoint},
    "GraphDef": {"import_graph_def": import_graph},
}
