"""Op declarations of TensorFlow: OpDef messages in their binary and text forms, converted to ops and back."""
