"""Rules on what TFLite alone has: which versions of an op are taken, written, and said to run where."""
