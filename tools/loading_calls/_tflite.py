"""The files of TensorFlow Lite's converter, and the public calls of its interpreters."""

import os
from importlib import import_module
from importlib.util import find_spec


def start():
    """Import a package with an interpreter, and return its name and version."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    for package in ("tensorflow", "ai_edge_litert", "tflite_runtime"):
        if find_spec(package):
            metadata = import_module("importlib.metadata")
            name = package.replace("_", "-")
            module = import_module(package)
            return f"{name} {getattr(module, '__version__', '') or metadata.version(name)}"
    raise ImportError("no interpreter")


def converted(path, function, shape, ops=(), optimize=False):
    """Write a function as a model."""
    tf = import_module("tensorflow")
    concrete = tf.function(function, input_signature=[tf.TensorSpec(shape, tf.float32)]).get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    if ops:
        converter.target_spec.supported_ops = [getattr(tf.lite.OpsSet, name) for name in ops]
    if optimize:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    with open(path, "wb") as stream:
        stream.write(converter.convert())


def save_dense(path, optimize=False):
    """Save a fully connected layer."""
    tf = import_module("tensorflow")
    weights = tf.constant([[float(row - column) for column in range(64)] for row in range(64)])
    converted(path, lambda x: tf.nn.softmax(tf.matmul(x, weights)), [1, 64], optimize=optimize)


def save_loop(path):
    """Save a loop."""
    tf = import_module("tensorflow")
    converted(path, lambda x: tf.while_loop(lambda y: tf.reduce_sum(y) < 9.0, lambda y: [y + 1.0], [x]), [1, 2])


def save_flex(path):
    """Save an op of TensorFlow."""
    tf = import_module("tensorflow")
    converted(path, tf.linalg.det, [2, 2], ("TFLITE_BUILTINS", "SELECT_TF_OPS"))


def interpreter_module():
    """Return the module that has the interpreter."""
    for package in ("tensorflow", "ai_edge_litert.interpreter", "tflite_runtime.interpreter"):
        if find_spec(package.partition(".")[0]):
            module = import_module(package)
            return module.lite if package == "tensorflow" else module
    raise ImportError("no interpreter")


def interpret(path, resolver="", **options):
    """Create an interpreter, and allocate its tensors."""
    module = interpreter_module()
    if resolver:
        types = getattr(module, "OpResolverType", None) or module.experimental.OpResolverType
        options["experimental_op_resolver_type"] = getattr(types, resolver)
    module.Interpreter(model_path=path, **options).allocate_tensors()


def compile_model(path):
    """Create a compiled model of LiteRT."""
    import_module("ai_edge_litert.compiled_model").CompiledModel.from_file(path)


def analyze(path):
    """Read by the analyzer."""
    import_module("tensorflow").lite.experimental.Analyzer.analyze(model_path=path)


INTERPRETERS = {
    "Interpreter": interpret,
    "Interpreter, preserve_all_tensors": lambda path: interpret(path, experimental_preserve_all_tensors=True),
    "Interpreter, BUILTIN_REF": lambda path: interpret(path, "BUILTIN_REF"),
    "Interpreter, BUILTIN_WITHOUT_DEFAULT_DELEGATES": lambda path: interpret(path, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    "CompiledModel.from_file": compile_model,
    "experimental.Analyzer.analyze": analyze,
}
SAVERS = {
    "float": ("model.tflite", save_dense),
    "quantized weights": ("model.tflite", lambda path: save_dense(path, optimize=True)),
    "loop": ("model.tflite", save_loop),
    "op of TensorFlow": ("model.tflite", save_flex),
}
CALLS = dict.fromkeys(SAVERS, INTERPRETERS)
