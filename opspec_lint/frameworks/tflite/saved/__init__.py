"""The contents of a TFLite file, read without TFLite: its ops with their versions, its graphs and signatures."""
