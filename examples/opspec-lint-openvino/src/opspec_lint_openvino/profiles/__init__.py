"""The policy for specs of OpenVINO."""
