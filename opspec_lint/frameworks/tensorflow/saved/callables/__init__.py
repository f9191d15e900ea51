"""The callables of a SavedModel of TensorFlow 2: functions, their traces, and the structures of their arguments."""
