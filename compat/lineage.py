"""One contract through time: its versions, where a version number comes from, which pairs a mode requires."""
