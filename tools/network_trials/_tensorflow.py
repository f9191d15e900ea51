"""Whole networks of TensorFlow, which its own releases save: control flow, tables, recurrent layers, detection.

`tools/network_trials/__main__.py` runs this in each release, followed by `tools/loading_calls/_main.py`.
"""

# ruff: noqa: ARG001 - all builders have the same arguments
import os
from importlib import import_module

SAVERS = {}
"""The networks by name: the name of the file, and the function that saves it to a path."""


def start():
    """Import TensorFlow, and return its version."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    return str(tensorflow().__version__)


def tensorflow():
    """Return the framework."""
    return import_module("tensorflow")


def network(name, save, file="model"):
    """Return a decorator that adds a network, which `save(path, builder)` saves."""

    def add(builder):
        SAVERS[name] = file, lambda path: save(path, builder)
        return builder

    return add


def save_function(path, builder):
    """Save the function of a builder in a `tf.Module`, with the objects that it needs.

    A builder takes TensorFlow and the module, and returns the function and the specs of its arguments.
    """
    tf = tensorflow()
    module = tf.Module()
    function, *specs = builder(tf, module)
    module.call = tf.function(function, input_signature=specs)
    tf.saved_model.save(module, path, signatures=module.call.get_concrete_function())


def save_keras(path, builder):
    """Save a model of Keras 2 with its metadata, or export one of Keras 3."""
    tf = tensorflow()
    model = builder(tf, tf.keras.layers)
    if import_module("keras").__version__.startswith("2."):
        model.save(path, save_format="tf")
    else:
        model.export(path)


def save_session(path, builder):
    """Save the graph of a session as a SavedModel of TensorFlow 1."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        x, y = builder(tf1)
        session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
        tf1.saved_model.simple_save(session, path, {"x": x}, {"y": y}, legacy_init_op=tf1.tables_initializer())


def save_checkpoint(path, builder):
    """Save the graph of a session as a meta graph with its checkpoint."""
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default(), tf1.Session() as session:
        builder(tf1)
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, path[: -len(".meta")])


def save_frozen(path, builder):
    """Save a function as a GraphDef, with its variables as constants."""
    tf = tensorflow()
    module = tf.Module()
    function, *specs = builder(tf, module)
    concrete = tf.function(function, input_signature=specs).get_concrete_function()
    freeze = import_module("tensorflow.python.framework.convert_to_constants").convert_variables_to_constants_v2
    with open(path, "wb") as stream:
        stream.write(freeze(concrete).graph.as_graph_def().SerializeToString())


# Control flow


@network("loop", save_function)
@network("loop, frozen", save_frozen, "graph.pb")
def loop(tf, module):
    module.step = tf.Variable(0.5)
    return lambda x: tf.while_loop(lambda y: tf.reduce_sum(y) < 9.0, lambda y: [y + module.step], [x]), spec([2])


@network("condition", save_function)
@network("condition, frozen", save_frozen, "graph.pb")
def condition(tf, module):
    module.v = tf.Variable([1.0, 2.0])
    return lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * module.v, lambda: x - module.v), spec([None, 2])


@network("switch", save_function)
def switch(tf, module):
    branches = [lambda x=number: tf.fill([2], float(x)) for number in range(4)]
    return lambda index: tf.switch_case(index, branches), tf.TensorSpec([], tf.int32)


@network("nested loops", save_function)
def nested_loops(tf, module):
    def function(x):
        inner = lambda i, y: (i + 1, tf.cond(y > 9.0, lambda: y / 2.0, lambda: y * 3.0))  # noqa: E731
        outer = lambda i, y: (i + 1, tf.while_loop(lambda j, _: j < i, inner, (0, y))[1])  # noqa: E731
        return tf.while_loop(lambda i, _: i < 4, outer, (0, x))[1]

    return function, spec([])


