"""The formats of OpenVINO models."""
