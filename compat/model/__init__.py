"""A schema as data: parsed, located, resolved, and the one door to the validators."""
