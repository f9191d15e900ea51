"""Rules about inputs and outputs, and about what every argument has."""
