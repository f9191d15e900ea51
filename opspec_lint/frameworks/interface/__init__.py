"""The interfaces of saved models, compared because callers of the old export depend on them."""
