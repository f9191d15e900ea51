"""What of a SavedModel of TensorFlow 2 can be called: functions with their traces, and what their arguments are."""
