"""The plug-in of opspec-lint for OpenVINO."""
