"""Rules about the versions of an op that a release takes, where a saved model names one."""
