"""The ops that Python files define, evaluated from their text. No code is run."""