@network("scan and map", save_function)
def scan_and_map(tf, module):
    module.v = tf.Variable(tf.ones([3, 3]))

    def function(x):
        steps = tf.scan(lambda state, row: tf.tanh(tf.linalg.matvec(module.v, state) + row), x, tf.zeros([3]))
        return tf.map_fn(tf.reduce_max, steps), tf.vectorized_map(lambda row: row * 2.0, x)

    return function, spec([None, 3])


@network("TensorArray", save_function)
def tensor_array(tf, module):
    def function(x):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False, element_shape=[2])
        body = lambda i, a: (i + 1, a.write(i, x[i % 2] * tf.cast(i, tf.float32)))  # noqa: E731
        _, array = tf.while_loop(lambda i, _: i < 5, body, (0, array))
        return array.stack(), array.gather([0, 2]), array.concat()

    return function, spec([2, 2])


@network("gradients", save_function)
def gradients(tf, module):
    module.v = tf.Variable([[1.0], [2.0]])

    def function(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, module.v) - y))
        module.v.assign_sub(0.1 * tape.gradient(loss, module.v))
        return loss

    return function, spec([None, 2]), spec([None, 1])


@network("custom gradient", save_function)
def custom_gradient(tf, module):
    @tf.custom_gradient
    def clipped(x):
        return tf.clip_by_value(x, -1.0, 1.0), lambda upstream: upstream * 0.5

    return lambda x: clipped(x) + tf.stop_gradient(x), spec([None])


# Ragged and sparse tensors, strings, tables


@network("ragged", save_function)
def ragged(tf, module):
    def function(values, splits):
        rows = tf.RaggedTensor.from_row_splits(values, splits, validate=False)
        return tf.reduce_sum(rows, axis=1), rows.to_tensor(), tf.concat([rows, rows], axis=1).flat_values

    return function, spec([None]), tf.TensorSpec([None], tf.int64)


@network("ragged strings", save_function)
def ragged_strings(tf, module):
    def function(text):
        tokens = tf.strings.split(text)
        pairs = tf.strings.ngrams(tokens, 2)
        return tf.strings.to_hash_bucket_fast(tokens.to_tensor(""), 100), pairs.to_tensor("")

    return function, tf.TensorSpec([None], tf.string)


@network("strings", save_function)
def strings(tf, module):
    def function(text):
        lower = tf.strings.regex_replace(tf.strings.lower(text), r"\W+", " ")
        points = tf.strings.unicode_decode(lower, "UTF-8")
        return points.to_tensor(0), tf.strings.length(lower), tf.strings.to_number(tf.strings.substr(text, 0, 1))

    return function, tf.TensorSpec([None], tf.string)


@network("sparse", save_function)
def sparse(tf, module):
    def function(indices, values, x):
        matrix = tf.sparse.reorder(tf.SparseTensor(indices, values, [4, 4]))
        return tf.sparse.sparse_dense_matmul(matrix, x), tf.sparse.to_dense(tf.sparse.softmax(matrix))

    return function, tf.TensorSpec([None, 2], tf.int64), spec([None]), spec([4, 3])


@network("segments", save_function)
def segments(tf, module):
    def function(x, ids):
        return tf.math.unsorted_segment_mean(x, ids, 3), tf.math.top_k(tf.math.bincount(ids, minlength=3), 2).indices

    return function, spec([None, 2]), tf.TensorSpec([None], tf.int32)


@network("static table", save_function)
def static_table(tf, module):
    entries = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([1, 2], tf.int64))
    module.table = tf.lookup.StaticHashTable(entries, -1)
    return module.table.lookup, tf.TensorSpec([None], tf.string)


@network("table of a file", save_function)
def file_table(tf, module):
    path = os.path.join(import_module("tempfile").mkdtemp(), "words.txt")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("a\nb\nc\n")
    module.words = tf.saved_model.Asset(path)
    line, whole = tf.lookup.TextFileIndex.LINE_NUMBER, tf.lookup.TextFileIndex.WHOLE_LINE
    entries = tf.lookup.TextFileInitializer(module.words, tf.string, whole, tf.int64, line)
    module.table = tf.lookup.StaticVocabularyTable(entries, 2)
    return module.table.lookup, tf.TensorSpec([None], tf.string)


