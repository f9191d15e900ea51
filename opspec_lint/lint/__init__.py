"""Judges facts: rules name what changed, profiles set the level, waivers and approvals clear findings."""
