"""The guided tour: a small real repository, built from packaged data, and the commands worth running in it.

The data are four contracts of real products. The same data make up `schemas/` and `history/` of this project's own
repository; a test holds them equal.
"""
