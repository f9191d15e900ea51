"""The interface of GitHub Actions to a step: the event, the log, the files for outputs, and the REST API."""
