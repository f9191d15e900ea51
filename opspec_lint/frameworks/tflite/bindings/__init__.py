"""The binding of TFLite: a model refers to options of an op by slot, and states the version of the op."""
