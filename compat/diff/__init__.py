"""What changed between two versions of a schema, located on both sides; what it does is for `proof` to say."""
