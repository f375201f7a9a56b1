"""Renderers: one result model (`compat.assess.Report`) in, one text out; a format is a module."""