@network("mutable table", save_function)
def mutable_table(tf, module):
    module.table = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$")

    def function(keys):
        module.table.insert(keys, tf.cast(tf.strings.length(keys), tf.int64))
        return module.table.lookup(keys), module.table.size()

    return function, tf.TensorSpec([None], tf.string)


@network("examples", save_function)
def examples(tf, module):
    features = {
        "x": tf.io.FixedLenFeature([2], tf.float32),
        "words": tf.io.VarLenFeature(tf.string),
        "rows": tf.io.RaggedFeature(tf.int64),
    }

    def function(serialized):
        parsed = tf.io.parse_example(serialized, features)
        return parsed["x"], parsed["words"].values, parsed["rows"].to_tensor()

    return function, tf.TensorSpec([None], tf.string)


# Images, signals, random numbers


@network("detection", save_function)
def detection(tf, module):
    module.kernel = tf.Variable(tf.random.normal([3, 3, 3, 8]))

    def function(image):
        features = tf.nn.relu(tf.nn.conv2d(image, module.kernel, 2, "SAME"))
        boxes = tf.reshape(features[..., :4], [1, -1, 1, 4])
        scores = tf.sigmoid(tf.reshape(features[..., 4:], [1, -1, 4]))
        return tuple(tf.image.combined_non_max_suppression(boxes, scores, 5, 10, score_threshold=0.3))

    return function, spec([1, 32, 32, 3])


@network("padded suppression", save_function)
def padded_suppression(tf, module):
    def function(boxes, scores):
        kept, count = tf.image.non_max_suppression_padded(boxes, scores, 8, pad_to_max_output_size=True)
        soft = tf.image.non_max_suppression_with_scores(boxes, scores, 8, soft_nms_sigma=0.5)
        return kept, count, soft[1], tf.gather(boxes, kept)

    return function, spec([None, 4]), spec([None])


@network("images", save_function)
def images(tf, module):
    def function(data):
        image = tf.image.convert_image_dtype(tf.io.decode_jpeg(data, channels=3), tf.float32)
        image = tf.image.resize(tf.image.central_crop(image, 0.9), [32, 32], antialias=True)
        return tf.image.crop_and_resize(image[None], [[0.0, 0.0, 1.0, 1.0]], [0], [8, 8])

    return function, tf.TensorSpec([], tf.string)


@network("signals", save_function)
def signals(tf, module):
    def function(x):
        power = tf.abs(tf.signal.stft(x, 64, 32))
        mel = tf.matmul(power, tf.signal.linear_to_mel_weight_matrix(8, 33, 8000, 20.0, 4000.0))
        return tf.signal.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6)), tf.signal.irfft(tf.signal.rfft(x))

    return function, spec([256])


@network("random numbers", save_function)
def random_numbers(tf, module):
    module.generator = tf.random.Generator.from_seed(1)

    def function(x):
        noise = module.generator.normal(tf.shape(x)) + tf.random.stateless_uniform(tf.shape(x), [1, 2])
        return tf.nn.dropout(x + noise, 0.5), tf.random.categorical(x, 2)

    return function, spec([2, 3])


@network("attention", save_function)
def attention(tf, module):
    module.v = tf.Variable(tf.ones([8, 3, 8]))

    def function(x):
        query, key, value = tf.unstack(tf.einsum("btd,dke->kbte", x, module.v))
        weights = tf.nn.softmax(tf.linalg.band_part(tf.einsum("bte,bse->bts", query, key), -1, 0))
        return tf.einsum("bts,bse->bte", weights, value), tf.linalg.svd(weights)[0]

    return function, spec([None, 4, 8])


@network("dataset", save_function)
def dataset(tf, module):
    def function(x):
        rows = tf.data.Dataset.from_tensor_slices(x).map(lambda row: row * 2.0).batch(2, drop_remainder=True)
        return rows.reduce(tf.zeros([2, 3]), lambda total, batch: total + batch)

    return function, spec([None, 3])


