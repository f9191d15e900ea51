"""What happens to saved PIR programs between two releases, and which patch a change needs."""
