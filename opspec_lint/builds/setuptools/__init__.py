"""The sources that `setup.py` and `pyproject.toml` list for Setuptools."""