# Keras


@network("Keras recurrent", save_keras)
def keras_recurrent(tf, layers):
    return tf.keras.Sequential(
        [layers.InputLayer((5, 3)), layers.LSTM(4, return_sequences=True), layers.GRU(3), layers.Dense(2)]
    )


@network("Keras bidirectional", save_keras)
def keras_bidirectional(tf, layers):
    tokens = tf.keras.Input([6], dtype="int32")
    embedded = layers.Embedding(20, 4, mask_zero=True)(tokens)
    return tf.keras.Model(tokens, layers.Dense(2)(layers.Bidirectional(layers.LSTM(3))(embedded)))


@network("Keras convolutions", save_keras)
def keras_convolutions(tf, layers):
    x = image = tf.keras.Input([16, 16, 3])
    for width in (8, 16):
        x = layers.ReLU(6.0)(layers.BatchNormalization()(layers.SeparableConv2D(width, 3, strides=2)(x)))
    return tf.keras.Model(image, layers.Dense(4, activation="softmax")(layers.GlobalAveragePooling2D()(x)))


@network("Keras transformer", save_keras)
def keras_transformer(tf, layers):
    tokens = tf.keras.Input([6, 8])
    x = layers.LayerNormalization()(tokens + layers.MultiHeadAttention(2, 4)(tokens, tokens))
    return tf.keras.Model(tokens, layers.Dense(8, activation="gelu")(layers.Dropout(0.1)(x)))


@network("Keras convolutional LSTM", save_keras)
def keras_convolutional_lstm(tf, layers):
    return tf.keras.Sequential([layers.InputLayer((3, 8, 8, 1)), layers.ConvLSTM2D(2, 3), layers.Flatten()])


@network("Keras trained", save_keras)
def keras_trained(tf, layers):
    left, right = tf.keras.Input([3]), tf.keras.Input([3])
    joined = layers.Concatenate()([layers.Dense(2)(left), layers.Dense(2)(right)])
    model = tf.keras.Model([left, right], {"sum": layers.Dense(1)(joined), "all": joined})
    model.compile(tf.keras.optimizers.Adam(), {"sum": "mse", "all": "mse"})
    model.fit([tf.ones([4, 3]), tf.ones([4, 3])], {"sum": tf.ones([4, 1]), "all": tf.ones([4, 4])}, verbose=0)
    return model


@network("Keras normalization", save_keras)
def keras_normalization(tf, layers):
    kinds = layers if hasattr(layers, "Normalization") else layers.experimental.preprocessing
    normalize = kinds.Normalization()
    normalize.adapt(tf.random.normal([10, 3]))
    return tf.keras.Sequential([layers.InputLayer((3,)), normalize, layers.Dense(1)])


# TensorFlow 1


@network("session", save_session)
def session_network(tf1):
    x = tf1.placeholder(tf1.float32, [None, 2], "x")
    w = tf1.get_variable("w", initializer=[[1.0], [2.0]], use_resource=False)
    return x, tf1.nn.relu(tf1.matmul(x, w))


@network("session with a table", save_session)
def session_table(tf1):
    x = tf1.placeholder(tf1.string, [None], "x")
    table = tf1.lookup.StaticHashTable(tf1.lookup.KeyValueTensorInitializer(["a"], [1.0]), 0.0)
    return x, table.lookup(x)


@network("checkpoint", save_checkpoint, "model.meta")
def checkpoint_network(tf1):
    x = tf1.placeholder(tf1.float32, [None, 2], "x")
    w = tf1.get_variable("w", initializer=[1.0, 2.0])
    return tf1.while_loop(lambda y: tf1.reduce_sum(y) < 9.0, lambda y: y + w, [x])


def spec(shape):
    """Return the spec of a float argument."""
    tf = tensorflow()
    return tf.TensorSpec(shape, tf.float32)
