"""Op declarations of TensorFlow: OpDef messages in their binary and text forms, and the C++ of source trees."""
