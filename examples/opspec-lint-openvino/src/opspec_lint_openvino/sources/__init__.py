"""The sources of OpenVINO specs."""
