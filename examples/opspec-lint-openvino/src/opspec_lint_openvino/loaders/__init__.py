"""The loaders of OpenVINO models."""
