"""Stored records against two versions of a schema: what really breaks, where, and how often."""
