"""The judgement of facts: rules turn facts into findings, profiles set levels, waivers and approvals clear findings."""
