"""The formula language that schemas are translated to, and its solvers, one per JSON type."""
