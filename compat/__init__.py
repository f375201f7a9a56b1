"""Tell whether a change to a JSON Schema breaks anyone, and prove it."""
