"""The interface of a saved model, as a spec: its signatures, functions and graphs, with their types."""
