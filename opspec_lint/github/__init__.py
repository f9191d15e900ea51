"""What GitHub Actions gives a step, and what it takes: the event, the logs, the files for outputs, the REST API."""
