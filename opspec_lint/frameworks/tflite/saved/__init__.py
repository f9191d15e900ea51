"""What a TFLite file says, without TFLite: its ops with their versions, its graphs and signatures."""
