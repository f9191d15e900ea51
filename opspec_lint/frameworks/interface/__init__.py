"""The interfaces of saved models: what a new export owes to those who call the old one."""
