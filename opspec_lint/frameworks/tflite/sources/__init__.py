"""Where specs of TFLite come from: a source tree, an installed runtime."""
