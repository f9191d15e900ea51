"""The judgement: rules name what changed, profiles say how bad that is, and waivers what is cleared."""
