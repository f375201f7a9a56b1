"""The catalogue of changes: one row a rule."""
