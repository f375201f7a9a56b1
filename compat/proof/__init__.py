"""Containment of one schema in another: proved, refuted with a verified witness, or honestly unknown."""
